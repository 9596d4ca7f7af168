// SPDX-License-Identifier: GPL-2.0-only
/*
 * Jobs. Each is a task that keeps iodepth operations in flight with fio's
 * rules: submit in batches of iodepth_batch, and when the depth is reached
 * reap between iodepth_batch_complete_min and _max.
 */
#include <linux/bitops.h>
#include <linux/blkdev.h>
#include <linux/cpumask.h>
#include <linux/gfp.h>
#include <linux/printk.h>
#include <linux/slab.h>
#include <linux/sprintf.h>

#include "model/guest/aio.h"
#include "model/guest/load_job.h"
#include "model/guest/task.h"
#include "model/guest/verify.h"
#include "model/hw/cost.h"
#include "sim/random.h"
#include "sim/sim.h"

/* @generation: writes to each block so far; @busy: an operation is in flight */
struct job_verify {
	u32 *generation;
	unsigned long *busy;
};

struct job_unit {
	struct aio_iocb iocb;	/* first: reaped iocbs convert */
	u64 block;
};

/*
 * @free, @free_nr:     stack of units that are not in flight
 * @queued, @queued_nr: prepared, to be submitted with the next call
 * @first_block:        its part of the disk, in units of bs
 */
struct job {
	const struct load_config *config;
	unsigned int index;
	struct block_device *bdev;
	struct aio_context *aio;
	struct job_unit *unit;
	struct job_unit **free;
	unsigned int free_nr;
	struct aio_iocb **queued;
	unsigned int queued_nr;
	struct aio_iocb **reaped;
	unsigned int inflight;
	u64 issued_nr;
	u64 first_block;
	u64 blocks_nr;
	u64 next_block;
	struct sim_random random;
	struct job_verify verify;
	struct load_counts counts;
} ____cacheline_aligned_in_smp;

static struct {
	const struct load_config *config;
	struct job **job;
	atomic_t running;
	bool started;
	bool stopping;
	bool window_open;
	struct sim_event open_event;
	struct sim_event close_event;
} load;

static void load_set_window(bool open)
{
	if (load.window_open == open)
		return;
	load.window_open = open;
	if (load.config->window)
		load.config->window(load.config->window_arg, open);
}

static void load_open(struct sim_event *ev)
{
	load_set_window(true);
}

static void load_close(struct sim_event *ev)
{
	load.stopping = true;
	load_set_window(false);
}

static bool job_may_issue(struct job *job)
{
	const struct load_config *c = job->config;

	return !READ_ONCE(load.stopping) &&
	       (!c->number_ios || job->issued_nr < c->number_ios);
}

static bool job_is_write(struct job *job)
{
	const struct load_config *c = job->config;

	switch (c->rw) {
	case LOAD_READ:
	case LOAD_RANDREAD:
		return false;
	case LOAD_WRITE:
	case LOAD_RANDWRITE:
		return true;
	default:
		return sim_random_below(&job->random, 100) >= c->rwmixread;
	}
}

static bool job_is_random(struct job *job)
{
	enum load_rw rw = job->config->rw;

	return rw == LOAD_RANDREAD || rw == LOAD_RANDWRITE ||
	       rw == LOAD_RANDRW;
}

static u64 job_next_block(struct job *job)
{
	u64 block;

	if (job_is_random(job))
		return sim_random_below(&job->random, job->blocks_nr);
	block = job->next_block++;
	if (job->next_block == job->blocks_nr)
		job->next_block = 0;
	return block;
}

/* With verify no two operations on a block may overlap; iodepth < blocks_nr. */
static u64 job_claim_block(struct job *job)
{
	u64 block = job_next_block(job);

	if (!job->verify.busy)
		return block;
	while (test_and_set_bit(block, job->verify.busy))
		block = block + 1 == job->blocks_nr ? 0 : block + 1;
	return block;
}

