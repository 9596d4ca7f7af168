/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Messages about what the user wrote: `name:line:column: message`, then the
 * line with a caret under the column.
 */
#ifndef MODEL_HARNESS_DIAG_H
#define MODEL_HARNESS_DIAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define DIAG_SOURCE_MAX_BYTES	(1u << 20)

/* A text with a name: a file, or an argument under the name of its option. */
struct diag_source {
	const char *name;
	const char *text;
	size_t bytes;
};

/* @line, @column: from 1, column in characters; line 0: the source as a whole */
struct diag_pos {
	const struct diag_source *source;
	uint32_t line;
	uint32_t column;
};

/*
 * @errors_nr: reported, repeats not counted
 * @max: how many are printed
 */
struct diag {
	FILE *out;
	unsigned int max;
	unsigned int errors_nr;
	uint64_t *seen;
};

/* @out may be NULL: errors are only counted. */
void diag_init(struct diag *d, FILE *out, unsigned int max);

/* Say that errors were left out, if any; free. */
void diag_fini(struct diag *d);

/*
 * Report an error at @pos. One that was reported before (same place, same
 * message) is ignored.
 */
void diag_error(struct diag *d, struct diag_pos pos, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Is there no point in looking for more errors? */
bool diag_full(const struct diag *d);

/* @pos moved on by @characters in its line. */
struct diag_pos diag_pos_right(struct diag_pos pos, uint32_t characters);

/* Line and column of byte @offset of @source. */
struct diag_pos diag_pos_of(const struct diag_source *source, size_t offset);

/*
 * Read the file @path whole, up to DIAG_SOURCE_MAX_BYTES.
 * @text: the caller's to free; @source refers to it and to @path
 * 0 or -errno, then the error is reported.
 */
int diag_read_file(struct diag *d, const char *path,
		   struct diag_source *source, char **text);

#endif
