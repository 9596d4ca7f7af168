/* SPDX-License-Identifier: GPL-2.0-only */
/* Page allocation. */
#ifndef PORT_LINUX_GFP_H
#define PORT_LINUX_GFP_H

#include <linux/gfp_types.h>
#include <linux/mm_types.h>
#include <linux/numa.h>

static inline bool gfpflags_allow_blocking(const gfp_t gfp)
{
	return gfp & __GFP_DIRECT_RECLAIM;
}

/* 2^order pages, aligned to their size; NULL if there are none */
struct page *alloc_pages(gfp_t gfp, unsigned int order);
struct page *alloc_pages_node(int node, gfp_t gfp, unsigned int order);
void __free_pages(struct page *page, unsigned int order);
#define alloc_page(gfp)		alloc_pages(gfp, 0)
#define __free_page(page)	__free_pages(page, 0)

unsigned long __get_free_pages(gfp_t gfp, unsigned int order);
void free_pages(unsigned long addr, unsigned int order);
#define __get_free_page(gfp)	__get_free_pages(gfp, 0)
#define get_zeroed_page(gfp)	__get_free_pages((gfp) | __GFP_ZERO, 0)
#define free_page(addr)		free_pages(addr, 0)

/* size in bytes, any; whole pages are used */
void *alloc_pages_exact(size_t size, gfp_t gfp);
void free_pages_exact(void *virt, size_t size);

#endif /* PORT_LINUX_GFP_H */
