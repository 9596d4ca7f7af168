// SPDX-License-Identifier: GPL-2.0-only
#include "model/harness/expect.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "model/harness/csv.h"
#include "model/harness/quantity.h"
#include "model/harness/scenario.h"
#include "model/harness/suggest.h"

#define TOLERANCE_DIGITS	3u
#define TOLERANCE_MAX		UINT64_C(1000000)	/* 1000 % */
#define RECORD_DIGITS		6u
/* Rounding of a quotient must not decide, see expect_holds(). */
#define DEVIATION_SLACK		1e-9

/* @value: NULL if it is not expected */
struct expect_tolerance {
	const struct yaml_value *value;
	uint64_t tolerance;
	bool points;
};

struct expect_entry {
	const struct yaml_value *record;
	uint32_t variant;
	struct expect_tolerance tolerances[EXPECT_KINDS_NR];
	uint32_t against;
};

struct expect {
	struct expect_entry *entries;
	uint32_t nr;
};

struct expect_reader {
	struct expect *expect;
	const char *const *variants;
	uint32_t variants_nr;
	struct diag *diag;
};

static const char *const expect_entry_keys[] = {
	"variant", "record", "iops", "lat", "irq_per_io", "change", NULL
};

static const char *const expect_change_keys[] = { "against", "within", NULL };

static const char *const expect_key[EXPECT_KINDS_NR] = {
	[EXPECT_IOPS] = "iops",
	[EXPECT_LAT] = "lat",
	[EXPECT_IRQ_PER_IO] = "irq_per_io",
	[EXPECT_CHANGE] = "change",
};

