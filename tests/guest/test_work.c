// SPDX-License-Identifier: GPL-2.0-only
#include <check.h>
#include <stdlib.h>

#include "model/guest/verdict.h"
#include "sim/trace.h"
#include "tests/guest/calls.h"
#include "tests/guest/machine.h"

static void run(void)
{
	ck_assert(machine_run());
	ck_assert_msg(!machine_failure.nr, "%s, line %d",
		      machine_failure.what, machine_failure.line);
	ck_assert_uint_eq(guest_verdicts_nr(), 0);
}

/* With costs and without: the rules hold for any speed. */
static void run_on_two(void (*fn)(void *arg))
{
	for (int costs = 0; costs < 2; costs++) {
		machine_start(2);
		if (costs)
			machine_set_costs();
		machine_task(0, fn, NULL);
		run();
		machine_stop();
	}
}

START_TEST(a_pending_work_is_not_queued_again)
{
	run_on_two(work_refuses_pending);
}
END_TEST

START_TEST(a_work_may_queue_itself)
{
	run_on_two(work_requeues_itself);
}
END_TEST

START_TEST(flush_waits_for_the_last_queued_run)
{
	run_on_two(work_flush_waits);
}
END_TEST

START_TEST(a_cancelled_work_does_not_run)
{
	run_on_two(work_cancel);
}
END_TEST

START_TEST(cancel_ends_a_work_that_queues_itself)
{
	run_on_two(work_cancel_self_requeueing);
}
END_TEST

START_TEST(a_work_never_runs_twice_at_a_time)
{
	run_on_two(work_never_overlaps);
}
END_TEST

START_TEST(a_delayed_work_runs_at_its_jiffy)
{
	run_on_two(work_delayed);
}
END_TEST

START_TEST(a_delay_can_be_changed)
{
	run_on_two(work_mod_delayed);
}
END_TEST

START_TEST(destroy_runs_what_was_queued)
{
	run_on_two(work_destroy);
}
END_TEST

static uint64_t run_stress(void)
{
	uint64_t digest;

	machine_start(4);
	machine_set_costs();
	for (uintptr_t i = 0; i < 4; i++)
		machine_task((unsigned int)i, work_stress, (void *)i);
	run();
	machine_task(0, work_stress_end, NULL);
	run();
	digest = trace_digest();
	machine_stop();
	return digest;
}

START_TEST(each_accepted_work_runs_once_or_is_cancelled)
{
	run_stress();
}
END_TEST

START_TEST(equal_runs_have_equal_digests)
{
	uint64_t digest = run_stress();

	ck_assert_uint_eq(run_stress(), digest);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("work");
	TCase *tc = tcase_create("work");
	SRunner *sr = srunner_create(s);
	int failed;

	tcase_add_test(tc, a_pending_work_is_not_queued_again);
	tcase_add_test(tc, a_work_may_queue_itself);
	tcase_add_test(tc, flush_waits_for_the_last_queued_run);
	tcase_add_test(tc, a_cancelled_work_does_not_run);
	tcase_add_test(tc, cancel_ends_a_work_that_queues_itself);
	tcase_add_test(tc, a_work_never_runs_twice_at_a_time);
	tcase_add_test(tc, a_delayed_work_runs_at_its_jiffy);
	tcase_add_test(tc, a_delay_can_be_changed);
	tcase_add_test(tc, destroy_runs_what_was_queued);
	tcase_add_test(tc, each_accepted_work_runs_once_or_is_cancelled);
	tcase_add_test(tc, equal_runs_have_equal_digests);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
