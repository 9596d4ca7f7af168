// SPDX-License-Identifier: GPL-2.0-only
#include "model/guest/aio.h"

#include <linux/bio.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "model/guest/task.h"
#include "model/hw/cost.h"
#include "sim/sim.h"

/* Fewer operations than this in a call are not worth a plug. */
#define AIO_PLUG_MIN	3u

struct aio_context *aio_create(unsigned int nr)
{
	struct aio_context *ctx = kzalloc(ALIGN(sizeof(*ctx), SMP_CACHE_BYTES),
					  GFP_KERNEL);

	if (!ctx)
		return NULL;
	ctx->size = nr + 1;
	ctx->event = kcalloc(ctx->size, sizeof(*ctx->event), GFP_KERNEL);
	if (!ctx->event) {
		kfree(ctx);
		return NULL;
	}
	spin_lock_init(&ctx->completion_lock);
	init_waitqueue_head(&ctx->wait);
	return ctx;
}

void aio_destroy(struct aio_context *ctx)
{
	kfree(ctx->event);
	kfree(ctx);
}

static unsigned int aio_available(struct aio_context *ctx)
{
	unsigned int tail = smp_load_acquire(&ctx->tail);

	return (tail + ctx->size - ctx->head) % ctx->size;
}

/*
 * The full barrier stands between publishing the event and looking for a
 * sleeper; the sleeper queues itself before it looks for events.
 */
static void aio_complete(struct aio_context *ctx, struct aio_iocb *iocb)
{
	unsigned long flags;
	unsigned int tail;

	hw_spend(aio_complete);
	spin_lock_irqsave(&ctx->completion_lock, flags);
	tail = ctx->tail;
	ctx->event[tail] = iocb;
	smp_store_release(&ctx->tail, (tail + 1) % ctx->size);
	spin_unlock_irqrestore(&ctx->completion_lock, flags);
	smp_mb();
	if (waitqueue_active(&ctx->wait) &&
	    aio_available(ctx) >= READ_ONCE(ctx->wait_min))
		wake_up(&ctx->wait);
}

static void aio_bio_end(struct bio *bio)
{
	struct aio_iocb *iocb = bio->bi_private;

	iocb->error = blk_status_to_errno(bio->bi_status);
	bio_put(bio);
	aio_complete(iocb->ctx, iocb);
}

static struct bio *aio_make_bio(struct aio_iocb *iocb)
{
	struct bio *bio = bio_alloc(iocb->bdev, 1, iocb->write ?
				    REQ_OP_WRITE | REQ_SYNC | REQ_IDLE :
				    REQ_OP_READ, GFP_KERNEL);

	if (!bio)
		return NULL;
	bio->bi_iter.bi_sector = iocb->offset >> SECTOR_SHIFT;
	bio->bi_end_io = aio_bio_end;
	bio->bi_private = iocb;
	__bio_add_page(bio, virt_to_page(iocb->buf), iocb->len,
		       offset_in_page(iocb->buf));
	return bio;
}

static void aio_submit_one(struct aio_context *ctx, struct aio_iocb *iocb)
{
	struct bio *bio;

	hw_spend(aio_submit);
	iocb->ctx = ctx;
	bio = aio_make_bio(iocb);
	if (!bio) {
		iocb->error = -ENOMEM;
		aio_complete(ctx, iocb);
		return;
	}
	submit_bio(bio);
}

void aio_submit(struct aio_context *ctx, struct aio_iocb **iocb,
		unsigned int nr)
{
	struct blk_plug plug;
	unsigned int i;

	hw_spend(syscall);
	if (nr >= AIO_PLUG_MIN)
		blk_start_plug_nr_ios(&plug, nr);
	for (i = 0; i < nr; i++)
		aio_submit_one(ctx, iocb[i]);
	if (nr >= AIO_PLUG_MIN)
		blk_finish_plug(&plug);
	task_return_to_user();
}

static unsigned int aio_take(struct aio_context *ctx, unsigned int max,
			     struct aio_iocb **iocb)
{
	unsigned int nr = min(aio_available(ctx), max);

	for (unsigned int i = 0; i < nr; i++) {
		iocb[i] = ctx->event[ctx->head];
		ctx->head = (ctx->head + 1) % ctx->size;
	}
	return nr;
}

unsigned int aio_getevents(struct aio_context *ctx, unsigned int min,
			   unsigned int max, struct aio_iocb **iocb)
{
	unsigned int nr;

	hw_spend(syscall);
	WRITE_ONCE(ctx->wait_min, min);
	wait_event(ctx->wait, aio_available(ctx) >= min);
	nr = aio_take(ctx, max, iocb);
	task_return_to_user();
	return nr;
}
