// SPDX-License-Identifier: GPL-2.0-only
#define _GNU_SOURCE	/* asprintf */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/harness/cli_scenario.h"
#include "model/harness/cli_verb.h"
#include "model/harness/json.h"
#include "model/harness/output.h"
#include "model/harness/report.h"
#include "model/harness/scenario.h"
#include "model/harness/spawn.h"

#define SETS_MAX	256u
#define COSTS_MAX	256u

enum {
	OPTION_JSON = CLI_OPTION_FIRST,
	OPTION_SEED,
	OPTION_SET,
	OPTION_COST,
	OPTION_VARIANT,
	OPTION_QUIET,
	OPTION_DRIVER,
	OPTION_RING,
};

struct cli_run_args {
	const char *scenario;
	const char *json;
	const char *variant;
	const char *sets[SETS_MAX];
	size_t sets_nr;
	const char *costs[COSTS_MAX];
	size_t costs_nr;
	char seed[64];
	char *driver;
	char *ring;
	bool quiet;
	bool help;
};

static bool cli_run_add_set(struct cli_run_args *args, const char *set,
			    FILE *err)
{
	if (args->sets_nr == SETS_MAX) {
		fprintf(err, "vblksim run: more than %u times --set\n",
			SETS_MAX);
		return false;
	}
	args->sets[args->sets_nr++] = set;
	return true;
}

static bool cli_run_add_cost(struct cli_run_args *args, const char *cost,
			     FILE *err)
{
	if (args->costs_nr == COSTS_MAX) {
		fprintf(err, "vblksim run: more than %u times --cost\n",
			COSTS_MAX);
		return false;
	}
	args->costs[args->costs_nr++] = cost;
	return true;
}

/* "KEY=PATH" for --set; a path begins where the user is, not at the scenario. */
static char *cli_run_path(const char *key, const char *path)
{
	bool here = *path && *path != '/' && strcmp(path, "bundled");
	char *folder = here ? getcwd(NULL, 0) : NULL;
	char *set;

	if (asprintf(&set, "%s=%s%s%s", key, folder ? folder : "",
		     folder ? "/" : "", path) < 0) {
		fputs("vblksim: out of memory\n", stderr);
		exit(CLI_EXIT_FAILED);
	}
	free(folder);
	return set;
}

static bool cli_run_option(struct cli_run_args *args, int val, FILE *err)
{
	switch (val) {
	case OPTION_JSON:
		args->json = optarg;
		return true;
	case OPTION_SEED:
		snprintf(args->seed, sizeof(args->seed), "seed=%s", optarg);
		return true;
	case OPTION_SET:
		return cli_run_add_set(args, optarg, err);
	case OPTION_COST:
		return cli_run_add_cost(args, optarg, err);
	case OPTION_VARIANT:
		args->variant = optarg;
		return true;
	case OPTION_QUIET:
		args->quiet = true;
		return true;
	case OPTION_DRIVER:
		free(args->driver);
		args->driver = cli_run_path("driver.source", optarg);
		return true;
	case OPTION_RING:
		free(args->ring);
		args->ring = cli_run_path("driver.ring", optarg);
		return true;
	case CLI_OPTION_HELP:
		args->help = true;
		return true;
	default:
		return false;
	}
}

static bool cli_run_parse(struct cli_run_args *args, int argc, char **argv,
			  FILE *err)
{
	static const struct option options[] = {
		{ "json", required_argument, NULL, OPTION_JSON },
		{ "seed", required_argument, NULL, OPTION_SEED },
		{ "set", required_argument, NULL, OPTION_SET },
		{ "cost", required_argument, NULL, OPTION_COST },
		{ "variant", required_argument, NULL, OPTION_VARIANT },
		{ "quiet", no_argument, NULL, OPTION_QUIET },
		{ "driver", required_argument, NULL, OPTION_DRIVER },
		{ "ring", required_argument, NULL, OPTION_RING },
		{ "help", no_argument, NULL, CLI_OPTION_HELP },
		{ NULL, 0, NULL, 0 }
	};
	int val;

	cli_options_start();
	while ((val = cli_options_next(argc, argv, options, err)) != -1)
		if (!cli_run_option(args, val, err))
			return false;
	if (args->help)
		return true;
	/* last, so that it wins over --set seed=... */
	if ((*args->seed && !cli_run_add_set(args, args->seed, err)) ||
	    (args->driver && !cli_run_add_set(args, args->driver, err)) ||
	    (args->ring && !cli_run_add_set(args, args->ring, err)))
		return false;
	if (optind + 1 != argc) {
		fprintf(err,
			"vblksim run: %s\nusage: vblksim %s\n",
			optind < argc ? "one scenario at a time" :
					"no scenario given",
			cli_verb_run.usage);
		return false;
	}
	args->scenario = argv[optind];
	return true;
}

