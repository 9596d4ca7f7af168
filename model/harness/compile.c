// SPDX-License-Identifier: GPL-2.0-only
#include "model/harness/compile.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <vblksim-config.h>

#include "model/harness/compile_say.h"

#define ARGS_MAX	128u

/*
 * What tells the kernel versions apart is an error here, as in the kernel. The
 * rest is left to the reader of the source: warnings are not shown.
 */
static const char *const compile_strict[] = {
	"-Werror=incompatible-pointer-types",
	"-Werror=implicit-function-declaration",
	"-Werror=int-conversion",
	"-fdiagnostics-color=never",
	"-fPIC",
};

const char *compile_flags(void)
{
	return VBLKSIM_DRIVER_CFLAGS;
}

const char *compile_shown(const char *text, struct arena *a)
{
	char *shown = arena_string(a, text);
	char *c;

	for (c = shown; *c; c++)
		if (iscntrl((unsigned char)*c))
			*c = '?';
	return shown;
}

/* Sources. */

static int compile_slurp(struct compile_source *s, int fd, struct arena *a)
{
	struct stat st;
	ssize_t got;

	if (fstat(fd, &st))
		return -errno;
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	if (!S_ISREG(st.st_mode))
		return -EINVAL;
	if (st.st_size > (off_t)COMPILE_SOURCE_MAX_BYTES)
		return -EFBIG;
	s->text = arena_alloc(a, (size_t)st.st_size + 1);
	while ((got = read(fd, s->text + s->bytes,
			   (size_t)st.st_size - s->bytes)) > 0)
		s->bytes += (size_t)got;
	return got < 0 ? -errno : 0;
}

/* A name that no compiler, module parameter or message can stumble over. */
static void compile_name(struct compile_source *s)
{
	const char *slash = strrchr(s->path, '/');
	const char *from = slash ? slash + 1 : s->path;
	size_t stem;
	size_t i;

	stem = strlen(from);
	if (stem > 2 && !strcmp(from + stem - 2, ".c"))
		stem -= 2;
	if (stem > COMPILE_NAME_MAX - 3)
		stem = COMPILE_NAME_MAX - 3;
	for (i = 0; i < stem; i++) {
		bool word = isalnum((unsigned char)from[i]) || from[i] == '_';
		bool dash = i && (from[i] == '-' || from[i] == '.');

		s->name[i] = word || dash ? from[i] : '_';
		s->module[i] = word ? from[i] : '_';
	}
	s->module[stem] = '\0';
	memcpy(s->name + stem, ".c", 3);
}

