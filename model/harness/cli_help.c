// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "model/harness/cli_verb.h"
#include "model/harness/profile.h"
#include "model/harness/scenario.h"

/* `help machine [FILE]...` */
static int cli_help_machine(int argc, char **argv, FILE *out, FILE *err)
{
	int ret = CLI_EXIT_OK;
	int i;

	if (!argc)
		profile_help(out);
	for (i = 0; i < argc; i++) {
		struct profile *p;

		if (profile_load(argv[i], &p, err)) {
			ret = CLI_EXIT_USAGE;
			continue;
		}
		profile_print(p, out);
		profile_destroy(p);
	}
	return ret;
}

static int cli_help_run(int argc, char **argv, FILE *out, FILE *err)
{
	static const struct option options[] = {
		{ "help", no_argument, NULL, CLI_OPTION_HELP },
		{ NULL, 0, NULL, 0 }
	};
	const char *topic;
	int val;

	cli_options_start();
	while ((val = cli_options_next(argc, argv, options, err)) != -1)
		return val == '?' ? CLI_EXIT_USAGE :
				    cli_help_verb("help", out, err);
	topic = optind < argc ? argv[optind] : NULL;
	if (topic && !strcmp(topic, "machine"))
		return cli_help_machine(argc - optind - 1, argv + optind + 1,
					out, err);
	if (topic && optind + 1 < argc) {
		fprintf(err, "vblksim help: one topic at a time\n");
		return CLI_EXIT_USAGE;
	}
	if (!topic || strcmp(topic, "scenario"))
		return cli_help_verb(topic, out, err);
	scenario_help(out);
	return CLI_EXIT_OK;
}

const struct cli_verb cli_verb_help = {
	.name = "help",
	.usage = "help [VERB|scenario|machine [FILE]...]",
	.what = "explain",
	.help = "  vblksim help VERB           options of a verb\n"
		"  vblksim help scenario       keys of a scenario file and of --set\n"
		"  vblksim help machine        form of a machine profile, its constants\n"
		"  vblksim help machine FILE   values and sources of one profile\n",
	.run = cli_help_run,
};
