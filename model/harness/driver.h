/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A driver in a shared object: virtio_blk.c and virtio_ring.c, built against
 * the port. It has static state, so a process loads one, once.
 */
#ifndef MODEL_HARNESS_DRIVER_H
#define MODEL_HARNESS_DRIVER_H

#include <stdio.h>

#include "model/harness/result.h"
#include "model/harness/scenario.h"

/*
 * Find or build what @cfg names, and see that it can be loaded. Done once per process
 * for the same names: a child finds what its parent built.
 * 0, -EINVAL after messages on @err that are for the user, -EINTR, -errno
 */
int driver_prepare(const struct scenario_config *cfg, FILE *err);

/*
 * Load what @cfg names, give the guest its ring functions, and check the
 * module parameters. Its static data, and the guest kernel's, are added to the line
 * directory: after ram_init.
 * @out: what it was made from is recorded there
 * Returns 0, or -errno after messages on @err.
 */
int driver_load(const struct scenario_config *cfg, struct result *out,
		FILE *err);

#endif
