// SPDX-License-Identifier: GPL-2.0-only
#include "model/guest/blk.h"
#include "model/guest/guest.h"

/* Unique in the tag set, from 0. */
static u32 blk_rq_number(const struct request *rq)
{
	return rq->mq_hctx->queue_num * rq->mq_hctx->tags->nr_tags + rq->tag;
}

void blk_stamp(enum stamp stamp, struct request *rq, u64 data)
{
	stamp_guest(stamp, blk_rq_number(rq), data);
}

void blk_stamp_submit(struct request *rq, u64 submit_ps)
{
	stamp_submit(blk_rq_number(rq), rq->bio ? blk_rq_bytes(rq) : 0,
		     submit_ps);
}

void blk_stamp_merge(struct request *rq, u64 bytes)
{
	trace(&tp_merge, blk_rq_number(rq), bytes, 0);
}

static u32 blk_request_in(const struct blk_mq_tags *tags, u64 pa)
{
	u64 first = __pa(tags->static_rqs[0]);
	u64 stride = tags->nr_tags > 1 ?
		     __pa(tags->static_rqs[1]) - first : PAGE_SIZE;

	if (pa < first || pa >= first + stride * tags->nr_tags)
		return UINT32_MAX;
	return (pa - first) / stride;
}

/* The first tag set is the disk's, from the driver's probe on. */
static struct blk_mq_tag_set *first_set;

void blk_stamp_tag_set(struct blk_mq_tag_set *set, bool exists)
{
	if (exists && !first_set)
		first_set = set;
	else if (!exists && first_set == set)
		first_set = NULL;
}

uint32_t guest_request_of_pa(uint64_t pa)
{
	struct blk_mq_tag_set *set = first_set;

	for (u32 i = 0; set && i < set->nr_hw_queues; i++) {
		u32 nr = blk_request_in(set->tags[i], pa);

		if (nr != UINT32_MAX)
			return i * set->tags[i]->nr_tags + nr;
	}
	return UINT32_MAX;
}

uint32_t guest_requests_nr(void)
{
	return first_set ? first_set->nr_hw_queues * first_set->queue_depth : 0;
}
