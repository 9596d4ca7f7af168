// SPDX-License-Identifier: GPL-2.0-only
#include "model/harness/report_table.h"

void report_paint(const struct report *rep, FILE *out, const char *attribute)
{
	if (rep->colour)
		fputs(attribute, out);
}

void report_title(const struct report *rep, FILE *out, const char *title)
{
	fputc('\n', out);
	report_paint(rep, out, PAINT_BOLD);
	fputs(title, out);
	report_paint(rep, out, PAINT_OFF);
}

bool report_ok(const struct report_run *run)
{
	return !run->result->failure;
}

uint32_t report_reference(const struct report *rep)
{
	uint32_t i;

	for (i = 0; i < rep->runs_nr; i++)
		if (report_ok(&rep->runs[i]))
			break;
	return i;
}

uint32_t report_chunk(uint32_t left, uint32_t most)
{
	return left < most ? left : most;
}

void report_column_names(const struct report *rep, FILE *out, uint32_t first,
			 uint32_t nr, int width)
{
	uint32_t i;

	for (i = first; i < first + nr; i++)
		fprintf(out, " %*.*s", width - 1, width - 1,
			rep->runs[i].config->variant);
	fputc('\n', out);
}
