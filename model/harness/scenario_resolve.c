// SPDX-License-Identifier: GPL-2.0-only
#include "model/harness/scenario_resolve.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/harness/device.h"
#include "model/harness/quantity.h"

#define SECTOR_BYTES	512u
#define PAGE_BYTES	4096u

struct resolve {
	struct scenario_draft *draft;
	struct diag *diag;
};

static bool resolve_given(const struct scenario_draft *draft,
			  const char *path)
{
	return draft->given[scenario_key_index(path)].pos.line != 0;
}

/* Where to point: the first of these that somebody wrote, or the whole. */
static struct diag_pos resolve_pos(const struct scenario_draft *draft,
				   const char *path, const char *other)
{
	if (resolve_given(draft, path))
		return draft->given[scenario_key_index(path)].pos;
	if (other && resolve_given(draft, other))
		return draft->given[scenario_key_index(other)].pos;
	return draft->whole;
}

static void resolve_need(struct resolve *r, const char *path, const char *why)
{
	if (!resolve_given(r->draft, path))
		diag_error(r->diag, r->draft->whole, "%s is missing%s", path,
			   why);
}

static void resolve_need_latency(struct resolve *r, const char *path,
				 const char *dist)
{
	if (!resolve_given(r->draft, path))
		diag_error(r->diag,
			   resolve_pos(r->draft, "device.store.latency.dist",
				       "device.store.type"),
			   "%s is missing: a %s latency needs it", path, dist);
}

static void resolve_multiple(struct resolve *r, const char *path,
			     uint64_t value, uint64_t unit)
{
	if (value % unit)
		diag_error(r->diag, resolve_pos(r->draft, path, NULL),
			   "%s: %" PRIu64 " is not a multiple of %" PRIu64,
			   path, value, unit);
}

static void resolve_sockets(struct resolve *r)
{
	struct scenario_config *c = &r->draft->config;

	if (!c->sockets_nr)
		c->sockets_nr = c->vcpus_nr;
	if (c->vcpus_nr % c->sockets_nr)
		diag_error(r->diag, resolve_pos(r->draft, "smp.sockets", "vcpus"),
			   "smp.sockets: %u vCPUs cannot be spread evenly over %u sockets",
			   c->vcpus_nr, c->sockets_nr);
}

/* Device. */

static void resolve_queues(struct resolve *r)
{
	struct scenario_config *c = &r->draft->config;
	struct scenario_device *dev = &c->device;

	if (!dev->num_queues)
		dev->num_queues = c->vcpus_nr;
	if (!dev->vectors)
		dev->vectors = dev->num_queues + 1;
	if (!dev->seg_max)
		dev->seg_max = dev->queue_size - 2;
	if (dev->queue_size & (dev->queue_size - 1))
		diag_error(r->diag,
			   resolve_pos(r->draft, "device.queue-size", NULL),
			   "device.queue-size: %u is not a power of two",
			   dev->queue_size);
	else if (dev->seg_max > dev->queue_size - 2)
		diag_error(r->diag,
			   resolve_pos(r->draft, "device.seg-max",
				       "device.queue-size"),
			   "device.seg-max: %u segments, header and status do not fit in a queue of %u",
			   dev->seg_max, dev->queue_size);
	if (dev->iothread && !dev->ioeventfd)
		diag_error(r->diag,
			   resolve_pos(r->draft, "device.ioeventfd",
				       "device.iothread"),
			   "device.iothread: on needs device.ioeventfd: on");
	if (dev->iothread_vq_mapping > 1 && !dev->iothread)
		diag_error(r->diag,
			   resolve_pos(r->draft, "device.iothread-vq-mapping",
				       "device.iothread"),
			   "device.iothread-vq-mapping: needs device.iothread: on");
}

/* "NAME: what is wrong" about device.NAME. */
static void resolve_say_property(struct resolve *r, const char *wrong)
{
	char path[64];

	snprintf(path, sizeof(path), "device.%.*s", (int)strcspn(wrong, ":"),
		 wrong);
	diag_error(r->diag,
		   scenario_key_index(path) < 0 ? r->draft->whole :
		   resolve_pos(r->draft, path, NULL), "device.%s", wrong);
}

static void resolve_sizes(struct hblk_properties *more)
{
	if (!more->physical_block_size)
		more->physical_block_size = more->logical_block_size;
	if (!more->write_granularity)
		more->write_granularity = more->physical_block_size;
	if (!more->zone_capacity)
		more->zone_capacity = more->zone_size;
}

