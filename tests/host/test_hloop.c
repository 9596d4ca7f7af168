// SPDX-License-Identifier: GPL-2.0-only
#include "tests/host/rig.h"

#include "model/host/hloop.h"

#define NS SIM_PS_PER_NS

static struct hloop loop;
static struct hloop_source first, second;
static struct sim_lock lock;
static struct sim_event events[4];
static uint64_t handled_ps[64];
static char handled[64];
static uint32_t handled_nr;
static uint64_t handler_ps;

static void note(char who)
{
	handled_ps[handled_nr] = sim_now();
	handled[handled_nr++] = who;
	sim_spend(handler_ps);
}

static void on_first(struct hloop_source *source)
{
	ck_assert_ptr_eq(source, &first);
	note('1');
}

static void on_second(struct hloop_source *source)
{
	ck_assert_ptr_eq(source, &second);
	note('2');
}

static void setup_with(struct sim_lock *l)
{
	rig_init();
	hw_cost.iothread_wake_ps = 3000 * NS;
	hw_cost.loop_pass_ps = 200 * NS;
	hw_cost.mutex_wake_ps = 1000 * NS;
	handled_nr = 0;
	handler_ps = 500 * NS;
	sim_lock_init(&lock);
	ck_assert_int_eq(hloop_init(&loop, HW_HOST_ID_BASE, "loop",
				    &rig_topology, 0, l), 0);
	hloop_add(&loop, &first, on_first, NULL, 0);
	hloop_add(&loop, &second, on_second, NULL, 1);
	hloop_start(&loop, 0);
}

static void setup(void)
{
	setup_with(NULL);
}

static void setup_locked(void)
{
	setup_with(&lock);
}

static void teardown(void)
{
	hloop_fini(&loop);
	rig_fini();
}

static bool first_has_work;
static uint32_t begins_nr, looks_nr, ends_nr;
static bool work_at_end;

static void begin_first(struct hloop_source *source)
{
	ck_assert_ptr_eq(source, &first);
	begins_nr++;
}

static bool look_first(struct hloop_source *source)
{
	bool found = first_has_work;

	ck_assert_ptr_eq(source, &first);
	looks_nr++;
	first_has_work = false;
	return found;
}

static bool end_first(struct hloop_source *source)
{
	bool found = work_at_end;

	ck_assert_ptr_eq(source, &first);
	ends_nr++;
	work_at_end = false;
	return found;
}

static void setup_polling(void)
{
	static const struct hloop_poll_ops ops = {
		.begin = begin_first,
		.look = look_first,
		.end = end_first,
	};
	struct hloop_poll_config config = { .max_ps = 10000 * NS };

	setup_with(NULL);
	hw_cost.loop_look_ps = 100 * NS;
	first.poll = &ops;
	first_has_work = work_at_end = false;
	begins_nr = looks_nr = ends_nr = 0;
	hloop_set_poll(&loop, &config);
}

static void give_first_work(struct sim_event *ev)
{
	(void)ev;
	first_has_work = true;
}

static void signal_first(struct sim_event *ev)
{
	(void)ev;
	hloop_signal(&first);
}

static void signal_second(struct sim_event *ev)
{
	(void)ev;
	hloop_signal(&second);
}

static void at(uint32_t i, uint64_t ns, sim_event_fn fn)
{
	sim_event_init(&events[i], fn);
	sim_event_post(&events[i], ns * NS);
}

START_TEST(signal_wakes_a_sleeping_loop)
{
	at(0, 10000, signal_first);
	ck_assert_int_eq(sim_run(), SIM_END_QUIET);
	ck_assert_uint_eq(handled_nr, 1);
	ck_assert_uint_eq(handled_ps[0], 13200 * NS);
	ck_assert_uint_eq(loop.stats.signals_asleep_nr, 1);
	ck_assert_uint_eq(loop.stats.passes_nr, 1);
	ck_assert(loop.asleep);
}
END_TEST

