// SPDX-License-Identifier: GPL-2.0-only
#include "model/guest/sg.h"

#include <linux/kernel.h>
#include <linux/scatterlist.h>
#include <linux/slab.h>

/* Chunks of 8, 16, .. SG_CHUNK_SIZE entries. */
#define SG_POOL_FIRST	8u

static const char *const sg_pool_names[] = {
	"sgpool-8", "sgpool-16", "sgpool-32", "sgpool-64", "sgpool-128",
};
static struct kmem_cache *sg_pools[ARRAY_SIZE(sg_pool_names)];

void sg_init(void)
{
	for (u32 i = 0; i < ARRAY_SIZE(sg_pools); i++) {
		sg_pools[i] = kmem_cache_create(sg_pool_names[i],
			(SG_POOL_FIRST << i) * sizeof(struct scatterlist), 0,
			SLAB_HWCACHE_ALIGN, NULL);
		BUG_ON(!sg_pools[i]);
	}
}

static struct kmem_cache *sg_pool(u32 nents)
{
	return sg_pools[nents <= SG_POOL_FIRST ? 0 :
			fls(nents - 1) - ilog2(SG_POOL_FIRST)];
}

struct scatterlist *sg_next(struct scatterlist *sg)
{
	if (sg_is_last(sg))
		return NULL;
	sg++;
	return sg_is_chain(sg) ? sg_chain_ptr(sg) : sg;
}

struct scatterlist *sg_last(struct scatterlist *sg, unsigned int nents)
{
	struct scatterlist *last = NULL;

	for (; nents && sg; nents--, sg = sg_next(sg))
		last = sg;
	WARN_ON(!last || !sg_is_last(last));
	return last;
}

int sg_nents(struct scatterlist *sg)
{
	int nents = 0;

	for (; sg; sg = sg_next(sg))
		nents++;
	return nents;
}

void sg_init_table(struct scatterlist *sgl, unsigned int nents)
{
	memset(sgl, 0, nents * sizeof(*sgl));
	sg_mark_end(&sgl[nents - 1]);
}

void sg_init_one(struct scatterlist *sg, const void *buf, unsigned int len)
{
	sg_init_table(sg, 1);
	sg_set_buf(sg, buf, len);
}

/*
 * Free the chunks of @nents entries that begin at @sgl. All but the last one
 * have SG_CHUNK_SIZE, of which one is a link.
 */
static void sg_free_chunks(struct scatterlist *sgl, unsigned int nents)
{
	while (sgl && nents) {
		struct scatterlist *next = NULL;
		unsigned int here = nents;

		if (nents > SG_CHUNK_SIZE) {
			next = sg_chain_ptr(&sgl[SG_CHUNK_SIZE - 1]);
			here = SG_CHUNK_SIZE;
			nents -= SG_CHUNK_SIZE - 1;
		} else {
			nents = 0;
		}
		kmem_cache_free(sg_pool(here), sgl);
		sgl = next;
	}
}

/* Chunks for @nents entries. NULL, and nothing kept, if there is no memory. */
static struct scatterlist *sg_alloc_chunks(unsigned int nents, gfp_t gfp)
{
	struct scatterlist *first = NULL, *prev = NULL;
	unsigned int left = nents;

	while (left) {
		unsigned int here = min(left, (unsigned int)SG_CHUNK_SIZE);
		struct scatterlist *sgl =
			kmem_cache_alloc(sg_pool(here), gfp);

		if (!sgl) {
			/* the last link leads nowhere: see sg_free_chunks */
			if (prev)
				prev[SG_CHUNK_SIZE - 1].page_link = SG_CHAIN;
			sg_free_chunks(first, nents);
			return NULL;
		}
		sg_init_table(sgl, here);
		if (prev)
			sg_chain(prev, SG_CHUNK_SIZE, sgl);
		else
			first = sgl;
		prev = sgl;
		left -= left > here ? here - 1 : here;
	}
	return first;
}

int sg_alloc_table(struct sg_table *table, unsigned int nents, gfp_t gfp)
{
	memset(table, 0, sizeof(*table));
	if (!nents)
		return -EINVAL;
	table->sgl = sg_alloc_chunks(nents, gfp);
	if (!table->sgl)
		return -ENOMEM;
	table->nents = table->orig_nents = nents;
	return 0;
}

void sg_free_table(struct sg_table *table)
{
	sg_free_chunks(table->sgl, table->orig_nents);
	memset(table, 0, sizeof(*table));
}

/* A first chunk of one entry has no room for an entry and a link. */
static unsigned int sg_usable_first(unsigned int nents,
				    const struct scatterlist *first_chunk,
				    unsigned int nents_first)
{
	if (!first_chunk || (nents_first == 1 && nents > 1))
		return 0;
	return nents_first;
}

int sg_alloc_table_chained(struct sg_table *table, int nents,
			   struct scatterlist *first_chunk,
			   unsigned int nents_first)
{
	unsigned int n = nents;
	unsigned int first = sg_usable_first(n, first_chunk, nents_first);
	struct scatterlist *rest;

	BUG_ON(!n);
	table->orig_nents = n;
	table->nents = n;
	if (n <= first) {
		table->sgl = first_chunk;
		sg_init_table(first_chunk, n);
		return 0;
	}
	rest = sg_alloc_chunks(first ? n - (first - 1) : n, GFP_ATOMIC);
	if (!rest)
		return -ENOMEM;
	table->sgl = rest;
	if (first) {
		sg_init_table(first_chunk, first);
		sg_chain(first_chunk, first, rest);
		table->sgl = first_chunk;
	}
	return 0;
}

void sg_free_table_chained(struct sg_table *table, unsigned int nents_first)
{
	unsigned int n = table->orig_nents;

	if (n <= nents_first)
		return;
	if (nents_first > 1) {
		sg_free_chunks(sg_chain_ptr(&table->sgl[nents_first - 1]),
			       n - (nents_first - 1));
		return;
	}
	sg_free_chunks(table->sgl, n);
}

static size_t sg_copy(struct scatterlist *sgl, unsigned int nents, void *buf,
		      size_t len, bool to_buffer)
{
	size_t done = 0;

	for (; sgl && nents && done < len; nents--, sgl = sg_next(sgl)) {
		size_t part = min((size_t)sgl->length, len - done);

		if (to_buffer)
			memcpy((char *)buf + done, sg_virt(sgl), part);
		else
			memcpy(sg_virt(sgl), (char *)buf + done, part);
		done += part;
	}
	return done;
}

size_t sg_copy_from_buffer(struct scatterlist *sgl, unsigned int nents,
			   const void *buf, size_t len)
{
	return sg_copy(sgl, nents, (void *)buf, len, false);
}

size_t sg_copy_to_buffer(struct scatterlist *sgl, unsigned int nents,
			 void *buf, size_t len)
{
	return sg_copy(sgl, nents, buf, len, true);
}
