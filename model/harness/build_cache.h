/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared objects that were built, by the hash of what they were made from. */
#ifndef MODEL_HARNESS_BUILD_CACHE_H
#define MODEL_HARNESS_BUILD_CACHE_H

#include <stdbool.h>

#include "model/harness/arena.h"
#include "model/harness/driver_info.h"

/*
 * The path for @key in the cache, whether there is something or not; NULL: there
 * is no cache (no home, or it cannot be written). Folders are made.
 */
const char *build_cache_path(const char *key, struct arena *a);

/* Is at @path what was put there for @key? Then @info is about it. */
bool build_cache_holds(const char *path, const char *key,
		       struct driver_info *info, struct arena *a);

/*
 * Copy the file @from to @to in one step: others see the old, all of the new or
 * nothing. 0 or -errno
 */
int build_cache_copy(const char *from, const char *to, struct arena *a);

#endif
