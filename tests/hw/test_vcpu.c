// SPDX-License-Identifier: GPL-2.0-only
#include <check.h>

#include "sim/lock.h"
#include "sim/random.h"
#include "tests/hw/rig.h"

#define IRQ	0x100u		/* logged by the handler, plus the vector */
#define CPUS_NR	4u

static struct rig_cpu cpu[CPUS_NR];
static struct sim_lock lock;
static uint64_t handler_ps;	/* what a handler charges after its log entry */

static void handle(struct vcpu *v, uint32_t vector)
{
	rig_assert(!v->irqs_on && v == vcpu_self());
	rig_log(IRQ + vector);
	sim_spend(handler_ps);
}

/* A vCPU 0 with this program; interrupts are raised in addition. */
static void start(void (*fn)(struct rig_cpu *))
{
	rig_hw_init();
	sim_lock_init(&lock);
	handler_ps = 20;
	rig_vcpu_start(&cpu[0], 0, fn, NULL, handle);
}

static void finish(uint32_t cpus_nr)
{
	ck_assert_int_eq(sim_run(), SIM_END_QUIET);
	for (uint32_t i = 0; i < cpus_nr; i++) {
		struct hw_thread *t = &cpu[i].vcpu.thread;

		ck_assert_int_eq(t->actor.state, SIM_ACTOR_DONE);
		fiber_fini(&cpu[i].fiber);
	}
	rig_hw_fini();
}

static uint64_t mode_ps(uint32_t i, enum hw_mode mode)
{
	return cpu[i].vcpu.thread.stats.mode_ps[mode];
}

/* Log and settle: afterwards the modes add up to now. */
static void done(struct rig_cpu *c)
{
	rig_log(c->vcpu.id);
	hw_thread_settle(&c->vcpu.thread, sim_now());
	rig_assert(rig_modes_sum(&c->vcpu.thread) == sim_now());
}

static void compute(struct rig_cpu *c)
{
	vcpu_irqs_on();
	rig_pass(1000);
	done(c);
}

START_TEST(interrupt_is_taken_in_the_middle_of_a_computation)
{
	start(compute);
	vcpu_raise(&cpu[0].vcpu, 33, 300);
	finish(1);
	rig_expect(0, 350, IRQ + 33);
	rig_expect(1, 1070, 0);
	ck_assert_uint_eq(mode_ps(0, HW_GUEST), 1000);
	ck_assert_uint_eq(mode_ps(0, HW_IRQ), 70);
	ck_assert_uint_eq(cpu[0].vcpu.stats.irqs_nr, 1);
	ck_assert_uint_eq(cpu[0].vcpu.stats.ipis_nr, 0);
}
END_TEST

START_TEST(each_interrupt_delays_the_rest_of_the_computation)
{
	start(compute);
	vcpu_raise(&cpu[0].vcpu, 33, 300);
	vcpu_raise(&cpu[0].vcpu, 34, 600);
	vcpu_raise(&cpu[0].vcpu, 35, 1139);
	vcpu_raise(&cpu[0].vcpu, 36, 1211);
	finish(1);
	rig_expect(0, 350, IRQ + 33);
	rig_expect(1, 650, IRQ + 34);
	/* 1 ps before the end, and 1 ps after it */
	rig_expect(2, 1189, IRQ + 35);
	rig_expect(3, 1210, 0);
	ck_assert_uint_eq(rig_log_nr, 4);
	ck_assert_uint_eq(mode_ps(0, HW_GUEST), 1000);
	ck_assert_uint_eq(mode_ps(0, HW_IRQ), 210);
}
END_TEST

static void access_at_1000(struct rig_cpu *c)
{
	vcpu_irqs_on();
	sim_spend(1000);
	ram_write32(RIG_PA, 1);
	done(c);
}

static void handler_sees_no_write(struct vcpu *v, uint32_t vector)
{
	(void)v;
	rig_log(IRQ + vector);
	ck_assert_uint_eq(*(uint32_t *)ram_va(RIG_PA), 0);
}

