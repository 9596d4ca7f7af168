// SPDX-License-Identifier: GPL-2.0-only
#include "model/harness/suggest.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

#define SUGGEST_WORD_MAX	63u

static int suggest_fold(char c)
{
	return c == '_' ? '-' : tolower((unsigned char)c);
}

static unsigned int suggest_min(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

/* Rows i-2, i-1 and i of the usual table, in turn. */
typedef unsigned int suggest_row[SUGGEST_WORD_MAX + 1];

static void suggest_fill(suggest_row *rows, size_t i, const char *a,
			 const char *b, size_t b_len)
{
	unsigned int *row = rows[i % 3];
	const unsigned int *up = rows[(i + 2) % 3];
	const unsigned int *up2 = rows[(i + 1) % 3];
	size_t j;

	row[0] = (unsigned int)i;
	for (j = 1; j <= b_len; j++) {
		int x = suggest_fold(a[i - 1]);
		int y = suggest_fold(b[j - 1]);

		row[j] = suggest_min(up[j] + 1, row[j - 1] + 1);
		row[j] = suggest_min(row[j], up[j - 1] + (x != y));
		if (i > 1 && j > 1 && x == suggest_fold(b[j - 2]) &&
		    y == suggest_fold(a[i - 2]))
			row[j] = suggest_min(row[j], up2[j - 2] + 1);
	}
}

unsigned int suggest_distance(const char *a, const char *b)
{
	size_t a_len = strlen(a);
	size_t b_len = strlen(b);
	suggest_row rows[3];
	size_t i;

	if (a_len > SUGGEST_WORD_MAX || b_len > SUGGEST_WORD_MAX)
		return (unsigned int)(a_len > b_len ? a_len : b_len);
	memset(rows, 0, sizeof(rows));
	for (i = 0; i <= b_len; i++)
		rows[0][i] = (unsigned int)i;
	for (i = 1; i <= a_len; i++)
		suggest_fill(rows, i, a, b, b_len);
	return rows[a_len % 3][b_len];
}

void suggest_init(struct suggest *s, const char *word)
{
	s->word = word;
	s->best = NULL;
	s->distance = UINT_MAX;
}

void suggest_offer(struct suggest *s, const char *candidate)
{
	unsigned int distance = suggest_distance(s->word, candidate);

	if (distance < s->distance) {
		s->best = candidate;
		s->distance = distance;
	}
}

const char *suggest_result(const struct suggest *s)
{
	size_t allowed = strlen(s->word) / 3;

	if (!s->best || s->distance > (allowed ? allowed : 1))
		return NULL;
	/* "no" is not a misspelling of "rw": something must be left over */
	if (s->distance >= strlen(s->word))
		return NULL;
	return s->best;
}

const char *suggest_from(const char *word, const char *const *list)
{
	struct suggest s;

	suggest_init(&s, word);
	for (; *list; list++)
		suggest_offer(&s, *list);
	return suggest_result(&s);
}
