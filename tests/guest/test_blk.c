// SPDX-License-Identifier: GPL-2.0-only
#include <check.h>
#include <stdlib.h>

#include "model/guest/verdict.h"
#include "model/hw/cost.h"
#include "tests/guest/blk_test.h"
#include "tests/guest/machine.h"

static const struct blk_test_config plain = {
	.seed = 1, .queues_nr = 1, .depth = 16,
	.latency_ps = 5 * SIM_PS_PER_US,
};

static void run(void)
{
	bool quiet = machine_run();

	ck_assert_msg(!machine_failure.nr, "%s, line %d",
		      machine_failure.what, machine_failure.line);
	ck_assert_msg(quiet, "a task has not ended");
	ck_assert_msg(!guest_verdicts_nr(), "%s", machine_message());
	machine_stop();
}

static void set_up(unsigned int vcpus_nr, const struct blk_test_config *config,
		   void (*scenario)(void))
{
	machine_start(vcpus_nr);
	machine_set_costs();
	if (config->atomic_ps)
		hw_cost.atomic_ps = config->atomic_ps;
	blk_test_configure(config);
	machine_task(0, blk_test_main, (void *)scenario);
}

static void run_scenario(unsigned int vcpus_nr,
			 const struct blk_test_config *config,
			 void (*scenario)(void))
{
	set_up(vcpus_nr, config, scenario);
	run();
}

static void run_load(unsigned int vcpus_nr,
		     const struct blk_test_config *config,
		     struct blk_test_load load)
{
	blk_test_load = load;
	run_scenario(vcpus_nr, config, blk_scenario_load);
	ck_assert_uint_eq(blk_test.completed_nr, load.jobs_nr * load.ios_nr);
}

/* Sectors in the order in which the driver took them. */
static void check_order(unsigned int accepted_nr)
{
	unsigned int nr = 0;
	uint64_t next = 0;

	for (unsigned int i = 0; i < blk_test.calls_nr; i++) {
		if (blk_test.call[i].status)
			continue;
		ck_assert_uint_ge(blk_test.call[i].sector, next);
		next = blk_test.call[i].sector + 1;
		nr++;
	}
	ck_assert_uint_eq(nr, accepted_nr);
}

START_TEST(plug_keeps_submission_order)
{
	run_scenario(1, &plain, blk_scenario_plug);
	check_order(8);
}
END_TEST

START_TEST(last_flag_only_on_last_of_a_run)
{
	struct blk_test_config c = plain;
	static const bool last[] = { false, true, false, false, true, true };
	static const unsigned int queue[] = { 0, 0, 1, 1, 1, 0 };

	run_scenario(1, &plain, blk_scenario_plug);
	for (unsigned int i = 0; i < 8; i++)
		ck_assert_int_eq(blk_test.call[i].last, i == 7);
	ck_assert_uint_eq(blk_test.kicks_nr, 1);
	ck_assert_uint_eq(blk_test.commits_nr, 0);
	c.queues_nr = 2;
	c.read_queue = true;
	run_scenario(1, &c, blk_scenario_plug_mixed);
	for (unsigned int i = 0; i < 6; i++) {
		ck_assert_int_eq(blk_test.call[i].last, last[i]);
		ck_assert_uint_eq(blk_test.call[i].queue, queue[i]);
	}
}
END_TEST

START_TEST(commit_follows_a_failed_last)
{
	struct blk_test_config c = plain;

	c.fail = BLK_TEST_ERROR;
	c.fail_at = 8;
	run_scenario(1, &c, blk_scenario_plug);
	ck_assert_uint_eq(blk_test.commits_nr, 1);
	ck_assert_uint_eq(blk_test.commit_after, 8);
	/* Not the last: that one kicks. */
	c.fail_at = 3;
	run_scenario(1, &c, blk_scenario_plug);
	ck_assert_uint_eq(blk_test.commits_nr, 0);
	ck_assert_uint_eq(blk_test.kicks_nr, 1);
	check_order(7);
}
END_TEST

