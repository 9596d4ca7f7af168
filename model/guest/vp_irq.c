// SPDX-License-Identifier: GPL-2.0-only
#include "model/guest/vp_irq.h"

#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/virtio_config.h>

#include "model/guest/irq.h"

/* PCI 3.0, 6.8.2 */
#define MSIX_CONTROL		2u
#define MSIX_CONTROL_SIZE	0x07ffu
#define MSIX_CONTROL_ENABLE	0x8000u
#define MSIX_ENTRY_BYTES	16u
#define MSIX_ENTRY_ADDRESS	0u
#define MSIX_ENTRY_DATA		8u
#define MSIX_ENTRY_CONTROL	12u
#define MSIX_MASKED		1u

static void vp_irq_write(struct vp_irqs *irqs, unsigned int nr, u32 offset,
			 u32 value)
{
	pci_mmio_write(irqs->fn,
		       irqs->table_pa + nr * MSIX_ENTRY_BYTES + offset, 4,
		       value);
}

static void vp_irq_mask(struct vp_irqs *irqs, unsigned int nr, bool masked)
{
	vp_irq_write(irqs, nr, MSIX_ENTRY_CONTROL, masked ? MSIX_MASKED : 0);
}

/* The entry must be masked while it changes. */
static void vp_irq_program(struct vp_irqs *irqs, unsigned int nr)
{
	int irq = irqs->vector[nr].irq;
	u64 address = PCI_MSI_ADDRESS(irq_cpu(irq));

	vp_irq_write(irqs, nr, MSIX_ENTRY_ADDRESS, lower_32_bits(address));
	vp_irq_write(irqs, nr, MSIX_ENTRY_ADDRESS + 4, upper_32_bits(address));
	vp_irq_write(irqs, nr, MSIX_ENTRY_DATA, irq);
}

static void vp_irqs_enable(struct vp_irqs *irqs, bool on)
{
	u32 control = pci_config_read(irqs->fn, irqs->cap + MSIX_CONTROL, 2);

	control &= ~MSIX_CONTROL_ENABLE;
	pci_config_write(irqs->fn, irqs->cap + MSIX_CONTROL, 2,
			 control | (on ? MSIX_CONTROL_ENABLE : 0));
}

void vp_irqs_init(struct vp_irqs *irqs, struct pci_function *fn, u32 cap,
		  u64 table_pa)
{
	irqs->fn = fn;
	irqs->cap = cap;
	irqs->table_pa = table_pa;
	irqs->max_nr = (pci_config_read(fn, cap + MSIX_CONTROL, 2) &
			MSIX_CONTROL_SIZE) + 1;
}

/* Queues that want interrupts; each real queue is told its vector. */
static unsigned int vp_irqs_assign(struct vp_irqs *irqs, unsigned int nvqs,
				   const struct virtqueue_info *infos)
{
	unsigned int index = 0, wanted = 0;

	memset(irqs->has_vector, 0, sizeof(irqs->has_vector));
	for (unsigned int i = 0; i < nvqs && index < PCI_DOORBELL_MAX; i++) {
		if (!infos[i].name)
			continue;
		if (infos[i].callback) {
			irqs->has_vector[index] = true;
			irqs->queue[index] =
				irqs->sharing == VP_IRQ_PER_QUEUE ?
				1 + wanted :
				irqs->sharing == VP_IRQ_QUEUES_SHARED;
			wanted++;
		}
		index++;
	}
	return wanted;
}

static unsigned int vp_irqs_needed(enum vp_irq_sharing sharing,
				   unsigned int wanted)
{
	switch (sharing) {
	case VP_IRQ_PER_QUEUE:
		return 1 + wanted;
	case VP_IRQ_QUEUES_SHARED:
		return 2;
	default:
		return 1;
	}
}

/*
 * The vCPUs of spread vector @i of @nr: consecutive ones, in shares as equal as
 * possible, the first ones larger; with more vectors than vCPUs one each.
 */
static void vp_irq_spread(struct vp_irq *v, unsigned int i, unsigned int nr)
{
	unsigned int share = nr_cpu_ids / nr, extra = nr_cpu_ids % nr;
	unsigned int first = i * share + min(i, extra);

	v->spread = true;
	if (nr > nr_cpu_ids) {
		cpumask_set_cpu(i % nr_cpu_ids, &v->mask);
		return;
	}
	for (unsigned int k = 0; k < share + (i < extra); k++)
		cpumask_set_cpu(first + k, &v->mask);
}

