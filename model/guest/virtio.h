/* SPDX-License-Identifier: GPL-2.0-only */
/* The virtio bus: implements <linux/virtio.h>. Guest code. */
#ifndef MODEL_GUEST_VIRTIO_H
#define MODEL_GUEST_VIRTIO_H

#include <linux/virtio.h>

/* Empty bus. After slab_init. */
void virtio_init(void);

/* Device @idx on the bus, NULL beyond the last. Its dev.driver tells whether it
 * was probed successfully. */
struct virtio_device *virtio_device_nr(u32 idx);

/*
 * System suspend: keep configuration changes away, and let the driver freeze.
 * Resume: reset, negotiate the same features again, let the driver restore. In
 * task context; may park. 0 or -errno.
 */
int virtio_device_freeze(struct virtio_device *dev);
int virtio_device_restore(struct virtio_device *dev);

/* BUG unless the driver's feature tables name @fbit. */
void virtio_check_driver_offered_feature(const struct virtio_device *vdev,
					 unsigned int fbit);

#endif
