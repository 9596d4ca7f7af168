// SPDX-License-Identifier: GPL-2.0-only
#include "model/guest/slab.h"

#include <linux/cache.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/vmalloc.h>

#include "model/guest/page.h"
#include "model/guest/verdict.h"
#include "model/hw/vcpu.h"

/* Objects that move between a vCPU and the cache's list at a time. */
#define SLAB_BATCH	16u
#define SLAB_POISON	0x6b
/* kmalloc(0): not NULL, not to be touched, may be freed. */
#define SLAB_ZERO_SIZE	((void *)16)

#define __uncharged	noinline __attribute__((no_sanitize("thread")))

struct slab_cpu {
	u32 nr;
	void *object[2 * SLAB_BATCH];
} ____cacheline_aligned;

/*
 * @size:   between objects; @object_bytes: what the user may touch
 * @free:   free objects of no vCPU, linked through their first word
 * @slabs:  page_info.list of first pages
 * @used_nr: allocated objects, kept without charge
 */
struct kmem_cache {
	const char *name;
	u32 object_bytes;
	u32 size;
	u32 order;
	void (*ctor)(void *object);
	u64 used_nr;
	spinlock_t lock ____cacheline_aligned;
	u32 free_nr;
	void *free;
	struct list_head slabs;
	struct slab_cpu cpu[VCPU_MAX];
};

static const u16 kmalloc_bytes[] = {
	8, 16, 32, 64, 128, 192, 256, 512, 1024, 2048, 4096, 8192,
};
#define KMALLOC_CACHES_NR	ARRAY_SIZE(kmalloc_bytes)
#define KMALLOC_CACHE_MAX	8192u

static const char *const kmalloc_names[KMALLOC_CACHES_NR] = {
	"kmalloc-8", "kmalloc-16", "kmalloc-32", "kmalloc-64", "kmalloc-128",
	"kmalloc-192", "kmalloc-256", "kmalloc-512", "kmalloc-1k",
	"kmalloc-2k", "kmalloc-4k", "kmalloc-8k",
};

static struct kmem_cache *kmalloc_caches[KMALLOC_CACHES_NR];

static struct {
	bool poison;
	u64 used_nr;
} slab_check;

void slab_set_poison(bool on)
{
	slab_check.poison = on;
}

u64 slab_used_nr(void)
{
	return slab_check.used_nr;
}

/* The check's own book-keeping costs the guest nothing. */
static __uncharged void slab_check_alloc(struct kmem_cache *cache, void *object)
{
	page_mark_set(object);
	cache->used_nr++;
	slab_check.used_nr++;
}

static __uncharged bool slab_check_free(struct kmem_cache *cache, void *object)
{
	if (!page_mark_clear(object))
		return false;
	cache->used_nr--;
	slab_check.used_nr--;
	if (slab_check.poison && !cache->ctor)
		__builtin_memset(object, SLAB_POISON, cache->object_bytes);
	return true;
}

/* A slab has room for 8 objects, unless that takes more than 8 pages. */
static u32 slab_order(u32 size)
{
	return min(get_order((unsigned long)size * 8), 3u);
}

static void slab_setup(struct kmem_cache *cache, const char *name,
		       u32 object_bytes, u32 size, void (*ctor)(void *))
{
	cache->name = name;
	cache->object_bytes = object_bytes;
	cache->size = size;
	cache->order = max(slab_order(size), get_order(size));
	cache->ctor = ctor;
	spin_lock_init(&cache->lock);
	INIT_LIST_HEAD(&cache->slabs);
}

static struct kmem_cache *slab_cache_alloc(void)
{
	return page_alloc(GFP_KERNEL | __GFP_ZERO,
			  get_order(sizeof(struct kmem_cache)), PAGE_USED);
}

void slab_init(void)
{
	slab_check.used_nr = 0;
	for (u32 i = 0; i < KMALLOC_CACHES_NR; i++) {
		kmalloc_caches[i] = slab_cache_alloc();
		BUG_ON(!kmalloc_caches[i]);
		slab_setup(kmalloc_caches[i], kmalloc_names[i],
			   kmalloc_bytes[i], kmalloc_bytes[i], NULL);
	}
}

static void slab_push(struct kmem_cache *cache, void *object)
{
	*(void **)object = cache->free;
	cache->free = object;
	cache->free_nr++;
}

static void *slab_pop(struct kmem_cache *cache)
{
	void *object = cache->free;

	if (object) {
		cache->free = *(void **)object;
		cache->free_nr--;
	}
	return object;
}

