/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Integer types of everything that guest and host both see.
 *
 * Needs no other header, so that it serves the guest (-nostdinc) and host
 * code (libc) alike. <stdint.h> will not do: in a hosted -nostdinc build
 * gcc's own forwards to libc's, and its uint64_t is not the unsigned long
 * long that %llu in a driver wants. Every typedef repeats libc's
 * <linux/types.h> exactly, which C11 6.7p3 allows.
 */
#ifndef _UAPI_LINUX_TYPES_H
#define _UAPI_LINUX_TYPES_H

typedef signed char __s8;
typedef unsigned char __u8;
typedef signed short __s16;
typedef unsigned short __u16;
typedef signed int __s32;
typedef unsigned int __u32;
__extension__ typedef signed long long __s64;
__extension__ typedef unsigned long long __u64;

#ifndef __bitwise
#define __bitwise
#endif

/* Bytes in a fixed order; the name says which, the compiler does not check. */
typedef __u16 __bitwise __le16;
typedef __u16 __bitwise __be16;
typedef __u32 __bitwise __le32;
typedef __u32 __bitwise __be32;
typedef __u64 __bitwise __le64;
typedef __u64 __bitwise __be64;

#endif /* _UAPI_LINUX_TYPES_H */
