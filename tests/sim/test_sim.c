// SPDX-License-Identifier: GPL-2.0-only
#include <check.h>

#include "sim/random.h"
#include "tests/sim/died.h"
#include "tests/sim/rig.h"

#define EVENT_WHO	1000u	/* events log this plus their number */

struct numbered {
	struct sim_event event;
	uint64_t nr;
	uint64_t delay_ps;
};

static struct numbered ev[8];
static struct rig_actor act[8];

static void log_event(struct sim_event *e)
{
	rig_log(EVENT_WHO + ((struct numbered *)e)->nr);
}

static void event_init(uint32_t i, sim_event_fn fn)
{
	sim_event_init(&ev[i].event, fn);
	ev[i].nr = i;
}

static void post(uint32_t i, sim_event_fn fn, uint64_t at_ps)
{
	event_init(i, fn);
	sim_event_post(&ev[i].event, at_ps);
}

static void log_self(struct rig_actor *a)
{
	rig_log(a->actor.id);
}

static void fini_actors(uint32_t nr)
{
	sim_fini();
	for (uint32_t i = 0; i < nr; i++)
		fiber_fini(&act[i].fiber);
}

START_TEST(events_run_in_order_of_time)
{
	rig_init();
	post(0, log_event, 30);
	post(1, log_event, 10);
	post(2, log_event, 20);
	post(3, log_event, 0);
	ck_assert_int_eq(sim_run(), SIM_END_QUIET);
	rig_expect(0, 0, EVENT_WHO + 3);
	rig_expect(1, 10, EVENT_WHO + 1);
	rig_expect(2, 20, EVENT_WHO + 2);
	rig_expect(3, 30, EVENT_WHO + 0);
	ck_assert_uint_eq(sim.events_nr, 4);
	ck_assert_uint_eq(sim.ties_nr, 0);
	ck_assert_uint_eq(sim.switches_nr, 0);
	sim_fini();
}
END_TEST

/*
 * The tie order of sim.h. Items 0, 1: events; 2, 3: actors with ids 5 and 2, so
 * the smaller id belongs to the later item. All are due at time 100 and queued
 * in all 24 orders, from the outside, from an event, and from an actor.
 */
#define TIE_PS 100u

static const uint8_t *tie_order;

static void tie_queue(uint8_t item)
{
	if (item < 2)
		sim_event_post(&ev[item].event, TIE_PS);
	else
		sim_actor_start(&act[item].actor, TIE_PS);
}

static void tie_queue_all(void)
{
	for (uint32_t i = 0; i < 4; i++)
		tie_queue(tie_order[i]);
}

static void tie_from_event(struct sim_event *e)
{
	(void)e;
	tie_queue_all();
}

static void tie_from_actor(struct rig_actor *a)
{
	(void)a;
	rig_pass(7);
	tie_queue_all();
}

/* The id between the two others', so that it is neither first nor last. */
static void tie_from_actor_then_log(struct rig_actor *a)
{
	rig_pass(7);
	tie_queue_all();
	rig_pass(TIE_PS - 7);
	log_self(a);
}

static void tie_assert(uint32_t nr)
{
	uint32_t first = 0;

	while (tie_order[first] > 1)
		first++;
	ck_assert_uint_eq(rig_log_nr, nr);
	rig_expect(0, TIE_PS, EVENT_WHO + tie_order[first]);
	rig_expect(1, TIE_PS, EVENT_WHO + !tie_order[first]);
	rig_expect(2, TIE_PS, 2);
	if (nr == 5)
		rig_expect(3, TIE_PS, 3);
	rig_expect(nr - 1, TIE_PS, 5);
}

static void tie_run(uint32_t from)
{
	rig_init();
	event_init(0, log_event);
	event_init(1, log_event);
	rig_actor_init(&act[2], 5, log_self, NULL);
	rig_actor_init(&act[3], 2, log_self, NULL);
	memset(&act[4].fiber, 0, sizeof(act[4].fiber));
	if (from == 0)
		tie_queue_all();
	else if (from == 1)
		post(2, tie_from_event, 7);
	else
		rig_actor_start(&act[4], 3, 0, from == 2 ? tie_from_actor :
				tie_from_actor_then_log, NULL);
	ck_assert_int_eq(sim_run(), SIM_END_QUIET);
	tie_assert(from == 3 ? 5 : 4);
	sim_fini();
	for (uint32_t i = 2; i < 5; i++)
		fiber_fini(&act[i].fiber);
}

START_TEST(ties_go_to_events_as_posted_then_to_actors_by_id)
{
	uint32_t orders_nr = 0;

	for (uint32_t n = 0; n < 256; n++) {
		uint8_t order[4] = { n & 3, n >> 2 & 3, n >> 4 & 3, n >> 6 };
		uint32_t seen = 1u << order[0] | 1u << order[1] |
				1u << order[2] | 1u << order[3];

		if (seen != 15)
			continue;
		orders_nr++;
		tie_order = order;
		for (uint32_t from = 0; from < 4; from++)
			tie_run(from);
	}
	ck_assert_uint_eq(orders_nr, 24);
}
END_TEST

