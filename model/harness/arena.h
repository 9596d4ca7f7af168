/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory for things that live and die together. Out of memory ends the program. */
#ifndef MODEL_HARNESS_ARENA_H
#define MODEL_HARNESS_ARENA_H

#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *last;
};

void arena_init(struct arena *a);

/* Free everything taken from @a. */
void arena_fini(struct arena *a);

/* @bytes zeroed, aligned for anything; lives until arena_fini. */
void *arena_alloc(struct arena *a, size_t bytes);

/* A NUL-terminated copy of @bytes at @text. */
char *arena_text(struct arena *a, const char *text, size_t bytes);
char *arena_string(struct arena *a, const char *text);
char *arena_format(struct arena *a, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
