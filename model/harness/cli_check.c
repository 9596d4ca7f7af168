// SPDX-License-Identifier: GPL-2.0-only
#define _GNU_SOURCE	/* scandir */
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "model/harness/cli_scenario.h"
#include "model/harness/cli_verb.h"
#include "model/harness/expect.h"
#include "model/harness/json.h"
#include "model/harness/json_check.h"
#include "model/harness/junit.h"
#include "model/harness/output.h"
#include "model/harness/quantity.h"
#include "model/harness/scenario.h"
#include "model/harness/spawn.h"

#define SETS_MAX	256u
#define COSTS_MAX	256u
#define TEXT_BYTES	160u

enum {
	OPTION_JUNIT = CLI_OPTION_FIRST,
	OPTION_JSON,
	OPTION_SEED,
	OPTION_SET,
	OPTION_COST,
};

/*
 * @out: the report; NULL: none is wanted
 * @tell: for failures, which must be seen in any case
 * @scenarios_nr: that were run; @figures_nr, @missed_nr: of those
 * @runs_failed_nr: crashes and verdicts
 * @refused_nr: what could not be checked for a mistake of the user
 */
struct check {
	const char *junit_path;
	const char *json_path;
	const char *sets[SETS_MAX];
	size_t sets_nr;
	const char *costs[COSTS_MAX];
	size_t costs_nr;
	char seed[64];
	bool help;
	FILE *out;
	FILE *err;
	FILE *tell;
	struct arena arena;
	struct junit junit;
	json_t *json;
	unsigned int scenarios_nr;
	unsigned int figures_nr;
	unsigned int missed_nr;
	unsigned int runs_failed_nr;
	unsigned int refused_nr;
	unsigned int unexpecting_nr;
};

/* What is compared in one scenario. */
struct check_scenario {
	const char *path;
	struct cli_scenario *run;
	struct expect_figure *figures;
	uint32_t figures_nr;
	struct junit_suite *suite;
};

/* Options. */

static bool check_add_set(struct check *c, const char *set)
{
	if (c->sets_nr == SETS_MAX) {
		fprintf(c->err, "vblksim check: more than %u times --set\n",
			SETS_MAX);
		return false;
	}
	c->sets[c->sets_nr++] = set;
	return true;
}

