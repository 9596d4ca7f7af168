/* SPDX-License-Identifier: GPL-2.0-only */
/* Allocation flags, bit for bit the kernel's. */
#ifndef PORT_LINUX_GFP_TYPES_H
#define PORT_LINUX_GFP_TYPES_H

#include <linux/bits.h>

#define __GFP_DMA		((gfp_t)BIT(0))
#define __GFP_HIGHMEM		((gfp_t)BIT(1))
#define __GFP_DMA32		((gfp_t)BIT(2))
#define __GFP_MOVABLE		((gfp_t)BIT(3))
#define __GFP_RECLAIMABLE	((gfp_t)BIT(4))
#define __GFP_HIGH		((gfp_t)BIT(5))
#define __GFP_IO		((gfp_t)BIT(6))
#define __GFP_FS		((gfp_t)BIT(7))
#define __GFP_ZERO		((gfp_t)BIT(8))
#define __GFP_DIRECT_RECLAIM	((gfp_t)BIT(10))
#define __GFP_KSWAPD_RECLAIM	((gfp_t)BIT(11))
#define __GFP_WRITE		((gfp_t)BIT(12))
#define __GFP_NOWARN		((gfp_t)BIT(13))
#define __GFP_RETRY_MAYFAIL	((gfp_t)BIT(14))
#define __GFP_NOFAIL		((gfp_t)BIT(15))
#define __GFP_NORETRY		((gfp_t)BIT(16))
#define __GFP_MEMALLOC		((gfp_t)BIT(17))
#define __GFP_COMP		((gfp_t)BIT(18))
#define __GFP_NOMEMALLOC	((gfp_t)BIT(19))
#define __GFP_HARDWALL		((gfp_t)BIT(20))
#define __GFP_THISNODE		((gfp_t)BIT(21))
#define __GFP_ACCOUNT		((gfp_t)BIT(22))
#define __GFP_RECLAIM		(__GFP_DIRECT_RECLAIM | __GFP_KSWAPD_RECLAIM)

#define GFP_ATOMIC		(__GFP_HIGH | __GFP_KSWAPD_RECLAIM)
#define GFP_KERNEL		(__GFP_RECLAIM | __GFP_IO | __GFP_FS)
#define GFP_KERNEL_ACCOUNT	(GFP_KERNEL | __GFP_ACCOUNT)
#define GFP_NOWAIT		(__GFP_KSWAPD_RECLAIM | __GFP_NOWARN)
#define GFP_NOIO		__GFP_RECLAIM
#define GFP_NOFS		(__GFP_RECLAIM | __GFP_IO)
#define GFP_USER		(GFP_KERNEL | __GFP_HARDWALL)
#define GFP_DMA			__GFP_DMA
#define GFP_DMA32		__GFP_DMA32
#define GFP_HIGHUSER		(GFP_USER | __GFP_HIGHMEM)

#endif /* PORT_LINUX_GFP_TYPES_H */
