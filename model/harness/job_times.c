// SPDX-License-Identifier: GPL-2.0-only
#include "model/harness/job_times.h"

#include <stdlib.h>

#include "sim/assert.h"
#include "sim/hist.h"

struct job_times {
	uint32_t jobs_nr;
	uint32_t iodepth;
	bool counting;
	struct sim_hist slat;
	struct sim_hist clat;
	struct sim_hist lat;
	uint64_t (*at_ps)[LOAD_STAMP_NR];	/* by job and place */
};

struct job_times *job_times_create(uint32_t jobs_nr, uint32_t iodepth)
{
	struct job_times *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->jobs_nr = jobs_nr;
	t->iodepth = iodepth;
	sim_hist_init(&t->slat);
	sim_hist_init(&t->clat);
	sim_hist_init(&t->lat);
	t->at_ps = calloc((size_t)jobs_nr * iodepth, sizeof(*t->at_ps));
	if (!t->at_ps) {
		free(t);
		return NULL;
	}
	return t;
}

void job_times_destroy(struct job_times *t)
{
	if (!t)
		return;
	free(t->at_ps);
	free(t);
}

void job_times_window(struct job_times *t, bool open)
{
	t->counting = open;
}

void job_times_stamp(struct job_times *t, uint32_t job, uint32_t unit,
		     enum load_stamp stamp, uint64_t now_ps)
{
	uint64_t *at_ps;

	sim_assert(job < t->jobs_nr && unit < t->iodepth);
	at_ps = t->at_ps[(size_t)job * t->iodepth + unit];
	at_ps[stamp] = now_ps;
	if (stamp != LOAD_STAMP_REAP || !t->counting)
		return;
	sim_hist_record(&t->slat,
			at_ps[LOAD_STAMP_ISSUE] - at_ps[LOAD_STAMP_START]);
	sim_hist_record(&t->clat, now_ps - at_ps[LOAD_STAMP_ISSUE]);
	sim_hist_record(&t->lat, now_ps - at_ps[LOAD_STAMP_START]);
}

void job_times_report(const struct job_times *t, struct result *out)
{
	result_set_latency(&out->slat, &t->slat);
	result_set_latency(&out->clat, &t->clat);
	result_set_latency(&out->lat, &t->lat);
}
