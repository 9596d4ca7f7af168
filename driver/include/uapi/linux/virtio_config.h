/* SPDX-License-Identifier: GPL-2.0-only */
/* Device status and the feature bits that belong to no device type. */
#ifndef _UAPI_LINUX_VIRTIO_CONFIG_H
#define _UAPI_LINUX_VIRTIO_CONFIG_H

#include "types.h"

/* Device status field, 2.1. Written 0 by the driver: reset (2.4). */
#define VIRTIO_CONFIG_S_ACKNOWLEDGE	0x01
#define VIRTIO_CONFIG_S_DRIVER		0x02
#define VIRTIO_CONFIG_S_DRIVER_OK	0x04
#define VIRTIO_CONFIG_S_FEATURES_OK	0x08
#define VIRTIO_CONFIG_S_NEEDS_RESET	0x40
#define VIRTIO_CONFIG_S_FAILED		0x80

/*
 * Feature bits, 2.2 and 6: 0 to 23 belong to the device type, those from
 * here up to (not including) the end to the queues and the negotiation.
 */
#define VIRTIO_TRANSPORT_F_START	28
#define VIRTIO_TRANSPORT_F_END		42

#ifndef VIRTIO_CONFIG_NO_LEGACY
/* Legacy only, 6.3: interrupt even though suppressed, when the ring is empty */
#define VIRTIO_F_NOTIFY_ON_EMPTY	24
/* Legacy only, 6.3: any division of a message into descriptors */
#define VIRTIO_F_ANY_LAYOUT		27
#endif

/* Complies with virtio 1.0 or later */
#define VIRTIO_F_VERSION_1		32
/* Device memory access goes through an IOMMU or bounce buffers */
#define VIRTIO_F_ACCESS_PLATFORM	33
/* The same bit by its older name */
#define VIRTIO_F_IOMMU_PLATFORM		VIRTIO_F_ACCESS_PLATFORM
/* Packed virtqueue layout, 2.8 */
#define VIRTIO_F_RING_PACKED		34
/* Buffers are used in the order they were made available */
#define VIRTIO_F_IN_ORDER		35
/* Memory order as between real devices: stronger barriers needed */
#define VIRTIO_F_ORDER_PLATFORM		36
/* Single root I/O virtualisation */
#define VIRTIO_F_SR_IOV			37
/* Notifications carry more than the queue number, 2.9 */
#define VIRTIO_F_NOTIFICATION_DATA	38
/* Notification identifier comes from the device (queue_notify_data) */
#define VIRTIO_F_NOTIF_CONFIG_DATA	39
/* One queue can be reset on its own, 2.6.1 */
#define VIRTIO_F_RING_RESET		40
/* Administration virtqueue (after 1.2) */
#define VIRTIO_F_ADMIN_VQ		41

#endif /* _UAPI_LINUX_VIRTIO_CONFIG_H */
