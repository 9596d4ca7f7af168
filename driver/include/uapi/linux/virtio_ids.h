/* SPDX-License-Identifier: GPL-2.0-only */
/* Device types, virtio 1.2 clause 5. Only those that occur in this project. */
#ifndef _UAPI_LINUX_VIRTIO_IDS_H
#define _UAPI_LINUX_VIRTIO_IDS_H

#define VIRTIO_ID_NET		1
#define VIRTIO_ID_BLOCK		2
#define VIRTIO_ID_CONSOLE	3
#define VIRTIO_ID_RNG		4
#define VIRTIO_ID_BALLOON	5
#define VIRTIO_ID_SCSI		8

#endif /* _UAPI_LINUX_VIRTIO_IDS_H */
