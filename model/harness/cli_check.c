// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "model/harness/check.h"
#include "model/harness/cli_verb.h"
#include "model/harness/json.h"
#include "model/harness/json_check.h"
#include "model/harness/output.h"
#include "model/harness/spawn.h"

enum {
	OPTION_JUNIT = CLI_OPTION_FIRST,
	OPTION_JSON,
	OPTION_SEED,
	OPTION_SET,
	OPTION_COST,
};

/* Options. */

static bool check_add_set(struct check *c, const char *set)
{
	if (c->sets_nr == CHECK_SETS_MAX) {
		fprintf(c->err, "vblksim check: more than %u times --set\n",
			CHECK_SETS_MAX);
		return false;
	}
	c->sets[c->sets_nr++] = set;
	return true;
}

static bool check_add_cost(struct check *c, const char *cost)
{
	if (c->costs_nr == CHECK_COSTS_MAX) {
		fprintf(c->err, "vblksim check: more than %u times --cost\n",
			CHECK_COSTS_MAX);
		return false;
	}
	c->costs[c->costs_nr++] = cost;
	return true;
}

static bool check_option(struct check *c, int val)
{
	switch (val) {
	case OPTION_JUNIT:
		c->junit_path = optarg;
		return true;
	case OPTION_JSON:
		c->json_path = optarg;
		return true;
	case OPTION_SEED:
		snprintf(c->seed, sizeof(c->seed), "seed=%s", optarg);
		return true;
	case OPTION_SET:
		return check_add_set(c, optarg);
	case OPTION_COST:
		return check_add_cost(c, optarg);
	case CLI_OPTION_HELP:
		c->help = true;
		return true;
	default:
		return false;
	}
}

/* What cannot be together. */
static bool check_agrees(const struct check *c)
{
	const char *why = NULL;

	/* who reads a test's outcome sees no constants */
	if (c->junit_path && c->costs_nr)
		why = "--junit judges machines as they are: not with --cost";
	else if (c->junit_path && c->json_path &&
		 !strcmp(c->junit_path, "-") && !strcmp(c->json_path, "-"))
		why = "--junit and --json cannot both go to standard output";
	if (why)
		fprintf(c->err, "vblksim check: %s\n", why);
	return !why;
}

static bool check_parse(struct check *c, int argc, char **argv)
{
	static const struct option options[] = {
		{ "junit", required_argument, NULL, OPTION_JUNIT },
		{ "json", required_argument, NULL, OPTION_JSON },
		{ "seed", required_argument, NULL, OPTION_SEED },
		{ "set", required_argument, NULL, OPTION_SET },
		{ "cost", required_argument, NULL, OPTION_COST },
		{ "help", no_argument, NULL, CLI_OPTION_HELP },
		{ NULL, 0, NULL, 0 }
	};
	int val;

	cli_options_start();
	while ((val = cli_options_next(argc, argv, options, c->err)) != -1)
		if (!check_option(c, val))
			return false;
	if (c->help)
		return true;
	/* last, so that it wins over --set seed=... */
	if ((*c->seed && !check_add_set(c, c->seed)) || !check_agrees(c))
		return false;
	if (optind < argc)
		return true;
	fprintf(c->err, "vblksim check: no scenario given\nusage: vblksim %s\n",
		cli_verb_check.usage);
	return false;
}

static bool check_written(const struct check *c, const char *path, int ret)
{
	if (ret)
		fprintf(c->err, "vblksim: %s: cannot be written: %s\n", path,
			strerror(-ret));
	return !ret;
}

static bool check_write_files(struct check *c, FILE *out)
{
	bool ok = true;
	int ret;

	if (c->junit_path) {
		ret = strcmp(c->junit_path, "-") ?
			      output_write(c->junit_path, junit_print,
					   &c->junit) :
			      junit_print(&c->junit, out);
		ok = check_written(c, c->junit_path, ret);
	}
	if (c->json_path) {
		ret = json_write_document(c->json, c->json_path, out);
		ok = check_written(c, c->json_path, ret) && ok;
	}
	return ok;
}

