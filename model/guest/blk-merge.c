// SPDX-License-Identifier: GPL-2.0-only
/*
 * Merging: a bio that continues a request which still waits in the task's plug
 * becomes part of it. Requests that the driver has seen are never merged into:
 * it may have prepared them.
 */
#include "model/guest/blk.h"

static bool blk_rq_is_mergeable(const struct request *rq)
{
	enum req_op op = req_op(rq);

	return (op == REQ_OP_READ || op == REQ_OP_WRITE) &&
	       !(rq->cmd_flags & REQ_NOMERGE_FLAGS);
}

/* Same kind of I/O, and the driver's limits hold for both together. */
static bool blk_may_merge(struct request *rq, struct bio *bio)
{
	const struct queue_limits *lim = &rq->q->limits;

	if (!blk_rq_is_mergeable(rq) || req_op(rq) != bio_op(bio) ||
	    (bio->bi_opf & REQ_NOMERGE_FLAGS) ||
	    ((rq->cmd_flags ^ bio->bi_opf) & (REQ_POLLED | REQ_NOWAIT)))
		return false;
	if (blk_rq_sectors(rq) + bio_sectors(bio) > lim->max_sectors)
		return false;
	return rq->nr_phys_segments + blk_count_segments(bio) <=
	       lim->max_segments;
}

static void blk_merge_account(struct request *rq, struct bio *bio)
{
	rq->__data_len += bio->bi_iter.bi_size;
	rq->nr_phys_segments += blk_count_segments(bio);
	rq->stats_sectors = blk_rq_sectors(rq);
	bio->bi_cookie = rq->bio->bi_cookie;
	blk_stamp_merge(rq, bio->bi_iter.bi_size);
}

static bool blk_try_merge(struct request *rq, struct bio *bio)
{
	sector_t sector = bio->bi_iter.bi_sector;

	if (blk_rq_pos(rq) + blk_rq_sectors(rq) == sector &&
	    blk_may_merge(rq, bio)) {
		blk_merge_account(rq, bio);
		rq->biotail->bi_next = bio;
		rq->biotail = bio;
		return true;
	}
	if (sector + bio_sectors(bio) == blk_rq_pos(rq) &&
	    blk_may_merge(rq, bio)) {
		blk_merge_account(rq, bio);
		bio->bi_next = rq->bio;
		rq->bio = bio;
		rq->__sector = sector;
		return true;
	}
	return false;
}

bool blk_plug_merge(struct blk_plug *plug, struct bio *bio)
{
	struct request_queue *q = bdev_get_queue(bio->bi_bdev);
	struct request *rq;

	if (!plug || blk_queue_nomerges(q) || !bio_has_data(bio))
		return false;
	rq_list_for_each(&plug->mq_list, rq)
		if (rq->q == q && blk_try_merge(rq, bio))
			return true;
	return false;
}