/* Called with the cache's lock held. The lowest object comes out first. */
static bool slab_grow(struct kmem_cache *cache)
{
	char *va = page_alloc(0, cache->order, PAGE_SLAB);
	struct page_info *head;
	u32 nr;

	if (!va)
		return false;
	head = page_info(va);
	for (u32 i = 0; i < 1u << cache->order; i++) {
		head[i].kind = PAGE_SLAB;
		head[i].owner = cache;
		head[i].head = head;
	}
	list_add_tail(&head->list, &cache->slabs);
	nr = (PAGE_SIZE << cache->order) / cache->size;
	while (nr--)
		slab_push(cache, va + nr * cache->size);
	return true;
}

/* Interrupts are off. False: no memory. */
static bool slab_refill(struct kmem_cache *cache, struct slab_cpu *cpu)
{
	void *batch[SLAB_BATCH];
	u32 nr = 0;

	spin_lock(&cache->lock);
	if (!cache->free)
		slab_grow(cache);
	while (nr < SLAB_BATCH && cache->free)
		batch[nr++] = slab_pop(cache);
	spin_unlock(&cache->lock);
	while (nr)
		cpu->object[cpu->nr++] = batch[--nr];
	return cpu->nr;
}

/* Interrupts are off. The objects that were freed first go. */
static void slab_drain(struct kmem_cache *cache, struct slab_cpu *cpu, u32 nr)
{
	spin_lock(&cache->lock);
	for (u32 i = 0; i < nr; i++)
		slab_push(cache, cpu->object[i]);
	spin_unlock(&cache->lock);
	cpu->nr -= nr;
	memmove(cpu->object, cpu->object + nr, cpu->nr * sizeof(void *));
}

static void *slab_take(struct kmem_cache *cache)
{
	unsigned long flags;
	struct slab_cpu *cpu;
	void *object = NULL;

	local_irq_save(flags);
	cpu = &cache->cpu[smp_processor_id()];
	if (cpu->nr || slab_refill(cache, cpu))
		object = cpu->object[--cpu->nr];
	local_irq_restore(flags);
	if (object)
		slab_check_alloc(cache, object);
	return object;
}

static void slab_give(struct kmem_cache *cache, void *object)
{
	unsigned long flags;
	struct slab_cpu *cpu;

	if (!slab_check_free(cache, object)) {
		guest_verdict("an object was freed twice",
			      verdict_address(object));
		return;
	}
	local_irq_save(flags);
	cpu = &cache->cpu[smp_processor_id()];
	if (cpu->nr == 2 * SLAB_BATCH)
		slab_drain(cache, cpu, SLAB_BATCH);
	cpu->object[cpu->nr++] = object;
	local_irq_restore(flags);
}

/* Is @p the start of an object of the slab that its page belongs to? */
static bool slab_is_object(const struct page_info *info, const void *p)
{
	const struct kmem_cache *cache = info->owner;
	u64 offset = (const char *)p - (const char *)page_info_va(info->head);

	return offset % cache->size == 0 &&
	       offset + cache->size <= PAGE_SIZE << cache->order;
}

static void slab_foreign(const void *p)
{
	guest_verdict("memory was freed that was not allocated",
		      verdict_address(p));
}

/* The smallest class that has room: 8 .. 128, 192, 256 .. 8192. */
static struct kmem_cache *kmalloc_cache(size_t size)
{
	u32 i;

	if (size <= 8)
		return kmalloc_caches[0];
	if (size <= 128) {
		i = fls(size - 1) - 3;
		return kmalloc_caches[i];
	}
	if (size <= 192)
		return kmalloc_caches[5];
	return kmalloc_caches[fls(size - 1) - 2];
}

static void *kmalloc_large(size_t size, gfp_t gfp)
{
	if (size > KMALLOC_MAX_SIZE)
		return NULL;
	return page_alloc(gfp, get_order(size), PAGE_KMALLOC);
}

void *kmalloc(size_t size, gfp_t gfp)
{
	struct kmem_cache *cache;
	void *object;

	if (!size)
		return SLAB_ZERO_SIZE;
	if (size > KMALLOC_CACHE_MAX)
		return kmalloc_large(size, gfp);
	cache = kmalloc_cache(size);
	object = slab_take(cache);
	if (object && (gfp & __GFP_ZERO))
		memset(object, 0, cache->object_bytes);
	return object;
}

void *kmalloc_node(size_t size, gfp_t gfp, int node)
{
	return kmalloc(size, gfp);
}

void *kmalloc_array(size_t n, size_t size, gfp_t gfp)
{
	size_t bytes = size_mul(n, size);

	return bytes == SIZE_MAX ? NULL : kmalloc(bytes, gfp);
}

void *kmalloc_array_node(size_t n, size_t size, gfp_t gfp, int node)
{
	return kmalloc_array(n, size, gfp);
}

