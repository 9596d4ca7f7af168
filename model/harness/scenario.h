/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A scenario: what machine, device, driver and job, in one or more variants.
 *
 * One table, scenario_key(), describes every key that has a value: its path,
 * type, range, default and help. The YAML reader, --set, `vblksim help
 * scenario`, messages and the hash all use it, and so does every verb that
 * changes a configuration.
 */
#ifndef MODEL_HARNESS_SCENARIO_H
#define MODEL_HARNESS_SCENARIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "model/harness/scenario_event.h"
#include "model/host/hblk.h"

#define SCENARIO_VARIANTS_MAX	64u
#define SCENARIO_PARAMS_MAX	64u
#define SCENARIO_VALUES_MAX	1024u
#define SCENARIO_ERRORS_MAX	20u

/* Values of the choices, in the order in which the table lists their names. */
enum scenario_store_type {
	SCENARIO_STORE_NULL,	/* done at once, data dropped */
	SCENARIO_STORE_RAM,	/* keeps data; no time but the device's own */
	SCENARIO_STORE_QUEUE,	/* keeps data; `parallelism` servers, `latency` each */
};

enum scenario_dist {
	SCENARIO_DIST_CONSTANT,		/* mean */
	SCENARIO_DIST_UNIFORM,		/* min..max */
	SCENARIO_DIST_EXPONENTIAL,	/* mean */
	SCENARIO_DIST_LOGNORMAL,	/* mean, p99 */
	SCENARIO_DIST_EMPIRICAL,	/* values, each equally likely, or a file */
};

enum scenario_ioengine {
	SCENARIO_LIBAIO,
	SCENARIO_PSYNC,
	SCENARIO_PVSYNC2,
	SCENARIO_IO_URING,
};

enum scenario_rw {
	SCENARIO_READ,
	SCENARIO_WRITE,
	SCENARIO_RANDREAD,
	SCENARIO_RANDWRITE,
	SCENARIO_RW,
	SCENARIO_RANDRW,
	SCENARIO_TRIM,
	SCENARIO_RANDTRIM,
};

enum scenario_rate_process {
	SCENARIO_RATE_LINEAR,
	SCENARIO_RATE_POISSON,
};

/* Only what the distribution uses is meaningful; the rest is 0. */
struct scenario_latency {
	uint32_t dist;			/* enum scenario_dist */
	uint64_t mean_ps;
	uint64_t min_ps;
	uint64_t max_ps;
	uint64_t p99_ps;
	const char *file;		/* sim_dist_load's form, NULL or empty: none */
	const uint64_t *values_ps;	/* ascending */
	uint32_t values_nr;
};

struct scenario_store {
	uint32_t type;			/* enum scenario_store_type */
	uint64_t size_bytes;
	uint32_t parallelism;		/* requests served at one time */
	struct scenario_latency latency;
};

/*
 * @vectors: MSI-X vectors, the configuration vector included; resolved
 * @iothread_vq_mapping: queue q is served by iothread q modulo this
 * @iothread: off: the device runs on the vCPU thread or the main loop
 * @poll_max_ns, @poll_grow, @poll_shrink: of iothreads, see hloop_poll_config
 * @suppress_kicks: the device wants no notifications while it takes requests;
 *                  off: it does not poll either
 * @batch_notify: one interrupt decision for all requests found finished
 * @max_batch: most requests of one submission call to the store, 0: no limit
 * @x_features_off, @x_config: see hblk_quirk.h; "" for none
 * @more: properties that have no field here; the others' fields are 0
 */
struct scenario_device {
	uint32_t num_queues;
	uint32_t queue_size;
	bool event_idx;
	bool packed;
	bool indirect_desc;
	bool iothread;
	uint32_t iothread_vq_mapping;
	uint32_t poll_max_ns;
	uint32_t poll_grow;
	uint32_t poll_shrink;
	bool ioeventfd;
	uint32_t vectors;
	uint32_t seg_max;
	bool discard;
	bool write_zeroes;
	bool config_wce;
	bool suppress_kicks;
	bool batch_notify;
	uint32_t max_batch;
	const char *x_features_off;
	const char *x_config;
	struct hblk_properties more;
	struct scenario_store store;
};

/* @from_set: given on the command line */
struct scenario_param {
	const char *name;
	const char *value;
	bool from_set;
};

/*
 * @source: "bundled", a C source or a shared object; a relative path begins at the
 *          scenario's folder
 * @source_from_set: the command line chose it: parameters of the scenario that it
 *          does not have are left out, not refused
 * @ring:   "bundled" or a C source, likewise
 */
struct scenario_driver {
	const char *source;
	bool source_from_set;
	const char *ring;
	const struct scenario_param *params;	/* in the order first given */
	uint32_t params_nr;
};

/*
 * fio's meaning throughout. Per job (numjobs of them): iodepth*, size_bytes,
 * number_ios. At least one of runtime_ps and number_ios is not 0.
 * @size_bytes: region of the disk the jobs work on; resolved, never 0
 * @iodepth_batch_complete_max: resolved, never below the minimum
 * @cpus_allowed_mask: bit n is vCPU n; resolved, never 0
 */
