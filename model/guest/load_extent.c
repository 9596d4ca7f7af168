// SPDX-License-Identifier: GPL-2.0-only
/* Where a job's next operation goes, and what it finds there. */
#include <linux/blkdev.h>
#include <linux/minmax.h>
#include <linux/printk.h>

#include "model/guest/load_job.h"
#include "model/guest/verify.h"

/* Places that are tried before the job is told to wait. */
#define EXTENT_TRIES	64u

static bool extent_is_write(struct job *job)
{
	const struct load_config *c = job->config;

	switch (c->rw) {
	case LOAD_RW:
	case LOAD_RANDRW:
		return sim_random_below(&job->random, 100) >= c->rwmixread;
	case LOAD_WRITE:
	case LOAD_RANDWRITE:
		return true;
	default:
		return false;
	}
}

static bool extent_is_random(const struct job *job)
{
	enum load_rw rw = job->config->rw;

	return rw == LOAD_RANDREAD || rw == LOAD_RANDWRITE ||
	       rw == LOAD_RANDRW || rw == LOAD_RANDTRIM;
}

/* As fio's bsrange: a multiple of the least size. */
static u32 extent_length(struct job *job)
{
	const struct load_config *c = job->config;
	u32 steps = (c->bs_max_bytes - c->bs_min_bytes) / c->bs_min_bytes;

	if (!steps)
		return c->bs_min_bytes;
	return c->bs_min_bytes *
	       (1 + (u32)sim_random_below(&job->random, steps + 1));
}

/* An offset within the job's part at which @len bytes are left. */
static u64 extent_place(struct job *job, u32 len)
{
	u64 step = job->config->bs_min_bytes;
	u64 offset;

	if (extent_is_random(job))
		return step * sim_random_below(&job->random,
					       (job->size_bytes - len) / step + 1);
	if (job->next_bytes + len > job->size_bytes)
		job->next_bytes = 0;
	offset = job->next_bytes;
	job->next_bytes += len;
	return offset;
}

static bool extent_choose(struct job *job, struct aio_iocb *iocb)
{
	unsigned int tries = job->busy ? EXTENT_TRIES : 1;
	u64 offset;

	while (tries--) {
		iocb->len = extent_length(job);
		offset = extent_place(job, iocb->len);
		iocb->offset = job->first_bytes + offset;
		if (!job->busy || verify_claim(job->busy, offset, iocb->len))
			return true;
	}
	return false;
}

bool load_extent_next(struct job *job, struct aio_iocb *iocb)
{
	if (!extent_choose(job, iocb))
		return false;
	iocb->write = extent_is_write(job);
	if (job->busy && iocb->write)
		verify_write(iocb->buf, iocb->len, iocb->offset,
			     &job->generation[(iocb->offset - job->first_bytes)
					      >> SECTOR_SHIFT]);
	return true;
}

static void extent_check(struct job *job, const struct aio_iocb *iocb,
			 u64 offset)
{
	if (iocb->write || iocb->error ||
	    verify_read(iocb->buf, iocb->len, iocb->offset,
			&job->generation[offset >> SECTOR_SHIFT]))
		return;
	job->counts.mismatches_nr++;
	pr_err("verify: job %u, offset %llu, %u bytes: not what was written\n",
	       job->index, (unsigned long long)iocb->offset, iocb->len);
}

void load_extent_done(struct job *job, struct aio_iocb *iocb)
{
	u64 offset = iocb->offset - job->first_bytes;

	if (!job->busy)
		return;
	extent_check(job, iocb, offset);
	verify_release(job->busy, offset, iocb->len);
}
