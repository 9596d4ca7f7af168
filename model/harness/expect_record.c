// SPDX-License-Identifier: GPL-2.0-only
/* What was recorded: the cell of a CSV file that an entry of `expect` names. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "model/harness/csv.h"
#include "model/harness/expect_entry.h"
#include "model/harness/quantity.h"
#include "model/harness/suggest.h"

#define RECORD_DIGITS		6u

/* A file that was read; @good: without errors */
struct expect_file {
	const char *path;
	struct csv csv;
	bool good;
	struct expect_file *next;
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

double expect_record_number(struct expect_lookup *l,
			    const struct yaml_value *record,
			    const char *column,
			    const struct yaml_value *figure)
{
	const struct csv *csv = expect_open(l, yaml_tree_get(record, "file"));
	const struct csv_row *row;
	const struct csv_cell *cell;
	int i;

	row = csv ? expect_find_row(l, csv, record) : NULL;
	if (!row)
		return NAN;
	i = csv_column(csv, column);
	if (i < 0) {
		diag_error(l->diag, figure->pos, "%s: %s has no column '%s'",
			   figure->key, csv->source.name, column);
		return NAN;
	}
	cell = &row->cells[i];
	if (*cell->text)
		return expect_number(l, csv, cell, column);
	diag_error(l->diag, figure->pos, "%s: %s is empty in the row of %s:%u",
		   figure->key, column, csv->source.name,
		   csv_pos(csv, cell).line);
	return NAN;
}