/* Column of the figure; a change is one of IOPS. */
static const char *const expect_column[EXPECT_KINDS_NR] = {
	[EXPECT_IOPS] = "iops",
	[EXPECT_LAT] = "lat_us",
	[EXPECT_IRQ_PER_IO] = "irq_per_io",
	[EXPECT_CHANGE] = "iops",
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

/* @known: NULL-terminated */
static void expect_unknown(struct diag *d, struct diag_pos pos,
			   const char *what, const char *name,
			   const char *const *known)
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

static struct expect_entry *expect_of_variant(const struct expect *e,
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

/* Records. */

/* A file that was read; @good: without errors */
struct expect_file {
	const char *path;
	struct csv csv;
	bool good;
	struct expect_file *next;
};

struct expect_lookup {
	const char *folder;
	struct arena *arena;
	struct diag *diag;
	struct expect_file *files;
};

static const struct csv *expect_open(struct expect_lookup *l,
				     const struct yaml_value *value)
{
	const char *path = arena_format(l->arena, "%s%s",
					*value->text == '/' ? "" : l->folder,
					value->text);
	struct expect_file *file;

	for (file = l->files; file; file = file->next)
		if (!strcmp(file->path, path))
			return file->good ? &file->csv : NULL;
	file = arena_alloc(l->arena, sizeof(*file));
	file->path = path;
	file->good = csv_load(&file->csv, l->arena, path, l->diag);
	file->next = l->files;
	l->files = file;
	if (!file->good)
		diag_error(l->diag, value->pos, "file: '%.256s' is of no use",
			   path);
	return file->good ? &file->csv : NULL;
}

static void expect_unknown_column(struct expect_lookup *l,
				  const struct csv *csv, struct diag_pos pos,
				  const char *name)
{
	const char *known[CSV_COLUMNS_MAX + 1] = { NULL };
	uint32_t i;

	for (i = 0; i < csv->columns_nr; i++)
		known[i] = csv->columns[i].text;
	expect_unknown(l->diag, pos, "column", name, known);
}

static bool expect_columns_known(struct expect_lookup *l,
				 const struct csv *csv,
				 const struct yaml_value *record)
{
	const struct yaml_value *item;
	bool known = true;

	for (item = record->first; item; item = item->next) {
		if (!strcmp(item->key, "file") ||
		    csv_column(csv, item->key) >= 0)
			continue;
		expect_unknown_column(l, csv, item->key_pos, item->key);
		known = false;
	}
	return known;
}

static bool expect_cell_is(const struct csv *csv, const struct csv_row *row,
			   const struct yaml_value *item)
{
	return !strcmp(item->key, "file") ||
	       !strcmp(row->cells[csv_column(csv, item->key)].text,
		       item->text);
}

static bool expect_row_is(const struct csv *csv, const struct csv_row *row,
			  const struct yaml_value *record)
{
	const struct yaml_value *item;

	for (item = record->first; item; item = item->next)
		if (!expect_cell_is(csv, row, item))
			return false;
	return true;
}

/* No cell of the column has the text of @item: is there one like it? */
static bool expect_say_no_cell(struct expect_lookup *l, const struct csv *csv,
			       const struct yaml_value *item)
{
	const struct csv_row *row;
	struct suggest near;

	suggest_init(&near, item->text);
	for (row = csv->first; row; row = row->next) {
		if (expect_cell_is(csv, row, item))
			return false;
		suggest_offer(&near,
			      row->cells[csv_column(csv, item->key)].text);
	}
	if (suggest_result(&near))
		diag_error(l->diag, item->pos,
			   "no row of %s with %.64s '%.64s'; did you mean '%s'?",
			   csv->source.name, item->key, item->text,
			   suggest_result(&near));
	else
		diag_error(l->diag, item->pos,
			   "no row of %s with %.64s '%.64s'", csv->source.name,
			   item->key, item->text);
	return true;
}

static void expect_say_no_row(struct expect_lookup *l, const struct csv *csv,
			      const struct yaml_value *record)
{
	const struct yaml_value *item;
	bool said = false;

	for (item = record->first; item; item = item->next)
		said |= expect_say_no_cell(l, csv, item);
	if (!said)
		diag_error(l->diag, record->pos,
			   "no row of %s has all of these",
			   csv->source.name);
}

static void expect_say_rows(struct expect_lookup *l, const struct csv *csv,
			    const struct yaml_value *record,
			    const struct csv_row *first,
			    const struct csv_row *second)
{
	uint32_t lines[] = { csv_pos(csv, first->cells).line,
			     csv_pos(csv, second->cells).line };
	uint32_t i;

	for (i = 0; i < csv->columns_nr; i++)
		if (strcmp(first->cells[i].text, second->cells[i].text))
			break;
	if (i < csv->columns_nr)
		diag_error(l->diag, record->pos,
			   "several rows of %s, the first two in lines %u and %u; they differ in %.64s: '%.64s', '%.64s'",
			   csv->source.name, lines[0], lines[1],
			   csv->columns[i].text, first->cells[i].text,
			   second->cells[i].text);
	else
		diag_error(l->diag, record->pos,
			   "several rows of %s, equal ones in lines %u and %u",
			   csv->source.name, lines[0], lines[1]);
}

/* The only row of @record, NULL after an error. */
static const struct csv_row *expect_find_row(struct expect_lookup *l,
					     const struct csv *csv,
					     const struct yaml_value *record)
{
	const struct csv_row *found = NULL;
	const struct csv_row *row;

	if (!expect_columns_known(l, csv, record))
		return NULL;
	for (row = csv->first; row; row = row->next) {
		if (!expect_row_is(csv, row, record))
			continue;
		if (found) {
			expect_say_rows(l, csv, record, found, row);
			return NULL;
		}
		found = row;
	}
	if (!found)
		expect_say_no_row(l, csv, record);
	return found;
}

static double expect_number(struct expect_lookup *l, const struct csv *csv,
			    const struct csv_cell *cell, const char *column)
{
	uint64_t value = 0;
	int err = quantity_decimal(cell->text, RECORD_DIGITS, &value);

	if (!err && value)
		return (double)value / 1e6;
	diag_error(l->diag, csv_pos(csv, cell),
		   "%s: '%.64s' is not a number above 0%s", column, cell->text,
		   err == -ERANGE || err == -EDOM ?
			   " that fits (six digits after the point)" : "");
	return NAN;
}

/* The figure that entry @of has for @t of kind @kind; NAN after an error. */
static double expect_recorded(struct expect_lookup *l,
			      const struct expect_entry *of,
			      const struct expect_tolerance *t,
			      enum expect_kind kind)
{
	const struct csv *csv =
		expect_open(l, yaml_tree_get(of->record, "file"));
	const char *column = expect_column[kind];
	const struct csv_row *row;
	const struct csv_cell *cell;
	int i;

	row = csv ? expect_find_row(l, csv, of->record) : NULL;
	if (!row)
		return NAN;
	i = csv_column(csv, column);
	if (i < 0) {
		diag_error(l->diag, t->value->pos,
			   "%s: %s has no column '%s'", t->value->key,
			   csv->source.name, column);
		return NAN;
	}
	cell = &row->cells[i];
	if (*cell->text)
		return expect_number(l, csv, cell, column);
	diag_error(l->diag, t->value->pos,
		   "%s: %s is empty in the row of %s:%u", t->value->key,
		   column, csv->source.name, csv_pos(csv, cell).line);
	return NAN;
}

static void expect_look_up(struct expect_lookup *l, const struct expect *e,
			   const struct expect_entry *entry,
			   enum expect_kind kind, struct expect_figure *f)
{
	const struct expect_tolerance *t = &entry->tolerances[kind];

	*f = (struct expect_figure){
		.kind = kind,
		.variant = entry->variant,
		.against = entry->against,
		.record = entry->record,
		.recorded = expect_recorded(l, entry, t, kind),
		.tolerance = t->tolerance,
		.points = t->points,
	};
	if (kind == EXPECT_CHANGE)
		f->recorded /= expect_recorded(
			l, expect_of_variant(e, entry->against), t, kind);
}

bool expect_figures(const struct expect *e, const char *folder,
		    struct arena *a, struct diag *d,
		    struct expect_figure **figures, uint32_t *nr)
{
	struct expect_lookup l = { .folder = folder, .arena = a, .diag = d };
	unsigned int before = d->errors_nr;
	uint32_t kind;
	uint32_t i;

	*figures = arena_alloc(a, ((size_t)e->nr * EXPECT_KINDS_NR + 1) *
				  sizeof(**figures));
	*nr = 0;
	for (i = 0; i < e->nr; i++)
		for (kind = 0; kind < EXPECT_KINDS_NR; kind++)
			if (e->entries[i].tolerances[kind].value)
				expect_look_up(&l, e, &e->entries[i], kind,
					       &(*figures)[(*nr)++]);
	return d->errors_nr == before;
}

/* Judging. */

static double expect_iops(const struct report_run *runs, uint32_t nr,
			  uint32_t variant)
{
	if (variant >= nr || runs[variant].result->failure)
		return NAN;
	return runs[variant].repeat->iops.mean;
}

double expect_got(const struct expect_figure *f, const struct report_run *runs,
		  uint32_t nr)
{
	double iops = expect_iops(runs, nr, f->variant);
	double base;

	switch (f->kind) {
	case EXPECT_LAT:
		if (isnan(iops) || !runs[f->variant].result->ios)
			return NAN;
		return runs[f->variant].repeat->job_lat_ns.mean / 1e3;
	case EXPECT_IRQ_PER_IO:
		if (isnan(iops) || !runs[f->variant].result->ios)
			return NAN;
		return runs[f->variant].repeat->irq_per_io.mean;
	case EXPECT_CHANGE:
		base = expect_iops(runs, nr, f->against);
		return base > 0 ? iops / base : NAN;
	default:
		return iops;
	}
}

double expect_deviation(const struct expect_figure *f, double got)
{
	if (f->points)
		return (got - f->recorded) * 100;
	return (got / f->recorded - 1) * 100;
}

bool expect_holds(const struct expect_figure *f, double got)
{
	return fabs(expect_deviation(f, got)) <=
	       (double)f->tolerance / 1e3 + DEVIATION_SLACK;
}
