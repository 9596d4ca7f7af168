// SPDX-License-Identifier: GPL-2.0-only
#define _GNU_SOURCE	/* memmem */
#include "model/harness/compile_say.h"

#include <limits.h>
#include <string.h>

#include "model/harness/driver_check.h"

#define SAY_ERRORS_MAX	5u
#define SAY_NAMES_MAX	10u
#define SAY_NEAR_MAX	3u
#define FATAL_WEIGHT	1000u

static const char say_error[] = ": error: ";
static const char say_fatal[] = ": fatal error: ";

static size_t say_line_bytes(const char *line)
{
	size_t length = strcspn(line, "\n");

	return length + (line[length] == '\n');
}

/* @part within the line at @line, or NULL. */
static const char *say_in_line(const char *line, const char *part)
{
	return memmem(line, strcspn(line, "\n"), part, strlen(part));
}

static bool say_is_error(const char *line)
{
	return say_in_line(line, say_error) || say_in_line(line, say_fatal);
}

unsigned int compile_errors(const char *output)
{
	unsigned int nr = 0;
	const char *line;

	for (line = output; *line; line += say_line_bytes(line)) {
		if (say_in_line(line, say_fatal))
			nr += FATAL_WEIGHT;
		else if (say_in_line(line, say_error))
			nr++;
	}
	return nr;
}

/* One line of the output; the copy's name becomes the one the user knows. */
static void say_line(const struct compile_job *job, const char *line)
{
	const char *name = arena_format(job->a, "./%s:", job->source->name);
	size_t length = strcspn(line, "\n");
	const char *at = say_in_line(line, name);

	if (at)
		fprintf(job->err, "%.*s%s:%.*s\n", (int)(at - line), line,
			job->source->shown,
			(int)(length - strlen(name) - (size_t)(at - line)),
			at + strlen(name));
	else
		fprintf(job->err, "%.*s\n", (int)length, line);
}

/* Warnings would hide the errors: print blocks that belong to an error. */
static void say_first_errors(const struct compile_job *job, const char *output)
{
	unsigned int shown_nr = 0;
	unsigned int errors_nr = 0;
	bool show = false;
	const char *line;

	for (line = output; *line; line += say_line_bytes(line)) {
		if (say_is_error(line))
			show = ++errors_nr <= SAY_ERRORS_MAX;
		else if (say_in_line(line, ": warning: "))
			show = false;
		else if (*line != ' ' && !say_in_line(line, ": note: "))
			show = false;
		if (show)
			say_line(job, line);
		shown_nr = errors_nr < SAY_ERRORS_MAX ? errors_nr :
							SAY_ERRORS_MAX;
	}
	if (errors_nr > shown_nr)
		fprintf(job->err, "(%u more errors)\n", errors_nr - shown_nr);
}

/* The text between @before and @after in the line, or NULL. */
static const char *say_between(const char *line, const char *before,
			       const char *after, struct arena *a)
{
	const char *start = say_in_line(line, before);
	const char *end;

	if (!start)
		return NULL;
	start += strlen(before);
	end = say_in_line(start, after);
	return end ? arena_text(a, start, (size_t)(end - start)) : NULL;
}

static const char *say_base(const char *header)
{
	const char *slash = strrchr(header, '/');

	return slash ? slash + 1 : header;
}

/* How far is header @name from @wanted? Another folder counts little. */
static unsigned int say_distance(const char *wanted, const char *name)
{
	unsigned int distance = suggest_distance(wanted, name);
	unsigned int base = suggest_distance(say_base(wanted), say_base(name));

	return distance < base + 1 ? distance : base + 1;
}

/* The header nearest to @wanted among those not in @said, or NULL. */
static const char *say_nearest(const struct compile_job *job,
			       const char *wanted, const char *const *said,
			       unsigned int said_nr)
{
	unsigned int best = (unsigned int)strlen(say_base(wanted)) / 2 + 1;
	const char *nearest = NULL;
	uint32_t i;

	for (i = 0; i < job->port->headers_nr; i++) {
		const char *name = port_header_name(job->port, i);
		unsigned int distance = say_distance(wanted, name);
		unsigned int k;

		for (k = 0; k < said_nr && strcmp(said[k], name); k++)
			;
		if (k < said_nr || distance >= best)
			continue;
		best = distance;
		nearest = name;
	}
	return nearest;
}

static void say_near_headers(const struct compile_job *job, const char *wanted)
{
	const char *said[SAY_NEAR_MAX];
	unsigned int nr;

	for (nr = 0; nr < SAY_NEAR_MAX; nr++) {
		said[nr] = say_nearest(job, wanted, said, nr);
		if (!said[nr])
			break;
		fprintf(job->err, "%s<%s>", nr ? ", " : "; near names: ",
			said[nr]);
	}
}

static void say_missing_header(const struct compile_job *job, const char *line)
{
	const char *header = say_between(line, say_fatal,
					 ": No such file or directory", job->a);

	if (!header)
		return;
	fprintf(job->err, "vblksim: the port has no header <%s>", header);
	say_near_headers(job, header);
	fputc('\n', job->err);
	if (!strchr(header, '/'))
		fputs("vblksim: drivers see the kernel's headers only, as the port (driver/include) has them\n",
		      job->err);
}

static void say_unknown_function(const struct compile_job *job,
				 const char *name)
{
	struct suggest near;

	fprintf(job->err, "vblksim: the port has no function or macro '%s'",
		name);
	suggest_init(&near, name);
	port_offer_names(job->port, &near, job->a);
	if (suggest_result(&near) && near.distance)
		fprintf(job->err, "; did you mean '%s'?",
			suggest_result(&near));
	else if (near.best && !near.distance)
		fputs("; its headers have the name: is an #include missing, or is it another profile's?",
		      job->err);
	fputc('\n', job->err);
}

static void say_unknown_functions(const struct compile_job *job,
				  const char *output)
{
	const char *said[SAY_NAMES_MAX];
	unsigned int nr = 0;
	const char *line;

	for (line = output; *line && nr < SAY_NAMES_MAX;
	     line += say_line_bytes(line)) {
		const char *name = say_between(line,
				"implicit declaration of function '", "'",
				job->a);
		unsigned int i;

		if (!name || !say_is_error(line))
			continue;
		for (i = 0; i < nr && strcmp(said[i], name); i++)
			;
		if (i < nr)
			continue;
		said[nr++] = name;
		say_unknown_function(job, name);
	}
}

/* Which profiles were tried; the first errors may be of any of them. */
static void say_profiles(const struct compile_job *job, const char *profile)
{
	uint32_t i;

	if (job->wanted || job->port->profiles_nr == 1) {
		fprintf(job->err, " (profile %s):\n", profile);
		return;
	}
	fputs("; profiles tried:", job->err);
	for (i = 0; i < job->port->profiles_nr; i++)
		fprintf(job->err, " %s", job->port->profile[i]);
	fprintf(job->err, "; nearest is %s:\n", profile);
}

void compile_say(const struct compile_job *job, const char *profile,
		 const char *output)
{
	const char *line;

	fprintf(job->err, "vblksim: %s does not compile", job->source->shown);
	say_profiles(job, profile);
	if (compile_errors(output))
		say_first_errors(job, output);
	else
		fputs(output, job->err);
	for (line = output; *line; line += say_line_bytes(line))
		say_missing_header(job, line);
	say_unknown_functions(job, output);
	if (strstr(output, "cannot execute") || strstr(output, "posix_spawnp"))
		fprintf(job->err, "vblksim: the compiler is not complete: Debian's packages are gcc and binutils\n");
}
