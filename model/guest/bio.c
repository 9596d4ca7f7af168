// SPDX-License-Identifier: GPL-2.0-only
#include <linux/bio.h>
#include <linux/completion.h>
#include <linux/errno.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "model/guest/blk.h"

struct bio_set fs_bio_set;

/* Vectors that lie directly behind the bio. */
#define BIO_INLINE_VECS	4u

int bio_init_all(void)
{
	fs_bio_set.bio_slab = kmem_cache_create("bio",
		sizeof(struct bio) + BIO_INLINE_VECS * sizeof(struct bio_vec),
		SMP_CACHE_BYTES, SLAB_HWCACHE_ALIGN, NULL);
	return fs_bio_set.bio_slab ? 0 : -ENOMEM;
}

void bio_init(struct bio *bio, struct block_device *bdev,
	      struct bio_vec *table, unsigned short max_vecs, blk_opf_t opf)
{
	memset(bio, 0, sizeof(*bio));
	bio->bi_bdev = bdev;
	bio->bi_opf = opf;
	bio->bi_io_vec = table;
	bio->bi_max_vecs = max_vecs;
	atomic_set(&bio->__bi_remaining, 1);
	atomic_set(&bio->__bi_cnt, 1);
}

void bio_uninit(struct bio *bio)
{
}

struct bio *bio_alloc_bioset(struct block_device *bdev,
			     unsigned short nr_vecs, blk_opf_t opf, gfp_t gfp,
			     struct bio_set *bs)
{
	struct bio *bio = kmem_cache_alloc(bs->bio_slab, gfp);
	struct bio_vec *table;

	if (!bio)
		return NULL;
	table = bio->bi_inline_vecs;
	if (nr_vecs > BIO_INLINE_VECS) {
		table = kmalloc_array(nr_vecs, sizeof(*table), gfp);
		if (!table) {
			kmem_cache_free(bs->bio_slab, bio);
			return NULL;
		}
	}
	bio_init(bio, bdev, table, max(nr_vecs, (unsigned short)BIO_INLINE_VECS),
		 opf);
	bio->bi_pool = bs;
	return bio;
}

void bio_put(struct bio *bio)
{
	struct bio_set *bs = bio->bi_pool;

	if (bio_flagged(bio, BIO_REFFED) && !atomic_dec_and_test(&bio->__bi_cnt))
		return;
	if (!bs)
		return;
	if (bio->bi_io_vec != bio->bi_inline_vecs &&
	    !bio_flagged(bio, BIO_CLONED))
		kfree(bio->bi_io_vec);
	kmem_cache_free(bs->bio_slab, bio);
}

void __bio_add_page(struct bio *bio, struct page *page, unsigned int len,
		    unsigned int off)
{
	bvec_set_page(&bio->bi_io_vec[bio->bi_vcnt++], page, len, off);
	bio->bi_iter.bi_size += len;
}

int bio_add_page(struct bio *bio, struct page *page, unsigned int len,
		 unsigned int off)
{
	if (bio->bi_vcnt >= bio->bi_max_vecs)
		return 0;
	__bio_add_page(bio, page, len, off);
	return len;
}

static void bio_end_chained(struct bio *bio)
{
	struct bio *parent = bio->bi_private;

	if (bio->bi_status && !parent->bi_status)
		parent->bi_status = bio->bi_status;
	bio_put(bio);
	bio_endio(parent);
}

/* A bio with parts split off ends when the last part has. */
void bio_endio(struct bio *bio)
{
	if (bio_flagged(bio, BIO_CHAIN) &&
	    !atomic_dec_and_test(&bio->__bi_remaining))
		return;
	if (bio->bi_end_io)
		bio->bi_end_io(bio);
}

/*
 * Cut the first @sectors off @bio into a new one that shares the vectors and,
 * when it ends, ends a part of @bio. NULL without memory.
 */
struct bio *bio_split_head(struct bio *bio, unsigned int sectors)
{
	struct bio *head = kmem_cache_alloc(fs_bio_set.bio_slab, GFP_NOIO);

	if (!head)
		return NULL;
	bio_init(head, bio->bi_bdev, bio->bi_io_vec, bio->bi_max_vecs,
		 bio->bi_opf);
	bio_set_flag(head, BIO_CLONED);
	head->bi_pool = &fs_bio_set;
	head->bi_vcnt = bio->bi_vcnt;
	head->bi_iter = bio->bi_iter;
	head->bi_iter.bi_size = sectors << SECTOR_SHIFT;
	head->bi_ioprio = bio->bi_ioprio;
	head->bi_end_io = bio_end_chained;
	head->bi_private = bio;
	bio_set_flag(bio, BIO_CHAIN);
	atomic_inc(&bio->__bi_remaining);
	bio_advance_iter(bio, &bio->bi_iter, sectors << SECTOR_SHIFT);
	return head;
}

