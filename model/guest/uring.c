// SPDX-License-Identifier: GPL-2.0-only
#include "model/guest/uring.h"

#include <linux/bio.h>
#include <linux/blk-mq.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "model/guest/task.h"
#include "model/hw/cost.h"

/* With no more operations than this in a call no plug is begun. */
#define URING_PLUG_THRESHOLD	2u

static void uring_free_req(struct uring *ring, struct uring_req *req)
{
	req->next = ring->free;
	ring->free = req;
}

static int uring_alloc(struct uring *ring)
{
	unsigned int entries = ring->config.entries;
	unsigned int size = roundup_pow_of_two(entries);

	ring->sq_mask = size - 1;
	ring->cq_mask = 2 * size - 1;
	ring->sqe = kcalloc(size, sizeof(*ring->sqe), GFP_KERNEL);
	ring->cqe = kcalloc(2 * size, sizeof(*ring->cqe), GFP_KERNEL);
	ring->req = kcalloc(entries, sizeof(*ring->req), GFP_KERNEL);
	if (!ring->sqe || !ring->cqe || !ring->req)
		return -ENOMEM;
	for (unsigned int i = 0; i < entries; i++) {
		ring->req[i].ring = ring;
		uring_free_req(ring, &ring->req[i]);
	}
	return 0;
}

struct uring *uring_create(const struct uring_config *config)
{
	struct uring *ring = kzalloc(ALIGN(sizeof(*ring), SMP_CACHE_BYTES),
				     GFP_KERNEL);

	if (!ring)
		return NULL;
	ring->config = *config;
	ring->polled_last = &ring->polled;
	init_llist_head(&ring->work);
	if (!uring_alloc(ring))
		return ring;
	uring_destroy(ring);
	return NULL;
}

void uring_destroy(struct uring *ring)
{
	kfree(ring->req);
	kfree(ring->cqe);
	kfree(ring->sqe);
	kfree(ring);
}

/* Posting. */

/* The reader learns of the entries by uring_commit_cqes(). */
static void uring_fill_cqe(struct uring *ring, struct uring_req *req)
{
	struct uring_cqe *cqe =
		&ring->cqe[ring->cached_cq_tail++ & ring->cq_mask];

	hw_spend(uring_complete);
	cqe->user_data = (uintptr_t)req->iocb;
	cqe->res = req->error ? req->error : (s32)req->iocb->len;
	cqe->flags = 0;
	uring_free_req(ring, req);
}

static void uring_commit_cqes(struct uring *ring)
{
	smp_store_release(&ring->cq.tail, ring->cached_cq_tail);
}

static unsigned int uring_cqring_events(struct uring *ring)
{
	return ring->cached_cq_tail - READ_ONCE(ring->cq.head);
}

/* What interrupts left for the task, the newest first as Linux 6.1 does. */
static void uring_run_task_work(struct uring *ring)
{
	struct llist_node *node;

	if (llist_empty(&ring->work))
		return;
	node = llist_del_all(&ring->work);
	while (node) {
		struct uring_req *req = llist_entry(node, struct uring_req,
						    work);

		node = node->next;
		uring_fill_cqe(ring, req);
	}
	uring_commit_cqes(ring);
}

/*
 * The list changes before the state is looked at; a sleeper sets its state
 * before it looks at the list. So one of the two sees the other.
 */
static void uring_add_task_work(struct uring *ring, struct uring_req *req)
{
	struct task_struct *owner = ring->owner;

	if (!llist_add(&req->work, &ring->work))
		return;
	if (READ_ONCE(owner->__state) & TASK_INTERRUPTIBLE)
		wake_up_process(owner);
	else
		task_kick(owner);
}

static void uring_bio_end(struct bio *bio)
{
	struct uring_req *req = bio->bi_private;
	int error = blk_status_to_errno(bio->bi_status);

	bio_put(bio);
	req->error = error;
	if (req->ring->config.iopoll)
		smp_store_release(&req->iopoll_completed, 1);
	else
		uring_add_task_work(req->ring, req);
}

/* Submission. */

static struct bio *uring_make_bio(struct uring_req *req)
{
	struct aio_iocb *iocb = req->iocb;
	blk_opf_t opf = iocb->write ? REQ_OP_WRITE | REQ_SYNC | REQ_IDLE :
				      REQ_OP_READ;
	struct bio *bio;

	if (req->ring->config.iopoll)
		opf |= REQ_POLLED;
	bio = bio_alloc(iocb->bdev, 1, opf, GFP_KERNEL);
	if (!bio)
		return NULL;
	bio->bi_iter.bi_sector = iocb->offset >> SECTOR_SHIFT;
	bio->bi_end_io = uring_bio_end;
	bio->bi_private = req;
	__bio_add_page(bio, virt_to_page(iocb->buf), iocb->len,
		       offset_in_page(iocb->buf));
	return bio;
}

/*
 * The list comes first: whoever polls may end the bio while it is submitted. The
 * bio lives until the task itself has polled, see uring_do_iopoll().
 */
static void uring_list_polled(struct uring *ring, struct uring_req *req)
{
	bio_get(req->bio);
	req->next = NULL;
	*ring->polled_last = req;
	ring->polled_last = &req->next;
}