struct scenario_job {
	uint32_t ioengine;		/* enum scenario_ioengine */
	uint32_t rw;			/* enum scenario_rw */
	uint32_t rwmixread_pct;		/* 100 for reads only, 0 for writes only: resolved */
	uint64_t bs_bytes;
	uint64_t bs_min_bytes;		/* bsrange; resolved: bs if it was not given */
	uint64_t bs_max_bytes;
	bool hipri;
	bool fixedbufs;
	uint32_t fsync;
	uint32_t iodepth;
	uint32_t iodepth_batch;
	uint32_t iodepth_batch_complete_min;
	uint32_t iodepth_batch_complete_max;
	uint32_t numjobs;
	uint64_t size_bytes;
	uint64_t runtime_ps;		/* measured time, after the ramp; 0: until number_ios */
	uint64_t ramp_time_ps;
	uint64_t number_ios;		/* 0: until runtime */
	uint64_t cpus_allowed_mask;
	uint64_t thinktime_ps;
	uint64_t rate_iops;		/* of each job; 0: no limit */
	uint32_t rate_process;		/* enum scenario_rate_process */
	bool verify;
};

/*
 * One variant, fully resolved and checked. All strings and arrays belong to
 * the scenario. Plain data: may be copied while the scenario lives.
 */
struct scenario_config {
	const char *path;		/* of the scenario's file */
	const char *scenario;		/* its name */
	const char *question;		/* "" if none was given */
	const char *variant;		/* "default" in a scenario without variants */
	const char *note;		/* "" */
	const char *machine;
	uint64_t seed;
	uint32_t repeat;		/* runs, with seed, seed + 1, ... */
	uint32_t vcpus_nr;
	uint32_t sockets_nr;		/* divides vcpus_nr */
	uint64_t memory_bytes;
	struct scenario_device device;
	struct scenario_driver driver;
	uint64_t cpuset_mask;		/* of the host; 0: nothing is shared */
	uint32_t rq_affinity;
	struct scenario_job job;
	const struct scenario_event *events;	/* by ascending time */
	uint32_t events_nr;
};

struct expect;
struct scenario;
struct profile;

/*
 * Read the scenario file @path, then apply @sets ("key=value") to every
 * variant; they win over what the variants say.
 * @sets: @sets_nr strings, not kept
 * @out: on success a scenario to be destroyed; otherwise NULL
 * @err: gets every error as `file:line:column: message` with the line shown
 * Returns 0, -EINVAL after errors, or the -errno of reading the file (said
 * on @err as well).
 */
int scenario_load(const char *path, const char *const *sets, size_t sets_nr,
		  struct scenario **out, FILE *err);

/* @s may be NULL. */
void scenario_destroy(struct scenario *s);

const char *scenario_name(const struct scenario *s);
const char *scenario_path(const struct scenario *s);

/* What the file expects, checked in form; NULL if it has no `expect`. */
const struct expect *scenario_expect(const struct scenario *s);

/* At least 1. */
uint32_t scenario_variants_nr(const struct scenario *s);

/* @i: below scenario_variants_nr; the result is @s's. */
const struct scenario_config *scenario_variant(const struct scenario *s,
					       uint32_t i);

/* Index of the variant called @name, or -1 with a message on @err. */
int scenario_variant_find(const struct scenario *s, const char *name,
			  FILE *err);

/*
 * Load the machine profile of variant @i: machines/NAME.yaml beside the
 * scenario file, ../machines/NAME.yaml, then the source tree's.
 * @out: on success the caller's, for profile_destroy
 * Returns 0 or -errno after messages on @err.
 */
int scenario_load_profile(const struct scenario *s, uint32_t i,
			  struct profile **out, FILE *err);

/*
 * 64-bit hash of what decides the result: every value of the configuration
 * but prose (names, question, note). Defaults count as if they were written.
 */
uint64_t scenario_hash(const struct scenario_config *cfg);

/* The table. */

enum scenario_type {
	SCENARIO_TEXT,		/* const char * */
	SCENARIO_NAME,		/* const char *, letters, digits, . _ - */
	SCENARIO_NUMBER,	/* uint32_t or uint64_t, see bytes */
	SCENARIO_SIZE,		/* uint64_t bytes: 4k, 1M; k = 1024 */
	SCENARIO_TIME,		/* uint64_t ps: 10s, 500ms, 20us */
	SCENARIO_TIMES,		/* list of times: const uint64_t *, then uint32_t nr */
	SCENARIO_SIZES,		/* two uint64_t bytes, least and most: 512-1M */
	SCENARIO_EVENTS,	/* list: const struct scenario_event *, then uint32_t nr */
	SCENARIO_SWITCH,	/* bool: on, off */
	SCENARIO_CHOICE,	/* uint32_t, index into choices */
	SCENARIO_DECIMAL,	/* uint64_t thousandths */
	SCENARIO_CPUS,		/* uint64_t mask: 0-3,5 */
};

/*
 * @path: dotted, as --set takes it
 * @choices: NULL-terminated, for SCENARIO_CHOICE
 * @min, @max: inclusive, in the unit of the field
 * @preset: the default as one would write it; NULL: none, "auto": depends
 * @automatic: "auto" may be written; the field is 0 until it is resolved
 * @prose: does not decide the result
 * @offset, @bytes: the field in struct scenario_config
 */
struct scenario_key {
	const char *path;
	enum scenario_type type;
	const char *const *choices;
	uint64_t min;
	uint64_t max;
	const char *preset;
	bool automatic;
	bool prose;
	size_t offset;
	size_t bytes;
	const char *help;
};

size_t scenario_keys_nr(void);
const struct scenario_key *scenario_key(size_t i);

/* Exact path only; NULL. */
const struct scenario_key *scenario_key_find(const char *path);

/* "1..32", "on, off", "512..1M (multiples of 512)": what @key allows. */
void scenario_key_allowed(const struct scenario_key *key, char *buf,
			  size_t bytes);

/* The value @cfg has, written so that --set would take it. */
void scenario_key_print(const struct scenario_key *key,
			const struct scenario_config *cfg, char *buf,
			size_t bytes);

/* `vblksim help scenario`: the table for people. */
void scenario_help(FILE *out);

#endif
