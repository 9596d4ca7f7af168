/* SPDX-License-Identifier: GPL-2.0-only */
/* Segments of a bio. */
#ifndef PORT_LINUX_BVEC_H
#define PORT_LINUX_BVEC_H

#include <linux/highmem.h>
#include <linux/limits.h>
#include <linux/minmax.h>

struct bio_vec {
	struct page *bv_page;
	unsigned int bv_len;		/* bytes */
	unsigned int bv_offset;		/* bytes, may exceed a page */
};

struct bvec_iter {
	sector_t bi_sector;		/* device address, 512 bytes each */
	unsigned int bi_size;		/* bytes left */
	unsigned int bi_idx;		/* current vector */
	unsigned int bi_bvec_done;	/* bytes done in it */
} __packed __aligned(4);

_Static_assert(sizeof(struct bio_vec) == 16, "bio_vec");
_Static_assert(sizeof(struct bvec_iter) == 20, "bvec_iter");

static inline void bvec_set_page(struct bio_vec *bv, struct page *page,
				 unsigned int len, unsigned int offset)
{
	bv->bv_page = page;
	bv->bv_len = len;
	bv->bv_offset = offset;
}

static inline void bvec_set_virt(struct bio_vec *bv, void *vaddr,
				 unsigned int len)
{
	bvec_set_page(bv, virt_to_page(vaddr), len, offset_in_page(vaddr));
}

static inline void *bvec_virt(struct bio_vec *bv)
{
	return page_address(bv->bv_page) + bv->bv_offset;
}

static inline phys_addr_t bvec_phys(const struct bio_vec *bv)
{
	return page_to_phys(bv->bv_page) + bv->bv_offset;
}

/* the part of the current vector that is left; may span pages */
#define mp_bvec_iter_bvec(bvec, iter) ({ \
	const struct bio_vec *__mp_bv = &(bvec)[(iter).bi_idx]; \
	(struct bio_vec){ \
		.bv_page = __mp_bv->bv_page, \
		.bv_len = min((iter).bi_size, \
			      __mp_bv->bv_len - (iter).bi_bvec_done), \
		.bv_offset = __mp_bv->bv_offset + (iter).bi_bvec_done, \
	}; \
})

static inline void bvec_iter_advance(const struct bio_vec *bv,
				     struct bvec_iter *iter,
				     unsigned int bytes)
{
	unsigned int done = iter->bi_bvec_done + bytes;

	iter->bi_size -= bytes;
	while (done && done >= bv[iter->bi_idx].bv_len)
		done -= bv[iter->bi_idx++].bv_len;
	iter->bi_bvec_done = done;
}

#endif /* PORT_LINUX_BVEC_H */
