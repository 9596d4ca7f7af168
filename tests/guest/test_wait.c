// SPDX-License-Identifier: GPL-2.0-only
#include <check.h>
#include <stdlib.h>

#include "model/guest/verdict.h"
#include "model/hw/cost.h"
#include "tests/guest/calls.h"
#include "tests/guest/machine.h"

static void set_up(unsigned int vcpus_nr, uint64_t seed)
{
	machine_start(vcpus_nr);
	machine_set_costs();
	wait_set_seed(seed);
}

static void run(void)
{
	ck_assert(machine_run());
	ck_assert_msg(!machine_failure.nr, "%s, line %d",
		      machine_failure.what, machine_failure.line);
}

static void run_clean(void)
{
	run();
	ck_assert_uint_eq(guest_verdicts_nr(), 0);
	machine_stop();
}

/*
 * Slow barriers open the gaps between taking a place in a queue, setting the
 * state, and testing the condition.
 */
static void run_pair(unsigned int other_cpu, void (*a)(void *),
		     void (*b)(void *))
{
	for (uint64_t seed = 1; seed <= 4; seed++) {
		set_up(2, seed);
		if (seed % 2)
			hw_cost.barrier_ps = seed * SIM_PS_PER_US;
		machine_task(0, a, NULL);
		machine_task(other_cpu, b, NULL);
		run();
		ck_assert_uint_eq(wait_rounds_nr(), 1000);
		ck_assert_uint_eq(guest_verdicts_nr(), 0);
		machine_stop();
	}
}

START_TEST(completions_between_vcpus_lose_no_wake_up)
{
	run_pair(1, wait_complete_side, wait_waiter_side);
}
END_TEST

START_TEST(completions_on_one_vcpu_lose_no_wake_up)
{
	run_pair(0, wait_complete_side, wait_waiter_side);
}
END_TEST

START_TEST(wait_event_loses_no_wake_up)
{
	run_pair(1, wait_event_consumer, wait_event_producer);
	run_pair(0, wait_event_consumer, wait_event_producer);
}
END_TEST

START_TEST(complete_all_lets_everybody_through)
{
	set_up(4, 1);
	for (uintptr_t i = 1; i < 4; i++)
		machine_task((unsigned int)i, wait_all_waiter, (void *)i);
	machine_task(0, wait_all_waker, NULL);
	run_clean();
}
END_TEST

START_TEST(waits_end_at_their_timeout)
{
	set_up(1, 1);
	machine_task(0, wait_timeouts, NULL);
	run_clean();
}
END_TEST

START_TEST(exclusive_waiters_are_woken_one_by_one)
{
	set_up(4, 1);
	for (uintptr_t i = 1; i < 4; i++)
		machine_task((unsigned int)i, wait_exclusive_waiter,
			     (void *)i);
	machine_task(0, wait_exclusive_waker, NULL);
	run_clean();
}
END_TEST

START_TEST(a_mutex_has_one_holder)
{
	for (uint64_t seed = 1; seed <= 3; seed++) {
		set_up(4, seed);
		for (uintptr_t i = 0; i < 4; i++)
			machine_task((unsigned int)i % (unsigned int)(seed + 1),
				     wait_mutex_user, (void *)i);
		ck_assert(machine_run());
		wait_mutex_result();
		ck_assert_msg(!machine_failure.nr, "%s, line %d",
			      machine_failure.what, machine_failure.line);
		ck_assert_uint_eq(guest_verdicts_nr(), 0);
		machine_stop();
	}
}
END_TEST

START_TEST(unlocking_a_mutex_of_another_is_a_verdict)
{
	unsigned long value;
	uint64_t time_ps;

	set_up(1, 1);
	machine_task(0, wait_mutex_wrong_owner, NULL);
	run();
	ck_assert_str_eq(guest_verdict_first(&value, &time_ps),
			 "a mutex is released by somebody who does not hold it");
	machine_stop();
}
END_TEST

START_TEST(timers_fire_in_order_at_their_jiffy)
{
	set_up(1, 1);
	machine_task(0, wait_timer_order, NULL);
	run_clean();
}
END_TEST

START_TEST(a_timer_fires_where_it_was_armed_last)
{
	set_up(2, 1);
	machine_task(0, wait_timer_cpu, NULL);
	run_clean();
}
END_TEST

START_TEST(a_deleted_timer_does_not_fire)
{
	set_up(1, 1);
	machine_task(0, wait_timer_delete, NULL);
	run_clean();
}
END_TEST

START_TEST(sleeps_last_as_long_as_asked)
{
	set_up(1, 1);
	machine_task(0, wait_sleeps, NULL);
	run_clean();
}
END_TEST

int main(void)
{
	Suite *s = suite_create("wait");
	TCase *tc = tcase_create("wait");
	SRunner *sr = srunner_create(s);
	int failed;

	tcase_add_test(tc, completions_between_vcpus_lose_no_wake_up);
	tcase_add_test(tc, completions_on_one_vcpu_lose_no_wake_up);
	tcase_add_test(tc, wait_event_loses_no_wake_up);
	tcase_add_test(tc, complete_all_lets_everybody_through);
	tcase_add_test(tc, waits_end_at_their_timeout);
	tcase_add_test(tc, exclusive_waiters_are_woken_one_by_one);
	tcase_add_test(tc, a_mutex_has_one_holder);
	tcase_add_test(tc, unlocking_a_mutex_of_another_is_a_verdict);
	tcase_add_test(tc, timers_fire_in_order_at_their_jiffy);
	tcase_add_test(tc, a_timer_fires_where_it_was_armed_last);
	tcase_add_test(tc, a_deleted_timer_does_not_fire);
	tcase_add_test(tc, sleeps_last_as_long_as_asked);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
