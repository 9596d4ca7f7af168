/* SPDX-License-Identifier: GPL-2.0-only */
/* Part of <linux/virtio_config.h>: Linux 6.1. */
#ifndef PORT_LINUX_API_VIRTIO_CONFIG_H
#define PORT_LINUX_API_VIRTIO_CONFIG_H

#include <linux/errno.h>
#include <linux/slab.h>

/*
 * Make the queues of a device. All arrays have nvqs elements.
 * @vqs: receives the queues, NULL where the name is NULL
 * @callbacks: NULL: no interrupt wanted
 * @names: each lives as long as its queue
 * @ctx: buffers come with a second token; or NULL
 * @desc: how to spread vectors over CPUs, or NULL: one vector, any CPU
 * Returns 0 or a negative errno.
 */
static inline int virtio_find_vqs_ctx(struct virtio_device *vdev,
				      unsigned int nvqs,
				      struct virtqueue *vqs[],
				      vq_callback_t *callbacks[],
				      const char *const names[],
				      const bool *ctx,
				      struct irq_affinity *desc)
{
	struct virtqueue_info *info;
	int err;

	info = kcalloc(nvqs, sizeof(*info), GFP_KERNEL);
	if (!info)
		return -ENOMEM;
	for (unsigned int i = 0; i < nvqs; i++) {
		info[i].name = names[i];
		info[i].callback = callbacks[i];
		info[i].ctx = ctx && ctx[i];
	}
	err = vdev->config->__api_find_vqs(vdev, nvqs, vqs, info, desc);
	kfree(info);
	return err;
}

static inline int virtio_find_vqs(struct virtio_device *vdev,
				  unsigned int nvqs, struct virtqueue *vqs[],
				  vq_callback_t *callbacks[],
				  const char *const names[],
				  struct irq_affinity *desc)
{
	return virtio_find_vqs_ctx(vdev, nvqs, vqs, callbacks, names, NULL,
				   desc);
}

#endif /* PORT_LINUX_API_VIRTIO_CONFIG_H */
