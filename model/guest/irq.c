// SPDX-License-Identifier: GPL-2.0-only
#include "model/guest/irq.h"

#include <linux/errno.h>
#include <linux/gfp.h>
#include <linux/interrupt.h>
#include <linux/preempt.h>
#include <linux/string.h>

#include "model/guest/task.h"
#include "model/guest/timer.h"
#include "model/guest/verdict.h"
#include "sim/assert.h"
#include "sim/sim.h"

/* How long a CPU pauses between two looks at something it waits for. */
#define IRQ_RELAX_PS	(50 * SIM_PS_PER_NS)

#define IRQ_STACK_BYTES	(16u * 1024)
/* An interrupt, and one more that comes while its softirq runs. */
#define IRQ_NESTING	2u

/*
 * The interrupted task's stack is not used: between its frames and the
 * handler's would lie frames of the simulator, whose size depends on how that was
 * compiled, and with them the cache lines of the handler's variables.
 */
struct irq_stack {
	struct fiber fiber;
	struct fiber *interrupted;
	struct vcpu *vcpu;
	uint32_t vector;
};

struct irq_desc {
	bool used;
	unsigned int cpu;
	irq_handler_t handler;
	void *dev_id;
	unsigned int running;
};

static struct {
	struct irq_desc desc[VCPU_IPI_FIRST];
	struct irq_call *first[VCPU_MAX];
	struct irq_call **last[VCPU_MAX];
	unsigned int depth[VCPU_MAX];
	void (*softirq[VCPU_MAX])(void);
	bool in_softirq[VCPU_MAX];
	uint32_t vcpus_per_socket;
	struct irq_stack stack[VCPU_MAX][IRQ_NESTING];
} irqs;

static void irq_stack_main(void *arg);

static int irq_init_stack(struct irq_stack *s)
{
	void *area = alloc_pages_exact(fiber_area_bytes(IRQ_STACK_BYTES),
				       GFP_KERNEL);

	if (!area)
		return -ENOMEM;
	return fiber_init_at(&s->fiber, area, IRQ_STACK_BYTES, irq_stack_main,
			     s);
}

int irq_init(uint32_t vcpus_nr, uint32_t vcpus_per_socket)
{
	int err = 0;

	memset(&irqs, 0, sizeof(irqs));
	irqs.vcpus_per_socket = max(vcpus_per_socket, 1u);
	for (unsigned int i = 0; i < VCPU_MAX; i++)
		irqs.last[i] = &irqs.first[i];
	for (unsigned int i = 0; i < vcpus_nr; i++)
		for (unsigned int n = 0; n < IRQ_NESTING && !err; n++)
			err = irq_init_stack(&irqs.stack[i][n]);
	return err;
}

void irq_fini(void)
{
	for (unsigned int i = 0; i < VCPU_MAX; i++)
		for (unsigned int n = 0; n < IRQ_NESTING; n++)
			fiber_fini(&irqs.stack[i][n].fiber);
}

int irq_alloc(unsigned int cpu)
{
	for (int irq = IRQ_FIRST; irq < (int)IRQ_SLEEP; irq++) {
		if (irqs.desc[irq].used)
			continue;
		irqs.desc[irq] = (struct irq_desc){ .used = true, .cpu = cpu };
		return irq;
	}
	return -ENOSPC;
}

void irq_free(int irq)
{
	irqs.desc[irq].used = false;
	irqs.desc[irq].handler = NULL;
}

unsigned int irq_cpu(int irq)
{
	return irqs.desc[irq].cpu;
}

int request_irq(unsigned int irq, irq_handler_t handler, unsigned long flags,
		const char *name, void *dev_id)
{
	if (irq >= IRQ_SLEEP || !irqs.desc[irq].used)
		return -EINVAL;
	if (irqs.desc[irq].handler)
		return -EBUSY;
	sim_sync();
	irqs.desc[irq].dev_id = dev_id;
	irqs.desc[irq].handler = handler;
	return 0;
}

void synchronize_irq(unsigned int irq)
{
	sim_sync();
	while (irqs.desc[irq].running) {
		sim_spend(IRQ_RELAX_PS);
		sim_sync();
	}
}