static void three_turns_at_one_time(struct rig_actor *a)
{
	for (int i = 0; i < 3; i++) {
		sim_sync();
		log_self(a);
	}
}

START_TEST(actor_keeps_its_turn_until_it_spends)
{
	rig_init();
	rig_actor_start(&act[0], 0, 5, three_turns_at_one_time, NULL);
	rig_actor_start(&act[1], 1, 5, three_turns_at_one_time, NULL);
	sim_run();
	for (uint32_t i = 0; i < 6; i++)
		rig_expect(i, 5, i / 3);
	fini_actors(2);
}
END_TEST

static void post_now_and_sync(struct rig_actor *a)
{
	log_self(a);
	post(0, log_event, sim_now());
	log_self(a);
	sim_sync();
	log_self(a);
}

START_TEST(event_posted_for_now_runs_at_the_next_sync)
{
	rig_init();
	rig_actor_start(&act[0], 0, 5, post_now_and_sync, NULL);
	sim_run();
	rig_expect(0, 5, 0);
	rig_expect(1, 5, 0);
	rig_expect(2, 5, EVENT_WHO);
	rig_expect(3, 5, 0);
	fini_actors(1);
}
END_TEST

static void post_in_between(struct rig_actor *a)
{
	post(0, log_event, 30);
	rig_pass(100);
	log_self(a);
}

START_TEST(event_posted_within_a_running_actors_bound_runs_first)
{
	rig_init();
	rig_actor_start(&act[0], 0, 0, post_in_between, NULL);
	sim_run();
	rig_expect(0, 30, EVENT_WHO);
	rig_expect(1, 100, 0);
	fini_actors(1);
}
END_TEST

static void post_again(struct sim_event *e)
{
	log_event(e);
	ck_assert(!sim_event_pending(e));
	ck_assert_ptr_null(sim.actor);
	if (rig_log_nr < 5)
		sim_event_post(e, sim_now() + 10);
}

START_TEST(event_may_be_posted_again_in_its_callback)
{
	rig_init();
	post(0, post_again, 1);
	sim_run();
	ck_assert_uint_eq(rig_log_nr, 5);
	rig_expect(4, 41, EVENT_WHO);
	sim_fini();
}
END_TEST

START_TEST(cancelled_event_does_not_run)
{
	rig_init();
	post(0, log_event, 10);
	post(1, log_event, 20);
	ck_assert(sim_event_pending(&ev[0].event));
	ck_assert(sim_event_cancel(&ev[0].event));
	ck_assert(!sim_event_pending(&ev[0].event));
	ck_assert(!sim_event_cancel(&ev[0].event));
	sim_run();
	ck_assert_uint_eq(rig_log_nr, 1);
	rig_expect(0, 20, EVENT_WHO + 1);
	ck_assert(!sim_event_cancel(&ev[1].event));
	sim_fini();
}
END_TEST

static void cancel_other(struct sim_event *e)
{
	log_event(e);
	ck_assert(sim_event_cancel(&ev[1].event));
}

START_TEST(event_cancelled_by_one_of_the_same_time_does_not_run)
{
	rig_init();
	post(0, cancel_other, 10);
	post(1, log_event, 10);
	post(2, log_event, 10);
	sim_run();
	ck_assert_uint_eq(rig_log_nr, 2);
	rig_expect(1, 10, EVENT_WHO + 2);
	sim_fini();
}
END_TEST

static void cancel_and_go_on(struct rig_actor *a)
{
	uint64_t switches_nr = sim.switches_nr;

	ck_assert(sim_event_cancel(&ev[0].event));
	rig_pass(100);
	ck_assert_uint_eq(sim.switches_nr, switches_nr);
	log_self(a);
}

START_TEST(cancelling_lets_the_running_actor_go_further)
{
	rig_init();
	post(0, log_event, 50);
	rig_actor_start(&act[0], 0, 0, cancel_and_go_on, NULL);
	sim_run();
	ck_assert_uint_eq(rig_log_nr, 1);
	fini_actors(1);
}
END_TEST

START_TEST(event_posted_again_after_cancel_goes_to_the_end_of_its_time)
{
	rig_init();
	post(0, log_event, 10);
	post(1, log_event, 10);
	sim_event_cancel(&ev[0].event);
	sim_event_post(&ev[0].event, 10);
	sim_run();
	rig_expect(0, 10, EVENT_WHO + 1);
	rig_expect(1, 10, EVENT_WHO + 0);
	sim_fini();
}
END_TEST

/*
 * A random program: accesses after random times (0 included, for ties), some
 * of them posting an event one ps or more later.
 */
struct program {
	struct sim_random random;
	uint32_t steps_nr;
	uint64_t step_max_ps;
};

static struct program program[8];
static struct numbered program_event[8];

