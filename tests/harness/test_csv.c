// SPDX-License-Identifier: GPL-2.0-only
/* The reader of recorded figures; its limits from both sides. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/harness/csv.h"

static struct arena arena;
static struct csv csv;
static struct diag_source source;
static char *messages;

static void set_up(void)
{
	arena_init(&arena);
}

static void tear_down(void)
{
	arena_fini(&arena);
	free(messages);
	messages = NULL;
}

static bool parse_bytes(const char *text, size_t bytes)
{
	size_t size;
	struct diag d;
	FILE *out;
	bool ok;

	free(messages);
	out = open_memstream(&messages, &size);
	source = (struct diag_source){ "t.csv", text, bytes };
	diag_init(&d, out, 20);
	ok = csv_parse(&csv, &arena, &source, &d);
	ck_assert_uint_eq(d.errors_nr, ok ? 0 : 1);
	diag_fini(&d);
	fclose(out);
	return ok;
}

static void good(const char *text)
{
	ck_assert_msg(parse_bytes(text, strlen(text)), "%s", messages);
}

static void bad(const char *text, const char *part)
{
	ck_assert_msg(!parse_bytes(text, strlen(text)), "accepted: %s", text);
	ck_assert_msg(strstr(messages, part), "'%s' is not in:\n%s", part,
		      messages);
}

static const struct csv_row *row(uint32_t i)
{
	const struct csv_row *r = csv.first;

	while (i--)
		r = r->next;
	return r;
}

static const char *cell(uint32_t i, const char *column)
{
	return row(i)->cells[csv_column(&csv, column)].text;
}

START_TEST(cells_are_found_by_column)
{
	good("a,b,c\n1,2,3\n,,\n");
	ck_assert_uint_eq(csv.columns_nr, 3);
	ck_assert_uint_eq(csv.rows_nr, 2);
	ck_assert_str_eq(cell(0, "a"), "1");
	ck_assert_str_eq(cell(0, "c"), "3");
	ck_assert_str_eq(cell(1, "b"), "");
	ck_assert_int_eq(csv_column(&csv, "d"), -1);
	ck_assert_int_eq(csv_column(&csv, "A"), -1);
}
END_TEST

START_TEST(quotes_are_those_of_rfc_4180)
{
	good("a,\"b,\"\"x\"\"\"\n\"1,2\",\"x \"\"y\"\"\"\n\"two\nlines\",\"\"\n");
	ck_assert_str_eq(cell(0, "a"), "1,2");
	ck_assert_str_eq(cell(0, "b,\"x\""), "x \"y\"");
	ck_assert_str_eq(cell(1, "a"), "two\nlines");
	ck_assert_str_eq(cell(1, "b,\"x\""), "");
	ck_assert_uint_eq(csv_pos(&csv, row(1)->cells).line, 3);
	bad("a,b\n1,\"2", "t.csv:2:3: this quote is not closed");
	bad("a,b\n1,\"2\"\"", "t.csv:2:3: this quote is not closed");
	bad("a,b\n1,\"2\"3\n", "t.csv:2:6: after a closing quote");
	bad("a,b\n1,2\"3\"\n", "t.csv:2:4: a quote within a cell");
}
END_TEST

START_TEST(comments_and_empty_lines_are_nothing)
{
	good("# one\n\na,b\n# two, \"\n1,#2\n\n\"#3\",4\n# end");
	ck_assert_uint_eq(csv.rows_nr, 2);
	ck_assert_str_eq(cell(0, "b"), "#2");
	ck_assert_str_eq(cell(1, "a"), "#3");
	bad("# only\n\n", "t.csv:3:1: no line with the columns' names");
	bad("", "no line with the columns' names");
}
END_TEST

START_TEST(line_ends_of_all_systems)
{
	good("\xef\xbb\xbf" "a,b\r\n1,2\r\n\r\n3,4");
	ck_assert_uint_eq(csv.rows_nr, 2);
	ck_assert_str_eq(cell(0, "b"), "2");
	ck_assert_str_eq(cell(1, "b"), "4");
	good("a\r1\r2");
	ck_assert_uint_eq(csv.rows_nr, 2);
}
END_TEST

START_TEST(rows_have_as_many_cells_as_columns)
{
	bad("a,b\n1\n", "t.csv:2:1: a row of 1 cells; there are 2 columns");
	bad("a,b\n1,2\n1,2,3\n", "t.csv:3:1: a row of 3 cells");
}
END_TEST

START_TEST(columns_have_a_name_of_their_own)
{
	bad("a,,c\n", "t.csv:1:3: a column without a name");
	bad("a,b,a\n", "t.csv:1:5: a second column called 'a'");
}
END_TEST

START_TEST(nul_is_refused)
{
	static const char text[] = "a,b\n1,\0\n";

	ck_assert(!parse_bytes(text, sizeof(text) - 1));
	ck_assert_ptr_nonnull(strstr(messages, "t.csv:2:3: a NUL byte"));
}
END_TEST

/* @n times @unit after @head */
static char *repeated(const char *head, const char *unit, size_t n)
{
	size_t size;
	char *text;
	FILE *out = open_memstream(&text, &size);

	fputs(head, out);
	while (n--)
		fputs(unit, out);
	fclose(out);
	return text;
}

