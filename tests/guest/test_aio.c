// SPDX-License-Identifier: GPL-2.0-only
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "model/guest/load.h"
#include "model/guest/verdict.h"
#include "model/hw/cost.h"
#include "tests/guest/blk_test.h"
#include "tests/guest/machine.h"

static const struct blk_test_config plain = {
	.seed = 1, .queues_nr = 1, .depth = 64,
	.latency_ps = 20 * SIM_PS_PER_US,
};

static const struct load_config load = {
	.rw = LOAD_RANDREAD, .rwmixread = 50, .bs_min_bytes = 1024,
	.bs_max_bytes = 1024,
	.size_bytes = BLK_TEST_STORE_BYTES, .iodepth = 8, .iodepth_batch = 1,
	.complete_min = 1, .complete_max = 8, .numjobs = 1,
	.number_ios = 200, .seed = 7,
};

static struct {
	unsigned int changes_nr;
	bool open;
	uint64_t open_ps, close_ps;
	struct load_counts counts;
} window;

static void note_window(void *arg, bool open)
{
	(void)arg;
	window.changes_nr++;
	window.open = open;
	if (open)
		window.open_ps = sim_now();
	else
		window.close_ps = sim_now();
}

static void run(void)
{
	bool quiet = machine_run();

	ck_assert_msg(!machine_failure.nr, "%s, line %d",
		      machine_failure.what, machine_failure.line);
	ck_assert_msg(quiet, "a task has not ended");
	ck_assert_msg(!guest_verdicts_nr(), "%s", machine_message());
}

static void run_aio(const struct blk_test_config *config, void (*fn)(void))
{
	machine_start(2);
	machine_set_costs();
	blk_test_configure(config);
	machine_task(0, blk_test_main, (void *)fn);
	run();
	machine_stop();
}

/* Leaves the counts in window.counts. */
static void run_load(const struct load_config *config,
		     const struct blk_test_config *disk)
{
	struct load_config c = *config;

	memset(&window, 0, sizeof(window));
	c.window = note_window;
	blk_test_load_config = &c;
	machine_start(2);
	machine_set_costs();
	blk_test_configure(disk);
	machine_task(0, load_scenario_main, NULL);
	run();
	if (!blk_test_load_error)
		load_get_counts(&window.counts);
	machine_stop();
}

START_TEST(getevents_reaps_between_min_and_max)
{
	run_aio(&plain, aio_scenario_reap);
}
END_TEST

START_TEST(a_reader_is_woken_only_when_there_are_enough)
{
	struct blk_test_config c = plain;

	c.latency_ps = 200 * SIM_PS_PER_US;
	run_aio(&c, aio_scenario_wake);
}
END_TEST

START_TEST(events_come_in_the_order_of_their_end)
{
	run_aio(&plain, aio_scenario_order);
}
END_TEST

START_TEST(iodepth_is_reached_and_never_exceeded)
{
	struct blk_test_config slow = plain;

	slow.latency_ps = 200 * SIM_PS_PER_US;
	for (uint32_t depth = 1; depth <= 32; depth *= 2) {
		struct load_config c = load;

		c.iodepth = c.complete_max = depth;
		run_load(&c, &slow);
		ck_assert_uint_eq(blk_test.inflight_max, depth);
		ck_assert_uint_eq(blk_test.calls_nr, 200);
	}
}
END_TEST

START_TEST(batches_have_the_size_asked_for)
{
	struct load_config c = load;
	unsigned int run_nr = 0;

	c.iodepth_batch = c.complete_min = 4;
	c.complete_max = 4;
	run_load(&c, &plain);
	for (unsigned int i = 0; i < blk_test.calls_nr; i++) {
		run_nr++;
		if (!blk_test.call[i].last)
			continue;
		ck_assert_uint_eq(run_nr, 4);
		run_nr = 0;
	}
	ck_assert_uint_eq(window.counts.submit_calls_nr, 50);
	ck_assert_uint_eq(window.counts.reap_calls_nr, 50);
}
END_TEST

START_TEST(each_job_does_number_ios_exactly)
{
	for (uint64_t nr = 1; nr < 40; nr += 7) {
		struct load_config c = load;

		c.number_ios = nr;
		c.numjobs = 3;
		run_load(&c, &plain);
		ck_assert_uint_eq(window.counts.ios_nr, 3 * nr);
		ck_assert_uint_eq(blk_test.completed_nr, 3 * nr);
		ck_assert(!window.open);
	}
}
END_TEST