static void program_main(struct rig_actor *a)
{
	struct program *p = a->arg;
	struct numbered *e = &program_event[a->actor.id];

	for (uint32_t i = 0; i < p->steps_nr; i++) {
		rig_pass(sim_random_below(&p->random, p->step_max_ps));
		log_self(a);
		if (sim_random_below(&p->random, 4) ||
		    sim_event_pending(&e->event))
			continue;
		sim_event_post(&e->event, sim_now() + 1 +
			       sim_random_below(&p->random, 8));
	}
}

static uint32_t programs_start(uint64_t seed)
{
	uint32_t actors_nr = 2 + (uint32_t)(seed % 7);
	struct sim_random r;

	rig_init();
	sim_random_init(&r, seed, "test.programs");
	for (uint32_t i = 0; i < actors_nr; i++) {
		program[i].steps_nr = 50 + (uint32_t)sim_random_below(&r, 100);
		program[i].step_max_ps = 1 + sim_random_below(&r, 12);
		sim_random_init(&program[i].random, sim_random_u64(&r), "p");
		sim_event_init(&program_event[i].event, log_event);
		program_event[i].nr = i;
		rig_actor_start(&act[i], i, sim_random_below(&r, 20),
				program_main, &program[i]);
	}
	return actors_nr;
}

/* Ascending by (time, events first, id); the events' order is not known here. */
static void assert_sorted(void)
{
	for (uint32_t i = 1; i < rig_log_nr; i++) {
		const struct rig_entry *a = &rig_log_entry[i - 1], *b = a + 1;
		bool a_actor = a->who < EVENT_WHO, b_actor = b->who < EVENT_WHO;

		rig_assert(a->time_ps <= b->time_ps);
		if (a->time_ps < b->time_ps)
			continue;
		rig_assert(a_actor <= b_actor);
		if (a_actor && b_actor)
			rig_assert(a->who <= b->who);
	}
}

START_TEST(accesses_of_random_programs_happen_in_order_of_time_and_id)
{
	for (uint64_t seed = 0; seed < 500; seed++) {
		uint32_t actors_nr = programs_start(seed);

		ck_assert_int_eq(sim_run(), SIM_END_QUIET);
		assert_sorted();
		ck_assert_uint_gt(rig_log_nr, 100);
		for (uint32_t i = 0; i < actors_nr; i++)
			ck_assert_int_eq(act[i].actor.state, SIM_ACTOR_DONE);
		fini_actors(actors_nr);
	}
}
END_TEST

static struct rig_entry first_log[RIG_LOG_NR];

static void stop_now(struct sim_event *e)
{
	(void)e;
	sim_stop();
}

START_TEST(run_that_is_stopped_and_goes_on_does_the_same)
{
	for (uint64_t seed = 0; seed < 50; seed++) {
		uint32_t nr, actors_nr = programs_start(seed);
		uint64_t at_ps = 0;
		struct sim_event stop;

		sim_run();
		nr = rig_log_nr;
		memcpy(first_log, rig_log_entry, nr * sizeof(first_log[0]));
		fini_actors(actors_nr);

		programs_start(seed);
		sim_event_init(&stop, stop_now);
		for (uint32_t i = 0; i < 400; i++) {
			at_ps += 1 + seed % 5;
			sim_event_post(&stop, at_ps);
			ck_assert_int_eq(sim_run(), SIM_END_STOPPED);
		}
		ck_assert_int_eq(sim_run(), SIM_END_QUIET);
		ck_assert_uint_eq(rig_log_nr, nr);
		ck_assert_int_eq(memcmp(first_log, rig_log_entry,
					nr * sizeof(first_log[0])), 0);
		fini_actors(actors_nr);
	}
}
END_TEST

static void stop_then_spend(struct rig_actor *a)
{
	rig_pass(10);
	sim_stop();
	log_self(a);
	sim_spend(90);
	log_self(a);
	sim_sync();
	log_self(a);
}

START_TEST(stopping_actor_goes_on_until_it_syncs)
{
	rig_init();
	rig_actor_start(&act[0], 0, 0, stop_then_spend, NULL);
	post(0, log_event, 70);
	ck_assert_int_eq(sim_run(), SIM_END_STOPPED);
	ck_assert_uint_eq(rig_log_nr, 2);
	rig_expect(1, 100, 0);
	ck_assert_ptr_null(sim.actor);
	fini_actors(1);
}
END_TEST

START_TEST(what_was_earlier_than_the_stopping_actor_runs_when_going_on)
{
	rig_init();
	rig_actor_start(&act[0], 0, 0, stop_then_spend, NULL);
	post(0, log_event, 70);
	sim_run();
	ck_assert_int_eq(sim_run(), SIM_END_QUIET);
	rig_expect(2, 70, EVENT_WHO);
	rig_expect(3, 100, 0);
	fini_actors(1);
}
END_TEST

static void stop_and_exit(struct rig_actor *a)
{
	(void)a;
	sim_stop();
}

START_TEST(stop_counts_even_when_nothing_is_left)
{
	rig_init();
	rig_actor_start(&act[0], 0, 5, stop_and_exit, NULL);
	ck_assert_int_eq(sim_run(), SIM_END_STOPPED);
	ck_assert_int_eq(sim_run(), SIM_END_QUIET);
	ck_assert_int_eq(act[0].actor.state, SIM_ACTOR_DONE);
	fini_actors(1);
}
END_TEST