static bool cli_run_prepare(struct cli_scenario *run,
			    const struct cli_run_args *args, uint32_t *first,
			    uint32_t *end, FILE *err)
{
	int err_nr = args->json ? output_check(args->json) : 0;

	if (err_nr) {
		fprintf(err, "vblksim: %s: cannot be written: %s\n",
			args->json, strerror(-err_nr));
		return false;
	}
	if (scenario_load(args->scenario, args->sets, args->sets_nr,
			  &run->scenario, err))
		return false;
	run->costs = args->costs;
	run->costs_nr = args->costs_nr;
	*first = 0;
	*end = scenario_variants_nr(run->scenario);
	if (args->variant) {
		int found = scenario_variant_find(run->scenario,
						  args->variant, err);

		if (found < 0)
			return false;
		*first = (uint32_t)found;
		*end = *first + 1;
	}
	return cli_scenario_prepare(run, *first, *end, err);
}

static int cli_run_show(const struct cli_scenario *run,
			const struct cli_run_args *args, FILE *out, FILE *err)
{
	struct report rep = { .runs = run->runs, .runs_nr = run->nr };
	bool json_only = args->json && !strcmp(args->json, "-");
	int ret = 0;

	if (!run->nr)
		return 0;
	rep.colour = report_wants_colour(out);
	/* The file first: nobody may be reading the report any more. */
	if (args->json)
		ret = json_write(&rep, args->json, out);
	if (ret)
		fprintf(err, "vblksim: %s: cannot be written: %s\n",
			args->json, strerror(-ret));
	if (!args->quiet && !json_only)
		report_print(&rep, out);
	if (fflush(out) || ferror(out)) {
		fprintf(err, "vblksim: the output cannot be written: %s\n",
			strerror(errno));
		ret = -EIO;
	}
	return ret;
}

/* Without a report, failures must still be seen. */
static bool cli_run_failed(const struct cli_scenario *run, bool tell, FILE *err)
{
	bool failed = false;
	uint32_t i;
	uint32_t k;

	for (i = 0; i < run->nr; i++) {
		const struct result *r = &run->results[i];

		failed = failed || r->failure || r->verdicts_nr;
		if (tell && r->failure)
			fprintf(err, "%s failed: %s\n",
				run->runs[i].config->variant, r->failure);
		for (k = 0; tell && k < r->verdicts_nr; k++)
			fprintf(err, "%s: verdict: %s\n",
				run->runs[i].config->variant, r->verdicts[k]);
	}
	return failed;
}

static int cli_run_variants(struct cli_scenario *run,
			    const struct cli_run_args *args, FILE *out,
			    FILE *err)
{
	bool shown = !args->quiet && !(args->json && !strcmp(args->json, "-"));
	uint32_t first;
	uint32_t end;
	bool failed;
	int ret;

	if (!cli_run_prepare(run, args, &first, &end, err))
		return CLI_EXIT_USAGE;
	cli_scenario_run(run, args->quiet, first, end);
	ret = cli_run_show(run, args, out, err);
	failed = cli_run_failed(run, !shown, err);
	if (spawn_interrupted)
		return CLI_EXIT_SIGNAL + spawn_interrupted;
	if (cli_scenario_refused(run))
		return CLI_EXIT_USAGE;
	return ret || failed ? CLI_EXIT_FAILED : CLI_EXIT_OK;
}

static int cli_run_args(const struct cli_run_args *args, FILE *out, FILE *err)
{
	struct cli_scenario *run = cli_scenario_new();
	int ret;

	ret = cli_run_variants(run, args, out, err);
	cli_scenario_destroy(run);
	return ret;
}

static int cli_run_run(int argc, char **argv, FILE *out, FILE *err)
{
	struct cli_run_args args = { 0 };
	int ret;

	if (!cli_run_parse(&args, argc, argv, err))
		ret = CLI_EXIT_USAGE;
	else if (args.help)
		ret = cli_help_verb("run", out, err);
	else
		ret = cli_run_args(&args, out, err);
	free(args.driver);
	free(args.ring);
	return ret;
}

const struct cli_verb cli_verb_run = {
	.name = "run",
	.usage = "run SCENARIO [options]",
	.what = "run a scenario and report",
	.help = "Runs each variant of the scenario file SCENARIO and reports what was measured,\n"
		"where the time went, and what changed against the first variant.\n"
		"\n"
		"  --json FILE       also write the results as JSON; -: to standard output, then\n"
		"                    without the report\n"
		"  --seed N          the same as --set seed=N\n"
		"  --set KEY=VALUE   change a key for all variants, may be repeated; wins over\n"
		"                    the scenario; keys: vblksim help scenario\n"
		"  --cost NAME=VALUE change a constant of the machine for this run, may be\n"
		"                    repeated: exit_user='45 us'; without a unit, the profile's;\n"
		"                    the results say so; constants: vblksim help machine\n"
		"  --variant NAME    run this variant only\n"
		"  --driver FILE     run this driver: virtio_blk.c as C source, or what `vblksim\n"
		"                    build-driver` made of it; wins over driver.source\n"
		"  --ring FILE       and this virtio_ring.c; wins over driver.ring\n"
		"  --quiet           no report, no progress line\n"
		"\n"
		"Exit code: 0; 1 a run failed or has a verdict; 2 command line, scenario or\n"
		"machine profile; 130 interrupted (finished variants are reported).\n",
	.run = cli_run_run,
};
