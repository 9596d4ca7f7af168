/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The load's own view: what its files share. The rest of the guest calls
 * load_start. Guest code.
 *
 * load.c begins and ends jobs; load_job.c is what a job does; load_extent.c
 * says where on the disk its next operation goes, load_stamp.c when it got how
 * far; aio.c, uring.c and sync.c are the system calls.
 */
#ifndef MODEL_GUEST_LOAD_JOB_H
#define MODEL_GUEST_LOAD_JOB_H

#include <linux/cache.h>
#include <linux/types.h>

#include "model/guest/aio.h"
#include "model/guest/load.h"
#include "model/guest/uring.h"
#include "sim/dist.h"
#include "sim/random.h"

struct block_device;

/* One operation of a job, in flight or not. @iocb is first: reaped ones convert. */
struct job_unit {
	struct aio_iocb iocb;
};

/*
 * @free, @free_nr:     stack of units that are not in flight
 * @queued, @queued_nr: prepared, to be submitted with the next call
 * @aio, @uring:        what the engine needs, the other is NULL
 * @first_bytes, @size_bytes: its part of the disk
 * @next_bytes:         where a sequential job goes on, within its part
 * @rate_gap:           with rate_iops: time between two operations
 * @due_ps:             with rate_iops: when the next operation is to begin
 * @writes_nr:          since the last fsync
 * @generation, @busy:  with verify, by sector of its part: writes so far, and
 *                      whether an operation is in flight
 */
struct job {
	const struct load_config *config;
	unsigned int index;
	struct block_device *bdev;
	struct aio_context *aio;
	struct uring *uring;
	struct job_unit *unit;
	struct job_unit **free;
	unsigned int free_nr;
	struct aio_iocb **queued;
	unsigned int queued_nr;
	struct aio_iocb **reaped;
	unsigned int inflight;
	u64 issued_nr;
	u64 writes_nr;
	u64 first_bytes;
	u64 size_bytes;
	u64 next_bytes;
	struct sim_random random;
	struct sim_dist rate_gap;
	struct sim_random rate_random;
	u64 due_ps;
	u32 *generation;
	u8 *busy;
	struct load_counts counts;
} ____cacheline_aligned_in_smp;

/*
 * Start the jobs on @bdev. In task context. 0, -ENOMEM, or -ENOSPC when the
 * disk is too small; the reason is logged.
 */
int load_start(const struct load_config *config, struct block_device *bdev);

bool load_is_started(void);

/* All jobs have reaped everything and ended. */
bool load_is_done(void);

/* Has the time to submit come to its end? */
bool load_is_stopping(void);

/* What a job does until it has nothing to do any more; its task's function. */
void job_run(struct job *job);

/*
 * Choose direction, place and length of @iocb's operation; with verify, fill
 * the buffer of a write. False when verify finds no place that is free: reap first.
 */
bool load_extent_next(struct job *job, struct aio_iocb *iocb);

/* Tell whoever measures, at the job's turn. @iocb: of one of its units. */
void load_stamp(const struct job *job, const struct aio_iocb *iocb,
		enum load_stamp stamp);
void load_stamp_queued(const struct job *job, enum load_stamp stamp);

/* @iocb has ended: with verify, check what it read and free its place. */
void load_extent_done(struct job *job, struct aio_iocb *iocb);

#endif
