// SPDX-License-Identifier: GPL-2.0-only
#include <check.h>
#include <stdio.h>

#include "sim/assert.h"
#include "tests/sim/died.h"
#include "tests/sim/rig.h"

static TRACE_POINT(tp_one, "test.one", "vq,head,len");
static TRACE_POINT(tp_two, "test.two", "vq");
static TRACE_POINT(tp_bare, "test.bare", "");

static struct rig_actor act;

static uint64_t digest_of(struct trace_point *tp, uint64_t at_ps, uint64_t a,
			  uint64_t b, uint64_t c)
{
	trace_init();
	trace(&tp_one, 1, 2, 3);
	sim.now_ps = at_ps;
	trace(tp, a, b, c);
	sim.now_ps = 0;
	trace(&tp_two, 1, 0, 0);
	return trace_digest();
}

START_TEST(equal_runs_have_equal_digests)
{
	uint64_t d = digest_of(&tp_one, 5, 1, 2, 3);

	for (int i = 0; i < 3; i++)
		ck_assert_uint_eq(digest_of(&tp_one, 5, 1, 2, 3), d);
}
END_TEST

START_TEST(digest_differs_when_one_hit_differs_in_anything)
{
	uint64_t d = digest_of(&tp_one, 5, 1, 2, 3);

	ck_assert_uint_ne(digest_of(&tp_two, 5, 1, 2, 3), d);
	ck_assert_uint_ne(digest_of(&tp_one, 6, 1, 2, 3), d);
	for (int bit = 0; bit < 64; bit++) {
		uint64_t flip = UINT64_C(1) << bit;

		ck_assert_uint_ne(digest_of(&tp_one, 5, 1 ^ flip, 2, 3), d);
		ck_assert_uint_ne(digest_of(&tp_one, 5, 1, 2 ^ flip, 3), d);
		ck_assert_uint_ne(digest_of(&tp_one, 5, 1, 2, 3 ^ flip), d);
	}
}
END_TEST

START_TEST(digest_differs_when_hits_change_places_or_are_missing)
{
	uint64_t ab, ba;

	trace_init();
	ck_assert_uint_eq(trace_hits_nr(), 0);
	trace(&tp_one, 1, 2, 3);
	ab = trace_digest();
	trace(&tp_two, 4, 0, 0);
	ck_assert_uint_ne(trace_digest(), ab);
	ab = trace_digest();
	trace_init();
	trace(&tp_two, 4, 0, 0);
	trace(&tp_one, 1, 2, 3);
	ba = trace_digest();
	ck_assert_uint_ne(ab, ba);
	ck_assert_uint_eq(trace_hits_nr(), 2);
}
END_TEST

static struct trace_hit seen[16];
static uint32_t seen_nr;

static void see(void *arg, const struct trace_hit *hit)
{
	ck_assert_ptr_eq(arg, seen);
	seen[seen_nr++] = *hit;
	ck_assert_uint_eq(trace_hits_nr(), seen_nr);
}

static void hit_once(struct rig_actor *a)
{
	rig_pass(10);
	trace(&tp_one, 7, 8, 9);
	(void)a;
}

static void hit_in_event(struct sim_event *e)
{
	(void)e;
	trace(&tp_two, 1, 0, 0);
}

START_TEST(listener_sees_time_actor_point_and_arguments)
{
	struct sim_event e;

	rig_init();
	trace_set_listener(see, seen);
	rig_actor_start(&act, 42, 5, hit_once, NULL);
	sim_event_init(&e, hit_in_event);
	sim_event_post(&e, 7);
	sim_run();
	ck_assert_uint_eq(seen_nr, 2);
	ck_assert_uint_eq(seen[0].time_ps, 7);
	ck_assert_uint_eq(seen[0].actor, TRACE_NO_ACTOR);
	ck_assert_ptr_eq(seen[0].point, &tp_two);
	ck_assert_uint_eq(seen[1].time_ps, 15);
	ck_assert_uint_eq(seen[1].actor, 42);
	ck_assert_ptr_eq(seen[1].point, &tp_one);
	ck_assert_uint_eq(seen[1].arg[0], 7);
	ck_assert_uint_eq(seen[1].arg[1], 8);
	ck_assert_uint_eq(seen[1].arg[2], 9);
	trace_set_listener(NULL, NULL);
	trace(&tp_two, 0, 0, 0);
	ck_assert_uint_eq(seen_nr, 2);
	sim_fini();
	fiber_fini(&act.fiber);
}
END_TEST

