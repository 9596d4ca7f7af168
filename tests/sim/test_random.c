// SPDX-License-Identifier: GPL-2.0-only
#include <check.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>

#include "sim/random.h"

static double chi_square(const unsigned int *seen, int cells, double expected)
{
	double sum = 0;

	for (int i = 0; i < cells; i++)
		sum += (seen[i] - expected) * (seen[i] - expected) / expected;
	return sum;
}

/* Reference vector of the generator for state 1, 2, 3, 4 */
START_TEST(generator_is_xoshiro256_starstar)
{
	static const uint64_t expected[] = {
		11520u, 0u, 1509978240u, 1215971899390074240u,
		1216172134540287360u, 607988272756665600u,
		16172922978634559625u, 8476171486693032832u,
		10595114339597558777u, 2904607092377533576u,
	};
	struct sim_random r = { { 1, 2, 3, 4 } };

	for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++)
		ck_assert_uint_eq(sim_random_u64(&r), expected[i]);
}
END_TEST

/* Computed with a second implementation, in Python */
START_TEST(streams_have_their_golden_values)
{
	static const struct {
		uint64_t seed;
		const char *name;
		uint64_t expected[4];
	} golden[] = {
		{ 0, "",
		  { 0xfb5405f7bd79c540, 0x780c98e26cea5883,
		    0x2a146e0980febc66, 0x4851477db8791fca } },
		{ 1, "job0",
		  { 0xe9999cc2a3269ca3, 0x1b0a6236290b02fa,
		    0x8c1b985db694ecd5, 0xaf99cf323a04faa3 } },
		{ UINT64_MAX, "backing",
		  { 0xc68fce22a5a3d5a5, 0x640176f676def269,
		    0xd58f4aa0444e2229, 0x71e1a6dfa7856c48 } },
	};

	for (size_t i = 0; i < sizeof(golden) / sizeof(*golden); i++) {
		struct sim_random r;

		sim_random_init(&r, golden[i].seed, golden[i].name);
		for (int j = 0; j < 4; j++)
			ck_assert_uint_eq(sim_random_u64(&r),
					  golden[i].expected[j]);
	}
}
END_TEST

START_TEST(below_and_unit_have_their_golden_values)
{
	static const uint64_t below[] = { 662, 222, 144, 949, 601, 202 };
	static const double unit[] = {
		0x1.d7d313b6cd491p-1, 0x1.80efc92f7d4eep-1,
		0x1.2154ef92ec940p-4, 0x1.485ceee125c20p-2,
	};
	struct sim_random r;

	sim_random_init(&r, 7, "below");
	for (int i = 0; i < 6; i++)
		ck_assert_uint_eq(sim_random_below(&r, 1000), below[i]);
	sim_random_init(&r, 7, "unit");
	for (int i = 0; i < 4; i++)
		ck_assert(sim_random_unit(&r) == unit[i]);
}
END_TEST

START_TEST(stream_depends_on_seed_and_name_alone)
{
	static const char *const names[] = { "job0", "job1", "backing", "" };
	struct sim_random forth[4], back[4];

	for (int i = 0; i < 4; i++)
		sim_random_init(&forth[i], 5, names[i]);
	for (int i = 3; i >= 0; i--)
		sim_random_init(&back[i], 5, names[i]);
	for (int n = 0; n < 100; n++)
		for (int i = 0; i < 4; i++)
			ck_assert_uint_eq(sim_random_u64(&forth[i]),
					  sim_random_u64(&back[i]));
}
END_TEST

/* Bits of two unrelated streams differ in half: 32 +- 5 sigma / sqrt(n) */
static void assert_unrelated(uint64_t seed_a, const char *name_a,
			     uint64_t seed_b, const char *name_b)
{
	struct sim_random a, b;
	double mean = 0;

	sim_random_init(&a, seed_a, name_a);
	sim_random_init(&b, seed_b, name_b);
	for (int i = 0; i < 10000; i++)
		mean += __builtin_popcountll(sim_random_u64(&a) ^
					     sim_random_u64(&b)) / 10000.0;
	ck_assert_double_eq_tol(mean, 32, 5 * 4 / 100.0);
}

