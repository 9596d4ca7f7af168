// SPDX-License-Identifier: GPL-2.0-only
#define _GNU_SOURCE	/* scandir */
#include "model/harness/check.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "model/harness/check_table.h"
#include "model/harness/json_check.h"
#include "model/harness/spawn.h"

const char *check_variant(const struct check_scenario *s, uint32_t i)
{
	return scenario_variant(s->run->scenario, i)->variant;
}

static void check_junit_figure(struct check *c, const struct check_scenario *s,
			       const struct expect_figure *f,
			       const struct check_line *line)
{
	static const enum junit_outcome outcome[] = {
		[CHECK_OK] = JUNIT_OK,
		[CHECK_MISSED] = JUNIT_FAILURE,
		[CHECK_XFAIL] = JUNIT_SKIPPED,
		[CHECK_XPASS] = JUNIT_OK,
	};
	const char *name = arena_format(&c->arena, "%s: %s",
					check_variant(s, f->variant),
					line->figure);
	const char *message = arena_format(&c->arena,
		"expected %s, got %s: deviation %s, tolerance %s",
		line->expected, line->got, line->deviation, line->tolerance);

	if (f->xfail)
		message = arena_format(&c->arena, "%s; xfail: %s", message,
				       f->xfail);
	junit_add_case(&c->junit, s->suite, name, outcome[line->outcome],
		       message);
}

static void check_figures(struct check *c, const struct check_scenario *s)
{
	struct check_line line;
	uint32_t i;

	if (c->out)
		check_table_print(s, c->out);
	for (i = 0; i < s->figures_nr; i++) {
		check_table_fill(s, &s->figures[i], &line);
		check_junit_figure(c, s, &s->figures[i], &line);
		c->missed_nr += line.outcome == CHECK_MISSED;
		c->xfail_nr += line.outcome == CHECK_XFAIL;
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

void check_path(struct check *c, const char *path)
{
	struct stat st;

	if (!stat(path, &st) && S_ISDIR(st.st_mode))
		check_folder(c, path);
	else
		check_file(c, path);
}

void check_summary(const struct check *c)
{
	fprintf(c->out, "%u scenario%s checked, %u figure%s: %u ok, %u missed",
		c->scenarios_nr, c->scenarios_nr == 1 ? "" : "s",
		c->figures_nr, c->figures_nr == 1 ? "" : "s",
		c->figures_nr - c->missed_nr - c->xfail_nr, c->missed_nr);
	if (c->xfail_nr)
		fprintf(c->out, ", %u xfail", c->xfail_nr);
	if (c->runs_failed_nr)
		fprintf(c->out, "; %u run%s with a crash or verdict",
			c->runs_failed_nr, c->runs_failed_nr == 1 ? "" : "s");
	if (c->unexpecting_nr)
		fprintf(c->out, "; %u expecting nothing", c->unexpecting_nr);
	if (c->refused_nr)
		fprintf(c->out, "; %u refused", c->refused_nr);
	fputc('\n', c->out);
}
