/* SPDX-License-Identifier: GPL-2.0-only */
/* Outcomes of tests as JUnit XML, for continuous integration. No times. */
#ifndef MODEL_HARNESS_JUNIT_H
#define MODEL_HARNESS_JUNIT_H

#include <stdint.h>
#include <stdio.h>

#include "model/harness/arena.h"

enum junit_outcome {
	JUNIT_OK,
	JUNIT_FAILURE,	/* it was tested, and is not so */
	JUNIT_ERROR,	/* it could not be tested */
	JUNIT_SKIPPED,	/* it is not so, and nobody expected it */
	JUNIT_OUTCOMES_NR
};

struct junit_suite;

/* Suites in the order in which they were added; they live in @arena. */
struct junit {
	struct arena *arena;
	struct junit_suite *first;
	struct junit_suite **last;
};

void junit_init(struct junit *j, struct arena *arena);

/* Texts are copied. */
struct junit_suite *junit_add_suite(struct junit *j, const char *name);
void junit_add_case(struct junit *j, struct junit_suite *suite,
		    const char *name, enum junit_outcome outcome,
		    const char *message);

/*
 * Write the struct junit @junit as a document in UTF-8. What XML cannot hold
 * (control characters, bytes that are not UTF-8) becomes '?'. 0 or -errno.
 */
int junit_print(const void *junit, FILE *out);

#endif