static void stop_and_park(struct rig_actor *a)
{
	sim_stop();
	sim_park();
	log_self(a);
}

START_TEST(actor_that_stops_and_parks_can_be_woken_from_outside)
{
	rig_init();
	rig_actor_start(&act[0], 0, 5, stop_and_park, NULL);
	ck_assert_int_eq(sim_run(), SIM_END_STOPPED);
	ck_assert_int_eq(act[0].actor.state, SIM_ACTOR_PARKED);
	sim_wake(&act[0].actor, 25);
	ck_assert_int_eq(sim_run(), SIM_END_QUIET);
	rig_expect(0, 25, 0);
	fini_actors(1);
}
END_TEST

START_TEST(run_of_nothing_is_quiet_at_time_0)
{
	rig_init();
	ck_assert_int_eq(sim_run(), SIM_END_QUIET);
	ck_assert_uint_eq(sim_now(), 0);
	sim_sync();
	sim_yield();
	sim_fini();
}
END_TEST

static void park_once(struct rig_actor *a)
{
	sim_spend((uint64_t)(uintptr_t)a->arg);
	sim_park();
	log_self(a);
}

static void wake_0(struct sim_event *e)
{
	sim_wake(&act[0].actor, sim_now() + ((struct numbered *)e)->delay_ps);
}

static void park_and_wake(uint64_t park_ps, uint64_t wake_ps, uint64_t delay_ps)
{
	rig_init();
	rig_actor_start(&act[0], 0, 0, park_once, (void *)(uintptr_t)park_ps);
	post(0, wake_0, wake_ps);
	ev[0].delay_ps = delay_ps;
	ck_assert_int_eq(sim_run(), SIM_END_QUIET);
	ck_assert_uint_eq(rig_log_nr, 1);
	sim_fini();
	fiber_fini(&act[0].fiber);
}

START_TEST(woken_actor_has_the_wakers_time)
{
	park_and_wake(10, 50, 0);
	rig_expect(0, 50, 0);
	ck_assert_uint_eq(act[0].actor.idle_ps, 40);
}
END_TEST

START_TEST(wake_may_take_effect_later)
{
	park_and_wake(10, 50, 5);
	rig_expect(0, 55, 0);
	ck_assert_uint_eq(act[0].actor.idle_ps, 45);
}
END_TEST

START_TEST(actor_that_parked_ahead_of_the_wake_keeps_its_clock)
{
	park_and_wake(100, 50, 5);
	rig_expect(0, 100, 0);
	ck_assert_uint_eq(act[0].actor.idle_ps, 0);
}
END_TEST

START_TEST(wake_at_the_time_of_the_park_is_not_lost)
{
	park_and_wake(50, 50, 0);
	rig_expect(0, 50, 0);
	ck_assert_uint_eq(act[0].actor.idle_ps, 0);
}
END_TEST

static void wake_everything(struct sim_event *e)
{
	(void)e;
	for (uint32_t i = 0; i < 3; i++)
		sim_wake(&act[i].actor, sim_now() + 1);
}

static void wake_self_and_pass(struct rig_actor *a)
{
	sim_wake(&a->actor, sim_now());
	rig_pass(100);
	log_self(a);
}

START_TEST(wake_of_an_actor_that_is_not_parked_is_ignored)
{
	rig_init();
	rig_actor_init(&act[0], 0, log_self, NULL);
	rig_actor_start(&act[1], 1, 0, wake_self_and_pass, NULL);
	rig_actor_start(&act[2], 2, 0, log_self, NULL);
	post(0, wake_everything, 30);
	ck_assert_int_eq(sim_run(), SIM_END_QUIET);
	ck_assert_uint_eq(rig_log_nr, 2);
	rig_expect(0, 0, 2);
	rig_expect(1, 100, 1);
	ck_assert_int_eq(act[0].actor.state, SIM_ACTOR_NEW);
	ck_assert_int_eq(act[2].actor.state, SIM_ACTOR_DONE);
	fini_actors(3);
}
END_TEST

START_TEST(second_wake_does_not_move_the_first)
{
	rig_init();
	rig_actor_start(&act[0], 0, 0, park_once, NULL);
	post(0, wake_0, 10);
	ev[0].delay_ps = 100;
	post(1, wake_0, 20);
	ev[1].delay_ps = 0;
	sim_run();
	ck_assert_uint_eq(rig_log_nr, 1);
	rig_expect(0, 110, 0);
	fini_actors(1);
}
END_TEST

/* Condition set before the wake, tested before the park, whoever is first. */
static uint32_t handed[2];

static void ping(struct rig_actor *a)
{
	uint64_t me = a->actor.id;
	struct sim_random r;

	sim_random_init(&r, (uint64_t)(uintptr_t)a->arg, me ? "b" : "a");
	for (uint32_t i = 0; i < 500; i++) {
		rig_pass(sim_random_below(&r, 4));
		handed[!me]++;
		sim_wake(&act[!me].actor, sim_now() + sim_random_below(&r, 3));
		sim_spend(sim_random_below(&r, 4));
		while (!handed[me])
			sim_park();
		handed[me]--;
	}
	log_self(a);
}