/* Vector @nr is the configuration's (0) or queue vector nr - 1. */
static void vp_irq_place(struct vp_irqs *irqs, unsigned int nr,
			 const struct irq_affinity *desc)
{
	struct vp_irq *v = &irqs->vector[nr];
	unsigned int pre, post, spread;

	if (desc && nr && irqs->sharing == VP_IRQ_PER_QUEUE) {
		pre = 1 + desc->pre_vectors;
		post = desc->post_vectors;
		spread = irqs->nr > pre + post ? irqs->nr - pre - post : 0;
		if (nr >= pre && nr - pre < spread) {
			vp_irq_spread(v, nr - pre, spread);
			return;
		}
	}
	cpumask_set_cpu(nr ? (nr - 1) % nr_cpu_ids : 0, &v->mask);
}

static int vp_irqs_fill(struct vp_irqs *irqs, unsigned int nr,
			const struct irq_affinity *desc)
{
	irqs->vector = kcalloc(nr, sizeof(*irqs->vector), GFP_KERNEL);
	if (!irqs->vector)
		return -ENOMEM;
	irqs->nr = nr;
	for (unsigned int i = 0; i < nr; i++)
		irqs->vector[i].irq = -1;
	for (unsigned int i = 0; i < nr; i++) {
		struct vp_irq *v = &irqs->vector[i];

		vp_irq_place(irqs, i, desc);
		v->irq = irq_alloc(cpumask_first(&v->mask));
		if (v->irq < 0)
			return v->irq;
	}
	return 0;
}

int vp_irqs_alloc(struct vp_irqs *irqs, enum vp_irq_sharing sharing,
		  unsigned int nvqs, const struct virtqueue_info *infos,
		  const struct irq_affinity *desc)
{
	unsigned int nr;
	int err;

	if (!irqs->cap)
		return -ENODEV;
	irqs->sharing = sharing;
	nr = vp_irqs_needed(sharing, vp_irqs_assign(irqs, nvqs, infos));
	if (nr > irqs->max_nr)
		return -ENOSPC;
	err = vp_irqs_fill(irqs, nr, desc);
	if (err) {
		vp_irqs_free(irqs);
		return err;
	}
	for (unsigned int i = 0; i < nr; i++) {
		vp_irq_mask(irqs, i, true);
		vp_irq_program(irqs, i);
	}
	vp_irqs_enable(irqs, true);
	return 0;
}

void vp_irqs_free(struct vp_irqs *irqs)
{
	if (!irqs->nr)
		return;
	vp_irqs_enable(irqs, false);
	for (unsigned int i = 0; i < irqs->nr; i++) {
		struct vp_irq *v = &irqs->vector[i];

		if (v->requested)
			free_irq(v->irq, v->dev_id);
		if (v->irq >= 0)
			irq_free(v->irq);
	}
	irqs->nr = 0;
	kfree(irqs->vector);
	irqs->vector = NULL;
}

unsigned int vp_irqs_of_queue(const struct vp_irqs *irqs, unsigned int index)
{
	return irqs->queue[index];
}

const struct cpumask *vp_irqs_affinity(const struct vp_irqs *irqs, int index)
{
	if (index < 0 || index >= (int)PCI_DOORBELL_MAX || !irqs->nr ||
	    !irqs->has_vector[index] ||
	    !irqs->vector[irqs->queue[index]].spread)
		return NULL;
	return &irqs->vector[irqs->queue[index]].mask;
}

int vp_irq_request(struct vp_irqs *irqs, unsigned int nr,
		   irq_handler_t handler, void *dev_id, const char *fmt, ...)
{
	struct vp_irq *v = &irqs->vector[nr];
	va_list args;
	int err;

	va_start(args, fmt);
	vsnprintf(v->name, sizeof(v->name), fmt, args);
	va_end(args);
	err = request_irq(v->irq, handler, 0, v->name, dev_id);
	if (err)
		return err;
	v->handler = handler;
	v->dev_id = dev_id;
	v->requested = true;
	vp_irq_mask(irqs, nr, false);
	return 0;
}

/* An interrupt raised meanwhile stays pending in the masked entry. */
int vp_irq_move(struct vp_irqs *irqs, unsigned int nr, unsigned int cpu)
{
	struct vp_irq *v = &irqs->vector[nr];
	int old = v->irq;
	int new = irq_alloc(cpu);
	int err;

	if (new < 0)
		return new;
	err = request_irq(new, v->handler, 0, v->name, v->dev_id);
	if (err) {
		irq_free(new);
		return err;
	}
	vp_irq_mask(irqs, nr, true);
	v->irq = new;
	vp_irq_program(irqs, nr);
	vp_irq_mask(irqs, nr, false);
	free_irq(old, v->dev_id);
	irq_free(old);
	cpumask_clear(&v->mask);
	cpumask_set_cpu(cpu, &v->mask);
	return 0;
}

void vp_irqs_synchronize(struct vp_irqs *irqs)
{
	for (unsigned int i = 0; i < irqs->nr; i++)
		if (irqs->vector[i].irq >= 0)
			synchronize_irq(irqs->vector[i].irq);
}
