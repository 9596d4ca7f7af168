// SPDX-License-Identifier: GPL-2.0-only
#include "model/harness/report_table.h"

/* Order of the columns: idle last. */
static const enum hw_mode cpu_modes[HW_MODE_NR] = {
	HW_GUEST, HW_IRQ, HW_SPIN, HW_EXIT, HW_HOST, HW_POLL,
	HW_BLOCKED, HW_STEAL, HW_IDLE,
};

static void report_cpu_row(const struct result *r,
			   const struct result_thread *t, FILE *out)
{
	int i;

	fprintf(out, "    %-20.20s", t->name ? t->name : "");
	for (i = 0; i < HW_MODE_NR; i++) {
		uint64_t ps = t->stats.mode_ps[cpu_modes[i]];
		double share = r->duration_ps ? (double)ps * 100 /
				(double)r->duration_ps : 0;

		if (ps)
			fprintf(out, "%8.1f", share);
		else
			fprintf(out, "%8s", "-");
	}
	fputc('\n', out);
}

void report_cpu(const struct report *rep, FILE *out)
{
	uint32_t i;
	uint32_t k;
	int m;

	report_title(rep, out, "CPU use");
	fprintf(out, ", %% of the window");
	for (m = 0; m < HW_MODE_NR; m++)
		fprintf(out, "%8s", result_mode_name[cpu_modes[m]]);
	fputc('\n', out);
	for (i = 0; i < rep->runs_nr; i++) {
		const struct result *r = rep->runs[i].result;

		if (!report_ok(&rep->runs[i]))
			continue;
		fprintf(out, "  %s\n", rep->runs[i].config->variant);
		for (k = 0; k < r->threads_nr; k++)
			report_cpu_row(r, &r->threads[k], out);
	}
}