START_TEST(interrupt_at_the_time_of_an_access_goes_first)
{
	start(access_at_1000);
	cpu[0].vcpu.handler = handler_sees_no_write;
	vcpu_raise(&cpu[0].vcpu, 33, 1000);
	finish(1);
	rig_expect(0, 1050, IRQ + 33);
	rig_expect(1, 1050 + 801, 0);
}
END_TEST

START_TEST(interrupt_during_a_handler_waits_for_its_end)
{
	start(compute);
	handler_ps = 500;
	vcpu_raise(&cpu[0].vcpu, 33, 300);
	vcpu_raise(&cpu[0].vcpu, 34, 320);	/* in the entry */
	vcpu_raise(&cpu[0].vcpu, 35, 700);	/* in what it charged */
	finish(1);
	rig_expect(0, 350, IRQ + 33);
	/* of the two that wait at 850 the higher goes first */
	rig_expect(1, 900, IRQ + 35);
	rig_expect(2, 1450, IRQ + 34);
	rig_expect(3, 1000 + 3 * 550, 0);
	ck_assert_uint_eq(mode_ps(0, HW_IRQ), 3 * 550);
}
END_TEST

START_TEST(interrupt_at_the_end_of_a_handler_is_taken_there)
{
	start(compute);
	vcpu_raise(&cpu[0].vcpu, 33, 300);
	vcpu_raise(&cpu[0].vcpu, 34, 370);
	finish(1);
	rig_expect(0, 350, IRQ + 33);
	rig_expect(1, 420, IRQ + 34);
	rig_expect(2, 1140, 0);
}
END_TEST

static void off_then_on(struct rig_cpu *c)
{
	vcpu_irqs_on();
	rig_pass(100);
	vcpu_irqs_off();
	sim_spend(900);
	vcpu_irqs_on();
	rig_log(99);
	sim_spend(500);
	sim_sync();
	done(c);
}

START_TEST(interrupt_waits_until_they_are_enabled)
{
	start(off_then_on);
	vcpu_raise(&cpu[0].vcpu, 33, 300);
	finish(1);
	rig_expect(0, 1050, IRQ + 33);
	rig_expect(1, 1070, 99);
	rig_expect(2, 1570, 0);
}
END_TEST

START_TEST(interrupt_at_the_moment_of_disabling_is_taken_before)
{
	start(off_then_on);
	vcpu_raise(&cpu[0].vcpu, 33, 100);
	finish(1);
	rig_expect(0, 150, IRQ + 33);
	rig_expect(1, 1070, 99);
}
END_TEST

START_TEST(interrupt_at_the_moment_of_enabling_is_taken_there)
{
	start(off_then_on);
	vcpu_raise(&cpu[0].vcpu, 33, 1000);
	vcpu_raise(&cpu[0].vcpu, 34, 1069);
	finish(1);
	rig_expect(0, 1050, IRQ + 33);
	rig_expect(1, 1120, IRQ + 34);
	rig_expect(2, 1140, 99);
}
END_TEST

START_TEST(pending_vector_merges_and_may_come_again)
{
	start(off_then_on);
	for (int i = 0; i < 5; i++)
		vcpu_raise(&cpu[0].vcpu, 33, 300 + i);
	vcpu_raise(&cpu[0].vcpu, 33, 1200);
	finish(1);
	rig_expect(0, 1050, IRQ + 33);
	rig_expect(1, 1070, 99);
	rig_expect(2, 1250, IRQ + 33);
	rig_expect(3, 1640, 0);
	ck_assert_uint_eq(rig_log_nr, 4);
	ck_assert_uint_eq(cpu[0].vcpu.stats.irqs_nr, 2);
}
END_TEST

