// SPDX-License-Identifier: GPL-2.0-only
#include "model/harness/yaml.h"

#include <stdlib.h>
#include <string.h>

#include <yaml.h>
#include <uthash.h>

/* A key of the map being read, to find the second of its kind. */
struct yaml_known {
	const struct yaml_value *value;
	UT_hash_handle hh;
};

struct yaml_reader {
	yaml_parser_t parser;
	struct arena *arena;
	const struct diag_source *source;
	struct diag *diag;
	unsigned int depth;
};

const char *yaml_kind_name(enum yaml_kind kind)
{
	static const char *const name[] = {
		[YAML_IS_SCALAR] = "a value",
		[YAML_IS_MAP] = "a map",
		[YAML_IS_LIST] = "a list",
	};

	return name[kind];
}

struct yaml_value *yaml_tree_get(const struct yaml_value *map,
				 const char *key)
{
	struct yaml_value *item;

	for (item = map->first; item; item = item->next)
		if (item->key && !strcmp(item->key, key))
			return item;
	return NULL;
}

static struct diag_pos yaml_pos(const struct yaml_reader *r, yaml_mark_t mark)
{
	struct diag_pos pos = {
		.source = r->source,
		.line = (uint32_t)mark.line + 1,
		.column = (uint32_t)mark.column + 1,
	};

	return pos;
}

static void yaml_report_problem(struct yaml_reader *r)
{
	const yaml_parser_t *p = &r->parser;
	struct diag_pos pos = yaml_pos(r, p->problem_mark);
	const char *what = p->problem ? p->problem : "cannot be parsed";

	/* the reader of bytes knows an offset only */
	if (p->error == YAML_READER_ERROR)
		pos = diag_pos_of(r->source, p->problem_offset);
	if (p->context && p->error != YAML_READER_ERROR)
		diag_error(r->diag, pos, "not valid YAML: %s (%s)", what,
			   p->context);
	else
		diag_error(r->diag, pos, "not valid YAML: %s", what);
}

/* The next event, or false after an error. */
static bool yaml_next(struct yaml_reader *r, yaml_event_t *event)
{
	if (yaml_parser_parse(&r->parser, event))
		return true;
	yaml_report_problem(r);
	return false;
}

static bool yaml_refuse(struct yaml_reader *r, yaml_mark_t mark,
			const char *what)
{
	diag_error(r->diag, yaml_pos(r, mark), "%s", what);
	return false;
}

static bool yaml_plain(struct yaml_reader *r, const yaml_event_t *e,
		       const yaml_char_t *anchor, const yaml_char_t *tag)
{
	if (anchor)
		return yaml_refuse(r, e->start_mark,
				   "anchors (&) are not supported: write the value out");
	if (tag)
		return yaml_refuse(r, e->start_mark,
				   "tags (!) are not supported: write the value without");
	return true;
}

/* May this event begin a value? Reports if not. */
static bool yaml_acceptable(struct yaml_reader *r, const yaml_event_t *e)
{
	switch (e->type) {
	case YAML_SCALAR_EVENT:
		if (memchr(e->data.scalar.value, 0, e->data.scalar.length))
			return yaml_refuse(r, e->start_mark,
					   "a value with a NUL character");
		return yaml_plain(r, e, e->data.scalar.anchor,
				  e->data.scalar.tag);
	case YAML_MAPPING_START_EVENT:
		return yaml_plain(r, e, e->data.mapping_start.anchor,
				  e->data.mapping_start.tag);
	case YAML_SEQUENCE_START_EVENT:
		return yaml_plain(r, e, e->data.sequence_start.anchor,
				  e->data.sequence_start.tag);
	case YAML_ALIAS_EVENT:
		return yaml_refuse(r, e->start_mark,
				   "aliases (*) are not supported: write the value out");
	default:
		return yaml_refuse(r, e->start_mark, "a value is missing");
	}
}

static bool yaml_fill_map(struct yaml_reader *r, struct yaml_value *map);
static bool yaml_fill_list(struct yaml_reader *r, struct yaml_value *list);

static void yaml_set_scalar(struct yaml_reader *r, struct yaml_value *value,
			    const yaml_event_t *e)
{
	value->kind = YAML_IS_SCALAR;
	value->quoted = e->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
	value->text = arena_text(r->arena,
				 (const char *)e->data.scalar.value,
				 e->data.scalar.length);
}

static bool yaml_set_group(struct yaml_reader *r, struct yaml_value *value,
			   enum yaml_kind kind)
{
	bool ok;

	value->kind = kind;
	if (r->depth == YAML_DEPTH_MAX) {
		diag_error(r->diag, value->pos,
			   "nested deeper than %u levels", YAML_DEPTH_MAX);
		return false;
	}
	r->depth++;
	ok = kind == YAML_IS_MAP ? yaml_fill_map(r, value) :
				   yaml_fill_list(r, value);
	r->depth--;
	return ok;
}