START_TEST(no_wake_is_lost_between_test_and_park)
{
	for (uintptr_t seed = 0; seed < 100; seed++) {
		rig_init();
		handed[0] = handed[1] = 0;
		for (uint32_t i = 0; i < 2; i++)
			rig_actor_start(&act[i], i, 0, ping, (void *)seed);
		ck_assert_int_eq(sim_run(), SIM_END_QUIET);
		ck_assert_uint_eq(rig_log_nr, 2);
		fini_actors(2);
	}
}
END_TEST

static uint64_t rewound_ps;

static void rewind_0(struct sim_event *e)
{
	rewound_ps = sim_actor_rewind(&act[0].actor, sim_now() +
				      ((struct numbered *)e)->delay_ps);
}

static void pass_long(struct rig_actor *a)
{
	rig_pass(1000);
	log_self(a);
}

START_TEST(rewind_hands_back_what_was_charged_and_not_used)
{
	rig_init();
	rig_actor_start(&act[0], 0, 0, pass_long, NULL);
	rig_actor_start(&act[1], 1, 310, log_self, NULL);
	post(0, rewind_0, 300);
	ev[0].delay_ps = 5;
	sim_run();
	ck_assert_uint_eq(rewound_ps, 695);
	rig_expect(0, 305, 0);
	rig_expect(1, 310, 1);
	fini_actors(2);
}
END_TEST

START_TEST(rewind_of_an_actor_that_is_not_ahead_does_nothing)
{
	rig_init();
	rewound_ps = 1;
	rig_actor_start(&act[0], 0, 0, pass_long, NULL);
	post(0, rewind_0, 300);
	ev[0].delay_ps = 700;
	sim_run();
	ck_assert_uint_eq(rewound_ps, 0);
	rig_expect(0, 1000, 0);
	fini_actors(1);
}
END_TEST

START_TEST(rewind_of_an_actor_that_is_not_queued_does_nothing)
{
	rig_init();
	rewound_ps = 1;
	rig_actor_start(&act[0], 0, 0, park_once, (void *)500);
	post(0, rewind_0, 300);
	sim_run();
	ck_assert_uint_eq(rewound_ps, 0);
	ck_assert_int_eq(act[0].actor.state, SIM_ACTOR_PARKED);
	fini_actors(1);
}
END_TEST

static void rewind_by_actor(struct rig_actor *a)
{
	rig_pass(400);
	rewound_ps = sim_actor_rewind(&act[0].actor, sim_now());
	log_self(a);
	sim_sync();
	log_self(a);
}

START_TEST(actor_may_rewind_another_to_its_own_time)
{
	rig_init();
	rig_actor_start(&act[0], 0, 0, pass_long, NULL);
	rig_actor_start(&act[1], 1, 0, rewind_by_actor, NULL);
	sim_run();
	ck_assert_uint_eq(rewound_ps, 600);
	rig_expect(0, 400, 1);
	rig_expect(1, 400, 0);
	rig_expect(2, 400, 1);
	fini_actors(2);
}
END_TEST

static void suspend_0(struct sim_event *e)
{
	(void)e;
	sim_actor_suspend(&act[0].actor);
}

static void resume_0(struct sim_event *e)
{
	sim_actor_resume(&act[0].actor,
			 sim_now() + ((struct numbered *)e)->delay_ps);
}

static void park_and_log(struct rig_actor *a)
{
	sim_park();
	log_self(a);
}

START_TEST(suspended_actor_goes_on_where_it_was)
{
	rig_init();
	rig_actor_start(&act[0], 0, 0, pass_long, NULL);
	rig_actor_start(&act[1], 1, 2000, log_self, NULL);
	post(0, suspend_0, 300);
	post(1, resume_0, 5000);
	ev[1].delay_ps = 40;
	ck_assert_int_eq(sim_run(), SIM_END_QUIET);
	rig_expect(0, 2000, 1);
	rig_expect(1, 5000 + 40 + 700, 0);
	fini_actors(2);
}
END_TEST

START_TEST(suspended_actor_that_is_parked_stays_so)
{
	rig_init();
	rig_actor_start(&act[0], 0, 0, park_and_log, NULL);
	post(0, suspend_0, 300);
	post(1, resume_0, 400);
	post(2, wake_0, 500);
	sim_run();
	ck_assert_uint_eq(rig_log_nr, 1);
	rig_expect(0, 500, 0);
	fini_actors(1);
}
END_TEST

START_TEST(suspended_actor_that_is_woken_waits_to_be_resumed)
{
	rig_init();
	rig_actor_start(&act[0], 0, 0, park_and_log, NULL);
	post(0, suspend_0, 300);
	post(1, wake_0, 400);
	post(2, resume_0, 500);
	sim_run();
	rig_expect(0, 500, 0);
	fini_actors(1);
}
END_TEST

