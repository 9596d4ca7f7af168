// SPDX-License-Identifier: GPL-2.0-only
#include <check.h>
#include <stdlib.h>

#include "model/harness/repeat.h"

static struct repeat rep;

/* A run of a second with @ios. */
static void add(uint64_t ios)
{
	struct result r = { .ios = ios, .duration_ps = 1000000000000 };

	r.latency.nr = ios;
	r.latency.sum_ps = ios * 2000;
	r.lat.nr = ios + 1;
	r.lat.sum_ps = (ios + 1) * 3000;
	repeat_add(&rep, &r);
}

static void setup(void)
{
	rep = (struct repeat){ 0 };
}

START_TEST(fewer_than_two_runs_have_no_interval)
{
	ck_assert(repeat_half_width(&rep, &rep.iops) == 0);
	add(100);
	ck_assert(repeat_half_width(&rep, &rep.iops) == 0);
	ck_assert_double_eq_tol(rep.iops.mean, 100, 1e-9);
	ck_assert_double_eq_tol(rep.lat_ns.mean, 2, 1e-9);
	ck_assert_double_eq_tol(rep.job_lat_ns.mean, 3, 1e-9);
}
END_TEST

START_TEST(interval_of_five_runs)
{
	for (uint64_t ios = 98; ios <= 102; ios++)
		add(ios);
	ck_assert_double_eq_tol(rep.iops.mean, 100, 1e-9);
	/* standard deviation sqrt(2.5), t 2.776 */
	ck_assert_double_eq_tol(repeat_half_width(&rep, &rep.iops), 1.96293,
				1e-4);
	ck_assert_double_eq_tol(repeat_half_width(&rep, &rep.lat_ns), 0, 1e-9);
}
END_TEST

START_TEST(intervals_go_on_beyond_the_table)
{
	for (int i = 0; i < 31; i++)
		add(100 + i % 2);
	ck_assert(repeat_half_width(&rep, &rep.iops) > .18);
	for (int i = 31; i < 1000; i++)
		add(100 + i % 2);
	ck_assert(repeat_half_width(&rep, &rep.iops) > .03);
	ck_assert(repeat_half_width(&rep, &rep.iops) < .04);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("repeat");
	TCase *tc = tcase_create("repeat");
	SRunner *sr = srunner_create(s);
	int failed;

	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_test(tc, fewer_than_two_runs_have_no_interval);
	tcase_add_test(tc, interval_of_five_runs);
	tcase_add_test(tc, intervals_go_on_beyond_the_table);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
