// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "model/harness/cli_verb.h"
#include "model/harness/suggest.h"

void cli_options_start(void)
{
	opterr = 0;
	/* glibc: 0 makes getopt forget an earlier command line */
	optind = 0;
}

static const struct option *cli_option_of(const struct option *options,
					  int val)
{
	for (; options->name; options++)
		if (options->val == val)
			return options;
	return NULL;
}

/* "--iodepht=4" as "iodepht". */
static void cli_option_name(const char *arg, char *buf, size_t bytes)
{
	arg += strspn(arg, "-");
	snprintf(buf, bytes, "%.*s", (int)strcspn(arg, "="), arg);
}

static void cli_option_unknown(const char *verb, const char *arg,
			       const struct option *options, FILE *err)
{
	struct suggest s;
	char name[64];

	cli_option_name(arg, name, sizeof(name));
	suggest_init(&s, name);
	for (; options->name; options++)
		suggest_offer(&s, options->name);
	fprintf(err, "vblksim %s: unknown option '%s'", verb, arg);
	if (suggest_result(&s))
		fprintf(err, "; did you mean '--%s'?\n", suggest_result(&s));
	else
		fprintf(err, "; see `vblksim %s --help`\n", verb);
}

/* -h, and a letter for each option whose val is one. */
static void cli_options_letters(const struct option *options, char *letters)
{
	letters += sprintf(letters, ":h");
	for (; options->name; options++)
		if (options->val < CLI_OPTION_HELP)
			letters += sprintf(letters, "%c%s", options->val,
					   options->has_arg ? ":" : "");
}

int cli_options_next(int argc, char **argv, const struct option *options,
		     FILE *err)
{
	char letters[128];
	const struct option *option;
	int val;

	cli_options_letters(options, letters);
	val = getopt_long(argc, argv, letters, options, NULL);

	if (val == 'h')
		return CLI_OPTION_HELP;
	if (val == ':') {
		fprintf(err, "vblksim %s: %s needs a value\n", argv[0],
			argv[optind - 1]);
		return '?';
	}
	if (val != '?')
		return val;
	option = optopt > 255 ? cli_option_of(options, optopt) : NULL;
	if (option)
		fprintf(err, "vblksim %s: --%s takes no value\n", argv[0],
			option->name);
	else if (optopt)
		fprintf(err, "vblksim %s: unknown option '-%c'; see `vblksim %s --help`\n",
			argv[0], optopt, argv[0]);
	else
		cli_option_unknown(argv[0], argv[optind - 1], options, err);
	return '?';
}