START_TEST(signal_to_a_running_loop_costs_no_wake_up)
{
	at(0, 10000, signal_first);
	at(1, 13300, signal_second);	/* in the handler of the first */
	sim_run();
	ck_assert_uint_eq(handled_nr, 2);
	ck_assert_uint_eq(handled_ps[1], (13700 + 200) * NS);
	ck_assert_uint_eq(loop.stats.signals_asleep_nr, 1);
	ck_assert_uint_eq(loop.stats.signals_awake_nr, 1);
	ck_assert_uint_eq(loop.stats.passes_nr, 2);
}
END_TEST

START_TEST(signals_merge_until_the_handler_is_entered)
{
	at(0, 10000, signal_first);
	at(1, 11000, signal_first);	/* waking up */
	at(2, 13100, signal_first);	/* in the pass */
	sim_run();
	ck_assert_uint_eq(handled_nr, 1);
	ck_assert_uint_eq(first.signals_nr, 3);
	ck_assert_uint_eq(first.handled_nr, 1);
}
END_TEST

START_TEST(signal_inside_its_own_handler_runs_it_again)
{
	at(0, 10000, signal_first);
	at(1, 13201, signal_first);
	sim_run();
	ck_assert_uint_eq(handled_nr, 2);
	ck_assert_uint_eq(handled_ps[1], 13900 * NS);
}
END_TEST

START_TEST(handlers_run_in_the_order_of_addition)
{
	at(0, 10000, signal_second);
	at(1, 11000, signal_first);
	sim_run();
	ck_assert_uint_eq(handled_nr, 2);
	ck_assert_int_eq(handled[0], '1');
	ck_assert_int_eq(handled[1], '2');
	ck_assert_uint_eq(loop.stats.passes_nr, 1);
}
END_TEST

/* Woken after 5 us: it looks for 4 us from now on, and gives up. */
START_TEST(polling_begins_after_a_wait_that_was_short_enough)
{
	at(0, 5000, signal_first);
	sim_run();
	ck_assert_uint_eq(handled_nr, 1);
	ck_assert_uint_eq(begins_nr, 1);
	ck_assert_uint_eq(looks_nr, 40);
	ck_assert_uint_eq(ends_nr, 1);
	ck_assert_uint_eq(loop.stats.polls_nr, 1);
	ck_assert_uint_eq(loop.stats.polls_found_nr, 0);
	ck_assert_uint_eq(loop.thread.stats.mode_ps[HW_POLL], 4000 * NS);
	ck_assert(loop.asleep);
	ck_assert(!loop.polling);
}
END_TEST

START_TEST(no_polling_after_a_wait_beyond_the_limit)
{
	at(0, 20000, signal_first);
	sim_run();
	ck_assert_uint_eq(handled_nr, 1);
	ck_assert_uint_eq(looks_nr, 0);
}
END_TEST

/* Awake at 8000, done at 8700; what comes at 10050 is seen without a signal. */
START_TEST(a_look_finds_work_without_signal_wake_up_or_pass)
{
	at(0, 5000, signal_first);
	at(1, 10050, give_first_work);
	sim_run();
	ck_assert_uint_eq(handled_nr, 2);
	ck_assert_uint_eq(handled_ps[1], 10100 * NS);
	ck_assert_uint_eq(loop.stats.polls_found_nr, 1);
	ck_assert_uint_eq(begins_nr, 1);
	ck_assert_uint_eq(loop.stats.signals_asleep_nr, 1);
}
END_TEST

START_TEST(a_signal_is_seen_by_a_polling_loop)
{
	at(0, 5000, signal_first);
	at(1, 10050, signal_second);
	sim_run();
	ck_assert_uint_eq(handled_nr, 2);
	ck_assert_int_eq(handled[1], '2');
	ck_assert_uint_eq(handled_ps[1], 10100 * NS);
}
END_TEST