START_TEST(higher_vector_goes_first)
{
	start(off_then_on);
	vcpu_raise(&cpu[0].vcpu, 0, 300);
	vcpu_raise(&cpu[0].vcpu, 63, 300);
	vcpu_raise(&cpu[0].vcpu, 255, 310);
	vcpu_raise(&cpu[0].vcpu, 64, 300);
	vcpu_raise(&cpu[0].vcpu, 128, 300);
	finish(1);
	rig_expect(0, 1050, IRQ + 255);
	rig_expect(1, 1120, IRQ + 128);
	rig_expect(2, 1190, IRQ + 64);
	rig_expect(3, 1260, IRQ + 63);
	rig_expect(4, 1330, IRQ + 0);
	rig_expect(5, 1350, 99);
	ck_assert_uint_eq(cpu[0].vcpu.stats.irqs_nr, 4);
	ck_assert_uint_eq(cpu[0].vcpu.stats.ipis_nr, 1);
}
END_TEST

static void handle_nested(struct vcpu *v, uint32_t vector)
{
	rig_log(IRQ + vector);
	if (vector != 33)
		return;
	vcpu_irqs_on();
	sim_spend(1000);
	vcpu_irqs_off();
	rig_log(98);
	(void)v;
}

START_TEST(handler_that_enables_interrupts_is_interrupted)
{
	start(compute);
	cpu[0].vcpu.handler = handle_nested;
	vcpu_raise(&cpu[0].vcpu, 33, 300);
	vcpu_raise(&cpu[0].vcpu, 34, 400);
	finish(1);
	rig_expect(0, 350, IRQ + 33);
	rig_expect(1, 450, IRQ + 34);
	rig_expect(2, 1400, 98);
	rig_expect(3, 2100, 0);
	ck_assert_uint_eq(mode_ps(0, HW_GUEST), 1000);
	ck_assert_uint_eq(mode_ps(0, HW_IRQ), 1100);
}
END_TEST

/* HLT */

static void halt_once(struct rig_cpu *c)
{
	vcpu_halt();
	rig_assert(c->vcpu.irqs_on);
	done(c);
}

START_TEST(halted_vcpu_wakes_with_its_costs)
{
	start(halt_once);
	vcpu_raise(&cpu[0].vcpu, 33, 5000);
	finish(1);
	rig_expect(0, 5550, IRQ + 33);
	rig_expect(1, 5570, 0);
	ck_assert_uint_eq(mode_ps(0, HW_IDLE), 4700);
	ck_assert_uint_eq(mode_ps(0, HW_EXIT), 800);
	ck_assert_uint_eq(mode_ps(0, HW_IRQ), 70);
	ck_assert_uint_eq(mode_ps(0, HW_GUEST), 0);
	ck_assert_uint_eq(cpu[0].vcpu.stats.halts_nr, 1);
}
END_TEST

static void assert_not_halted(uint64_t at_ps)
{
	start(halt_once);
	vcpu_raise(&cpu[0].vcpu, 33, at_ps);
	finish(1);
	rig_expect(0, 350, IRQ + 33);
	rig_expect(1, 370, 0);
	ck_assert_uint_eq(mode_ps(0, HW_IDLE), 0);
	ck_assert_uint_eq(mode_ps(0, HW_EXIT), 300);
	ck_assert_uint_eq(cpu[0].vcpu.stats.halts_nr, 0);
}

START_TEST(interrupt_between_the_decision_to_halt_and_the_halt_is_not_lost)
{
	assert_not_halted(0);
	assert_not_halted(1);
	assert_not_halted(299);
	assert_not_halted(300);
}
END_TEST

START_TEST(interrupt_just_after_the_halt_wakes)
{
	start(halt_once);
	vcpu_raise(&cpu[0].vcpu, 33, 301);
	finish(1);
	rig_expect(0, 851, IRQ + 33);
	ck_assert_uint_eq(mode_ps(0, HW_IDLE), 1);
}
END_TEST

