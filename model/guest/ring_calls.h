/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ring's functions for transports. They are in the loaded driver, so the
 * harness finds them by name and the transport calls them through this table. No
 * kernel header is needed to include this.
 */
#ifndef MODEL_GUEST_RING_CALLS_H
#define MODEL_GUEST_RING_CALLS_H

#include <stdbool.h>
#include <stdint.h>

struct virtqueue;
struct virtio_device;

/*
 * X(field, symbol): what to look up. The types are those of
 * <linux/virtio_ring.h> and <linux/virtio.h>, spelt in plain C.
 */
#define VIRTIO_RING_CALLS(X)						\
	X(create, vring_create_virtqueue)				\
	X(del, vring_del_virtqueue)					\
	X(interrupt, vring_interrupt)					\
	X(transport_features, vring_transport_features)			\
	X(get_size, virtqueue_get_vring_size)				\
	X(get_desc_addr, virtqueue_get_desc_addr)			\
	X(get_avail_addr, virtqueue_get_avail_addr)			\
	X(get_used_addr, virtqueue_get_used_addr)
/* May be missing (Linux 6.1): NULL then. */
#define VIRTIO_RING_CALLS_OPTIONAL(X)					\
	X(notification_data, vring_notification_data)

struct virtio_ring_calls {
	struct virtqueue *(*create)(unsigned int index, unsigned int num,
				    unsigned int vring_align,
				    struct virtio_device *vdev,
				    bool weak_barriers, bool may_reduce_num,
				    bool context,
				    bool (*notify)(struct virtqueue *vq),
				    void (*callback)(struct virtqueue *vq),
				    const char *name);
	void (*del)(struct virtqueue *vq);
	unsigned int (*interrupt)(int irq, void *vq);	/* irqreturn_t */
	void (*transport_features)(struct virtio_device *vdev);
	unsigned int (*get_size)(const struct virtqueue *vq);
	unsigned long long (*get_desc_addr)(const struct virtqueue *vq);
	unsigned long long (*get_avail_addr)(const struct virtqueue *vq);
	unsigned long long (*get_used_addr)(const struct virtqueue *vq);
	unsigned int (*notification_data)(struct virtqueue *vq);
};

/* Before the guest starts. @calls must outlive it. */
void virtio_pci_set_ring(const struct virtio_ring_calls *calls);

#endif
