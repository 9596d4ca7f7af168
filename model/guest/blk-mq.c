// SPDX-License-Identifier: GPL-2.0-only
/*
 * The way down: from a bio to the driver's queue_rq, with plug, software
 * queues, dispatch lists, stop and restart, requeue.
 *
 * Two orderings keep requests from being forgotten. Whoever parks a request
 * on a list and finds the queue stopped or busy tests again after a full
 * barrier; whoever restarts a queue clears the mark, then a full barrier, then
 * looks at the lists. So one of the two sees the other.
 */
#include <linux/completion.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "model/guest/blk.h"
#include "model/hw/cost.h"
#include "sim/sim.h"

bool blk_mq_hctx_stopped(struct blk_mq_hw_ctx *hctx)
{
	return test_bit(BLK_MQ_S_STOPPED, &hctx->state);
}

static bool blk_mq_may_dispatch(struct blk_mq_hw_ctx *hctx)
{
	return !blk_mq_hctx_stopped(hctx) && !blk_queue_quiesced(hctx->queue);
}

static bool blk_mq_has_pending(struct blk_mq_hw_ctx *hctx)
{
	return !list_empty_careful(&hctx->dispatch) ||
	       sbitmap_any_set(&hctx->ctx_map);
}

/* Requests */

static void blk_mq_rq_init(struct request *rq, struct blk_mq_ctx *ctx,
			   struct blk_mq_hw_ctx *hctx, blk_opf_t opf, int tag)
{
	rq->q = hctx->queue;
	rq->mq_ctx = ctx;
	rq->mq_hctx = hctx;
	rq->cmd_flags = opf;
	rq->rq_flags = 0;
	rq->tag = tag;
	rq->internal_tag = BLK_MQ_NO_TAG;
	rq->timeout = 0;
	rq->part = NULL;
	rq->start_time_ns = sim_now() / SIM_PS_PER_NS;
	rq->io_start_time_ns = 0;
	rq->stats_sectors = 0;
	rq->nr_phys_segments = 0;
	rq->nr_integrity_segments = 0;
	rq->end_io = NULL;
	rq->end_io_data = NULL;
	rq->bio = NULL;
	rq->biotail = NULL;
	rq->__data_len = 0;
	rq->__sector = (sector_t)-1;
	INIT_LIST_HEAD(&rq->queuelist);
	atomic_set(&rq->ref, 1);
}

/* The queue reference is the caller's; it goes to the request. NULL: no tag. */
static struct request *blk_mq_get_request(struct request_queue *q,
					  blk_opf_t opf, bool nowait)
{
	struct blk_mq_ctx *ctx = &q->queue_ctx[smp_processor_id()];
	struct blk_mq_hw_ctx *hctx = blk_mq_map_queue(ctx, opf);
	struct request *rq;
	int tag;

	tag = blk_mq_get_tag(hctx, nowait);
	if (tag < 0)
		return NULL;
	rq = hctx->tags->static_rqs[tag];
	blk_mq_rq_init(rq, ctx, hctx, opf, tag);
	return rq;
}

struct request *blk_mq_alloc_request(struct request_queue *q, blk_opf_t opf,
				     blk_mq_req_flags_t flags)
{
	bool nowait = flags & BLK_MQ_REQ_NOWAIT;
	struct request *rq;
	int err = blk_queue_enter(q, nowait);

	if (err)
		return ERR_PTR(err);
	rq = blk_mq_get_request(q, opf, nowait);
	if (!rq) {
		blk_queue_exit(q);
		return ERR_PTR(-EWOULDBLOCK);
	}
	blk_stamp_submit(rq, sim_now());
	blk_stamp(STAMP_TAG, rq, 0);
	return rq;
}