START_TEST(second_interrupt_while_waking_is_taken_with_the_first)
{
	start(halt_once);
	vcpu_raise(&cpu[0].vcpu, 33, 5000);
	vcpu_raise(&cpu[0].vcpu, 34, 5400);
	finish(1);
	rig_expect(0, 5550, IRQ + 34);
	rig_expect(1, 5620, IRQ + 33);
	rig_expect(2, 5640, 0);
	ck_assert_uint_eq(cpu[0].vcpu.stats.halts_nr, 1);
}
END_TEST

static void halt_with_interrupts_on(void)
{
	start(compute);
	cpu[0].fn = halt_once;
	cpu[0].vcpu.irqs_on = true;
	sim_run();
}

START_TEST(halt_with_interrupts_on_is_refused)
{
	ck_assert_int_eq(died_of(halt_with_interrupts_on), SIGABRT);
}
END_TEST

/* World switches */

static void exit_once(struct rig_cpu *c)
{
	vcpu_irqs_on();
	rig_pass(10);
	vcpu_exit(VCPU_EXIT_USER, 201);
	rig_log(97);
	sim_spend(1000);
	sim_sync();
	vcpu_enter(201);
	rig_log(99);
	done(c);
}

START_TEST(world_switch_charges_half_on_each_way)
{
	start(exit_once);
	finish(1);
	rig_expect(0, 110, 97);
	rig_expect(1, 1211, 99);
	ck_assert_uint_eq(mode_ps(0, HW_GUEST), 10);
	ck_assert_uint_eq(mode_ps(0, HW_EXIT), 201);
	ck_assert_uint_eq(mode_ps(0, HW_HOST), 1000);
}
END_TEST

static void assert_taken_at_entry(uint64_t at_ps)
{
	start(exit_once);
	vcpu_raise(&cpu[0].vcpu, 33, at_ps);
	finish(1);
	rig_expect(0, 110, 97);
	rig_expect(1, 1261, IRQ + 33);
	rig_expect(2, 1281, 99);
	ck_assert_uint_eq(mode_ps(0, HW_IRQ), 70);
	ck_assert_uint_eq(mode_ps(0, HW_HOST), 1000);
	ck_assert_uint_eq(mode_ps(0, HW_EXIT), 201);
}

START_TEST(interrupt_during_an_exit_is_taken_at_the_entry)
{
	assert_taken_at_entry(11);
	assert_taken_at_entry(110);
	assert_taken_at_entry(500);
	assert_taken_at_entry(1110);
	assert_taken_at_entry(1211);
}
END_TEST

START_TEST(interrupt_at_the_moment_of_the_exit_is_taken_before)
{
	start(exit_once);
	vcpu_raise(&cpu[0].vcpu, 33, 10);
	finish(1);
	rig_expect(0, 60, IRQ + 33);
	rig_expect(1, 180, 97);
}
END_TEST

static void exit_with_lock(struct rig_cpu *c)
{
	c->vcpu.locks_nr = 1;
	vcpu_exit(VCPU_EXIT_USER, 0);
	vcpu_enter(0);
	c->vcpu.locks_nr = 0;
	vcpu_exit(VCPU_EXIT_USER, 0);
	vcpu_enter(0);
	ck_assert(!c->vcpu.irqs_on);
}

START_TEST(exits_with_a_lock_held_are_counted)
{
	start(exit_with_lock);
	vcpu_raise(&cpu[0].vcpu, 33, 0);
	finish(1);
	ck_assert_uint_eq(cpu[0].vcpu.stats.exits_locked_nr, 1);
	ck_assert_uint_eq(rig_log_nr, 0);
}
END_TEST

/* Between processors */

static void send_ipi(struct rig_cpu *c)
{
	rig_pass(100);
	vcpu_send_ipi(&cpu[0].vcpu, 0xf1);
	sim_sync();
	done(c);
}

