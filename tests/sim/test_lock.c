// SPDX-License-Identifier: GPL-2.0-only
#include <check.h>

#include "sim/lock.h"
#include "sim/random.h"
#include "tests/sim/died.h"
#include "tests/sim/rig.h"

static struct sim_lock lock, second;
static struct rig_actor act[8];
static struct sim_event ev;

static void start(void)
{
	rig_init();
	sim_lock_init(&lock);
	sim_lock_init(&second);
}

static void end(uint32_t actors_nr)
{
	ck_assert_int_eq(sim_run(), SIM_END_QUIET);
	for (uint32_t i = 0; i < actors_nr; i++)
		ck_assert_int_eq(act[i].actor.state, SIM_ACTOR_DONE);
	sim_fini();
	for (uint32_t i = 0; i < actors_nr; i++)
		fiber_fini(&act[i].fiber);
}

/* Hold for 100, hand over for 7. */
static void hold(struct rig_actor *a)
{
	sim_lock_acquire(&lock);
	ck_assert(sim_lock_held(&lock));
	rig_log(a->actor.id);
	sim_spend(100);
	sim_lock_release(&lock, 7);
	ck_assert(!sim_lock_held(&lock));
}

START_TEST(free_lock_costs_no_time)
{
	start();
	rig_actor_start(&act[0], 0, 5, hold, NULL);
	end(1);
	rig_expect(0, 5, 0);
	ck_assert_ptr_null(lock.owner);
	ck_assert_uint_eq(lock.stats.acquired_nr, 1);
	ck_assert_uint_eq(lock.stats.contended_nr, 0);
	ck_assert_uint_eq(lock.stats.wait_ps, 0);
	ck_assert_uint_eq(lock.stats.hold_ps, 100);
	ck_assert_uint_eq(lock.stats.queue_max_nr, 0);
}
END_TEST

/*
 * Arrivals 0, 10, 20, 30 of ids 3, 1, 2, 0: they own it from 0, 107, 214, 321,
 * and wait 97, 194, 291.
 */
START_TEST(waiters_get_the_lock_in_order_of_arrival_with_exact_statistics)
{
	start();
	rig_actor_start(&act[3], 3, 0, hold, NULL);
	rig_actor_start(&act[1], 1, 10, hold, NULL);
	rig_actor_start(&act[2], 2, 20, hold, NULL);
	rig_actor_start(&act[0], 0, 30, hold, NULL);
	end(4);
	rig_expect(0, 0, 3);
	rig_expect(1, 107, 1);
	rig_expect(2, 214, 2);
	rig_expect(3, 321, 0);
	ck_assert_uint_eq(lock.stats.acquired_nr, 4);
	ck_assert_uint_eq(lock.stats.contended_nr, 3);
	ck_assert_uint_eq(lock.stats.wait_ps, 97 + 194 + 291);
	ck_assert_uint_eq(lock.stats.wait_max_ps, 291);
	ck_assert_uint_eq(lock.stats.hold_ps, 400);
	ck_assert_uint_eq(lock.stats.hold_max_ps, 100);
	ck_assert_uint_eq(lock.stats.queue_max_nr, 3);
	ck_assert_uint_eq(lock.queue_nr, 0);
}
END_TEST

START_TEST(waiters_of_one_time_queue_by_id)
{
	start();
	rig_actor_start(&act[2], 2, 0, hold, NULL);
	rig_actor_start(&act[1], 1, 0, hold, NULL);
	rig_actor_start(&act[0], 0, 0, hold, NULL);
	end(3);
	rig_expect(0, 0, 0);
	rig_expect(1, 107, 1);
	rig_expect(2, 214, 2);
}
END_TEST

/* At 100 id 0 wants it, before id 1 releases it: the release comes later. */
START_TEST(arrival_at_the_time_of_the_release_goes_by_id)
{
	start();
	rig_actor_start(&act[1], 1, 0, hold, NULL);
	rig_actor_start(&act[0], 0, 100, hold, NULL);
	rig_actor_start(&act[2], 2, 100, hold, NULL);
	end(3);
	rig_expect(1, 107, 0);
	rig_expect(2, 214, 2);
	ck_assert_uint_eq(lock.stats.wait_ps, 7 + 114);
}
END_TEST

