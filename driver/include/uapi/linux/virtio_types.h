/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Integers in the byte order of the virtio interface: little-endian, unless
 * the legacy interface is in use, which has the guest's own (2.7.3).
 */
#ifndef _UAPI_LINUX_VIRTIO_TYPES_H
#define _UAPI_LINUX_VIRTIO_TYPES_H

#include "types.h"

typedef __u16 __bitwise __virtio16;
typedef __u32 __bitwise __virtio32;
typedef __u64 __bitwise __virtio64;

#endif /* _UAPI_LINUX_VIRTIO_TYPES_H */