/* resolve_queues has spoken about the queues themselves. */
static void resolve_properties(struct resolve *r)
{
	struct scenario_device *dev = &r->draft->config.device;
	struct hblk_properties props;
	const char *wrong;

	resolve_sizes(&dev->more);
	if (dev->queue_size & (dev->queue_size - 1) ||
	    dev->seg_max > dev->queue_size - 2)
		return;
	device_properties(dev, &props);
	wrong = hblk_properties_check(&props);
	if (wrong)
		resolve_say_property(r, wrong);
	resolve_multiple(r, "device.store.size", dev->store.size_bytes,
			 dev->more.logical_block_size);
	resolve_multiple(r, "job.bs", r->draft->config.job.bs_bytes,
			 dev->more.logical_block_size);
}

static void resolve_quirks(struct resolve *r)
{
	const struct scenario_device *dev = &r->draft->config.device;
	struct hblk_quirks quirks;
	char why[1024], path[64];

	if (device_quirks(dev, &quirks, why, sizeof(why)))
		return;
	snprintf(path, sizeof(path), "%.*s", (int)strcspn(why, ":"), why);
	diag_error(r->diag, resolve_pos(r->draft, path, NULL), "%s", why);
}

static void resolve_zones(struct resolve *r)
{
	const struct scenario_device *dev = &r->draft->config.device;
	uint64_t nr = device_zones_nr(dev, dev->store.size_bytes);

	if (nr > HZONE_NR_MAX)
		diag_error(r->diag,
			   resolve_pos(r->draft, "device.zone-size",
				       "device.store.size"),
			   "device.zone-size: makes %" PRIu64 " zones of the disk, more than %u",
			   nr, HZONE_NR_MAX);
	if (nr && dev->more.conventional_zones > nr)
		diag_error(r->diag,
			   resolve_pos(r->draft, "device.conventional-zones",
				       "device.zone-size"),
			   "device.conventional-zones: the disk has only %" PRIu64 " zones",
			   nr);
}

static void resolve_uniform(struct resolve *r, struct scenario_latency *to,
			    const struct scenario_latency *from)
{
	resolve_need_latency(r, "device.store.latency.min", "uniform");
	resolve_need_latency(r, "device.store.latency.max", "uniform");
	to->min_ps = from->min_ps;
	to->max_ps = from->max_ps;
	if (to->min_ps > to->max_ps)
		diag_error(r->diag,
			   resolve_pos(r->draft, "device.store.latency.max",
				       "device.store.latency.min"),
			   "device.store.latency: min is above max");
}

static void resolve_empirical(struct resolve *r, struct scenario_latency *to,
			      const struct scenario_latency *from)
{
	if (!from->file || !*from->file)
		resolve_need_latency(r, "device.store.latency.values",
				     "empirical");
	else if (from->values_nr)
		diag_error(r->diag,
			   resolve_pos(r->draft, "device.store.latency.file",
				       NULL),
			   "device.store.latency: either values or a file, not both");
	to->values_ps = from->values_ps;
	to->values_nr = from->values_nr;
	to->file = from->file;
}

/* sim_dist_init_lognormal has the reason for the bounds. */
static void resolve_lognormal(struct resolve *r, struct scenario_latency *to,
			      const struct scenario_latency *from)
{
	resolve_need_latency(r, "device.store.latency.p99", "lognormal");
	to->p99_ps = from->p99_ps;
	if (resolve_given(r->draft, "device.store.latency.p99") &&
	    (from->p99_ps < from->mean_ps || from->p99_ps / 14 > from->mean_ps))
		diag_error(r->diag,
			   resolve_pos(r->draft, "device.store.latency.p99",
				       "device.store.latency.mean"),
			   "device.store.latency.p99: 1 to 14 times the mean is possible");
}

/* Take over what the distribution uses. */
static void resolve_latency(struct resolve *r)
{
	struct scenario_latency *latency =
		&r->draft->config.device.store.latency;
	struct scenario_latency from = *latency;

	*latency = (struct scenario_latency){ .dist = from.dist };
	switch (from.dist) {
	case SCENARIO_DIST_UNIFORM:
		resolve_uniform(r, latency, &from);
		break;
	case SCENARIO_DIST_EMPIRICAL:
		resolve_empirical(r, latency, &from);
		break;
	case SCENARIO_DIST_LOGNORMAL:
		resolve_lognormal(r, latency, &from);
		/* fallthrough */
	default:
		resolve_need_latency(r, "device.store.latency.mean",
				     from.dist == SCENARIO_DIST_LOGNORMAL ?
				     "lognormal" :
				     from.dist == SCENARIO_DIST_CONSTANT ?
				     "constant" : "exponential");
		latency->mean_ps = from.mean_ps;
	}
}

