/* SPDX-License-Identifier: GPL-2.0-only */
/* Part of <linux/virtio.h>: Linux 6.12. */
#ifndef PORT_LINUX_API_VIRTIO_H
#define PORT_LINUX_API_VIRTIO_H

/*
 * Change the number of entries of a queue, or just make it empty; needs
 * VIRTIO_F_RING_RESET.
 * @recycle: called for each buffer that was not used
 * @recycle_done: called after the last one, before the queue works again; or
 *	NULL
 * Returns 0 or a negative errno.
 */
int virtqueue_resize(struct virtqueue *vq, u32 num,
		     void (*recycle)(struct virtqueue *vq, void *buf),
		     void (*recycle_done)(struct virtqueue *vq));
int virtqueue_reset(struct virtqueue *vq,
		    void (*recycle)(struct virtqueue *vq, void *buf),
		    void (*recycle_done)(struct virtqueue *vq));

#endif /* PORT_LINUX_API_VIRTIO_H */
