/* SPDX-License-Identifier: GPL-2.0-only */
/* Part of <linux/virtio_config.h>: Linux 6.12. */
#ifndef PORT_LINUX_API_VIRTIO_CONFIG_H
#define PORT_LINUX_API_VIRTIO_CONFIG_H

/*
 * Make the queues of a device.
 * @vqs: receives nvqs queues, NULL where the name is NULL
 * @vqs_info: read before return
 * @desc: how to spread vectors over CPUs, or NULL: one vector, any CPU
 * Returns 0 or a negative errno.
 */
static inline int virtio_find_vqs(struct virtio_device *vdev,
				  unsigned int nvqs, struct virtqueue *vqs[],
				  struct virtqueue_info vqs_info[],
				  struct irq_affinity *desc)
{
	return vdev->config->find_vqs(vdev, nvqs, vqs, vqs_info, desc);
}

#endif /* PORT_LINUX_API_VIRTIO_CONFIG_H */
