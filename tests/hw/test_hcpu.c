// SPDX-License-Identifier: GPL-2.0-only
#include <check.h>

#include "model/hw/hcpu.h"
#include "sim/lock.h"
#include "tests/hw/rig.h"

#define MS		SIM_PS_PER_MS
#define THREADS_NR	4u
/* On one CPU; two that share it get half of the period each. */
#define SLICE_PS	(3 * MS)
#define IRQ		0x100u

static struct rig_cpu cpu[THREADS_NR];
static struct hcpu_set cpus;
static struct sim_lock lock;

static void handle(struct vcpu *v, uint32_t vector)
{
	rig_assert(v == vcpu_self());
	rig_log(IRQ + vector);
}

/* CPUs 2 .. 2 + @nr - 1 of the topology. */
static void share(uint32_t nr)
{
	rig_hw_init();
	sim_lock_init(&lock);
	hcpu_init(&cpus, &rig_topology, ((UINT64_C(1) << nr) - 1) << 2);
}

static void begin(uint32_t i, void (*fn)(struct rig_cpu *), uint64_t arg)
{
	rig_cpu_fiber(&cpu[i], fn, (void *)(uintptr_t)arg);
	vcpu_init(&cpu[i].vcpu, i, "vcpu", &rig_topology, 2, &cpu[i].fiber,
		  handle);
	hcpu_add(&cpus, &cpu[i].vcpu.thread);
	vcpu_start(&cpu[i].vcpu, 0);
}

static void finish(uint32_t nr)
{
	ck_assert_int_eq(sim_run(), SIM_END_QUIET);
	for (uint32_t i = 0; i < nr; i++) {
		ck_assert_int_eq(cpu[i].vcpu.thread.actor.state,
				 SIM_ACTOR_DONE);
		fiber_fini(&cpu[i].fiber);
	}
	ck_assert_uint_eq(cpus.waiting_nr, 0);
	rig_hw_fini();
}

static uint64_t mode_ps(uint32_t i, enum hw_mode mode)
{
	return cpu[i].vcpu.thread.stats.mode_ps[mode];
}

static void end(struct rig_cpu *c)
{
	struct hw_thread *t = &c->vcpu.thread;

	sim_sync();
	rig_log(c->vcpu.id);
	hw_thread_settle(t, sim_now());
	rig_assert(rig_modes_sum(t) == sim_now());
	hcpu_block();
}

/* Computes for @arg, in one piece. */
static void compute(struct rig_cpu *c)
{
	rig_pass((uintptr_t)c->arg);
	end(c);
}

START_TEST(enough_cpus_for_all_cost_nothing)
{
	share(2);
	begin(0, compute, 50 * MS);
	begin(1, compute, 50 * MS);
	finish(2);
	rig_expect(0, 50 * MS, 0);
	rig_expect(1, 50 * MS, 1);
	ck_assert_uint_eq(cpu[0].vcpu.thread.pcpu, 2);
	ck_assert_uint_eq(cpu[1].vcpu.thread.pcpu, 3);
	ck_assert_uint_eq(mode_ps(1, HW_STEAL), 0);
	ck_assert_uint_eq(cpus.preempted_nr, 0);
}
END_TEST

START_TEST(two_share_a_cpu_by_turns)
{
	share(1);
	begin(0, compute, 2 * SLICE_PS - 10);
	begin(1, compute, 2 * SLICE_PS - 10);
	finish(2);
	/* 0 1 0 1 */
	rig_expect(0, 3 * SLICE_PS - 10, 0);
	rig_expect(1, 4 * SLICE_PS - 20, 1);
	ck_assert_uint_eq(mode_ps(0, HW_STEAL), SLICE_PS);
	ck_assert_uint_eq(mode_ps(1, HW_STEAL), 2 * SLICE_PS - 10);
	ck_assert_uint_eq(mode_ps(0, HW_GUEST), 2 * SLICE_PS - 10);
}
END_TEST

START_TEST(each_switch_costs)
{
	share(1);
	hw_cost.host_switch_ps = 1000;
	begin(0, compute, SLICE_PS + 1);
	begin(1, compute, SLICE_PS - 10);
	finish(2);
	rig_expect(0, 2 * SLICE_PS - 10 + 1000, 1);
	rig_expect(1, 2 * SLICE_PS - 10 + 1 + 2000, 0);
}
END_TEST

START_TEST(a_cpu_that_comes_free_is_not_left_free)
{
	share(2);
	begin(0, compute, 1 * MS);
	begin(1, compute, 20 * MS);
	begin(2, compute, 5 * MS);
	finish(3);
	rig_expect(0, 1 * MS, 0);
	rig_expect(1, 6 * MS, 2);
	rig_expect(2, 20 * MS, 1);
	ck_assert_uint_eq(cpu[2].vcpu.thread.pcpu, 2);
	ck_assert_uint_eq(mode_ps(2, HW_STEAL), 1 * MS);
}
END_TEST