static bool check_write(struct check *c, FILE *out)
{
	bool ok = check_write_files(c, out);

	if (c->out)
		check_summary(c);
	if (!fflush(out) && !ferror(out))
		return ok;
	fprintf(c->err, "vblksim: the output cannot be written: %s\n",
		strerror(errno));
	return false;
}

static bool check_can_write(const struct check *c, const char *path)
{
	return !path || check_written(c, path, output_check(path));
}

static int check_all(struct check *c, int paths_nr, char **paths, FILE *out)
{
	bool file_only = (c->junit_path && !strcmp(c->junit_path, "-")) ||
			 (c->json_path && !strcmp(c->json_path, "-"));
	bool written;
	int i;

	if (!check_can_write(c, c->junit_path) ||
	    !check_can_write(c, c->json_path))
		return CLI_EXIT_USAGE;
	c->out = file_only ? NULL : out;
	c->tell = file_only ? c->err : out;
	for (i = 0; i < paths_nr && !spawn_interrupted; i++)
		check_path(c, paths[i]);
	written = check_write(c, out);
	if (spawn_interrupted)
		return CLI_EXIT_SIGNAL + spawn_interrupted;
	if (c->refused_nr)
		return CLI_EXIT_USAGE;
	return !written || c->missed_nr || c->runs_failed_nr ?
		       CLI_EXIT_FAILED : CLI_EXIT_OK;
}

static int cli_check_run(int argc, char **argv, FILE *out, FILE *err)
{
	struct check c = { .err = err };
	int ret;

	arena_init(&c.arena);
	junit_init(&c.junit, &c.arena);
	c.json = json_check_new();
	spawn_interrupted = 0;
	if (!check_parse(&c, argc, argv))
		ret = CLI_EXIT_USAGE;
	else if (c.help)
		ret = cli_help_verb("check", out, err);
	else
		ret = check_all(&c, argc - optind, argv + optind, out);
	json_decref(c.json);
	arena_fini(&c.arena);
	return ret;
}

const struct cli_verb cli_verb_check = {
	.name = "check",
	.usage = "check PATH... [options]",
	.what = "compare scenarios with recorded figures",
	.help = "Runs each scenario that has `expect` and compares what it gets with what was\n"
		"recorded. PATH: a scenario file, or a folder: its *.yaml, in order of names.\n"
		"\n"
		"  --junit FILE      also write the outcome as JUnit XML; -: to standard output,\n"
		"                    then without the table\n"
		"  --json FILE       also write figures, deviations and the machines' constants\n"
		"                    as JSON; -: to standard output, then without the table\n"
		"  --seed N          the same as --set seed=N\n"
		"  --set KEY=VALUE   change a key for all variants of all scenarios, may be\n"
		"                    repeated\n"
		"  --cost NAME=VALUE change a constant of all machines for this run, may be\n"
		"                    repeated: exit_user='45 us'; without a unit, the profile's\n"
		"\n"
		"  expect:\n"
		"    - variant: before\n"
		"      record: {file: ../results/recorded/published.csv, series: notify-lock,\n"
		"               variant: before}\n"
		"      iops: 5 %\n"
		"    - variant: after\n"
		"      record: {file: ../results/recorded/published.csv, series: notify-lock,\n"
		"               variant: after}\n"
		"      lat: 5 %\n"
		"      change: {against: before, within: 10 %}\n"
		"\n"
		"A relative file begins at the scenario's folder; the other items of record are\n"
		"columns of the CSV file and must select one row. iops is compared with its\n"
		"column iops, lat (the mean) with lat_us, irq_per_io (interrupts per I/O) with\n"
		"irq_per_io, change (the IOPS against those of another variant) with the same of\n"
		"both rows. Tolerances: % of the recorded figure; for change also points,\n"
		"percentage points of the change.\n"
		"\n"
		"An entry may say of a figure that the model cannot reach why it is missed:\n"
		"xfail: {iops: WHY}. It is compared and shown, but does not decide the exit code.\n"
		"\n"
		"Exit code: 0; 1 a figure is missed, a run failed or has a verdict; 2 something\n"
		"could not be checked (command line, scenario, record), whatever the others\n"
		"gave; all that can be is checked. 130 interrupted.\n",
	.run = cli_check_run,
};
