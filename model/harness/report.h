/* SPDX-License-Identifier: GPL-2.0-only */
/* What runs of variants have to say, for a terminal of 80 to 100 columns. */
#ifndef MODEL_HARNESS_REPORT_H
#define MODEL_HARNESS_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "model/harness/profile.h"
#include "model/harness/repeat.h"
#include "model/harness/result.h"
#include "model/harness/scenario.h"

/*
 * One variant that was run; everything belongs to the caller.
 * @result: with config->seed
 * @repeat: with all seeds, config->repeat of them; NULL: nobody counted
 */
struct report_run {
	const struct scenario_config *config;
	const struct profile *profile;
	const struct result *result;
	const struct repeat *repeat;
};

/*
 * @runs: in the order of the scenario; the first that has numbers is the
 *        reference for changes
 * @colour: use terminal attributes
 */
struct report {
	const struct report_run *runs;
	uint32_t runs_nr;
	bool colour;
};

/* Did @run have several seeds, so that means say more than its result? */
bool report_is_repeated(const struct report_run *run);

/* Is @out a terminal that wants colours (NO_COLOR is not set)? */
bool report_wants_colour(FILE *out);

/* Everything: header, numbers, CPU use, locks, stages, changes, why. */
void report_print(const struct report *rep, FILE *out);

/* The parts, for other verbs. */
void report_header(const struct report *rep, FILE *out);
void report_numbers(const struct report *rep, FILE *out);
void report_repeats(const struct report *rep, FILE *out);
void report_cpu(const struct report *rep, FILE *out);
void report_locks(const struct report *rep, FILE *out);
void report_stages(const struct report *rep, FILE *out);
void report_changes(const struct report *rep, FILE *out);
void report_why(const struct report *rep, FILE *out);

#endif