START_TEST(commit_follows_a_failed_last_of_a_dispatched_list)
{
	struct blk_test_config c = plain;

	c.fail = BLK_TEST_ERROR;
	c.fail_at = 3;
	run_scenario(1, &c, blk_scenario_plug_sleep);
	ck_assert_uint_eq(blk_test.commits_nr, 1);
	ck_assert_uint_eq(blk_test.commit_after, 3);
}
END_TEST

START_TEST(commit_follows_a_busy_driver_and_order_is_kept)
{
	for (unsigned int i = 0; i < 16; i++) {
		struct blk_test_config c = plain;

		c.fail = BLK_TEST_RESOURCE;
		c.fail_at = 1 + i / 2;
		/* Twice: the attempt that follows at once fails too. */
		c.fail_nr = 1 + i % 2;
		run_scenario(1, &c, blk_scenario_plug);
		ck_assert_uint_eq(blk_test.commits_nr, c.fail_at > 1);
		check_order(8);
	}
}
END_TEST

START_TEST(sleeping_flushes_the_plug)
{
	run_scenario(1, &plain, blk_scenario_plug_sleep);
	check_order(3);
}
END_TEST

START_TEST(request_waits_for_a_tag_and_gets_one)
{
	struct blk_test_config c = plain;

	c.depth = 1;
	run_load(1, &c, (struct blk_test_load){
		.jobs_nr = 4, .ios_nr = 50, .plug_max = 4 });
	ck_assert_uint_eq(blk_test.inflight_max, 1);
}
END_TEST

START_TEST(no_sleeper_with_free_tags)
{
	for (unsigned int i = 0; i < 60; i++) {
		static const unsigned int depth[] = { 1, 2, 3, 4, 16, 64 };
		struct blk_test_config c = plain;

		c.seed = i;
		c.depth = depth[i % 6];
		c.queues_nr = 1 + i / 6 % 2;
		c.irq_cpu = i % 4;
		run_load(4, &c, (struct blk_test_load){
			.jobs_nr = 14, .ios_nr = 30,
			.plug_max = 1 + i % 3, .wait_each = i % 2 });
	}
}
END_TEST

/* The last tag comes back while somebody is about to sleep for it. */
START_TEST(no_sleeper_misses_the_last_tag)
{
	for (unsigned int i = 0; i < 400; i++) {
		struct blk_test_config c = plain;

		c.seed = i;
		c.depth = 1 + i % 2;
		c.atomic_ps = i % 8 * SIM_PS_PER_US;
		c.noise_ps = i % 3 * 20 * SIM_PS_PER_US;
		c.irq_cpu = i % 2;
		run_load(2, &c, (struct blk_test_load){
			.jobs_nr = 2 + i % 3, .ios_nr = 2, .plug_max = 1 });
	}
}
END_TEST

/* Nobody else's I/O comes to the rescue of the last request. */
START_TEST(stopped_queue_restarts_the_last_it_held)
{
	for (unsigned int i = 0; i < 1000; i++) {
		struct blk_test_config c = plain;

		c.seed = i;
		c.depth = 4;
		c.room = 1;
		c.atomic_ps = i % 8 * SIM_PS_PER_US;
		c.noise_ps = i % 4 * 50 * SIM_PS_PER_US;
		c.latency_ps = (1 + i % 5) * 4 * SIM_PS_PER_US;
		c.irq_cpu = i % 3;
		run_load(3, &c, (struct blk_test_load){
			.jobs_nr = 3, .ios_nr = 2 + i % 2,
			.plug_max = 1 + i % 3 });
	}
}
END_TEST

START_TEST(insert_and_restart_meet_at_each_point)
{
	/* Slow accesses, so that no gap is shorter than a step. */
	set_up(2, &plain, blk_scenario_pauses);
	hw_cost.access_ps = 20 * SIM_PS_PER_NS;
	run();
}
END_TEST

START_TEST(stopped_queue_restarts_what_it_held)
{
	unsigned int stops_nr = 0;

	for (unsigned int i = 0; i < 1000; i++) {
		struct blk_test_config c = plain;

		c.seed = i;
		c.depth = 4;
		c.room = 1 + i % 2;
		c.delay_ps = i % 3 * 2 * SIM_PS_PER_US;
		c.latency_ps = (1 + i % 5) * SIM_PS_PER_US;
		c.irq_cpu = i % 3;
		run_load(3, &c, (struct blk_test_load){
			.jobs_nr = 3, .ios_nr = 5, .plug_max = 1 + i % 4,
			.wait_each = i % 2 });
		stops_nr += blk_test.stops_nr;
	}
	ck_assert_uint_gt(stops_nr, 1000);
}
END_TEST

