/* SPDX-License-Identifier: GPL-2.0-only */
/* The customary bundle of small headers. */
#ifndef PORT_LINUX_KERNEL_H
#define PORT_LINUX_KERNEL_H

#include <linux/array_size.h>
#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/bug.h>
#include <linux/compiler.h>
#include <linux/container_of.h>
#include <linux/err.h>
#include <linux/kstrtox.h>
#include <linux/limits.h>
#include <linux/lockdep.h>
#include <linux/log2.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/panic.h>
#include <linux/printk.h>
#include <linux/sprintf.h>
#include <linux/stddef.h>
#include <linux/types.h>
#include <asm/byteorder.h>

#define READ	0
#define WRITE	1

#define ALIGN(x, a)		((((x) + (__typeof__(x))(a) - 1)) & \
				 ~((__typeof__(x))(a) - 1))
#define ALIGN_DOWN(x, a)	((x) & ~((__typeof__(x))(a) - 1))
#define PTR_ALIGN(p, a)		((__typeof__(p))ALIGN((unsigned long)(p), (a)))
#define IS_ALIGNED(x, a)	(((x) & ((__typeof__(x))(a) - 1)) == 0)
#define upper_32_bits(n)	((u32)((n) >> 16 >> 16))
#define lower_32_bits(n)	((u32)((n) & 0xffffffff))

#endif /* PORT_LINUX_KERNEL_H */
