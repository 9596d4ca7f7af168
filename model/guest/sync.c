// SPDX-License-Identifier: GPL-2.0-only
#include "model/guest/sync.h"

#include <linux/bio.h>
#include <linux/mm.h>
#include <linux/sched.h>

#include "model/guest/task.h"
#include "model/hw/cost.h"

/* Lives on the stack of the task that waits. */
struct sync_wait {
	struct task_struct *task;
	bool done;
};

static void sync_end(struct bio *bio)
{
	struct sync_wait *wait = bio->bi_private;
	struct task_struct *task = wait->task;

	hw_spend(aio_complete);
	WRITE_ONCE(wait->done, true);
	wake_up_process(task);
}

/*
 * Others may find our request while they look for theirs, so each look is
 * followed by one at the result; no timer tick ends a longer poll here.
 */
static void sync_poll(struct bio *bio, struct sync_wait *wait)
{
	while (!READ_ONCE(wait->done)) {
		bio_poll(bio, NULL, BLK_POLL_ONESHOT);
		cpu_relax();
		cond_resched();
	}
}

static void sync_sleep(struct sync_wait *wait)
{
	for (;;) {
		set_current_state(TASK_UNINTERRUPTIBLE);
		if (READ_ONCE(wait->done))
			break;
		io_schedule();
	}
	__set_current_state(TASK_RUNNING);
}

/* The bio may have lost REQ_POLLED on the way: then an interrupt comes. */
static int sync_submit(struct bio *bio)
{
	struct sync_wait wait = { .task = current };
	int error;

	bio->bi_private = &wait;
	bio->bi_end_io = sync_end;
	bio_get(bio);
	submit_bio(bio);
	if (bio->bi_opf & REQ_POLLED)
		sync_poll(bio, &wait);
	else
		sync_sleep(&wait);
	error = blk_status_to_errno(bio->bi_status);
	bio_put(bio);
	bio_put(bio);
	return error;
}

void sync_rw(struct aio_iocb *iocb, bool hipri)
{
	blk_opf_t opf = iocb->write ? REQ_OP_WRITE | REQ_SYNC | REQ_IDLE :
				      REQ_OP_READ | REQ_SYNC;
	struct bio *bio;

	hw_spend(syscall);
	hw_spend(aio_submit);
	bio = bio_alloc(iocb->bdev, 1, opf | (hipri ? REQ_POLLED : 0),
			GFP_KERNEL);
	iocb->error = -ENOMEM;
	if (!bio)
		return;
	bio->bi_iter.bi_sector = iocb->offset >> SECTOR_SHIFT;
	__bio_add_page(bio, virt_to_page(iocb->buf), iocb->len,
		       offset_in_page(iocb->buf));
	iocb->error = sync_submit(bio);
	task_return_to_user();
}

static int sync_without_data(struct block_device *bdev, blk_opf_t opf,
			     sector_t sector, unsigned int bytes)
{
	struct bio *bio = bio_alloc(bdev, 0, opf, GFP_KERNEL);

	hw_spend(syscall);
	if (!bio)
		return -ENOMEM;
	bio->bi_iter.bi_sector = sector;
	bio->bi_iter.bi_size = bytes;
	return sync_submit(bio);
}

void sync_discard(struct aio_iocb *iocb)
{
	iocb->error = sync_without_data(iocb->bdev, REQ_OP_DISCARD,
					iocb->offset >> SECTOR_SHIFT,
					iocb->len);
	task_return_to_user();
}

int sync_flush(struct block_device *bdev)
{
	int error = sync_without_data(bdev, REQ_OP_FLUSH | REQ_SYNC, 0, 0);

	task_return_to_user();
	return error;
}