static void limit(const char *head, const char *unit, size_t most,
		  const char *part)
{
	char *text = repeated(head, unit, most);

	good(text);
	free(text);
	text = repeated(head, unit, most + 1);
	bad(text, part);
	free(text);
}

START_TEST(cells_rows_and_columns_are_limited)
{
	char columns[CSV_COLUMNS_MAX * 4 + 8] = "c0";
	size_t used = 2;
	uint32_t i;

	limit("a\n", "x", CSV_CELL_BYTES_MAX,
	      "t.csv:2:1: a cell of more than 1024 bytes");
	limit("a\n", "1\n", CSV_ROWS_MAX, "t.csv:10002:1: more than 10000 rows");
	for (i = 1; i < CSV_COLUMNS_MAX; i++)
		used += (size_t)sprintf(columns + used, ",c%u", i);
	good(columns);
	ck_assert_uint_eq(csv.columns_nr, CSV_COLUMNS_MAX);
	strcpy(columns + used, ",x");
	bad(columns, "more than 64 columns");
}
END_TEST

START_TEST(quoted_cells_have_the_same_limit)
{
	char text[CSV_CELL_BYTES_MAX + 8] = "a\n\"";

	memset(text + 3, 'x', CSV_CELL_BYTES_MAX);
	strcpy(text + 3 + CSV_CELL_BYTES_MAX, "\"");
	good(text);
	ck_assert_uint_eq(strlen(cell(0, "a")), CSV_CELL_BYTES_MAX);
	strcpy(text + 3 + CSV_CELL_BYTES_MAX, "x\"");
	bad(text, "t.csv:2:1: a cell of more than 1024 bytes");
}
END_TEST

START_TEST(files_are_limited)
{
	char path[] = "/tmp/vblksim-csv-XXXXXX";
	struct diag d;
	FILE *file = fdopen(mkstemp(path), "w");
	size_t i;

	fputs("a\n1\n", file);
	for (i = 4; i < DIAG_SOURCE_MAX_BYTES; i++)
		fputc('#', file);
	fflush(file);
	diag_init(&d, NULL, 20);
	ck_assert(csv_load(&csv, &arena, path, &d));
	ck_assert_uint_eq(csv.rows_nr, 1);
	fputs("\n", file);
	fclose(file);
	ck_assert(!csv_load(&csv, &arena, path, &d));
	ck_assert_uint_eq(d.errors_nr, 1);
	remove(path);
	ck_assert(!csv_load(&csv, &arena, path, &d));
	ck_assert_uint_eq(d.errors_nr, 2);
	diag_fini(&d);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("csv");
	TCase *tc = tcase_create("csv");
	SRunner *sr = srunner_create(s);
	int failed;

	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, cells_are_found_by_column);
	tcase_add_test(tc, quotes_are_those_of_rfc_4180);
	tcase_add_test(tc, comments_and_empty_lines_are_nothing);
	tcase_add_test(tc, line_ends_of_all_systems);
	tcase_add_test(tc, rows_have_as_many_cells_as_columns);
	tcase_add_test(tc, columns_have_a_name_of_their_own);
	tcase_add_test(tc, nul_is_refused);
	tcase_add_test(tc, cells_rows_and_columns_are_limited);
	tcase_add_test(tc, quoted_cells_have_the_same_limit);
	tcase_add_test(tc, files_are_limited);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
