// SPDX-License-Identifier: GPL-2.0-only
/*
 * The way up: a request that the driver took back is completed on a CPU near
 * its submitter, its bios are ended, its tag returned.
 */
#include <linux/llist.h>
#include <linux/smp.h>

#include "model/guest/blk.h"
#include "model/guest/irq.h"
#include "model/hw/cost.h"
#include "sim/sim.h"

/*
 * Requests on their way to completion, one list per CPU; the first that
 * arrives there sends the interrupt for all that follow.
 */
static struct blk_done {
	struct llist_head list;
	struct irq_call call;
} ____cacheline_aligned_in_smp blk_done[32];

/* The list has the latest first; requests complete in the order they came. */
static struct llist_node *blk_reverse(struct llist_node *node)
{
	struct llist_node *reversed = NULL;

	while (node) {
		struct llist_node *next = node->next;

		node->next = reversed;
		reversed = node;
		node = next;
	}
	return reversed;
}

static void blk_complete_list(void)
{
	struct blk_done *done = &blk_done[smp_processor_id()];
	struct llist_node *node = blk_reverse(llist_del_all(&done->list));

	while (node) {
		struct request *rq = llist_entry(node, struct request,
						 ipi_list);

		node = node->next;
		rq->q->mq_ops->complete(rq);
	}
}

static void blk_done_ipi(struct irq_call *call)
{
	irq_raise_softirq(blk_complete_list);
}

void blk_mq_complete_init(void)
{
	for (int i = 0; i < 32; i++) {
		init_llist_head(&blk_done[i].list);
		blk_done[i].call.fn = blk_done_ipi;
	}
}

void blk_mq_set_rq_affinity(struct request_queue *q, unsigned int rq_affinity)
{
	q->queue_flags &= ~(BIT(QUEUE_FLAG_SAME_COMP) |
			    BIT(QUEUE_FLAG_SAME_FORCE));
	if (rq_affinity)
		q->queue_flags |= BIT(QUEUE_FLAG_SAME_COMP);
	if (rq_affinity == 2)
		q->queue_flags |= BIT(QUEUE_FLAG_SAME_FORCE);
}

/*
 * rq_affinity 1 (QUEUE_FLAG_SAME_COMP): on the submitter's CPU unless this one
 * shares its cache; 2 (SAME_FORCE): on the submitter's CPU itself.
 */
static bool blk_mq_complete_elsewhere(struct request *rq, unsigned int cpu)
{
	unsigned int submitter = rq->mq_ctx->cpu;

	if (!test_bit(QUEUE_FLAG_SAME_COMP, &rq->q->queue_flags) ||
	    cpu == submitter)
		return false;
	return test_bit(QUEUE_FLAG_SAME_FORCE, &rq->q->queue_flags) ||
	       !irq_cpus_share_cache(cpu, submitter);
}

bool blk_mq_complete_request_remote(struct request *rq)
{
	unsigned int cpu = smp_processor_id();
	struct blk_done *done;

	WRITE_ONCE(rq->state, MQ_RQ_COMPLETE);
	if (rq->cmd_flags & REQ_POLLED)
		return false;
	if (blk_mq_complete_elsewhere(rq, cpu)) {
		done = &blk_done[rq->mq_ctx->cpu];
		if (llist_add(&rq->ipi_list, &done->list))
			irq_call_cpu(rq->mq_ctx->cpu, &done->call);
		return true;
	}
	if (rq->q->nr_hw_queues > 1 || !in_interrupt())
		return false;
	/* One queue for all CPUs: leave the interrupt handler, and its lock, first. */
	if (llist_add(&rq->ipi_list, &blk_done[cpu].list))
		irq_raise_softirq(blk_complete_list);
	return true;
}

void blk_mq_complete_request(struct request *rq)
{
	if (!blk_mq_complete_request_remote(rq))
		rq->q->mq_ops->complete(rq);
}

static unsigned int blk_rq_count_segments(struct request *rq)
{
	unsigned int nr = 0;
	struct bio *bio;

	__rq_for_each_bio(bio, rq)
		if (bio_has_data(bio))
			nr += blk_count_segments(bio);
	return nr;
}

bool blk_update_request(struct request *rq, blk_status_t error,
			unsigned int nr_bytes)
{
	unsigned int done = 0;

	while (rq->bio && done < nr_bytes) {
		struct bio *bio = rq->bio;
		unsigned int bytes = min(bio->bi_iter.bi_size, nr_bytes - done);

		if (bytes == bio->bi_iter.bi_size)
			rq->bio = bio->bi_next;
		if (error)
			bio->bi_status = error;
		bio_advance_iter(bio, &bio->bi_iter, bytes);
		done += bytes;
		if (!bio->bi_iter.bi_size)
			bio_endio(bio);
	}
	if (!rq->bio) {
		rq->__data_len = 0;
		return false;
	}
	rq->__data_len -= done;
	rq->__sector += done >> SECTOR_SHIFT;
	rq->nr_phys_segments = blk_rq_count_segments(rq);
	return true;
}

/* Bios without data (flush, ...) end with the request as a whole. */
static void blk_end_bios(struct request *rq, blk_status_t error)
{
	while (rq->bio) {
		struct bio *bio = rq->bio;

		rq->bio = bio->bi_next;
		if (error)
			bio->bi_status = error;
		bio->bi_iter.bi_size = 0;
		bio_endio(bio);
	}
	rq->__data_len = 0;
}

void __blk_mq_end_request(struct request *rq, blk_status_t error)
{
	if (rq->end_io) {
		if (rq->end_io(rq, error) == RQ_END_IO_FREE)
			blk_mq_free_request(rq);
		return;
	}
	blk_mq_free_request(rq);
}

void blk_mq_end_request(struct request *rq, blk_status_t error)
{
	hw_spend(blk_complete);
	sim_sync();
	blk_stamp(STAMP_END, rq, error);
	/* The device chose where the data went, and the driver took it over. */
	if (req_op(rq) == REQ_OP_ZONE_APPEND && rq->bio)
		rq->bio->bi_iter.bi_sector = rq->__sector;
	blk_end_bios(rq, error);
	__blk_mq_end_request(rq, error);
}

/*
 * Ends all of a batch with success, one by one: whoever fills it keeps failed
 * requests out.
 */
void blk_mq_end_request_batch(struct io_comp_batch *iob)
{
	struct request *rq;

	while ((rq = rq_list_pop(&iob->req_list)))
		blk_mq_end_request(rq, BLK_STS_OK);
}
