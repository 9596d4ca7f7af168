/* SPDX-License-Identifier: GPL-2.0-only */
/* The table of keys from inside: giving a field the value of a text. */
#ifndef MODEL_HARNESS_SCENARIO_KEY_H
#define MODEL_HARNESS_SCENARIO_KEY_H

#include <stdbool.h>
#include <stddef.h>

#include "model/harness/arena.h"
#include "model/harness/scenario.h"
#include "model/harness/suggest.h"

/* At least as many as there are keys. */
#define SCENARIO_KEYS_MAX	160u

/* Index of @path in the table, or -1. */
int scenario_key_index(const char *path);

/*
 * Set the field of @key in @cfg to what @text says.
 * @a: where texts are copied to
 * @why: on failure the reason with the allowed values, a full sentence part
 * False: not allowed, @cfg is unchanged.
 */
bool scenario_key_parse(const struct scenario_key *key, const char *text,
			struct scenario_config *cfg, struct arena *a,
			char *why, size_t why_bytes);

/* Does it take a list? */
bool scenario_key_is_list(const struct scenario_key *key);

/* For those: the list as a whole, @texts_nr of them. */
bool scenario_key_parse_list(const struct scenario_key *key,
			     const char *const *texts, size_t texts_nr,
			     struct scenario_config *cfg, struct arena *a,
			     char *why, size_t why_bytes);

/* Every key its default; those without one are 0 or "". */
void scenario_key_presets(struct scenario_config *cfg, struct arena *a);

/* Is @path, of @length bytes, a group such as "job" or "device.store"? */
bool scenario_key_is_group(const char *path, size_t length);

/* Field of an integral type as a number. */
uint64_t scenario_key_number(const struct scenario_key *key,
			     const struct scenario_config *cfg);

/*
 * What @path, unknown, may have meant: a key or group at the same place, or a
 * key of that name elsewhere, with the whole path. NULL: nothing near.
 */
const char *scenario_key_suggest(struct arena *a, const char *path);

/* "iodepth, iodepth_batch, ...": what group @prefix ("" for the top) knows. */
void scenario_key_siblings(const char *prefix, char *buf, size_t bytes);

#endif
