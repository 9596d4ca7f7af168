/* SPDX-License-Identifier: GPL-2.0-only */
/* The known word that somebody may have meant. */
#ifndef MODEL_HARNESS_SUGGEST_H
#define MODEL_HARNESS_SUGGEST_H

#include <stddef.h>

/*
 * Edits (insert, delete, replace, swap neighbours) from @a to @b, case and
 * the difference of '-' and '_' counted as none: the restricted
 * Damerau-Levenshtein distance. Words beyond 63 bytes: the longer length.
 */
unsigned int suggest_distance(const char *a, const char *b);

/* The best match for @word so far. */
struct suggest {
	const char *word;
	const char *best;
	unsigned int distance;
};

void suggest_init(struct suggest *s, const char *word);

/* Offer @candidate (kept, not copied). The first of equals wins. */
void suggest_offer(struct suggest *s, const char *candidate);

/* The best if it is near enough (a third of the letters, at least 1), or NULL. */
const char *suggest_result(const struct suggest *s);

/* All three for a NULL-terminated list. */
const char *suggest_from(const char *word, const char *const *list);

#endif