static void hold_charged_ahead(struct rig_actor *a)
{
	sim_spend(50);
	hold(a);
}

START_TEST(acquire_waits_for_the_callers_turn)
{
	start();
	rig_actor_start(&act[0], 0, 0, hold_charged_ahead, NULL);
	rig_actor_start(&act[1], 1, 10, hold, NULL);
	end(2);
	rig_expect(0, 10, 1);
	rig_expect(1, 117, 0);
	ck_assert_uint_eq(lock.stats.wait_ps, 67);
}
END_TEST

static void try_and_log(struct rig_actor *a)
{
	sim_spend((uint64_t)(uintptr_t)a->arg);
	if (!sim_lock_try(&lock)) {
		rig_log(100 + a->actor.id);
		return;
	}
	rig_log(a->actor.id);
	sim_spend(100);
	sim_lock_release(&lock, 0);
}

START_TEST(try_takes_a_free_lock_and_refuses_a_taken_one_at_its_turn)
{
	start();
	rig_actor_start(&act[0], 0, 0, try_and_log, (void *)60);
	rig_actor_start(&act[1], 1, 0, try_and_log, (void *)30);
	rig_actor_start(&act[2], 2, 0, try_and_log, (void *)130);
	rig_actor_start(&act[3], 3, 0, try_and_log, (void *)229);
	end(4);
	rig_expect(0, 30, 1);
	rig_expect(1, 60, 100);
	rig_expect(2, 130, 2);
	rig_expect(3, 229, 103);
	ck_assert_uint_eq(lock.stats.acquired_nr, 2);
	ck_assert_uint_eq(lock.stats.contended_nr, 0);
	ck_assert_uint_eq(lock.stats.hold_ps, 200);
}
END_TEST

static void try_own(struct rig_actor *a)
{
	ck_assert(sim_lock_try(&lock));
	ck_assert(!sim_lock_try(&lock));
	rig_log(a->actor.id);
	sim_lock_release(&lock, 0);
}

START_TEST(try_of_an_own_lock_is_refused)
{
	start();
	rig_actor_start(&act[0], 0, 0, try_own, NULL);
	end(1);
	ck_assert_uint_eq(rig_log_nr, 1);
}
END_TEST

/* A waiter that is woken for something else spends this in ->resumed. */
static uint64_t interrupt_ps;
static bool interrupt_due;

static void interrupt(struct sim_actor *actor)
{
	if (!interrupt_due || actor != &act[1].actor)
		return;
	interrupt_due = false;
	rig_log(50);
	sim_spend(interrupt_ps);
	sim_sync();
	rig_log(51);
}

static void raise_interrupt(struct sim_event *e)
{
	(void)e;
	interrupt_due = true;
	sim_actor_rewind(&act[1].actor, sim_now());
	sim_wake(&act[1].actor, sim_now());
}

static void interrupted_wait(uint64_t at_ps, uint64_t spend_ps)
{
	start();
	interrupt_ps = spend_ps;
	rig_actor_start(&act[0], 0, 0, hold, NULL);
	rig_actor_start(&act[1], 1, 10, hold, NULL);
	act[1].actor.resumed = interrupt;
	rig_actor_start(&act[2], 2, 20, hold, NULL);
	sim_event_init(&ev, raise_interrupt);
	sim_event_post(&ev, at_ps);
	end(3);
	rig_expect(0, 0, 0);
	rig_expect(1, at_ps, 50);
	rig_expect(2, at_ps + spend_ps, 51);
}

START_TEST(waiter_is_interrupted_and_goes_on_waiting_in_its_place)
{
	interrupted_wait(30, 20);
	rig_expect(3, 107, 1);
	rig_expect(4, 214, 2);
	ck_assert_uint_eq(lock.stats.wait_ps, 97 + 194);
}
END_TEST

