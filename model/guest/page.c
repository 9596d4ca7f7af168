// SPDX-License-Identifier: GPL-2.0-only
#include "model/guest/page.h"

#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/spinlock.h>
#include <linux/vmalloc.h>

#include "model/guest/verdict.h"

/* Bytes of RAM behind one bit of the map. */
#define MARK_BYTES	8u

/*
 * @info:  entry 0 is the page at RAM_FIRST_PA
 * @marks: one bit for every MARK_BYTES from RAM_FIRST_PA on
 * @end:   guest-physical end of RAM
 * @used_nr: allocated pages, written without charge
 */
static struct {
	spinlock_t lock;
	struct list_head free[PAGE_ORDERS_NR];
	struct page_info *info;
	unsigned long *marks;
	u64 end_pa;
	u64 used_nr;
} pages;

static u64 page_info_nr(void)
{
	return (pages.end_pa - RAM_FIRST_PA) >> PAGE_SHIFT;
}

bool page_valid(const void *va)
{
	u64 pa = ram_pa(va);

	return pa >= RAM_FIRST_PA && pa < pages.end_pa;
}

struct page_info *page_info(const void *va)
{
	return &pages.info[(ram_pa(va) - RAM_FIRST_PA) >> PAGE_SHIFT];
}

void *page_info_va(const struct page_info *info)
{
	return ram_va(RAM_FIRST_PA + ((u64)(info - pages.info) << PAGE_SHIFT));
}

static void page_push(struct page_info *info, unsigned int order)
{
	info->kind = PAGE_FREE;
	info->order = order;
	list_add(&info->list, &pages.free[order]);
}

/* Largest blocks that fit, from high to low, so that low ones are first. */
static void page_give_range(u64 from_pa, u64 to_pa)
{
	while (from_pa < to_pa) {
		unsigned int order = PAGE_ORDERS_NR - 1;
		u64 bytes;

		for (;; order--) {
			bytes = PAGE_SIZE << order;
			if (!(to_pa & (bytes - 1)) && to_pa - from_pa >= bytes)
				break;
		}
		to_pa -= bytes;
		page_push(page_info(ram_va(to_pa)), order);
	}
}

void page_init(void)
{
	u64 first_pa = RAM_FIRST_PA;

	spin_lock_init(&pages.lock);
	for (unsigned int i = 0; i < PAGE_ORDERS_NR; i++)
		INIT_LIST_HEAD(&pages.free[i]);
	pages.end_pa = ram_bytes() & PAGE_MASK;
	pages.used_nr = 0;
	pages.info = ram_va(first_pa);
	first_pa += page_info_nr() * sizeof(struct page_info);
	pages.marks = ram_va(first_pa);
	first_pa += (pages.end_pa - RAM_FIRST_PA) / MARK_BYTES / 8;
	page_give_range(PAGE_ALIGN(first_pa), pages.end_pa);
}

static noinline __attribute__((no_sanitize("thread")))
void page_count(s64 nr)
{
	pages.used_nr += nr;
}

__attribute__((no_sanitize("thread")))
u64 page_used_nr(void)
{
	return pages.used_nr;
}

static struct page_info *page_pop(unsigned int order)
{
	struct page_info *info;
	unsigned int o = order;

	while (o < PAGE_ORDERS_NR && list_empty(&pages.free[o]))
		o++;
	if (o == PAGE_ORDERS_NR)
		return NULL;
	info = list_first_entry(&pages.free[o], struct page_info, list);
	list_del(&info->list);
	while (o > order) {
		o--;
		page_push(info + (1UL << o), o);
	}
	return info;
}

void *page_alloc(gfp_t gfp, unsigned int order, enum page_kind kind)
{
	struct page_info *info;
	unsigned long flags;
	void *va;

	if (order >= PAGE_ORDERS_NR)
		return NULL;
	spin_lock_irqsave(&pages.lock, flags);
	info = page_pop(order);
	if (info) {
		info->kind = kind;
		info->order = order;
		page_count(1L << order);
	}
	spin_unlock_irqrestore(&pages.lock, flags);
	if (!info)
		return NULL;
	va = page_info_va(info);
	if (gfp & __GFP_ZERO)
		memset(va, 0, PAGE_SIZE << order);
	return va;
}

/* The other half of the block one order up, NULL if it is not wholly free. */
static struct page_info *page_buddy(struct page_info *info, unsigned int order)
{
	u64 pa = ram_pa(page_info_va(info)) ^ (PAGE_SIZE << order);
	struct page_info *buddy;

	if (pa < RAM_FIRST_PA || pa + (PAGE_SIZE << order) > pages.end_pa)
		return NULL;
	buddy = page_info(ram_va(pa));
	return buddy->kind == PAGE_FREE && buddy->order == order ? buddy : NULL;
}

static void page_merge(struct page_info *info, unsigned int order)
{
	struct page_info *buddy;

	info->kind = PAGE_TAIL;
	while (order + 1 < PAGE_ORDERS_NR) {
		buddy = page_buddy(info, order);
		if (!buddy)
			break;
		list_del(&buddy->list);
		buddy->kind = PAGE_TAIL;
		info = min(info, buddy);
		order++;
	}
	page_push(info, order);
}

