// SPDX-License-Identifier: GPL-2.0-only
#include "model/harness/cli_scenario.h"

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

bool cli_scenario_prepare(struct cli_scenario *run, uint32_t first,
			  uint32_t end, FILE *err)
{
	bool ok = true;
	uint32_t i;

	for (i = first; i < end && ok; i++)
		ok = !scenario_load_profile(run->scenario, i,
					    &run->profiles[i], err);
	for (i = first; i < end && ok; i++)
		ok = !driver_prepare(scenario_variant(run->scenario, i), err);
	return ok;
}

void cli_scenario_run(struct cli_scenario *run, bool quiet, uint32_t first,
		      uint32_t end)
{
	uint32_t i;

	spawn_catch_signals();
	for (i = first; i < end && !spawn_interrupted; i++) {
		struct report_run *r = &run->runs[run->nr];
		struct result *result = &run->results[run->nr];

		r->config = scenario_variant(run->scenario, i);
		r->profile = run->profiles[i];
		r->result = result;
		run->nr++;
		if (spawn_variant(r->config, r->profile, quiet, result))
			break;
	}
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
