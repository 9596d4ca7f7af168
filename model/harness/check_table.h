/* SPDX-License-Identifier: GPL-2.0-only */
/* What `vblksim check` says about the figures of a scenario. */
#ifndef MODEL_HARNESS_CHECK_TABLE_H
#define MODEL_HARNESS_CHECK_TABLE_H

#include "model/harness/check.h"

#define CHECK_TEXT_BYTES	160u

enum check_outcome {
	CHECK_OK,
	CHECK_MISSED,
	CHECK_XFAIL,	/* missed, as the scenario says */
	CHECK_XPASS,	/* met, though the scenario says that it is missed */
};

/* Texts of a line of the table. */
struct check_line {
	char figure[CHECK_TEXT_BYTES];
	char expected[CHECK_TEXT_BYTES];
	char got[CHECK_TEXT_BYTES];
	char deviation[CHECK_TEXT_BYTES];
	char tolerance[CHECK_TEXT_BYTES];
	enum check_outcome outcome;
};

/* Compare, and put all into words. */
void check_table_fill(const struct check_scenario *s,
		      const struct expect_figure *f, struct check_line *line);

/* The table of all figures, then why some are missed. */
void check_table_print(const struct check_scenario *s, FILE *out);

#endif
