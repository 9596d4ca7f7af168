/* SPDX-License-Identifier: GPL-2.0-only */
/* What verbs share. */
#ifndef MODEL_HARNESS_CLI_VERB_H
#define MODEL_HARNESS_CLI_VERB_H

#include <getopt.h>
#include <stdio.h>

#include "model/harness/cli.h"

/*
 * @usage: "run SCENARIO [options]"; @what: one line; @help: the rest
 * @run: @argv[0] is the verb; returns the exit code
 */
struct cli_verb {
	const char *name;
	const char *usage;
	const char *what;
	const char *help;
	int (*run)(int argc, char **argv, FILE *out, FILE *err);
};

extern const struct cli_verb cli_verb_run;
extern const struct cli_verb cli_verb_check;
extern const struct cli_verb cli_verb_build_driver;
extern const struct cli_verb cli_verb_help;

/* Help on the verb @name, NULL: on all. Returns the exit code. */
int cli_help_verb(const char *name, FILE *out, FILE *err);

/*
 * Codes of long options without a letter; each verb goes on from here. An option
 * whose code is a letter can be given as -letter, too.
 */
#define CLI_OPTION_HELP	256
#define CLI_OPTION_FIRST 257

/* Begin reading options of @argv from the start. */
void cli_options_start(void);

/*
 * The next long option of @options: its val, -1 at the end, '?' after a
 * message on @err with the nearest spelling. Arguments without dashes are left
 * at the end, from optind on.
 */
int cli_options_next(int argc, char **argv, const struct option *options,
		     FILE *err);

#endif
