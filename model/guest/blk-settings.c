// SPDX-License-Identifier: GPL-2.0-only
/* Queue limits: defaults for what a driver leaves open, and their checks. */
#include <linux/errno.h>

#include "model/guest/blk.h"

/* Cap on one request of a file system, 1280 KiB, unless user space sets another. */
#define BLK_MAX_SECTORS_CAP	2560u

static void blk_default_limits(struct queue_limits *lim)
{
	if (!lim->logical_block_size)
		lim->logical_block_size = SECTOR_SIZE;
	if (lim->physical_block_size < lim->logical_block_size)
		lim->physical_block_size = lim->logical_block_size;
	if (lim->io_min < lim->physical_block_size)
		lim->io_min = lim->physical_block_size;
	if (!lim->max_hw_sectors)
		lim->max_hw_sectors = BLK_SAFE_MAX_SECTORS;
	if (!lim->max_segments)
		lim->max_segments = BLK_MAX_SEGMENTS;
	if (!lim->max_discard_segments)
		lim->max_discard_segments = 1;
	if (!lim->max_segment_size)
		lim->max_segment_size = BLK_MAX_SEGMENT_SIZE;
	if (!lim->seg_boundary_mask)
		lim->seg_boundary_mask = BLK_SEG_BOUNDARY_MASK;
	if (!lim->dma_alignment)
		lim->dma_alignment = SECTOR_SIZE - 1;
	if (!lim->max_user_discard_sectors)
		lim->max_user_discard_sectors = UINT_MAX;
}

int blk_validate_limits(struct queue_limits *lim)
{
	unsigned int block_sectors;

	blk_default_limits(lim);
	if (blk_validate_block_size(lim->logical_block_size))
		return -EINVAL;
	/* Below a page each of these breaks the most ordinary I/O. */
	if (lim->max_hw_sectors < PAGE_SECTORS ||
	    lim->seg_boundary_mask < PAGE_SIZE - 1 ||
	    (lim->max_segment_size < PAGE_SIZE && !lim->virt_boundary_mask))
		return -EINVAL;
	if (lim->dma_alignment > PAGE_SIZE)
		return -EINVAL;
	block_sectors = lim->logical_block_size >> SECTOR_SHIFT;
	lim->max_hw_sectors = round_down(lim->max_hw_sectors, block_sectors);
	if (!lim->max_hw_sectors)
		return -EINVAL;
	if (lim->max_user_sectors && lim->max_user_sectors < PAGE_SECTORS)
		return -EINVAL;
	lim->max_sectors = min(lim->max_hw_sectors, lim->max_user_sectors ? :
						    BLK_MAX_SECTORS_CAP);
	lim->max_sectors = round_down(lim->max_sectors, block_sectors);
	lim->max_discard_sectors = min(lim->max_hw_discard_sectors,
				       lim->max_user_discard_sectors);
	return 0;
}

int queue_limits_commit_update(struct request_queue *q,
			       struct queue_limits *lim)
{
	int err = blk_validate_limits(lim);

	if (!err)
		q->limits = *lim;
	mutex_unlock(&q->limits_lock);
	return err;
}

int queue_limits_commit_update_frozen(struct request_queue *q,
				      struct queue_limits *lim)
{
	int err;

	blk_mq_freeze_queue(q);
	err = queue_limits_commit_update(q, lim);
	blk_mq_unfreeze_queue(q);
	return err;
}

int queue_limits_set(struct request_queue *q, struct queue_limits *lim)
{
	mutex_lock(&q->limits_lock);
	return queue_limits_commit_update(q, lim);
}

void blk_queue_rq_timeout(struct request_queue *q, unsigned int timeout)
{
	WRITE_ONCE(q->rq_timeout, timeout);
}
