// SPDX-License-Identifier: GPL-2.0-only
#include <check.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "sim/dist.h"
#include "sim/hist.h"
#include "sim/random.h"

#define DATA_NR 100000

static struct sim_hist hist, other;
static uint64_t data[DATA_NR];

static void start_empty(void)
{
	/* init must cope with garbage */
	memset(&hist, 0xa5, sizeof(hist));
	memset(&other, 0x5a, sizeof(other));
	sim_hist_init(&hist);
	sim_hist_init(&other);
}

/* Not by memcmp() of the whole: there is padding */
static void assert_same(const struct sim_hist *a, const struct sim_hist *b)
{
	ck_assert(a->sum == b->sum);
	ck_assert_uint_eq(a->count, b->count);
	ck_assert_uint_eq(a->min, b->min);
	ck_assert_uint_eq(a->max, b->max);
	ck_assert_int_eq(memcmp(a->buckets, b->buckets, sizeof(a->buckets)),
			 0);
}

static int compare_u64(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void record_data(void)
{
	for (size_t i = 0; i < DATA_NR; i++)
		sim_hist_record(&hist, data[i]);
	qsort(data, DATA_NR, sizeof(*data), compare_u64);
}

/* |reported - exact| <= exact / 2^(B+1), in integers */
static void assert_within_bound(uint64_t reported, uint64_t exact)
{
	uint64_t off = reported > exact ? reported - exact : exact - reported;

	ck_assert_uint_le(off, exact >> (SIM_HIST_SUB_BITS + 1));
}

static void assert_quantiles_match_data(void)
{
	static const uint32_t quantiles[] = {
		0, 1, 2, 10, 1000, 25000, 33333, 50000, 66667, 75000, 90000,
		95000, 99000, 99900, 99990, 99998, 99999, 100000,
	};

	for (size_t i = 0; i < sizeof(quantiles) / sizeof(*quantiles); i++) {
		uint64_t q = quantiles[i];
		uint64_t rank = (q * DATA_NR + 99999) / 100000;
		uint64_t exact = data[rank ? rank - 1 : 0];

		assert_within_bound(sim_hist_quantile(&hist, q), exact);
	}
	ck_assert_uint_eq(sim_hist_quantile(&hist, 0), data[0]);
	ck_assert_uint_eq(sim_hist_quantile(&hist, 100000),
			  data[DATA_NR - 1]);
}

static void assert_exact_fields_match_data(void)
{
	unsigned __int128 sum = 0;

	for (size_t i = 0; i < DATA_NR; i++)
		sum += data[i];
	ck_assert(hist.sum == sum);
	ck_assert_uint_eq(hist.count, DATA_NR);
	ck_assert_uint_eq(hist.min, data[0]);
	ck_assert_uint_eq(hist.max, data[DATA_NR - 1]);
	ck_assert_uint_eq(sim_hist_mean(&hist),
			  (uint64_t)((2 * sum + DATA_NR) / (2 * DATA_NR)));
}

static void assert_hist_matches_data(void)
{
	record_data();
	assert_exact_fields_match_data();
	assert_quantiles_match_data();
}

static uint64_t draw_exponential(struct sim_random *r)
{
	struct sim_dist d;

	ck_assert_int_eq(sim_dist_init_exponential(&d, 85000000), 0);
	return sim_dist_draw(&d, r);
}

static uint64_t draw_lognormal(struct sim_random *r)
{
	struct sim_dist d;

	ck_assert_int_eq(sim_dist_init_lognormal(&d, 1000000, 14000000), 0);
	return sim_dist_draw(&d, r);
}

static uint64_t draw_small(struct sim_random *r)
{
	return sim_random_below(r, 100);
}

static uint64_t draw_any(struct sim_random *r)
{
	return sim_random_u64(r);
}

/* Every order of magnitude alike */
static uint64_t draw_any_octave(struct sim_random *r)
{
	uint64_t v = sim_random_u64(r);

	return v >> sim_random_below(r, 64);
}

static uint64_t draw_edge(struct sim_random *r)
{
	uint64_t power = (uint64_t)1 << sim_random_below(r, 64);

	return power + sim_random_below(r, 3) - 1;
}

static uint64_t draw_bimodal(struct sim_random *r)
{
	uint64_t v = sim_random_below(r, 1000);

	return sim_random_below(r, 100) ? 10000000 + v : 50000000000 + v;
}

static uint64_t draw_constant(struct sim_random *r)
{
	(void)r;
	return 123456789;
}

START_TEST(quantiles_of_every_shape_are_within_the_derived_bound)
{
	static uint64_t (*const shapes[])(struct sim_random *) = {
		draw_exponential, draw_lognormal, draw_small, draw_any,
		draw_any_octave, draw_edge, draw_bimodal, draw_constant,
	};
	struct sim_random r;

	sim_random_init(&r, 1, "shape");
	for (size_t i = 0; i < DATA_NR; i++)
		data[i] = shapes[_i](&r);
	start_empty();
	assert_hist_matches_data();
}
END_TEST

START_TEST(buckets_tile_all_numbers)
{
	uint64_t next = 0;

	start_empty();
	for (uint32_t idx = 0; idx < SIM_HIST_BUCKETS_NR; idx++) {
		struct sim_hist_bucket b = sim_hist_bucket(&hist, idx);

		ck_assert_uint_eq(b.low, next);
		ck_assert_uint_ge(b.high, b.low);
		ck_assert_uint_eq(sim_hist_idx(b.low), idx);
		ck_assert_uint_eq(sim_hist_idx(b.high), idx);
		ck_assert_uint_le(b.high - b.low,
				  b.low >> SIM_HIST_SUB_BITS);
		next = b.high + 1;
	}
	ck_assert_uint_eq(next, 0);
}
END_TEST

START_TEST(values_below_2048_are_exact)
{
	for (uint64_t v = 0; v < 2 << SIM_HIST_SUB_BITS; v++) {
		start_empty();
		sim_hist_record(&hist, v);
		sim_hist_record(&hist, v / 2);
		sim_hist_record(&hist, UINT64_MAX);
		ck_assert_uint_eq(sim_hist_quantile(&hist, 50000), v);
	}
}
END_TEST

START_TEST(empty_histogram_answers_zero)
{
	struct sim_hist_bucket b;
	uint32_t cursor_idx = 0;

	start_empty();
	ck_assert_uint_eq(hist.count, 0);
	ck_assert(hist.sum == 0);
	ck_assert_uint_eq(hist.min, UINT64_MAX);
	ck_assert_uint_eq(hist.max, 0);
	ck_assert_uint_eq(sim_hist_mean(&hist), 0);
	ck_assert_uint_eq(sim_hist_quantile(&hist, 0), 0);
	ck_assert_uint_eq(sim_hist_quantile(&hist, 99990), 0);
	ck_assert_uint_eq(sim_hist_quantile(&hist, 100000), 0);
	ck_assert(!sim_hist_next(&hist, &cursor_idx, &b));
}
END_TEST

START_TEST(single_value_is_every_quantile)
{
	static const uint64_t values[] = {
		0, 1, 2047, 2048, 2049, 85123457, UINT64_MAX - 1, UINT64_MAX,
	};
	uint64_t v = values[_i];

	start_empty();
	sim_hist_record(&hist, v);
	for (uint32_t q = 0; q <= 100000; q += 12500)
		ck_assert_uint_eq(sim_hist_quantile(&hist, q), v);
	ck_assert_uint_eq(sim_hist_quantile(&hist, 99990), v);
	ck_assert_uint_eq(sim_hist_mean(&hist), v);
	ck_assert_uint_eq(hist.min, v);
	ck_assert_uint_eq(hist.max, v);
}
END_TEST

/* 999936..1000447 is one bucket, with the middle 1000192 */
START_TEST(first_and_last_rank_are_exact_within_a_bucket)
{
	start_empty();
	sim_hist_record(&hist, 1000400);
	sim_hist_record(&hist, 1000001);
	sim_hist_record(&hist, 1000100);
	ck_assert_uint_eq(sim_hist_quantile(&hist, 1), 1000001);
	ck_assert_uint_eq(sim_hist_quantile(&hist, 50000), 1000192);
	ck_assert_uint_eq(sim_hist_quantile(&hist, 99999), 1000400);
}
END_TEST

START_TEST(quantiles_stay_within_min_and_max)
{
	start_empty();
	for (uint64_t i = 0; i < 3; i++)
		sim_hist_record(&hist, 1000300 + i);
	ck_assert_uint_eq(sim_hist_quantile(&hist, 50000), 1000300);
	sim_hist_reset(&hist);
	for (uint64_t i = 0; i < 3; i++)
		sim_hist_record(&hist, 1000100 - i);
	ck_assert_uint_eq(sim_hist_quantile(&hist, 50000), 1000100);
}
END_TEST

START_TEST(ranks_round_up)
{
	start_empty();
	for (uint64_t v = 1; v <= 10; v++)
		sim_hist_record(&hist, v);
	ck_assert_uint_eq(sim_hist_quantile(&hist, 10000), 1);
	ck_assert_uint_eq(sim_hist_quantile(&hist, 10001), 2);
	ck_assert_uint_eq(sim_hist_quantile(&hist, 50000), 5);
	ck_assert_uint_eq(sim_hist_quantile(&hist, 50001), 6);
	ck_assert_uint_eq(sim_hist_quantile(&hist, 90000), 9);
	ck_assert_uint_eq(sim_hist_quantile(&hist, 90001), 10);
}
END_TEST

/* 2^63 * 99990 needs 80 bits, and the sum all of 128 */
START_TEST(ranks_and_sums_of_huge_counts_are_exact)
{
	const uint64_t half = (uint64_t)1 << 63;

	start_empty();
	ck_assert_int_eq(sim_hist_record_n(&hist, 5, half - 1), 0);
	ck_assert_int_eq(sim_hist_record_n(&hist, UINT64_MAX, half), 0);
	ck_assert(hist.sum == (unsigned __int128)UINT64_MAX * half +
			      (unsigned __int128)5 * (half - 1));
	ck_assert_uint_eq(sim_hist_quantile(&hist, 49999), 5);
	assert_within_bound(sim_hist_quantile(&hist, 50000), UINT64_MAX);
	ck_assert_uint_eq(sim_hist_quantile(&hist, 100000), UINT64_MAX);
	ck_assert_uint_eq(sim_hist_mean(&hist), half + 2);
}
END_TEST

START_TEST(mean_rounds_half_up)
{
	start_empty();
	sim_hist_record(&hist, 1);
	sim_hist_record(&hist, 2);
	ck_assert_uint_eq(sim_hist_mean(&hist), 2);
	sim_hist_record(&hist, 1);
	ck_assert_uint_eq(sim_hist_mean(&hist), 1);
}
END_TEST

START_TEST(mean_of_largest_values_does_not_overflow)
{
	start_empty();
	ck_assert_int_eq(sim_hist_record_n(&hist, UINT64_MAX, UINT64_MAX), 0);
	ck_assert_uint_eq(sim_hist_mean(&hist), UINT64_MAX);
}
END_TEST

START_TEST(count_beyond_64_bits_is_refused_and_changes_nothing)
{
	start_empty();
	ck_assert_int_eq(sim_hist_record_n(&hist, 7, UINT64_MAX - 1), 0);
	sim_hist_record(&other, 9);
	sim_hist_record(&other, 10);
	ck_assert_int_eq(sim_hist_record_n(&hist, 9, 2), -EOVERFLOW);
	ck_assert_int_eq(sim_hist_merge(&hist, &other), -EOVERFLOW);
	ck_assert_uint_eq(hist.count, UINT64_MAX - 1);
	ck_assert_uint_eq(hist.max, 7);
	ck_assert_int_eq(sim_hist_record_n(&hist, 9, 1), 0);
	ck_assert_uint_eq(hist.count, UINT64_MAX);
}
END_TEST

START_TEST(record_aborts_when_the_count_is_full)
{
	start_empty();
	ck_assert_int_eq(sim_hist_record_n(&hist, 7, UINT64_MAX), 0);
	sim_hist_record(&hist, 7);
}
END_TEST

START_TEST(quantile_beyond_one_aborts)
{
	start_empty();
	sim_hist_quantile(&hist, 100001);
}
END_TEST

START_TEST(recording_zero_times_changes_nothing)
{
	start_empty();
	ck_assert_int_eq(sim_hist_record_n(&hist, 7, 0), 0);
	assert_same(&hist, &other);
}
END_TEST

START_TEST(record_n_equals_recording_n_times)
{
	start_empty();
	for (int i = 0; i < 1000; i++)
		sim_hist_record(&hist, 123456789);
	ck_assert_int_eq(sim_hist_record_n(&other, 123456789, 1000), 0);
	assert_same(&hist, &other);
}
END_TEST

START_TEST(merge_equals_recording_everything_in_one)
{
	static struct sim_hist all;
	struct sim_random r;

	start_empty();
	sim_hist_init(&all);
	sim_random_init(&r, 2, "merge");
	for (int i = 0; i < 20000; i++) {
		uint64_t v = draw_any_octave(&r);

		sim_hist_record(&all, v);
		sim_hist_record(i % 3 ? &hist : &other, v);
	}
	ck_assert_int_eq(sim_hist_merge(&hist, &other), 0);
	assert_same(&hist, &all);
}
END_TEST

START_TEST(merge_with_an_empty_one_copies)
{
	start_empty();
	sim_hist_record(&hist, 100);
	sim_hist_record(&hist, 1000000);
	ck_assert_int_eq(sim_hist_merge(&other, &hist), 0);
	assert_same(&hist, &other);
	sim_hist_reset(&other);
	ck_assert_int_eq(sim_hist_merge(&hist, &other), 0);
	ck_assert_uint_eq(hist.count, 2);
	ck_assert_uint_eq(hist.min, 100);
}
END_TEST

START_TEST(merge_with_itself_doubles)
{
	start_empty();
	sim_hist_record(&hist, 100);
	sim_hist_record(&hist, 300);
	ck_assert_int_eq(sim_hist_merge(&hist, &hist), 0);
	ck_assert_uint_eq(hist.count, 4);
	ck_assert_uint_eq(sim_hist_mean(&hist), 200);
	ck_assert_uint_eq(sim_hist_quantile(&hist, 50000), 100);
}
END_TEST

START_TEST(reset_leaves_nothing_behind)
{
	struct sim_random r;

	start_empty();
	sim_random_init(&r, 3, "reset");
	for (int i = 0; i < 10000; i++)
		sim_hist_record(&hist, draw_any_octave(&r));
	sim_hist_record(&hist, 0);
	sim_hist_record(&hist, UINT64_MAX);
	sim_hist_reset(&hist);
	assert_same(&hist, &other);
	sim_hist_reset(&hist);
	assert_same(&hist, &other);
}
END_TEST

START_TEST(iteration_visits_every_count_once_in_order)
{
	struct sim_hist_bucket b;
	uint32_t cursor_idx = 0;
	uint64_t seen = 0;
	struct sim_random r;

	sim_random_init(&r, 4, "next");
	for (size_t i = 0; i < DATA_NR; i++)
		data[i] = draw_any_octave(&r);
	data[0] = 0;
	data[1] = UINT64_MAX;
	start_empty();
	record_data();
	while (sim_hist_next(&hist, &cursor_idx, &b)) {
		ck_assert_uint_gt(b.count, 0);
		for (uint64_t i = 0; i < b.count; i++, seen++) {
			ck_assert_uint_ge(data[seen], b.low);
			ck_assert_uint_le(data[seen], b.high);
		}
	}
	ck_assert_uint_eq(seen, DATA_NR);
	ck_assert(!sim_hist_next(&hist, &cursor_idx, &b));
}
END_TEST

START_TEST(iteration_sees_what_is_recorded_beyond_the_cursor)
{
	struct sim_hist_bucket b;
	uint32_t cursor_idx = 0;

	start_empty();
	sim_hist_record(&hist, 10);
	ck_assert(sim_hist_next(&hist, &cursor_idx, &b));
	ck_assert(!sim_hist_next(&hist, &cursor_idx, &b));
	sim_hist_record(&hist, 9);
	sim_hist_record(&hist, 11);
	ck_assert(sim_hist_next(&hist, &cursor_idx, &b));
	ck_assert_uint_eq(b.low, 11);
	ck_assert(!sim_hist_next(&hist, &cursor_idx, &b));
}
END_TEST

static void add_edge_tests(TCase *t)
{
	tcase_add_test(t, empty_histogram_answers_zero);
	tcase_add_loop_test(t, single_value_is_every_quantile, 0, 8);
	tcase_add_test(t, first_and_last_rank_are_exact_within_a_bucket);
	tcase_add_test(t, quantiles_stay_within_min_and_max);
	tcase_add_test(t, ranks_round_up);
	tcase_add_test(t, ranks_and_sums_of_huge_counts_are_exact);
	tcase_add_test(t, mean_rounds_half_up);
	tcase_add_test(t, mean_of_largest_values_does_not_overflow);
	tcase_add_test(t,
		       count_beyond_64_bits_is_refused_and_changes_nothing);
	tcase_add_test_raise_signal(t, record_aborts_when_the_count_is_full,
				    SIGABRT);
	tcase_add_test_raise_signal(t, quantile_beyond_one_aborts, SIGABRT);
	tcase_add_test(t, recording_zero_times_changes_nothing);
}

static Suite *hist_suite(void)
{
	Suite *s = suite_create("hist");
	TCase *t = tcase_create("hist");

	tcase_add_loop_test(
		t, quantiles_of_every_shape_are_within_the_derived_bound, 0,
		8);
	tcase_add_test(t, buckets_tile_all_numbers);
	tcase_add_test(t, values_below_2048_are_exact);
	add_edge_tests(t);
	tcase_add_test(t, record_n_equals_recording_n_times);
	tcase_add_test(t, merge_equals_recording_everything_in_one);
	tcase_add_test(t, merge_with_an_empty_one_copies);
	tcase_add_test(t, merge_with_itself_doubles);
	tcase_add_test(t, reset_leaves_nothing_behind);
	tcase_add_test(t, iteration_visits_every_count_once_in_order);
	tcase_add_test(t, iteration_sees_what_is_recorded_beyond_the_cursor);
	tcase_set_timeout(t, 60);
	suite_add_tcase(s, t);
	return s;
}

int main(void)
{
	SRunner *runner = srunner_create(hist_suite());
	int failed;

	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
