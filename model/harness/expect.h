/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a scenario is expected to give: its list `expect`. An entry names a
 * variant, a row of a CSV file of recorded figures, and tolerances:
 *
 *	expect:
 *	  - variant: before
 *	    record: {file: ../results/recorded/published.csv, series: notify-lock,
 *	             variant: before}
 *	    iops: 5 %
 *	  - variant: after
 *	    record: {file: ../results/recorded/published.csv, series: notify-lock,
 *	             variant: after}
 *	    lat: 10 %
 *	    change: {against: before, within: 10 %}
 *
 * A relative `file` begins at the scenario's folder. The other items of
 * `record` are columns and the text that their cell has; they must leave one
 * row. `iops`, `lat` (fio's, the mean) and `irq_per_io` (interrupts per I/O) are
 * compared with the columns iops, lat_us and irq_per_io; `change` is the factor
 * between the IOPS of the variant and those of `against`, compared with the same
 * of the two entries' rows. Tolerances: "5 %" of the recorded figure; of `change`
 * also "3 points": percentage points of (factor - 1). A deviation of exactly so
 * much is within.
 *
 * A figure that the model cannot reach keeps its tolerance; the entry says why:
 *
 *	    xfail: {iops: nothing in the model makes four jobs slower than two}
 */
#ifndef MODEL_HARNESS_EXPECT_H
#define MODEL_HARNESS_EXPECT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "model/harness/arena.h"
#include "model/harness/diag.h"
#include "model/harness/report.h"
#include "model/harness/yaml.h"

enum expect_kind {
	EXPECT_IOPS,
	EXPECT_LAT,
	EXPECT_IRQ_PER_IO,
	EXPECT_CHANGE,
	EXPECT_KINDS_NR
};

/* As written and checked in form; records are not read yet. */
struct expect;

/*
 * One figure to compare.
 * @variant, @against: indices in the scenario; @against for a change only
 * @record: the map that selects the row
 * @recorded: IOPS, microseconds, interrupts, or factor of the IOPS
 * @tolerance: thousandths of a percent, or of a percentage point: @points
 * @xfail: why it is known to be missed, or NULL
 */
struct expect_figure {
	enum expect_kind kind;
	uint32_t variant;
	uint32_t against;
	const struct yaml_value *record;
	double recorded;
	uint64_t tolerance;
	bool points;
	const char *xfail;
};

/*
 * Check the form of @list.
 * @variants: names of the scenario's variants, @variants_nr of them, not kept
 * @a: what the result lives in; @list must live as long
 * Always a result; useless after errors in @d.
 */
struct expect *expect_read(struct arena *a, const struct yaml_value *list,
			   const char *const *variants, uint32_t variants_nr,
			   struct diag *d);

/*
 * Look up what was recorded.
 * @folder: where a relative file begins, "" or with a slash at the end
 * @figures: on success an array in @a, in written order, @nr of them
 * False after errors in @d; their text refers to @a.
 */
bool expect_figures(const struct expect *e, const char *folder,
		    struct arena *a, struct diag *d,
		    struct expect_figure **figures, uint32_t *nr);

/*
 * What was measured, in the unit of @recorded; NAN if there are no numbers.
 * @runs: of the scenario's variants, the first @nr of them; each with a repeat, whose
 *        means count
 */
double expect_got(const struct expect_figure *f, const struct report_run *runs,
		  uint32_t nr);

/* How far @got is off, in percent or points as the tolerance is. */
double expect_deviation(const struct expect_figure *f, double got);

/* Is @got within the tolerance? NAN is not. */
bool expect_holds(const struct expect_figure *f, double got);

#endif
