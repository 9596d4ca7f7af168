/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Part of <linux/blkdev.h>: Linux 6.1. Limits are set one by one on a live
 * queue. Each setter is an update of the guest kernel's struct queue_limits,
 * so derived limits follow; a value that it refuses is reported as a WARN in
 * the setter, and changes nothing.
 */
#ifndef PORT_LINUX_API_BLKDEV_H
#define PORT_LINUX_API_BLKDEV_H

#include <linux/bug.h>

#define __API_LIMIT_SETTER(name, ctype, assignment) \
static inline void blk_queue_##name(struct request_queue *q, ctype value) \
{ \
	struct queue_limits lim = queue_limits_start_update(q); \
	int err; \
\
	assignment; \
	err = queue_limits_commit_update(q, &lim); \
	WARN_ON(err); \
}

/* sectors of 512 bytes */
__API_LIMIT_SETTER(max_hw_sectors, unsigned int, lim.max_hw_sectors = value)
__API_LIMIT_SETTER(chunk_sectors, unsigned int, lim.chunk_sectors = value)
__API_LIMIT_SETTER(max_discard_sectors, unsigned int,
		   lim.max_hw_discard_sectors = value)
__API_LIMIT_SETTER(max_secure_erase_sectors, unsigned int,
		   lim.max_secure_erase_sectors = value)
__API_LIMIT_SETTER(max_write_zeroes_sectors, unsigned int,
		   lim.max_write_zeroes_sectors = value)

/* numbers of segments */
__API_LIMIT_SETTER(max_segments, unsigned short,
		   lim.max_segments = max_t(unsigned short, value, 1))
__API_LIMIT_SETTER(max_discard_segments, unsigned short,
		   lim.max_discard_segments = value)

/* bytes; a segment holds at least a page */
__API_LIMIT_SETTER(max_segment_size, unsigned int,
		   lim.max_segment_size = max_t(unsigned int, value, PAGE_SIZE))
__API_LIMIT_SETTER(logical_block_size, unsigned int,
		   lim.logical_block_size = value)
__API_LIMIT_SETTER(physical_block_size, unsigned int,
		   lim.physical_block_size = value)
__API_LIMIT_SETTER(alignment_offset, unsigned int,
		   lim.alignment_offset = value)
__API_LIMIT_SETTER(io_min, unsigned int, lim.io_min = value)
__API_LIMIT_SETTER(io_opt, unsigned int, lim.io_opt = value)

/* masks */
__API_LIMIT_SETTER(segment_boundary, unsigned long,
		   lim.seg_boundary_mask = value)
__API_LIMIT_SETTER(virt_boundary, unsigned long,
		   lim.virt_boundary_mask = value)
__API_LIMIT_SETTER(dma_alignment, int, lim.dma_alignment = value)

static inline void blk_queue_write_cache(struct request_queue *q, bool enabled,
					 bool fua)
{
	struct queue_limits lim = queue_limits_start_update(q);
	int err;

	lim.features &= ~(BLK_FEAT_WRITE_CACHE | BLK_FEAT_FUA);
	if (enabled)
		lim.features |= BLK_FEAT_WRITE_CACHE;
	if (fua)
		lim.features |= BLK_FEAT_FUA;
	lim.flags &= ~BLK_FLAG_WRITE_CACHE_DISABLED;
	err = queue_limits_commit_update(q, &lim);
	WARN_ON(err);
}

#endif /* PORT_LINUX_API_BLKDEV_H */
