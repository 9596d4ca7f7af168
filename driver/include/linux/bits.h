/* SPDX-License-Identifier: GPL-2.0-only */
/* Single bits and masks as constants. */
#ifndef PORT_LINUX_BITS_H
#define PORT_LINUX_BITS_H

#include <linux/types.h>

#define BIT(nr)		(1UL << (nr))
#define BIT_ULL(nr)	(1ULL << (nr))
#define BIT_MASK(nr)	(1UL << ((nr) % BITS_PER_LONG))
#define BIT_WORD(nr)	((nr) / BITS_PER_LONG)
#define GENMASK(h, l) \
	((~0UL << (l)) & (~0UL >> (BITS_PER_LONG - 1 - (h))))
#define GENMASK_ULL(h, l) GENMASK(h, l)

#endif /* PORT_LINUX_BITS_H */
