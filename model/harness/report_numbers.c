// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>

#include "model/harness/metric.h"
#include "model/harness/report_table.h"

#define COLUMN_WIDTH	17
#define COLUMNS_MAX	4u

static void report_number_cell(const struct report_run *run,
			       const struct metric *m, FILE *out)
{
	char cell[CELL_BYTES] = "-";

	if (report_ok(run))
		metric_format(m, m->value(run->result), cell, sizeof(cell));
	fprintf(out, "%*s", COLUMN_WIDTH, cell);
}

static void report_number_rows(const struct report *rep, FILE *out,
			       uint32_t first, uint32_t nr)
{
	const struct metric *m;
	uint32_t i;

	for (m = metrics; m < metrics + metrics_nr; m++) {
		if (!m->number)
			continue;
		fprintf(out, "  %-*s", m->value ? LABEL_WIDTH - 2 : 0, m->name);
		for (i = first; m->value && i < first + nr; i++)
			report_number_cell(&rep->runs[i], m, out);
		fputc('\n', out);
	}
	fprintf(out, "  %-*s", LABEL_WIDTH - 2, "digest");
	for (i = first; i < first + nr; i++)
		if (report_ok(&rep->runs[i]))
			fprintf(out, " %0*" PRIx64, COLUMN_WIDTH - 1,
				rep->runs[i].result->digest);
		else
			fprintf(out, "%*s", COLUMN_WIDTH, "-");
	fputc('\n', out);
}

static void report_troubles(const struct report *rep, FILE *out)
{
	uint32_t i;
	uint32_t k;

	for (i = 0; i < rep->runs_nr; i++) {
		const struct result *r = rep->runs[i].result;
		const char *name = rep->runs[i].config->variant;

		report_paint(rep, out, PAINT_RED);
		if (r->failure)
			fprintf(out, "\n%s failed: %s\n", name, r->failure);
		for (k = 0; k < r->verdicts_nr; k++)
			fprintf(out, "%s%s: verdict: %s\n", k ? "" : "\n",
				name, r->verdicts[k]);
		if (r->errors_nr)
			fprintf(out, "\n%s: %" PRIu64
				" I/Os ended with an error\n", name,
				r->errors_nr);
		report_paint(rep, out, PAINT_OFF);
	}
}

void report_numbers(const struct report *rep, FILE *out)
{
	uint32_t first;
	uint32_t nr;

	if (report_reference(rep) == rep->runs_nr) {
		report_troubles(rep, out);
		return;
	}
	for (first = 0; first < rep->runs_nr; first += nr) {
		nr = report_chunk(rep->runs_nr - first, COLUMNS_MAX);
		report_title(rep, out, "Result");
		fprintf(out, "%*s", LABEL_WIDTH - 6, "");
		report_column_names(rep, out, first, nr, COLUMN_WIDTH);
		report_number_rows(rep, out, first, nr);
	}
	report_troubles(rep, out);
}
