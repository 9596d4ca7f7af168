/* SPDX-License-Identifier: GPL-2.0-only */
/* What the tables of a report have in common. */
#ifndef MODEL_HARNESS_REPORT_TABLE_H
#define MODEL_HARNESS_REPORT_TABLE_H

#include "model/harness/report.h"

#define CELL_BYTES	64u
#define LABEL_WIDTH	24

#define PAINT_BOLD	"\033[1m"
#define PAINT_RED	"\033[31m"
#define PAINT_GREEN	"\033[32m"
#define PAINT_OFF	"\033[0m"

/* @attribute: one of PAINT_; nothing without colours */
void report_paint(const struct report *rep, FILE *out, const char *attribute);

/* An empty line and @title, without the end of its line. */
void report_title(const struct report *rep, FILE *out, const char *title);

/* Does @run have numbers? */
bool report_ok(const struct report_run *run);

/* Index of the reference, or runs_nr if no variant has numbers. */
uint32_t report_reference(const struct report *rep);

/* How many of @left columns one table takes. */
uint32_t report_chunk(uint32_t left, uint32_t most);

/* Names of the variants from @first on, each at the right end of a column. */
void report_column_names(const struct report *rep, FILE *out, uint32_t first,
			 uint32_t nr, int width);

#endif
