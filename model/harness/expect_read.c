// SPDX-License-Identifier: GPL-2.0-only
/* The form of `expect`: what can be said without the recorded figures. */
#include <stdio.h>
#include <string.h>

#include "model/harness/expect_entry.h"
#include "model/harness/quantity.h"
#include "model/harness/scenario.h"
#include "model/harness/suggest.h"

#define TOLERANCE_DIGITS	3u
#define TOLERANCE_MAX		UINT64_C(1000000)	/* 1000 % */

struct expect_reader {
	struct expect *expect;
	const char *const *variants;
	uint32_t variants_nr;
	struct diag *diag;
};

static const char *const expect_entry_keys[] = {
	"variant", "record", "iops", "lat", "irq_per_io", "change", "xfail",
	NULL
};

static const char *const expect_change_keys[] = { "against", "within", NULL };

static const char *const expect_key[EXPECT_KINDS_NR + 1] = {
	[EXPECT_IOPS] = "iops",
	[EXPECT_LAT] = "lat",
	[EXPECT_IRQ_PER_IO] = "irq_per_io",
	[EXPECT_CHANGE] = "change",
};

static bool expect_is_text(struct diag *d, const struct yaml_value *value)
{
	if (value->kind == YAML_IS_SCALAR && (*value->text || value->quoted))
		return true;
	if (value->kind == YAML_IS_SCALAR)
		diag_error(d, value->pos, "%s: the value is missing",
			   value->key);
	else
		diag_error(d, value->pos, "%s: a value is needed, not %s",
			   value->key, yaml_kind_name(value->kind));
	return false;
}

void expect_unknown(struct diag *d, struct diag_pos pos, const char *what,
		    const char *name, const char *const *known)
{
	const char *near = suggest_from(name, known);
	char all[512] = "";
	size_t used = 0;

	if (near) {
		diag_error(d, pos, "unknown %s '%.64s'; did you mean '%s'?",
			   what, name, near);
		return;
	}
	for (; *known && used < sizeof(all); known++)
		used += (size_t)snprintf(all + used, sizeof(all) - used,
					 "%s%s", used ? ", " : "", *known);
	diag_error(d, pos, "unknown %s '%.64s'; known: %s", what, name, all);
}

static bool expect_is_map(struct diag *d, const struct yaml_value *value,
			  const char *form, const char *const *keys)
{
	const struct yaml_value *item;
	const char *const *key;

	if (value->kind != YAML_IS_MAP) {
		diag_error(d, value->pos, "a map is needed, not %s: %s",
			   yaml_kind_name(value->kind), form);
		return false;
	}
	for (item = value->first; item; item = item->next) {
		for (key = keys; *key && strcmp(*key, item->key); key++)
			;
		if (!*key)
			expect_unknown(d, item->key_pos, "key", item->key,
				       keys);
	}
	return true;
}

static bool expect_find_variant(struct expect_reader *r,
				const struct yaml_value *value,
				uint32_t *variant)
{
	const char *known[SCENARIO_VARIANTS_MAX + 1] = { NULL };
	uint32_t i;

	if (!expect_is_text(r->diag, value))
		return false;
	for (i = 0; i < r->variants_nr; i++) {
		if (!strcmp(r->variants[i], value->text)) {
			*variant = i;
			return true;
		}
		known[i] = r->variants[i];
	}
	expect_unknown(r->diag, value->pos, "variant", value->text, known);
	return false;
}

struct expect_entry *expect_of_variant(const struct expect *e,
				       uint32_t variant)
{
	uint32_t i;

	for (i = 0; i < e->nr; i++)
		if (e->entries[i].variant == variant)
			return &e->entries[i];
	return NULL;
}

/* Tolerances. */

/* "5 %", "3 points": number and unit; false: not of this form */
static bool expect_split(const char *text, uint64_t *number, bool *points)
{
	size_t length = strspn(text, "0123456789.");
	char digits[32];
	const char *unit;

	if (length >= sizeof(digits))
		return false;
	memcpy(digits, text, length);
	digits[length] = '\0';
	unit = text + length + strspn(text + length, " ");
	*points = !strcmp(unit, "points") || !strcmp(unit, "point");
	return !quantity_decimal(digits, TOLERANCE_DIGITS, number) &&
	       (*points || !strcmp(unit, "%"));
}

static void expect_read_tolerance(struct expect_reader *r,
				  const struct yaml_value *value,
				  enum expect_kind kind,
				  struct expect_tolerance *t)
{
	if (!expect_is_text(r->diag, value))
		return;
	t->value = value;
	if (!expect_split(value->text, &t->tolerance, &t->points))
		diag_error(r->diag, value->pos,
			   "%s: '%.64s' is not a tolerance such as '5 %%'%s, above 0 and up to 1000",
			   value->key, value->text,
			   kind == EXPECT_CHANGE ? " or '3 points'" : "");
	else if (!t->tolerance || t->tolerance > TOLERANCE_MAX)
		diag_error(r->diag, value->pos,
			   "%s: the tolerance must be above 0 and up to 1000",
			   value->key);
	else if (t->points && kind != EXPECT_CHANGE)
		diag_error(r->diag, value->pos,
			   "%s: points are for a change; here use %%",
			   value->key);
}

static void expect_read_change(struct expect_reader *r,
			       const struct yaml_value *map,
			       struct expect_entry *entry)
{
	static const char form[] = "change: {against: VARIANT, within: 10 %}";
	const struct yaml_value *against;
	const struct yaml_value *within;