void blk_mq_free_request(struct request *rq)
{
	struct blk_mq_hw_ctx *hctx = rq->mq_hctx;
	struct request_queue *q = rq->q;

	if (!atomic_dec_and_test(&rq->ref))
		return;
	WRITE_ONCE(rq->state, MQ_RQ_IDLE);
	blk_mq_put_tag(hctx->tags, rq->mq_ctx->cpu, rq->tag);
	blk_mq_sched_restart(hctx);
	blk_queue_exit(q);
}

void blk_mq_start_request(struct request *rq)
{
	WARN_ON_ONCE(blk_mq_rq_state(rq) != MQ_RQ_IDLE);
	rq->io_start_time_ns = sim_now() / SIM_PS_PER_NS;
	WRITE_ONCE(rq->state, MQ_RQ_IN_FLIGHT);
	rq->mq_hctx->tags->rqs[rq->tag] = rq;
}

/* Lists between submitter and driver */

/* The ctx's bit in ctx_map says that its list is not empty. */
static void blk_mq_mark_ctx(struct blk_mq_hw_ctx *hctx, struct blk_mq_ctx *ctx)
{
	unsigned int bit = ctx->index_hw[hctx->type];
	struct sbitmap *sb = &hctx->ctx_map;
	unsigned long *word = &sb->map[bit >> sb->shift].word;
	unsigned int nr = bit & ((1u << sb->shift) - 1);

	if (!test_bit(nr, word))
		set_bit(nr, word);
}

void blk_mq_insert_request(struct request *rq, bool at_head)
{
	struct blk_mq_ctx *ctx = rq->mq_ctx;
	struct blk_mq_hw_ctx *hctx = rq->mq_hctx;
	unsigned long flags;

	if (blk_rq_is_passthrough(rq) || op_is_flush(rq->cmd_flags) ||
	    req_op(rq) == REQ_OP_FLUSH) {
		/* Never behind what waits for a scheduler or a merge. */
		blk_mq_request_bypass_insert(rq, at_head);
		return;
	}
	spin_lock_irqsave(&ctx->lock, flags);
	if (at_head)
		list_add(&rq->queuelist, &ctx->rq_lists[hctx->type]);
	else
		list_add_tail(&rq->queuelist, &ctx->rq_lists[hctx->type]);
	blk_mq_mark_ctx(hctx, ctx);
	spin_unlock_irqrestore(&ctx->lock, flags);
}

void blk_mq_request_bypass_insert(struct request *rq, bool at_head)
{
	struct blk_mq_hw_ctx *hctx = rq->mq_hctx;
	unsigned long flags;

	spin_lock_irqsave(&hctx->lock, flags);
	if (at_head)
		list_add(&rq->queuelist, &hctx->dispatch);
	else
		list_add_tail(&rq->queuelist, &hctx->dispatch);
	spin_unlock_irqrestore(&hctx->lock, flags);
}

static void blk_mq_take_ctx(struct blk_mq_hw_ctx *hctx, unsigned int bit,
			    struct list_head *list)
{
	struct blk_mq_ctx *ctx = hctx->ctxs[bit];
	struct sbitmap *sb = &hctx->ctx_map;
	unsigned long flags;

	spin_lock_irqsave(&ctx->lock, flags);
	list_splice_tail_init(&ctx->rq_lists[hctx->type], list);
	clear_bit(bit & ((1u << sb->shift) - 1), &sb->map[bit >> sb->shift].word);
	spin_unlock_irqrestore(&ctx->lock, flags);
}

static void blk_mq_take_ctxs(struct blk_mq_hw_ctx *hctx,
			     struct list_head *list)
{
	struct sbitmap *sb = &hctx->ctx_map;

	for (unsigned int i = 0; i < sb->map_nr; i++) {
		unsigned long word = READ_ONCE(sb->map[i].word);

		while (word) {
			unsigned int nr = __ffs(word);

			word &= word - 1;
			blk_mq_take_ctx(hctx, (i << sb->shift) + nr, list);
		}
	}
}

/* Dispatch */

