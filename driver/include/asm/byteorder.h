/* SPDX-License-Identifier: GPL-2.0-only */
/* Byte order: the guest is little-endian. */
#ifndef PORT_ASM_BYTEORDER_H
#define PORT_ASM_BYTEORDER_H

#include <linux/types.h>

#define __LITTLE_ENDIAN 1234
#define swab16(x) __builtin_bswap16(x)
#define swab32(x) __builtin_bswap32(x)
#define swab64(x) __builtin_bswap64(x)

#define cpu_to_le16(x) ((__le16)(u16)(x))
#define cpu_to_le32(x) ((__le32)(u32)(x))
#define cpu_to_le64(x) ((__le64)(u64)(x))
#define le16_to_cpu(x) ((u16)(__le16)(x))
#define le32_to_cpu(x) ((u32)(__le32)(x))
#define le64_to_cpu(x) ((u64)(__le64)(x))
#define cpu_to_be16(x) ((__be16)swab16(x))
#define cpu_to_be32(x) ((__be32)swab32(x))
#define cpu_to_be64(x) ((__be64)swab64(x))
#define be16_to_cpu(x) swab16((u16)(x))
#define be32_to_cpu(x) swab32((u32)(x))
#define be64_to_cpu(x) swab64((u64)(x))
#define le16_to_cpup(p) le16_to_cpu(*(p))
#define le32_to_cpup(p) le32_to_cpu(*(p))
#define le64_to_cpup(p) le64_to_cpu(*(p))

#endif /* PORT_ASM_BYTEORDER_H */
