/* SPDX-License-Identifier: GPL-2.0-only */
/* Small allocations; all out of line, from guest RAM. */
#ifndef PORT_LINUX_SLAB_H
#define PORT_LINUX_SLAB_H

#include <linux/gfp.h>
#include <linux/overflow.h>

#define ARCH_KMALLOC_MINALIGN	8
#define ARCH_DMA_MINALIGN	8
#define KMALLOC_MAX_SIZE	(1UL << 22)

/* NULL on failure; aligned to 8, to size if that is a power of two */
void *kmalloc(size_t size, gfp_t gfp) __malloc;
void *kmalloc_node(size_t size, gfp_t gfp, int node) __malloc;
void *kmalloc_array(size_t n, size_t size, gfp_t gfp) __malloc;
void *kmalloc_array_node(size_t n, size_t size, gfp_t gfp, int node) __malloc;
void *krealloc(const void *p, size_t size, gfp_t gfp);
/* takes NULL, and for kvfree() memory of __vmalloc() */
void kfree(const void *p);
void kvfree(const void *p);
void kfree_sensitive(const void *p);
void *kvmalloc_node(size_t size, gfp_t gfp, int node) __malloc;
void *kmemdup(const void *src, size_t len, gfp_t gfp);

static inline void *kzalloc(size_t size, gfp_t gfp)
{
	return kmalloc(size, gfp | __GFP_ZERO);
}

static inline void *kzalloc_node(size_t size, gfp_t gfp, int node)
{
	return kmalloc_node(size, gfp | __GFP_ZERO, node);
}

static inline void *kcalloc(size_t n, size_t size, gfp_t gfp)
{
	return kmalloc_array(n, size, gfp | __GFP_ZERO);
}

static inline void *kcalloc_node(size_t n, size_t size, gfp_t gfp, int node)
{
	return kmalloc_array_node(n, size, gfp | __GFP_ZERO, node);
}

static inline void *kvmalloc(size_t size, gfp_t gfp)
{
	return kvmalloc_node(size, gfp, NUMA_NO_NODE);
}

static inline void *kvzalloc(size_t size, gfp_t gfp)
{
	return kvmalloc_node(size, gfp | __GFP_ZERO, NUMA_NO_NODE);
}

static inline void *kvcalloc(size_t n, size_t size, gfp_t gfp)
{
	return kvmalloc_node(size_mul(n, size), gfp | __GFP_ZERO,
			     NUMA_NO_NODE);
}

#define SLAB_HWCACHE_ALIGN	((slab_flags_t)BIT(13))

struct kmem_cache;
struct kmem_cache *kmem_cache_create(const char *name, unsigned int size,
				     unsigned int align, slab_flags_t flags,
				     void (*ctor)(void *));
void kmem_cache_destroy(struct kmem_cache *cache);
void *kmem_cache_alloc(struct kmem_cache *cache, gfp_t gfp);
void kmem_cache_free(struct kmem_cache *cache, void *obj);

#endif /* PORT_LINUX_SLAB_H */
