/* SPDX-License-Identifier: GPL-2.0-only */
/* A made-up result that holds together, for tests. */
#ifndef TESTS_HARNESS_SAMPLE_H
#define TESTS_HARNESS_SAMPLE_H

#include <string.h>

#include "model/harness/result.h"

#define SAMPLE_IOS	UINT64_C(1000)
#define SAMPLE_WINDOW_PS UINT64_C(10000000000)	/* 10 ms */

/* Stage i takes (i + 1) * @unit_ps per I/O: 45 units of latency in all. */
static inline void sample_latency(struct result *r, uint64_t unit_ps)
{
	uint64_t mean_ps = 45 * unit_ps;
	uint32_t i;

	for (i = 0; i < RESULT_STAGES_NR; i++)
		r->stage_sum_ps[i] = SAMPLE_IOS * (i + 1) * unit_ps;
	r->latency = (struct result_latency){
		.nr = SAMPLE_IOS,
		.sum_ps = SAMPLE_IOS * mean_ps,
		.min_ps = mean_ps / 2,
		.max_ps = mean_ps * 3,
		.p50_ps = mean_ps,
		.p90_ps = mean_ps + unit_ps,
		.p95_ps = mean_ps + 2 * unit_ps,
		.p99_ps = mean_ps + 3 * unit_ps,
		.p99_9_ps = mean_ps * 2,
		.p99_99_ps = mean_ps * 3,
	};
	/* A job submits as fast as the block layer ends, and reaps that late. */
	r->slat = r->latency;
	r->clat = r->latency;
	r->lat = r->latency;
	r->lat.sum_ps *= 2;
}

static inline void sample_threads(struct result *r)
{
	struct hw_thread_stats *s;

	s = &result_add_thread(r, "vcpu0", RESULT_VCPU)->stats;
	s->accesses_nr = 237 * SAMPLE_IOS;
	s->transfers_nr[HW_SAME_SOCKET] = 20 * SAMPLE_IOS;
	s->mode_ps[HW_GUEST] = SAMPLE_WINDOW_PS / 2;
	s->mode_ps[HW_SPIN] = SAMPLE_WINDOW_PS / 4;
	s->mode_ps[HW_IDLE] = SAMPLE_WINDOW_PS / 4;
	s = &result_add_thread(r, "iothread", RESULT_HOST)->stats;
	s->mode_ps[HW_HOST] = SAMPLE_WINDOW_PS / 10 * 9;
	s->mode_ps[HW_IDLE] = SAMPLE_WINDOW_PS / 10;
}

static inline void sample_lock(struct result *r)
{
	struct result_lock *lock = result_add_lock(r, "vq.lock");

	lock->instances_nr = 2;
	lock->acquired_nr = 2 * SAMPLE_IOS;
	lock->contended_nr = SAMPLE_IOS;
	lock->wait_ps = SAMPLE_IOS * 500000;
	lock->wait_max_ps = 900000;
	lock->hold_ps = SAMPLE_IOS * 700000;
	lock->hold_max_ps = 800000;
	lock->exits_nr = SAMPLE_IOS;
}

static inline void sample_result(struct result *r, uint64_t unit_ps)
{
	result_init(r);
	result_set(&r->name, "sample");
	r->seed = 7;
	r->digest = 0x0123456789abcdefu;
	r->duration_ps = SAMPLE_WINDOW_PS;
	r->time_ps = SAMPLE_WINDOW_PS * 2;
	r->events_nr = 12345;
	r->ios = SAMPLE_IOS;
	r->bytes = SAMPLE_IOS * 4096;
	sample_latency(r, unit_ps);
	r->exits_kernel = SAMPLE_IOS;
	r->exits_user = 1;
	r->exits_locked = SAMPLE_IOS;
	r->kicks_sent = SAMPLE_IOS;
	r->kicks_suppressed = 10;
	r->interrupts_delivered = SAMPLE_IOS / 2;
	r->interrupts_skipped = SAMPLE_IOS / 2;
	r->ipis = 3;
	r->halts = 4;
	sample_threads(r);
	sample_lock(r);
	result_set(&r->driver.source, "bundled");
	result_set(&r->driver.hash, "00112233445566778899");
	result_set(&r->driver.source_hash, "aa11");
	result_set(&r->driver.profile, "6.12");
	result_set(&r->driver.ring, "bundled");
	result_set(&r->driver.ring_hash, "bb22");
	result_set(&r->driver.ring_profile, "6.1");
	result_set(&r->driver.compiler, "gcc 12");
	result_set(&r->driver.flags, "-O2");
}

#endif
