/* SPDX-License-Identifier: GPL-2.0-only */
/* One C source of a driver to an object file, by the first profile that fits. */
#ifndef MODEL_HARNESS_COMPILE_H
#define MODEL_HARNESS_COMPILE_H

#include <stdbool.h>
#include <stdio.h>

#include "model/harness/arena.h"
#include "model/harness/port.h"
#include "model/harness/sha256.h"
#include "model/harness/workdir.h"

#define COMPILE_SOURCE_MAX_BYTES	(16u << 20)
#define COMPILE_NAME_MAX		64u

/*
 * A source as it was read, once: what is hashed is what is compiled.
 * @path: as the user names it; @shown: that for messages
 * @folder: where its own headers ("x.h") are, absolute
 * @name: of the copy that is compiled, which decides __FILE__
 * @module: KBUILD_MODNAME
 * @has_local: it includes headers of its own
 */
struct compile_source {
	const char *path;
	const char *shown;
	const char *folder;
	char name[COMPILE_NAME_MAX];
	char module[COMPILE_NAME_MAX];
	char *text;
	size_t bytes;
	char hash[SHA256_HEX_BYTES];
	bool has_local;
};

/*
 * The compiler as found.
 * @include: its own headers; @name: "gcc 12.2.0"
 */
struct compiler {
	const char *program;
	const char *include;
	const char *name;
};

/*
 * Read @path. 0, or -errno after a message on @err; the source lives in @a.
 */
int compile_source_read(struct compile_source *s, const char *path,
			struct arena *a, FILE *err);

/*
 * Ask the compiler @program for its version and headers.
 * 0, or -errno after a message on @err.
 */
int compiler_find(struct compiler *cc, const char *program,
		  const struct workdir *w, struct arena *a, FILE *err);

/*
 * @folder: in @w, exists, empty but for headers; @object gets the object's name there
 * @wanted: the only profile to try, or NULL
 * @first:  the profile to try first, or NULL
 * @used:   the profile that fitted
 * 0, -EINVAL after messages on @err about the source, -EINTR, -errno.
 */
struct compile_job {
	const struct compiler *cc;
	const struct port *port;
	const struct workdir *w;
	const struct compile_source *source;
	const char *folder;
	const char *wanted;
	const char *first;
	const char *object;
	const char *used;
	struct arena *a;
	FILE *err;
};
int compile_run(struct compile_job *job);

/* The flags that decide what code comes out, for descriptions and hashes. */
const char *compile_flags(void);

/* @text with control characters replaced, for one line of a message. */
const char *compile_shown(const char *text, struct arena *a);

#endif