START_TEST(listener_does_not_change_the_digest)
{
	uint64_t d;

	trace_init();
	trace(&tp_one, 1, 2, 3);
	d = trace_digest();
	trace_init();
	seen_nr = 0;
	trace_set_listener(see, seen);
	trace(&tp_one, 1, 2, 3);
	ck_assert_uint_eq(trace_digest(), d);
}
END_TEST

static char printed[1 << 20];

static void print_last(unsigned int nr)
{
	FILE *out = fmemopen(printed, sizeof(printed), "w");

	ck_assert_ptr_nonnull(out);
	printed[0] = '\0';
	trace_print_last(out, nr);
	fclose(out);
}

START_TEST(line_names_time_actor_point_and_its_arguments)
{
	trace_init();
	trace(&tp_bare, 9, 9, 9);
	sim.now_ps = 1234567;
	trace(&tp_two, 3, 9, 9);
	trace(&tp_one, 1, UINT64_MAX, 0);
	sim.now_ps = 0;
	print_last(10);
	ck_assert_str_eq(printed,
		"           0.000 ns       -  test.bare     \n"
		"        1234.567 ns       -  test.two       vq=3\n"
		"        1234.567 ns       -  test.one       vq=1 head=18446744073709551615 len=0\n");
}
END_TEST

/* The arguments of the lines printed, in order. */
static void assert_printed(uint64_t first, uint64_t nr)
{
	const char *p = printed;
	uint64_t i;

	for (i = 0; (p = strstr(p, "vq=")); i++) {
		p += 3;
		ck_assert_uint_eq(strtoull(p, NULL, 10), first + i);
	}
	ck_assert_uint_eq(i, nr);
}

START_TEST(ring_keeps_the_last_hits_oldest_first)
{
	trace_init();
	for (uint64_t i = 0; i < 3 * TRACE_RING_NR + 5; i++)
		trace(&tp_two, i, 0, 0);
	print_last(3);
	assert_printed(3 * TRACE_RING_NR + 2, 3);
	print_last(TRACE_RING_NR);
	assert_printed(2 * TRACE_RING_NR + 5, TRACE_RING_NR);
	print_last(UINT32_MAX);
	assert_printed(2 * TRACE_RING_NR + 5, TRACE_RING_NR);
	ck_assert_uint_eq(trace_hits_nr(), 3 * TRACE_RING_NR + 5);
}
END_TEST

START_TEST(print_of_fewer_hits_than_asked_prints_all)
{
	trace_init();
	print_last(5);
	ck_assert_str_eq(printed, "");
	trace(&tp_two, 0, 0, 0);
	trace(&tp_two, 1, 0, 0);
	print_last(5);
	assert_printed(0, 2);
	print_last(0);
	ck_assert_str_eq(printed, "");
}
END_TEST

static int context_pipe[2];

static void context(void *arg)
{
	fprintf(stderr, "  seed %s\n", (const char *)arg);
}

static void panic_with_context(void)
{
	dup2(context_pipe[1], STDERR_FILENO);
	trace_init();
	trace(&tp_two, 77, 0, 0);
	sim.now_ps = 4711;
	sim_panic_set_context(context, "12345");
	sim_assert(1 + 1 == 3);
}

START_TEST(failed_assertion_tells_what_when_and_how_to_repeat)
{
	char text[4096] = "";

	ck_assert_int_eq(pipe(context_pipe), 0);
	ck_assert_int_eq(died_of(panic_with_context), SIGABRT);
	ck_assert_int_gt(read(context_pipe[0], text, sizeof(text) - 1), 0);
	ck_assert_ptr_nonnull(strstr(text, "1 + 1 == 3"));
	ck_assert_ptr_nonnull(strstr(text, "test_trace.c"));
	ck_assert_ptr_nonnull(strstr(text, "4711 ps"));
	ck_assert_ptr_nonnull(strstr(text, "seed 12345"));
	ck_assert_ptr_nonnull(strstr(text, "test.two       vq=77"));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("sim/trace");
	TCase *tc = tcase_create("trace");
	SRunner *sr = srunner_create(s);
	int failed;

	tcase_add_test(tc, equal_runs_have_equal_digests);
	tcase_add_test(tc, digest_differs_when_one_hit_differs_in_anything);
	tcase_add_test(tc,
		digest_differs_when_hits_change_places_or_are_missing);
	tcase_add_test(tc, listener_sees_time_actor_point_and_arguments);
	tcase_add_test(tc, listener_does_not_change_the_digest);
	tcase_add_test(tc, line_names_time_actor_point_and_its_arguments);
	tcase_add_test(tc, ring_keeps_the_last_hits_oldest_first);
	tcase_add_test(tc, print_of_fewer_hits_than_asked_prints_all);
	tcase_add_test(tc, failed_assertion_tells_what_when_and_how_to_repeat);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? 1 : 0;
}
