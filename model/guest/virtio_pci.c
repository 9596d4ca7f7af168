// SPDX-License-Identifier: GPL-2.0-only
#include "model/guest/guest.h"

#include <linux/cache.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/interrupt.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/virtio.h>
#include <linux/virtio_config.h>
#include <linux/virtio_pci.h>
#include <linux/virtio_ring.h>

#include "model/guest/irq.h"
#include "model/guest/virtio_pci.h"
#include "model/guest/vp_irq.h"

/* PCI 3.0, 6.1: type 0 header. */
#define CFG_VENDOR		0x00u
#define CFG_DEVICE		0x02u
#define CFG_COMMAND		0x04u
#define CFG_COMMAND_MEMORY	0x0002u
#define CFG_COMMAND_MASTER	0x0004u
#define CFG_STATUS		0x06u
#define CFG_STATUS_CAP_LIST	0x0010u
#define CFG_BAR0		0x10u
#define CFG_BAR_FLAGS		0xfu
#define CFG_BAR_IO		0x1u
#define CFG_BAR_TYPE		0x6u
#define CFG_BAR_64		0x4u
#define CFG_CAP_POINTER		0x34u
#define CFG_CAPS_MAX		48u	/* a longer list is a loop */
#define CAP_ID_VENDOR		0x09u
#define CAP_ID_MSIX		0x11u

#define VP_QUEUES_MAX		PCI_DOORBELL_MAX

/* One of the device's structures in a BAR. */
struct vp_area {
	u64 pa;			/* 0: absent */
	u32 bytes;
};

/*
 * @queue:   by index in the device; NULL where there is none
 * @irqs:    MSI-X vectors while queues exist
 */
struct virtio_pci_device {
	struct virtio_device vdev;
	struct pci_function *fn;
	struct vp_area common;
	struct vp_area notify;
	struct vp_area isr;
	struct vp_area device;
	u32 notify_multiplier;
	struct vp_irqs irqs;
	struct virtqueue *queue[VP_QUEUES_MAX];
	unsigned int queues_nr;
};

static struct {
	const struct virtio_ring_calls *ring;
	struct virtio_pci_device *device;
} vp_state;

void virtio_pci_set_ring(const struct virtio_ring_calls *calls)
{
	vp_state.ring = calls;
}

void virtio_pci_init(void)
{
	vp_state.device = NULL;
}

static struct virtio_pci_device *to_vp(const struct virtio_device *vdev)
{
	return container_of(vdev, struct virtio_pci_device, vdev);
}

/* Common configuration: @offset is VIRTIO_PCI_COMMON_*. */
static u32 vp_read(struct virtio_pci_device *vp, u32 offset, u32 bytes)
{
	return pci_mmio_read(vp->fn, vp->common.pa + offset, bytes);
}

static void vp_write(struct virtio_pci_device *vp, u32 offset, u32 bytes,
		     u32 value)
{
	pci_mmio_write(vp->fn, vp->common.pa + offset, bytes, value);
}

/* 4.1.3.1: 64-bit fields as two halves. */
static void vp_write64(struct virtio_pci_device *vp, u32 offset, u64 value)
{
	vp_write(vp, offset, 4, lower_32_bits(value));
	vp_write(vp, offset + 4, 4, upper_32_bits(value));
}

static u64 vp_get_features(struct virtio_device *vdev)
{
	struct virtio_pci_device *vp = to_vp(vdev);
	u64 features;

	vp_write(vp, VIRTIO_PCI_COMMON_DFSELECT, 4, 0);
	features = vp_read(vp, VIRTIO_PCI_COMMON_DF, 4);
	vp_write(vp, VIRTIO_PCI_COMMON_DFSELECT, 4, 1);
	return features | (u64)vp_read(vp, VIRTIO_PCI_COMMON_DF, 4) << 32;
}

