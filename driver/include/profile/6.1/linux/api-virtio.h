/* SPDX-License-Identifier: GPL-2.0-only */
/* Part of <linux/virtio.h>: Linux 6.1. */
#ifndef PORT_LINUX_API_VIRTIO_H
#define PORT_LINUX_API_VIRTIO_H

/*
 * Change the number of entries of a queue; needs VIRTIO_F_RING_RESET.
 * @recycle: called for each buffer that was not used
 * Returns 0 or a negative errno.
 */
int virtqueue_resize(struct virtqueue *vq, u32 num,
		     void (*recycle)(struct virtqueue *vq, void *buf));

#endif /* PORT_LINUX_API_VIRTIO_H */
