// SPDX-License-Identifier: GPL-2.0-only
#include "model/harness/result.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const result_stage_name[RESULT_STAGES_NR] = {
	"submit_tag", "tag_queue", "queue_avail", "avail_pop", "pop_start",
	"start_done", "done_used", "used_reap", "reap_end",
};

const char *const result_mode_name[HW_MODE_NR] = {
	[HW_IDLE] = "idle",   [HW_GUEST] = "guest",	  [HW_IRQ] = "irq",
	[HW_SPIN] = "spin",   [HW_EXIT] = "exit",	  [HW_HOST] = "host",
	[HW_POLL] = "poll",   [HW_BLOCKED] = "blocked",
	[HW_STEAL] = "steal",
};

const char *const result_distance_name[HW_DISTANCE_NR] = {
	[HW_SAME_CORE] = "same_core",
	[HW_SAME_SOCKET] = "same_socket",
	[HW_OTHER_SOCKET] = "other_socket",
	[HW_MEMORY] = "memory",
};

void result_init(struct result *r)
{
	memset(r, 0, sizeof(*r));
}

void result_fini(struct result *r)
{
	uint32_t i;

	for (i = 0; i < r->threads_nr; i++)
		free(r->threads[i].name);
	for (i = 0; i < r->locks_nr; i++)
		free(r->locks[i].name);
	for (i = 0; i < r->verdicts_nr; i++)
		free(r->verdicts[i]);
	free(r->threads);
	free(r->locks);
	free(r->verdicts);
	free(r->driver.source);
	free(r->driver.hash);
	free(r->driver.source_hash);
	free(r->driver.profile);
	free(r->driver.ring);
	free(r->driver.ring_hash);
	free(r->driver.ring_profile);
	free(r->driver.compiler);
	free(r->driver.flags);
	free(r->failure);
	free(r->name);
	result_init(r);
}

static void *result_must(void *p)
{
	if (p)
		return p;
	fputs("vblksim: out of memory\n", stderr);
	exit(1);
}

void result_set(char **field, const char *text)
{
	char *copy = text ? result_must(strdup(text)) : NULL;

	free(*field);
	*field = copy;
}

/* Room for one more element of @bytes in *@array of @nr. */
static void *result_grow(void *array, uint32_t nr, size_t bytes)
{
	char *grown = result_must(realloc(array, ((size_t)nr + 1) * bytes));

	memset(grown + nr * bytes, 0, bytes);
	return grown;
}

struct result_thread *result_add_thread(struct result *r, const char *name,
					enum result_thread_kind kind)
{
	struct result_thread *t;

	r->threads = result_grow(r->threads, r->threads_nr, sizeof(*t));
	t = &r->threads[r->threads_nr++];
	result_set(&t->name, name);
	t->kind = kind;
	return t;
}

struct result_lock *result_add_lock(struct result *r, const char *name)
{
	struct result_lock *lock;

	r->locks = result_grow(r->locks, r->locks_nr, sizeof(*lock));
	lock = &r->locks[r->locks_nr++];
	result_set(&lock->name, name);
	return lock;
}

void result_add_verdict(struct result *r, const char *fmt, ...)
{
	va_list ap;
	int length;
	char *text;

	va_start(ap, fmt);
	length = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	text = result_must(malloc((size_t)length + 1));
	va_start(ap, fmt);
	vsnprintf(text, (size_t)length + 1, fmt, ap);
	va_end(ap);
	r->verdicts = result_grow(r->verdicts, r->verdicts_nr, sizeof(text));
	r->verdicts[r->verdicts_nr++] = text;
}

void result_set_latency(struct result_latency *l, const struct sim_hist *hist)
{
	*l = (struct result_latency){
		.nr = hist->count,
		.sum_ps = (uint64_t)hist->sum,
		.min_ps = hist->count ? hist->min : 0,
		.max_ps = hist->max,
		.p50_ps = sim_hist_quantile(hist, 50000),
		.p90_ps = sim_hist_quantile(hist, 90000),
		.p95_ps = sim_hist_quantile(hist, 95000),
		.p99_ps = sim_hist_quantile(hist, 99000),
		.p99_9_ps = sim_hist_quantile(hist, 99900),
		.p99_99_ps = sim_hist_quantile(hist, 99990),
	};
}

