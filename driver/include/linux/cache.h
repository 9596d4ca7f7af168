/* SPDX-License-Identifier: GPL-2.0-only */
/* Cache line size and alignment: 64 bytes, the line directory's unit. */
#ifndef PORT_LINUX_CACHE_H
#define PORT_LINUX_CACHE_H

#include <linux/compiler.h>

#define L1_CACHE_SHIFT	6
#define L1_CACHE_BYTES	(1 << L1_CACHE_SHIFT)
#define SMP_CACHE_BYTES	L1_CACHE_BYTES
#define cache_line_size() L1_CACHE_BYTES

#define ____cacheline_aligned	__aligned(SMP_CACHE_BYTES)
#define __cacheline_aligned	____cacheline_aligned
#define ____cacheline_aligned_in_smp ____cacheline_aligned
#define __cacheline_aligned_in_smp ____cacheline_aligned
#define L1_CACHE_ALIGN(x) \
	(((x) + L1_CACHE_BYTES - 1) & ~(__typeof__(x))(L1_CACHE_BYTES - 1))

#endif /* PORT_LINUX_CACHE_H */