static int vp_finalize_features(struct virtio_device *vdev)
{
	struct virtio_pci_device *vp = to_vp(vdev);

	vp_state.ring->transport_features(vdev);
	if (!vp_state.ring->notification_data)
		__virtio_clear_bit(vdev, VIRTIO_F_NOTIFICATION_DATA);
	if (!virtio_has_feature(vdev, VIRTIO_F_VERSION_1)) {
		dev_err(&vdev->dev,
			"virtio: device does not have VIRTIO_F_VERSION_1\n");
		return -EINVAL;
	}
	vp_write(vp, VIRTIO_PCI_COMMON_GFSELECT, 4, 0);
	vp_write(vp, VIRTIO_PCI_COMMON_GF, 4, lower_32_bits(vdev->features));
	vp_write(vp, VIRTIO_PCI_COMMON_GFSELECT, 4, 1);
	vp_write(vp, VIRTIO_PCI_COMMON_GF, 4, upper_32_bits(vdev->features));
	return 0;
}

/* 4.1.3.1: fields of up to 32 bits by one access of their width. */
static u32 vp_access_bytes(u32 offset, u32 len)
{
	u32 bytes = len >= 4 ? 4 : len >= 2 ? 2 : 1;

	while (offset % bytes)
		bytes /= 2;
	return bytes;
}

static void vp_get(struct virtio_device *vdev, unsigned int offset, void *buf,
		   unsigned int len)
{
	struct virtio_pci_device *vp = to_vp(vdev);
	u8 *to = buf;

	BUG_ON(!vp->device.pa || offset + len > vp->device.bytes);
	while (len) {
		u32 bytes = vp_access_bytes(offset, len);
		u32 value = pci_mmio_read(vp->fn, vp->device.pa + offset,
					  bytes);

		memcpy(to, &value, bytes);
		to += bytes;
		offset += bytes;
		len -= bytes;
	}
}

static void vp_set(struct virtio_device *vdev, unsigned int offset,
		   const void *buf, unsigned int len)
{
	struct virtio_pci_device *vp = to_vp(vdev);
	const u8 *from = buf;

	BUG_ON(!vp->device.pa || offset + len > vp->device.bytes);
	while (len) {
		u32 bytes = vp_access_bytes(offset, len);
		u32 value = 0;

		memcpy(&value, from, bytes);
		pci_mmio_write(vp->fn, vp->device.pa + offset, bytes, value);
		from += bytes;
		offset += bytes;
		len -= bytes;
	}
}

static u32 vp_generation(struct virtio_device *vdev)
{
	return vp_read(to_vp(vdev), VIRTIO_PCI_COMMON_CFGGENERATION, 1);
}

static u8 vp_get_status(struct virtio_device *vdev)
{
	return vp_read(to_vp(vdev), VIRTIO_PCI_COMMON_STATUS, 1);
}

static void vp_set_status(struct virtio_device *vdev, u8 status)
{
	BUG_ON(!status);
	vp_write(to_vp(vdev), VIRTIO_PCI_COMMON_STATUS, 1, status);
}

static void vp_synchronize_cbs(struct virtio_device *vdev)
{
	vp_irqs_synchronize(&to_vp(vdev)->irqs);
}

/* 4.1.4.3.2: wait until the device says that it is reset. */
static void vp_reset(struct virtio_device *vdev)
{
	vp_write(to_vp(vdev), VIRTIO_PCI_COMMON_STATUS, 1, 0);
	while (vp_get_status(vdev))
		msleep(1);
	vp_synchronize_cbs(vdev);
}

/* 4.1.5.2: vq->priv is the address of the doorbell. */
static bool vp_notify(struct virtqueue *vq)
{
	pci_mmio_write(to_vp(vq->vdev)->fn, (u64)vq->priv, 2, vq->index);
	return true;
}

static bool vp_notify_with_data(struct virtqueue *vq)
{
	pci_mmio_write(to_vp(vq->vdev)->fn, (u64)vq->priv, 4,
		       vp_state.ring->notification_data(vq));
	return true;
}

static irqreturn_t vp_config_interrupt(int irq, void *opaque)
{
	virtio_config_changed(opaque);
	return IRQ_HANDLED;
}

