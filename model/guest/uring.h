/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * io_uring as liburing's callers see it: submission and completion queue in memory
 * that user space and kernel share, and io_uring_enter. Direct I/O on the
 * disk. Guest code, after Linux 6.1 with the flags that fio sets by itself.
 *
 * A completion in an interrupt does not touch the queue: it puts the request on
 * a list of the task that owns the ring, and notifies the task if the list was
 * empty; the task posts the entries in its own context (task work). A running
 * task does so at its next way in or out of the kernel. In Linux an interrupt
 * on the task's CPU makes it do so at once, out of user space; what the task does
 * there in one go takes a microsecond.
 *
 * With IORING_SETUP_IOPOLL (hipri) nothing is interrupted: the task asks the
 * queue that its oldest request went to, by bio_poll, and posts what has ended.
 *
 * Linux submits without blocking first and hands what would block for lack of a
 * tag to a worker thread; here the task itself waits for the tag.
 */
#ifndef MODEL_GUEST_URING_H
#define MODEL_GUEST_URING_H

#include <linux/cache.h>
#include <linux/llist.h>
#include <linux/types.h>

#include "model/guest/aio.h"

struct bio;
struct task_struct;

/* struct io_uring_sqe and io_uring_cqe as far as they are used, in their sizes. */
struct uring_sqe {
	u64 user_data;
	u64 unused[7];
};

struct uring_cqe {
	u64 user_data;
	s32 res;
	u32 flags;
};

struct uring_index {
	u32 head ____cacheline_aligned_in_smp;
	u32 tail ____cacheline_aligned_in_smp;
};

/*
 * The kernel's side of an operation (io_kiocb).
 * @next: on the free list, or, oldest first, on the list of the polled
 * @iopoll_completed: set by whoever polls, released after @error
 */
struct uring_req {
	struct llist_node work;
	struct uring *ring;
	struct aio_iocb *iocb;
	struct bio *bio;
	struct uring_req *next;
	int error;
	u32 iopoll_completed;
};

/*
 * @iopoll:    IORING_SETUP_IOPOLL
 * @fixedbufs: the buffers were registered: no pages are pinned per operation
 */
struct uring_config {
	unsigned int entries;
	bool iopoll;
	bool fixedbufs;
};

/*
 * @sq.head, @cq.tail: the kernel writes; @sq.tail, @cq.head: user space
 * @cached_cq_tail:    entries filled, of which @cq.tail may not tell yet
 * @work:              ended, not posted (tctx->task_list); any CPU adds
 */
struct uring {
	struct uring_index sq;
	struct uring_index cq;
	struct {
		struct llist_head work;
	} ____cacheline_aligned_in_smp;
	struct uring_config config;
	struct task_struct *owner;
	unsigned int sq_mask;
	unsigned int cq_mask;
	struct uring_sqe *sqe;
	struct uring_cqe *cqe;
	struct uring_req *req;
	struct uring_req *free;
	struct uring_req *polled;
	struct uring_req **polled_last;
	u32 cached_cq_tail;
};

/*
 * A ring for up to @config->entries operations at a time, to be used by one
 * task. NULL without memory.
 */
struct uring *uring_create(const struct uring_config *config);
void uring_destroy(struct uring *ring);

/*
 * Submit @nr operations: their entries, then one io_uring_enter. Charges
 * syscall once, uring_submit for each, and uring_pin for each whose buffer is
 * not registered. May park (no tag is free).
 */
void uring_submit(struct uring *ring, struct aio_iocb **iocb, unsigned int nr);

/*
 * Up to @max ended operations into @iocb, at least @min: out of the queue, and
 * by io_uring_enter if they are not all there. Charges syscall per call and
 * uring_complete per operation. Parks until there are @min; with iopoll it
 * spins. Returns how many.
 */
unsigned int uring_getevents(struct uring *ring, unsigned int min,
			     unsigned int max, struct aio_iocb **iocb);

#endif
