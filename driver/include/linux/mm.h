/* SPDX-License-Identifier: GPL-2.0-only */
/* Addresses of guest RAM: virtual, physical, page. */
#ifndef PORT_LINUX_MM_H
#define PORT_LINUX_MM_H

#include <linux/gfp.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/mm_types.h>
#include <linux/string.h>

#define __pa(x)		((phys_addr_t)((unsigned long)(x) - PAGE_OFFSET))
#define __va(x)		((void *)((unsigned long)(x) + PAGE_OFFSET))

static __always_inline phys_addr_t virt_to_phys(const volatile void *address)
{
	return __pa(address);
}

static __always_inline void *phys_to_virt(phys_addr_t address)
{
	return __va(address);
}

#define offset_in_page(p)	((unsigned long)(p) & ~PAGE_MASK)
#define PAGE_ALIGN(x)		ALIGN(x, PAGE_SIZE)
#define PAGE_ALIGNED(x)		IS_ALIGNED((unsigned long)(x), PAGE_SIZE)
#define PFN_UP(x)		(((x) + PAGE_SIZE - 1) >> PAGE_SHIFT)
#define PFN_DOWN(x)		((x) >> PAGE_SHIFT)

#define virt_to_page(addr) \
	((struct page *)((unsigned long)(addr) & PAGE_MASK))
#define page_address(page)	((void *)(page))
#define page_to_virt(page)	((void *)(page))
#define page_to_phys(page)	virt_to_phys(page)
#define page_to_pfn(page)	(page_to_phys(page) >> PAGE_SHIFT)
#define pfn_to_page(pfn)	virt_to_page(__va((pfn) << PAGE_SHIFT))
#define phys_to_page(pa)	virt_to_page(__va(pa))
#define nth_page(page, n) \
	((struct page *)((unsigned long)(page) + (n) * PAGE_SIZE))
#define page_to_nid(page)	((void)(page), 0)

/* From vmalloc()? Its memory is part of the linear mapping here. */
#define is_vmalloc_addr(addr)	((void)(addr), false)
#define virt_addr_valid(addr)	((unsigned long)(addr) >= PAGE_OFFSET)

static inline unsigned int get_order(unsigned long size)
{
	return size <= PAGE_SIZE ? 0 : ilog2((size - 1) >> PAGE_SHIFT) + 1;
}

#endif /* PORT_LINUX_MM_H */