static blk_status_t blk_mq_call_driver(struct request *rq, bool last)
{
	struct blk_mq_queue_data bd = { .rq = rq, .last = last };

	blk_stamp(STAMP_QUEUE, rq, last);
	return rq->q->mq_ops->queue_rq(rq->mq_hctx, &bd);
}

static void blk_mq_commit(struct blk_mq_hw_ctx *hctx, unsigned int queued)
{
	if (queued && hctx->queue->mq_ops->commit_rqs)
		hctx->queue->mq_ops->commit_rqs(hctx);
}

/* A driver may have started a request before it found itself busy. */
static void blk_mq_unstart(struct request *rq)
{
	if (blk_mq_request_started(rq))
		WRITE_ONCE(rq->state, MQ_RQ_IDLE);
}

static bool blk_mq_is_busy(blk_status_t status)
{
	return status == BLK_STS_RESOURCE || status == BLK_STS_DEV_RESOURCE;
}

/* Smoothed: how often the driver was busy lately; biases against direct issue. */
static void blk_mq_note_busy(struct blk_mq_hw_ctx *hctx, bool busy)
{
	unsigned int ewma = READ_ONCE(hctx->dispatch_busy);

	if (!ewma && !busy)
		return;
	WRITE_ONCE(hctx->dispatch_busy, (ewma * 7 + (busy ? 16 : 0)) / 8);
}

/*
 * Put back what the driver did not take, then make sure that somebody will
 * come back for it: a completion of this queue (restart mark), or a timer if
 * the shortage has nothing to do with this queue.
 */
static void blk_mq_put_back(struct blk_mq_hw_ctx *hctx, struct list_head *list,
			    blk_status_t status)
{
	bool marked;
	unsigned long flags;

	spin_lock_irqsave(&hctx->lock, flags);
	list_splice_tail_init(list, &hctx->dispatch);
	spin_unlock_irqrestore(&hctx->lock, flags);
	smp_mb();
	marked = test_bit(BLK_MQ_S_SCHED_RESTART, &hctx->state);
	if (!marked)
		blk_mq_run_hw_queue(hctx, true);
	else if (status == BLK_STS_RESOURCE)
		blk_mq_delay_run_hw_queue(hctx, BLK_RESOURCE_DELAY_MS);
	blk_mq_note_busy(hctx, true);
}

/* True if all of @list is gone. */
static bool blk_mq_dispatch_list(struct blk_mq_hw_ctx *hctx,
				 struct list_head *list)
{
	blk_status_t status = BLK_STS_OK;
	unsigned int queued = 0;

	while (!list_empty(list)) {
		struct request *rq = list_first_entry(list, struct request,
						      queuelist);

		list_del_init(&rq->queuelist);
		status = blk_mq_call_driver(rq, list_empty(list));
		if (status == BLK_STS_OK) {
			queued++;
		} else if (blk_mq_is_busy(status)) {
			blk_mq_unstart(rq);
			list_add(&rq->queuelist, list);
			break;
		} else {
			blk_mq_end_request(rq, status);
		}
	}
	/* A driver that was promised more, or whose last one failed, must kick. */
	if (status != BLK_STS_OK)
		blk_mq_commit(hctx, queued);
	if (!list_empty(list)) {
		blk_mq_put_back(hctx, list, status);
		return false;
	}
	blk_mq_note_busy(hctx, false);
	return true;
}

/* Leftovers first: they are older. While there are any, nothing overtakes them. */
static void blk_mq_dispatch_requests(struct blk_mq_hw_ctx *hctx)
{
	LIST_HEAD(list);
	unsigned long flags;

	if (!list_empty_careful(&hctx->dispatch)) {
		spin_lock_irqsave(&hctx->lock, flags);
		list_splice_init(&hctx->dispatch, &list);
		spin_unlock_irqrestore(&hctx->lock, flags);
	}
	if (!list_empty(&list)) {
		set_bit(BLK_MQ_S_SCHED_RESTART, &hctx->state);
		if (!blk_mq_dispatch_list(hctx, &list))
			return;
	}
	blk_mq_take_ctxs(hctx, &list);
	if (!list_empty(&list))
		blk_mq_dispatch_list(hctx, &list);
}

