// SPDX-License-Identifier: GPL-2.0-only
#include "model/harness/cli_scenario.h"

#include <inttypes.h>
#include <stdlib.h>

#include "model/harness/cli.h"
#include "model/harness/driver.h"
#include "model/harness/spawn.h"

struct cli_scenario *cli_scenario_new(void)
{
	struct cli_scenario *run = calloc(1, sizeof(*run));

	if (!run) {
		fputs("vblksim: out of memory\n", stderr);
		exit(CLI_EXIT_FAILED);
	}
	return run;
}

void cli_scenario_destroy(struct cli_scenario *run)
{
	uint32_t i;

	for (i = 0; i < run->nr; i++)
		result_fini(&run->results[i]);
	for (i = 0; i < SCENARIO_VARIANTS_MAX; i++)
		profile_destroy(run->profiles[i]);
	scenario_destroy(run->scenario);
	free(run);
}

static bool cli_scenario_profile(struct cli_scenario *run, uint32_t variant,
				 FILE *err)
{
	bool ok = !scenario_load_profile(run->scenario, variant,
					 &run->profiles[variant], err);
	size_t i;

	for (i = 0; i < run->costs_nr && ok; i++)
		ok = !profile_change(run->profiles[variant], run->costs[i],
				     err);
	return ok;
}

bool cli_scenario_prepare(struct cli_scenario *run, uint32_t first,
			  uint32_t end, FILE *err)
{
	bool ok = true;
	uint32_t i;

	for (i = first; i < end && ok; i++)
		ok = cli_scenario_profile(run, i, err);
	for (i = first; i < end && ok; i++)
		ok = !driver_prepare(scenario_variant(run->scenario, i), err);
	return ok;
}

/* What went wrong with another seed is told with the first's. */
static void cli_scenario_blame(struct result *first, const struct result *r,
			       uint64_t seed)
{
	uint32_t i;

	if (r->failure)
		result_add_verdict(first, "seed %" PRIu64 ": failed: %s", seed,
				   r->failure);
	for (i = 0; i < r->verdicts_nr; i++)
		result_add_verdict(first, "seed %" PRIu64 ": %s", seed,
				   r->verdicts[i]);
}

/* With the seeds after the first. False: a signal came. */
static bool cli_scenario_repeat(const struct report_run *run, bool quiet,
				struct result *first, struct repeat *repeat)
{
	struct scenario_config config = *run->config;
	bool go_on = true;
	struct result r;
	uint32_t i;

	for (i = 1; i < config.repeat && go_on; i++) {
		config.seed++;
		go_on = !spawn_variant(&config, run->profile, quiet, &r);
		cli_scenario_blame(first, &r, config.seed);
		if (!r.failure)
			repeat_add(repeat, &r);
		result_fini(&r);
	}
	return go_on;
}

/* With all seeds. False: a signal came. */
static bool cli_scenario_variant(struct cli_scenario *run, bool quiet,
				 uint32_t variant)
{
	struct report_run *r = &run->runs[run->nr];
	struct result *result = &run->results[run->nr];
	struct repeat *repeat = &run->repeats[run->nr];

	r->config = scenario_variant(run->scenario, variant);
	r->profile = run->profiles[variant];
	r->result = result;
	r->repeat = repeat;
	run->nr++;
	if (spawn_variant(r->config, r->profile, quiet, result))
		return false;
	if (result->failure)
		return true;
	repeat_add(repeat, result);
	return cli_scenario_repeat(r, quiet, result, repeat);
}

void cli_scenario_run(struct cli_scenario *run, bool quiet, uint32_t first,
		      uint32_t end)
{
	uint32_t i;

	spawn_catch_signals();
	for (i = first; i < end && !spawn_interrupted; i++)
		if (!cli_scenario_variant(run, quiet, i))
			break;
	spawn_release_signals();
}

bool cli_scenario_refused(const struct cli_scenario *run)
{
	uint32_t i;

	for (i = 0; i < run->nr; i++)
		if (run->results[i].refused)
			return true;
	return false;
}
