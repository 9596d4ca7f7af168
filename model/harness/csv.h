/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A table of recorded figures: RFC 4180 (comma, double quotes, a quote within
 * quotes doubled) with a header, and two additions: a line that begins with
 * '#' outside quotes is a comment, an empty line is nothing.
 */
#ifndef MODEL_HARNESS_CSV_H
#define MODEL_HARNESS_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/harness/arena.h"
#include "model/harness/diag.h"

#define CSV_COLUMNS_MAX		64u
#define CSV_ROWS_MAX		10000u
#define CSV_CELL_BYTES_MAX	1024u

/* @text: without quotes, holds no NUL; @offset: first byte in the source */
struct csv_cell {
	const char *text;
	size_t offset;
};

/* @cells: one for each column */
struct csv_row {
	const struct csv_cell *cells;
	struct csv_row *next;
};

/*
 * @columns: names, unique and not empty, @columns_nr of them
 * @first: rows in the order of the file, the header not among them
 */
struct csv {
	struct diag_source source;
	const struct csv_cell *columns;
	uint32_t columns_nr;
	struct csv_row *first;
	uint32_t rows_nr;
};

/*
 * Read @source, kept with @csv; cells live in @a.
 * False after the first error, reported to @d.
 */
bool csv_parse(struct csv *csv, struct arena *a,
	       const struct diag_source *source, struct diag *d);

/*
 * The same for the file @path, up to DIAG_SOURCE_MAX_BYTES; text and path are
 * copied to @a.
 */
bool csv_load(struct csv *csv, struct arena *a, const char *path,
	      struct diag *d);

/* Index of the column @name, or -1. */
int csv_column(const struct csv *csv, const char *name);

/* Where @cell stands. */
struct diag_pos csv_pos(const struct csv *csv, const struct csv_cell *cell);

#endif