void blk_mq_sched_restart(struct blk_mq_hw_ctx *hctx)
{
	if (!test_bit(BLK_MQ_S_SCHED_RESTART, &hctx->state))
		return;
	clear_bit(BLK_MQ_S_SCHED_RESTART, &hctx->state);
	/* Pairs with the barrier in blk_mq_put_back. */
	smp_mb();
	blk_mq_run_hw_queue(hctx, true);
}

/* A CPU of the queue to run it on, in turn. */
static unsigned int blk_mq_next_cpu(struct blk_mq_hw_ctx *hctx)
{
	unsigned int cpu = cpumask_next(hctx->next_cpu, hctx->cpumask);

	if (cpu >= nr_cpu_ids)
		cpu = cpumask_first(hctx->cpumask);
	WRITE_ONCE(hctx->next_cpu, cpu);
	return cpu;
}

void blk_mq_delay_run_hw_queue(struct blk_mq_hw_ctx *hctx, unsigned long msecs)
{
	if (!blk_mq_may_dispatch(hctx))
		return;
	kblockd_mod_delayed_work_on(blk_mq_next_cpu(hctx), &hctx->run_work,
				    msecs_to_jiffies(msecs));
}

/*
 * The second look under queue_lock pairs with unquiesce, which clears the flag
 * under the same lock and then runs all queues.
 */
static bool blk_mq_need_run(struct blk_mq_hw_ctx *hctx)
{
	unsigned long flags;
	bool need;

	need = !blk_queue_quiesced(hctx->queue) && blk_mq_has_pending(hctx);
	if (need || !blk_queue_quiesced(hctx->queue))
		return need;
	spin_lock_irqsave(&hctx->queue->queue_lock, flags);
	need = !blk_queue_quiesced(hctx->queue) && blk_mq_has_pending(hctx);
	spin_unlock_irqrestore(&hctx->queue->queue_lock, flags);
	return need;
}

void blk_mq_run_hw_queue(struct blk_mq_hw_ctx *hctx, bool async)
{
	/* The test of the stop mark must not go before the caller's insert. */
	smp_mb();
	if (blk_mq_hctx_stopped(hctx) || !blk_mq_need_run(hctx))
		return;
	if (async || !cpumask_test_cpu(smp_processor_id(), hctx->cpumask)) {
		blk_mq_delay_run_hw_queue(hctx, 0);
		return;
	}
	blk_mq_dispatch_requests(hctx);
}

void blk_mq_run_work_fn(struct work_struct *work)
{
	struct blk_mq_hw_ctx *hctx =
		container_of(work, struct blk_mq_hw_ctx, run_work.work);

	if (blk_mq_may_dispatch(hctx))
		blk_mq_dispatch_requests(hctx);
}

void blk_mq_run_hw_queues(struct request_queue *q, bool async)
{
	struct blk_mq_hw_ctx *hctx;
	unsigned int i;

	queue_for_each_hw_ctx(q, hctx, i)
		if (!blk_mq_hctx_stopped(hctx))
			blk_mq_run_hw_queue(hctx, async);
}

void blk_mq_stop_hw_queue(struct blk_mq_hw_ctx *hctx)
{
	cancel_delayed_work(&hctx->run_work);
	set_bit(BLK_MQ_S_STOPPED, &hctx->state);
}

void blk_mq_stop_hw_queues(struct request_queue *q)
{
	struct blk_mq_hw_ctx *hctx;
	unsigned int i;

	queue_for_each_hw_ctx(q, hctx, i)
		blk_mq_stop_hw_queue(hctx);
}