START_TEST(what_came_at_the_end_of_polling_is_handled)
{
	work_at_end = true;
	at(0, 5000, signal_first);
	sim_run();
	ck_assert_uint_eq(handled_nr, 2);
	ck_assert_uint_eq(handled_ps[1], (8700 + 4000 + 200) * NS);
}
END_TEST

/* 4, 8, then the limit of 10 us; twice as long each time it was too short. */
START_TEST(time_of_polling_grows_to_the_limit_and_falls_to_nothing)
{
	hw_cost.iothread_wake_ps = 1000 * NS;
	at(0, 5000, signal_first);
	at(1, 11000, signal_first);	/* asleep since 10.7 */
	at(2, 20800, signal_first);	/* asleep since 20.7, after 8 us */
	at(3, 90000, signal_first);
	sim_run();
	ck_assert_uint_eq(handled_nr, 4);
	ck_assert_uint_eq(looks_nr, 40 + 80 + 100);
	ck_assert_uint_eq(loop.poll_ps, 0);
}
END_TEST

/* A pass works on what was ready when it began. */
START_TEST(source_ready_in_the_middle_of_a_pass_waits_for_the_next)
{
	at(0, 10000, signal_first);
	at(1, 13100, signal_second);
	sim_run();
	ck_assert_uint_eq(loop.stats.passes_nr, 2);
	ck_assert_uint_eq(handled_ps[1], 13900 * NS);
}
END_TEST

static uint64_t clock_of(const struct hw_thread *t)
{
	uint64_t sum = 0;

	for (int m = 0; m < HW_MODE_NR; m++)
		sum += t->stats.mode_ps[m];
	return sum;
}

START_TEST(time_is_accounted_to_modes)
{
	at(0, 10000, signal_first);
	sim_run();
	hw_thread_settle(&loop.thread, 20000 * NS);
	ck_assert_uint_eq(clock_of(&loop.thread), 20000 * NS);
	ck_assert_uint_eq(loop.thread.stats.mode_ps[HW_HOST], 700 * NS);
	ck_assert_uint_eq(loop.thread.stats.mode_ps[HW_IDLE], 19300 * NS);
}
END_TEST

static struct hw_thread other;
static struct fiber other_fiber;

/* Has the big lock from 13000 to 15000 ns. */
static void other_main(void *arg)
{
	(void)arg;
	hw_mode_enter(HW_HOST);
	sim_spend(13000 * NS);
	hloop_lock(&lock);
	sim_spend(2000 * NS);
	hloop_unlock(&lock);
	sim_actor_exit();
}

START_TEST(contended_lock_wakes_after_mutex_wake)
{
	ck_assert_int_eq(fiber_init(&other_fiber, 65536, other_main, NULL), 0);
	hw_thread_init(&other, HW_HOST_ID_BASE + 1, "other", &rig_topology, 1,
		       &other_fiber);
	sim_actor_start(&other.actor, 0);
	at(0, 10000, signal_first);
	sim_run();
	/* Pass ends at 13200: blocked until 15000, and the wake-up. */
	ck_assert_uint_eq(handled_ps[0], 16000 * NS);
	ck_assert_uint_eq(loop.thread.stats.mode_ps[HW_BLOCKED], 2800 * NS);
	ck_assert_uint_eq(lock.stats.contended_nr, 1);
	ck_assert_uint_eq(lock.stats.wait_ps, 2800 * NS);
	ck_assert_uint_eq(lock.stats.hold_ps, 2500 * NS);
	ck_assert_ptr_null(lock.owner);
	fiber_fini(&other_fiber);
}
END_TEST

START_TEST(lock_is_not_held_while_asleep)
{
	at(0, 10000, signal_first);
	sim_run();
	ck_assert(loop.asleep);
	ck_assert_ptr_null(lock.owner);
	ck_assert_uint_eq(lock.stats.acquired_nr, 1);
}
END_TEST

/* --- no signal is lost, whatever the moment --- */

#define SIGNALERS	3u
#define ROUNDS		20000u

