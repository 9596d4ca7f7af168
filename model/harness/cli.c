// SPDX-License-Identifier: GPL-2.0-only
#include "model/harness/cli.h"

#include <string.h>

#include <vblksim-config.h>

#include "model/harness/cli_verb.h"
#include "model/harness/suggest.h"

/* In the order of the help; `help` is the last. */
static const struct cli_verb *const cli_verbs[] = {
	&cli_verb_run,
	&cli_verb_check,
	&cli_verb_build_driver,
	&cli_verb_help,
	NULL
};

static void cli_usage(FILE *out)
{
	const struct cli_verb *const *verb;

	fputs("vblksim: a simulator for the virtio-blk driver\n\n", out);
	for (verb = cli_verbs; *verb; verb++)
		fprintf(out, "  vblksim %-48s %s\n", (*verb)->usage,
			(*verb)->what);
	fputs("  vblksim --version\n"
	      "\n`vblksim VERB --help` describes a verb.\n", out);
}

static const struct cli_verb *cli_find(const char *name)
{
	const struct cli_verb *const *verb;

	for (verb = cli_verbs; *verb; verb++)
		if (!strcmp((*verb)->name, name))
			return *verb;
	return NULL;
}

static int cli_unknown(const char *what, const char *word, FILE *err)
{
	const struct cli_verb *const *verb;
	struct suggest s;

	suggest_init(&s, word);
	for (verb = cli_verbs; *verb; verb++)
		suggest_offer(&s, (*verb)->name);
	suggest_offer(&s, "--version");
	suggest_offer(&s, "--help");
	fprintf(err, "vblksim: unknown %s '%s'", what, word);
	if (suggest_result(&s))
		fprintf(err, "; did you mean '%s'?\n", suggest_result(&s));
	else
		fputs("; see `vblksim help`\n", err);
	return CLI_EXIT_USAGE;
}

int cli_help_verb(const char *name, FILE *out, FILE *err)
{
	const struct cli_verb *verb;

	if (!name) {
		cli_usage(out);
		return CLI_EXIT_OK;
	}
	verb = cli_find(name);
	if (!verb)
		return cli_unknown("verb", name, err);
	fprintf(out, "usage: vblksim %s\n\n%s", verb->usage, verb->help);
	return CLI_EXIT_OK;
}

int cli_main(int argc, char **argv, FILE *out, FILE *err)
{
	const struct cli_verb *verb;

	if (argc < 2) {
		cli_usage(err);
		return CLI_EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return cli_help_verb(NULL, out, err);
	if (!strcmp(argv[1], "--version")) {
		fprintf(out, "vblksim %s\n", VBLKSIM_VERSION);
		return CLI_EXIT_OK;
	}
	if (argv[1][0] == '-')
		return cli_unknown("option", argv[1], err);
	verb = cli_find(argv[1]);
	if (!verb)
		return cli_unknown("verb", argv[1], err);
	return verb->run(argc - 1, argv + 1, out, err);
}
