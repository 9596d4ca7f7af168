// SPDX-License-Identifier: GPL-2.0-only
/* Waiting for requests by looking, on queues that have no interrupt. */
#include <linux/sched.h>

#include "model/guest/blk.h"

static int blk_mq_poll_hctx(struct blk_mq_hw_ctx *hctx,
			    struct io_comp_batch *iob, unsigned int flags)
{
	int found;

	do {
		found = hctx->queue->mq_ops->poll(hctx, iob);
		if (found)
			return found;
		/* Somebody else may find what this task waits for: it looks itself. */
		if (READ_ONCE(current->__state) == TASK_RUNNING)
			return 1;
		if (flags & BLK_POLL_ONESHOT)
			return 0;
		cpu_relax();
	} while (!need_resched());
	return 0;
}

/*
 * Requests found finished on the queue that @bio went to, which may be others'; 1
 * as well when there are none and the task has set no state to sleep in. 0 also
 * when it went to a queue that does not poll.
 */
int bio_poll(struct bio *bio, struct io_comp_batch *iob, unsigned int flags)
{
	struct request_queue *q = bdev_get_queue(bio->bi_bdev);
	blk_qc_t cookie = READ_ONCE(bio->bi_cookie);
	struct blk_mq_hw_ctx **table = q->hctx_table.xa_head;
	int found;

	if (!(bio->bi_opf & REQ_POLLED) || cookie == BLK_QC_T_NONE ||
	    !q->mq_ops->poll)
		return 0;
	/* @bio may end meanwhile, and then nothing else holds the queues. */
	if (!blk_queue_tryget(q))
		return 0;
	found = blk_mq_poll_hctx(table[cookie], iob, flags);
	blk_queue_exit(q);
	return found;
}
