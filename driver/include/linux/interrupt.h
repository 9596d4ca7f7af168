/* SPDX-License-Identifier: GPL-2.0-only */
/* Interrupt handlers and their affinity. */
#ifndef PORT_LINUX_INTERRUPT_H
#define PORT_LINUX_INTERRUPT_H

#include <linux/bitops.h>
#include <linux/cpumask.h>
#include <linux/irqflags.h>
#include <linux/irqreturn.h>
#include <linux/kernel.h>
#include <linux/workqueue.h>

#define IRQF_SHARED		0x00000080
#define IRQF_PERCPU		0x00000400
#define IRQF_NOBALANCING	0x00000800
#define IRQF_ONESHOT		0x00002000

typedef irqreturn_t (*irq_handler_t)(int irq, void *dev_id);

#define IRQ_AFFINITY_MAX_SETS	4

struct irq_affinity_desc {
	struct cpumask mask;
	unsigned int is_managed : 1;
};

/* Vectors before and after those that are spread over the CPUs. */
struct irq_affinity {
	unsigned int pre_vectors;
	unsigned int post_vectors;
	unsigned int nr_sets;
	unsigned int set_size[IRQ_AFFINITY_MAX_SETS];
	void (*calc_sets)(struct irq_affinity *affd, unsigned int nvecs);
	void *priv;
};

int __must_check request_irq(unsigned int irq, irq_handler_t handler,
			     unsigned long flags, const char *name,
			     void *dev_id);
const void *free_irq(unsigned int irq, void *dev_id);
void synchronize_irq(unsigned int irq);
void enable_irq(unsigned int irq);
void disable_irq(unsigned int irq);

#endif /* PORT_LINUX_INTERRUPT_H */
