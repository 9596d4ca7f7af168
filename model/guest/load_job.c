// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a job does, with fio's rules. Asynchronous: keep iodepth operations in
 * flight, submit in batches of iodepth_batch, and when the depth is reached reap
 * between iodepth_batch_complete_min and _max. Synchronous: one after another.
 */
#include "model/guest/load_job.h"

#include <linux/blkdev.h>
#include <linux/minmax.h>

#include "model/guest/sync.h"
#include "model/guest/task.h"
#include "model/hw/cost.h"
#include "sim/sim.h"

static bool job_may_issue(struct job *job)
{
	const struct load_config *c = job->config;

	return !load_is_stopping() &&
	       (!c->number_ios || job->issued_nr < c->number_ios);
}

static bool job_is_trim(const struct job *job)
{
	return job->config->rw == LOAD_TRIM || job->config->rw == LOAD_RANDTRIM;
}

static void job_count_issued(struct job *job)
{
	job->issued_nr++;
	if (job->config->rate_iops)
		job->due_ps += sim_dist_draw(&job->rate_gap,
					     &job->rate_random);
}

/* Time until the next operation is to begin. The clock moves with each access. */
static u64 job_early_ps(const struct job *job)
{
	u64 due_ps = job->config->rate_iops ? job->due_ps : 0;
	u64 now_ps = sim_now();

	return due_ps > now_ps ? due_ps - now_ps : 0;
}

/* False: every place is busy, something has to be reaped first. */
static bool job_prepare(struct job *job)
{
	struct job_unit *u = job->free[job->free_nr - 1];

	if (!load_extent_next(job, &u->iocb))
		return false;
	job->free_nr--;
	hw_spend(load_io);
	load_stamp(job, &u->iocb, LOAD_STAMP_START);
	job->queued[job->queued_nr++] = &u->iocb;
	job_count_issued(job);
	return true;
}

static void job_submit(struct job *job)
{
	if (!job->queued_nr)
		return;
	job->counts.submit_calls_nr++;
	job->inflight += job->queued_nr;
	if (job->uring)
		uring_submit(job->uring, job->queued, job->queued_nr);
	else
		aio_submit(job->aio, job->queued, job->queued_nr);
	load_stamp_queued(job, LOAD_STAMP_ISSUE);
	job->queued_nr = 0;
}

/* What is prepared goes out before. */
static void job_wait_due(struct job *job)
{
	u64 early_ps = job_early_ps(job);

	if (!early_ps)
		return;
	job_submit(job);
	early_ps = job_early_ps(job);
	if (early_ps)
		task_sleep(early_ps);
}

/* Every fsync-th write is followed by one, a system call that waits. */
static void job_fsync(struct job *job, bool wrote)
{
	if (!wrote || !job->config->fsync ||
	    ++job->writes_nr % job->config->fsync)
		return;
	job_submit(job);
	if (sync_flush(job->bdev))
		job->counts.errors_nr++;
}

static void job_retire(struct job *job, struct aio_iocb *iocb)
{
	load_stamp(job, iocb, LOAD_STAMP_REAP);
	job->counts.ios_nr++;
	if (iocb->error)
		job->counts.errors_nr++;
	load_extent_done(job, iocb);
}

static unsigned int job_getevents(struct job *job, unsigned int min,
				  unsigned int max)
{
	if (job->uring)
		return uring_getevents(job->uring, min, max, job->reaped);
	return aio_getevents(job->aio, min, max, job->reaped);
}

static void job_reap(struct job *job)
{
	const struct load_config *c = job->config;
	unsigned int nr = job_getevents(job, min(c->complete_min,
						 job->inflight),
					c->complete_max);

	job->counts.reap_calls_nr++;
	job->inflight -= nr;
	for (unsigned int i = 0; i < nr; i++) {
		job_retire(job, job->reaped[i]);
		job->free[job->free_nr++] =
			container_of(job->reaped[i], struct job_unit, iocb);
	}
}

/* Prepare an operation, when its time has come; false: none can be now. */
static bool job_next(struct job *job)
{
	if (!job->free_nr || !job_may_issue(job))
		return false;
	job_wait_due(job);
	return job_may_issue(job) && job_prepare(job);
}

static void job_fill(struct job *job)
{
	const struct load_config *c = job->config;

	while (job_next(job)) {
		bool wrote = job->queued[job->queued_nr - 1]->write;

		if (job->queued_nr == c->iodepth_batch)
			job_submit(job);
		job_fsync(job, wrote);
		if (c->thinktime_ps) {
			job_submit(job);
			task_sleep(c->thinktime_ps);
		}
	}
	job_submit(job);
}

static void job_run_async(struct job *job)
{
	do {
		job_fill(job);
		if (job->inflight)
			job_reap(job);
	} while (job->inflight || job_may_issue(job));
}

static void job_run_sync(struct job *job)
{
	const struct load_config *c = job->config;
	struct aio_iocb *iocb = &job->unit[0].iocb;

	while (job_may_issue(job) && load_extent_next(job, iocb)) {
		job_wait_due(job);
		hw_spend(load_io);
		job_count_issued(job);
		job->counts.submit_calls_nr++;
		load_stamp(job, iocb, LOAD_STAMP_START);
		load_stamp(job, iocb, LOAD_STAMP_ISSUE);
		if (job_is_trim(job))
			sync_discard(iocb);
		else
			sync_rw(iocb, c->hipri);
		job_retire(job, iocb);
		job_fsync(job, iocb->write);
		if (c->thinktime_ps)
			task_sleep(c->thinktime_ps);
	}
}

/* Here all engines discard with a system call that waits, as fio's libaio does. */
void job_run(struct job *job)
{
	job->due_ps = sim_now();
	if (load_engine_has_depth(job->config->engine) && !job_is_trim(job))
		job_run_async(job);
	else
		job_run_sync(job);
}