void blk_mq_start_hw_queue(struct blk_mq_hw_ctx *hctx)
{
	clear_bit(BLK_MQ_S_STOPPED, &hctx->state);
	blk_mq_run_hw_queue(hctx, false);
}

void blk_mq_start_hw_queues(struct request_queue *q)
{
	struct blk_mq_hw_ctx *hctx;
	unsigned int i;

	queue_for_each_hw_ctx(q, hctx, i)
		blk_mq_start_hw_queue(hctx);
}

void blk_mq_start_stopped_hw_queue(struct blk_mq_hw_ctx *hctx, bool async)
{
	if (!blk_mq_hctx_stopped(hctx))
		return;
	clear_bit(BLK_MQ_S_STOPPED, &hctx->state);
	/* Pairs with the barrier in blk_mq_run_hw_queue. */
	smp_mb__after_atomic();
	blk_mq_run_hw_queue(hctx, async);
}

void blk_mq_start_stopped_hw_queues(struct request_queue *q, bool async)
{
	struct blk_mq_hw_ctx *hctx;
	unsigned int i;

	queue_for_each_hw_ctx(q, hctx, i)
		blk_mq_start_stopped_hw_queue(hctx, async);
}

/* Requeue */

void blk_mq_requeue_request(struct request *rq, bool kick_requeue_list)
{
	struct request_queue *q = rq->q;
	unsigned long flags;

	blk_mq_unstart(rq);
	spin_lock_irqsave(&q->requeue_lock, flags);
	list_add_tail(&rq->queuelist, &q->requeue_list);
	spin_unlock_irqrestore(&q->requeue_lock, flags);
	if (kick_requeue_list)
		blk_mq_kick_requeue_list(q);
}

void blk_mq_kick_requeue_list(struct request_queue *q)
{
	kblockd_mod_delayed_work_on(WORK_CPU_UNBOUND, &q->requeue_work, 0);
}

void blk_mq_delay_kick_requeue_list(struct request_queue *q,
				    unsigned long msecs)
{
	kblockd_mod_delayed_work_on(WORK_CPU_UNBOUND, &q->requeue_work,
				    msecs_to_jiffies(msecs));
}

/*
 * Requeued requests that carry driver state (RQF_DONTPREP) must not be merged
 * into: they go to the dispatch list, in order. Others go before the younger
 * ones of their CPU.
 */
void blk_mq_requeue_work(struct work_struct *work)
{
	struct request_queue *q =
		container_of(work, struct request_queue, requeue_work.work);
	LIST_HEAD(list);

	spin_lock_irq(&q->requeue_lock);
	list_splice_init(&q->requeue_list, &list);
	spin_unlock_irq(&q->requeue_lock);
	while (!list_empty(&list)) {
		struct request *rq = list_first_entry(&list, struct request,
						      queuelist);

		list_del_init(&rq->queuelist);
		if (rq->rq_flags & RQF_DONTPREP)
			blk_mq_request_bypass_insert(rq, false);
		else
			blk_mq_insert_request(rq, true);
	}
	blk_mq_run_hw_queues(q, false);
}

/* Submission */

/*
 * Straight into the driver. Busy: the request waits on a list; OK: the driver
 * has it; anything else: it has ended.
 */
static blk_status_t blk_mq_issue_directly(struct request *rq, bool last)
{
	struct blk_mq_hw_ctx *hctx = rq->mq_hctx;
	blk_status_t status;

	if (!blk_mq_may_dispatch(hctx)) {
		blk_mq_insert_request(rq, false);
		blk_mq_run_hw_queue(hctx, false);
		return BLK_STS_DEV_RESOURCE;
	}
	status = blk_mq_call_driver(rq, last);
	blk_mq_note_busy(hctx, blk_mq_is_busy(status));
	if (blk_mq_is_busy(status)) {
		blk_mq_unstart(rq);
		blk_mq_request_bypass_insert(rq, false);
		blk_mq_run_hw_queue(hctx, false);
	} else if (status != BLK_STS_OK) {
		blk_mq_end_request(rq, status);
	}
	return status;
}