static bool result_ascends(const struct result_latency *l)
{
	return l->min_ps <= l->p50_ps && l->p50_ps <= l->p90_ps &&
	       l->p90_ps <= l->p95_ps && l->p95_ps <= l->p99_ps &&
	       l->p99_ps <= l->p99_9_ps && l->p99_9_ps <= l->p99_99_ps &&
	       l->p99_99_ps <= l->max_ps;
}

static bool result_mean_in_range(const struct result_latency *l)
{
	return !l->nr || (l->sum_ps / l->nr <= l->max_ps &&
			  l->sum_ps / l->nr >= l->min_ps);
}

const char *result_check(const struct result *r)
{
	uint64_t sum_ps = 0;
	uint32_t i;

	for (i = 0; i < RESULT_STAGES_NR; i++)
		if (__builtin_add_overflow(sum_ps, r->stage_sum_ps[i],
					   &sum_ps))
			return "the stages overflow";
	if (sum_ps != r->latency.sum_ps)
		return "the stages do not add up to the latency";
	if (r->latency.nr != r->ios)
		return "the latency is not that of the I/Os";
	if (!result_ascends(&r->latency) || !result_ascends(&r->slat) ||
	    !result_ascends(&r->clat) || !result_ascends(&r->lat))
		return "the quantiles of a latency do not ascend";
	if (!result_mean_in_range(&r->latency) ||
	    !result_mean_in_range(&r->slat) ||
	    !result_mean_in_range(&r->clat) || !result_mean_in_range(&r->lat))
		return "a mean latency is outside its range";
	if (r->slat.sum_ps + r->clat.sum_ps != r->lat.sum_ps)
		return "slat and clat do not add up to lat";
	if (r->exits_locked > result_exits(r))
		return "more exits with a lock held than exits";
	if (r->duration_ps > r->time_ps)
		return "the window is longer than the run";
	for (i = 0; i < r->locks_nr; i++)
		if (r->locks[i].contended_nr > r->locks[i].acquired_nr)
			return "a lock was contended more often than acquired";
	return NULL;
}

double result_ns(uint64_t ps)
{
	return (double)ps / 1e3;
}

static double result_rate(const struct result *r, uint64_t count)
{
	return r->duration_ps ? (double)count * 1e12 / (double)r->duration_ps :
				0;
}

double result_iops(const struct result *r)
{
	return result_rate(r, r->ios);
}

double result_bytes_per_s(const struct result *r)
{
	return result_rate(r, r->bytes);
}

double result_per_io(const struct result *r, uint64_t count)
{
	return r->ios ? (double)count / (double)r->ios : 0;
}

double result_mean_ns(const struct result_latency *l)
{
	return l->nr ? (double)l->sum_ps / (double)l->nr / 1e3 : 0;
}

double result_latency_mean_ns(const struct result *r)
{
	return result_mean_ns(&r->latency);
}

double result_lat_mean_ns(const struct result *r)
{
	return result_mean_ns(&r->lat);
}

double result_stage_mean_ns(const struct result *r, uint32_t stage)
{
	return result_per_io(r, r->stage_sum_ps[stage]) / 1e3;
}

uint64_t result_mode_ps(const struct result *r, enum result_thread_kind kind,
			enum hw_mode mode)
{
	uint64_t sum_ps = 0;
	uint32_t i;

	for (i = 0; i < r->threads_nr; i++)
		if (kind == RESULT_THREAD_KINDS_NR ||
		    r->threads[i].kind == kind)
			sum_ps += r->threads[i].stats.mode_ps[mode];
	return sum_ps;
}

uint64_t result_exits(const struct result *r)
{
	return r->exits_kernel + r->exits_user;
}

uint64_t result_lock_wait_ps(const struct result *r)
{
	uint64_t sum_ps = 0;
	uint32_t i;

	for (i = 0; i < r->locks_nr; i++)
		sum_ps += r->locks[i].wait_ps;
	return sum_ps;
}