static void resolve_store(struct resolve *r)
{
	struct scenario_store *store = &r->draft->config.device.store;

	resolve_multiple(r, "device.store.size", store->size_bytes,
			 SECTOR_BYTES);
	if (store->type != SCENARIO_STORE_QUEUE) {
		store->parallelism = 0;
		store->latency = (struct scenario_latency){ 0 };
		return;
	}
	if (!resolve_given(r->draft, "device.store.parallelism"))
		diag_error(r->diag,
			   resolve_pos(r->draft, "device.store.type", NULL),
			   "device.store.parallelism is missing: a queue store needs it");
	resolve_latency(r);
}

/* Job. */

static void resolve_mix(struct scenario_job *job)
{
	if (job->rw == SCENARIO_READ || job->rw == SCENARIO_RANDREAD)
		job->rwmixread_pct = 100;
	else if (job->rw == SCENARIO_WRITE || job->rw == SCENARIO_RANDWRITE)
		job->rwmixread_pct = 0;
}

/* fio adjusts these silently; see iodepth_batch and friends in its manual. */
static void resolve_batches(struct scenario_job *job)
{
	if (!job->iodepth_batch || job->iodepth_batch > job->iodepth)
		job->iodepth_batch = job->iodepth;
	if (job->iodepth_batch_complete_min > job->iodepth)
		job->iodepth_batch_complete_min = job->iodepth;
	if (job->iodepth_batch_complete_max < job->iodepth_batch_complete_min)
		job->iodepth_batch_complete_max =
			job->iodepth_batch_complete_min;
	if (!job->iodepth_batch_complete_max)
		job->iodepth_batch_complete_max = 1;
	if (job->iodepth_batch_complete_max > job->iodepth)
		job->iodepth_batch_complete_max = job->iodepth;
}

/* bsrange is bs with two ends; if both are written, it is the one that counts. */
static void resolve_blocks(struct resolve *r, struct scenario_job *job)
{
	if (!resolve_given(r->draft, "job.bsrange")) {
		resolve_multiple(r, "job.bs", job->bs_bytes, SECTOR_BYTES);
		job->bs_min_bytes = job->bs_bytes;
		job->bs_max_bytes = job->bs_bytes;
		return;
	}
	resolve_multiple(r, "job.bsrange", job->bs_min_bytes, SECTOR_BYTES);
	resolve_multiple(r, "job.bsrange", job->bs_max_bytes,
			 job->bs_min_bytes);
}

/* What a job does one at a time has no depth, whatever iodepth says. */
static void resolve_engine(struct resolve *r)
{
	struct scenario_job *job = &r->draft->config.job;
	bool trim = job->rw == SCENARIO_TRIM || job->rw == SCENARIO_RANDTRIM;

	if (job->hipri && job->ioengine != SCENARIO_PVSYNC2 &&
	    job->ioengine != SCENARIO_IO_URING)
		diag_error(r->diag,
			   resolve_pos(r->draft, "job.hipri", "job.ioengine"),
			   "job.hipri: on needs job.ioengine: pvsync2 or io_uring");
	if (job->fixedbufs && job->ioengine != SCENARIO_IO_URING)
		diag_error(r->diag, resolve_pos(r->draft, "job.fixedbufs",
						"job.ioengine"),
			   "job.fixedbufs: on needs job.ioengine: io_uring");
	if (trim && job->verify)
		diag_error(r->diag,
			   resolve_pos(r->draft, "job.verify", "job.rw"),
			   "job.verify: a trim leaves nothing to verify");
	if ((job->ioengine != SCENARIO_LIBAIO &&
	     job->ioengine != SCENARIO_IO_URING) || trim)
		job->iodepth = 1;
}

/* fio gives each direction a rate of its own, and bends the mix to meet both. */
static void resolve_rate(struct resolve *r)
{
	struct scenario_job *job = &r->draft->config.job;

	if (job->rate_iops &&
	    (job->rw == SCENARIO_RW || job->rw == SCENARIO_RANDRW))
		diag_error(r->diag, resolve_pos(r->draft, "job.rate_iops",
						"job.rw"),
			   "job.rate_iops: not with reads and writes mixed");
}

