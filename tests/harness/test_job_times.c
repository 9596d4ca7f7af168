// SPDX-License-Identifier: GPL-2.0-only
#include <check.h>
#include <stdlib.h>

#include "model/harness/job_times.h"

static struct job_times *times;

static void setup(void)
{
	times = job_times_create(2, 3);
	ck_assert_ptr_nonnull(times);
}

static void teardown(void)
{
	job_times_destroy(times);
}

/* An operation of @job in @unit that begins at @at_ps, and takes 5 and 20. */
static void operation(uint32_t job, uint32_t unit, uint64_t at_ps)
{
	job_times_stamp(times, job, unit, LOAD_STAMP_START, at_ps);
	job_times_stamp(times, job, unit, LOAD_STAMP_ISSUE, at_ps + 5);
	job_times_stamp(times, job, unit, LOAD_STAMP_REAP, at_ps + 25);
}

START_TEST(slat_clat_and_lat)
{
	struct result r = { 0 };

	job_times_window(times, true);
	operation(0, 0, 100);
	operation(1, 2, 50);
	job_times_report(times, &r);
	ck_assert_uint_eq(r.slat.nr, 2);
	ck_assert_uint_eq(r.slat.sum_ps, 10);
	ck_assert_uint_eq(r.clat.sum_ps, 40);
	ck_assert_uint_eq(r.lat.sum_ps, 50);
	ck_assert_uint_eq(r.lat.min_ps, 25);
	ck_assert_uint_eq(r.lat.p99_ps, 25);
}
END_TEST

START_TEST(places_do_not_mix)
{
	struct result r = { 0 };

	job_times_window(times, true);
	job_times_stamp(times, 0, 2, LOAD_STAMP_START, 10);
	job_times_stamp(times, 0, 2, LOAD_STAMP_ISSUE, 11);
	operation(1, 0, 1000);
	operation(0, 1, 2000);
	job_times_stamp(times, 0, 2, LOAD_STAMP_REAP, 3000);
	job_times_report(times, &r);
	ck_assert_uint_eq(r.slat.sum_ps, 5 + 5 + 1);
	ck_assert_uint_eq(r.lat.max_ps, 2990);
}
END_TEST

START_TEST(counts_what_is_reaped_in_the_window)
{
	struct result r = { 0 };

	job_times_stamp(times, 0, 0, LOAD_STAMP_START, 1);
	job_times_stamp(times, 0, 0, LOAD_STAMP_ISSUE, 2);
	operation(0, 1, 10);
	job_times_window(times, true);
	job_times_stamp(times, 0, 0, LOAD_STAMP_REAP, 101);
	job_times_window(times, false);
	operation(1, 1, 200);
	job_times_report(times, &r);
	ck_assert_uint_eq(r.lat.nr, 1);
	ck_assert_uint_eq(r.lat.sum_ps, 100);
}
END_TEST

START_TEST(nothing_reaped_is_all_zero)
{
	struct result r = { .lat = { .max_ps = 7 } };

	job_times_report(times, &r);
	ck_assert_uint_eq(r.lat.nr, 0);
	ck_assert_uint_eq(r.lat.min_ps, 0);
	ck_assert_uint_eq(r.lat.max_ps, 0);
	ck_assert_uint_eq(r.clat.p50_ps, 0);
	ck_assert_double_eq(result_mean_ns(&r.lat), 0);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("job_times");
	TCase *tc = tcase_create("job_times");
	SRunner *sr = srunner_create(s);
	int failed;

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, slat_clat_and_lat);
	tcase_add_test(tc, places_do_not_mix);
	tcase_add_test(tc, counts_what_is_reaped_in_the_window);
	tcase_add_test(tc, nothing_reaped_is_all_zero);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