/* Is a queue so busy that going past its lists would be unfair? */
static bool blk_mq_prefer_insert(struct request *rq)
{
	return READ_ONCE(rq->mq_hctx->dispatch_busy) &&
	       (rq->q->nr_hw_queues == 1 || !rq_is_sync(rq));
}

static void blk_mq_add_to_plug(struct blk_plug *plug, struct request *rq)
{
	struct request *first = rq_list_peek(&plug->mq_list);

	if (first && first->q != rq->q)
		plug->multiple_queues = true;
	if (plug->rq_count >= BLK_PLUG_MAX)
		__blk_flush_plug(plug, false);
	rq_list_add_tail(&plug->mq_list, rq);
	plug->rq_count++;
}

static void blk_mq_insert_plug(struct rq_list *list, bool async)
{
	struct blk_mq_hw_ctx *hctx = NULL;
	struct request *rq;

	while ((rq = rq_list_pop(list))) {
		if (hctx && hctx != rq->mq_hctx)
			blk_mq_run_hw_queue(hctx, async);
		hctx = rq->mq_hctx;
		INIT_LIST_HEAD(&rq->queuelist);
		blk_mq_insert_request(rq, false);
	}
	if (hctx)
		blk_mq_run_hw_queue(hctx, async);
}

/* Free of charge: kernels before 6.12 build the list in that order at once. */
__attribute__((no_sanitize("thread")))
static void blk_mq_reverse(struct rq_list *list)
{
	struct request *rq = list->head;
	struct request *next;

	rq_list_init(list);
	for (; rq; rq = next) {
		next = rq->rq_next;
		if (!list->tail)
			list->tail = rq;
		rq->rq_next = list->head;
		list->head = rq;
	}
}

/*
 * A driver that takes lists gets the whole plug, and gives back what it could not
 * even prepare. Only the head of the list is meaningful after that: drivers
 * of before Linux 6.12 know no tail.
 */
static void blk_mq_hand_over(struct rq_list *list)
{
	struct request *rq = rq_list_peek(list);
	struct request_queue *q = rq->q;

	if (!q->mq_ops->queue_rqs || blk_queue_quiesced(q))
		return;
	rq_list_for_each(list, rq)
		blk_stamp(STAMP_QUEUE, rq, !rq->rq_next);
	if (q->tag_set->flags & __API_BLK_MQ_F_NEWEST_FIRST) {
		blk_mq_reverse(list);
		q->mq_ops->queue_rqs(list);
		blk_mq_reverse(list);
	} else {
		q->mq_ops->queue_rqs(list);
	}
}

/*
 * All for one hardware queue after another, in the order of submission; only
 * the last of a run carries the flag that makes the driver kick. When that one
 * does not reach the driver, commit_rqs stands in for it. Once the driver is
 * busy, the rest queues up behind what it has refused.
 */
static void blk_mq_issue_plug(struct rq_list *list)
{
	blk_status_t status = BLK_STS_OK;
	unsigned int queued = 0;
	struct request *rq;

	while (!blk_mq_is_busy(status) && (rq = rq_list_pop(list))) {
		struct request *next = rq_list_peek(list);
		struct blk_mq_hw_ctx *hctx = rq->mq_hctx;
		bool last = !next || next->mq_hctx != hctx;

		status = blk_mq_issue_directly(rq, last);
		if (status == BLK_STS_OK)
			queued++;
		else if (last || blk_mq_is_busy(status))
			blk_mq_commit(hctx, queued);
		if (last)
			queued = 0;
	}
	blk_mq_insert_plug(list, false);
}

