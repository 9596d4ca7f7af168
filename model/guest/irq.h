/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Guest interrupts: vectors, handlers, inter-processor interrupts. Implements
 * <linux/interrupt.h> and <linux/irqflags.h>; an "irq" number is a vector and
 * is delivered to one vCPU, chosen when it is allocated. irq.c is not
 * instrumented: what entry and dispatch cost is the constant irq_entry.
 */
#ifndef MODEL_GUEST_IRQ_H
#define MODEL_GUEST_IRQ_H

#include <linux/types.h>

#include "model/hw/vcpu.h"

/* Vectors handed out for devices: [IRQ_FIRST, VCPU_IPI_FIRST). */
#define IRQ_FIRST	0x30u

/* The vCPU's own timers: ticks (timer.h) and task_sleep. */
#define IRQ_SLEEP	0xeeu
#define IRQ_TIMER	0xefu

enum irq_ipi {
	IRQ_IPI_RESCHEDULE = VCPU_IPI_FIRST,
	IRQ_IPI_CALL,
};

/*
 * A free vector that will be delivered to vCPU @cpu. Result: the irq number to
 * give to request_irq, or -ENOSPC. The MSI message for it is address
 * PCI_MSI_ADDRESS(cpu), data = irq.
 */
int irq_alloc(unsigned int cpu);
void irq_free(int irq);

/* The vCPU that @irq goes to. */
unsigned int irq_cpu(int irq);

/*
 * The vCPUs' handler. Runs what belongs to @vector on an interrupt stack of the
 * vCPU, as x86-64 and arm64 kernels do.
 */
void irq_handle(struct vcpu *vcpu, uint32_t vector);

/*
 * Have @call->fn run in interrupt context on vCPU @cpu. Calls to one vCPU are
 * run in order; one inter-processor interrupt serves all that are waiting.
 * @call is the caller's until fn has been entered. Never parks.
 */
struct irq_call {
	void (*fn)(struct irq_call *call);
	struct irq_call *next;
};
void irq_call_cpu(unsigned int cpu, struct irq_call *call);

/*
 * Have @fn run on this vCPU when the interrupt handler that calls this has
 * returned, with interrupts on, before the interrupted task goes on. One
 * function serves all: the block layer's completion. Interrupt context only.
 */
void irq_raise_softirq(void (*fn)(void));

/* Is vCPU @cpu in a handler or softirq? */
bool irq_cpu_is_in_interrupt(unsigned int cpu);

/* Does the guest believe that the two vCPUs share a cache? */
bool irq_cpus_share_cache(unsigned int a, unsigned int b);

/*
 * Forget all handlers and calls; interrupt stacks for @vcpus_nr vCPUs, from
 * guest memory. @vcpus_per_socket: which share a cache, 0 counts as 1. 0 or -errno.
 */
int irq_init(uint32_t vcpus_nr, uint32_t vcpus_per_socket);
void irq_fini(void);

#endif