static struct {
	struct hw_thread thread;
	struct fiber fiber;
	struct sim_random random;
} signaler[SIGNALERS];

static uint64_t posted_nr, taken_nr;

static void on_work(struct hloop_source *source)
{
	(void)source;
	taken_nr = posted_nr;
	sim_spend(handler_ps);
	sim_sync();
}

static void signaler_main(void *arg)
{
	struct sim_random *r = arg;

	for (uint32_t i = 0; i < ROUNDS; i++) {
		/* Around the time of a pass, so that all moments are hit. */
		sim_spend(sim_random_below(r, 9000));
		sim_sync();
		if (loop.asleep)
			ck_assert_uint_eq(taken_nr, posted_nr);
		posted_nr++;
		hloop_signal(sim_random_below(r, 2) ? &first : &second);
	}
	sim_actor_exit();
}

START_TEST(no_signal_is_lost)
{
	hw_cost.iothread_wake_ps = 1000;
	hw_cost.loop_pass_ps = 300;
	handler_ps = 500;
	first.handler = on_work;
	second.handler = on_work;
	posted_nr = taken_nr = 0;
	for (uint32_t i = 0; i < SIGNALERS; i++) {
		sim_random_init(&signaler[i].random, i, "signaler");
		fiber_init(&signaler[i].fiber, 65536, signaler_main,
			   &signaler[i].random);
		hw_thread_init(&signaler[i].thread, i, "signaler",
			       &rig_topology, 1 + i, &signaler[i].fiber);
		sim_actor_start(&signaler[i].thread.actor, 0);
	}
	ck_assert_int_eq(sim_run(), SIM_END_QUIET);
	ck_assert_uint_eq(posted_nr, SIGNALERS * ROUNDS);
	ck_assert_uint_eq(taken_nr, posted_nr);
	ck_assert(loop.asleep && !loop.ready_nr);
	ck_assert_uint_gt(loop.stats.signals_asleep_nr, 1000);
	ck_assert_uint_gt(loop.stats.signals_awake_nr, 1000);
	for (uint32_t i = 0; i < SIGNALERS; i++)
		fiber_fini(&signaler[i].fiber);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("hloop");
	TCase *t = tcase_create("free");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, signal_wakes_a_sleeping_loop);
	tcase_add_test(t, signal_to_a_running_loop_costs_no_wake_up);
	tcase_add_test(t, signals_merge_until_the_handler_is_entered);
	tcase_add_test(t, signal_inside_its_own_handler_runs_it_again);
	tcase_add_test(t, handlers_run_in_the_order_of_addition);
	tcase_add_test(t,
		       source_ready_in_the_middle_of_a_pass_waits_for_the_next);
	tcase_add_test(t, time_is_accounted_to_modes);
	tcase_add_test(t, no_signal_is_lost);
	suite_add_tcase(s, t);

	t = tcase_create("polling");
	tcase_add_checked_fixture(t, setup_polling, teardown);
	tcase_add_test(t, polling_begins_after_a_wait_that_was_short_enough);
	tcase_add_test(t, no_polling_after_a_wait_beyond_the_limit);
	tcase_add_test(t, a_look_finds_work_without_signal_wake_up_or_pass);
	tcase_add_test(t, a_signal_is_seen_by_a_polling_loop);
	tcase_add_test(t, what_came_at_the_end_of_polling_is_handled);
	tcase_add_test(t,
		       time_of_polling_grows_to_the_limit_and_falls_to_nothing);
	suite_add_tcase(s, t);

	t = tcase_create("locked");
	tcase_add_checked_fixture(t, setup_locked, teardown);
	tcase_add_test(t, contended_lock_wakes_after_mutex_wake);
	tcase_add_test(t, lock_is_not_held_while_asleep);
	tcase_add_test(t, no_signal_is_lost);
	suite_add_tcase(s, t);
	return s;
}

int main(void)
{
	return rig_main(suite());
}
