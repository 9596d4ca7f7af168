/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What tests of model/hw share: a machine of 2 sockets, 2 cores, 2 threads,
 * whose costs can be told apart in a sum, and threads made of a function.
 */
#ifndef TESTS_HW_RIG_H
#define TESTS_HW_RIG_H

#include "model/hw/cost.h"
#include "model/hw/ram.h"
#include "model/hw/vcpu.h"
#include "tests/sim/died.h"
#include "tests/sim/rig.h"

#define RIG_RAM_BYTES	(UINT64_C(4) << 20)
#define RIG_PA		(RAM_FIRST_PA + 0x10000)

static const struct hw_topology rig_topology = { 2, 2, 2 };

/* @vcpu is first, so that sim.actor converts; a host thread uses its thread. */
struct rig_cpu {
	struct vcpu vcpu;
	struct fiber fiber;
	void (*fn)(struct rig_cpu *self);
	void *arg;
};

static inline void rig_hw_init(void)
{
	memset(&hw_cost, 0, sizeof(hw_cost));
	hw_cost.access_ps = 1;
	hw_cost.call_ps = 3;
	hw_cost.atomic_ps = 20;
	hw_cost.barrier_ps = 30;
	hw_cost.line_same_core_ps = 100;
	hw_cost.line_same_socket_ps = 200;
	hw_cost.line_other_socket_ps = 400;
	hw_cost.line_memory_ps = 800;
	hw_cost.exit_kernel_ps = 2000;
	hw_cost.exit_user_ps = 6001;	/* odd: halves differ */
	hw_cost.mmio_posted_ps = 70;
	hw_cost.halt_enter_ps = 300;
	hw_cost.halt_wake_ps = 500;
	hw_cost.irq_deliver_ps = 60;
	hw_cost.irq_entry_ps = 50;
	hw_cost.ipi_send_ps = 40;
	hw_cost.ipi_deliver_ps = 90;
	rig_init();
	ck_assert_int_eq(ram_init(RIG_RAM_BYTES), 0);
}

static inline void rig_hw_fini(void)
{
	ram_fini();
	sim_fini();
}

static inline void rig_cpu_main(void *arg)
{
	struct rig_cpu *c = arg;

	c->fn(c);
	sim_sync();
	sim_actor_exit();
}

static inline void rig_cpu_fiber(struct rig_cpu *c,
				 void (*fn)(struct rig_cpu *), void *arg)
{
	memset(c, 0, sizeof(*c));
	c->fn = fn;
	c->arg = arg;
	ck_assert_int_eq(fiber_init(&c->fiber, RIG_STACK_BYTES, rig_cpu_main,
				    c), 0);
}

/* A host thread on @pcpu, which is its id too. */
static inline void rig_thread_start(struct rig_cpu *c, uint32_t pcpu,
				    void (*fn)(struct rig_cpu *), void *arg)
{
	rig_cpu_fiber(c, fn, arg);
	hw_thread_init(&c->vcpu.thread, HW_HOST_ID_BASE + pcpu, "thread",
		       &rig_topology, pcpu, &c->fiber);
	sim_actor_start(&c->vcpu.thread.actor, 0);
}

/* vCPU @id on the pcpu of the same number. */
static inline void rig_vcpu_start(struct rig_cpu *c, uint32_t id,
				  void (*fn)(struct rig_cpu *), void *arg,
				  void (*handler)(struct vcpu *, uint32_t))
{
	rig_cpu_fiber(c, fn, arg);
	vcpu_init(&c->vcpu, id, "vcpu", &rig_topology, id, &c->fiber, handler);
	vcpu_start(&c->vcpu, 0);
}

/* Go to @at_ps, which is not in the past. */
static inline void rig_go_to(uint64_t at_ps)
{
	rig_assert(sim_now() <= at_ps);
	rig_pass(at_ps - sim_now());
}

static inline uint64_t rig_modes_sum(const struct hw_thread *t)
{
	uint64_t sum = 0;

	for (int m = 0; m < HW_MODE_NR; m++)
		sum += t->stats.mode_ps[m];
	return sum;
}

#endif
