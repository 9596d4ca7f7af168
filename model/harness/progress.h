/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One line on a terminal that says how far a run is. The only user of the wall
 * clock: nothing it computes reaches a result.
 */
#ifndef MODEL_HARNESS_PROGRESS_H
#define MODEL_HARNESS_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct progress {
	FILE *out;
	const char *label;
	bool on;
	bool shown;
	uint64_t start_ns;
	uint64_t next_ns;
};

/*
 * @label: kept, printed first
 * @out: silent unless it is a terminal, and always if @quiet
 */
void progress_init(struct progress *p, FILE *out, const char *label,
		   bool quiet);

/*
 * Tell where the run is; prints at most ten times per second. Call it as often
 * as is convenient: a call that prints nothing reads one clock.
 * @now_ps: simulated; @end_ps: when it will end, 0: not known
 * @ios: ended so far; @ios_end: at how many it will end, 0: not known
 */
void progress_update(struct progress *p, uint64_t now_ps, uint64_t end_ps,
		     uint64_t ios, uint64_t ios_end);

/* Wipe the line. */
void progress_fini(struct progress *p);

#endif
