// SPDX-License-Identifier: GPL-2.0-only
#include <check.h>
#include <stdlib.h>

#include "sim/digest.h"
#include "sim/random.h"

static uint64_t digest_of(const uint64_t *values, size_t nr)
{
	struct sim_digest d;

	sim_digest_init(&d);
	for (size_t i = 0; i < nr; i++)
		sim_digest_u64(&d, values[i]);
	return sim_digest_value(&d);
}

static uint64_t digest_of_two(uint64_t a, uint64_t b)
{
	return digest_of((uint64_t[]){ a, b }, 2);
}

static uint64_t digest_of_strings(const char *a, const char *b)
{
	struct sim_digest d;

	sim_digest_init(&d);
	sim_digest_str(&d, a);
	if (b)
		sim_digest_str(&d, b);
	return sim_digest_value(&d);
}

/* Computed with a second implementation, in Python */
START_TEST(digests_have_their_golden_values)
{
	const uint64_t zeros[] = { 0, 0 }, counting[] = { 1, 2, 3 };
	const uint64_t ones = UINT64_MAX;

	ck_assert_uint_eq(digest_of(NULL, 0), 0xe9e0033e3badaf36);
	ck_assert_uint_eq(digest_of(zeros, 1), 0x8c50bf398a238d11);
	ck_assert_uint_eq(digest_of(zeros, 2), 0x69784755799c68b3);
	ck_assert_uint_eq(digest_of(counting, 3), 0x26e0fa0eef181bd0);
	ck_assert_uint_eq(digest_of(&ones, 1), 0xbfa7d4a1440a344a);
	ck_assert_uint_eq(digest_of_strings("virtio-blk", NULL),
			  0x94e7ed5e7f2a3f74);
}
END_TEST

START_TEST(digest_depends_on_order)
{
	ck_assert_uint_ne(digest_of_two(1, 2), digest_of_two(2, 1));
	ck_assert_uint_ne(digest_of_two(0, 1), digest_of_two(1, 0));
	ck_assert_uint_ne(digest_of_two(0, UINT64_MAX),
			  digest_of_two(UINT64_MAX, 0));
}
END_TEST

START_TEST(digest_depends_on_the_number_of_values)
{
	static const uint64_t zeros[1000];
	uint64_t before = digest_of(zeros, 0);

	for (size_t nr = 1; nr <= 1000; nr++) {
		uint64_t now = digest_of(zeros, nr);

		ck_assert_uint_ne(now, before);
		before = now;
	}
}
END_TEST

START_TEST(value_may_be_asked_in_between)
{
	const uint64_t one = 1;
	struct sim_digest d;

	sim_digest_init(&d);
	sim_digest_u64(&d, 1);
	ck_assert_uint_eq(sim_digest_value(&d), digest_of(&one, 1));
	sim_digest_u64(&d, 2);
	ck_assert_uint_eq(sim_digest_value(&d), digest_of_two(1, 2));
	ck_assert_uint_eq(sim_digest_value(&d), digest_of_two(1, 2));
}
END_TEST

START_TEST(strings_are_kept_apart)
{
	ck_assert_uint_ne(digest_of_strings("ab", "c"),
			  digest_of_strings("a", "bc"));
	ck_assert_uint_ne(digest_of_strings("", "a"),
			  digest_of_strings("a", ""));
	ck_assert_uint_ne(digest_of_strings("12345678", NULL),
			  digest_of_strings("123456789", NULL));
	ck_assert_uint_ne(digest_of_strings("12345678", ""),
			  digest_of_strings("12345678", NULL));
	ck_assert_uint_ne(digest_of_strings("abcdefgh1", NULL),
			  digest_of_strings("abcdefgh2", NULL));
}
END_TEST

START_TEST(string_counts_as_its_length_and_little_endian_words)
{
	const uint64_t words[] = { 9, 0x3837363534333231, 0xff };

	ck_assert_uint_eq(digest_of_strings("12345678\xff", NULL),
			  digest_of(words, 3));
}
END_TEST

/* A bit flipped at one place must not be undone by one at the next */
START_TEST(two_flipped_bits_do_not_cancel)
{
	uint64_t clean = digest_of_two(3, 4);

	for (int i = 0; i < 64; i++)
		for (int j = 0; j < 64; j++)
			ck_assert_uint_ne(clean,
					  digest_of_two(3 ^ (uint64_t)1 << i,
							4 ^ (uint64_t)1 << j));
}
END_TEST

static int compare_u64(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Small numbers, as sequence numbers and times are */
START_TEST(digests_of_small_values_do_not_meet)
{
	static uint64_t digests[300 * 300];
	const size_t nr = sizeof(digests) / sizeof(*digests);

	for (size_t i = 0; i < nr; i++)
		digests[i] = digest_of_two(i / 300, i % 300);
	qsort(digests, nr, sizeof(*digests), compare_u64);
	for (size_t i = 1; i < nr; i++)
		ck_assert_uint_ne(digests[i], digests[i - 1]);
}
END_TEST

#define TRIALS 1000
#define VALUES 4

/* How often each output bit flips if bit @bit of value @place does */
static void count_flips(int place, int bit, unsigned int *flips)
{
	struct sim_random r;

	sim_random_init(&r, 1, "avalanche");
	for (int n = 0; n < TRIALS; n++) {
		uint64_t values[VALUES], change;

		for (int i = 0; i < VALUES; i++)
			values[i] = sim_random_below(&r, 1000000);
		change = digest_of(values, VALUES);
		values[place] ^= (uint64_t)1 << bit;
		change ^= digest_of(values, VALUES);
		for (int out = 0; out < 64; out++)
			flips[out] += change >> out & 1;
	}
}

/* Half of the times, within 5 standard deviations of 0.0158 */
START_TEST(every_input_bit_flips_every_output_bit_half_of_the_times)
{
	for (int place = 0; place < VALUES; place++) {
		for (int bit = 0; bit < 64; bit++) {
			unsigned int flips[64] = { 0 };

			count_flips(place, bit, flips);
			for (int out = 0; out < 64; out++)
				ck_assert_double_eq_tol(
					flips[out] / (double)TRIALS, 0.5,
					0.08);
		}
	}
}
END_TEST

static Suite *digest_suite(void)
{
	Suite *s = suite_create("digest");
	TCase *t = tcase_create("digest");

	tcase_add_test(t, digests_have_their_golden_values);
	tcase_add_test(t, digest_depends_on_order);
	tcase_add_test(t, digest_depends_on_the_number_of_values);
	tcase_add_test(t, value_may_be_asked_in_between);
	tcase_add_test(t, strings_are_kept_apart);
	tcase_add_test(t,
		       string_counts_as_its_length_and_little_endian_words);
	tcase_add_test(t, two_flipped_bits_do_not_cancel);
	tcase_add_test(t, digests_of_small_values_do_not_meet);
	tcase_add_test(
		t, every_input_bit_flips_every_output_bit_half_of_the_times);
	tcase_set_timeout(t, 60);
	suite_add_tcase(s, t);
	return s;
}

int main(void)
{
	SRunner *runner = srunner_create(digest_suite());
	int failed;

	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
