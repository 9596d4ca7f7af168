/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A YAML document as a tree of scalars, maps and lists that remember where
 * they stand. A subset: one document, no anchors, aliases or tags, keys are
 * scalars and unique, nesting is bounded. Scalars stay text.
 */
#ifndef MODEL_HARNESS_YAML_H
#define MODEL_HARNESS_YAML_H

#include <stdbool.h>
#include <stddef.h>

#include "model/harness/arena.h"
#include "model/harness/diag.h"

#define YAML_DEPTH_MAX	12u

enum yaml_kind {
	YAML_IS_SCALAR,
	YAML_IS_MAP,
	YAML_IS_LIST,
};

/*
 * A value in the tree.
 * @key:  name in the map it is in, or NULL; @key_pos its place
 * @text: of a scalar, without quotes; holds no NUL; else NULL
 * @quoted: written in quotes, so "" is a value and not a missing one
 * @first, @next: items of a map or list in written order
 */
struct yaml_value {
	enum yaml_kind kind;
	const char *key;
	struct diag_pos key_pos;
	struct diag_pos pos;
	const char *text;
	bool quoted;
	struct yaml_value *first;
	struct yaml_value *next;
};

/*
 * Parse @source.
 * @a: what the tree lives in; the tree also refers to @source
 * Returns the top value, or NULL after errors in @d. An empty document is an
 * error.
 */
struct yaml_value *yaml_tree_parse(struct arena *a,
				   const struct diag_source *source,
				   struct diag *d);

/* "a map", "a list", "a value" */
const char *yaml_kind_name(enum yaml_kind kind);

/* The item of map @map with @key, or NULL. */
struct yaml_value *yaml_tree_get(const struct yaml_value *map,
				 const char *key);

#endif
