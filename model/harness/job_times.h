/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Latencies as the jobs see them, fio's slat, clat and lat: from the time an operation
 * is prepared to the return of the system call that submits it, from there to its
 * being reaped, and both. What the observer measures, submit_bio to the end of
 * the request, is a part of it: a job also waits for its turn to reap.
 */
#ifndef MODEL_HARNESS_JOB_TIMES_H
#define MODEL_HARNESS_JOB_TIMES_H

#include "model/guest/load.h"
#include "model/harness/result.h"

struct job_times;

/* For @jobs_nr jobs of @iodepth places each. NULL: no memory. */
struct job_times *job_times_create(uint32_t jobs_nr, uint32_t iodepth);

/* @t may be NULL. */
void job_times_destroy(struct job_times *t);

/* Operations that are reaped while it is open count. */
void job_times_window(struct job_times *t, bool open);

/*
 * The operation in place @unit of job @job has come to @stamp at @now_ps. Each place
 * goes START, ISSUE, REAP, and again.
 */
void job_times_stamp(struct job_times *t, uint32_t job, uint32_t unit,
		     enum load_stamp stamp, uint64_t now_ps);

/* Fills @out's slat, clat and lat. */
void job_times_report(const struct job_times *t, struct result *out);

#endif