static void resolve_region(struct resolve *r)
{
	struct scenario_job *job = &r->draft->config.job;
	uint64_t disk_bytes = r->draft->config.device.store.size_bytes;

	resolve_blocks(r, job);
	if (!job->size_bytes)
		job->size_bytes = disk_bytes;
	resolve_multiple(r, "job.size", job->size_bytes, SECTOR_BYTES);
	if (job->size_bytes > disk_bytes)
		diag_error(r->diag,
			   resolve_pos(r->draft, "job.size",
				       "device.store.size"),
			   "job.size: %" PRIu64 " bytes are more than the disk has (device.store.size: %" PRIu64 ")",
			   job->size_bytes, disk_bytes);
	if (job->size_bytes < job->bs_max_bytes)
		diag_error(r->diag,
			   resolve_pos(r->draft, "job.size", "job.bs"),
			   "job.size: %" PRIu64 " bytes do not hold one block (job.bs: %" PRIu64 ")",
			   job->size_bytes, job->bs_max_bytes);
}

/* A part for each job, with room for all that it can have in flight, and more. */
static void resolve_verify(struct resolve *r)
{
	struct scenario_job *job = &r->draft->config.job;
	uint64_t need = job->numjobs * (job->iodepth + UINT64_C(1)) *
			job->bs_max_bytes;
	char text[32];

	if (!job->verify || need <= job->size_bytes)
		return;
	quantity_print_size(text, sizeof(text), need);
	diag_error(r->diag, resolve_pos(r->draft, "job.size", "job.verify"),
		   "job.size: to verify, numjobs x (iodepth + 1) x bs = %s must fit into it",
		   text);
}

/* As fio: without runtime and number_ios, size bytes are done once. */
static void resolve_end(struct scenario_job *job)
{
	if (!job->runtime_ps && !job->number_ios)
		job->number_ios = job->size_bytes / job->bs_min_bytes;
}

static void resolve_cpus(struct resolve *r)
{
	struct scenario_config *c = &r->draft->config;
	uint64_t all = (UINT64_C(1) << c->vcpus_nr) - 1;

	if (!c->job.cpus_allowed_mask)
		c->job.cpus_allowed_mask = all;
	if (c->job.cpus_allowed_mask & ~all)
		diag_error(r->diag,
			   resolve_pos(r->draft, "job.cpus_allowed", "vcpus"),
			   "job.cpus_allowed: there are vCPUs 0..%u only (vcpus: %u)",
			   c->vcpus_nr - 1, c->vcpus_nr);
}

/* The jobs' buffers get at most half of the RAM. */
static void resolve_memory(struct resolve *r)
{
	struct scenario_config *c = &r->draft->config;
	uint64_t buffers = c->job.bs_max_bytes * c->job.iodepth * c->job.numjobs;
	char need[32];
	char have[32];

	resolve_multiple(r, "memory", c->memory_bytes, PAGE_BYTES);
	if (buffers <= c->memory_bytes / 2)
		return;
	quantity_print_size(need, sizeof(need), buffers);
	quantity_print_size(have, sizeof(have), c->memory_bytes);
	diag_error(r->diag, resolve_pos(r->draft, "memory", "job.iodepth"),
		   "memory: bs x iodepth x numjobs is %s, more than half of the guest's %s",
		   need, have);
}

void scenario_resolve(struct scenario_draft *draft, struct diag *d)
{
	struct resolve r = { .draft = draft, .diag = d };
	struct scenario_config *c = &draft->config;

	resolve_need(&r, "machine", ": the name of a machine profile");
	resolve_sockets(&r);
	resolve_queues(&r);
	resolve_properties(&r);
	resolve_quirks(&r);
	resolve_zones(&r);
	resolve_store(&r);
	resolve_mix(&c->job);
	resolve_engine(&r);
	resolve_rate(&r);
	resolve_batches(&c->job);
	resolve_region(&r);
	resolve_verify(&r);
	resolve_end(&c->job);
	resolve_cpus(&r);
	resolve_memory(&r);
	if (c->job.verify && c->device.store.type == SCENARIO_STORE_NULL)
		diag_error(d, resolve_pos(draft, "job.verify",
					  "device.store.type"),
			   "job.verify: on needs a store that keeps data (device.store.type: ram, queue)");
	c->driver.params = draft->params;
}
