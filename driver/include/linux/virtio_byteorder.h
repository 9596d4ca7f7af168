/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Between the CPU's byte order and that of the virtio interface (2.7.3).
 * All on the little-endian CPUs that are simulated come out as no operation,
 * but a driver that forgets one is wrong, so the calls must exist.
 */
#ifndef _LINUX_VIRTIO_BYTEORDER_H
#define _LINUX_VIRTIO_BYTEORDER_H

#include <asm/byteorder.h>
#include <linux/types.h>
#include <uapi/linux/virtio_types.h>

static inline bool virtio_legacy_is_little_endian(void)
{
	return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
}

/* @little_endian: the interface's order; @val: in that order, or the CPU's */
static inline u16 __virtio16_to_cpu(bool little_endian, __virtio16 val)
{
	return little_endian == virtio_legacy_is_little_endian() ?
		val : __builtin_bswap16(val);
}

static inline __virtio16 __cpu_to_virtio16(bool little_endian, u16 val)
{
	return __virtio16_to_cpu(little_endian, val);
}

static inline u32 __virtio32_to_cpu(bool little_endian, __virtio32 val)
{
	return little_endian == virtio_legacy_is_little_endian() ?
		val : __builtin_bswap32(val);
}

static inline __virtio32 __cpu_to_virtio32(bool little_endian, u32 val)
{
	return __virtio32_to_cpu(little_endian, val);
}

static inline u64 __virtio64_to_cpu(bool little_endian, __virtio64 val)
{
	return little_endian == virtio_legacy_is_little_endian() ?
		val : __builtin_bswap64(val);
}

static inline __virtio64 __cpu_to_virtio64(bool little_endian, u64 val)
{
	return __virtio64_to_cpu(little_endian, val);
}

#endif /* _LINUX_VIRTIO_BYTEORDER_H */