static void compute_with_irqs(struct rig_cpu *c)
{
	vcpu_irqs_on();
	compute(c);
}

START_TEST(interrupt_of_a_preempted_vcpu_waits_until_it_runs)
{
	share(1);
	begin(0, compute_with_irqs, 2 * SLICE_PS);
	begin(1, compute, SLICE_PS - 10);
	vcpu_raise(&cpu[0].vcpu, 33, SLICE_PS + 7);
	finish(2);
	rig_expect(0, 2 * SLICE_PS - 10, 1);
	rig_expect(1, 2 * SLICE_PS + 40, IRQ + 33);
	rig_expect(2, 3 * SLICE_PS + 40, 0);
}
END_TEST

/* Halts until an interrupt, then computes for @arg. */
static void halt_and_compute(struct rig_cpu *c)
{
	vcpu_halt();
	compute(c);
}

START_TEST(who_halts_gives_the_cpu_away_and_preempts_who_ran_long)
{
	share(1);
	begin(0, halt_and_compute, 1 * MS);
	begin(1, compute, 50 * MS);
	vcpu_raise(&cpu[0].vcpu, 33, 20 * MS);
	finish(2);
	/* entry, HLT's ways */
	rig_expect(0, 20 * MS + 550, IRQ + 33);
	rig_expect(1, 21 * MS + 550, 0);
	ck_assert_uint_eq(cpus.preempted_nr, 1);
	ck_assert_uint_eq(mode_ps(0, HW_STEAL), 0);
	ck_assert_uint_eq(mode_ps(1, HW_GUEST), 50 * MS);
}
END_TEST

START_TEST(who_ran_as_much_waits_when_it_wakes)
{
	share(1);
	begin(1, halt_and_compute, 1000);
	begin(0, compute, 2 * MS);
	/* It is behind by less than the wake-up granularity. */
	vcpu_raise(&cpu[1].vcpu, 33, MS / 8);
	finish(2);
	rig_expect(0, 2 * MS + 300, 0);
	rig_expect(1, 2 * MS + 300 + 550, IRQ + 33);
	ck_assert_uint_eq(cpus.preempted_nr, 0);
	ck_assert_uint_eq(mode_ps(1, HW_STEAL), 2 * MS + 300 - MS / 8);
}
END_TEST

/* Take the lock, work for @arg, release it. */
static void lock_and_compute(struct rig_cpu *c)
{
	sim_lock_acquire(&lock);
	c->vcpu.locks_nr++;
	rig_pass((uintptr_t)c->arg);
	c->vcpu.locks_nr--;
	sim_lock_release(&lock, 0);
	end(c);
}

START_TEST(preempted_holder_keeps_the_lock)
{
	share(1);
	begin(0, lock_and_compute, SLICE_PS + 1000);
	begin(1, lock_and_compute, 1000);
	finish(2);
	/* 1 spins for the whole of its slice. */
	rig_expect(0, 2 * SLICE_PS + 1000, 0);
	rig_expect(1, 2 * SLICE_PS + 2000, 1);
	ck_assert_uint_eq(lock.stats.wait_max_ps, SLICE_PS + 1000);
	ck_assert_uint_eq(cpus.preempted_locked_nr, 1);
}
END_TEST

START_TEST(many_threads_get_equal_shares)
{
	share(2);
	for (uint32_t i = 0; i < THREADS_NR; i++)
		begin(i, compute, 100 * MS);
	finish(THREADS_NR);
	for (uint32_t i = 0; i < THREADS_NR; i++) {
		ck_assert_uint_eq(mode_ps(i, HW_GUEST), 100 * MS);
		ck_assert_uint_ge(mode_ps(i, HW_STEAL), 80 * MS);
		ck_assert_uint_le(mode_ps(i, HW_STEAL), 100 * MS);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("hw/hcpu");
	TCase *tc = tcase_create("hcpu");
	SRunner *sr = srunner_create(s);
	int failed;

	tcase_add_test(tc, enough_cpus_for_all_cost_nothing);
	tcase_add_test(tc, two_share_a_cpu_by_turns);
	tcase_add_test(tc, each_switch_costs);
	tcase_add_test(tc, a_cpu_that_comes_free_is_not_left_free);
	tcase_add_test(tc, interrupt_of_a_preempted_vcpu_waits_until_it_runs);
	tcase_add_test(tc,
		       who_halts_gives_the_cpu_away_and_preempts_who_ran_long);
	tcase_add_test(tc, who_ran_as_much_waits_when_it_wakes);
	tcase_add_test(tc, preempted_holder_keeps_the_lock);
	tcase_add_test(tc, many_threads_get_equal_shares);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
