/* SPDX-License-Identifier: GPL-2.0-only */
/* A variant that ran with several seeds: means and how sure they are. */
#ifndef MODEL_HARNESS_REPEAT_H
#define MODEL_HARNESS_REPEAT_H

#include <stdint.h>

#include "model/harness/result.h"

/* Running mean and sum of squared deviations (Welford 1962). */
struct repeat_figure {
	double mean;
	double squares;
};

/*
 * All zero bytes: nothing ran yet.
 * @nr:     runs with numbers
 * @iops, @lat_ns, @job_lat_ns, @irq_per_io: over these runs; latencies are the
 *          means of a result's latency, of its lat
 */
struct repeat {
	uint32_t nr;
	struct repeat_figure iops;
	struct repeat_figure lat_ns;
	struct repeat_figure job_lat_ns;
	struct repeat_figure irq_per_io;
};

/* Count @r, which has numbers. */
void repeat_add(struct repeat *rep, const struct result *r);

/*
 * Half the width of the 95 % confidence interval of @figure's mean, by Student's
 * t: the runs are independent of each other. 0 for fewer than two runs.
 */
double repeat_half_width(const struct repeat *rep,
			 const struct repeat_figure *figure);

#endif
