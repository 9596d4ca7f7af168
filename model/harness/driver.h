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
 * Load what @cfg names, give the guest its ring functions, and check the
 * module parameters. Its static data, and the guest kernel's, are added to the line
 * directory: after ram_init.
 * @out: source, hash, compiler and flags are recorded there
 * Returns 0, or -errno after messages on @err.
 */
int driver_load(const struct scenario_config *cfg, struct result *out,
		FILE *err);

#endif