void blk_mq_flush_plug_list(struct blk_plug *plug, bool from_schedule)
{
	struct rq_list list = plug->mq_list;
	bool one_queue = !plug->multiple_queues;

	rq_list_init(&plug->mq_list);
	plug->rq_count = 0;
	plug->multiple_queues = false;
	/* A task on its way to sleep must not run the driver for itself. */
	if (from_schedule) {
		blk_mq_insert_plug(&list, true);
		return;
	}
	if (one_queue)
		blk_mq_hand_over(&list);
	blk_mq_issue_plug(&list);
}

/* Segments as the driver will see them; the bio has been cut to the limits. */
static unsigned int blk_mq_count_segments(struct bio *bio)
{
	enum req_op op = bio_op(bio);

	if (bio_has_data(bio))
		return blk_count_segments(bio);
	return op == REQ_OP_DISCARD || op == REQ_OP_SECURE_ERASE;
}

static void blk_mq_bio_to_request(struct request *rq, struct bio *bio)
{
	blk_rq_bio_prep(rq, bio, blk_mq_count_segments(bio));
	rq->__sector = bio->bi_iter.bi_sector;
	rq->part = bio->bi_bdev;
	rq->stats_sectors = blk_rq_sectors(rq);
}

static void blk_mq_send(struct request *rq)
{
	struct blk_plug *plug = blk_current_plug();
	struct blk_mq_hw_ctx *hctx = rq->mq_hctx;

	if (plug) {
		blk_mq_add_to_plug(plug, rq);
	} else if (blk_mq_prefer_insert(rq)) {
		blk_mq_insert_request(rq, false);
		blk_mq_run_hw_queue(hctx, true);
	} else {
		blk_mq_issue_directly(rq, true);
	}
}

void blk_mq_submit_bio(struct bio *bio)
{
	struct request_queue *q = bdev_get_queue(bio->bi_bdev);
	bool nowait = bio->bi_opf & REQ_NOWAIT;
	u64 submit_ps = sim_now();
	struct request *rq;
	int err;

	if (blk_plug_merge(blk_current_plug(), bio))
		return;
	err = blk_queue_enter(q, nowait);
	if (err) {
		bio->bi_status = err == -EAGAIN ? BLK_STS_AGAIN :
						  BLK_STS_IOERR;
		bio_endio(bio);
		return;
	}
	hw_spend(blk_submit);
	if (!(q->limits.features & BLK_FEAT_POLL))
		bio->bi_opf &= ~REQ_POLLED;
	rq = blk_mq_get_request(q, bio->bi_opf, nowait);
	if (!rq) {
		blk_queue_exit(q);
		bio->bi_status = BLK_STS_AGAIN;
		bio_endio(bio);
		return;
	}
	blk_mq_bio_to_request(rq, bio);
	if (bio->bi_opf & REQ_POLLED)
		WRITE_ONCE(bio->bi_cookie, rq->mq_hctx->queue_num);
	blk_stamp_submit(rq, submit_ps);
	blk_stamp(STAMP_TAG, rq, 0);
	blk_mq_send(rq);
}

/* Requests made by drivers */

void blk_execute_rq_nowait(struct request *rq, bool at_head)
{
	blk_mq_insert_request(rq, at_head);
	blk_mq_run_hw_queue(rq->mq_hctx, false);
}

struct blk_wait {
	struct completion done;
	blk_status_t status;
};

static enum rq_end_io_ret blk_end_wait(struct request *rq, blk_status_t status)
{
	struct blk_wait *wait = rq->end_io_data;

	wait->status = status;
	complete(&wait->done);
	return RQ_END_IO_NONE;
}

blk_status_t blk_execute_rq(struct request *rq, bool at_head)
{
	struct blk_wait wait;

	init_completion(&wait.done);
	rq->end_io = blk_end_wait;
	rq->end_io_data = &wait;
	blk_execute_rq_nowait(rq, at_head);
	wait_for_completion_io(&wait.done);
	return wait.status;
}