START_TEST(close_names_and_seeds_give_unrelated_streams)
{
	assert_unrelated(1, "job0", 1, "job1");
	assert_unrelated(1, "job0", 2, "job0");
	assert_unrelated(0, "job", 0, "job0");
	assert_unrelated(0, "ab", 0, "ba");
	assert_unrelated(1, "", 0, "");
	assert_unrelated(0, "", (uint64_t)1 << 63, "");
}
END_TEST

static int compare_u64(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

START_TEST(first_numbers_of_many_streams_differ)
{
	static uint64_t first[20000];
	char name[] = "a";

	for (int i = 0; i < 20000; i++) {
		struct sim_random r;

		name[0] = 'a' + i % 20;
		sim_random_init(&r, i / 20, name);
		first[i] = sim_random_u64(&r);
	}
	qsort(first, 20000, sizeof(*first), compare_u64);
	for (int i = 1; i < 20000; i++)
		ck_assert_uint_ne(first[i], first[i - 1]);
}
END_TEST

/* Between the 0.1 % and 99.9 % points for 255 degrees of freedom */
static void assert_256_cells_uniform(const unsigned int *seen)
{
	double chi = chi_square(seen, 256, 1000);

	ck_assert_double_ge(chi, 190.9);
	ck_assert_double_le(chi, 330.6);
}

START_TEST(every_byte_of_a_number_is_uniform)
{
	static unsigned int seen[8][256];
	struct sim_random r;

	sim_random_init(&r, 1, "bytes");
	for (int i = 0; i < 256000; i++) {
		uint64_t v = sim_random_u64(&r);

		for (int byte = 0; byte < 8; byte++)
			seen[byte][v >> 8 * byte & 255]++;
	}
	for (int byte = 0; byte < 8; byte++)
		assert_256_cells_uniform(seen[byte]);
}
END_TEST

START_TEST(pairs_of_successive_numbers_are_uniform)
{
	static unsigned int seen[256];
	struct sim_random r;

	sim_random_init(&r, 1, "pairs");
	for (int i = 0; i < 256000; i++) {
		unsigned int high = sim_random_u64(&r) >> 60;

		seen[high << 4 | sim_random_u64(&r) >> 60]++;
	}
	assert_256_cells_uniform(seen);
}
END_TEST

static double chi_square_of_digits(uint64_t seed)
{
	unsigned int seen[10] = { 0 };
	struct sim_random r;
	bool below = true;

	sim_random_init(&r, seed, "digits");
	for (int i = 0; i < 10000; i++) {
		uint64_t v = sim_random_below(&r, 10);

		below = below && v < 10;
		seen[v % 10]++;
	}
	ck_assert(below);
	return chi_square(seen, 10, 1000);
}

/*
 * One stream in a thousand is beyond the 99.9 % point, so look at a thousand:
 * the numbers of them beyond three points of the distribution with 9 degrees
 * of freedom must be binomial, within 5 standard deviations.
 */
START_TEST(below_is_as_uniform_as_chance_would_be_over_1000_streams)
{
	int above_1 = 0, above_50 = 0, above_99 = 0;

	for (uint64_t seed = 0; seed < 1000; seed++) {
		double chi = chi_square_of_digits(seed);

		above_1 += chi > 2.0879;
		above_50 += chi > 8.3428;
		above_99 += chi > 21.666;
	}
	ck_assert_int_ge(above_1, 974);
	ck_assert_int_le(above_1, 999);
	ck_assert_int_ge(above_50, 421);
	ck_assert_int_le(above_50, 579);
	ck_assert_int_ge(above_99, 1);
	ck_assert_int_le(above_99, 26);
}
END_TEST

/*
 * Four numbers to three results: without rejection the residue 0 would come
 * half of the time, and a remainder instead of a product would put half of the
 * results in the lowest third.
 */
START_TEST(below_has_no_bias_for_three_quarters_of_2_to_64)
{
	const uint64_t quarter = (uint64_t)1 << 62;
	unsigned int residue[3] = { 0 }, third[3] = { 0 };
	struct sim_random r;

	sim_random_init(&r, 3, "below");
	for (int i = 0; i < 90000; i++) {
		uint64_t v = sim_random_below(&r, 3 * quarter);

		ck_assert_uint_lt(v, 3 * quarter);
		residue[v % 3]++;
		third[v / quarter]++;
	}
	ck_assert_double_le(chi_square(residue, 3, 30000), 13.82);
	ck_assert_double_le(chi_square(third, 3, 30000), 13.82);
}
END_TEST

START_TEST(below_takes_the_smallest_and_largest_n)
{
	struct sim_random r;

	sim_random_init(&r, 4, "below");
	for (int i = 0; i < 1000; i++) {
		ck_assert_uint_eq(sim_random_below(&r, 1), 0);
		ck_assert_uint_lt(sim_random_below(&r, UINT64_MAX),
				  UINT64_MAX);
	}
}
END_TEST

START_TEST(below_aborts_on_zero)
{
	struct sim_random r;

	sim_random_init(&r, 4, "below");
	sim_random_below(&r, 0);
}
END_TEST

/* A state whose next number is @v: the output function inverted */
static struct sim_random about_to_yield(uint64_t v)
{
	uint64_t x = v * 0x8e38e38e38e38e39u;	/* 1/9 modulo 2^64 */

	x = x >> 7 | x << 57;
	return (struct sim_random){ { 1, x * 0xcccccccccccccccdu, 2, 3 } };
}

START_TEST(unit_reaches_0_and_stays_below_1)
{
	struct sim_random r = about_to_yield(0);

	ck_assert(sim_random_unit(&r) == 0);
	r = about_to_yield(UINT64_MAX);
	ck_assert(sim_random_unit(&r) == 0x1.fffffffffffffp-1);
	r = about_to_yield((uint64_t)1 << 11);
	ck_assert(sim_random_unit(&r) == 0x1p-53);
}
END_TEST

/* Mean 1/2 and variance 1/12, each within 5 standard errors */
START_TEST(unit_has_the_moments_of_the_uniform_distribution)
{
	double sum = 0, squares = 0;
	struct sim_random r;

	sim_random_init(&r, 5, "unit");
	for (int i = 0; i < 100000; i++) {
		double d = sim_random_unit(&r) - 0.5;

		sum += d;
		squares += d * d;
	}
	ck_assert_double_eq_tol(sum / 1e5, 0, 0.0046);
	ck_assert_double_eq_tol(squares / 1e5, 1 / 12.0, 0.0012);
}
END_TEST

static Suite *random_suite(void)
{
	Suite *s = suite_create("random");
	TCase *t = tcase_create("random");

	tcase_add_test(t, generator_is_xoshiro256_starstar);
	tcase_add_test(t, streams_have_their_golden_values);
	tcase_add_test(t, below_and_unit_have_their_golden_values);
	tcase_add_test(t, stream_depends_on_seed_and_name_alone);
	tcase_add_test(t, close_names_and_seeds_give_unrelated_streams);
	tcase_add_test(t, first_numbers_of_many_streams_differ);
	tcase_add_test(t, every_byte_of_a_number_is_uniform);
	tcase_add_test(t, pairs_of_successive_numbers_are_uniform);
	tcase_add_test(
		t, below_is_as_uniform_as_chance_would_be_over_1000_streams);
	tcase_add_test(t, below_has_no_bias_for_three_quarters_of_2_to_64);
	tcase_add_test(t, below_takes_the_smallest_and_largest_n);
	tcase_add_test_raise_signal(t, below_aborts_on_zero, SIGABRT);
	tcase_add_test(t, unit_reaches_0_and_stays_below_1);
	tcase_add_test(t, unit_has_the_moments_of_the_uniform_distribution);
	tcase_set_timeout(t, 60);
	suite_add_tcase(s, t);
	return s;
}

int main(void)
{
	SRunner *runner = srunner_create(random_suite());
	int failed;

	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
