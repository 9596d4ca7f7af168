/* SPDX-License-Identifier: GPL-2.0-only */
/* The command line: verbs, their options, exit codes. */
#ifndef MODEL_HARNESS_CLI_H
#define MODEL_HARNESS_CLI_H

#include <stdio.h>

#define CLI_EXIT_OK	0
#define CLI_EXIT_FAILED	1	/* a run failed, a verdict, a missed expectation */
#define CLI_EXIT_USAGE	2	/* command line, scenario or profile */
#define CLI_EXIT_SIGNAL	128	/* plus the signal that ended it */

/*
 * Do what @argv says. @out: reports, help; @err: messages, progress.
 * Returns the exit code. Argument strings are not kept.
 */
int cli_main(int argc, char **argv, FILE *out, FILE *err);

#endif
