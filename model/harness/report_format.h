/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers in a readable unit; wrapped text; attributes. */
#ifndef MODEL_HARNESS_REPORT_FORMAT_H
#define MODEL_HARNESS_REPORT_FORMAT_H

#include <stddef.h>
#include <stdio.h>

/* "81.25 us" */
void report_format_ns(char *buf, size_t bytes, double ns);

/* "212.3 K", "7.00", "0.031", "0" */
void report_format_count(char *buf, size_t bytes, double count);

/* "829.4 MiB/s" */
void report_format_rate(char *buf, size_t bytes, double bytes_per_s);

/* "+15.4 %", "x12.3", "=", or "new" if there was none */
void report_format_change(char *buf, size_t bytes, double from, double to);

/* A unit for all of a column: divisor from ns, name, decimals. */
struct report_unit {
	double divisor;
	const char *name;
	int decimals;
};
struct report_unit report_unit_of(double ns);

/* @text in lines of up to @width columns, indented by @indent. */
void report_wrap(FILE *out, const char *text, unsigned int indent,
		 unsigned int width);

#endif
