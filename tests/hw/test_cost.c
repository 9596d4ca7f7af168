// SPDX-License-Identifier: GPL-2.0-only
#include <check.h>

#include "tests/hw/rig.h"

#define DRAWS_NR	20000u

static struct rig_cpu cpu;
static uint64_t least_ps, most_ps, sum_ps;

/* @arg: what each piece of work takes on average. */
static void work(struct rig_cpu *c)
{
	least_ps = UINT64_MAX;
	most_ps = sum_ps = 0;
	for (uint32_t i = 0; i < DRAWS_NR; i++) {
		uint64_t from_ps = sim_now();
		uint64_t took_ps;

		hw_spend_varying((uintptr_t)c->arg);
		took_ps = sim_now() - from_ps;
		sum_ps += took_ps;
		least_ps = took_ps < least_ps ? took_ps : least_ps;
		most_ps = took_ps > most_ps ? took_ps : most_ps;
	}
}

static void run(uint32_t percent, uint64_t seed, uint64_t mean_ps)
{
	rig_hw_init();
	hw_set_jitter(percent, seed);
	rig_thread_start(&cpu, 0, work, (void *)(uintptr_t)mean_ps);
	ck_assert_int_eq(sim_run(), SIM_END_QUIET);
	fiber_fini(&cpu.fiber);
	rig_hw_fini();
	hw_set_jitter(0, 0);
}

START_TEST(without_jitter_nothing_varies)
{
	run(0, 1, 1000);
	ck_assert_uint_eq(least_ps, 1000);
	ck_assert_uint_eq(most_ps, 1000);
}
END_TEST

START_TEST(jitter_keeps_the_mean_and_its_bounds)
{
	run(20, 1, 1000);
	ck_assert_uint_eq(least_ps, 800);
	ck_assert_uint_eq(most_ps, 1200);
	/* standard error 0.8 */
	ck_assert_double_eq_tol((double)sum_ps / DRAWS_NR, 1000, 4);
	run(100, 1, 1000);
	ck_assert_uint_le(least_ps, 1);
	ck_assert_uint_ge(most_ps, 1999);
}
END_TEST

START_TEST(jitter_of_nothing_is_nothing)
{
	run(100, 1, 0);
	ck_assert_uint_eq(most_ps, 0);
}
END_TEST

START_TEST(seed_decides)
{
	uint64_t first_ps;

	run(20, 1, 1000);
	first_ps = sum_ps;
	run(20, 1, 1000);
	ck_assert_uint_eq(sum_ps, first_ps);
	run(20, 2, 1000);
	ck_assert_uint_ne(sum_ps, first_ps);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("hw/cost");
	TCase *tc = tcase_create("cost");
	SRunner *sr = srunner_create(s);
	int failed;

	tcase_add_test(tc, without_jitter_nothing_varies);
	tcase_add_test(tc, jitter_keeps_the_mean_and_its_bounds);
	tcase_add_test(tc, jitter_of_nothing_is_nothing);
	tcase_add_test(tc, seed_decides);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