/* Granted at 107, comes back at 230: the lock is held from 107 to 330. */
START_TEST(lock_is_handed_to_a_waiter_that_is_busy_with_an_interrupt)
{
	interrupted_wait(30, 200);
	rig_expect(3, 230, 1);
	rig_expect(4, 337, 2);
	ck_assert_uint_eq(lock.stats.wait_ps, 97 + 317);
	ck_assert_uint_eq(lock.stats.hold_ps, 100 + 223 + 100);
	ck_assert_uint_eq(lock.stats.hold_max_ps, 223);
}
END_TEST

/* Over before the grant takes effect: it still begins at 107. */
START_TEST(waiter_does_not_have_the_lock_before_the_hand_over_is_through)
{
	interrupted_wait(95, 6);
	rig_expect(3, 107, 1);
	ck_assert_uint_eq(lock.stats.wait_ps, 97 + 194);
}
END_TEST

/* The interrupt comes in the middle of the hand-over, 100 to 107. */
START_TEST(interrupt_during_the_hand_over_delays_the_new_owner)
{
	interrupted_wait(103, 20);
	rig_expect(3, 123, 1);
	ck_assert_uint_eq(lock.stats.wait_ps, 97 + 210);
	ck_assert_uint_eq(lock.stats.hold_ps, 100 + 116 + 100);
}
END_TEST

/* In ->resumed the waiter takes another lock, which the first owner has too. */
static void interrupt_takes_second(struct sim_actor *actor)
{
	(void)actor;
	if (!interrupt_due)
		return;
	interrupt_due = false;
	sim_lock_acquire(&second);
	rig_log(60);
	sim_spend(10);
	sim_lock_release(&second, 0);
}

static void hold_second(struct rig_actor *a)
{
	sim_lock_acquire(&second);
	rig_log(70 + a->actor.id);
	sim_spend(180);
	sim_lock_release(&second, 0);
}

START_TEST(interrupt_of_a_waiter_may_wait_for_another_lock)
{
	start();
	rig_actor_start(&act[0], 0, 0, hold, NULL);
	rig_actor_start(&act[1], 1, 10, hold, NULL);
	act[1].actor.resumed = interrupt_takes_second;
	rig_actor_start(&act[2], 2, 20, hold_second, NULL);
	sim_event_init(&ev, raise_interrupt);
	sim_event_post(&ev, 30);
	end(3);
	rig_expect(0, 0, 0);
	rig_expect(1, 20, 72);
	/* granted the first at 107, while it waits for the second until 200 */
	rig_expect(2, 200, 60);
	rig_expect(3, 210, 1);
	ck_assert_uint_eq(second.stats.wait_ps, 170);
	ck_assert_uint_eq(lock.stats.wait_ps, 97);
	ck_assert_uint_eq(lock.stats.hold_ps, 100 + 203);
}
END_TEST

/*
 * Random programs: at most one holder at any time, nobody starves, and the
 * statistics are those of the log.
 */
static uint64_t holders_nr, held_ps, waited_ps, acquired_nr;

static void compete(struct rig_actor *a)
{
	struct sim_random r;

	sim_random_init(&r, (uint64_t)(uintptr_t)a->arg + a->actor.id, "lock");
	for (uint32_t i = 0; i < 100; i++) {
		uint64_t asked_ps, had_ps;

		rig_pass(sim_random_below(&r, 200));
		asked_ps = sim_now();
		sim_lock_acquire(&lock);
		had_ps = sim_now();
		sim_sync();
		rig_assert(!holders_nr++);
		waited_ps += had_ps - asked_ps;
		rig_pass(sim_random_below(&r, 100));
		rig_assert(!--holders_nr);
		held_ps += sim_now() - had_ps;
		acquired_nr++;
		sim_lock_release(&lock, sim_random_below(&r, 10));
	}
}