START_TEST(lack_of_resources_delays_and_loses_nothing)
{
	for (unsigned int i = 0; i < 60; i++) {
		struct blk_test_config c = plain;

		c.seed = i;
		c.depth = 8;
		c.fail = BLK_TEST_RESOURCE;
		c.fail_every = 2 + i % 5;
		c.room = i % 2 ? 3 : 0;
		c.delay_ps = SIM_PS_PER_US;
		run_load(3, &c, (struct blk_test_load){
			.jobs_nr = 6, .ios_nr = 10, .plug_max = 4 });
	}
}
END_TEST

START_TEST(hard_errors_end_their_request_only)
{
	for (unsigned int i = 0; i < 20; i++) {
		struct blk_test_config c = plain;

		c.seed = i;
		c.fail = BLK_TEST_ERROR;
		c.fail_every = 2 + i % 5;
		blk_test_load = (struct blk_test_load){
			.jobs_nr = 6, .ios_nr = 20, .plug_max = 4 };
		run_scenario(3, &c, blk_scenario_load);
		ck_assert_uint_eq(blk_test.calls_nr, 120);
		ck_assert_uint_eq(blk_test.completed_nr,
				  120 - 120 / c.fail_every);
	}
}
END_TEST

START_TEST(requeued_request_is_issued_again_with_idle_state)
{
	for (unsigned int i = 0; i < 20; i++) {
		struct blk_test_config c = plain;

		c.seed = i;
		c.requeue_every = 2 + i % 3;
		c.room = i % 2;
		run_load(2, &c, (struct blk_test_load){
			.jobs_nr = 4, .ios_nr = 20, .plug_max = 3 });
		ck_assert_uint_gt(blk_test.requeued_nr, 10);
	}
}
END_TEST

/* The interrupt is under way until all are on the list. */
START_TEST(completion_runs_on_the_submitting_cpu_with_one_ipi)
{
	struct blk_test_config c = plain;

	for (c.queues_nr = 1; c.queues_nr <= 2; c.queues_nr++) {
		set_up(2, &c, blk_scenario_completion_cpu);
		hw_cost.ipi_deliver_ps = 50 * SIM_PS_PER_US;
		run();
	}
}
END_TEST

START_TEST(freeze_waits_for_all_and_unfreeze_lets_go)
{
	struct blk_test_config c = plain;

	c.latency_ps = 200 * SIM_PS_PER_US;
	run_scenario(2, &c, blk_scenario_freeze);
}
END_TEST

START_TEST(quiesce_holds_and_unquiesce_dispatches)
{
	run_scenario(2, &plain, blk_scenario_quiesce);
}
END_TEST

START_TEST(load_goes_on_through_freeze_and_quiesce)
{
	for (unsigned int i = 0; i < 40; i++) {
		struct blk_test_config c = plain;

		c.seed = i;
		c.depth = 1 + i % 8;
		c.room = i % 3;
		c.queues_nr = 1 + i % 2;
		c.delay_ps = SIM_PS_PER_US;
		c.irq_cpu = i % 4;
		run_load(4, &c, (struct blk_test_load){
			.jobs_nr = 8, .ios_nr = 40, .plug_max = 4,
			.wait_each = true, .disturb = true });
	}
}
END_TEST

START_TEST(split_respects_max_sectors_and_segments)
{
	for (unsigned int i = 0; i < 24; i++) {
		static const unsigned int sectors[] = { 8, 64, 255, 2048 };
		static const unsigned int segments[] = { 2, 3, 16, 128 };
		struct blk_test_config c = plain;

		c.seed = i;
		c.max_sectors = sectors[i % 4];
		c.max_segments = segments[i / 4 % 4];
		c.max_segment_bytes = i % 2 ? 4096 : 65536;
		c.block_bytes = i % 3 ? 512 : 1024;
		run_scenario(1, &c, blk_scenario_split);
	}
}
END_TEST