	if (!expect_is_map(r->diag, map, form, expect_change_keys))
		return;
	against = yaml_tree_get(map, "against");
	within = yaml_tree_get(map, "within");
	if (!against || !within) {
		diag_error(r->diag, map->pos, "'%s' is missing: %s",
			   against ? "within" : "against", form);
		return;
	}
	expect_read_tolerance(r, within, EXPECT_CHANGE,
			      &entry->tolerances[EXPECT_CHANGE]);
	if (expect_find_variant(r, against, &entry->against) &&
	    entry->against == entry->variant)
		diag_error(r->diag, against->pos,
			   "against: the variant itself");
}

/* Entries. */

static void expect_read_figures(struct expect_reader *r,
				const struct yaml_value *map,
				struct expect_entry *entry)
{
	const struct yaml_value *value;
	bool any = false;

	for (uint32_t kind = 0; kind < EXPECT_KINDS_NR; kind++) {
		value = yaml_tree_get(map, expect_key[kind]);
		any |= value != NULL;
		if (value && kind == EXPECT_CHANGE)
			expect_read_change(r, value, entry);
		else if (value)
			expect_read_tolerance(r, value, kind,
					      &entry->tolerances[kind]);
	}
	if (!any)
		diag_error(r->diag, map->pos,
			   "no figure: one of iops, lat, irq_per_io, change is needed");
}

/* Reasons, for figures that the entry expects. */
static void expect_read_xfail(struct expect_reader *r,
			      const struct yaml_value *map,
			      struct expect_entry *entry)
{
	static const char form[] = "xfail: {iops: WHY}";
	struct expect_tolerance *t = entry->tolerances;

	if (!expect_is_map(r->diag, map, form, expect_key))
		return;
	for (uint32_t kind = 0; kind < EXPECT_KINDS_NR; kind++) {
		const struct yaml_value *why =
			yaml_tree_get(map, expect_key[kind]);

		if (!why || !expect_is_text(r->diag, why))
			continue;
		t[kind].xfail = why->text;
		if (!t[kind].value)
			diag_error(r->diag, why->key_pos,
				   "xfail: the entry expects no %s", why->key);
	}
}

static void expect_read_record(struct expect_reader *r,
			       const struct yaml_value *record)
{
	const struct yaml_value *item;

	if (record->kind != YAML_IS_MAP || !yaml_tree_get(record, "file")) {
		diag_error(r->diag, record->pos,
			   "a record is a map with a file: {file: x.csv, COLUMN: TEXT}");
		return;
	}
	for (item = record->first; item; item = item->next)
		expect_is_text(r->diag, item);
}

static void expect_read_entry(struct expect_reader *r,
			      const struct yaml_value *map)
{
	static const char form[] =
		"{variant: NAME, record: {file: x.csv, COLUMN: TEXT}, iops: 5 %}";
	struct expect *e = r->expect;
	struct expect_entry *entry = &e->entries[e->nr];
	const struct yaml_value *variant;

	if (!expect_is_map(r->diag, map, form, expect_entry_keys))
		return;
	variant = yaml_tree_get(map, "variant");
	entry->record = yaml_tree_get(map, "record");
	if (!variant || !entry->record) {
		diag_error(r->diag, map->pos, "'%s' is missing: %s",
			   variant ? "record" : "variant", form);
		return;
	}
	expect_read_record(r, entry->record);
	if (!expect_find_variant(r, variant, &entry->variant))
		return;
	if (expect_of_variant(e, entry->variant)) {
		diag_error(r->diag, variant->pos,
			   "a second entry for variant '%s'", variant->text);
		return;
	}
	expect_read_figures(r, map, entry);
	if (yaml_tree_get(map, "xfail"))
		expect_read_xfail(r, yaml_tree_get(map, "xfail"), entry);
	e->nr++;
}

/* After all entries, since a change may refer to a later one. */
static void expect_check_against(const struct expect_reader *r)
{
	const struct expect *e = r->expect;
	uint32_t i;

	for (i = 0; i < e->nr; i++) {
		const struct expect_entry *entry = &e->entries[i];
		const struct yaml_value *within =
			entry->tolerances[EXPECT_CHANGE].value;

		if (within && !expect_of_variant(e, entry->against))
			diag_error(r->diag, within->pos,
				   "change: variant '%s' has no entry in expect to compare with",
				   r->variants[entry->against]);
	}
}

static uint32_t expect_length(const struct yaml_value *list)
{
	const struct yaml_value *item;
	uint32_t nr = 0;

	for (item = list->first; item; item = item->next)
		nr++;
	return nr;
}

struct expect *expect_read(struct arena *a, const struct yaml_value *list,
			   const char *const *variants, uint32_t variants_nr,
			   struct diag *d)
{
	struct expect_reader r = {
		.expect = arena_alloc(a, sizeof(*r.expect)),
		.variants = variants,
		.variants_nr = variants_nr,
		.diag = d,
	};
	const struct yaml_value *item;

	if (list->kind != YAML_IS_LIST || !list->first) {
		diag_error(d, list->pos,
			   "expect: a list with at least one entry is needed");
		return r.expect;
	}
	r.expect->entries = arena_alloc(a, (expect_length(list) + 1) *
					   sizeof(*r.expect->entries));
	for (item = list->first; item && !diag_full(d); item = item->next) {
		r.expect->entries[r.expect->nr] = (struct expect_entry){ 0 };
		expect_read_entry(&r, item);
	}
	if (!d->errors_nr)
		expect_check_against(&r);
	return r.expect;
}