START_TEST(wake_in_the_future_holds_for_a_suspended_actor)
{
	rig_init();
	rig_actor_start(&act[0], 0, 0, park_and_log, NULL);
	post(0, suspend_0, 300);
	post(1, wake_0, 400);
	ev[1].delay_ps = 900;
	post(2, resume_0, 500);
	sim_run();
	rig_expect(0, 1300, 0);
	fini_actors(1);
}
END_TEST

START_TEST(rewind_of_a_suspended_actor_sets_it_back_to_its_resumption)
{
	rig_init();
	rig_actor_start(&act[0], 0, 0, pass_long, NULL);
	post(0, suspend_0, 300);
	post(1, rewind_0, 400);
	post(2, resume_0, 500);
	sim_run();
	ck_assert_uint_eq(rewound_ps, 700);
	rig_expect(0, 500, 0);
	fini_actors(1);
}
END_TEST

static uint32_t resumed_nr;

static void resumed_spends(struct sim_actor *actor)
{
	ck_assert_ptr_eq(sim.actor, actor);
	if (++resumed_nr <= 3)
		sim_spend(50);
}

static void pass_and_log(struct rig_actor *a)
{
	rig_pass(10);
	log_self(a);
}

START_TEST(sync_is_the_earliest_even_after_resumed_spent)
{
	rig_init();
	resumed_nr = 0;
	rig_actor_start(&act[0], 0, 0, pass_and_log, NULL);
	act[0].actor.resumed = resumed_spends;
	rig_actor_start(&act[1], 1, 5, pass_and_log, NULL);
	rig_actor_start(&act[2], 2, 100, log_self, NULL);
	sim_run();
	rig_expect(0, 15, 1);
	rig_expect(1, 100, 2);
	rig_expect(2, 160, 0);
	ck_assert_uint_eq(resumed_nr, 3);
	fini_actors(3);
}
END_TEST

static void force_then_sync(struct rig_actor *a)
{
	sim_sync();
	ck_assert_uint_eq(resumed_nr, 0);
	sim_force_yield();
	ck_assert_uint_eq(resumed_nr, 0);
	sim_sync();
	log_self(a);
}

START_TEST(forced_yield_calls_resumed_without_a_switch)
{
	rig_init();
	resumed_nr = 0;
	rig_actor_start(&act[0], 0, 0, force_then_sync, NULL);
	act[0].actor.resumed = resumed_spends;
	sim_run();
	ck_assert_uint_eq(resumed_nr, 1);
	rig_expect(0, 50, 0);
	fini_actors(1);
}
END_TEST

static void force_then_park(struct rig_actor *a)
{
	sim_force_yield();
	sim_park();
	log_self(a);
}

static void force_from_event(struct sim_event *e)
{
	sim_force_yield();
	sim_wake(&act[0].actor, sim_now());
	log_event(e);
}

START_TEST(forced_yield_of_nobody_is_harmless)
{
	rig_init();
	rig_actor_start(&act[0], 0, 0, force_then_park, NULL);
	post(0, force_from_event, 10);
	ck_assert_int_eq(sim_run(), SIM_END_QUIET);
	ck_assert_uint_eq(rig_log_nr, 2);
	fini_actors(1);
}
END_TEST

START_TEST(park_calls_resumed)
{
	rig_init();
	resumed_nr = 0;
	rig_actor_start(&act[0], 0, 0, park_once, NULL);
	act[0].actor.resumed = resumed_spends;
	post(0, wake_0, 10);
	ev[0].delay_ps = 0;
	sim_run();
	ck_assert_uint_eq(resumed_nr, 1);
	rig_expect(0, 60, 0);
	fini_actors(1);
}
END_TEST

/* Two tasks of one actor. */
static struct fiber task;

static void task_main(void *arg)
{
	struct rig_actor *a = arg;

	for (uint64_t i = 0;; i++) {
		rig_pass(10);
		rig_log(100 + i);
		sim_switch_fiber(&a->fiber);
	}
}

static void switch_tasks(struct rig_actor *a)
{
	for (int i = 0; i < 3; i++) {
		rig_pass(1);
		log_self(a);
		sim_switch_fiber(&task);
		ck_assert_ptr_eq(a->actor.fiber, &a->fiber);
	}
	sim_switch_fiber(&a->fiber);
}

START_TEST(actor_goes_on_on_the_fiber_it_switched_to)
{
	rig_init();
	rig_actor_start(&act[0], 0, 0, switch_tasks, NULL);
	rig_actor_start(&act[1], 1, 5, pass_and_log, NULL);
	ck_assert_int_eq(fiber_init(&task, RIG_STACK_BYTES, task_main,
				    &act[0]), 0);
	sim_run();
	rig_expect(0, 1, 0);
	rig_expect(1, 11, 100);
	rig_expect(2, 12, 0);
	rig_expect(3, 15, 1);
	rig_expect(4, 22, 101);
	rig_expect(5, 23, 0);
	rig_expect(6, 33, 102);
	fini_actors(2);
	fiber_fini(&task);
}
END_TEST

