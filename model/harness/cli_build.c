// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <string.h>

#include "model/harness/build.h"
#include "model/harness/cli_verb.h"

struct cli_build_args {
	struct build_request request;
	const char *output;
	bool help;
};

enum {
	OPTION_PROFILE = CLI_OPTION_FIRST,
	OPTION_KEEP,
};

static bool cli_build_option(struct cli_build_args *args, int val, FILE *err)
{
	switch (val) {
	case 'o':
		args->output = optarg;
		return true;
	case 'v':
		args->request.log = err;
		return true;
	case OPTION_PROFILE:
		args->request.profile = optarg;
		return true;
	case OPTION_KEEP:
		args->request.keep = true;
		return true;
	case CLI_OPTION_HELP:
		args->help = true;
		return true;
	default:
		return false;
	}
}

static bool cli_build_sources(struct cli_build_args *args, int argc,
			      char **argv, FILE *err)
{
	int given = argc - optind;
	const char *wrong = given < 1 ? "no source given" :
			    given > 2 ? "at most two sources: virtio_blk.c and virtio_ring.c" :
			    !args->output ? "-o FILE is missing: where the driver goes" :
			    !*args->output ? "-o needs the name of a file" : NULL;

	if (wrong) {
		fprintf(err, "vblksim build-driver: %s\nusage: vblksim %s\n",
			wrong, cli_verb_build_driver.usage);
		return false;
	}
	args->request.blk = argv[optind];
	args->request.ring = given > 1 ? argv[optind + 1] : BUILD_BUNDLED;
	return true;
}

static bool cli_build_parse(struct cli_build_args *args, int argc,
			    char **argv, FILE *err)
{
	static const struct option options[] = {
		{ "output", required_argument, NULL, 'o' },
		{ "profile", required_argument, NULL, OPTION_PROFILE },
		{ "keep", no_argument, NULL, OPTION_KEEP },
		{ "verbose", no_argument, NULL, 'v' },
		{ "help", no_argument, NULL, CLI_OPTION_HELP },
		{ NULL, 0, NULL, 0 }
	};
	int val;

	cli_options_start();
	while ((val = cli_options_next(argc, argv, options, err)) != -1)
		if (!cli_build_option(args, val, err))
			return false;
	return args->help || cli_build_sources(args, argc, argv, err);
}

static void cli_build_say(const char *path, const struct driver_info *info,
			  FILE *out)
{
	fprintf(out, "%s: %s %.12s, profile %s", path, info->source,
		info->source_hash, info->profile);
	if (info->ring)
		fprintf(out, "; %s %.12s, profile %s", info->ring,
			info->ring_hash, info->ring_profile);
	fprintf(out, "; %s\n", info->compiler);
}

static int cli_build_run(int argc, char **argv, FILE *out, FILE *err)
{
	struct cli_build_args args = { .output = NULL };
	struct driver_info info;
	const char *path;
	struct arena a;
	int ret;

	if (!cli_build_parse(&args, argc, argv, err))
		return CLI_EXIT_USAGE;
	if (args.help)
		return cli_help_verb("build-driver", out, err);
	arena_init(&a);
	ret = build_driver(&args.request, args.output, &path, &info, &a, err);
	if (!ret)
		cli_build_say(path, &info, out);
	arena_fini(&a);
	if (!ret)
		return CLI_EXIT_OK;
	return ret == -EINVAL ? CLI_EXIT_USAGE : CLI_EXIT_FAILED;
}

const struct cli_verb cli_verb_build_driver = {
	.name = "build-driver",
	.usage = "build-driver SRC.c [RING.c] -o OUT.so [options]",
	.what = "build a driver from its source",
	.help = "Builds SRC.c, a virtio_blk.c of any kind, and RING.c, a virtio_ring.c (default:\n"
		"the bundled one), into a driver that `vblksim run --driver OUT.so` loads.\n"
		"`vblksim run --driver SRC.c` does the same by itself; this is for keeping the\n"
		"result, and for finding out why a source does not compile. Sources are compiled\n"
		"as they are, against the headers in driver/include; `bundled` stands for the\n"
		"bundled source.\n"
		"\n"
		"  -o, --output FILE  where the driver goes\n"
		"  --profile NAME     the kernel API to compile for (default: the first of\n"
		"                     driver/include/profile that the source compiles with, the\n"
		"                     newest kernel first, for each source by itself)\n"
		"  --keep             keep the temporary folder and say where it is\n"
		"  -v, --verbose      show each command and what it prints\n"
		"\n"
		"What was built is kept in ${XDG_CACHE_HOME:-~/.cache}/vblksim/drivers, by what it\n"
		"was built from; it may be removed at any time.\n"
		"\n"
		"Exit code: 0; 1 something failed; 2 command line or source.\n",
	.run = cli_build_run,
};
