/* SPDX-License-Identifier: GPL-2.0-only */
/* A page is its own address: no struct page array exists. */
#ifndef PORT_LINUX_MM_TYPES_H
#define PORT_LINUX_MM_TYPES_H

#include <linux/types.h>

/*
 * Never complete: a struct page pointer holds the address of the page itself,
 * so its twelve low bits are free for the scatterlist's marks.
 */
struct page;

#define PAGE_SHIFT	12
#define PAGE_SIZE	(1UL << PAGE_SHIFT)
#define PAGE_MASK	(~(PAGE_SIZE - 1))
/* Guest RAM is mapped here; guest-physical 0 is the first byte. */
#define PAGE_OFFSET	0x300000000000UL

#endif /* PORT_LINUX_MM_TYPES_H */