START_TEST(random_programs_exclude_each_other_and_add_up)
{
	for (uintptr_t seed = 0; seed < 50; seed++) {
		start();
		holders_nr = held_ps = waited_ps = acquired_nr = 0;
		for (uint32_t i = 0; i < 8; i++)
			rig_actor_start(&act[i], i, 0, compete,
					(void *)(seed * 8));
		end(8);
		ck_assert_uint_eq(acquired_nr, 800);
		ck_assert_uint_eq(lock.stats.acquired_nr, 800);
		ck_assert_uint_eq(lock.stats.wait_ps, waited_ps);
		ck_assert_uint_eq(lock.stats.hold_ps, held_ps);
		ck_assert_uint_le(lock.stats.queue_max_nr, 7);
		ck_assert_ptr_null(lock.owner);
		ck_assert_ptr_null(lock.first);
	}
}
END_TEST

static void reset_stats(struct sim_event *e)
{
	(void)e;
	sim_lock_reset_stats(&lock);
}

START_TEST(hold_in_progress_counts_from_the_reset)
{
	start();
	rig_actor_start(&act[0], 0, 0, hold, NULL);
	sim_event_init(&ev, reset_stats);
	sim_event_post(&ev, 30);
	end(1);
	ck_assert_uint_eq(lock.stats.acquired_nr, 0);
	ck_assert_uint_eq(lock.stats.hold_ps, 70);
	ck_assert_uint_eq(lock.stats.hold_max_ps, 70);
}
END_TEST

static void steal(struct rig_actor *a)
{
	(void)a;
	rig_pass(50);
	sim_lock_release(&lock, 0);
}

static void release_by_other(void)
{
	start();
	rig_actor_start(&act[0], 0, 0, hold, NULL);
	rig_actor_start(&act[1], 1, 0, steal, NULL);
	sim_run();
}

static void release_free(void)
{
	start();
	rig_actor_start(&act[1], 1, 0, steal, NULL);
	sim_run();
}

static void take_twice(struct rig_actor *a)
{
	(void)a;
	sim_lock_acquire(&lock);
	sim_lock_acquire(&lock);
}

static void acquire_own(void)
{
	start();
	rig_actor_start(&act[0], 0, 0, take_twice, NULL);
	sim_run();
}

static void acquire_outside(void)
{
	start();
	sim_lock_acquire(&lock);
}

START_TEST(misuse_is_refused)
{
	ck_assert_int_eq(died_of(release_by_other), SIGABRT);
	ck_assert_int_eq(died_of(release_free), SIGABRT);
	ck_assert_int_eq(died_of(acquire_own), SIGABRT);
	ck_assert_int_eq(died_of(acquire_outside), SIGABRT);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("sim/lock");
	TCase *tc = tcase_create("lock");
	SRunner *sr = srunner_create(s);
	int failed;

	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, free_lock_costs_no_time);
	tcase_add_test(tc,
		waiters_get_the_lock_in_order_of_arrival_with_exact_statistics);
	tcase_add_test(tc, waiters_of_one_time_queue_by_id);
	tcase_add_test(tc, arrival_at_the_time_of_the_release_goes_by_id);
	tcase_add_test(tc, acquire_waits_for_the_callers_turn);
	tcase_add_test(tc,
		try_takes_a_free_lock_and_refuses_a_taken_one_at_its_turn);
	tcase_add_test(tc, try_of_an_own_lock_is_refused);
	tcase_add_test(tc,
		waiter_is_interrupted_and_goes_on_waiting_in_its_place);
	tcase_add_test(tc,
		lock_is_handed_to_a_waiter_that_is_busy_with_an_interrupt);
	tcase_add_test(tc,
		waiter_does_not_have_the_lock_before_the_hand_over_is_through);
	tcase_add_test(tc, interrupt_during_the_hand_over_delays_the_new_owner);
	tcase_add_test(tc, interrupt_of_a_waiter_may_wait_for_another_lock);
	tcase_add_test(tc, random_programs_exclude_each_other_and_add_up);
	tcase_add_test(tc, hold_in_progress_counts_from_the_reset);
	tcase_add_test(tc, misuse_is_refused);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? 1 : 0;
}
