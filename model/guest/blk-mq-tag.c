// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tags: the right to have a request in a hardware queue. Whoever finds none
 * sleeps until some come back.
 */
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/wait.h>

#include "model/guest/blk.h"

struct blk_mq_tags *blk_mq_init_tags(unsigned int depth)
{
	struct blk_mq_tags *tags = kzalloc(sizeof(*tags), GFP_KERNEL);

	if (!tags)
		return NULL;
	tags->nr_tags = depth;
	spin_lock_init(&tags->lock);
	INIT_LIST_HEAD(&tags->page_list);
	if (sbitmap_queue_init(&tags->bitmap_tags, depth)) {
		kfree(tags);
		return NULL;
	}
	return tags;
}

void blk_mq_free_tags(struct blk_mq_tags *tags)
{
	sbitmap_queue_free(&tags->bitmap_tags);
	kfree(tags);
}

static struct sbq_wait_state *blk_mq_wait_state(struct sbitmap_queue *sbq,
						struct blk_mq_hw_ctx *hctx)
{
	int index = atomic_read(&hctx->wait_index);

	atomic_set(&hctx->wait_index, (index + 1) % SBQ_WAIT_QUEUES);
	return &sbq->ws[index];
}

/*
 * Sleep once for a tag. The waiter counts itself and queues itself before the
 * last look, so a tag returned after that look finds somebody to wake.
 */
static int blk_mq_wait_for_tag(struct blk_mq_hw_ctx *hctx,
			       struct sbitmap_queue *sbq)
{
	struct sbq_wait_state *ws = blk_mq_wait_state(sbq, hctx);
	DEFINE_WAIT(wait);
	int tag;

	atomic_inc(&sbq->ws_active);
	prepare_to_wait_exclusive(&ws->wait, &wait, TASK_UNINTERRUPTIBLE);
	tag = sbitmap_get(&sbq->sb);
	if (tag < 0) {
		io_schedule();
		tag = sbitmap_get(&sbq->sb);
	}
	finish_wait(&ws->wait, &wait);
	atomic_dec(&sbq->ws_active);
	return tag;
}

int blk_mq_get_tag(struct blk_mq_hw_ctx *hctx, bool nowait)
{
	struct sbitmap_queue *sbq = &hctx->tags->bitmap_tags;
	int tag = sbitmap_get(&sbq->sb);

	while (tag < 0 && !nowait) {
		/* What is queued but not issued holds tags too. */
		blk_mq_run_hw_queue(hctx, false);
		tag = sbitmap_get(&sbq->sb);
		if (tag < 0)
			tag = blk_mq_wait_for_tag(hctx, sbq);
	}
	return tag;
}

void blk_mq_put_tag(struct blk_mq_tags *tags, unsigned int cpu,
		    unsigned int tag)
{
	sbitmap_clear(&tags->bitmap_tags.sb, tag, cpu);
	sbitmap_queue_wake(&tags->bitmap_tags, 1);
}
