// SPDX-License-Identifier: GPL-2.0-only
#include <check.h>
#include <stdlib.h>

#include "model/guest/verdict.h"
#include "model/hw/cost.h"
#include "tests/guest/machine.h"
#include "tests/guest/sched_test.h"

static void set_up(unsigned int vcpus_nr, uint64_t seed)
{
	machine_start(vcpus_nr);
	machine_set_costs();
	sched_reset(seed);
}

static void check_clean(bool quiet)
{
	ck_assert_msg(!machine_failure.nr, "%s, line %d",
		      machine_failure.what, machine_failure.line);
	ck_assert_msg(quiet, "a task has not ended");
	ck_assert_msg(!guest_verdicts_nr(), "%s", machine_message());
}

static void run(void)
{
	check_clean(machine_run());
}

static void run_one(unsigned int vcpus_nr, void (*fn)(void *))
{
	set_up(vcpus_nr, 1);
	machine_task(0, fn, NULL);
	run();
	machine_stop();
}

static void run_two(void (*on_0)(void *), void (*on_1)(void *))
{
	set_up(2, 1);
	machine_task(1, on_1, NULL);
	machine_task(0, on_0, NULL);
	run();
	machine_stop();
}

START_TEST(a_wake_up_between_state_and_schedule_is_not_lost)
{
	for (uint64_t seed = 1; seed <= 4; seed++) {
		set_up(2, seed);
		machine_task(0, sched_sleeper, NULL);
		machine_task(seed % 2, sched_waker, NULL);
		run();
		ck_assert_uint_eq(sched_rounds_nr(), 1000);
		machine_stop();
	}
}
END_TEST

START_TEST(task_sleep_is_exact)
{
	for (uint64_t ps = 1; ps <= SIM_PS_PER_MS; ps *= 1000) {
		machine_start(1);
		sched_reset(1);
		machine_task(0, sched_exact_sleep, (void *)ps);
		run();
		machine_stop();
	}
}
END_TEST

START_TEST(two_tasks_share_a_vcpu)
{
	set_up(1, 1);
	machine_task(0, sched_share, (void *)0);
	machine_task(0, sched_share, (void *)1);
	run();
	sched_share_result(NULL);
	check_clean(true);
	machine_stop();
}
END_TEST

START_TEST(an_idle_vcpu_halts_and_is_woken_by_one_ipi)
{
	run_two(sched_ipi_waker, sched_ipi_sleeper);
}
END_TEST

START_TEST(synchronize_rcu_waits_for_a_task)
{
	run_two(sched_rcu_waiter, sched_reader);
}
END_TEST

START_TEST(synchronize_rcu_waits_for_a_handler_on_an_idle_vcpu)
{
	run_one(2, sched_irq_rcu_waiter);
}
END_TEST

START_TEST(synchronize_rcu_takes_user_space_for_the_end)
{
	run_two(sched_irq_reader, sched_rcu_user);
	ck_assert_uint_eq(sched_rounds_nr(), 1);
}
END_TEST

static void run_verdict(void (*fn)(void *), const char *what)
{
	unsigned long value;
	uint64_t time_ps;

	set_up(1, 1);
	machine_task(0, fn, NULL);
	machine_run();
	ck_assert_uint_eq(machine_failure.nr, 0);
	ck_assert_uint_eq(guest_verdicts_nr(), 1);
	ck_assert_str_eq(guest_verdict_first(&value, &time_ps), what);
	machine_stop();
}

START_TEST(sleeping_with_a_spinlock_is_a_verdict)
{
	run_verdict(sched_sleep_locked,
		    "a task sleeps with a spinlock held");
}
END_TEST

START_TEST(a_spinlock_is_given_in_the_order_of_arrival)
{
	set_up(4, 1);
	machine_task(0, lock_fair_holder, NULL);
	machine_task(0, lock_fair_result, NULL);
	for (uintptr_t i = 1; i < 4; i++)
		machine_task((unsigned int)i, lock_fair_waiter, (void *)i);
	run();
	machine_stop();
}
END_TEST

START_TEST(a_spinlock_excludes)
{
	set_up(4, 1);
	for (unsigned int i = 0; i < 4; i++)
		machine_task(i, lock_count, NULL);
	run();
	ck_assert_uint_eq(sched_rounds_nr(), 4000);
	machine_stop();
}
END_TEST

START_TEST(exits_are_counted_for_the_lock_held)
{
	run_one(1, lock_exits);
}
END_TEST

START_TEST(taking_a_spinlock_twice_is_a_verdict)
{
	run_verdict(lock_recursive, "a spinlock is taken again by its holder");
}
END_TEST

START_TEST(releasing_a_spinlock_of_another_is_a_verdict)
{
	run_verdict(lock_foreign_release,
		    "a spinlock is released by somebody who does not hold it");
}
END_TEST

START_TEST(a_spinlock_that_was_overwritten_is_a_verdict)
{
	run_verdict(lock_unset,
		    "a spinlock was not initialised or overwritten");
}
END_TEST

START_TEST(a_handler_runs_on_its_stack_with_interrupts_off)
{
	run_one(1, irq_basics);
}
END_TEST

START_TEST(a_softirq_runs_after_the_handler_with_interrupts_on)
{
	run_one(1, irq_softirq);
}
END_TEST

START_TEST(synchronize_irq_and_free_irq_wait_for_the_handler)
{
	run_one(2, irq_synchronize);
}
END_TEST

START_TEST(calls_to_a_vcpu_run_in_order_with_one_ipi)
{
	set_up(2, 1);
	hw_cost.ipi_deliver_ps = 50 * SIM_PS_PER_US;
	machine_task(0, irq_calls_in_order, NULL);
	run();
	machine_stop();
}
END_TEST

START_TEST(request_irq_refuses_what_was_not_given_out)
{
	run_one(2, irq_refusals);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("sched");
	TCase *tc = tcase_create("sched");
	SRunner *sr = srunner_create(s);
	int failed;

	tcase_add_test(tc, a_wake_up_between_state_and_schedule_is_not_lost);
	tcase_add_test(tc, task_sleep_is_exact);
	tcase_add_test(tc, two_tasks_share_a_vcpu);
	tcase_add_test(tc, an_idle_vcpu_halts_and_is_woken_by_one_ipi);
	tcase_add_test(tc, synchronize_rcu_waits_for_a_task);
	tcase_add_test(tc, synchronize_rcu_waits_for_a_handler_on_an_idle_vcpu);
	tcase_add_test(tc, synchronize_rcu_takes_user_space_for_the_end);
	tcase_add_test(tc, sleeping_with_a_spinlock_is_a_verdict);
	tcase_add_test(tc, a_spinlock_is_given_in_the_order_of_arrival);
	tcase_add_test(tc, a_spinlock_excludes);
	tcase_add_test(tc, exits_are_counted_for_the_lock_held);
	tcase_add_test(tc, taking_a_spinlock_twice_is_a_verdict);
	tcase_add_test(tc, releasing_a_spinlock_of_another_is_a_verdict);
	tcase_add_test(tc, a_spinlock_that_was_overwritten_is_a_verdict);
	tcase_add_test(tc, a_handler_runs_on_its_stack_with_interrupts_off);
	tcase_add_test(tc, a_softirq_runs_after_the_handler_with_interrupts_on);
	tcase_add_test(tc, synchronize_irq_and_free_irq_wait_for_the_handler);
	tcase_add_test(tc, calls_to_a_vcpu_run_in_order_with_one_ipi);
	tcase_add_test(tc, request_irq_refuses_what_was_not_given_out);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
