// SPDX-License-Identifier: GPL-2.0-only
#include "model/harness/repeat.h"

#include <math.h>

/* 97.5 % quantiles of Student's t for 1, 2, ... degrees of freedom. */
static const double repeat_t[] = {
	12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
	2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
	2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
};

#define REPEAT_T_NR	(sizeof(repeat_t) / sizeof(repeat_t[0]))

/* Beyond the table the last is used: at most 4 % too wide. */
static double repeat_quantile(uint32_t freedom)
{
	return repeat_t[(freedom < REPEAT_T_NR ? freedom : REPEAT_T_NR) - 1];
}

static void repeat_figure_add(struct repeat_figure *f, uint32_t nr,
			      double value)
{
	double delta = value - f->mean;

	f->mean += delta / nr;
	f->squares += delta * (value - f->mean);
}

void repeat_add(struct repeat *rep, const struct result *r)
{
	rep->nr++;
	repeat_figure_add(&rep->iops, rep->nr, result_iops(r));
	repeat_figure_add(&rep->lat_ns, rep->nr, result_latency_mean_ns(r));
	repeat_figure_add(&rep->job_lat_ns, rep->nr, result_lat_mean_ns(r));
	repeat_figure_add(&rep->irq_per_io, rep->nr,
			  r->ios ? (double)r->interrupts_delivered /
					   (double)r->ios : 0);
}

double repeat_half_width(const struct repeat *rep,
			 const struct repeat_figure *figure)
{
	if (rep->nr < 2)
		return 0;
	return repeat_quantile(rep->nr - 1) *
	       sqrt(figure->squares / (rep->nr - 1) / rep->nr);
}
