// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <string.h>

#include "model/harness/report_format.h"
#include "model/harness/report_table.h"

#define STAGE_COLUMNS_MAX 3u
#define STAGE_BAR	8
#define STAGE_WIDTH	29

/*
 * Stage @stage of @r and all before it, in @unit, rounded as it is shown. A
 * stage is shown as the difference of two of these, so the column adds up to
 * the latency shown below it.
 */
static double report_stage_upto(const struct result *r, uint32_t stage,
				struct report_unit unit)
{
	double scale = pow(10, unit.decimals);
	double ns = 0;
	uint32_t i;

	for (i = 0; i <= stage; i++)
		ns += result_stage_mean_ns(r, i);
	return round(ns / unit.divisor * scale) / scale;
}

static double report_stage_shown(const struct result *r, uint32_t stage,
				 struct report_unit unit)
{
	double before = stage ? report_stage_upto(r, stage - 1, unit) : 0;

	return report_stage_upto(r, stage, unit) - before;
}

/* @last: no column follows, so that nothing need be filled up */
static void report_stage_cell(const struct result *r, uint32_t stage,
			      bool last, FILE *out)
{
	double mean_ns = result_latency_mean_ns(r);
	struct report_unit unit = report_unit_of(mean_ns);
	struct report_unit percent = { mean_ns / 100, "%", 1 };
	double share = 0;
	int bar;

	if (mean_ns > 0)
		share = fabs(report_stage_shown(r, stage, percent));
	bar = (int)lround(share * STAGE_BAR / 100);
	fprintf(out, "%9.*f %-2s%6.1f %%%s%.*s%*s", unit.decimals,
		fabs(report_stage_shown(r, stage, unit)), unit.name, share,
		bar || !last ? " " : "", bar, "########",
		last ? 0 : STAGE_BAR - bar, "");
}

static void report_stage_sum(const struct result *r, bool last, FILE *out)
{
	struct report_unit unit = report_unit_of(result_latency_mean_ns(r));

	fprintf(out, "%9.*f %-2s%6.1f %%%*s", unit.decimals,
		report_stage_upto(r, RESULT_STAGES_NR - 1, unit), unit.name,
		r->latency.sum_ps ? 100.0 : 0.0, last ? 0 : STAGE_BAR + 1, "");
}

/* "submit_tag" as "submit - tag". */
static void report_stage_label(uint32_t stage, char *buf, size_t bytes)
{
	const char *name = result_stage_name[stage];
	int first = (int)strcspn(name, "_");

	snprintf(buf, bytes, "%.*s - %s", first, name, name + first + 1);
}

/* One row; @stage beyond the last is the sum. */
static void report_stage_row(const struct report *rep, FILE *out,
			     uint32_t first, uint32_t nr, uint32_t stage)
{
	char label[CELL_BYTES] = "= latency mean";
	uint32_t i;

	if (stage < RESULT_STAGES_NR)
		report_stage_label(stage, label, sizeof(label));
	fprintf(out, "  %-14s", label);
	for (i = first; i < first + nr; i++) {
		const struct result *r = rep->runs[i].result;
		bool last = i + 1 == first + nr;

		if (!report_ok(&rep->runs[i]))
			fprintf(out, "%*s", last ? 0 : STAGE_WIDTH, "");
		else if (stage < RESULT_STAGES_NR)
			report_stage_cell(r, stage, last, out);
		else
			report_stage_sum(r, last, out);
	}
	fputc('\n', out);
}

/* Each name above the end of its percentages. */
static void report_stage_names(const struct report *rep, FILE *out,
			       uint32_t first, uint32_t nr)
{
	uint32_t i;

	fprintf(out, "%*s", 16 - 6, "");
	for (i = first; i < first + nr; i++)
		fprintf(out, "%*s%20.20s",
			i == first ? 0 : STAGE_WIDTH - 20, "",
			rep->runs[i].config->variant);
	fputc('\n', out);
}

void report_stages(const struct report *rep, FILE *out)
{
	uint32_t first;
	uint32_t stage;
	uint32_t nr;

	for (first = 0; first < rep->runs_nr; first += nr) {
		nr = report_chunk(rep->runs_nr - first, STAGE_COLUMNS_MAX);
		report_title(rep, out, "Stages");
		report_stage_names(rep, out, first, nr);
		for (stage = 0; stage <= RESULT_STAGES_NR; stage++)
			report_stage_row(rep, out, first, nr, stage);
	}
}