static void job_prepare(struct job *job)
{
	struct job_unit *u = job->free[--job->free_nr];
	u64 block = job_claim_block(job);

	hw_spend(load_io);
	u->block = block;
	u->iocb.write = job_is_write(job);
	u->iocb.offset = (job->first_block + block) * job->config->bs_bytes;
	if (job->verify.busy && u->iocb.write)
		verify_fill(u->iocb.buf, u->iocb.len, u->iocb.offset,
			    ++job->verify.generation[block]);
	job->queued[job->queued_nr++] = &u->iocb;
	job->issued_nr++;
}

static void job_submit(struct job *job)
{
	if (!job->queued_nr)
		return;
	job->counts.submit_calls_nr++;
	job->inflight += job->queued_nr;
	aio_submit(job->aio, job->queued, job->queued_nr);
	job->queued_nr = 0;
}

static void job_check_unit(struct job *job, struct job_unit *u)
{
	if (!u->iocb.write && !u->iocb.error &&
	    !verify_check(u->iocb.buf, u->iocb.len, u->iocb.offset,
			  job->verify.generation[u->block])) {
		job->counts.mismatches_nr++;
		pr_err("verify: job %u, offset %llu: not what was written\n",
		       job->index, (unsigned long long)u->iocb.offset);
	}
	clear_bit(u->block, job->verify.busy);
}

static void job_retire(struct job *job, struct aio_iocb *iocb)
{
	struct job_unit *u = container_of(iocb, struct job_unit, iocb);

	job->counts.ios_nr++;
	if (iocb->error)
		job->counts.errors_nr++;
	if (job->verify.busy)
		job_check_unit(job, u);
	job->free[job->free_nr++] = u;
}

static void job_reap(struct job *job)
{
	const struct load_config *c = job->config;
	unsigned int min = min(c->complete_min, job->inflight);
	unsigned int nr = aio_getevents(job->aio, min, c->complete_max,
					job->reaped);

	job->counts.reap_calls_nr++;
	job->inflight -= nr;
	for (unsigned int i = 0; i < nr; i++)
		job_retire(job, job->reaped[i]);
}

static void job_fill(struct job *job)
{
	const struct load_config *c = job->config;

	while (job->free_nr && job_may_issue(job)) {
		job_prepare(job);
		if (job->queued_nr == c->iodepth_batch)
			job_submit(job);
		if (c->thinktime_ps) {
			job_submit(job);
			task_sleep(c->thinktime_ps);
		}
	}
	job_submit(job);
}

static void job_main(void *arg)
{
	struct job *job = arg;

	do {
		job_fill(job);
		if (job->inflight)
			job_reap(job);
	} while (job->inflight || job_may_issue(job));
	if (atomic_dec_and_test(&load.running))
		load_set_window(false);
}

static int job_init_verify(struct job *job)
{
	job->verify.generation = kvcalloc(job->blocks_nr, sizeof(u32),
					  GFP_KERNEL);
	job->verify.busy = kvcalloc(BITS_TO_LONGS(job->blocks_nr),
				    sizeof(unsigned long), GFP_KERNEL);
	return job->verify.generation && job->verify.busy ? 0 : -ENOMEM;
}

static void job_init_region(struct job *job, u64 blocks_nr)
{
	const struct load_config *c = job->config;

	job->blocks_nr = c->verify ? blocks_nr / c->numjobs : blocks_nr;
	job->first_block = c->verify ? job->index * job->blocks_nr : 0;
}

static int job_init_units(struct job *job)
{
	const struct load_config *c = job->config;
	size_t bytes = ALIGN(c->bs_bytes, PAGE_SIZE);

	job->aio = aio_create(c->iodepth);
	job->unit = kcalloc(c->iodepth, sizeof(*job->unit), GFP_KERNEL);
	job->free = kcalloc(c->iodepth, sizeof(*job->free), GFP_KERNEL);
	job->queued = kcalloc(c->iodepth, sizeof(*job->queued), GFP_KERNEL);
	job->reaped = kcalloc(c->iodepth, sizeof(*job->reaped), GFP_KERNEL);
	if (!job->aio || !job->unit || !job->free || !job->queued ||
	    !job->reaped)
		return -ENOMEM;
	for (unsigned int i = 0; i < c->iodepth; i++) {
		struct aio_iocb *iocb = &job->unit[i].iocb;

		iocb->bdev = job->bdev;
		iocb->len = c->bs_bytes;
		iocb->buf = alloc_pages_exact(bytes, GFP_KERNEL);
		if (!iocb->buf)
			return -ENOMEM;
		job->free[job->free_nr++] = &job->unit[i];
	}
	return 0;
}

