/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _LINUX_VIRTIO_BLK_H
#define _LINUX_VIRTIO_BLK_H

/* Drivers expect virtio_cread() and the like from here too. */
#include <linux/virtio_config.h>
#include <uapi/linux/virtio_blk.h>

#endif /* _LINUX_VIRTIO_BLK_H */