/*
 * A fiber that gave way as actor 0 comes back as actor 1: in ->resumed actor 0
 * puts it aside for a task of its own, and actor 1 takes it over.
 */
static struct fiber *adrift;

static void aside_main(void *arg)
{
	(void)arg;
	sim_park();
}

static void put_aside(struct sim_actor *actor)
{
	if (resumed_nr++)
		return;
	adrift = actor->fiber;
	sim_switch_fiber(&task);
	sim_spend(500);
}

static void take_over(struct rig_actor *a)
{
	(void)a;
	rig_pass(200);
	sim_switch_fiber(adrift);
}

START_TEST(fiber_that_comes_back_on_another_actor_syncs_as_that_one)
{
	rig_init();
	resumed_nr = 0;
	rig_actor_start(&act[0], 0, 0, pass_and_log, NULL);
	act[0].actor.resumed = put_aside;
	rig_actor_start(&act[1], 1, 0, take_over, NULL);
	rig_actor_start(&act[2], 2, 5, pass_and_log, NULL);
	rig_actor_start(&act[3], 3, 300, log_self, NULL);
	ck_assert_int_eq(fiber_init(&task, RIG_STACK_BYTES, aside_main, NULL),
			 0);
	ck_assert_int_eq(sim_run(), SIM_END_QUIET);
	rig_expect(0, 15, 2);
	rig_expect(1, 300, 3);
	rig_expect(2, 700, 0);	/* logs the id of the rig, not the actor */
	ck_assert_int_eq(act[0].actor.state, SIM_ACTOR_PARKED);
	ck_assert_int_eq(act[1].actor.state, SIM_ACTOR_DONE);
	fini_actors(4);
	fiber_fini(&task);
}
END_TEST

START_TEST(counters_count)
{
	rig_init();
	rig_actor_start(&act[0], 0, 0, pass_and_log, NULL);
	rig_actor_start(&act[1], 1, 0, pass_and_log, NULL);
	post(0, log_event, 10);
	post(1, log_event, 20);
	sim_run();
	/* each starts, and goes on at 10 when the event has run */
	ck_assert_uint_eq(sim.events_nr, 2);
	ck_assert_uint_eq(sim.switches_nr, 4);
	/* at 0: 0 before 1; at 10: the event before 0, 0 before 1 */
	ck_assert_uint_eq(sim.ties_nr, 3);
	fini_actors(2);
}
END_TEST

START_TEST(fini_forgets_what_is_queued)
{
	rig_init();
	post(0, log_event, 10);
	sim_fini();
	ck_assert(!sim_event_pending(&ev[0].event));
	rig_init();
	ck_assert_uint_eq(sim_now(), 0);
	ck_assert_int_eq(sim_run(), SIM_END_QUIET);
	ck_assert_uint_eq(rig_log_nr, 0);
	sim_fini();
}
END_TEST

static void post_into_the_past(struct sim_event *e)
{
	(void)e;
	post(1, log_event, sim_now() - 1);
}

static void past_event(void)
{
	rig_init();
	post(0, post_into_the_past, 10);
	sim_run();
}

static void start_in_the_past(struct sim_event *e)
{
	(void)e;
	sim_actor_start(&act[0].actor, sim_now() - 1);
}

static void past_actor(void)
{
	rig_init();
	rig_actor_init(&act[0], 0, log_self, NULL);
	post(0, start_in_the_past, 10);
	sim_run();
}

static void wake_in_the_past(struct sim_event *e)
{
	(void)e;
	sim_wake(&act[0].actor, sim_now() - 1);
}

static void past_wake(void)
{
	rig_init();
	rig_actor_start(&act[0], 0, 0, park_once, NULL);
	post(0, wake_in_the_past, 10);
	sim_run();
}

static void rewind_into_the_past(struct sim_event *e)
{
	(void)e;
	sim_actor_rewind(&act[0].actor, sim_now() - 1);
}

static void past_rewind(void)
{
	rig_init();
	rig_actor_start(&act[0], 0, 0, pass_long, NULL);
	post(0, rewind_into_the_past, 10);
	sim_run();
}

static void post_pending(void)
{
	rig_init();
	post(0, log_event, 10);
	sim_event_post(&ev[0].event, 20);
}

static void park_in_event(struct sim_event *e)
{
	(void)e;
	sim_park();
}

static void event_parks(void)
{
	rig_init();
	post(0, park_in_event, 10);
	sim_run();
}

static void run_in_event(struct sim_event *e)
{
	(void)e;
	sim_run();
}

static void run_inside_actor(struct rig_actor *a)
{
	(void)a;
	sim_run();
}

static void nested_run(void)
{
	rig_init();
	rig_actor_start(&act[0], 0, 0, run_inside_actor, NULL);
	sim_run();
}

static void start_twice(void)
{
	rig_init();
	rig_actor_start(&act[0], 0, 0, log_self, NULL);
	sim_actor_start(&act[0].actor, 5);
}

static void init_twice(void)
{
	sim_init();
	sim_init();
}

