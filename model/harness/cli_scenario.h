/* SPDX-License-Identifier: GPL-2.0-only */
/* A scenario that a verb runs, variant after variant. */
#ifndef MODEL_HARNESS_CLI_SCENARIO_H
#define MODEL_HARNESS_CLI_SCENARIO_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "model/harness/profile.h"
#include "model/harness/report.h"
#include "model/harness/result.h"
#include "model/harness/scenario.h"

/*
 * What is run and what came of it; it owns all.
 * @scenario: set by the verb, from scenario_load()
 * @costs: set by the verb, the caller's: @costs_nr changes of the constants of all
 *         variants, for profile_change()
 * @nr: of @runs, @results and @repeats, started so far
 * @results: with the first seed
 */
struct cli_scenario {
	struct scenario *scenario;
	const char *const *costs;
	size_t costs_nr;
	struct report_run runs[SCENARIO_VARIANTS_MAX];
	struct profile *profiles[SCENARIO_VARIANTS_MAX];
	struct result results[SCENARIO_VARIANTS_MAX];
	struct repeat repeats[SCENARIO_VARIANTS_MAX];
	uint32_t nr;
};

/* Empty; out of memory ends the program. */
struct cli_scenario *cli_scenario_new(void);
void cli_scenario_destroy(struct cli_scenario *run);

/*
 * Load profiles and drivers of the variants from @first to before @end: all
 * before the first run, so that mistakes cost no waiting. False after messages.
 */
bool cli_scenario_prepare(struct cli_scenario *run, uint32_t first,
			  uint32_t end, FILE *err);

/* Run these variants until the end or a signal (spawn_interrupted). */
void cli_scenario_run(struct cli_scenario *run, bool quiet, uint32_t first,
		      uint32_t end);

/* Did a run fail for something that is the user's to mend? */
bool cli_scenario_refused(const struct cli_scenario *run);

#endif
