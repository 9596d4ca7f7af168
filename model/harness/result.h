/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a run of one variant measured, from the end of the ramp to the end.
 * Plain numbers; everything else (rates, shares, means) is derived from them
 * by the functions below, so that report, JSON and database agree.
 */
#ifndef MODEL_HARNESS_RESULT_H
#define MODEL_HARNESS_RESULT_H

#include <stdbool.h>
#include <stdint.h>

#include "model/hw/thread.h"
#include "sim/hist.h"

/* From submit to end there are ten stamps and nine stages between them. */
#define RESULT_STAGES_NR	9u

/* "submit_tag", "tag_queue" ... "reap_end" */
extern const char *const result_stage_name[RESULT_STAGES_NR];

/* "idle", "guest", "irq", "spin", "exit", "host", "blocked" */
extern const char *const result_mode_name[HW_MODE_NR];

/* "same_core", "same_socket", "other_socket", "memory" */
extern const char *const result_distance_name[HW_DISTANCE_NR];

enum result_thread_kind {
	RESULT_VCPU,
	RESULT_HOST,
	RESULT_THREAD_KINDS_NR
};

struct result_thread {
	char *name;
	enum result_thread_kind kind;
	struct hw_thread_stats stats;
};

/*
 * One class of locks, e.g. all queue locks of the driver.
 * @exits_nr: world switches made while one of them was held
 */
struct result_lock {
	char *name;
	uint32_t instances_nr;
	uint64_t acquired_nr;
	uint64_t contended_nr;
	uint64_t wait_ps;
	uint64_t wait_max_ps;
	uint64_t hold_ps;
	uint64_t hold_max_ps;
	uint64_t exits_nr;
};

/* Over @nr I/Os, in ps; 0 if there are none. Quantiles by nearest rank. */
struct result_latency {
	uint64_t nr;
	uint64_t sum_ps;
	uint64_t min_ps;
	uint64_t max_ps;
	uint64_t p50_ps;
	uint64_t p90_ps;
	uint64_t p95_ps;
	uint64_t p99_ps;
	uint64_t p99_9_ps;
	uint64_t p99_99_ps;
};

/*
 * What the driver was made from; "unknown" if its maker does not say.
 * @source, @ring: as the scenario names them; no ring: source has its own
 * @hash: of the loaded file's bytes; @source_hash, @ring_hash: SHA-256
 * @profile, @ring_profile: of the port, that each was compiled with
 */
struct result_driver {
	char *source;
	char *hash;
	char *source_hash;
	char *profile;
	char *ring;
	char *ring_hash;
	char *ring_profile;
	char *compiler;
	char *flags;
};

/*
 * All strings are owned; NULL reads as "". Counters cover the window only.
 * @digest:      of the whole run, ramp included
 * @duration_ps: length of the window; @time_ps: simulated time at the end
 * @events_nr:   simulator events, and @switches_nr changes of the running actor,
 *               whole run
 * @refused:     1: @failure is the user's to mend (a parameter the driver does
 *               not know, a device that cannot be), else 0
 * @ios:         I/Os that ended in the window; bytes theirs
 * @latency:     of these, from submit_bio to the end of the request
 * @slat, @clat, @lat: of the operations that a job reaped in the window, see
 *               job_times.h
 * @stage_sum_ps: per stage, summed over these I/Os;
 *               the nine add up to latency.sum_ps exactly (result_check)
 * @exits_locked: of both kinds, those made with a guest spinlock held
 * @preemptions: threads taken off a host CPU; @preemptions_locked: of these, vCPUs with
 *               a guest spinlock held
 * @kicks_suppressed: chains published that had no kick to themselves: the device
 *               asked for none, or one announced several
 * @interrupts_skipped: used buffers published without an interrupt
 * @verdicts:    contract breaches the oracle found; any makes the exit code 1
 * @failure:     why there are no numbers (crash, refused set-up); NULL: there are
 */
struct result {
	char *name;
	uint64_t seed;
	uint64_t config_hash;
	uint64_t digest;
	uint64_t duration_ps;
	uint64_t time_ps;
	uint64_t events_nr;
	uint64_t switches_nr;
	uint64_t ios;
	uint64_t bytes;
	uint64_t refused;
	uint64_t errors_nr;		/* I/Os of these that ended with an error */
	struct result_latency latency;
	struct result_latency slat;
	struct result_latency clat;
	struct result_latency lat;
	uint64_t stage_sum_ps[RESULT_STAGES_NR];
	uint64_t exits_kernel;
	uint64_t exits_user;
	uint64_t exits_locked;
	uint64_t kicks_sent;
	uint64_t kicks_suppressed;
	uint64_t interrupts_delivered;
	uint64_t interrupts_skipped;
	uint64_t ipis;
	uint64_t halts;
	uint64_t preemptions;
	uint64_t preemptions_locked;
	struct result_thread *threads;
	uint32_t threads_nr;
	struct result_lock *locks;
	uint32_t locks_nr;
	char **verdicts;
	uint32_t verdicts_nr;
	struct result_driver driver;
	char *failure;
};

/* Empty. */
void result_init(struct result *r);

/* Free what it owns and make it empty. */
void result_fini(struct result *r);

/* Replace *@field by a copy of @text (NULL: nothing). */
void result_set(char **field, const char *text);

/* What @hist, of ps, holds. */
void result_set_latency(struct result_latency *l, const struct sim_hist *hist);

/* Append; @name is copied. The pointer is valid until the next append. */
struct result_thread *result_add_thread(struct result *r, const char *name,
					enum result_thread_kind kind);
struct result_lock *result_add_lock(struct result *r, const char *name);

/* Append a formatted verdict. */
void result_add_verdict(struct result *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Does it hold together (stages add up, min <= p50 <= ... <= max)? NULL, or what does not. */
const char *result_check(const struct result *r);

/* Derived; 0 where the divisor is. */
double result_iops(const struct result *r);
double result_bytes_per_s(const struct result *r);
double result_mean_ns(const struct result_latency *l);
double result_latency_mean_ns(const struct result *r);
double result_lat_mean_ns(const struct result *r);
double result_stage_mean_ns(const struct result *r, uint32_t stage);
double result_per_io(const struct result *r, uint64_t count);
double result_ns(uint64_t ps);

/* Time all threads of @kind (all kinds: RESULT_THREAD_KINDS_NR) were in @mode. */
uint64_t result_mode_ps(const struct result *r, enum result_thread_kind kind,
			enum hw_mode mode);

/* World switches of both kinds; waiting for all locks. */
uint64_t result_exits(const struct result *r);
uint64_t result_lock_wait_ps(const struct result *r);

/* Write to @fd, all of it. 0 or -errno. */
int result_write(const struct result *r, int fd);

/*
 * Read what result_write wrote from @fd up to its end. @r is initialised here,
 * and empty unless 0 is returned. -EPIPE: nothing came, -ENODATA: it stops
 * half-way, -EBADMSG: it is not a result or is damaged, -EINTR: a signal came
 * and *@interrupted is set (may be NULL: then signals are ignored), -errno.
 */
int result_read(struct result *r, int fd, const volatile int *interrupted);

#endif