/* One vector for all queues. */
static irqreturn_t vp_queues_interrupt(int irq, void *opaque)
{
	struct virtio_pci_device *vp = opaque;
	irqreturn_t ret = IRQ_NONE;

	for (unsigned int i = 0; i < vp->queues_nr; i++)
		if (vp->queue[i] &&
		    vp_state.ring->interrupt(irq, vp->queue[i]) == IRQ_HANDLED)
			ret = IRQ_HANDLED;
	return ret;
}

/* One vector for all: the ISR register tells configuration changes, 4.1.4.5. */
static irqreturn_t vp_shared_interrupt(int irq, void *opaque)
{
	struct virtio_pci_device *vp = opaque;

	if (vp->isr.pa && (pci_mmio_read(vp->fn, vp->isr.pa, 1) &
			   VIRTIO_PCI_ISR_CONFIG))
		virtio_config_changed(&vp->vdev);
	vp_queues_interrupt(irq, opaque);
	return IRQ_HANDLED;
}

static void vp_select(struct virtio_pci_device *vp, unsigned int index)
{
	vp_write(vp, VIRTIO_PCI_COMMON_Q_SELECT, 2, index);
}

/* 4.1.5.1.2: -EBUSY if the device has no resources for the vector. */
static int vp_set_queue_vector(struct virtio_pci_device *vp,
			       unsigned int index, u16 vector)
{
	vp_select(vp, index);
	vp_write(vp, VIRTIO_PCI_COMMON_Q_MSIX, 2, vector);
	return vp_read(vp, VIRTIO_PCI_COMMON_Q_MSIX, 2) == vector ? 0 : -EBUSY;
}

static int vp_set_config_vector(struct virtio_pci_device *vp, u16 vector)
{
	vp_write(vp, VIRTIO_PCI_COMMON_MSIX, 2, vector);
	return vp_read(vp, VIRTIO_PCI_COMMON_MSIX, 2) == vector ? 0 : -EBUSY;
}

static u64 vp_doorbell_pa(struct virtio_pci_device *vp)
{
	u64 offset = (u64)vp_read(vp, VIRTIO_PCI_COMMON_Q_NOFF, 2) *
		     vp->notify_multiplier;

	return offset + 2 <= vp->notify.bytes ? vp->notify.pa + offset : 0;
}

/* 4.1.5.1.3: size, addresses, doorbell of the selected queue. */
static int vp_activate_queue(struct virtio_pci_device *vp,
			     struct virtqueue *vq)
{
	const struct virtio_ring_calls *ring = vp_state.ring;

	vp_write(vp, VIRTIO_PCI_COMMON_Q_SIZE, 2, ring->get_size(vq));
	vp_write64(vp, VIRTIO_PCI_COMMON_Q_DESCLO, ring->get_desc_addr(vq));
	vp_write64(vp, VIRTIO_PCI_COMMON_Q_AVAILLO, ring->get_avail_addr(vq));
	vp_write64(vp, VIRTIO_PCI_COMMON_Q_USEDLO, ring->get_used_addr(vq));
	vq->priv = (void *)vp_doorbell_pa(vp);
	return vq->priv ? 0 : -EINVAL;
}

static int vp_queue_size(struct virtio_pci_device *vp, unsigned int index)
{
	u32 num;

	if (index >= vp_read(vp, VIRTIO_PCI_COMMON_NUMQ, 2) ||
	    index >= VP_QUEUES_MAX)
		return -EINVAL;
	vp_select(vp, index);
	num = vp_read(vp, VIRTIO_PCI_COMMON_Q_SIZE, 2);
	if (!num || vp_read(vp, VIRTIO_PCI_COMMON_Q_ENABLE, 2))
		return -ENOENT;
	return num;
}

static void vp_forget_queue(struct virtio_pci_device *vp, unsigned int index)
{
	vp_state.ring->del(vp->queue[index]);
	vp->queue[index] = NULL;
}

