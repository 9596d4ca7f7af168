/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The block layer's own view: what its files share and no driver sees. The
 * contract with drivers is <linux/blk-mq.h> and <linux/blkdev.h>. Guest code.
 *
 * One request: bio -> blk_mq_submit_bio (queue reference, tag, request) ->
 * plug, software queue or straight -> queue_rq -> ... -> complete on the
 * submitter's CPU -> end of the bio -> tag and queue reference go back.
 */
#ifndef MODEL_GUEST_BLK_H
#define MODEL_GUEST_BLK_H

#include <linux/blk-mq.h>
#include <linux/blkdev.h>
#include <linux/sbitmap.h>

#include "model/hw/stamp.h"

/* A plug is flushed when it holds this many requests. */
#define BLK_PLUG_MAX	32u
/* Delay before a queue that lacked a resource of its own is run again. */
#define BLK_RESOURCE_DELAY_MS	3u

/* The software queue of one CPU: requests between submitter and dispatch. */
struct blk_mq_ctx {
	struct {
		spinlock_t lock;
		struct list_head rq_lists[HCTX_MAX_TYPES];
	} ____cacheline_aligned_in_smp;
	unsigned int cpu;
	unsigned short index_hw[HCTX_MAX_TYPES];
	struct blk_mq_hw_ctx *hctxs[HCTX_MAX_TYPES];
	struct request_queue *queue;
} ____cacheline_aligned_in_smp;

/*
 * References to a queue that a freeze waits for: a counter per CPU, so that
 * the common case touches no shared line. Behind percpu_ref.data.
 */
struct percpu_ref_data {
	bool dead;
	struct {
		long count;
	} ____cacheline_aligned_in_smp cpu[32];
};

/* blk-core.c */
int blk_core_init(void);		/* in task context, before any disk */
/* While @q is frozen: parks, or -EAGAIN with @nowait. -ENODEV when it is dying. */
int blk_queue_enter(struct request_queue *q, bool nowait);
/* Also while a freeze waits; false once @q is frozen. */
bool blk_queue_tryget(struct request_queue *q);
void blk_queue_exit(struct request_queue *q);
struct blk_plug *blk_current_plug(void);

/* blk-mq.c */
void blk_mq_submit_bio(struct bio *bio);
void blk_mq_insert_request(struct request *rq, bool at_head);
void blk_mq_request_bypass_insert(struct request *rq, bool at_head);
void blk_mq_flush_plug_list(struct blk_plug *plug, bool from_schedule);
void blk_mq_run_work_fn(struct work_struct *work);
void blk_mq_requeue_work(struct work_struct *work);
void blk_mq_sched_restart(struct blk_mq_hw_ctx *hctx);
bool blk_mq_hctx_stopped(struct blk_mq_hw_ctx *hctx);

/* blk-mq-complete.c */
void blk_mq_complete_init(void);

/* As the sysfs file of this name: 0, 1 or 2. */
void blk_mq_set_rq_affinity(struct request_queue *q, unsigned int rq_affinity);

/* blk-mq-tag.c */
int blk_mq_get_tag(struct blk_mq_hw_ctx *hctx, bool nowait);
void blk_mq_put_tag(struct blk_mq_tags *tags, unsigned int cpu,
		    unsigned int tag);
struct blk_mq_tags *blk_mq_init_tags(unsigned int depth);
void blk_mq_free_tags(struct blk_mq_tags *tags);

/* blk-mq-setup.c */
int blk_mq_init_queue(struct request_queue *q, struct blk_mq_tag_set *set);
void blk_mq_exit_queue(struct request_queue *q);
void blk_mq_cancel_work_sync(struct request_queue *q);	/* parks */
struct blk_mq_hw_ctx *blk_mq_map_queue(struct blk_mq_ctx *ctx, blk_opf_t opf);

/* blk-settings.c: fill in what a driver left at 0. 0 or -EINVAL. */
int blk_validate_limits(struct queue_limits *lim);

/* blk-merge.c: true if @bio has become part of a request in @plug (NULL: no). */
bool blk_plug_merge(struct blk_plug *plug, struct bio *bio);

/* bio.c */
int bio_init_all(void);
struct bio *bio_split_head(struct bio *bio, unsigned int sectors);

/* genhd.c: the first disk that was added, NULL for none. */
struct gendisk *blk_first_disk(void);

/*
 * blk-map.c: data of a bio as segments within the queue's limits. Entries that
 * __blk_rq_map_sg will need; sectors that fit into max_segments of them.
 */
unsigned int blk_count_segments(struct bio *bio);
unsigned int blk_sectors_in_segments(struct bio *bio);

/*
 * sbitmap.c: bits that many CPUs take and return. get: a free bit or -1.
 * clear only marks; the bits are collected when a get finds nothing.
 * @shift: log2 of the bits per word (cache line), -1 to spread @depth well.
 */
int sbitmap_init(struct sbitmap *sb, unsigned int depth, int shift);
void sbitmap_free(struct sbitmap *sb);
int sbitmap_get(struct sbitmap *sb);
void sbitmap_clear(struct sbitmap *sb, unsigned int nr, unsigned int cpu);
bool sbitmap_any_set(struct sbitmap *sb);
unsigned int sbitmap_weight(struct sbitmap *sb);
int sbitmap_queue_init(struct sbitmap_queue *sbq, unsigned int depth);
void sbitmap_queue_free(struct sbitmap_queue *sbq);
void sbitmap_queue_wake(struct sbitmap_queue *sbq, unsigned int nr);
void sbitmap_queue_wake_all(struct sbitmap_queue *sbq);

/*
 * blk-stamp.c: stamps of a request. Not instrumented, so that looking costs
 * the guest nothing.
 */
void blk_stamp(enum stamp stamp, struct request *rq, u64 data);
void blk_stamp_submit(struct request *rq, u64 submit_ps);
void blk_stamp_merge(struct request *rq, u64 bytes);
void blk_stamp_tag_set(struct blk_mq_tag_set *set, bool exists);

#endif
