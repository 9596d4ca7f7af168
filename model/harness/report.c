// SPDX-License-Identifier: GPL-2.0-only
#include "model/harness/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/harness/quantity.h"
#include "model/harness/report_format.h"

#define CELL_BYTES	64u
#define LABEL_WIDTH	24
#define COLUMN_WIDTH	17
#define COLUMNS_MAX	4u
#define CHANGE_COLUMNS_MAX 3u
#define CHANGE_WIDTH	21
#define STAGE_COLUMNS_MAX 3u
#define LOCK_NAME_WIDTH	28
#define STAGE_BAR	8
#define STAGE_WIDTH	29

#define PAINT_BOLD	"\033[1m"
#define PAINT_RED	"\033[31m"
#define PAINT_GREEN	"\033[32m"
#define PAINT_OFF	"\033[0m"

enum metric_form {
	FORM_COUNT,
	FORM_NS,
	FORM_RATE,
};

/*
 * One number of a result, for both the table of numbers and that of changes.
 * @better: 1 more is better, -1 less, 0 neither
 */
struct metric {
	const char *name;
	double (*value)(const struct result *r);
	enum metric_form form;
	int better;
	bool number;
	bool change;
};

#define LATENCY_METRIC(field)						\
	static double metric_##field(const struct result *r)		\
	{								\
		return result_ns(r->latency.field##_ps);		\
	}
LATENCY_METRIC(min)
LATENCY_METRIC(max)
LATENCY_METRIC(p50)
LATENCY_METRIC(p99)
LATENCY_METRIC(p99_9)
LATENCY_METRIC(p99_99)

#define COUNTER_METRIC(field)						\
	static double metric_##field(const struct result *r)		\
	{								\
		return result_per_io(r, r->field);			\
	}
COUNTER_METRIC(exits_kernel)
COUNTER_METRIC(exits_user)
COUNTER_METRIC(exits_locked)
COUNTER_METRIC(kicks_sent)
COUNTER_METRIC(kicks_suppressed)
COUNTER_METRIC(interrupts_delivered)
COUNTER_METRIC(interrupts_skipped)
COUNTER_METRIC(ipis)
COUNTER_METRIC(halts)

static double metric_ios(const struct result *r)
{
	return (double)r->ios;
}

static double metric_window(const struct result *r)
{
	return result_ns(r->duration_ps);
}

static double metric_exits(const struct result *r)
{
	return result_per_io(r, result_exits(r));
}

static double metric_lock_wait(const struct result *r)
{
	return result_per_io(r, result_lock_wait_ps(r)) / 1e3;
}

/* Time threads of @kind do something, per I/O. */
static double metric_busy(const struct result *r, enum result_thread_kind kind)
{
	uint64_t busy_ps = 0;
	int mode;

	for (mode = 0; mode < HW_MODE_NR; mode++)
		if (mode != HW_IDLE && mode != HW_BLOCKED)
			busy_ps += result_mode_ps(r, kind, mode);
	return result_per_io(r, busy_ps) / 1e3;
}

static double metric_busy_vcpu(const struct result *r)
{
	return metric_busy(r, RESULT_VCPU);
}

static double metric_busy_host(const struct result *r)
{
	return metric_busy(r, RESULT_HOST);
}

static double metric_accesses(const struct result *r)
{
	uint64_t nr = 0;
	uint32_t i;

	for (i = 0; i < r->threads_nr; i++)
		nr += r->threads[i].stats.accesses_nr;
	return result_per_io(r, nr);
}

static double metric_transfers(const struct result *r)
{
	uint64_t nr = 0;
	uint32_t i;
	int k;

	for (i = 0; i < r->threads_nr; i++)
		for (k = 0; k < HW_DISTANCE_NR; k++)
			nr += r->threads[i].stats.transfers_nr[k];
	return result_per_io(r, nr);
}

static const struct metric metrics[] = {
	{ "IOPS", result_iops, FORM_COUNT, 1, true, true },
	{ "bandwidth", result_bytes_per_s, FORM_RATE, 1, true, false },
	{ "latency mean", result_latency_mean_ns, FORM_NS, -1, true, true },
	{ "latency min", metric_min, FORM_NS, -1, true, false },
	{ "latency p50", metric_p50, FORM_NS, -1, true, true },
	{ "latency p99", metric_p99, FORM_NS, -1, true, true },
	{ "latency p99.9", metric_p99_9, FORM_NS, -1, true, true },
	{ "latency p99.99", metric_p99_99, FORM_NS, -1, true, false },
	{ "latency max", metric_max, FORM_NS, -1, true, false },
	{ "per I/O:", NULL, FORM_COUNT, 0, true, true },
	{ "  vCPU time", metric_busy_vcpu, FORM_NS, -1, true, true },
	{ "  host thread time", metric_busy_host, FORM_NS, -1, true, true },
	{ "  lock wait", metric_lock_wait, FORM_NS, -1, true, true },
	{ "  exits", metric_exits, FORM_COUNT, -1, false, true },
	{ "  exits, host kernel", metric_exits_kernel, FORM_COUNT, -1, true,
	  false },
	{ "  exits, user space", metric_exits_user, FORM_COUNT, -1, true,
	  false },
	{ "  exits, lock held", metric_exits_locked, FORM_COUNT, -1, true,
	  true },
	{ "  kicks sent", metric_kicks_sent, FORM_COUNT, -1, true, true },
	{ "  kicks suppressed", metric_kicks_suppressed, FORM_COUNT, 0, true,
	  false },
	{ "  interrupts", metric_interrupts_delivered, FORM_COUNT, -1, true,
	  true },
	{ "  interrupts skipped", metric_interrupts_skipped, FORM_COUNT, 0,
	  true, false },
	{ "  IPIs", metric_ipis, FORM_COUNT, -1, true, true },
	{ "  halts", metric_halts, FORM_COUNT, 0, true, true },
	{ "  memory accesses", metric_accesses, FORM_COUNT, -1, true, true },
	{ "  line transfers", metric_transfers, FORM_COUNT, -1, true, true },
	{ "I/Os measured", metric_ios, FORM_COUNT, 0, true, false },
	{ "window", metric_window, FORM_NS, 0, true, false },
};

#define METRICS_NR	(sizeof(metrics) / sizeof(metrics[0]))

bool report_wants_colour(FILE *out)
{
	const char *no = getenv("NO_COLOR");

	return isatty(fileno(out)) && !(no && *no);
}

static void report_paint(const struct report *rep, FILE *out,
			 const char *attribute)
{
	if (rep->colour)
		fputs(attribute, out);
}

static void report_title(const struct report *rep, FILE *out,
			 const char *title)
{
	fputc('\n', out);
	report_paint(rep, out, PAINT_BOLD);
	fputs(title, out);
	report_paint(rep, out, PAINT_OFF);
}

static bool report_ok(const struct report_run *run)
{
	return !run->result->failure;
}

/* Index of the reference, or runs_nr if no variant has numbers. */
static uint32_t report_reference(const struct report *rep)
{
	uint32_t i;

	for (i = 0; i < rep->runs_nr; i++)
		if (report_ok(&rep->runs[i]))
			break;
	return i;
}

static void metric_format(const struct metric *m, double value, char *buf,
			  size_t bytes)
{
	if (m->form == FORM_NS)
		report_format_ns(buf, bytes, value);
	else if (m->form == FORM_RATE)
		report_format_rate(buf, bytes, value);
	else
		report_format_count(buf, bytes, value);
}

/* Header. */

static void report_machine(const struct report_run *run, FILE *out)
{
	const struct profile *p = run->profile;
	char clock[32];

	fprintf(out, "  machine   %s", run->config->machine);
	if (p) {
		quantity_print_decimal(clock, sizeof(clock), 9, p->clock_hz);
		fprintf(out, ": %s GHz, %u socket%s x %u cores x %u thread%s",
			clock, p->topology.sockets,
			p->topology.sockets == 1 ? "" : "s",
			p->topology.cores, p->topology.threads,
			p->topology.threads == 1 ? "" : "s");
	}
	fputc('\n', out);
}

/* @name: of the variant, NULL: it holds for all. */
static void report_driver(const char *name, const struct result_driver *d,
			  FILE *out)
{
	fprintf(out, "  driver    ");
	if (name)
		fprintf(out, "%s: ", name);
	fprintf(out, "%s", d->source ? d->source : "");
	if (d->hash)
		fprintf(out, " %.16s", d->hash);
	/* the usual needs no words */
	if (d->ring && *d->ring && strcmp(d->ring, "bundled"))
		fprintf(out, ", ring %s", d->ring);
	if (d->profile && d->source && strcmp(d->source, "bundled"))
		fprintf(out, ", profile %s", d->profile);
	if (d->compiler)
		fprintf(out, ", %s", d->compiler);
	fputc('\n', out);
}

static bool report_same_text(const char *a, const char *b)
{
	return !strcmp(a ? a : "", b ? b : "");
}

static bool report_same_driver(const struct result_driver *a,
			       const struct result_driver *b)
{
	return report_same_text(a->source, b->source) &&
	       report_same_text(a->hash, b->hash) &&
	       report_same_text(a->ring, b->ring) &&
	       report_same_text(a->compiler, b->compiler) &&
	       report_same_text(a->flags, b->flags);
}

static bool report_one_driver(const struct report *rep)
{
	uint32_t first = report_reference(rep);
	uint32_t i;

	for (i = first; i < rep->runs_nr; i++)
		if (report_ok(&rep->runs[i]) &&
		    !report_same_driver(&rep->runs[first].result->driver,
					&rep->runs[i].result->driver))
			return false;
	return true;
}

static void report_drivers(const struct report *rep, FILE *out)
{
	bool one = report_one_driver(rep);
	uint32_t i;

	for (i = 0; i < rep->runs_nr; i++) {
		const struct report_run *run = &rep->runs[i];

		if (!report_ok(run))
			continue;
		report_driver(one ? NULL : run->config->variant,
			      &run->result->driver, out);
		if (one)
			return;
	}
}

static void report_notes(const struct report *rep, FILE *out)
{
	uint32_t i;

	for (i = 0; i < rep->runs_nr; i++)
		if (*rep->runs[i].config->note)
			fprintf(out, "  %-9s %s\n",
				rep->runs[i].config->variant,
				rep->runs[i].config->note);
}

void report_header(const struct report *rep, FILE *out)
{
	const struct scenario_config *c = rep->runs[0].config;

	report_paint(rep, out, PAINT_BOLD);
	fputs(c->scenario, out);
	report_paint(rep, out, PAINT_OFF);
	fputc('\n', out);
	if (*c->question)
		report_wrap(out, c->question, 2, 90);
	report_machine(&rep->runs[0], out);
	fprintf(out, "  seed      %" PRIu64 "\n", c->seed);
	report_drivers(rep, out);
	report_notes(rep, out);
}

/* Numbers. */

static void report_column_names(const struct report *rep, FILE *out,
				uint32_t first, uint32_t nr, int width)
{
	uint32_t i;

	for (i = first; i < first + nr; i++)
		fprintf(out, " %*.*s", width - 1, width - 1,
			rep->runs[i].config->variant);
	fputc('\n', out);
}

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

	for (m = metrics; m < metrics + METRICS_NR; m++) {
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

static uint32_t report_chunk(uint32_t left, uint32_t most)
{
	return left < most ? left : most;
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

/* CPU use. */

/* Order of the columns: idle last. */
static const enum hw_mode cpu_modes[HW_MODE_NR] = {
	HW_GUEST, HW_IRQ, HW_SPIN, HW_EXIT, HW_HOST, HW_BLOCKED, HW_IDLE,
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
			fprintf(out, "%9.1f", share);
		else
			fprintf(out, "%9s", "-");
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
		fprintf(out, "%9s", result_mode_name[cpu_modes[m]]);
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

/* Locks. */

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

/* Stages. */

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

/* Changes. */

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
	for (m = metrics; m < metrics + METRICS_NR; m++)
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

void report_print(const struct report *rep, FILE *out)
{
	report_header(rep, out);
	report_numbers(rep, out);
	if (report_reference(rep) < rep->runs_nr) {
		report_cpu(rep, out);
		report_locks(rep, out);
		report_stages(rep, out);
		report_changes(rep, out);
		report_why(rep, out);
	}
	fflush(out);
}