static int vp_setup_queue(struct virtio_pci_device *vp, unsigned int index,
			  const struct virtqueue_info *info)
{
	bool with_data = virtio_has_feature(&vp->vdev,
					    VIRTIO_F_NOTIFICATION_DATA);
	int num = vp_queue_size(vp, index);
	struct virtqueue *vq;
	int err;

	if (num < 0)
		return num;
	vq = vp_state.ring->create(index, num, SMP_CACHE_BYTES, &vp->vdev,
				   true, true, info->ctx,
				   with_data ? vp_notify_with_data : vp_notify,
				   info->callback, info->name);
	if (!vq)
		return -ENOMEM;
	vq->num_max = num;
	vp->queue[index] = vq;
	vp->queues_nr = max(vp->queues_nr, index + 1);
	err = vp_activate_queue(vp, vq);
	if (err)
		vp_forget_queue(vp, index);
	return err;
}

/* Vector @nr of the device is the queue's: its handler and its number. */
static int vp_connect_queue(struct virtio_pci_device *vp, unsigned int index,
			    const struct virtqueue_info *info)
{
	unsigned int nr;
	int err;

	if (!info->callback)
		return 0;
	nr = vp_irqs_of_queue(&vp->irqs, index);
	if (vp->irqs.sharing == VP_IRQ_PER_QUEUE) {
		err = vp_irq_request(&vp->irqs, nr,
				     (irq_handler_t)vp_state.ring->interrupt,
				     vp->queue[index], "%s-%s",
				     dev_name(&vp->vdev.dev), info->name);
		if (err)
			return err;
	}
	return vp_set_queue_vector(vp, index, nr);
}

static int vp_connect_shared(struct virtio_pci_device *vp)
{
	const char *name = dev_name(&vp->vdev.dev);
	int err;

	if (vp->irqs.sharing == VP_IRQ_ALL_SHARED)
		err = vp_irq_request(&vp->irqs, 0, vp_shared_interrupt, vp,
				     "%s", name);
	else
		err = vp_irq_request(&vp->irqs, 0, vp_config_interrupt,
				     &vp->vdev, "%s-config", name);
	if (!err && vp->irqs.sharing == VP_IRQ_QUEUES_SHARED)
		err = vp_irq_request(&vp->irqs, 1, vp_queues_interrupt, vp,
				     "%s-virtqueues", name);
	return err ? err : vp_set_config_vector(vp, 0);
}

static void vp_del_vqs(struct virtio_device *vdev)
{
	struct virtio_pci_device *vp = to_vp(vdev);

	for (unsigned int i = 0; i < vp->queues_nr; i++)
		if (vp->queue[i] && vp->irqs.nr)
			vp_set_queue_vector(vp, i, VIRTIO_MSI_NO_VECTOR);
	if (vp->irqs.nr)
		vp_set_config_vector(vp, VIRTIO_MSI_NO_VECTOR);
	vp_irqs_free(&vp->irqs);
	for (unsigned int i = 0; i < vp->queues_nr; i++)
		if (vp->queue[i])
			vp_forget_queue(vp, i);
	vp->queues_nr = 0;
}

/* Make all queues with vectors shared as vp->irqs says. */
static int vp_make_queues(struct virtio_pci_device *vp, unsigned int nvqs,
			  struct virtqueue *vqs[],
			  const struct virtqueue_info infos[])
{
	unsigned int index = 0;
	int err = vp_connect_shared(vp);

	for (unsigned int i = 0; !err && i < nvqs; i++) {
		vqs[i] = NULL;
		if (!infos[i].name)
			continue;
		err = vp_setup_queue(vp, index, &infos[i]);
		if (!err)
			err = vp_connect_queue(vp, index, &infos[i]);
		if (!err)
			vqs[i] = vp->queue[index++];
	}
	return err;
}

/* 4.1.4.3.2: a queue is enabled when all else of it is set up. */
static void vp_enable_queues(struct virtio_pci_device *vp)
{
	for (unsigned int i = 0; i < vp->queues_nr; i++) {
		if (!vp->queue[i])
			continue;
		vp_select(vp, i);
		vp_write(vp, VIRTIO_PCI_COMMON_Q_ENABLE, 2, 1);
	}
}

static int vp_try_find_vqs(struct virtio_pci_device *vp, unsigned int nvqs,
			   struct virtqueue *vqs[],
			   const struct virtqueue_info infos[],
			   enum vp_irq_sharing sharing,
			   struct irq_affinity *desc)
{
	int err = vp_irqs_alloc(&vp->irqs, sharing, nvqs, infos, desc);

