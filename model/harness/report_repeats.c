// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>

#include "model/harness/report_format.h"
#include "model/harness/report_table.h"

bool report_is_repeated(const struct report_run *run)
{
	return run->repeat && run->config->repeat > 1;
}

/* " 14.2 K +- 0.03 %" */
static void report_repeat_cell(const struct repeat *r,
			       const struct repeat_figure *f, bool time,
			       FILE *out)
{
	char value[CELL_BYTES];
	double half = repeat_half_width(r, f);

	if (time)
		report_format_ns(value, sizeof(value), f->mean);
	else
		report_format_count(value, sizeof(value), f->mean);
	fprintf(out, "%17s +-%7.3f %%", value,
		f->mean > 0 ? half / f->mean * 100 : 0.0);
}

static void report_repeat_row(const struct report_run *run, FILE *out)
{
	const struct repeat *r = run->repeat;

	fprintf(out, "  %-20.20s %5" PRIu32, run->config->variant, r->nr);
	if (r->nr) {
		report_repeat_cell(r, &r->iops, false, out);
		report_repeat_cell(r, &r->lat_ns, true, out);
	}
	fputc('\n', out);
}

void report_repeats(const struct report *rep, FILE *out)
{
	bool titled = false;
	uint32_t i;

	for (i = 0; i < rep->runs_nr; i++) {
		if (!report_is_repeated(&rep->runs[i]))
			continue;
		if (!titled) {
			report_title(rep, out, "Repeats");
			fprintf(out, "%21s%29s%29s\n", "seeds", "IOPS, 95 %",
				"mean latency, 95 %");
		}
		titled = true;
		report_repeat_row(&rep->runs[i], out);
	}
}
