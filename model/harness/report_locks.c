// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "model/harness/report_format.h"
#include "model/harness/report_table.h"

#define LOCK_NAME_WIDTH	28

static double report_ratio(uint64_t a, uint64_t b)
{
	return b ? (double)a / (double)b : 0;
}

static void report_lock_ns(FILE *out, double ns)
{
	char cell[CELL_BYTES];

	report_format_ns(cell, sizeof(cell), ns);
	fprintf(out, " %9s", cell);
}

static void report_lock_row(const struct result *r,
			    const struct result_lock *lock, FILE *out)
{
	const char *lock_name = lock->name ? lock->name : "";
	char name[LOCK_NAME_WIDTH + 1];
	char instances[16] = "";
	char count[CELL_BYTES];
	uint64_t window_ps = r->duration_ps * (lock->instances_nr ?
					       lock->instances_nr : 1);

	if (lock->instances_nr > 1)
		snprintf(instances, sizeof(instances), " x%u",
			 lock->instances_nr);
	snprintf(name, sizeof(name), "%.*s%s",
		 LOCK_NAME_WIDTH - (int)strlen(instances), lock_name,
		 instances);
	report_format_count(count, sizeof(count), (double)lock->acquired_nr);
	fprintf(out, "    %-*s%8s%6.1f", LOCK_NAME_WIDTH, name, count,
		report_ratio(lock->contended_nr, lock->acquired_nr) * 100);
	report_lock_ns(out, report_ratio(lock->wait_ps,
					 lock->contended_nr) / 1e3);
	report_lock_ns(out, result_ns(lock->wait_max_ps));
	report_lock_ns(out, report_ratio(lock->hold_ps,
					 lock->acquired_nr) / 1e3);
	report_lock_ns(out, result_ns(lock->hold_max_ps));
	report_format_count(count, sizeof(count), (double)lock->exits_nr);
	fprintf(out, "%6.1f%8s\n",
		report_ratio(lock->hold_ps, window_ps) * 100, count);
}

void report_locks(const struct report *rep, FILE *out)
{
	uint32_t i;
	uint32_t k;

	report_title(rep, out, "Locks");
	fprintf(out, "%*s%6s%10s%10s%10s%10s%6s%8s\n", LOCK_NAME_WIDTH + 7,
		"acquired", "cont%", "wait mean", "wait max", "hold mean",
		"hold max", "held%", "exits");
	for (i = 0; i < rep->runs_nr; i++) {
		const struct result *r = rep->runs[i].result;

		if (!report_ok(&rep->runs[i]))
			continue;
		fprintf(out, "  %s%s\n", rep->runs[i].config->variant,
			r->locks_nr ? "" : ": none");
		for (k = 0; k < r->locks_nr; k++)
			report_lock_row(r, &r->locks[k], out);
	}
}