/* The value that begins with @e, or NULL after an error. */
static struct yaml_value *yaml_value_from(struct yaml_reader *r,
					  const yaml_event_t *e)
{
	struct yaml_value *value;
	bool ok = true;

	if (!yaml_acceptable(r, e))
		return NULL;
	value = arena_alloc(r->arena, sizeof(*value));
	value->pos = yaml_pos(r, e->start_mark);
	if (e->type == YAML_SCALAR_EVENT)
		yaml_set_scalar(r, value, e);
	else if (e->type == YAML_MAPPING_START_EVENT)
		ok = yaml_set_group(r, value, YAML_IS_MAP);
	else
		ok = yaml_set_group(r, value, YAML_IS_LIST);
	return ok ? value : NULL;
}

static bool yaml_fill_list(struct yaml_reader *r, struct yaml_value *list)
{
	struct yaml_value **end = &list->first;
	yaml_event_t event;

	while (yaml_next(r, &event)) {
		bool done = event.type == YAML_SEQUENCE_END_EVENT;

		if (!done)
			*end = yaml_value_from(r, &event);
		yaml_event_delete(&event);
		if (done)
			return true;
		if (!*end)
			return false;
		end = &(*end)->next;
	}
	return false;
}

/* Read the value of @key, a scalar. */
static struct yaml_value *yaml_read_item(struct yaml_reader *r,
					 const yaml_event_t *key)
{
	struct yaml_value *value = NULL;
	yaml_event_t event;
	const char *name;

	if (!yaml_acceptable(r, key))
		return NULL;
	if (key->type != YAML_SCALAR_EVENT || !key->data.scalar.length) {
		yaml_refuse(r, key->start_mark, "a key must be a name");
		return NULL;
	}
	name = arena_text(r->arena, (const char *)key->data.scalar.value,
			  key->data.scalar.length);
	if (!yaml_next(r, &event))
		return NULL;
	value = yaml_value_from(r, &event);
	yaml_event_delete(&event);
	if (value) {
		value->key = name;
		value->key_pos = yaml_pos(r, key->start_mark);
	}
	return value;
}

/* False, and reported, if @value's key has been there; goes on otherwise. */
static bool yaml_note_key(struct yaml_reader *r, struct yaml_known **known,
			  const struct yaml_value *value)
{
	struct yaml_known *entry;

	HASH_FIND_STR(*known, value->key, entry);
	if (entry) {
		diag_error(r->diag, value->key_pos,
			   "'%s' is given twice, first in line %u", value->key,
			   entry->value->key_pos.line);
		return false;
	}
	entry = arena_alloc(r->arena, sizeof(*entry));
	entry->value = value;
	HASH_ADD_KEYPTR(hh, *known, value->key, strlen(value->key), entry);
	return true;
}

static bool yaml_fill_map(struct yaml_reader *r, struct yaml_value *map)
{
	struct yaml_value **end = &map->first;
	struct yaml_known *known = NULL;
	yaml_event_t event;
	bool done = false;
	bool ok = true;

	while (ok && !done && (ok = yaml_next(r, &event))) {
		struct yaml_value *value = NULL;

		done = event.type == YAML_MAPPING_END_EVENT;
		if (!done)
			value = yaml_read_item(r, &event);
		yaml_event_delete(&event);
		ok = done || value;
		if (value && yaml_note_key(r, &known, value)) {
			*end = value;
			end = &value->next;
		}
	}
	HASH_CLEAR(hh, known);
	return ok;
}

/* Take one event and throw it away; false after an error or if it is another. */
static bool yaml_skip(struct yaml_reader *r, yaml_event_type_t type,
		      const char *otherwise)
{
	yaml_event_t event;
	bool ok;

	if (!yaml_next(r, &event))
		return false;
	ok = event.type == type;
	if (!ok)
		yaml_refuse(r, event.start_mark, otherwise);
	yaml_event_delete(&event);
	return ok;
}

static struct yaml_value *yaml_read_document(struct yaml_reader *r)
{
	struct yaml_value *top = NULL;
	yaml_event_t event;

	if (!yaml_skip(r, YAML_STREAM_START_EVENT, "not a YAML stream") ||
	    !yaml_skip(r, YAML_DOCUMENT_START_EVENT, "the file is empty") ||
	    !yaml_next(r, &event))
		return NULL;
	top = yaml_value_from(r, &event);
	yaml_event_delete(&event);
	if (!top ||
	    !yaml_skip(r, YAML_DOCUMENT_END_EVENT, "the document goes on") ||
	    !yaml_skip(r, YAML_STREAM_END_EVENT, "a second document"))
		return NULL;
	return top;
}

struct yaml_value *yaml_tree_parse(struct arena *a,
				   const struct diag_source *source,
				   struct diag *d)
{
	struct yaml_reader r = { .arena = a, .source = source, .diag = d };
	struct yaml_value *top;

	if (!yaml_parser_initialize(&r.parser)) {
		diag_error(d, (struct diag_pos){ .source = source },
			   "out of memory");
		return NULL;
	}
	yaml_parser_set_encoding(&r.parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&r.parser,
				     (const unsigned char *)source->text,
				     source->bytes);
	top = yaml_read_document(&r);
	yaml_parser_delete(&r.parser);
	return top;
}
