/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pages of guest RAM: a buddy allocator behind <linux/gfp.h>. Guest code.
 *
 * The first pages of RAM hold one struct page_info for each page, as the
 * kernel's array of struct page does, and one bit for every 8 bytes of RAM for
 * the slab allocator's checks (touched without charge).
 */
#ifndef MODEL_GUEST_PAGE_H
#define MODEL_GUEST_PAGE_H

#include <linux/gfp.h>
#include <linux/list.h>

#include "model/hw/ram.h"

/* Blocks have 2^0 .. 2^(PAGE_ORDERS_NR - 1) pages. */
#define PAGE_ORDERS_NR	20u
/* alloc_pages refuses larger ones, as the kernel does; vmalloc gets them. */
#define PAGE_ORDER_MAX	10u

enum page_kind {
	PAGE_TAIL,	/* inside of a block, or never given to the allocator */
	PAGE_FREE,	/* first of a free block */
	PAGE_USED,	/* first of an allocated block */
	PAGE_EXACT,	/* first of alloc_pages_exact's @nr pages */
	PAGE_KMALLOC,	/* first of a block that kmalloc handed out */
	PAGE_SLAB,	/* any page of a slab */
};

/*
 * One cache line, so that neighbours do not share one.
 * @list:  free list of the order; a slab's place in its cache's list
 * @owner: PAGE_SLAB: struct kmem_cache; @head: first page of the slab
 * @nr:    PAGE_EXACT: pages
 */
struct page_info {
	struct list_head list;
	void *owner;
	struct page_info *head;
	u64 nr;
	u8 kind;
	u8 order;
} __aligned(64);

/*
 * Give all of RAM to the allocator. After ram_init, before anything of the
 * guest. RAM must be as ram_init left it.
 */
void page_init(void);

/* Is it an address in RAM that the allocator manages? */
bool page_valid(const void *va);

/* The entry of the page that contains @va (page_valid). */
struct page_info *page_info(const void *va);

/* Address of the page that @info describes. */
void *page_info_va(const struct page_info *info);

/*
 * A block of 2^@order pages, order < PAGE_ORDERS_NR, aligned to its size; its
 * first page is marked @kind. NULL if there is none. Does not park.
 */
void *page_alloc(gfp_t gfp, unsigned int order, enum page_kind kind);

/* Give a block back; a verdict, and nothing else, if it is none of @kind. */
void page_free(void *va, enum page_kind kind);

/* The same for alloc_pages_exact and vmalloc: PAGE_EXACT. */
void page_free_exact(void *va);

/* Pages that are not free; for tests and leak checks. Not charged. */
u64 page_used_nr(void);

/* The bit of @va in the allocator's map, old value returned. Not charged. */
bool page_mark_set(const void *va);
bool page_mark_clear(const void *va);

#endif
