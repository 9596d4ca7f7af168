/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Making rings, for transports, and the memory order between driver and
 * device: Linux 6.12.
 *
 * weak_barriers: the device is a thread on a CPU, so that the SMP barriers
 * order memory for it; false (VIRTIO_F_ORDER_PLATFORM, 6): it is, or acts
 * like, hardware, and needs the mandatory ones.
 */
#ifndef _LINUX_VIRTIO_RING_H
#define _LINUX_VIRTIO_RING_H

#include <asm/barrier.h>
#include <linux/interrupt.h>
#include <linux/types.h>
#include <linux/virtio.h>
#include <uapi/linux/virtio_ring.h>

struct device;

/* Everything before, before everything after. */
static inline void virtio_mb(bool weak_barriers)
{
	if (weak_barriers)
		smp_mb();
	else
		mb();
}

/* Loads before, before loads after. */
static inline void virtio_rmb(bool weak_barriers)
{
	if (weak_barriers)
		smp_rmb();
	else
		dma_rmb();
}

/* Stores before, before stores after. */
static inline void virtio_wmb(bool weak_barriers)
{
	if (weak_barriers)
		smp_wmb();
	else
		dma_wmb();
}

/* Store v to *p, then a full barrier. */
#define virtio_store_mb(weak_barriers, p, v) \
	do { \
		if (weak_barriers) { \
			smp_store_mb(*(p), v); \
		} else { \
			WRITE_ONCE(*(p), v); \
			mb(); \
		} \
	} while (0)

/*
 * Make a queue and its zeroed ring memory.
 * @index: of the queue in the device
 * @num: entries, a power of two from 1 to 32768
 * @vring_align: of the used ring, bytes, a power of two
 * @vdev: owner; its features must be final. The queue is put on vdev->vqs.
 * @weak_barriers: see above
 * @may_reduce_num: if memory is short, fewer entries will do
 * @context: virtqueue_add_inbuf_ctx() will be used
 * @notify: rings the doorbell; false: the device is gone
 * @callback: or NULL
 * @name: kept, not copied; or NULL
 * Returns NULL if num is bad or memory is short. Does not park.
 */
struct virtqueue *vring_create_virtqueue(unsigned int index,
					 unsigned int num,
					 unsigned int vring_align,
					 struct virtio_device *vdev,
					 bool weak_barriers,
					 bool may_reduce_num,
					 bool context,
					 bool (*notify)(struct virtqueue *vq),
					 void (*callback)(struct virtqueue *vq),
					 const char *name);

/* The same; mappings, if any are needed, are made for @dma_dev. */
struct virtqueue *
vring_create_virtqueue_dma(unsigned int index, unsigned int num,
			   unsigned int vring_align,
			   struct virtio_device *vdev, bool weak_barriers,
			   bool may_reduce_num, bool context,
			   bool (*notify)(struct virtqueue *vq),
			   void (*callback)(struct virtqueue *vq),
			   const char *name, struct device *dma_dev);

/*
 * The same in memory of the caller.
 * @pages: vring_size() bytes, zeroed, contiguous; must outlive the queue
 */
struct virtqueue *vring_new_virtqueue(unsigned int index,
				      unsigned int num,
				      unsigned int vring_align,
				      struct virtio_device *vdev,
				      bool weak_barriers,
				      bool context,
				      void *pages,
				      bool (*notify)(struct virtqueue *vq),
				      void (*callback)(struct virtqueue *vq),
				      const char *name);

/* Undo the three. The device must not touch the ring any more. */
void vring_del_virtqueue(struct virtqueue *vq);

/* Withdraw from vdev->features what this ring cannot do. */
void vring_transport_features(struct virtio_device *vdev);

/*
 * Interrupt of one queue.
 * @_vq: its struct virtqueue
 * Returns IRQ_NONE if nothing was used, else runs the callback first.
 */
irqreturn_t vring_interrupt(int irq, void *_vq);

/* What VIRTIO_F_NOTIFICATION_DATA puts into the doorbell, 2.9. */
u32 vring_notification_data(struct virtqueue *vq);

#endif /* _LINUX_VIRTIO_RING_H */
