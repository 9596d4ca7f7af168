// SPDX-License-Identifier: GPL-2.0-only
#include "model/harness/csv.h"

#include <stdlib.h>
#include <string.h>

#define CSV_BOM		"\xef\xbb\xbf"

/* @at, @end: what has not been read yet; @cells: of the current row */
struct csv_reader {
	struct csv *csv;
	struct arena *arena;
	struct diag *diag;
	const char *at;
	const char *end;
	struct csv_cell cells[CSV_COLUMNS_MAX];
	uint32_t cells_nr;
};

static size_t csv_offset(const struct csv_reader *r, const char *p)
{
	return (size_t)(p - r->csv->source.text);
}

static bool csv_refuse(struct csv_reader *r, const char *p, const char *what)
{
	diag_error(r->diag, diag_pos_of(&r->csv->source, csv_offset(r, p)),
		   "%s", what);
	return false;
}

static bool csv_at_line_end(const struct csv_reader *r)
{
	return r->at == r->end || *r->at == '\n' || *r->at == '\r';
}

static void csv_skip_line_end(struct csv_reader *r)
{
	if (r->at < r->end && *r->at == '\r')
		r->at++;
	if (r->at < r->end && *r->at == '\n')
		r->at++;
}

static bool csv_add_cell(struct csv_reader *r, const char *start,
			 const char *text, size_t bytes)
{
	struct csv_cell *cell = &r->cells[r->cells_nr];

	if (r->cells_nr == CSV_COLUMNS_MAX) {
		diag_error(r->diag,
			   diag_pos_of(&r->csv->source, csv_offset(r, start)),
			   "more than %u columns", CSV_COLUMNS_MAX);
		return false;
	}
	if (bytes > CSV_CELL_BYTES_MAX) {
		diag_error(r->diag,
			   diag_pos_of(&r->csv->source, csv_offset(r, start)),
			   "a cell of more than %u bytes", CSV_CELL_BYTES_MAX);
		return false;
	}
	cell->text = arena_text(r->arena, text, bytes);
	cell->offset = csv_offset(r, start);
	r->cells_nr++;
	return true;
}

static bool csv_quoted_cell(struct csv_reader *r)
{
	const char *start = r->at++;
	char text[CSV_CELL_BYTES_MAX + 1];
	size_t bytes = 0;

	for (;; r->at++) {
		if (r->at == r->end)
			return csv_refuse(r, start, "this quote is not closed");
		if (*r->at == '"' &&
		    (++r->at == r->end || *r->at != '"'))
			break;
		if (bytes < sizeof(text))
			text[bytes++] = *r->at;
	}
	if (!csv_at_line_end(r) && *r->at != ',')
		return csv_refuse(r, r->at,
				  "after a closing quote a comma or the end of the line is needed");
	return csv_add_cell(r, start, text, bytes);
}

static bool csv_plain_cell(struct csv_reader *r)
{
	const char *start = r->at;

	for (; !csv_at_line_end(r) && *r->at != ','; r->at++)
		if (*r->at == '"')
			return csv_refuse(r, r->at,
					  "a quote within a cell that does not begin with one");
	return csv_add_cell(r, start, start, (size_t)(r->at - start));
}

/* The row at the current line, its line end included. */
static bool csv_read_row(struct csv_reader *r)
{
	bool more = true;

	r->cells_nr = 0;
	while (more) {
		bool quoted = r->at < r->end && *r->at == '"';

		if (!(quoted ? csv_quoted_cell(r) : csv_plain_cell(r)))
			return false;
		more = r->at < r->end && *r->at == ',';
		r->at += more;
	}
	csv_skip_line_end(r);
	return true;
}

static const struct csv_cell *csv_keep_cells(struct csv_reader *r)
{
	size_t bytes = r->cells_nr * sizeof(*r->cells);

	return memcpy(arena_alloc(r->arena, bytes), r->cells, bytes);
}

static bool csv_keep_header(struct csv_reader *r)
{
	struct csv *csv = r->csv;
	uint32_t i;

	for (i = 0; i < r->cells_nr; i++) {
		const struct csv_cell *cell = &r->cells[i];

		if (!*cell->text)
			return csv_refuse(r, csv->source.text + cell->offset,
					  "a column without a name");
		if (csv_column(csv, cell->text) >= 0) {
			diag_error(r->diag, csv_pos(csv, cell),
				   "a second column called '%.64s'",
				   cell->text);
			return false;
		}
		csv->columns = r->cells;
		csv->columns_nr = i + 1;
	}
	csv->columns = csv_keep_cells(r);
	return true;
}

static bool csv_keep_row(struct csv_reader *r, struct csv_row ***last)
{
	struct csv *csv = r->csv;
	struct csv_row *row;

	if (csv->rows_nr == CSV_ROWS_MAX) {
		diag_error(r->diag, csv_pos(csv, r->cells),
			   "more than %u rows", CSV_ROWS_MAX);
		return false;
	}
	if (r->cells_nr != csv->columns_nr) {
		diag_error(r->diag, csv_pos(csv, r->cells),
			   "a row of %u cells; there are %u columns",
			   r->cells_nr, csv->columns_nr);
		return false;
	}
	row = arena_alloc(r->arena, sizeof(*row));
	row->cells = csv_keep_cells(r);
	**last = row;
	*last = &row->next;
	csv->rows_nr++;
	return true;
}

/* Move on to the next row; false at the end. */
static bool csv_next_row(struct csv_reader *r)
{
	while (r->at < r->end && (*r->at == '#' || csv_at_line_end(r))) {
		while (!csv_at_line_end(r))
			r->at++;
		csv_skip_line_end(r);
	}
	return r->at < r->end;
}

bool csv_parse(struct csv *csv, struct arena *a,
	       const struct diag_source *source, struct diag *d)
{
	struct csv_row **last = &csv->first;
	struct csv_reader r = { .csv = csv, .arena = a, .diag = d };
	const char *nul = memchr(source->text, '\0', source->bytes);

	*csv = (struct csv){ .source = *source };
	r.at = csv->source.text;
	r.end = r.at + csv->source.bytes;
	if (nul)
		return csv_refuse(&r, nul, "a NUL byte: this is not a text");
	if (source->bytes >= strlen(CSV_BOM) &&
	    !memcmp(r.at, CSV_BOM, strlen(CSV_BOM)))
		r.at += strlen(CSV_BOM);
	if (!csv_next_row(&r))
		return csv_refuse(&r, r.end, "no line with the columns' names");
	if (!csv_read_row(&r) || !csv_keep_header(&r))
		return false;
	while (csv_next_row(&r))
		if (!csv_read_row(&r) || !csv_keep_row(&r, &last))
			return false;
	return true;
}

bool csv_load(struct csv *csv, struct arena *a, const char *path,
	      struct diag *d)
{
	struct diag_source source;
	char *text;

	path = arena_string(a, path);
	if (diag_read_file(d, path, &source, &text))
		return false;
	source.text = arena_text(a, text, source.bytes);
	free(text);
	return csv_parse(csv, a, &source, d);
}

int csv_column(const struct csv *csv, const char *name)
{
	uint32_t i;

	for (i = 0; i < csv->columns_nr; i++)
		if (!strcmp(csv->columns[i].text, name))
			return (int)i;
	return -1;
}

struct diag_pos csv_pos(const struct csv *csv, const struct csv_cell *cell)
{
	return diag_pos_of(&csv->source, cell->offset);
}