static void uring_submit_sqe(struct uring *ring, const struct uring_sqe *sqe)
{
	struct uring_req *req = ring->free;

	ring->free = req->next;
	hw_spend(uring_submit);
	if (!ring->config.fixedbufs)
		hw_spend(uring_pin);
	req->iocb = (struct aio_iocb *)(uintptr_t)READ_ONCE(sqe->user_data);
	req->error = -ENOMEM;
	req->iopoll_completed = 0;
	req->bio = uring_make_bio(req);
	if (!req->bio) {
		uring_fill_cqe(ring, req);
		uring_commit_cqes(ring);
		return;
	}
	if (ring->config.iopoll)
		uring_list_polled(ring, req);
	submit_bio(req->bio);
}

static void uring_submit_sqes(struct uring *ring, unsigned int nr)
{
	bool plugged = nr > URING_PLUG_THRESHOLD;
	struct blk_plug plug;
	u32 head = ring->sq.head;

	if (plugged)
		blk_start_plug_nr_ios(&plug, nr);
	for (; nr; nr--)
		uring_submit_sqe(ring, &ring->sqe[head++ & ring->sq_mask]);
	smp_store_release(&ring->sq.head, head);
	if (plugged)
		blk_finish_plug(&plug);
}

/* Waiting. */

/* Ask for what has ended; may find nothing. */
static void uring_poll(struct uring *ring, unsigned int flags)
{
	struct io_comp_batch iob = { 0 };
	struct uring_req *req;

	for (req = ring->polled; req; req = req->next) {
		if (READ_ONCE(req->iopoll_completed))
			break;
		if (bio_poll(req->bio, &iob, flags))
			flags |= BLK_POLL_ONESHOT;
		if (!rq_list_empty(&iob.req_list) ||
		    READ_ONCE(req->iopoll_completed))
			break;
	}
	if (!rq_list_empty(&iob.req_list))
		iob.complete(&iob);
}

/* Post those that have ended, in order of their submission. Returns how many. */
static unsigned int uring_reap_polled(struct uring *ring)
{
	unsigned int nr = 0;
	struct uring_req *req;

	while ((req = ring->polled) &&
	       smp_load_acquire(&req->iopoll_completed)) {
		ring->polled = req->next;
		if (!ring->polled)
			ring->polled_last = &ring->polled;
		bio_put(req->bio);
		uring_fill_cqe(ring, req);
		nr++;
	}
	if (nr)
		uring_commit_cqes(ring);
	return nr;
}

/*
 * No entries are waited for while some are there already. With @min 0 one look
 * is all.
 */
static void uring_iopoll_check(struct uring *ring, unsigned int min)
{
	unsigned int nr = 0;

	if (uring_cqring_events(ring))
		return;
	do {
		if (!ring->polled)
			return;
		uring_poll(ring, min ? 0 : BLK_POLL_ONESHOT);
		nr += uring_reap_polled(ring);
	} while (nr < min && !need_resched());
}

static void uring_cqring_wait(struct uring *ring, unsigned int min)
{
	for (;;) {
		uring_run_task_work(ring);
		if (uring_cqring_events(ring) >= min)
			break;
		set_current_state(TASK_INTERRUPTIBLE);
		if (llist_empty(&ring->work))
			schedule();
		__set_current_state(TASK_RUNNING);
	}
}

/* io_uring_enter(2), with IORING_ENTER_GETEVENTS as fio always does. */
static void uring_enter(struct uring *ring, unsigned int to_submit,
			unsigned int min)
{
	hw_spend(syscall);
	uring_run_task_work(ring);
	if (to_submit)
		uring_submit_sqes(ring, to_submit);
	if (ring->config.iopoll)
		uring_iopoll_check(ring, min);
	else if (min)
		uring_cqring_wait(ring, min);
	uring_run_task_work(ring);
	task_return_to_user();
}

/* User space. */

void uring_submit(struct uring *ring, struct aio_iocb **iocb, unsigned int nr)
{
	u32 tail = ring->sq.tail;

	ring->owner = current;
	for (unsigned int i = 0; i < nr; i++)
		ring->sqe[tail++ & ring->sq_mask].user_data =
			(uintptr_t)iocb[i];
	smp_store_release(&ring->sq.tail, tail);
	uring_enter(ring, nr, 0);
}

static unsigned int uring_take(struct uring *ring, unsigned int max,
			       struct aio_iocb **iocb)
{
	u32 head = ring->cq.head;
	unsigned int nr = min(smp_load_acquire(&ring->cq.tail) - head, max);

	for (unsigned int i = 0; i < nr; i++) {
		struct uring_cqe *cqe = &ring->cqe[head++ & ring->cq_mask];

		iocb[i] = (struct aio_iocb *)(uintptr_t)cqe->user_data;
		iocb[i]->error = min(cqe->res, 0);
	}
	if (nr)
		smp_store_release(&ring->cq.head, head);
	return nr;
}

unsigned int uring_getevents(struct uring *ring, unsigned int min,
			     unsigned int max, struct aio_iocb **iocb)
{
	unsigned int nr = uring_take(ring, max, iocb);

	while (nr < min) {
		uring_enter(ring, 0, min - nr);
		nr += uring_take(ring, max - nr, iocb + nr);
	}
	return nr;
}
