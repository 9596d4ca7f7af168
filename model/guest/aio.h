/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux aio as libaio uses it: io_submit, io_getevents, the completion ring.
 * Direct I/O on the disk. Guest code.
 */
#ifndef MODEL_GUEST_AIO_H
#define MODEL_GUEST_AIO_H

#include <linux/blkdev.h>
#include <linux/spinlock.h>
#include <linux/wait.h>

/* One operation. The owner's until submitted, then aio's until it is reaped. */
struct aio_iocb {
	struct aio_context *ctx;
	struct block_device *bdev;
	void *buf;		/* guest RAM, page aligned */
	u32 len;		/* bytes, multiple of 512 */
	bool write;
	u64 offset;		/* bytes, multiple of 512 */
	int error;		/* result: 0 or a negative errno */
};

/*
 * Completion side (interrupts of any CPU) and reading side (the job) meet in
 * @tail; @head is the reader's.
 */
struct aio_context {
	struct {
		spinlock_t completion_lock;
		unsigned int tail;
	} ____cacheline_aligned_in_smp;
	struct {
		unsigned int head;
		unsigned int wait_min;	/* events the sleeping reader wants */
		wait_queue_head_t wait;
	} ____cacheline_aligned_in_smp;
	unsigned int size;
	struct aio_iocb **event;	/* ring of @size */
};

/* A context for up to @nr operations at a time; NULL without memory. */
struct aio_context *aio_create(unsigned int nr);
void aio_destroy(struct aio_context *ctx);

/*
 * The system call io_submit: hand @nr operations to the block layer. Charges
 * syscall once and aio_submit per operation. May park (no tag is free).
 */
void aio_submit(struct aio_context *ctx, struct aio_iocb **iocb,
		unsigned int nr);

/*
 * The system call io_getevents: up to @max ended operations into @iocb, at
 * least @min. Charges syscall. Parks until there are @min. Returns how many.
 */
unsigned int aio_getevents(struct aio_context *ctx, unsigned int min,
			   unsigned int max, struct aio_iocb **iocb);

#endif