static struct job *job_create(const struct load_config *c, unsigned int index,
			      struct block_device *bdev, u64 blocks_nr)
{
	struct job *job = kzalloc(sizeof(*job), GFP_KERNEL);
	char name[16];

	if (!job)
		return NULL;
	job->config = c;
	job->index = index;
	job->bdev = bdev;
	snprintf(name, sizeof(name), "job%u", index);
	sim_random_init(&job->random, c->seed, name);
	job_init_region(job, blocks_nr);
	if (job_init_units(job) || (c->verify && job_init_verify(job)))
		return NULL;
	return job;
}

/* The @n-th (modulo their number) CPU of @mask, of all if it is 0. */
static unsigned int job_cpu(u64 mask, unsigned int n)
{
	unsigned int cpu = 0;

	if (!mask)
		return n % nr_cpu_ids;
	for (n %= hweight64(mask);; cpu++)
		if ((mask & BIT_ULL(cpu)) && !n--)
			return cpu;
}

static u64 load_blocks(const struct load_config *c, struct block_device *bdev)
{
	u64 bytes = bdev_nr_sectors(bdev) << SECTOR_SHIFT;

	return min(bytes, c->size_bytes) / c->bs_bytes;
}

static void load_post_events(const struct load_config *c)
{
	/* One base for both: the clock moves on with every access in between. */
	u64 open_ps = sim_now() + c->ramp_ps;

	sim_event_init(&load.open_event, load_open);
	sim_event_init(&load.close_event, load_close);
	sim_event_post(&load.open_event, max(open_ps, sim_now()));
	if (c->runtime_ps)
		sim_event_post(&load.close_event, open_ps + c->runtime_ps);
}

int load_start(const struct load_config *c, struct block_device *bdev)
{
	u64 blocks_nr = load_blocks(c, bdev);
	char name[16];

	if (blocks_nr < (c->verify ? (u64)c->numjobs * (c->iodepth + 1) : 1)) {
		pr_err("load: the disk is too small for the jobs\n");
		return -ENOSPC;
	}
	load.job = kcalloc(c->numjobs, sizeof(*load.job), GFP_KERNEL);
	if (!load.job)
		return -ENOMEM;
	for (unsigned int i = 0; i < c->numjobs; i++) {
		load.job[i] = job_create(c, i, bdev, blocks_nr);
		if (!load.job[i]) {
			pr_err("load: no memory for job %u\n", i);
			return -ENOMEM;
		}
	}
	load.config = c;
	atomic_set(&load.running, c->numjobs);
	load_post_events(c);
	load.started = true;
	for (unsigned int i = 0; i < c->numjobs; i++) {
		snprintf(name, sizeof(name), "job%u", i);
		task_create(name, job_cpu(c->cpus_allowed, i), job_main,
			    load.job[i]);
	}
	return 0;
}

bool load_is_started(void)
{
	return load.started;
}

bool load_is_done(void)
{
	return load.started && !load.running.counter;
}

void load_get_counts(struct load_counts *counts)
{
	*counts = (struct load_counts){ 0 };
	for (unsigned int i = 0; load.started && i < load.config->numjobs;
	     i++) {
		const struct load_counts *c = &load.job[i]->counts;

		counts->ios_nr += c->ios_nr;
		counts->errors_nr += c->errors_nr;
		counts->mismatches_nr += c->mismatches_nr;
		counts->submit_calls_nr += c->submit_calls_nr;
		counts->reap_calls_nr += c->reap_calls_nr;
	}
}