	if (err)
		return err;
	err = vp_make_queues(vp, nvqs, vqs, infos);
	if (err)
		vp_del_vqs(&vp->vdev);
	else
		vp_enable_queues(vp);
	return err;
}

static int vp_find_vqs(struct virtio_device *vdev, unsigned int nvqs,
		       struct virtqueue *vqs[], struct virtqueue_info infos[],
		       struct irq_affinity *desc)
{
	struct virtio_pci_device *vp = to_vp(vdev);
	enum vp_irq_sharing sharing;
	int err = -ENOSPC;

	for (sharing = VP_IRQ_PER_QUEUE; sharing <= VP_IRQ_ALL_SHARED;
	     sharing++) {
		err = vp_try_find_vqs(vp, nvqs, vqs, infos, sharing, desc);
		if (err != -ENOSPC && err != -EBUSY)
			break;
	}
	return err;
}

static const char *vp_bus_name(struct virtio_device *vdev)
{
	return "0000:00:01.0";
}

static const struct cpumask *vp_get_vq_affinity(struct virtio_device *vdev,
						int index)
{
	return vp_irqs_affinity(&to_vp(vdev)->irqs, index);
}

static int vp_set_vq_affinity(struct virtqueue *vq,
			      const struct cpumask *cpu_mask)
{
	struct virtio_pci_device *vp = to_vp(vq->vdev);

	if (!vq->callback)
		return -EINVAL;
	if (vp->irqs.sharing != VP_IRQ_PER_QUEUE || !cpu_mask ||
	    cpumask_empty(cpu_mask))
		return 0;
	return vp_irq_move(&vp->irqs, vp_irqs_of_queue(&vp->irqs, vq->index),
			   cpumask_first(cpu_mask));
}

static const struct virtio_config_ops vp_ops = {
	.get = vp_get,
	.set = vp_set,
	.generation = vp_generation,
	.get_status = vp_get_status,
	.set_status = vp_set_status,
	.reset = vp_reset,
	.find_vqs = vp_find_vqs,
	.del_vqs = vp_del_vqs,
	.synchronize_cbs = vp_synchronize_cbs,
	.get_features = vp_get_features,
	.finalize_features = vp_finalize_features,
	.bus_name = vp_bus_name,
	.set_vq_affinity = vp_set_vq_affinity,
	.get_vq_affinity = vp_get_vq_affinity,
};

/* Base of memory BAR @bar, 0 if there is none. */
static u64 vp_bar_pa(struct pci_function *fn, u32 bar)
{
	u32 offset = CFG_BAR0 + 4 * bar;
	u64 base;

	if (bar >= PCI_BARS_NR)
		return 0;
	base = pci_config_read(fn, offset, 4);
	if (base & CFG_BAR_IO)
		return 0;
	if ((base & CFG_BAR_TYPE) == CFG_BAR_64 && bar + 1 < PCI_BARS_NR)
		base |= (u64)pci_config_read(fn, offset + 4, 4) << 32;
	return base & ~(u64)CFG_BAR_FLAGS;
}

static struct vp_area vp_read_area(struct pci_function *fn, u32 cap)
{
	u32 bar = pci_config_read(fn, cap + VIRTIO_PCI_CAP_BAR, 1);
	struct vp_area area = { .pa = vp_bar_pa(fn, bar) };

	if (!area.pa)
		return area;
	area.pa += pci_config_read(fn, cap + VIRTIO_PCI_CAP_OFFSET, 4);
	area.bytes = pci_config_read(fn, cap + VIRTIO_PCI_CAP_LENGTH, 4);
	return area;
}

