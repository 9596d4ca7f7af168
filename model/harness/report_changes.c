// SPDX-License-Identifier: GPL-2.0-only
#include "model/harness/metric.h"
#include "model/harness/report_format.h"
#include "model/harness/report_table.h"

#define CHANGE_COLUMNS_MAX 3u
#define CHANGE_WIDTH	21

static void report_change_cell(const struct report *rep,
			       const struct metric *m, double from, double to,
			       FILE *out)
{
	int direction = (to > from) - (to < from);
	char value[CELL_BYTES];
	char change[CELL_BYTES];

	metric_format(m, to, value, sizeof(value));
	report_format_change(change, sizeof(change), from, to);
	fprintf(out, "%12s ", value);
	if (direction && m->better)
		report_paint(rep, out, direction == m->better ? PAINT_GREEN :
								PAINT_RED);
	fprintf(out, "%*s", CHANGE_WIDTH - 13, change);
	if (direction && m->better)
		report_paint(rep, out, PAINT_OFF);
}

static void report_change_row(const struct report *rep,
			      const struct metric *m, uint32_t first,
			      uint32_t nr, FILE *out)
{
	const struct result *ref = rep->runs[report_reference(rep)].result;
	char cell[CELL_BYTES];
	uint32_t i;

	if (!m->value) {
		fprintf(out, "  %s\n", m->name);
		return;
	}
	fprintf(out, "  %-*s", LABEL_WIDTH - 2, m->name);
	metric_format(m, m->value(ref), cell, sizeof(cell));
	fprintf(out, "%12s", cell);
	for (i = first; i < first + nr; i++) {
		const struct report_run *run = &rep->runs[i];

		if (report_ok(run))
			report_change_cell(rep, m, m->value(ref),
					   m->value(run->result), out);
		else
			fprintf(out, "%*s", CHANGE_WIDTH, "failed");
	}
	fputc('\n', out);
}

static void report_ratio_row(const struct report *rep, uint32_t first,
			     uint32_t nr, FILE *out)
{
	const struct result *ref = rep->runs[report_reference(rep)].result;
	double iops = result_iops(ref);
	uint32_t i;

	fprintf(out, "  %-*s%12s", LABEL_WIDTH - 2, "IOPS ratio", "1.000");
	for (i = first; i < first + nr; i++)
		if (report_ok(&rep->runs[i]) && iops > 0)
			fprintf(out, "%12.3f%*s",
				result_iops(rep->runs[i].result) / iops,
				i + 1 < first + nr ? CHANGE_WIDTH - 12 : 0,
				"");
		else
			fprintf(out, "%*s", CHANGE_WIDTH, "-");
	fputc('\n', out);
}

static void report_change_table(const struct report *rep, uint32_t first,
				uint32_t nr, FILE *out)
{
	const char *name = rep->runs[report_reference(rep)].config->variant;
	const struct metric *m;

	report_title(rep, out, "Changes");
	fprintf(out, "%*s %11.11s", LABEL_WIDTH - 7, "", name);
	report_column_names(rep, out, first, nr, CHANGE_WIDTH);
	report_ratio_row(rep, first, nr, out);
	for (m = metrics; m < metrics + metrics_nr; m++)
		if (m->change)
			report_change_row(rep, m, first, nr, out);
}

void report_changes(const struct report *rep, FILE *out)
{
	uint32_t first = report_reference(rep) + 1;
	uint32_t nr;

	for (; first < rep->runs_nr; first += nr) {
		nr = report_chunk(rep->runs_nr - first, CHANGE_COLUMNS_MAX);
		report_change_table(rep, first, nr, out);
	}
}