/* Up to the next boundary, such as a zone's end, that no request may cross. */
static unsigned int bio_chunk_sectors(struct bio *bio, unsigned int chunk)
{
	return chunk ? chunk - (bio->bi_iter.bi_sector & (chunk - 1)) :
		       UINT_MAX;
}

/* Sectors of @bio that one request may hold; 0: not even one block of it. */
static unsigned int bio_max_sectors(struct bio *bio)
{
	const struct queue_limits *lim = &bdev_get_queue(bio->bi_bdev)->limits;

	switch (bio_op(bio)) {
	case REQ_OP_DISCARD:
		return lim->max_discard_sectors;
	case REQ_OP_SECURE_ERASE:
		return lim->max_secure_erase_sectors;
	case REQ_OP_WRITE_ZEROES:
		return lim->max_write_zeroes_sectors;
	case REQ_OP_READ:
	case REQ_OP_WRITE:
		return min3(lim->max_sectors, blk_sectors_in_segments(bio),
			    bio_chunk_sectors(bio, lim->chunk_sectors));
	default:
		return UINT_MAX;
	}
}

static bool bio_is_supported(struct bio *bio)
{
	struct request_queue *q = bdev_get_queue(bio->bi_bdev);

	/* There is nothing that would send a flush before or after the data. */
	if (op_is_flush(bio->bi_opf) && blk_queue_write_cache(q))
		return false;
	switch (bio_op(bio)) {
	case REQ_OP_DISCARD:
		return q->limits.max_discard_sectors;
	case REQ_OP_SECURE_ERASE:
		return q->limits.max_secure_erase_sectors;
	case REQ_OP_WRITE_ZEROES:
		return q->limits.max_write_zeroes_sectors;
	case REQ_OP_ZONE_APPEND:
		return blk_queue_is_zoned(q) &&
		       bio_sectors(bio) <= q->limits.max_zone_append_sectors;
	default:
		return !op_is_zone_mgmt(bio_op(bio)) || blk_queue_is_zoned(q);
	}
}

/* Whole blocks that the disk has? */
static bool bio_is_in_range(struct bio *bio)
{
	unsigned int block = queue_logical_block_size(
		bdev_get_queue(bio->bi_bdev));
	sector_t nr = bdev_nr_sectors(bio->bi_bdev);

	if (bio->bi_iter.bi_size % block ||
	    bio->bi_iter.bi_sector % (block >> SECTOR_SHIFT))
		return false;
	return bio_sectors(bio) <= nr &&
	       bio->bi_iter.bi_sector <= nr - bio_sectors(bio);
}

static blk_status_t bio_check(struct bio *bio)
{
	if (!bio_is_in_range(bio))
		return BLK_STS_IOERR;
	return bio_is_supported(bio) ? BLK_STS_OK : BLK_STS_NOTSUPP;
}

static void bio_end_with(struct bio *bio, blk_status_t status)
{
	bio->bi_status = status;
	bio_endio(bio);
}

void submit_bio(struct bio *bio)
{
	blk_status_t status = bio_check(bio);
	unsigned int sectors;

	/* Without a write cache what was written is durable. */
	if (!status && op_is_flush(bio->bi_opf))
		bio->bi_opf &= ~(REQ_PREFLUSH | REQ_FUA);
	if (status || (bio_op(bio) == REQ_OP_WRITE && !bio_sectors(bio))) {
		bio_end_with(bio, status);
		return;
	}
	while (bio_sectors(bio) > (sectors = bio_max_sectors(bio))) {
		struct bio *head = sectors ? bio_split_head(bio, sectors) :
					     NULL;

		if (!head) {
			bio_end_with(bio, sectors ? BLK_STS_RESOURCE :
						    BLK_STS_IOERR);
			return;
		}
		blk_mq_submit_bio(head);
	}
	blk_mq_submit_bio(bio);
}

static void bio_wake(struct bio *bio)
{
	complete(bio->bi_private);
}

int submit_bio_wait(struct bio *bio)
{
	struct completion done;

	init_completion(&done);
	bio->bi_private = &done;
	bio->bi_end_io = bio_wake;
	submit_bio(bio);
	wait_for_completion_io(&done);
	return blk_status_to_errno(bio->bi_status);
}