static bool page_release(struct page_info *info, enum page_kind kind)
{
	if (info->kind != kind)
		return false;
	page_count(-(1L << info->order));
	page_merge(info, info->order);
	return true;
}

static void page_bad_free(const void *va)
{
	guest_verdict("pages were freed that are not allocated",
		      verdict_address(va));
}

void page_free(void *va, enum page_kind kind)
{
	unsigned long flags;
	bool good = false;

	if (page_valid(va) && PAGE_ALIGNED(va)) {
		spin_lock_irqsave(&pages.lock, flags);
		good = page_release(page_info(va), kind);
		spin_unlock_irqrestore(&pages.lock, flags);
	}
	if (!good)
		page_bad_free(va);
}

struct page *alloc_pages(gfp_t gfp, unsigned int order)
{
	if (order > PAGE_ORDER_MAX)
		return NULL;
	return page_alloc(gfp, order, PAGE_USED);
}

struct page *alloc_pages_node(int node, gfp_t gfp, unsigned int order)
{
	return alloc_pages(gfp, order);
}

static void page_check_order(const void *va, unsigned int order)
{
	if (page_valid(va) && page_info(va)->order != order)
		guest_verdict("pages were freed with a wrong order", order);
}

void __free_pages(struct page *page, unsigned int order)
{
	page_check_order(page, order);
	page_free(page, PAGE_USED);
}

unsigned long __get_free_pages(gfp_t gfp, unsigned int order)
{
	return (unsigned long)alloc_pages(gfp, order);
}

void free_pages(unsigned long addr, unsigned int order)
{
	if (addr)
		__free_pages((struct page *)addr, order);
}

/*
 * Give back pages [from, to) behind @info, which is aligned to a power of two
 * >= to: as the largest blocks that are aligned.
 */
static void page_merge_range(struct page_info *info, u64 from, u64 to)
{
	while (from < to) {
		unsigned int order = fls64(to - from) - 1;

		if (from && __ffs(from) < order)
			order = __ffs(from);
		page_merge(info + from, order);
		from += 1UL << order;
	}
}

/* Takes a block and gives back what is beyond @nr pages. */
static void *page_alloc_exact(u64 nr, gfp_t gfp)
{
	unsigned int order = get_order(nr << PAGE_SHIFT);
	void *va = page_alloc(gfp & ~__GFP_ZERO, order, PAGE_EXACT);
	unsigned long flags;

	if (!va)
		return NULL;
	spin_lock_irqsave(&pages.lock, flags);
	page_info(va)->nr = nr;
	page_merge_range(page_info(va), nr, 1UL << order);
	page_count((s64)nr - (1L << order));
	spin_unlock_irqrestore(&pages.lock, flags);
	if (gfp & __GFP_ZERO)
		memset(va, 0, nr << PAGE_SHIFT);
	return va;
}

void *alloc_pages_exact(size_t size, gfp_t gfp)
{
	if (!size || size > pages.end_pa)
		return NULL;
	return page_alloc_exact(PFN_UP(size), gfp);
}

static bool page_release_exact(struct page_info *info)
{
	if (info->kind != PAGE_EXACT)
		return false;
	page_count(-(s64)info->nr);
	page_merge_range(info, 0, info->nr);
	return true;
}

void page_free_exact(void *va)
{
	unsigned long flags;
	bool good = false;

	if (page_valid(va) && PAGE_ALIGNED(va)) {
		spin_lock_irqsave(&pages.lock, flags);
		good = page_release_exact(page_info(va));
		spin_unlock_irqrestore(&pages.lock, flags);
	}
	if (!good)
		page_bad_free(va);
}

void free_pages_exact(void *virt, size_t size)
{
	if (page_valid(virt) && page_info(virt)->kind == PAGE_EXACT &&
	    page_info(virt)->nr != PFN_UP(size))
		guest_verdict("pages were freed with a wrong size", size);
	page_free_exact(virt);
}

void *__vmalloc(unsigned long size, gfp_t gfp)
{
	return alloc_pages_exact(size, gfp);
}

void *vmalloc(unsigned long size)
{
	return __vmalloc(size, GFP_KERNEL);
}

void *vzalloc(unsigned long size)
{
	return __vmalloc(size, GFP_KERNEL | __GFP_ZERO);
}

void vfree(const void *addr)
{
	if (addr)
		page_free_exact((void *)addr);
}

__attribute__((no_sanitize("thread")))
static unsigned long *page_mark_word(const void *va, unsigned long *bit)
{
	u64 nr = (ram_pa(va) - RAM_FIRST_PA) / MARK_BYTES;

	*bit = 1UL << (nr % 64);
	return &pages.marks[nr / 64];
}

__attribute__((no_sanitize("thread")))
bool page_mark_set(const void *va)
{
	unsigned long bit, *word = page_mark_word(va, &bit);
	bool old = *word & bit;

	*word |= bit;
	return old;
}

__attribute__((no_sanitize("thread")))
bool page_mark_clear(const void *va)
{
	unsigned long bit, *word = page_mark_word(va, &bit);
	bool old = *word & bit;

	*word &= ~bit;
	return old;
}
