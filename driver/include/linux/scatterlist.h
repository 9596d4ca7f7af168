/* SPDX-License-Identifier: GPL-2.0-only */
/* Scatter lists; the page pointer's two low bits mark chain and end. */
#ifndef PORT_LINUX_SCATTERLIST_H
#define PORT_LINUX_SCATTERLIST_H

#include <linux/bug.h>
#include <linux/mm.h>
#include <linux/string.h>

struct scatterlist {
	unsigned long page_link;
	unsigned int offset;
	unsigned int length;
	dma_addr_t dma_address;
	unsigned int dma_length;
	unsigned int dma_flags;
};

_Static_assert(sizeof(struct scatterlist) == 32, "scatterlist");

struct sg_table {
	struct scatterlist *sgl;
	unsigned int nents;		/* mapped entries */
	unsigned int orig_nents;	/* allocated entries */
};

#define SG_CHAIN		0x01UL
#define SG_END			0x02UL
#define SG_PAGE_LINK_MASK	(SG_CHAIN | SG_END)
#define SG_CHUNK_SIZE		128
#define SG_MAX_SEGMENTS		2048

#define sg_dma_address(sg)	((sg)->dma_address)
#define sg_dma_len(sg)		((sg)->dma_length)

static inline bool sg_is_chain(struct scatterlist *sg)
{
	return sg->page_link & SG_CHAIN;
}

static inline bool sg_is_last(struct scatterlist *sg)
{
	return sg->page_link & SG_END;
}

static inline struct scatterlist *sg_chain_ptr(struct scatterlist *sg)
{
	return (struct scatterlist *)(sg->page_link & ~SG_PAGE_LINK_MASK);
}

static inline struct page *sg_page(struct scatterlist *sg)
{
	return (struct page *)(sg->page_link & ~SG_PAGE_LINK_MASK);
}

static inline void sg_assign_page(struct scatterlist *sg, struct page *page)
{
	unsigned long marks = sg->page_link & SG_PAGE_LINK_MASK;

	BUG_ON((unsigned long)page & SG_PAGE_LINK_MASK);
	sg->page_link = (unsigned long)page | marks;
}

static inline void sg_set_page(struct scatterlist *sg, struct page *page,
			       unsigned int len, unsigned int offset)
{
	sg_assign_page(sg, page);
	sg->offset = offset;
	sg->length = len;
}

static inline void sg_set_buf(struct scatterlist *sg, const void *buf,
			      unsigned int len)
{
	sg_set_page(sg, virt_to_page(buf), len, offset_in_page(buf));
}

/* Entry nents - 1 of prv becomes a link to sgl. */
static inline void sg_chain(struct scatterlist *prv, unsigned int nents,
			    struct scatterlist *sgl)
{
	struct scatterlist *link = &prv[nents - 1];

	link->offset = 0;
	link->length = 0;
	link->page_link = ((unsigned long)sgl | SG_CHAIN) & ~SG_END;
}

static inline void sg_mark_end(struct scatterlist *sg)
{
	sg->page_link = (sg->page_link | SG_END) & ~SG_CHAIN;
}

static inline void sg_unmark_end(struct scatterlist *sg)
{
	sg->page_link &= ~SG_END;
}

static inline dma_addr_t sg_phys(struct scatterlist *sg)
{
	return page_to_phys(sg_page(sg)) + sg->offset;
}

static inline void *sg_virt(struct scatterlist *sg)
{
	return page_address(sg_page(sg)) + sg->offset;
}

#define for_each_sg(sglist, sg, nr, i) \
	for (i = 0, sg = (sglist); i < (nr); i++, sg = sg_next(sg))

/* NULL after the last; follows chains */
struct scatterlist *sg_next(struct scatterlist *sg);
struct scatterlist *sg_last(struct scatterlist *sg, unsigned int nents);
int sg_nents(struct scatterlist *sg);
void sg_init_table(struct scatterlist *sgl, unsigned int nents);
void sg_init_one(struct scatterlist *sg, const void *buf, unsigned int len);
int sg_alloc_table(struct sg_table *table, unsigned int nents, gfp_t gfp);
void sg_free_table(struct sg_table *table);

/*
 * nents entries, the first nents_first of them in first_chunk (its last one
 * turns into a link if there are more). 0 or -ENOMEM; atomic allocation.
 */
int sg_alloc_table_chained(struct sg_table *table, int nents,
			   struct scatterlist *first_chunk,
			   unsigned int nents_first);
void sg_free_table_chained(struct sg_table *table, unsigned int nents_first);

size_t sg_copy_from_buffer(struct scatterlist *sgl, unsigned int nents,
			   const void *buf, size_t len);
size_t sg_copy_to_buffer(struct scatterlist *sgl, unsigned int nents,
			 void *buf, size_t len);

#endif /* PORT_LINUX_SCATTERLIST_H */
