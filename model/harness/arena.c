// SPDX-License-Identifier: GPL-2.0-only
#include "model/harness/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARENA_BLOCK_BYTES	4096u
#define ARENA_ALIGN		(_Alignof(max_align_t))

struct arena_block {
	struct arena_block *previous;
	size_t used;
	size_t bytes;
	max_align_t data[];
};

void arena_init(struct arena *a)
{
	a->last = NULL;
}

void arena_fini(struct arena *a)
{
	while (a->last) {
		struct arena_block *block = a->last;

		a->last = block->previous;
		free(block);
	}
}

static struct arena_block *arena_grow(struct arena *a, size_t bytes)
{
	size_t room = bytes > ARENA_BLOCK_BYTES ? bytes : ARENA_BLOCK_BYTES;
	struct arena_block *block = calloc(1, sizeof(*block) + room);

	if (!block) {
		fputs("vblksim: out of memory\n", stderr);
		exit(1);
	}
	block->bytes = room;
	block->previous = a->last;
	a->last = block;
	return block;
}

void *arena_alloc(struct arena *a, size_t bytes)
{
	struct arena_block *block = a->last;
	void *p;

	bytes = (bytes + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;
	if (!block || block->bytes - block->used < bytes)
		block = arena_grow(a, bytes);
	p = (char *)block->data + block->used;
	block->used += bytes;
	return p;
}

char *arena_text(struct arena *a, const char *text, size_t bytes)
{
	char *copy = arena_alloc(a, bytes + 1);

	memcpy(copy, text, bytes);
	return copy;
}

char *arena_string(struct arena *a, const char *text)
{
	return arena_text(a, text, strlen(text));
}

char *arena_format(struct arena *a, const char *fmt, ...)
{
	va_list ap;
	int length;
	char *text;

	va_start(ap, fmt);
	length = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	text = arena_alloc(a, (size_t)length + 1);
	va_start(ap, fmt);
	vsnprintf(text, (size_t)length + 1, fmt, ap);
	va_end(ap);
	return text;
}