static bool check_add_cost(struct check *c, const char *cost)
{
	if (c->costs_nr == COSTS_MAX) {
		fprintf(c->err, "vblksim check: more than %u times --cost\n",
			COSTS_MAX);
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

/* One figure. */

static const char *check_variant(const struct check_scenario *s, uint32_t i)
{
	return scenario_variant(s->run->scenario, i)->variant;
}

static void check_figure_name(const struct check_scenario *s,
			      const struct expect_figure *f, char *buf)
{
	static const char *const name[EXPECT_KINDS_NR] = {
		[EXPECT_IOPS] = "iops",
		[EXPECT_LAT] = "lat",
		[EXPECT_IRQ_PER_IO] = "interrupts per I/O",
	};

	if (f->kind == EXPECT_CHANGE)
		snprintf(buf, TEXT_BYTES, "iops against %s",
			 check_variant(s, f->against));
	else
		snprintf(buf, TEXT_BYTES, "%s", name[f->kind]);
}

static void check_value(const struct expect_figure *f, double value, char *buf)
{
	if (isnan(value))
		snprintf(buf, TEXT_BYTES, "-");
	else if (f->kind == EXPECT_LAT)
		snprintf(buf, TEXT_BYTES, "%.2f us", value);
	else if (f->kind == EXPECT_IOPS)
		snprintf(buf, TEXT_BYTES, "%.0f", value);
	else if (f->kind == EXPECT_IRQ_PER_IO)
		snprintf(buf, TEXT_BYTES, "%.4f", value);
	else if (f->points)
		snprintf(buf, TEXT_BYTES, "%+.1f %%", (value - 1) * 100);
	else
		snprintf(buf, TEXT_BYTES, "x%.3f", value);
}

static void check_deviation(const struct expect_figure *f, double got,
			    char *buf)
{
	if (isnan(got))
		snprintf(buf, TEXT_BYTES, "-");
	else
		snprintf(buf, TEXT_BYTES, "%+.2f %s",
			 expect_deviation(f, got), f->points ? "points" : "%");
}

static void check_tolerance(const struct expect_figure *f, char *buf)
{
	char number[32];

	quantity_print_decimal(number, sizeof(number), 3, f->tolerance);
	snprintf(buf, TEXT_BYTES, "%s %s", number, f->points ? "points" : "%");
}

/* Texts of a line of the table. */
struct check_line {
	char figure[TEXT_BYTES];
	char expected[TEXT_BYTES];
	char got[TEXT_BYTES];
	char deviation[TEXT_BYTES];
	char tolerance[TEXT_BYTES];
	bool holds;
};

static void check_fill_line(const struct check_scenario *s,
			    const struct expect_figure *f,
			    struct check_line *line)
{
	double got = expect_got(f, s->run->runs, s->run->nr);

	check_figure_name(s, f, line->figure);
	check_value(f, f->recorded, line->expected);
	check_value(f, got, line->got);
	check_deviation(f, got, line->deviation);
	check_tolerance(f, line->tolerance);
	line->holds = expect_holds(f, got);
}

static void check_junit_figure(struct check *c, const struct check_scenario *s,
			       const struct expect_figure *f,
			       const struct check_line *line)
{
	const char *name = arena_format(&c->arena, "%s: %s",
					check_variant(s, f->variant),
					line->figure);
	const char *message = arena_format(&c->arena,
		"expected %s, got %s: deviation %s, tolerance %s",
		line->expected, line->got, line->deviation, line->tolerance);

	junit_add_case(&c->junit, s->suite, name,
		       line->holds ? JUNIT_OK : JUNIT_FAILURE, message);
}

/* One scenario. */

struct check_widths {
	int variant;
	int figure;
};

static int check_wider(int width, const char *text)
{
	int length = (int)strlen(text);

	return length > width ? length : width;
}

static struct check_widths check_widths_of(const struct check_scenario *s)
{
	struct check_widths w = {
		.variant = (int)strlen("variant"),
		.figure = (int)strlen("figure"),
	};
	char figure[TEXT_BYTES];
	uint32_t i;

	for (i = 0; i < s->figures_nr; i++) {
		const struct expect_figure *f = &s->figures[i];

		check_figure_name(s, f, figure);
		w.variant = check_wider(w.variant, check_variant(s, f->variant));
		w.figure = check_wider(w.figure, figure);
	}
	return w;
}

static void check_print_line(const struct check *c, struct check_widths w,
			     const char *variant,
			     const struct check_line *line,
			     const char *outcome)
{
	if (c->out)
		fprintf(c->out, "  %-*s  %-*s  %10s  %10s  %13s  %11s  %s\n",
			w.variant, variant, w.figure, line->figure,
			line->expected, line->got, line->deviation,
			line->tolerance, outcome);
}

static void check_figures(struct check *c, const struct check_scenario *s)
{
	static const struct check_line head = {
		"figure", "expected", "got", "deviation", "tolerance", false
	};
	struct check_widths w = check_widths_of(s);
	struct check_line line;
	uint32_t i;

	check_print_line(c, w, "variant", &head, "outcome");
	for (i = 0; i < s->figures_nr; i++) {
		const struct expect_figure *f = &s->figures[i];

		check_fill_line(s, f, &line);
		check_print_line(c, w, check_variant(s, f->variant), &line,
				 line.holds ? "ok" : "MISSED");
		check_junit_figure(c, s, f, &line);
		c->missed_nr += !line.holds;
	}
	c->figures_nr += s->figures_nr;
}

static void check_run_failed(struct check *c, const struct check_scenario *s,
			     uint32_t i, const char *what, const char *text)
{
	const char *variant = check_variant(s, i);

	fprintf(c->tell, "  %s %s: %s\n", variant, what, text);
	junit_add_case(&c->junit, s->suite,
		       arena_format(&c->arena, "%s: %s", variant, what),
		       JUNIT_ERROR, text);
}

static void check_runs(struct check *c, const struct check_scenario *s)
{
	uint32_t i;
	uint32_t k;

	for (i = 0; i < s->run->nr; i++) {
		const struct result *r = &s->run->results[i];

		if (r->failure)
			check_run_failed(c, s, i, "failed", r->failure);
		for (k = 0; k < r->verdicts_nr; k++)
			check_run_failed(c, s, i, "verdict", r->verdicts[k]);
		c->runs_failed_nr += r->failure || r->verdicts_nr;
	}
}

static void check_refused(struct check *c, const char *path)
{
	c->refused_nr++;
	json_check_add_refused(c->json, path);
	junit_add_case(&c->junit, junit_add_suite(&c->junit, path), "scenario",
		       JUNIT_ERROR, "refused, see the messages");
}

static bool check_look_up(struct check *c, struct check_scenario *s)
{
	const char *slash = strrchr(s->path, '/');
	size_t length = slash ? (size_t)(slash + 1 - s->path) : 0;
	struct diag d;
	bool ok;

	diag_init(&d, c->err, SCENARIO_ERRORS_MAX);
	ok = expect_figures(scenario_expect(s->run->scenario),
			    arena_text(&c->arena, s->path, length), &c->arena,
			    &d, &s->figures, &s->figures_nr);
	diag_fini(&d);
	return ok;
}

static void check_changes(const struct check *c, const struct profile *p)
{
	if (!profile_is_changed(p))
		return;
	fputs("  --cost, not the machine's own: ", c->out);
	profile_print_changes(p, c->out);
	fputc('\n', c->out);
}

static void check_simulate(struct check *c, struct check_scenario *s)
{
	uint32_t nr = scenario_variants_nr(s->run->scenario);

	if (!check_look_up(c, s) ||
	    !cli_scenario_prepare(s->run, 0, nr, c->err)) {
		check_refused(c, s->path);
		return;
	}
	cli_scenario_run(s->run, false, 0, nr);
	c->scenarios_nr++;
	c->refused_nr += cli_scenario_refused(s->run);
	s->suite = junit_add_suite(&c->junit, s->path);
	json_check_add(c->json, s->path, s->run, s->figures, s->figures_nr);
	if (c->out) {
		fprintf(c->out, "%s\n", s->path);
		check_changes(c, s->run->profiles[0]);
	}
	check_figures(c, s);
	check_runs(c, s);
	if (c->out)
		fputc('\n', c->out);
}

static void check_file(struct check *c, const char *path)
{
	struct check_scenario s = {
		.path = path,
		.run = cli_scenario_new(),
	};

	s.run->costs = c->costs;
	s.run->costs_nr = c->costs_nr;
	if (scenario_load(path, c->sets, c->sets_nr, &s.run->scenario,
			  c->err)) {
		check_refused(c, path);
	} else if (scenario_expect(s.run->scenario)) {
		check_simulate(c, &s);
	} else {
		c->unexpecting_nr++;
		json_check_add(c->json, path, s.run, NULL, 0);
		if (c->out)
			fprintf(c->out, "%s: nothing expected\n", path);
	}
	cli_scenario_destroy(s.run);
}

/* Folders. */

static int check_is_scenario(const struct dirent *entry)
{
	static const char suffix[] = ".yaml";
	size_t length = strlen(entry->d_name);

	return length >= sizeof(suffix) && *entry->d_name != '.' &&
	       !strcmp(entry->d_name + length - (sizeof(suffix) - 1), suffix);
}

/* By bytes: the order must not depend on the locale. */
static int check_by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static void check_folder(struct check *c, const char *path)
{
	const char *slash = path[strlen(path) - 1] == '/' ? "" : "/";
	struct dirent **entries;
	int nr = scandir(path, &entries, check_is_scenario, check_by_name);
	int i;

	if (nr <= 0) {
		fprintf(c->err, "%s: %s\n", path,
			nr ? strerror(errno) : "no *.yaml in this folder");
		check_refused(c, path);
	}
	for (i = 0; i < nr; i++) {
		if (!spawn_interrupted)
			check_file(c, arena_format(&c->arena, "%s%s%s", path,
						   slash, entries[i]->d_name));
		free(entries[i]);
	}
	if (nr >= 0)
		free(entries);
}

static void check_path(struct check *c, const char *path)
{
	struct stat st;

	if (!stat(path, &st) && S_ISDIR(st.st_mode))
		check_folder(c, path);
	else
		check_file(c, path);
}

/* The whole. */

static void check_summary(const struct check *c)
{
	fprintf(c->out, "%u scenario%s checked, %u figure%s: %u ok, %u missed",
		c->scenarios_nr, c->scenarios_nr == 1 ? "" : "s",
		c->figures_nr, c->figures_nr == 1 ? "" : "s",
		c->figures_nr - c->missed_nr, c->missed_nr);
	if (c->runs_failed_nr)
		fprintf(c->out, "; %u run%s with a crash or verdict",
			c->runs_failed_nr, c->runs_failed_nr == 1 ? "" : "s");
	if (c->unexpecting_nr)
		fprintf(c->out, "; %u expecting nothing", c->unexpecting_nr);
	if (c->refused_nr)
		fprintf(c->out, "; %u refused", c->refused_nr);
	fputc('\n', c->out);
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
		"Exit code: 0; 1 a figure is missed, a run failed or has a verdict; 2 something\n"
		"could not be checked (command line, scenario, record), whatever the others\n"
		"gave; all that can be is checked. 130 interrupted.\n",
	.run = cli_check_run,
};
