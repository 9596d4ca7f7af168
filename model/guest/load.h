/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The load: jobs that submit and reap like fio's, on guest tasks. Names and
 * defaults are fio's. No kernel header is needed to include this.
 */
#ifndef MODEL_GUEST_LOAD_H
#define MODEL_GUEST_LOAD_H

#include <stdbool.h>
#include <stdint.h>

enum load_rw {
	LOAD_READ,
	LOAD_WRITE,
	LOAD_RANDREAD,
	LOAD_RANDWRITE,
	LOAD_RW,
	LOAD_RANDRW,
	LOAD_TRIM,
	LOAD_RANDTRIM,
};

enum load_engine {
	LOAD_LIBAIO,
	LOAD_PSYNC,	/* pread, pwrite: iodepth is 1 */
	LOAD_PVSYNC2,	/* preadv2, pwritev2: the same, and hipri polls */
	LOAD_IO_URING,
};

static inline bool load_engine_has_depth(enum load_engine engine)
{
	return engine == LOAD_LIBAIO || engine == LOAD_IO_URING;
}

enum load_rate_process {
	LOAD_RATE_LINEAR,	/* evenly spaced */
	LOAD_RATE_POISSON,	/* independent of each other */
};

/* In the life of an operation, where fio takes the time. */
enum load_stamp {
	LOAD_STAMP_START,	/* prepared */
	LOAD_STAMP_ISSUE,	/* the call that submits it has returned, or one that waits begins */
	LOAD_STAMP_REAP,	/* known to have ended */
	LOAD_STAMP_NR
};

/*
 * @bs_min_bytes, @bs_max_bytes: multiples of 512, the second of the first; sizes
 *                       in between are equally likely (bsrange)
 * @size_bytes:          region the jobs work on, from the start of the disk, up
 *                       to its end. With verify each job has its own part of it.
 * @iodepth_batch:       requests per io_submit or io_uring_enter, 1 .. iodepth
 * @hipri:               pvsync2 and io_uring wait by polling
 * @fixedbufs:           io_uring with registered buffers
 * @fsync:               writes between two fsyncs of a job, 0: never
 * @complete_min, @complete_max: iodepth_batch_complete_min and _max
 * @runtime_ps:          jobs stop submitting this long after the ramp; 0: never
 * @number_ios:          per job, 0: no limit
 * @cpus_allowed:        bit i: vCPU i; job j runs on the (j mod n)-th of them; 0: all
 * @rate_iops:           of each job, not counting fsyncs; a job that could not keep
 *                       to it, all its places being busy, catches up. 0: no limit
 * @verify:              writes carry a pattern that depends on sector and generation, and
 *                       reads are compared with what was last written
 * @window:              called when the measured time begins and when it ends, in
 *                       an event or on a vCPU; must not spend, sync or park; or NULL
 * @stamp:               called for each operation but fsync on the job's vCPU, at that time;
 *                       @unit: below iodepth, the place the operation has until it is
 *                       reaped; must not spend, sync or park; or NULL
 * @arg:                 first argument of both
 */
struct load_config {
	enum load_rw rw;
	uint32_t rwmixread;	/* percent, for rw and randrw */
	enum load_engine engine;
	bool hipri;
	bool fixedbufs;
	uint32_t bs_min_bytes;
	uint32_t bs_max_bytes;
	uint32_t fsync;
	uint64_t size_bytes;
	uint32_t iodepth;
	uint32_t iodepth_batch;
	uint32_t complete_min;
	uint32_t complete_max;
	uint32_t numjobs;
	uint64_t ramp_ps;
	uint64_t runtime_ps;
	uint64_t number_ios;
	uint64_t thinktime_ps;
	uint64_t rate_iops;
	enum load_rate_process rate_process;
	uint64_t cpus_allowed;
	bool verify;
	uint64_t seed;
	void (*window)(void *arg, bool open);
	void (*stamp)(void *arg, uint32_t job, uint32_t unit,
		      enum load_stamp stamp);
	void *arg;
};

/* Totals of all jobs since they began. */
struct load_counts {
	uint64_t ios_nr;	/* reaped */
	uint64_t errors_nr;
	uint64_t mismatches_nr;	/* verify: blocks that came back different */
	uint64_t submit_calls_nr;
	uint64_t reap_calls_nr;
};
void load_get_counts(struct load_counts *counts);

#endif