START_TEST(ipi_costs_the_sender_and_arrives_later)
{
	start(compute);
	rig_vcpu_start(&cpu[1], 1, send_ipi, NULL, handle);
	finish(2);
	rig_expect(0, 140, 1);
	rig_expect(1, 280, IRQ + 0xf1);
	rig_expect(2, 1070, 0);
	ck_assert_uint_eq(cpu[0].vcpu.stats.ipis_nr, 1);
	ck_assert_uint_eq(cpu[0].vcpu.stats.irqs_nr, 0);
	ck_assert_uint_eq(cpu[1].vcpu.stats.ipis_nr, 0);
}
END_TEST

static void ipi_to_self(struct rig_cpu *c)
{
	vcpu_irqs_on();
	vcpu_send_ipi(&c->vcpu, 0xf1);
	rig_pass(1000);
	done(c);
}

START_TEST(ipi_may_go_to_the_sender)
{
	start(ipi_to_self);
	finish(1);
	rig_expect(0, 180, IRQ + 0xf1);
	rig_expect(1, 1110, 0);
}
END_TEST

/* Locks */

static void hold_lock(struct rig_cpu *c)
{
	sim_lock_acquire(&lock);
	rig_pass(500);
	sim_lock_release(&lock, 10);
	(void)c;
}

static void wait_for_lock(struct rig_cpu *c)
{
	enum hw_mode mode;

	if (!c->arg)
		vcpu_irqs_on();
	rig_pass(100);
	mode = hw_mode_enter(HW_SPIN);
	sim_lock_acquire(&lock);
	hw_mode_enter(mode);
	rig_log(96);
	rig_pass(90);
	sim_lock_release(&lock, 10);
	vcpu_irqs_on();
	done(c);
}

static void start_wait(bool irqs_off)
{
	start(wait_for_lock);
	cpu[0].arg = irqs_off ? &cpu[0] : NULL;
	rig_thread_start(&cpu[1], 1, hold_lock, NULL);
}

START_TEST(vcpu_that_waits_for_a_lock_takes_interrupts)
{
	start_wait(false);
	vcpu_raise(&cpu[0].vcpu, 33, 200);
	vcpu_raise(&cpu[0].vcpu, 34, 300);
	finish(2);
	rig_expect(0, 250, IRQ + 33);
	rig_expect(1, 350, IRQ + 34);
	rig_expect(2, 510, 96);
	rig_expect(3, 600, 0);
	ck_assert_uint_eq(mode_ps(0, HW_SPIN), 410 - 140);
	ck_assert_uint_eq(mode_ps(0, HW_IRQ), 140);
	ck_assert_uint_eq(mode_ps(0, HW_GUEST), 190);
	ck_assert_uint_eq(lock.stats.wait_ps, 410);
}
END_TEST

START_TEST(vcpu_that_waits_with_interrupts_off_takes_none)
{
	start_wait(true);
	vcpu_raise(&cpu[0].vcpu, 33, 200);
	finish(2);
	rig_expect(0, 510, 96);
	rig_expect(1, 650, IRQ + 33);
	ck_assert_uint_eq(mode_ps(0, HW_SPIN), 410);
}
END_TEST

/* The lock is handed over while the waiter is in its handler. */
START_TEST(handler_may_outlast_the_hand_over)
{
	start_wait(false);
	handler_ps = 400;
	vcpu_raise(&cpu[0].vcpu, 33, 200);
	finish(2);
	rig_expect(0, 250, IRQ + 33);
	rig_expect(1, 650, 96);
	ck_assert_uint_eq(mode_ps(0, HW_IRQ), 450);
	ck_assert_uint_eq(mode_ps(0, HW_SPIN), 100);
}
END_TEST

/* Charged ahead into another mode, then interrupted before that began. */
static void mode_ahead(struct rig_cpu *c)
{
	vcpu_irqs_on();
	sim_spend(1000);
	hw_mode_enter(HW_SPIN);
	sim_spend(500);
	sim_sync();
	hw_mode_enter(HW_GUEST);
	done(c);
}

