/* SPDX-License-Identifier: GPL-2.0-only */
/* Part of <linux/blkdev.h>: Linux 6.12. */
#ifndef PORT_LINUX_API_BLKDEV_H
#define PORT_LINUX_API_BLKDEV_H

static inline bool blk_queue_write_cache(struct request_queue *q)
{
	return (q->limits.features & BLK_FEAT_WRITE_CACHE) &&
	       !(q->limits.flags & BLK_FLAG_WRITE_CACHE_DISABLED);
}

#endif /* PORT_LINUX_API_BLKDEV_H */
