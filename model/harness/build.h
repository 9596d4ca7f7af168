/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Driver sources to a shared object that the simulator can load. It is always the
 * same for the same sources, port and compiler, wherever it is built, and
 * nothing is compiled twice: what was built is kept in
 * ${XDG_CACHE_HOME:-$HOME/.cache}/vblksim/drivers (which may be removed at any
 * time), under a hash of everything it was made from.
 */
#ifndef MODEL_HARNESS_BUILD_H
#define MODEL_HARNESS_BUILD_H

#include <stdbool.h>
#include <stdio.h>

#include "model/harness/driver_info.h"

/* Stands for the project's own virtio_blk.c or ring, which is of several files. */
#define BUILD_BUNDLED	"bundled"

/*
 * @blk, @ring: path of a C source, or BUILD_BUNDLED. If @blk itself has the
 *              ring's functions, a bundled ring is not added.
 * @profile:    the only one to try, or NULL
 * @keep:       leave the temporary folder, and say where; no cache
 * @log:        commands and what they print, or NULL
 * @port:       folder of the port, NULL: the project's
 * @compiler:   gcc, NULL: the one that guest code was compiled by
 */
struct build_request {
	const char *blk;
	const char *ring;
	const char *profile;
	bool keep;
	FILE *log;
	const char *port;
	const char *compiler;
};

/*
 * Build what @request says and check that it can be loaded. Sources are read,
 * never written.
 * @output: where the shared object goes in one step; NULL: into the cache, or,
 *          without one, to a place that is there until the process exits
 * @path:   the place; lives in @a
 * @info:   about it, texts in @a
 * @err:    what is wrong, and what to do
 * Returns 0, -EINVAL if it is the user's to mend, -EINTR after a signal (if
 * that did not end the program), -errno.
 */
int build_driver(const struct build_request *request, const char *output,
		 const char **path, struct driver_info *info, struct arena *a,
		 FILE *err);

#endif
