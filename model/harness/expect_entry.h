/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What `expect` says, for the files that read it (expect_read.c), look up what was
 * recorded (expect_record.c) and compare (expect.c).
 */
#ifndef MODEL_HARNESS_EXPECT_ENTRY_H
#define MODEL_HARNESS_EXPECT_ENTRY_H

#include "model/harness/expect.h"

/*
 * @value: NULL if it is not expected
 * @xfail: why it will be missed, NULL if it will not
 */
struct expect_tolerance {
	const struct yaml_value *value;
	const char *xfail;
	uint64_t tolerance;
	bool points;
};

struct expect_entry {
	const struct yaml_value *record;
	uint32_t variant;
	struct expect_tolerance tolerances[EXPECT_KINDS_NR];
	uint32_t against;
};

struct expect {
	struct expect_entry *entries;
	uint32_t nr;
};

/* The entry of @variant, NULL if there is none. */
struct expect_entry *expect_of_variant(const struct expect *e,
				       uint32_t variant);

/* Error at @pos: @what @name is not among @known, NULL-terminated. */
void expect_unknown(struct diag *d, struct diag_pos pos, const char *what,
		    const char *name, const char *const *known);

/* Looks up rows for one call of expect_figures; files are read once. */
struct expect_lookup {
	const char *folder;
	struct arena *arena;
	struct diag *diag;
	struct expect_file *files;
};

/*
 * The number in @column of the only row that @record selects, for the figure at
 * @figure; NAN after an error.
 */
double expect_record_number(struct expect_lookup *l,
			    const struct yaml_value *record,
			    const char *column,
			    const struct yaml_value *figure);

#endif