START_TEST(runtime_begins_after_the_ramp_and_ends)
{
	struct load_config c = load;

	c.number_ios = 0;
	c.ramp_ps = 300 * SIM_PS_PER_US;
	c.runtime_ps = 500 * SIM_PS_PER_US;
	run_load(&c, &plain);
	ck_assert_uint_eq(window.changes_nr, 2);
	ck_assert_uint_eq(window.close_ps - window.open_ps, c.runtime_ps);
	ck_assert_uint_gt(window.counts.ios_nr, 100);
	ck_assert_uint_eq(window.counts.ios_nr, blk_test.completed_nr);
}
END_TEST

START_TEST(a_load_that_ends_in_the_ramp_measures_nothing)
{
	struct load_config c = load;

	c.number_ios = 4;
	c.ramp_ps = 50 * SIM_PS_PER_MS;
	run_load(&c, &plain);
	ck_assert_uint_eq(window.counts.ios_nr, 4);
	ck_assert_uint_eq(window.changes_nr, 0);
}
END_TEST

START_TEST(a_second_load_of_a_process_is_like_the_first)
{
	struct load_config c = load;
	uint64_t ios_nr;

	c.number_ios = 0;
	c.runtime_ps = 500 * SIM_PS_PER_US;
	run_load(&c, &plain);
	ios_nr = window.counts.ios_nr;
	run_load(&c, &plain);
	ck_assert_uint_gt(ios_nr, 20);
	ck_assert_uint_eq(window.counts.ios_nr, ios_nr);
	ck_assert_uint_eq(window.changes_nr, 2);
}
END_TEST

START_TEST(thinktime_separates_submissions)
{
	struct load_config c = load;
	uint64_t ran_ps;

	c.number_ios = 20;
	c.thinktime_ps = 100 * SIM_PS_PER_US;
	run_load(&c, &plain);
	ran_ps = window.close_ps - window.open_ps;
	ck_assert_uint_ge(ran_ps, 20 * c.thinktime_ps);
	ck_assert_uint_lt(ran_ps, 22 * c.thinktime_ps);
	ck_assert_uint_eq(window.counts.submit_calls_nr, 20);
}
END_TEST

START_TEST(rate_iops_spaces_operations)
{
	struct load_config c = load;
	uint64_t ran_ps;

	c.number_ios = 21;
	c.rate_iops = 1000;
	run_load(&c, &plain);
	ran_ps = window.close_ps - window.open_ps;
	ck_assert_uint_ge(ran_ps, 20 * SIM_PS_PER_MS);
	ck_assert_uint_lt(ran_ps, 21 * SIM_PS_PER_MS);
	ck_assert_uint_eq(window.counts.submit_calls_nr, 21);
}
END_TEST

START_TEST(a_rate_beyond_the_disk_is_no_limit)
{
	struct load_config c = load;
	uint64_t free_ps;
	uint64_t ran_ps;

	c.number_ios = 200;
	run_load(&c, &plain);
	free_ps = window.close_ps - window.open_ps;
	c.rate_iops = 100000000;
	run_load(&c, &plain);
	ran_ps = window.close_ps - window.open_ps;
	ck_assert_uint_ge(ran_ps, free_ps - free_ps / 20);
	ck_assert_uint_le(ran_ps, free_ps + free_ps / 20);
}
END_TEST

static void sectors_of(const struct load_config *c, uint64_t *sector)
{
	run_load(c, &plain);
	ck_assert_uint_eq(blk_test.calls_nr, 200);
	for (unsigned int i = 0; i < 200; i++)
		sector[i] = blk_test.call[i].sector;
}

START_TEST(random_streams_repeat_per_seed)
{
	uint64_t a[200], b[200], other[200];
	struct load_config c = load;

	sectors_of(&c, a);
	sectors_of(&c, b);
	ck_assert_mem_eq(a, b, sizeof(a));
	c.seed++;
	sectors_of(&c, other);
	ck_assert_mem_ne(a, other, sizeof(a));
}
END_TEST

