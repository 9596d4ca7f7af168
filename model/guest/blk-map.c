// SPDX-License-Identifier: GPL-2.0-only
/* A request's data as a scatterlist; kernel buffers as a request's data. */
#include <linux/bio.h>
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/scatterlist.h>

#include "model/guest/blk.h"

/*
 * Walks a bio's data in pieces that one scatterlist entry may hold. Vectors
 * that follow each other in memory are one piece, up to max_segment_size.
 */
struct segment_walk {
	const struct queue_limits *lim;
	struct bio *bio;
	struct bvec_iter iter;
};

static void segment_walk_init(struct segment_walk *w, struct bio *bio)
{
	w->lim = &bdev_get_queue(bio->bi_bdev)->limits;
	w->bio = bio;
	w->iter = bio->bi_iter;
}

/* Bytes that a piece at @phys may have before it crosses a boundary. */
static unsigned int segment_room(const struct queue_limits *lim, u64 phys)
{
	u64 to_boundary = lim->seg_boundary_mask - (phys & lim->seg_boundary_mask);

	return min_t(u64, to_boundary + 1, lim->max_segment_size);
}

static bool segment_walk_next(struct segment_walk *w, struct bio_vec *out)
{
	unsigned int room;
	struct bio_vec bv;

	if (!w->iter.bi_size)
		return false;
	bv = mp_bvec_iter_bvec(w->bio->bi_io_vec, w->iter);
	room = segment_room(w->lim, bvec_phys(&bv));
	*out = bv;
	out->bv_len = 0;
	for (;;) {
		unsigned int len = min(bv.bv_len, room - out->bv_len);

		out->bv_len += len;
		bio_advance_iter(w->bio, &w->iter, len);
		if (out->bv_len == room || !w->iter.bi_size)
			return true;
		bv = mp_bvec_iter_bvec(w->bio->bi_io_vec, w->iter);
		if (bvec_phys(&bv) != bvec_phys(out) + out->bv_len)
			return true;
	}
}

unsigned int blk_count_segments(struct bio *bio)
{
	struct segment_walk w;
	struct bio_vec bv;
	unsigned int nr = 0;

	segment_walk_init(&w, bio);
	while (segment_walk_next(&w, &bv))
		nr++;
	return nr;
}

/* A cut must leave whole logical blocks on both sides. */
unsigned int blk_sectors_in_segments(struct bio *bio)
{
	unsigned int block, bytes = 0, nr = 0;
	struct segment_walk w;
	struct bio_vec bv;

	segment_walk_init(&w, bio);
	block = w.lim->logical_block_size;
	while (nr < w.lim->max_segments && segment_walk_next(&w, &bv)) {
		bytes += bv.bv_len;
		nr++;
	}
	if (w.iter.bi_size)
		bytes -= bytes % block;
	return bytes >> SECTOR_SHIFT;
}

static struct scatterlist *blk_map_one(struct scatterlist *sglist,
				       struct scatterlist *last,
				       const struct bio_vec *bv)
{
	struct scatterlist *sg = last ? sg_next(last) : sglist;

	sg_set_page(sg, bv->bv_page, bv->bv_len, bv->bv_offset);
	return sg;
}

int __blk_rq_map_sg(struct request_queue *q, struct request *rq,
		    struct scatterlist *sglist, struct scatterlist **last_sg)
{
	struct scatterlist *last = NULL;
	struct segment_walk w;
	struct bio_vec bv;
	struct bio *bio;
	int nr = 0;

	if (rq->rq_flags & RQF_SPECIAL_PAYLOAD) {
		last = blk_map_one(sglist, NULL, &rq->special_vec);
		nr = 1;
	} else {
		__rq_for_each_bio(bio, rq) {
			segment_walk_init(&w, bio);
			for (; segment_walk_next(&w, &bv); nr++) {
				/* The chain ends where the last entry says so. */
				if (last)
					sg_unmark_end(last);
				last = blk_map_one(sglist, last, &bv);
			}
		}
	}
	if (last)
		sg_mark_end(last);
	*last_sg = last;
	return nr;
}

int blk_rq_append_bio(struct request *rq, struct bio *bio)
{
	unsigned int segments = blk_count_segments(bio);
	unsigned int before = rq->bio ? rq->nr_phys_segments : 0;

	if (before + segments > queue_max_segments(rq->q))
		return -EINVAL;
	if (!rq->bio) {
		blk_rq_bio_prep(rq, bio, segments);
		return 0;
	}
	rq->biotail->bi_next = bio;
	rq->biotail = bio;
	rq->__data_len += bio->bi_iter.bi_size;
	rq->nr_phys_segments += segments;
	return 0;
}

static void blk_end_kern(struct bio *bio)
{
	bio_put(bio);
}

/* The buffer lies in guest RAM and is contiguous there: one vector. */
int blk_rq_map_kern(struct request_queue *q, struct request *rq, void *kbuf,
		    unsigned int len, gfp_t gfp)
{
	struct bio *bio;
	int err;

	if (!len || !kbuf || len > queue_max_hw_sectors(q) << SECTOR_SHIFT)
		return -EINVAL;
	bio = bio_alloc(q->disk->part0, 1, rq->cmd_flags, gfp);
	if (!bio)
		return -ENOMEM;
	bio->bi_end_io = blk_end_kern;
	__bio_add_page(bio, virt_to_page(kbuf), len, offset_in_page(kbuf));
	err = blk_rq_append_bio(rq, bio);
	if (err)
		bio_put(bio);
	return err;
}
