/* SPDX-License-Identifier: GPL-2.0-only */
/* I/O requests as their originator makes them. */
#ifndef PORT_LINUX_BIO_H
#define PORT_LINUX_BIO_H

#include <linux/blk_types.h>
#include <linux/ioprio.h>
#include <linux/mempool.h>
#include <linux/workqueue.h>

#define BIO_MAX_VECS 256U

struct bio_list {
	struct bio *head;
	struct bio *tail;
};

struct bio_alloc_cache;
struct kmem_cache;

struct bio_set {
	struct kmem_cache *bio_slab;
	unsigned int front_pad;
	struct bio_alloc_cache __percpu *cache;
	mempool_t bio_pool;
	mempool_t bvec_pool;
	unsigned int back_pad;
	spinlock_t rescue_lock;
	struct bio_list rescue_list;
	struct work_struct rescue_work;
	struct workqueue_struct *rescue_workqueue;
	struct hlist_node cpuhp_dead;
};

#define bio_sectors(bio)	((bio)->bi_iter.bi_size >> SECTOR_SHIFT)
#define bio_end_sector(bio)	((bio)->bi_iter.bi_sector + bio_sectors(bio))
#define bio_data_dir(bio)	(op_is_write(bio_op(bio)) ? WRITE : READ)
#define bio_prio(bio)		((bio)->bi_ioprio)
#define bio_iter_last(bvec, iter) ((iter).bi_size == (bvec).bv_len)

static inline bool bio_flagged(const struct bio *bio, unsigned int bit)
{
	return bio->bi_flags & (1U << bit);
}

static inline void bio_set_flag(struct bio *bio, unsigned int bit)
{
	bio->bi_flags |= 1U << bit;
}

static inline void bio_clear_flag(struct bio *bio, unsigned int bit)
{
	bio->bi_flags &= ~(1U << bit);
}

static inline bool bio_no_advance_iter(const struct bio *bio)
{
	return bio_op(bio) == REQ_OP_DISCARD ||
	       bio_op(bio) == REQ_OP_SECURE_ERASE ||
	       bio_op(bio) == REQ_OP_WRITE_ZEROES;
}

/* Does it carry data pages? */
static inline bool bio_has_data(struct bio *bio)
{
	return bio && bio->bi_iter.bi_size && !bio_no_advance_iter(bio);
}

static inline void bio_advance_iter(const struct bio *bio,
				    struct bvec_iter *iter, unsigned int bytes)
{
	iter->bi_sector += bytes >> SECTOR_SHIFT;
	if (bio_no_advance_iter(bio))
		iter->bi_size -= bytes;
	else
		bvec_iter_advance(bio->bi_io_vec, iter, bytes);
}

/* bvl: struct bio_vec, may span pages; iter: struct bvec_iter */
#define bio_for_each_bvec(bvl, bio, iter) \
	for (iter = (bio)->bi_iter; \
	     iter.bi_size && \
	     ((bvl = mp_bvec_iter_bvec((bio)->bi_io_vec, iter)), 1); \
	     bio_advance_iter((bio), &iter, (bvl).bv_len))

static inline void bio_list_init(struct bio_list *bl)
{
	bl->head = bl->tail = NULL;
}

static inline bool bio_list_empty(const struct bio_list *bl)
{
	return !bl->head;
}

static inline void bio_list_add(struct bio_list *bl, struct bio *bio)
{
	struct bio **link = bl->tail ? &bl->tail->bi_next : &bl->head;

	*link = bio;
	bio->bi_next = NULL;
	bl->tail = bio;
}

static inline struct bio *bio_list_pop(struct bio_list *bl)
{
	struct bio *bio = bl->head;

	if (!bio)
		return NULL;
	bl->head = bio->bi_next;
	if (!bl->head)
		bl->tail = NULL;
	bio->bi_next = NULL;
	return bio;
}

void bio_init(struct bio *bio, struct block_device *bdev,
	      struct bio_vec *table, unsigned short max_vecs, blk_opf_t opf);
void bio_uninit(struct bio *bio);
void bio_reset(struct bio *bio, struct block_device *bdev, blk_opf_t opf);
struct bio *bio_alloc_bioset(struct block_device *bdev,
			     unsigned short nr_vecs, blk_opf_t opf,
			     gfp_t gfp, struct bio_set *bs);
extern struct bio_set fs_bio_set;
int __must_check bio_add_page(struct bio *bio, struct page *page,
			      unsigned int len, unsigned int off);
void __bio_add_page(struct bio *bio, struct page *page, unsigned int len,
		    unsigned int off);
void bio_put(struct bio *bio);
void bio_endio(struct bio *bio);
void submit_bio(struct bio *bio);
int submit_bio_wait(struct bio *bio);

static inline struct bio *bio_alloc(struct block_device *bdev,
				    unsigned short nr_vecs, blk_opf_t opf,
				    gfp_t gfp)
{
	return bio_alloc_bioset(bdev, nr_vecs, opf, gfp, &fs_bio_set);
}

static inline void bio_get(struct bio *bio)
{
	bio_set_flag(bio, BIO_REFFED);
	barrier();
	atomic_inc(&bio->__bi_cnt);
}

static inline void bio_io_error(struct bio *bio)
{
	bio->bi_status = BLK_STS_IOERR;
	bio_endio(bio);
}

#endif /* PORT_LINUX_BIO_H */