START_TEST(time_does_not_go_back)
{
	ck_assert_int_eq(died_of(past_event), SIGABRT);
	ck_assert_int_eq(died_of(past_actor), SIGABRT);
	ck_assert_int_eq(died_of(past_wake), SIGABRT);
	ck_assert_int_eq(died_of(past_rewind), SIGABRT);
}
END_TEST

static void event_runs(void)
{
	rig_init();
	post(0, run_in_event, 10);
	sim_run();
}

START_TEST(misuse_is_refused)
{
	ck_assert_int_eq(died_of(post_pending), SIGABRT);
	ck_assert_int_eq(died_of(event_parks), SIGABRT);
	ck_assert_int_eq(died_of(nested_run), SIGABRT);
	ck_assert_int_eq(died_of(event_runs), SIGABRT);
	ck_assert_int_eq(died_of(start_twice), SIGABRT);
	ck_assert_int_eq(died_of(init_twice), SIGABRT);
}
END_TEST

static void add_events(TCase *tc)
{
	tcase_add_test(tc, events_run_in_order_of_time);
	tcase_add_test(tc, ties_go_to_events_as_posted_then_to_actors_by_id);
	tcase_add_test(tc, actor_keeps_its_turn_until_it_spends);
	tcase_add_test(tc, event_posted_for_now_runs_at_the_next_sync);
	tcase_add_test(tc,
		event_posted_within_a_running_actors_bound_runs_first);
	tcase_add_test(tc, event_may_be_posted_again_in_its_callback);
	tcase_add_test(tc, cancelled_event_does_not_run);
	tcase_add_test(tc,
		event_cancelled_by_one_of_the_same_time_does_not_run);
	tcase_add_test(tc, cancelling_lets_the_running_actor_go_further);
	tcase_add_test(tc,
		event_posted_again_after_cancel_goes_to_the_end_of_its_time);
	tcase_add_test(tc,
		accesses_of_random_programs_happen_in_order_of_time_and_id);
}

static void add_ends(TCase *tc)
{
	tcase_add_test(tc, run_that_is_stopped_and_goes_on_does_the_same);
	tcase_add_test(tc, stopping_actor_goes_on_until_it_syncs);
	tcase_add_test(tc,
		what_was_earlier_than_the_stopping_actor_runs_when_going_on);
	tcase_add_test(tc, stop_counts_even_when_nothing_is_left);
	tcase_add_test(tc,
		actor_that_stops_and_parks_can_be_woken_from_outside);
	tcase_add_test(tc, run_of_nothing_is_quiet_at_time_0);
	tcase_add_test(tc, counters_count);
	tcase_add_test(tc, fini_forgets_what_is_queued);
	tcase_add_test(tc, time_does_not_go_back);
	tcase_add_test(tc, misuse_is_refused);
}

static void add_parks(TCase *tc)
{
	tcase_add_test(tc, woken_actor_has_the_wakers_time);
	tcase_add_test(tc, wake_may_take_effect_later);
	tcase_add_test(tc, actor_that_parked_ahead_of_the_wake_keeps_its_clock);
	tcase_add_test(tc, wake_at_the_time_of_the_park_is_not_lost);
	tcase_add_test(tc, wake_of_an_actor_that_is_not_parked_is_ignored);
	tcase_add_test(tc, second_wake_does_not_move_the_first);
	tcase_add_test(tc, no_wake_is_lost_between_test_and_park);
	tcase_add_test(tc, rewind_hands_back_what_was_charged_and_not_used);
	tcase_add_test(tc, rewind_of_an_actor_that_is_not_ahead_does_nothing);
	tcase_add_test(tc, rewind_of_an_actor_that_is_not_queued_does_nothing);
	tcase_add_test(tc, actor_may_rewind_another_to_its_own_time);
	tcase_add_test(tc, sync_is_the_earliest_even_after_resumed_spent);
	tcase_add_test(tc, suspended_actor_goes_on_where_it_was);
	tcase_add_test(tc, suspended_actor_that_is_parked_stays_so);
	tcase_add_test(tc, suspended_actor_that_is_woken_waits_to_be_resumed);
	tcase_add_test(tc, wake_in_the_future_holds_for_a_suspended_actor);
	tcase_add_test(tc,
		       rewind_of_a_suspended_actor_sets_it_back_to_its_resumption);
	tcase_add_test(tc, forced_yield_calls_resumed_without_a_switch);
	tcase_add_test(tc, forced_yield_of_nobody_is_harmless);
	tcase_add_test(tc, park_calls_resumed);
	tcase_add_test(tc, actor_goes_on_on_the_fiber_it_switched_to);
	tcase_add_test(tc,
		fiber_that_comes_back_on_another_actor_syncs_as_that_one);
}

int main(void)
{
	Suite *s = suite_create("sim/sim");
	TCase *tc = tcase_create("sim");
	SRunner *sr = srunner_create(s);
	int failed;

	tcase_set_timeout(tc, 120);
	add_events(tc);
	add_ends(tc);
	add_parks(tc);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? 1 : 0;
}
