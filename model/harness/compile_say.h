/* SPDX-License-Identifier: GPL-2.0-only */
/* What the compiler said, for the person who wrote the driver. */
#ifndef MODEL_HARNESS_COMPILE_SAY_H
#define MODEL_HARNESS_COMPILE_SAY_H

#include "model/harness/compile.h"

/*
 * How bad is the compiler's @output: its errors; a fatal one hides all that
 * would follow and counts as very many.
 */
unsigned int compile_errors(const char *output);

/*
 * Explain on @job's err why its source does not compile: the first errors of
 * @output, which was made with @profile, and which headers and functions the port
 * lacks.
 */
void compile_say(const struct compile_job *job, const char *profile,
		 const char *output);

#endif