START_TEST(interrupt_of_time_charged_ahead_in_two_modes_adds_up)
{
	start(mode_ahead);
	vcpu_raise(&cpu[0].vcpu, 33, 300);
	finish(1);
	rig_expect(0, 350, IRQ + 33);
	rig_expect(1, 1570, 0);
	ck_assert_uint_eq(mode_ps(0, HW_GUEST), 1000);
	ck_assert_uint_eq(mode_ps(0, HW_SPIN), 500);
	ck_assert_uint_eq(mode_ps(0, HW_IRQ), 70);
}
END_TEST

static void settle_early(struct sim_event *e)
{
	struct hw_thread *t = &cpu[0].vcpu.thread;

	(void)e;
	hw_thread_settle(t, sim_now());
	ck_assert_uint_eq(mode_ps(0, HW_SPIN), 0);
	ck_assert_uint_eq(mode_ps(0, HW_GUEST), 1000);
}

START_TEST(settling_before_a_mode_began_gives_it_no_time)
{
	struct sim_event e;

	start(mode_ahead);
	sim_event_init(&e, settle_early);
	sim_event_post(&e, 400);
	finish(1);
	ck_assert_uint_eq(mode_ps(0, HW_GUEST), 1000);
	ck_assert_uint_eq(mode_ps(0, HW_SPIN), 500);
}
END_TEST

static void reset(struct sim_event *e)
{
	(void)e;
	vcpu_reset_stats(&cpu[0].vcpu, sim_now());
}

static void halt_and_settle(struct rig_cpu *c)
{
	vcpu_halt();
	hw_thread_settle(&c->vcpu.thread, sim_now());
}

START_TEST(modes_after_a_reset_add_up_to_the_time_since)
{
	struct sim_event e;

	start(halt_and_settle);
	sim_event_init(&e, reset);
	sim_event_post(&e, 4000);
	vcpu_raise(&cpu[0].vcpu, 33, 5000);
	finish(1);
	ck_assert_uint_eq(mode_ps(0, HW_IDLE), 1000);
	ck_assert_uint_eq(mode_ps(0, HW_EXIT), 500);
	ck_assert_uint_eq(mode_ps(0, HW_IRQ), 70);
	ck_assert_uint_eq(rig_modes_sum(&cpu[0].vcpu.thread), 1570);
	ck_assert_uint_eq(cpu[0].vcpu.stats.halts_nr, 0);
	ck_assert_uint_eq(cpu[0].vcpu.stats.irqs_nr, 1);
}
END_TEST

/*
 * Random guests: computing, disabling, halting, exiting, locking, sending each
 * other interrupts. Whatever happens: handlers do not begin in time in which
 * interrupts were off, none is lost, and modes add up to the clock.
 */
struct guest {
	struct sim_random random;
	uint64_t on_since_ps;		/* handlers begin no earlier */
};

static struct guest guest[CPUS_NR];
static uint64_t running_nr;

static uint64_t draw(uint64_t n)
{
	return sim_random_below(&guest[vcpu_self()->id].random, n);
}

static void random_handler(struct vcpu *v, uint32_t vector)
{
	struct guest *g = &guest[v->id];

	rig_assert(vector >= 0x20);
	rig_assert(sim_now() - hw_cost.irq_entry_ps >= g->on_since_ps);
	sim_spend(draw(300));
	if (draw(2))
		sim_sync();
	g->on_since_ps = sim_now();
}

static void guest_on(struct guest *g)
{
	g->on_since_ps = sim_now();
	vcpu_irqs_on();
}

static void guest_off(struct guest *g)
{
	vcpu_irqs_off();
	g->on_since_ps = SIM_NEVER_PS;
}

static void guest_critical(struct guest *g)
{
	enum hw_mode mode;

	guest_off(g);
	sim_spend(draw(300));
	mode = hw_mode_enter(HW_SPIN);
	sim_lock_acquire(&lock);
	hw_mode_enter(mode);
	sim_spend(draw(500));
	sim_lock_release(&lock, draw(50));
	guest_on(g);
}

