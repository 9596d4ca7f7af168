// SPDX-License-Identifier: GPL-2.0-only
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "model/guest/printk.h"
#include "model/guest/verdict.h"
#include "sim/sim.h"
#include "tests/guest/calls.h"
#include "tests/guest/machine.h"

static const char *first_verdict(void)
{
	unsigned long value;
	uint64_t time_ps;

	return guest_verdict_first(&value, &time_ps);
}

START_TEST(a_bug_ends_the_simulation)
{
	machine_start(2);
	machine_task(0, verdict_bug, NULL);
	ck_assert(!machine_run());
	ck_assert(!verdict_went_on);
	ck_assert_str_eq(first_verdict(), "BUG in verdict_bug");
	ck_assert_uint_eq(guest_verdicts_nr(), 1);
	machine_stop();
}
END_TEST

START_TEST(a_warning_does_not)
{
	machine_start(1);
	machine_task(0, verdict_warn, NULL);
	ck_assert(machine_run());
	ck_assert_uint_eq(machine_failure.nr, 0);
	ck_assert_str_eq(first_verdict(),
			 "WARN in verdict_warn: queue 3 is odd");
	ck_assert_uint_eq(guest_verdicts_nr(), 2);
	machine_stop();
}
END_TEST

static char text[2][64];
static int level[2];
static unsigned int texts_nr;

static void sink(void *arg, int message_level, const char *message)
{
	ck_assert_ptr_eq(arg, text);
	ck_assert_uint_lt(texts_nr, 2);
	level[texts_nr] = message_level;
	strncpy(text[texts_nr++], message, 63);
}

START_TEST(messages_reach_the_sink_with_their_level)
{
	machine_start(1);
	printk_set_sink(sink, text);
	machine_task(0, verdict_messages, NULL);
	ck_assert(machine_run());
	ck_assert_uint_eq(texts_nr, 2);
	ck_assert_str_eq(text[0], "2 errors");
	ck_assert_int_eq(level[0], 3);
	ck_assert_str_eq(text[1], "virtio_blk virtio0: [vda] 8 sectors");
	ck_assert_int_eq(level[1], 6);
	machine_stop();
}
END_TEST

START_TEST(freed_memory_is_poisoned_on_demand)
{
	machine_start(1);
	machine_task(0, verdict_poison, NULL);
	ck_assert(machine_run());
	ck_assert_msg(!machine_failure.nr, "%s", machine_failure.what);
	machine_stop();
}
END_TEST

int main(void)
{
	Suite *s = suite_create("verdict");
	TCase *tc = tcase_create("verdict");
	SRunner *sr = srunner_create(s);
	int failed;

	tcase_add_test(tc, a_bug_ends_the_simulation);
	tcase_add_test(tc, a_warning_does_not);
	tcase_add_test(tc, messages_reach_the_sink_with_their_level);
	tcase_add_test(tc, freed_memory_is_poisoned_on_demand);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
