// SPDX-License-Identifier: GPL-2.0-only
#include "sim/hist.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(SIM_HIST_SUB_BITS >= 1 && SIM_HIST_SUB_BITS <= 16,
	       "bucket indices must fit in 32 bits");

static void die(const char *why)
{
	fprintf(stderr, "sim_hist: %s\n", why);
	abort();
}

static void set_empty(struct sim_hist *h)
{
	h->sum = 0;
	h->count = 0;
	h->min = UINT64_MAX;
	h->max = 0;
}

void sim_hist_init(struct sim_hist *h)
{
	memset(h->buckets, 0, sizeof(h->buckets));
	set_empty(h);
}

void sim_hist_reset(struct sim_hist *h)
{
	if (h->count) {
		uint32_t first = sim_hist_idx(h->min);
		uint32_t last = sim_hist_idx(h->max);

		memset(&h->buckets[first], 0,
		       (last - first + 1) * sizeof(h->buckets[0]));
	}
	set_empty(h);
}

static void widen(struct sim_hist *h, uint64_t min, uint64_t max)
{
	if (min < h->min)
		h->min = min;
	if (max > h->max)
		h->max = max;
}

void sim_hist_record(struct sim_hist *h, uint64_t v)
{
	if (h->count == UINT64_MAX)
		die("more than 2^64-1 values");
	h->buckets[sim_hist_idx(v)]++;
	h->count++;
	h->sum += v;
	widen(h, v, v);
}

int sim_hist_record_n(struct sim_hist *h, uint64_t v, uint64_t n)
{
	if (n > UINT64_MAX - h->count)
		return -EOVERFLOW;
	if (n == 0)
		return 0;
	h->buckets[sim_hist_idx(v)] += n;
	h->count += n;
	h->sum += (unsigned __int128)v * n;
	widen(h, v, v);
	return 0;
}

int sim_hist_merge(struct sim_hist *to, const struct sim_hist *from)
{
	if (from->count > UINT64_MAX - to->count)
		return -EOVERFLOW;
	if (from->count == 0)
		return 0;
	for (uint32_t i = sim_hist_idx(from->min);
	     i <= sim_hist_idx(from->max); i++)
		to->buckets[i] += from->buckets[i];
	to->count += from->count;
	to->sum += from->sum;
	widen(to, from->min, from->max);
	return 0;
}

uint64_t sim_hist_mean(const struct sim_hist *h)
{
	/* No overflow: sum + count / 2 < count * 2^64 */
	return h->count ? (h->sum + h->count / 2) / h->count : 0;
}

struct sim_hist_bucket sim_hist_bucket(const struct sim_hist *h, uint32_t idx)
{
	struct sim_hist_bucket b = { .low = idx, .high = idx };
	uint32_t octave = idx >> SIM_HIST_SUB_BITS;

	if (idx >= SIM_HIST_BUCKETS_NR)
		die("no such bucket");
	if (octave > 1) {
		uint32_t shift = octave - 1;
		uint64_t steps = idx - (shift << SIM_HIST_SUB_BITS);

		b.low = steps << shift;
		b.high = b.low + ((uint64_t)1 << shift) - 1;
	}
	b.count = h->buckets[idx];
	return b;
}

bool sim_hist_next(const struct sim_hist *h, uint32_t *cursor_idx,
		   struct sim_hist_bucket *b)
{
	uint32_t idx, last;

	if (h->count == 0)
		return false;
	idx = sim_hist_idx(h->min);
	last = sim_hist_idx(h->max);
	if (idx < *cursor_idx)
		idx = *cursor_idx;
	while (idx <= last && h->buckets[idx] == 0)
		idx++;
	*cursor_idx = idx;
	if (idx > last)
		return false;
	*b = sim_hist_bucket(h, idx);
	++*cursor_idx;
	return true;
}

/* The middle of the bucket, but never outside what was recorded */
static uint64_t reported(const struct sim_hist *h,
			 const struct sim_hist_bucket *b)
{
	uint64_t v = b->low + (b->high - b->low + 1) / 2;

	if (v < h->min)
		return h->min;
	return v > h->max ? h->max : v;
}

static uint64_t value_of_rank(const struct sim_hist *h, uint64_t rank)
{
	struct sim_hist_bucket b = { 0 };
	uint32_t cursor_idx = 0;
	uint64_t seen = 0;

	while (seen < rank && sim_hist_next(h, &cursor_idx, &b))
		seen += b.count;
	if (seen < rank)
		die("the buckets do not add up to the count");
	return reported(h, &b);
}

uint64_t sim_hist_quantile(const struct sim_hist *h, uint32_t q)
{
	unsigned __int128 scaled = (unsigned __int128)h->count * q;
	uint64_t rank;

	if (q > SIM_HIST_QUANTILE_ONE)
		die("quantile beyond 100000");
	if (h->count == 0)
		return 0;
	rank = (scaled + SIM_HIST_QUANTILE_ONE - 1) / SIM_HIST_QUANTILE_ONE;
	if (rank <= 1)
		return h->min;
	if (rank == h->count)
		return h->max;
	return value_of_rank(h, rank);
}