/* Its own alarm, set when it cannot go off any more before the halt. */
static void guest_halt(struct vcpu *v, struct guest *g)
{
	guest_off(g);
	vcpu_raise(v, 0x21, sim_now() + draw(3000));
	/* from here the handler's bound is the wake itself */
	g->on_since_ps = sim_now() + hw_cost.halt_enter_ps;
	vcpu_halt();
}

static void guest_exit(struct guest *g)
{
	sim_sync();
	vcpu_exit(VCPU_EXIT_USER, 301);
	g->on_since_ps = SIM_NEVER_PS;
	sim_spend(draw(1000));
	g->on_since_ps = sim_now() + 151;
	vcpu_enter(301);
}

static void guest_step(struct rig_cpu *c, struct guest *g)
{
	switch (draw(6)) {
	case 0:
		guest_critical(g);
		break;
	case 1:
		guest_exit(g);
		break;
	case 2:
		vcpu_send_ipi(&cpu[draw(CPUS_NR)].vcpu,
			      0x20 + (uint32_t)draw(224));
		break;
	case 3:
		sim_spend(draw(50));
		sim_lock_acquire(&lock);
		sim_spend(draw(500));
		sim_lock_release(&lock, draw(50));
		break;
	case 4:
		guest_halt(&c->vcpu, g);
		break;
	default:
		sim_spend(draw(2000));
	}
	if (draw(2))
		sim_sync();
}

static void random_guest(struct rig_cpu *c)
{
	struct guest *g = &guest[c->vcpu.id];

	guest_on(g);
	for (int i = 0; i < 400; i++) {
		guest_step(c, g);
		rig_assert(c->vcpu.irqs_on && !c->vcpu.halted);
	}
	/* let what is on its way arrive */
	rig_pass(1000000);
	done(c);
	running_nr--;
}

START_TEST(random_guests_lose_no_interrupt_and_no_time)
{
	for (uint64_t seed = 0; seed < 100; seed++) {
		rig_hw_init();
		sim_lock_init(&lock);
		running_nr = CPUS_NR;
		for (uint32_t i = 0; i < CPUS_NR; i++) {
			memset(&guest[i], 0, sizeof(guest[i]));
			sim_random_init(&guest[i].random, seed * 8 + i, "g");
			rig_vcpu_start(&cpu[i], i, random_guest, NULL,
				       random_handler);
		}
		finish(CPUS_NR);
		ck_assert_uint_eq(running_nr, 0);
		for (uint32_t i = 0; i < CPUS_NR; i++) {
			ck_assert_uint_gt(cpu[i].vcpu.stats.irqs_nr, 50);
			for (int w = 0; w < 4; w++)
				ck_assert_uint_eq(cpu[i].vcpu.pending[w], 0);
			for (int m = 0; m < HW_MODE_NR; m++)
				ck_assert_uint_lt(mode_ps(i, m), 10000000);
		}
	}
}
END_TEST

static void who_am_i(struct rig_cpu *c)
{
	rig_log(vcpu_self() == &c->vcpu);
}

START_TEST(self_is_the_running_vcpu_and_nobody_on_a_host_thread)
{
	start(who_am_i);
	rig_thread_start(&cpu[1], 1, who_am_i, NULL);
	ck_assert_ptr_null(vcpu_self());
	finish(2);
	rig_expect(0, 0, 1);
	rig_expect(1, 0, 0);
}
END_TEST

static void raise_too_high(void)
{
	start(compute);
	vcpu_raise(&cpu[0].vcpu, VCPU_VECTORS_NR, 0);
}

START_TEST(vector_out_of_range_is_refused)
{
	ck_assert_int_eq(died_of(raise_too_high), SIGABRT);
}
END_TEST

