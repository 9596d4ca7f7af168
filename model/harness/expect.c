// SPDX-License-Identifier: GPL-2.0-only
#include "model/harness/expect_entry.h"

#include <math.h>

/* Rounding of a quotient must not decide, see expect_holds(). */
#define DEVIATION_SLACK		1e-9

/* Column of the figure; a change is one of IOPS. */
static const char *const expect_column[EXPECT_KINDS_NR] = {
	[EXPECT_IOPS] = "iops",
	[EXPECT_LAT] = "lat_us",
	[EXPECT_IRQ_PER_IO] = "irq_per_io",
	[EXPECT_CHANGE] = "iops",
};

static void expect_look_up(struct expect_lookup *l, const struct expect *e,
			   const struct expect_entry *entry,
			   enum expect_kind kind, struct expect_figure *f)
{
	const struct expect_tolerance *t = &entry->tolerances[kind];
	const char *column = expect_column[kind];

	*f = (struct expect_figure){
		.kind = kind,
		.variant = entry->variant,
		.against = entry->against,
		.record = entry->record,
		.recorded = expect_record_number(l, entry->record, column,
						 t->value),
		.tolerance = t->tolerance,
		.points = t->points,
		.xfail = t->xfail,
	};
	if (kind == EXPECT_CHANGE)
		f->recorded /= expect_record_number(
			l, expect_of_variant(e, entry->against)->record,
			column, t->value);
}

bool expect_figures(const struct expect *e, const char *folder,
		    struct arena *a, struct diag *d,
		    struct expect_figure **figures, uint32_t *nr)
{
	struct expect_lookup l = { .folder = folder, .arena = a, .diag = d };
	unsigned int before = d->errors_nr;
	uint32_t kind;
	uint32_t i;

	*figures = arena_alloc(a, ((size_t)e->nr * EXPECT_KINDS_NR + 1) *
				  sizeof(**figures));
	*nr = 0;
	for (i = 0; i < e->nr; i++)
		for (kind = 0; kind < EXPECT_KINDS_NR; kind++)
			if (e->entries[i].tolerances[kind].value)
				expect_look_up(&l, e, &e->entries[i], kind,
					       &(*figures)[(*nr)++]);
	return d->errors_nr == before;
}

static double expect_iops(const struct report_run *runs, uint32_t nr,
			  uint32_t variant)
{
	if (variant >= nr || runs[variant].result->failure)
		return NAN;
	return runs[variant].repeat->iops.mean;
}

double expect_got(const struct expect_figure *f, const struct report_run *runs,
		  uint32_t nr)
{
	double iops = expect_iops(runs, nr, f->variant);
	double base;

	switch (f->kind) {
	case EXPECT_LAT:
		if (isnan(iops) || !runs[f->variant].result->ios)
			return NAN;
		return runs[f->variant].repeat->job_lat_ns.mean / 1e3;
	case EXPECT_IRQ_PER_IO:
		if (isnan(iops) || !runs[f->variant].result->ios)
			return NAN;
		return runs[f->variant].repeat->irq_per_io.mean;
	case EXPECT_CHANGE:
		base = expect_iops(runs, nr, f->against);
		return base > 0 ? iops / base : NAN;
	default:
		return iops;
	}
}

double expect_deviation(const struct expect_figure *f, double got)
{
	if (f->points)
		return (got - f->recorded) * 100;
	return (got / f->recorded - 1) * 100;
}

bool expect_holds(const struct expect_figure *f, double got)
{
	return fabs(expect_deviation(f, got)) <=
	       (double)f->tolerance / 1e3 + DEVIATION_SLACK;
}
