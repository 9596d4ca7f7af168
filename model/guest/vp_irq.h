/* SPDX-License-Identifier: GPL-2.0-only */
/* MSI-X vectors of a virtio PCI device, as its guest sees them. Guest code. */
#ifndef MODEL_GUEST_VP_IRQ_H
#define MODEL_GUEST_VP_IRQ_H

#include <linux/cpumask.h>
#include <linux/interrupt.h>

#include "model/hw/pci.h"

struct virtqueue_info;

/* From best to worst. */
enum vp_irq_sharing {
	VP_IRQ_PER_QUEUE,	/* 0: configuration, then one for each queue */
	VP_IRQ_QUEUES_SHARED,	/* 0: configuration, 1: all queues */
	VP_IRQ_ALL_SHARED,	/* 0: everything */
};

/*
 * One MSI-X vector that is in use.
 * @irq: the guest's number for it; @requested: has a handler
 * @spread: mask is what blk-mq maps its queues by
 */
struct vp_irq {
	int irq;
	bool requested;
	bool spread;
	irq_handler_t handler;
	void *dev_id;
	struct cpumask mask;
	char name[32];
};

/*
 * @cap:      offset of the MSI-X capability, 0: none
 * @table_pa: first entry of the table
 * @max_nr:   entries the device has; @nr: in use
 * @queue:    by queue: its vector
 */
struct vp_irqs {
	struct pci_function *fn;
	u32 cap;
	u64 table_pa;
	u32 max_nr;
	u32 nr;
	enum vp_irq_sharing sharing;
	struct vp_irq *vector;
	u16 queue[PCI_DOORBELL_MAX];
	bool has_vector[PCI_DOORBELL_MAX];
};

/* @cap, @table_pa: as above. Reads how many entries there are. */
void vp_irqs_init(struct vp_irqs *irqs, struct pci_function *fn, u32 cap,
		  u64 table_pa);

/*
 * Vectors for these queues, programmed, masked until requested, MSI-X enabled.
 * @desc: how to spread, or NULL. 0, -ENOSPC (too few), -ENOMEM, -ENODEV.
 */
int vp_irqs_alloc(struct vp_irqs *irqs, enum vp_irq_sharing sharing,
		  unsigned int nvqs, const struct virtqueue_info *infos,
		  const struct irq_affinity *desc);

/* Free handlers and vectors, disable MSI-X. Nothing if there are none. */
void vp_irqs_free(struct vp_irqs *irqs);

/* The vector of queue @index. */
unsigned int vp_irqs_of_queue(const struct vp_irqs *irqs, unsigned int index);

/* vCPUs that @index's vector was spread to; NULL: none, or not spread. */
const struct cpumask *vp_irqs_affinity(const struct vp_irqs *irqs, int index);

/* Give vector @nr a handler, and unmask it. 0 or a negative errno. */
__printf(5, 6)
int vp_irq_request(struct vp_irqs *irqs, unsigned int nr,
		   irq_handler_t handler, void *dev_id, const char *fmt, ...);

/* Have a requested vector delivered to vCPU @cpu. 0 or a negative errno. */
int vp_irq_move(struct vp_irqs *irqs, unsigned int nr, unsigned int cpu);

/* Return when no handler that has begun still runs. */
void vp_irqs_synchronize(struct vp_irqs *irqs);

#endif
