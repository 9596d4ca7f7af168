/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MODEL_HARNESS_RUN_H
#define MODEL_HARNESS_RUN_H

#include "model/harness/profile.h"
#include "model/harness/progress.h"
#include "model/harness/result.h"
#include "model/harness/scenario.h"

/*
 * Run one variant once, in this process; a process runs at most one.
 * @out: initialised by the caller, filled here
 * @progress: to be told how far it is
 * Returns 0, or -errno after an explanation on stderr or in out->failure.
 */
int run_variant(const struct scenario_config *cfg,
		const struct profile *profile, struct result *out,
		struct progress *progress);

#endif