void kfree(const void *p)
{
	struct page_info *info;

	if ((unsigned long)p <= (unsigned long)SLAB_ZERO_SIZE)
		return;
	if (!page_valid(p)) {
		slab_foreign(p);
		return;
	}
	info = page_info(p);
	if (info->kind == PAGE_SLAB && slab_is_object(info, p))
		slab_give(info->owner, (void *)p);
	else if (info->kind == PAGE_KMALLOC && PAGE_ALIGNED(p))
		page_free((void *)p, PAGE_KMALLOC);
	else
		slab_foreign(p);
}

/* What kmalloc'ed @p has room for; 0 if it is none. */
static size_t slab_room(const void *p)
{
	const struct page_info *info;

	if ((unsigned long)p <= (unsigned long)SLAB_ZERO_SIZE ||
	    !page_valid(p))
		return 0;
	info = page_info(p);
	if (info->kind == PAGE_SLAB)
		return ((const struct kmem_cache *)info->owner)->object_bytes;
	if (info->kind == PAGE_KMALLOC)
		return PAGE_SIZE << info->order;
	return info->kind == PAGE_EXACT ? info->nr << PAGE_SHIFT : 0;
}

void *krealloc(const void *p, size_t size, gfp_t gfp)
{
	size_t room = slab_room(p);
	void *new;

	if (!size) {
		kfree(p);
		return SLAB_ZERO_SIZE;
	}
	if (room >= size)
		return (void *)p;
	new = kmalloc(size, gfp);
	if (!new)
		return NULL;
	memcpy(new, p, room);
	kfree(p);
	return new;
}

void *kmemdup(const void *src, size_t len, gfp_t gfp)
{
	void *copy = kmalloc(len, gfp);

	if (copy && len)
		memcpy(copy, src, len);
	return copy;
}

void kfree_sensitive(const void *p)
{
	memset((void *)p, 0, slab_room(p));
	kfree(p);
}

void *kvmalloc_node(size_t size, gfp_t gfp, int node)
{
	return size <= KMALLOC_CACHE_MAX ? kmalloc(size, gfp) :
	       __vmalloc(size, gfp);
}

void kvfree(const void *p)
{
	if (page_valid(p) && page_info(p)->kind == PAGE_EXACT)
		vfree(p);
	else
		kfree(p);
}

/* Natural alignment for powers of two, as kmalloc; else 8 or what is asked. */
static u32 slab_stride(u32 bytes, u32 align, slab_flags_t flags)
{
	u32 least = max(align, (u32)sizeof(void *));

	if (flags & SLAB_HWCACHE_ALIGN && bytes > L1_CACHE_BYTES / 2)
		least = max(least, (u32)L1_CACHE_BYTES);
	return ALIGN(bytes, least);
}

struct kmem_cache *kmem_cache_create(const char *name, unsigned int size,
				     unsigned int align, slab_flags_t flags,
				     void (*ctor)(void *))
{
	struct kmem_cache *cache;

	if (!size || size > KMALLOC_MAX_SIZE || align > PAGE_SIZE ||
	    (align & (align - 1)))
		return NULL;
	cache = slab_cache_alloc();
	if (cache)
		slab_setup(cache, name, size, slab_stride(size, align, flags),
			   ctor);
	return cache;
}

/*
 * A constructed object must not be linked through its words, so constructors
 * run at each allocation: the same for the user, who frees objects constructed.
 */
void *kmem_cache_alloc(struct kmem_cache *cache, gfp_t gfp)
{
	void *object = slab_take(cache);

	if (object && (gfp & __GFP_ZERO))
		memset(object, 0, cache->object_bytes);
	if (object && cache->ctor)
		cache->ctor(object);
	return object;
}

void kmem_cache_free(struct kmem_cache *cache, void *object)
{
	struct page_info *info;

	if (!object)
		return;
	if (!page_valid(object)) {
		slab_foreign(object);
		return;
	}
	info = page_info(object);
	if (info->kind == PAGE_SLAB && info->owner == cache &&
	    slab_is_object(info, object))
		slab_give(cache, object);
	else
		slab_foreign(object);
}

static void slab_free_pages(struct kmem_cache *cache, struct page_info *head)
{
	list_del(&head->list);
	for (u32 i = 0; i < 1u << cache->order; i++) {
		head[i].owner = NULL;
		if (i)
			head[i].kind = PAGE_TAIL;
	}
	page_free(page_info_va(head), PAGE_SLAB);
}

void kmem_cache_destroy(struct kmem_cache *cache)
{
	struct page_info *head, *next;

	if (!cache)
		return;
	if (cache->used_nr) {
		guest_verdict("a cache was destroyed with objects in use",
			      cache->used_nr);
		return;
	}
	list_for_each_entry_safe(head, next, &cache->slabs, list)
		slab_free_pages(cache, head);
	page_free(cache, PAGE_USED);
}
