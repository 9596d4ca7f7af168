// SPDX-License-Identifier: GPL-2.0-only
#include "model/harness/metric.h"

#include "model/harness/report_format.h"

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

static double metric_slat(const struct result *r)
{
	return result_mean_ns(&r->slat);
}

static double metric_clat(const struct result *r)
{
	return result_mean_ns(&r->clat);
}

static double metric_clat_p99(const struct result *r)
{
	return result_ns(r->clat.p99_ps);
}

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
COUNTER_METRIC(preemptions)
COUNTER_METRIC(preemptions_locked)

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
		if (mode != HW_IDLE && mode != HW_BLOCKED && mode != HW_STEAL)
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

const struct metric metrics[] = {
	{ "IOPS", result_iops, FORM_COUNT, 1, true, true },
	{ "bandwidth", result_bytes_per_s, FORM_RATE, 1, true, false },
	{ "latency mean", result_latency_mean_ns, FORM_NS, -1, true, true },
	{ "latency min", metric_min, FORM_NS, -1, true, false },
	{ "latency p50", metric_p50, FORM_NS, -1, true, true },
	{ "latency p99", metric_p99, FORM_NS, -1, true, true },
	{ "latency p99.9", metric_p99_9, FORM_NS, -1, true, true },
	{ "latency p99.99", metric_p99_99, FORM_NS, -1, true, false },
	{ "latency max", metric_max, FORM_NS, -1, true, false },
	{ "as the job sees it:", NULL, FORM_COUNT, 0, true, true },
	{ "  slat mean", metric_slat, FORM_NS, -1, true, false },
	{ "  clat mean", metric_clat, FORM_NS, -1, true, false },
	{ "  clat p99", metric_clat_p99, FORM_NS, -1, true, false },
	{ "  lat mean", result_lat_mean_ns, FORM_NS, -1, true, true },
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
	{ "  preempted", metric_preemptions, FORM_COUNT, -1, true, true },
	{ "  preempted, locked", metric_preemptions_locked, FORM_COUNT,
	  -1, true, true },
	{ "  memory accesses", metric_accesses, FORM_COUNT, -1, true, true },
	{ "  line transfers", metric_transfers, FORM_COUNT, -1, true, true },
	{ "I/Os measured", metric_ios, FORM_COUNT, 0, true, false },
	{ "window", metric_window, FORM_NS, 0, true, false },
};

const size_t metrics_nr = sizeof(metrics) / sizeof(metrics[0]);

void metric_format(const struct metric *m, double value, char *buf,
		   size_t bytes)
{
	if (m->form == FORM_NS)
		report_format_ns(buf, bytes, value);
	else if (m->form == FORM_RATE)
		report_format_rate(buf, bytes, value);
	else
		report_format_count(buf, bytes, value);
}