const void *free_irq(unsigned int irq, void *dev_id)
{
	sim_sync();
	irqs.desc[irq].handler = NULL;
	synchronize_irq(irq);
	return NULL;
}

static void irq_run_calls(unsigned int cpu)
{
	struct irq_call *call;

	sim_sync();
	call = irqs.first[cpu];
	irqs.first[cpu] = NULL;
	irqs.last[cpu] = &irqs.first[cpu];
	while (call) {
		struct irq_call *next = call->next;

		call->fn(call);
		call = next;
	}
}

void irq_call_cpu(unsigned int cpu, struct irq_call *call)
{
	bool first;

	sim_sync();
	first = !irqs.first[cpu];
	call->next = NULL;
	*irqs.last[cpu] = call;
	irqs.last[cpu] = &call->next;
	if (first)
		vcpu_send_ipi(task_vcpu(cpu), IRQ_IPI_CALL);
}

static void irq_run_handler(uint32_t vector)
{
	struct irq_desc *desc = &irqs.desc[vector];

	sim_sync();
	if (!desc->handler) {
		guest_verdict("an interrupt arrived without a handler", vector);
		return;
	}
	desc->running++;
	desc->handler(vector, desc->dev_id);
	desc->running--;
}

void irq_raise_softirq(void (*fn)(void))
{
	sim_assert(__guest_in_interrupt());
	irqs.softirq[vcpu_self()->id] = fn;
}

bool irq_cpus_share_cache(unsigned int a, unsigned int b)
{
	return a / irqs.vcpus_per_socket == b / irqs.vcpus_per_socket;
}

/* A nested interrupt leaves it to the one it interrupted. */
static void irq_run_softirq(unsigned int cpu)
{
	void (*fn)(void);

	if (irqs.in_softirq[cpu])
		return;
	irqs.in_softirq[cpu] = true;
	while ((fn = irqs.softirq[cpu])) {
		irqs.softirq[cpu] = NULL;
		vcpu_irqs_on();
		fn();
		vcpu_irqs_off();
	}
	irqs.in_softirq[cpu] = false;
}

static void irq_dispatch(struct vcpu *vcpu, uint32_t vector)
{
	unsigned int cpu = vcpu->id;

	if (vector == IRQ_IPI_CALL)
		irq_run_calls(cpu);
	else if (vector == IRQ_TIMER)
		timer_interrupt(vcpu);
	else if (vector == IRQ_SLEEP)
		task_wake_sleepers(cpu);
	else if (vector < VCPU_IPI_FIRST)
		irq_run_handler(vector);
	irq_run_softirq(cpu);
}

static void irq_stack_main(void *arg)
{
	struct irq_stack *s = arg;

	for (;;) {
		irq_dispatch(s->vcpu, s->vector);
		sim_switch_fiber(s->interrupted);
	}
}

void irq_handle(struct vcpu *vcpu, uint32_t vector)
{
	unsigned int *depth = &irqs.depth[vcpu->id];
	struct irq_stack *s = &irqs.stack[vcpu->id][*depth];

	sim_assert(*depth < IRQ_NESTING);
	s->vcpu = vcpu;
	s->vector = vector;
	s->interrupted = sim.actor->fiber;
	++*depth;
	sim_switch_fiber(&s->fiber);
	--*depth;
}

bool __guest_in_interrupt(void)
{
	struct vcpu *v = vcpu_self();

	return v && irqs.depth[v->id];
}

bool irq_cpu_is_in_interrupt(unsigned int cpu)
{
	return irqs.depth[cpu];
}

unsigned long __guest_irq_save(void)
{
	unsigned long flags;

	if (!vcpu_self())
		return 0;
	sim_sync();
	flags = vcpu_self()->irqs_on;
	vcpu_irqs_off();
	return flags;
}

void __guest_irq_restore(unsigned long flags)
{
	if (flags && vcpu_self())
		vcpu_irqs_on();
}

void __guest_irq_disable(void)
{
	vcpu_irqs_off();
}

void __guest_irq_enable(void)
{
	vcpu_irqs_on();
}

bool __guest_irqs_disabled(void)
{
	struct vcpu *v = vcpu_self();

	return v && !v->irqs_on;
}
