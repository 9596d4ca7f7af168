// SPDX-License-Identifier: GPL-2.0-only
/* Begins and ends the jobs, and opens and closes the measured window. */
#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/blkdev.h>
#include <linux/cpumask.h>
#include <linux/gfp.h>
#include <linux/printk.h>
#include <linux/slab.h>
#include <linux/sprintf.h>
#include <linux/string.h>

#include "model/guest/load_job.h"
#include "model/guest/task.h"
#include "sim/sim.h"

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
		load.config->window(load.config->arg, open);
}

/* Jobs may be done before the ramp is. */
static void load_open(struct sim_event *ev)
{
	if (!load_is_done())
		load_set_window(true);
}

static void load_close(struct sim_event *ev)
{
	load.stopping = true;
	load_set_window(false);
}

bool load_is_stopping(void)
{
	return READ_ONCE(load.stopping);
}

static void load_task(void *arg)
{
	job_run(arg);
	if (atomic_dec_and_test(&load.running))
		load_set_window(false);
}

static int job_init_verify(struct job *job)
{
	u64 sectors = job->size_bytes >> SECTOR_SHIFT;

	job->generation = kvcalloc(sectors, sizeof(*job->generation),
				   GFP_KERNEL);
	job->busy = kvcalloc(sectors, sizeof(*job->busy), GFP_KERNEL);
	return job->generation && job->busy ? 0 : -ENOMEM;
}

/* With verify each job has its own part: what it wrote is what it reads. */
static void job_init_region(struct job *job, u64 size_bytes)
{
	const struct load_config *c = job->config;
	u64 part = size_bytes / c->numjobs;

	job->size_bytes = size_bytes;
	if (!c->verify)
		return;
	job->size_bytes = part - part % c->bs_min_bytes;
	job->first_bytes = job->index * job->size_bytes;
}

static int job_init_engine(struct job *job)
{
	const struct load_config *c = job->config;
	const struct uring_config uring = {
		.entries = c->iodepth,
		.iopoll = c->hipri,
		.fixedbufs = c->fixedbufs,
	};

	if (c->engine == LOAD_IO_URING)
		job->uring = uring_create(&uring);
	else
		job->aio = aio_create(c->iodepth);
	return job->uring || job->aio ? 0 : -ENOMEM;
}

static int job_init_units(struct job *job)
{
	const struct load_config *c = job->config;
	size_t bytes = ALIGN(c->bs_max_bytes, PAGE_SIZE);

	if (job_init_engine(job))
		return -ENOMEM;
	job->unit = kcalloc(c->iodepth, sizeof(*job->unit), GFP_KERNEL);
	job->free = kcalloc(c->iodepth, sizeof(*job->free), GFP_KERNEL);
	job->queued = kcalloc(c->iodepth, sizeof(*job->queued), GFP_KERNEL);
	job->reaped = kcalloc(c->iodepth, sizeof(*job->reaped), GFP_KERNEL);
	if (!job->unit || !job->free || !job->queued ||
	    !job->reaped)
		return -ENOMEM;
	for (unsigned int i = 0; i < c->iodepth; i++) {
		struct aio_iocb *iocb = &job->unit[i].iocb;

		iocb->bdev = job->bdev;
		iocb->buf = alloc_pages_exact(bytes, GFP_KERNEL);
		if (!iocb->buf)
			return -ENOMEM;
		job->free[job->free_nr++] = &job->unit[i];
	}
	return 0;
}

static int job_init_rate(struct job *job)
{
	const struct load_config *c = job->config;
	char name[24];
	u64 gap_ps;

	if (!c->rate_iops)
		return 0;
	/* A stream of its own: where operations go does not depend on when. */
	snprintf(name, sizeof(name), "job%u rate", job->index);
	sim_random_init(&job->rate_random, c->seed, name);
	gap_ps = SIM_PS_PER_S / c->rate_iops;
	if (c->rate_process == LOAD_RATE_POISSON)
		return sim_dist_init_exponential(&job->rate_gap, gap_ps);
	return sim_dist_init_constant(&job->rate_gap, gap_ps);
}

static struct job *job_create(const struct load_config *c, unsigned int index,
			      struct block_device *bdev, u64 size_bytes)
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
	job_init_region(job, size_bytes);
	if (job_init_rate(job) || job_init_units(job) || (c->verify && job_init_verify(job)))
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

/* Bytes of the disk that the jobs use, whole blocks. */
static u64 load_size(const struct load_config *c, struct block_device *bdev)
{
	u64 bytes = min(bdev_nr_sectors(bdev) << SECTOR_SHIFT, c->size_bytes);

	return bytes - bytes % c->bs_min_bytes;
}

/* With verify a job's part must hold all it can have in flight, and more. */
static u64 load_size_needed(const struct load_config *c)
{
	return c->verify ? (u64)c->numjobs * (c->iodepth + 1) * c->bs_max_bytes :
			   c->bs_max_bytes;
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
	u64 size_bytes = load_size(c, bdev);
	char name[16];

	if (size_bytes < load_size_needed(c)) {
		pr_err("load: the disk is too small for the jobs\n");
		return -ENOSPC;
	}
	memset(&load, 0, sizeof(load));
	load.job = kcalloc(c->numjobs, sizeof(*load.job), GFP_KERNEL);
	if (!load.job)
		return -ENOMEM;
	for (unsigned int i = 0; i < c->numjobs; i++) {
		load.job[i] = job_create(c, i, bdev, size_bytes);
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
		task_create(name, job_cpu(c->cpus_allowed, i), load_task,
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
