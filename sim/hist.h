/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Log-linear histogram of uint64_t: exact count, sum, min, max and mean;
 * quantiles with a bounded relative error. The idea is that of G. Tene's
 * HdrHistogram.
 *
 * Buckets. Let B = SIM_HIST_SUB_BITS. Values below 2^(B+1) have a bucket
 * each. A value v with 2^(B+k) <= v < 2^(B+k+1), k >= 1, lies in one of the
 * 2^B buckets of width 2^k that split this octave.
 *
 * Error. A bucket is reported by the value `low + width / 2`, which deviates
 * from each value in the bucket by at most width / 2 = 2^(k-1); every value in
 * it is at least 2^(B+k). So
 *
 *	|reported - v| <= 2^(k-1) <= v * 2^-(B+1),
 *
 * and 0 for v < 2^(B+1). B = 10 gives at most 1/2048 = 0.049 %: a change of
 * 0.1 % in a percentile is seen.
 *
 * All arithmetic is in integers; the unit is the caller's. Recording is
 * O(1), allocates nothing and never parks. The struct has about 440 KiB: put
 * it on the heap, not on a fiber's stack.
 */
#ifndef SIM_HIST_H
#define SIM_HIST_H

#include <stdbool.h>
#include <stdint.h>

#define SIM_HIST_SUB_BITS 10
#define SIM_HIST_BUCKETS_NR ((65 - SIM_HIST_SUB_BITS) << SIM_HIST_SUB_BITS)
#define SIM_HIST_QUANTILE_ONE 100000	/* the quantile that is the maximum */

/*
 * Invariant: `count` is the sum of `buckets`, and every bucket outside those
 * of `min` and `max` is 0. Empty: count 0, sum 0, min UINT64_MAX, max 0.
 * Fields may be read by anybody, and are written in hist.c alone.
 */
struct sim_hist {
	unsigned __int128 sum;		/* exact: < 2^64 values of < 2^64 */
	uint64_t count;
	uint64_t min;			/* exact */
	uint64_t max;			/* exact */
	uint64_t buckets[SIM_HIST_BUCKETS_NR];
};

/* One bucket: `count` values v with low <= v <= high */
struct sim_hist_bucket {
	uint64_t low;
	uint64_t high;
	uint64_t count;
};

/* Make @h empty. @h: may hold garbage; nothing to release */
void sim_hist_init(struct sim_hist *h);

/* Make an initialised @h empty again; touches only the buckets in use */
void sim_hist_reset(struct sim_hist *h);

/*
 * Add @v once. Aborts if @h holds 2^64-1 values, which only
 * sim_hist_record_n() and sim_hist_merge() can bring about.
 */
void sim_hist_record(struct sim_hist *h, uint64_t v);

/*
 * Add @v @n times.
 * @n: may be 0
 * Returns 0, or -EOVERFLOW with @h unchanged if the count would pass 2^64-1.
 */
int sim_hist_record_n(struct sim_hist *h, uint64_t v, uint64_t n);

/*
 * Add all values of @from to @to, as if they had been recorded there.
 * @from: unchanged; may be @to, which doubles it
 * Returns 0, or -EOVERFLOW with @to unchanged if the count would pass 2^64-1.
 */
int sim_hist_merge(struct sim_hist *to, const struct sim_hist *from);

/* The mean, rounded to nearest, half up; 0 if empty */
uint64_t sim_hist_mean(const struct sim_hist *h);

/*
 * The value of rank ceil(count * q / 100000), at least 1, in ascending order
 * ("nearest rank": a value that was recorded, not an interpolation).
 * @q: 0..100000, p99.99 is 99990; 0 is the minimum; a larger one is a
 *	caller's bug and aborts with a message
 * Within the error above, exact for the first and the last rank, never
 * outside min..max. 0 if empty: look at `count` first.
 */
uint64_t sim_hist_quantile(const struct sim_hist *h, uint32_t q);

/*
 * The next bucket in ascending order that is not empty.
 * @cursor_idx: 0 before the first call, then left alone
 * @b: written if there is one
 * Returns false at the end. Recording in between is allowed, and is seen if it
 * lands beyond the cursor.
 */
bool sim_hist_next(const struct sim_hist *h, uint32_t *cursor_idx,
		   struct sim_hist_bucket *b);

/* The bucket @v belongs to. Returns 0..SIM_HIST_BUCKETS_NR-1 */
static inline uint32_t sim_hist_idx(uint64_t v)
{
	unsigned int top = 63 - __builtin_clzll(v | 1);
	unsigned int shift;

	if (top <= SIM_HIST_SUB_BITS)
		return v;
	/* v >> shift is in 2^B..2^(B+1)-1: its leading one counts as a step */
	shift = top - SIM_HIST_SUB_BITS;
	return (shift << SIM_HIST_SUB_BITS) + (uint32_t)(v >> shift);
}

/* The limits of bucket @idx, 0..SIM_HIST_BUCKETS_NR-1, and its count in @h */
struct sim_hist_bucket sim_hist_bucket(const struct sim_hist *h, uint32_t idx);

#endif