START_TEST(bad_bios_are_refused_before_the_driver)
{
	struct blk_test_config c = plain;

	c.block_bytes = 1024;
	c.max_segments = 1;
	c.write_cache = true;
	run_scenario(1, &c, blk_scenario_refused);
}
END_TEST

START_TEST(partial_completion_leaves_the_rest)
{
	run_scenario(1, &plain, blk_scenario_partial);
}
END_TEST

START_TEST(driver_requests_carry_a_kernel_buffer)
{
	run_scenario(2, &plain, blk_scenario_execute);
}
END_TEST

START_TEST(removal_waits_for_the_driver_to_return)
{
	run_scenario(2, &plain, blk_scenario_slow_driver);
}
END_TEST

START_TEST(failed_set_up_is_undone)
{
	struct blk_test_config c = plain;

	c.queues_nr = 2;
	c.depth = 3;
	run_scenario(2, &c, blk_scenario_probe_fails);
}
END_TEST

START_TEST(limits_are_validated)
{
	machine_start(1);
	machine_task(0, blk_limits, NULL);
	run();
}
END_TEST

START_TEST(returned_bits_are_found_by_all_who_look)
{
	machine_start(2);
	machine_set_costs();
	sbitmap_reset(2);
	machine_task(0, sbitmap_two_getters, (void *)0);
	machine_task(1, sbitmap_two_getters, (void *)1);
	run();
}
END_TEST

START_TEST(a_bit_has_one_owner)
{
	for (unsigned int depth = 1; depth <= 128; depth *= 2) {
		machine_start(4);
		machine_set_costs();
		sbitmap_reset(depth);
		for (uintptr_t i = 0; i < 8; i++)
			machine_task((unsigned int)i % 4, sbitmap_exclusive,
				     (void *)i);
		ck_assert(machine_run());
		ck_assert_uint_eq(machine_failure.nr, 0);
		ck_assert_uint_eq(sbitmap_in_use(), 0);
		machine_stop();
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("blk");
	TCase *tc = tcase_create("blk");
	SRunner *sr = srunner_create(s);
	int failed;

	tcase_add_test(tc, plug_keeps_submission_order);
	tcase_add_test(tc, last_flag_only_on_last_of_a_run);
	tcase_add_test(tc, commit_follows_a_failed_last);
	tcase_add_test(tc, commit_follows_a_failed_last_of_a_dispatched_list);
	tcase_add_test(tc, commit_follows_a_busy_driver_and_order_is_kept);
	tcase_add_test(tc, sleeping_flushes_the_plug);
	tcase_add_test(tc, request_waits_for_a_tag_and_gets_one);
	tcase_add_test(tc, no_sleeper_with_free_tags);
	tcase_add_test(tc, no_sleeper_misses_the_last_tag);
	tcase_add_test(tc, stopped_queue_restarts_the_last_it_held);
	tcase_add_test(tc, insert_and_restart_meet_at_each_point);
	tcase_add_test(tc, stopped_queue_restarts_what_it_held);
	tcase_add_test(tc, lack_of_resources_delays_and_loses_nothing);
	tcase_add_test(tc, hard_errors_end_their_request_only);
	tcase_add_test(tc, requeued_request_is_issued_again_with_idle_state);
	tcase_add_test(tc, completion_runs_on_the_submitting_cpu_with_one_ipi);
	tcase_add_test(tc, freeze_waits_for_all_and_unfreeze_lets_go);
	tcase_add_test(tc, quiesce_holds_and_unquiesce_dispatches);
	tcase_add_test(tc, load_goes_on_through_freeze_and_quiesce);
	tcase_add_test(tc, split_respects_max_sectors_and_segments);
	tcase_add_test(tc, bad_bios_are_refused_before_the_driver);
	tcase_add_test(tc, partial_completion_leaves_the_rest);
	tcase_add_test(tc, driver_requests_carry_a_kernel_buffer);
	tcase_add_test(tc, removal_waits_for_the_driver_to_return);
	tcase_add_test(tc, failed_set_up_is_undone);
	tcase_add_test(tc, limits_are_validated);
	tcase_add_test(tc, returned_bits_are_found_by_all_who_look);
	tcase_add_test(tc, a_bit_has_one_owner);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
