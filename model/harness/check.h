/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * `vblksim check`: scenarios are run and compared with recorded figures.
 * cli_check.c has its command line, check_table.c the table it prints.
 */
#ifndef MODEL_HARNESS_CHECK_H
#define MODEL_HARNESS_CHECK_H

#include <stdbool.h>
#include <stdio.h>

#include <jansson.h>

#include "model/harness/arena.h"
#include "model/harness/cli_scenario.h"
#include "model/harness/expect.h"
#include "model/harness/junit.h"

#define CHECK_SETS_MAX	256u
#define CHECK_COSTS_MAX	256u

/*
 * @out: the report; NULL: none is wanted
 * @tell: for failures, which must be seen in any case
 * @scenarios_nr: that were run; @figures_nr, @missed_nr, @xfail_nr: of those;
 * missed figures are not counted as xfail
 * @runs_failed_nr: crashes and verdicts
 * @refused_nr: what could not be checked for a mistake of the user
 */
struct check {
	const char *junit_path;
	const char *json_path;
	const char *sets[CHECK_SETS_MAX];
	size_t sets_nr;
	const char *costs[CHECK_COSTS_MAX];
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
	unsigned int xfail_nr;
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

/*
 * Check the scenario file, or all of the folder, at @path, which must live as long as
 * @c; stops at a signal (spawn_interrupted).
 */
void check_path(struct check *c, const char *path);

/* One line for all that was checked. */
void check_summary(const struct check *c);

/* Name of variant @i. */
const char *check_variant(const struct check_scenario *s, uint32_t i);

#endif