START_TEST(random_streams_differ_between_jobs)
{
	struct load_config c = load;
	unsigned int twice_nr = 0;

	c.numjobs = 2;
	c.number_ios = 100;
	run_load(&c, &plain);
	for (unsigned int i = 0; i < 200; i++)
		for (unsigned int j = 0; j < i; j++)
			if (blk_test.call[i].sector ==
			    blk_test.call[j].sector)
				twice_nr++;
	/* 4096 blocks: about 5 pairs by chance, 100 if the streams are equal */
	ck_assert_uint_lt(twice_nr, 30);
}
END_TEST

START_TEST(sequential_jobs_go_round_their_region)
{
	struct load_config c = load;

	c.rw = LOAD_WRITE;
	c.size_bytes = 64 * 1024;
	run_load(&c, &plain);
	for (unsigned int i = 0; i < 200; i++) {
		ck_assert_uint_eq(blk_test.call[i].sector, i % 64 * 2);
		ck_assert(blk_test.call[i].write);
	}
}
END_TEST

START_TEST(rwmixread_is_the_share_of_reads)
{
	struct load_config c = load;
	unsigned int reads_nr = 0;

	c.rw = LOAD_RANDRW;
	c.rwmixread = 75;
	c.number_ios = 2000;
	run_load(&c, &plain);
	for (unsigned int i = 0; i < 2000; i++)
		reads_nr += !blk_test.call[i].write;
	ck_assert_uint_gt(reads_nr, 1400);
	ck_assert_uint_lt(reads_nr, 1600);
}
END_TEST

static void run_verify(bool spoil)
{
	struct load_config c = load;

	blk_test_spoil = spoil;
	c.rw = LOAD_RANDRW;
	c.verify = true;
	c.size_bytes = 64 * 1024;
	c.numjobs = 2;
	c.number_ios = 1000;
	run_load(&c, &plain);
	ck_assert_uint_eq(window.counts.ios_nr, 2000);
	ck_assert_uint_eq(window.counts.errors_nr, 0);
	blk_test_spoil = false;
}

START_TEST(verify_accepts_what_was_written)
{
	run_verify(false);
	ck_assert_uint_eq(window.counts.mismatches_nr, 0);
}
END_TEST

START_TEST(verify_finds_a_corrupted_block)
{
	run_verify(true);
	ck_assert_uint_gt(window.counts.mismatches_nr, 0);
}
END_TEST

START_TEST(a_disk_too_small_is_refused)
{
	struct load_config c = load;

	c.verify = true;
	c.size_bytes = 8 * 1024;
	run_load(&c, &plain);
	ck_assert_int_eq(blk_test_load_error, -28);
	ck_assert_str_eq(machine_message(),
			 "load: the disk is too small for the jobs");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("aio");
	TCase *tc = tcase_create("aio");
	SRunner *sr = srunner_create(s);
	int failed;

	tcase_add_test(tc, getevents_reaps_between_min_and_max);
	tcase_add_test(tc, a_reader_is_woken_only_when_there_are_enough);
	tcase_add_test(tc, events_come_in_the_order_of_their_end);
	tcase_add_test(tc, iodepth_is_reached_and_never_exceeded);
	tcase_add_test(tc, batches_have_the_size_asked_for);
	tcase_add_test(tc, each_job_does_number_ios_exactly);
	tcase_add_test(tc, runtime_begins_after_the_ramp_and_ends);
	tcase_add_test(tc, a_load_that_ends_in_the_ramp_measures_nothing);
	tcase_add_test(tc, a_second_load_of_a_process_is_like_the_first);
	tcase_add_test(tc, thinktime_separates_submissions);
	tcase_add_test(tc, rate_iops_spaces_operations);
	tcase_add_test(tc, a_rate_beyond_the_disk_is_no_limit);
	tcase_add_test(tc, random_streams_repeat_per_seed);
	tcase_add_test(tc, random_streams_differ_between_jobs);
	tcase_add_test(tc, sequential_jobs_go_round_their_region);
	tcase_add_test(tc, rwmixread_is_the_share_of_reads);
	tcase_add_test(tc, verify_accepts_what_was_written);
	tcase_add_test(tc, verify_finds_a_corrupted_block);
	tcase_add_test(tc, a_disk_too_small_is_refused);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
