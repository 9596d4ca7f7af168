/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A run in a process of its own: drivers have static state, and what crashes
 * there must not take the results of others along.
 */
#ifndef MODEL_HARNESS_SPAWN_H
#define MODEL_HARNESS_SPAWN_H

#include <stdbool.h>

#include "model/harness/profile.h"
#include "model/harness/progress.h"
#include "model/harness/result.h"
#include "model/harness/scenario.h"

/* Set by SIGINT and SIGTERM to their number, while caught. */
extern volatile int spawn_interrupted;

/* Catch SIGINT and SIGTERM in the parent from now on; and no more. */
void spawn_catch_signals(void);
void spawn_release_signals(void);

/* What a child does: run_variant, unless a test says otherwise. */
extern int (*spawn_run)(const struct scenario_config *cfg,
			const struct profile *profile, struct result *out,
			struct progress *progress);

/*
 * Run a variant in a child.
 * @out: initialised here. If the child died, failed, or sent nonsense, it has
 *       a failure and nothing else.
 * @quiet: no progress line
 * Returns 0, -EINTR if a caught signal ended it (then @out is a failure too).
 */
int spawn_variant(const struct scenario_config *cfg,
		  const struct profile *profile, bool quiet,
		  struct result *out);

#endif