START_TEST(masks_follow_the_topology)
{
	struct hw_thread t;

	ck_assert_uint_eq(hw_topology_pcpus(&rig_topology), 8);
	hw_thread_init(&t, 0, "t", &rig_topology, 5, NULL);
	ck_assert_uint_eq(t.self_mask, 0x20);
	ck_assert_uint_eq(t.core_mask, 0x30);
	ck_assert_uint_eq(t.socket_mask, 0xf0);
	hw_thread_init(&t, 0, "t", &rig_topology, 0, NULL);
	ck_assert_uint_eq(t.core_mask, 0x03);
	ck_assert_uint_eq(t.socket_mask, 0x0f);
}
END_TEST

static void add_interrupts(TCase *tc)
{
	tcase_add_test(tc, interrupt_is_taken_in_the_middle_of_a_computation);
	tcase_add_test(tc, each_interrupt_delays_the_rest_of_the_computation);
	tcase_add_test(tc, interrupt_at_the_time_of_an_access_goes_first);
	tcase_add_test(tc, interrupt_during_a_handler_waits_for_its_end);
	tcase_add_test(tc, interrupt_at_the_end_of_a_handler_is_taken_there);
	tcase_add_test(tc, interrupt_waits_until_they_are_enabled);
	tcase_add_test(tc,
		interrupt_at_the_moment_of_disabling_is_taken_before);
	tcase_add_test(tc, interrupt_at_the_moment_of_enabling_is_taken_there);
	tcase_add_test(tc, pending_vector_merges_and_may_come_again);
	tcase_add_test(tc, higher_vector_goes_first);
	tcase_add_test(tc, handler_that_enables_interrupts_is_interrupted);
	tcase_add_test(tc, vector_out_of_range_is_refused);
}

static void add_states(TCase *tc)
{
	tcase_add_test(tc, halted_vcpu_wakes_with_its_costs);
	tcase_add_test(tc,
		interrupt_between_the_decision_to_halt_and_the_halt_is_not_lost);
	tcase_add_test(tc, interrupt_just_after_the_halt_wakes);
	tcase_add_test(tc,
		second_interrupt_while_waking_is_taken_with_the_first);
	tcase_add_test(tc, halt_with_interrupts_on_is_refused);
	tcase_add_test(tc, world_switch_charges_half_on_each_way);
	tcase_add_test(tc, interrupt_during_an_exit_is_taken_at_the_entry);
	tcase_add_test(tc, interrupt_at_the_moment_of_the_exit_is_taken_before);
	tcase_add_test(tc, exits_with_a_lock_held_are_counted);
	tcase_add_test(tc, ipi_costs_the_sender_and_arrives_later);
	tcase_add_test(tc, ipi_may_go_to_the_sender);
	tcase_add_test(tc, vcpu_that_waits_for_a_lock_takes_interrupts);
	tcase_add_test(tc, vcpu_that_waits_with_interrupts_off_takes_none);
	tcase_add_test(tc, handler_may_outlast_the_hand_over);
}

static void add_accounts(TCase *tc)
{
	tcase_add_test(tc,
		interrupt_of_time_charged_ahead_in_two_modes_adds_up);
	tcase_add_test(tc, settling_before_a_mode_began_gives_it_no_time);
	tcase_add_test(tc, modes_after_a_reset_add_up_to_the_time_since);
	tcase_add_test(tc, random_guests_lose_no_interrupt_and_no_time);
	tcase_add_test(tc,
		self_is_the_running_vcpu_and_nobody_on_a_host_thread);
	tcase_add_test(tc, masks_follow_the_topology);
}

int main(void)
{
	Suite *s = suite_create("hw/vcpu");
	TCase *tc = tcase_create("vcpu");
	SRunner *sr = srunner_create(s);
	int failed;

	tcase_set_timeout(tc, 120);
	add_interrupts(tc);
	add_states(tc);
	add_accounts(tc);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? 1 : 0;
}