/* Does the source include a header of its own? */
static bool compile_finds_local(const char *text)
{
	const char *line = text;

	while (line) {
		const char *c = line + strspn(line, " \t");

		if (*c == '#') {
			c += 1 + strspn(c + 1, " \t");
			/* a macro might hold one: be careful */
			if (!strncmp(c, "include", 7) &&
			    c[7 + strspn(c + 7, " \t")] != '<')
				return true;
		}
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	return false;
}

static void compile_set_folder(struct compile_source *s, struct arena *a)
{
	char *whole = realpath(s->path, NULL);
	const char *slash = whole ? strrchr(whole, '/') : NULL;

	s->folder = slash ? arena_text(a, whole, (size_t)(slash - whole) + 1) :
			    "/";
	free(whole);
}

int compile_source_read(struct compile_source *s, const char *path,
			struct arena *a, FILE *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	int ret = fd < 0 ? -errno : 0;

	memset(s, 0, sizeof(*s));
	s->path = arena_string(a, path);
	s->shown = compile_shown(path, a);
	if (!ret)
		ret = compile_slurp(s, fd, a);
	if (fd >= 0)
		close(fd);
	if (ret) {
		fprintf(err, "vblksim: %s: cannot be read: %s\n", s->shown,
			ret == -EINVAL ? "not a file" : strerror(-ret));
		return ret;
	}
	compile_name(s);
	compile_set_folder(s, a);
	sha256_of(s->text, s->bytes, s->hash);
	s->has_local = compile_finds_local(s->text);
	return 0;
}

/* The compiler. */

static int compiler_ask(const struct compiler *cc, const char *question,
			const char **answer, const struct workdir *w,
			struct arena *a)
{
	const char *const argv[] = { cc->program, question, NULL };
	char *output;
	int ret = workdir_run(w, ".", argv, &output);

	if (!ret)
		*answer = arena_text(a, output, strcspn(output, "\n"));
	free(output);
	return ret > 0 ? -ENOEXEC : ret;
}

int compiler_find(struct compiler *cc, const char *program,
		  const struct workdir *w, struct arena *a, FILE *err)
{
	const char *version = "";
	int ret;

	cc->program = program;
	ret = compiler_ask(cc, "-dumpfullversion", &version, w, a);
	if (!ret)
		ret = compiler_ask(cc, "-print-file-name=include", &cc->include,
				   w, a);
	cc->name = arena_format(a, "gcc %s", version);
	if (ret && ret != -EINTR)
		fprintf(err, "vblksim: drivers are compiled by %s, which %s\n"
			"vblksim: it comes with Debian's package gcc (%s when vblksim was built)\n",
			program, ret == -ENOENT ? "is not there" :
			"does not work", VBLKSIM_DRIVER_COMPILER);
	return ret;
}

/* Compiling. */

struct args {
	const char *arg[ARGS_MAX];
	unsigned int nr;
};

/* One place is left for the NULL at the end. */
static void args_add(struct args *args, const char *arg)
{
	if (args->nr + 1 < ARGS_MAX)
		args->arg[args->nr++] = arg;
}

static void args_add_flags(struct args *args, struct arena *a)
{
	const char *at = compile_flags();
	size_t i;

	while (*(at += strspn(at, " "))) {
		size_t length = strcspn(at, " ");

		args_add(args, arena_text(a, at, length));
		at += length;
	}
	for (i = 0; i < sizeof(compile_strict) / sizeof(*compile_strict); i++)
		args_add(args, compile_strict[i]);
}

static void args_add_include(struct args *args, const struct compile_job *job,
			     const char *profile)
{
	const char *folder = port_profile_folder(job->port, profile, job->a);

	args_add(args, "-isystem");
	args_add(args, job->cc->include);
	if (folder)
		args_add(args, arena_format(job->a, "-I%s", folder));
	args_add(args, arena_format(job->a, "-I%s", job->port->folder));
	args_add(args, "-iquote");
	args_add(args, job->source->folder);
}

/* Neither this machine's folders nor the moment's get into the object. */
static void args_add_maps(struct args *args, const struct compile_job *job)
{
	struct arena *a = job->a;

	args_add(args, arena_format(a, "-ffile-prefix-map=%s=driver/include",
				    job->port->folder));
	args_add(args, "-ffile-prefix-map=./=");
	args_add(args, arena_format(a, "-ffile-prefix-map=%s/%s=.",
				    job->w->path, job->folder));
	args_add(args, arena_format(a, "-fdebug-prefix-map=%s=gcc",
				    job->cc->include));
	args_add(args, arena_format(a, "-fdebug-prefix-map=%s=",
				    job->source->folder));
}

static int compile_try(const struct compile_job *job, const char *profile,
		       char **output)
{
	struct args args = { .nr = 0 };

	args_add(&args, job->cc->program);
	args_add_flags(&args, job->a);
	args_add_include(&args, job, profile);
	args_add_maps(&args, job);
	args_add(&args, arena_format(job->a, "-DKBUILD_MODNAME=\"%s\"",
				     job->source->module));
	args_add(&args, "-c");
	args_add(&args, arena_format(job->a, "./%s", job->source->name));
	args_add(&args, "-o");
	args_add(&args, arena_format(job->a, "./%s", job->object));
	return workdir_run(job->w, job->folder, args.arg, output);
}

/* The best attempt so far, by how few errors it had. */
struct attempt {
	const char *profile;
	char *output;
	unsigned int errors_nr;
};

static void attempt_offer(struct attempt *best, const char *profile,
			  char *output)
{
	unsigned int errors_nr = compile_errors(output);

	if (best->output && best->errors_nr <= errors_nr) {
		free(output);
		return;
	}
	free(best->output);
	*best = (struct attempt){ profile, output, errors_nr };
}

static int compile_one(struct compile_job *job, const char *profile,
		       struct attempt *best)
{
	char *output;
	int ret;

	if (job->w->log)
		fprintf(job->w->log, "vblksim: %s with profile %s\n",
			job->source->shown, profile);
	ret = compile_try(job, profile, &output);
	if (ret <= 0) {
		free(output);
		job->used = ret ? NULL : profile;
		return ret;
	}
	attempt_offer(best, profile, output);
	return ret;
}

/* 0, -errno, or above 0: no profile fitted. */
static int compile_all(struct compile_job *job, struct attempt *best)
{
	int ret = 1;
	uint32_t i;

	if (job->wanted)
		return compile_one(job, job->wanted, best);
	if (job->first)
		ret = compile_one(job, job->first, best);
	for (i = 0; i < job->port->profiles_nr && ret > 0; i++)
		if (!job->first || strcmp(job->port->profile[i], job->first))
			ret = compile_one(job, job->port->profile[i], best);
	return ret;
}

int compile_run(struct compile_job *job)
{
	const struct compile_source *s = job->source;
	struct attempt best = { NULL, NULL, 0 };
	int ret;

	job->object = arena_format(job->a, "%s.o", s->module);
	ret = workdir_write(job->w, arena_format(job->a, "%s/%s", job->folder,
						 s->name), s->text, s->bytes);
	if (!ret)
		ret = compile_all(job, &best);
	if (ret < 0 && ret != -EINTR)
		fprintf(job->err, "vblksim: %s: cannot be compiled: %s\n",
			s->shown, strerror(-ret));
	if (ret > 0)
		compile_say(job, best.profile, best.output);
	free(best.output);
	return ret > 0 ? -EINVAL : ret;
}
