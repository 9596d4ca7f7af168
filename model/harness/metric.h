/* SPDX-License-Identifier: GPL-2.0-only */
/* The numbers of a result that tables show, in the order of the tables. */
#ifndef MODEL_HARNESS_METRIC_H
#define MODEL_HARNESS_METRIC_H

#include <stdbool.h>
#include <stddef.h>

#include "model/harness/result.h"

enum metric_form {
	FORM_COUNT,
	FORM_NS,
	FORM_RATE,
};

/*
 * One number of a result.
 * @value: of a result that has numbers; NULL: the name is a heading
 * @better: 1 more is better, -1 less, 0 neither
 * @number: a row of the table of numbers
 * @change: a row of the table of changes
 */
struct metric {
	const char *name;
	double (*value)(const struct result *r);
	enum metric_form form;
	int better;
	bool number;
	bool change;
};

extern const struct metric metrics[];
extern const size_t metrics_nr;

/* @value as a table shows it: a number and, but for counts, its unit. */
void metric_format(const struct metric *m, double value, char *buf,
		   size_t bytes);

#endif
