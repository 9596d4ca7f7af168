/* SPDX-License-Identifier: GPL-2.0-only */
/* Device identities that drivers match. */
#ifndef PORT_LINUX_MOD_DEVICETABLE_H
#define PORT_LINUX_MOD_DEVICETABLE_H

#include <linux/types.h>

struct virtio_device_id {
	__u32 device;
	__u32 vendor;
};
#define VIRTIO_DEV_ANY_ID 0xffffffff

#endif /* PORT_LINUX_MOD_DEVICETABLE_H */