/* 4.1.4.1: of several capabilities of a type, the first usable one counts. */
static void vp_note_capability(struct virtio_pci_device *vp, u32 cap)
{
	struct pci_function *fn = vp->fn;
	u32 type = pci_config_read(fn, cap + VIRTIO_PCI_CAP_CFG_TYPE, 1);

	if (type == VIRTIO_PCI_CAP_COMMON_CFG && !vp->common.pa) {
		vp->common = vp_read_area(fn, cap);
	} else if (type == VIRTIO_PCI_CAP_NOTIFY_CFG && !vp->notify.pa) {
		vp->notify = vp_read_area(fn, cap);
		vp->notify_multiplier =
			pci_config_read(fn, cap + VIRTIO_PCI_NOTIFY_CAP_MULT,
					4);
	} else if (type == VIRTIO_PCI_CAP_ISR_CFG && !vp->isr.pa) {
		vp->isr = vp_read_area(fn, cap);
	} else if (type == VIRTIO_PCI_CAP_DEVICE_CFG && !vp->device.pa) {
		vp->device = vp_read_area(fn, cap);
	}
}

static void vp_note_msix(struct virtio_pci_device *vp, u32 cap)
{
	u32 table = pci_config_read(vp->fn, cap + 4, 4);
	u64 bar_pa = vp_bar_pa(vp->fn, table & 7);

	if (bar_pa)
		vp_irqs_init(&vp->irqs, vp->fn, cap, bar_pa + (table & ~7u));
}

static int vp_find_capabilities(struct virtio_pci_device *vp)
{
	struct pci_function *fn = vp->fn;
	u32 cap, left = CFG_CAPS_MAX;

	if (!(pci_config_read(fn, CFG_STATUS, 2) & CFG_STATUS_CAP_LIST))
		return -ENODEV;
	cap = pci_config_read(fn, CFG_CAP_POINTER, 1);
	for (; cap && left; left--) {
		u32 id = pci_config_read(fn, cap, 1);

		if (id == CAP_ID_VENDOR)
			vp_note_capability(vp, cap);
		else if (id == CAP_ID_MSIX)
			vp_note_msix(vp, cap);
		cap = pci_config_read(fn, cap + VIRTIO_PCI_CAP_NEXT, 1);
	}
	if (!vp->common.pa || !vp->notify.pa)
		return -ENODEV;
	return cap || vp->common.bytes < sizeof(struct virtio_pci_common_cfg) ?
	       -EINVAL : 0;
}

static void vp_release(struct device *dev)
{
	kfree(to_vp(dev_to_virtio(dev)));
}

/* 4.1.2: vendor, and device id of a non-transitional device. */
static int vp_identify(struct virtio_pci_device *vp)
{
	u32 vendor = pci_config_read(vp->fn, CFG_VENDOR, 2);
	u32 device = pci_config_read(vp->fn, CFG_DEVICE, 2);

	if (vendor != VIRTIO_PCI_VENDOR_ID ||
	    device < VIRTIO_PCI_DEVICE_ID_BASE ||
	    device >= VIRTIO_PCI_DEVICE_ID_BASE + 0x40)
		return -ENODEV;
	vp->vdev.id.device = device - VIRTIO_PCI_DEVICE_ID_BASE;
	vp->vdev.id.vendor = vendor;
	pci_config_write(vp->fn, CFG_COMMAND, 2,
			 pci_config_read(vp->fn, CFG_COMMAND, 2) |
			 CFG_COMMAND_MEMORY | CFG_COMMAND_MASTER);
	return vp_find_capabilities(vp);
}

int virtio_pci_probe(struct pci_function *fn)
{
	struct virtio_pci_device *vp = kzalloc(sizeof(*vp), GFP_KERNEL);
	int err;

	if (!vp)
		return -ENOMEM;
	vp->fn = fn;
	vp->vdev.config = &vp_ops;
	vp->vdev.dev.release = vp_release;
	err = vp_identify(vp);
	if (err) {
		kfree(vp);
		return err;
	}
	vp_state.device = vp;
	err = register_virtio_device(&vp->vdev);
	if (err) {
		vp_state.device = NULL;
		put_device(&vp->vdev.dev);
	}
	return err;
}

void virtio_pci_remove(void)
{
	struct virtio_pci_device *vp = vp_state.device;

	if (!vp)
		return;
	vp_state.device = NULL;
	unregister_virtio_device(&vp->vdev);
}
