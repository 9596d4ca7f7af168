// SPDX-License-Identifier: GPL-2.0-only
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/harness/report.h"
#include "model/harness/report_format.h"
#include "tests/harness/sample.h"

#define VARIANTS 9

static struct scenario_config configs[VARIANTS];
static struct result results[VARIANTS];
static struct report_run runs[VARIANTS];
static struct report rep = { .runs = runs };
static char *text;

static void setup(void)
{
	static const char *const names[VARIANTS] = {
		"base", "fast", "same", "v3", "v4", "v5", "v6", "v7", "v8",
	};
	uint32_t i;

	for (i = 0; i < VARIANTS; i++) {
		configs[i].scenario = "trial";
		configs[i].question = "Which is faster?";
		configs[i].variant = names[i];
		configs[i].note = "";
		configs[i].machine = "zero";
		configs[i].seed = 7;
		sample_result(&results[i], 1234567);
		runs[i].config = &configs[i];
		runs[i].result = &results[i];
	}
	/* half of the spinning and of one stage, all of the locked exits gone */
	results[1].digest = 2;
	results[1].duration_ps = SAMPLE_WINDOW_PS / 2;
	results[1].exits_locked = 0;
	results[1].locks[0].exits_nr = 0;
	results[1].threads[0].stats.mode_ps[HW_SPIN] = 0;
	results[1].latency.sum_ps -= results[1].stage_sum_ps[6];
	results[1].stage_sum_ps[6] = 0;
	rep.runs_nr = 1;
	rep.colour = false;
}

static void teardown(void)
{
	uint32_t i;

	for (i = 0; i < VARIANTS; i++)
		result_fini(&results[i]);
	free(text);
	text = NULL;
}

/* Sentences are searched as if they stood in one line. */
static void unwrap(void)
{
	char *at = text;

	while ((at = strstr(at, "\n  "))) {
		memmove(at, at + 2, strlen(at + 2) + 1);
		at++;
	}
}

static const char *print(void (*part)(const struct report *, FILE *),
			 uint32_t nr)
{
	size_t bytes;
	FILE *out;

	free(text);
	rep.runs_nr = nr;
	out = open_memstream(&text, &bytes);
	part(&rep, out);
	fclose(out);
	if (part == report_why)
		unwrap();
	return text;
}

static void has(const char *part)
{
	ck_assert_msg(strstr(text, part), "'%s' is not in:\n%s", part, text);
}

static void has_not(const char *part)
{
	ck_assert_msg(!strstr(text, part), "'%s' is in:\n%s", part, text);
}

/* Sum of the first (time) or second (percent) number of each stage line. */
static double stage_column(int which, double *shown)
{
	const char *line = text;
	double sum = 0;

	for (; (line = strchr(line, '\n')); ) {
		double time;
		double percent;
		char unit[8];
		const char *at = ++line;

		if (strncmp(line, "  ", 2) || strlen(line) < 16)
			continue;
		at += 16;
		if (sscanf(at, "%lf %7s %lf", &time, unit, &percent) != 3)
			continue;
		if (!strncmp(line, "  =", 3)) {
			*shown = which ? percent : time;
			return sum;
		}
		sum += which ? percent : time;
	}
	ck_abort_msg("no sum in:\n%s", text);
}

START_TEST(stages_visibly_add_up_to_the_latency)
{
	uint64_t unit_ps;

	/* a prime step, so that every way of rounding is met */
	for (unit_ps = 1; unit_ps < 4000000; unit_ps += 41047) {
		double shown;
		double sum;

		result_fini(&results[0]);
		sample_result(&results[0], unit_ps);
		print(report_stages, 1);
		sum = stage_column(0, &shown);
		ck_assert_double_eq_tol(sum, shown, 1e-6);
		sum = stage_column(1, &shown);
		ck_assert_double_eq_tol(sum, 100.0, 1e-6);
		ck_assert_double_eq_tol(shown, 100.0, 1e-6);
	}
}
END_TEST

START_TEST(header_says_what_was_run)
{
	print(report_print, 2);
	has("trial\n");
	has("Which is faster?");
	has("machine   zero");
	has("seed      7");
	has("driver    bundled 0011223344556677, gcc 12\n");
	result_set(&results[1].driver.source, "linux-6.12");
	print(report_header, 2);
	has("driver    base: bundled");
	has("driver    fast: linux-6.12 0011223344556677, profile 6.12, gcc 12\n");
	result_set(&results[1].driver.ring, "r.c");
	print(report_header, 2);
	has("driver    fast: linux-6.12 0011223344556677, ring r.c, profile 6.12, gcc 12\n");
}
END_TEST

START_TEST(changes_are_against_the_first_variant)
{
	print(report_changes, 3);
	has("IOPS ratio                   1.000       2.000");
	has("+100.0 %");
	has("-100.0 %");
	ck_assert_str_eq(print(report_changes, 1), "");
}
END_TEST

START_TEST(why_names_the_largest_changes)
{
	print(report_why, 2);
	has("fast against base: IOPS +100.0 %");
	has("largest change is in 'done - used': 8642.0 ns -> 0 ns, 100 % of the change");
	has("vCPUs in 'spin' changes most: 2500.0 ns -> 0 ns");
	has("Lock vq.lock:");
	has("exits while held 1.00 -> 0 per I/O");
	has("exits with a lock held 1.00 -> 0");
}
END_TEST

START_TEST(why_follows_the_numbers)
{
	results[1].threads[0].stats.mode_ps[HW_SPIN] =
		results[0].threads[0].stats.mode_ps[HW_SPIN];
	results[1].threads[1].stats.mode_ps[HW_EXIT] = SAMPLE_WINDOW_PS;
	print(report_why, 2);
	has_not("'spin'");
	has("host threads in 'exit'");
}
END_TEST

START_TEST(why_says_when_nothing_differs)
{
	print(report_why, 3);
	has("same and base have the same digest");
}
END_TEST

START_TEST(failed_variant_shows_its_failure_and_is_no_reference)
{
	result_set(&results[0].failure, "ended by signal 11");
	print(report_print, 3);
	has("base failed: ended by signal 11");
	has("same against fast: IOPS -50.0 %");
	has_not("against base");
	result_set(&results[1].failure, "x");
	result_set(&results[2].failure, "y");
	print(report_print, 3);
	has("same failed: y");
	has_not("IOPS");
}
END_TEST

START_TEST(verdicts_and_errors_are_shown)
{
	result_add_verdict(&results[0], "request 3 completed twice");
	results[0].errors_nr = 5;
	print(report_print, 1);
	has("base: verdict: request 3 completed twice");
	has("base: 5 I/Os ended with an error");
}
END_TEST

START_TEST(lines_fit_a_terminal_of_100_columns)
{
	const char *line;
	const char *end;
	struct result_lock *lock;

	lock = result_add_lock(&results[1],
			       "a lock whose name is too long for its column");
	lock->instances_nr = 64;
	lock->wait_max_ps = UINT64_C(999990000000);
	print(report_print, VARIANTS);
	has("v8");
	has("a lock whose name is too x64");
	for (line = text; (end = strchr(line, '\n')); line = end + 1) {
		ck_assert_msg(end - line <= 100, "%.*s", (int)(end - line),
			      line);
		ck_assert_msg(end == line || end[-1] != ' ', "'%.*s'",
			      (int)(end - line), line);
	}
}
END_TEST

START_TEST(colours_only_when_asked_for)
{
	print(report_print, 2);
	ck_assert_ptr_null(strchr(text, '\033'));
	rep.colour = true;
	print(report_print, 2);
	ck_assert_ptr_nonnull(strchr(text, '\033'));
}
END_TEST

START_TEST(no_colour_without_terminal)
{
	FILE *file = tmpfile();

	ck_assert(!report_wants_colour(file));
	fclose(file);
}
END_TEST

START_TEST(empty_results_print)
{
	uint32_t i;

	for (i = 0; i < 2; i++)
		result_fini(&results[i]);
	print(report_print, 2);
	has("same digest");
	results[1].digest = 1;
	print(report_print, 2);
	has("nothing to compare");
	has_not("nan");
	has_not("inf");
}
END_TEST

START_TEST(units_are_readable)
{
	char buf[64];

	report_format_ns(buf, sizeof(buf), 81.25);
	ck_assert_str_eq(buf, "81.2 ns");
	report_format_ns(buf, sizeof(buf), 81250);
	ck_assert_str_eq(buf, "81.25 us");
	report_format_ns(buf, sizeof(buf), 1.5e10);
	ck_assert_str_eq(buf, "15.00 s");
	report_format_count(buf, sizeof(buf), 212345);
	ck_assert_str_eq(buf, "212.3 K");
	report_format_count(buf, sizeof(buf), 2543210);
	ck_assert_str_eq(buf, "2.54 M");
	report_format_change(buf, sizeof(buf), 1000, 1001);
	ck_assert_str_eq(buf, "+0.10 %");
	report_format_change(buf, sizeof(buf), 0, 1);
	ck_assert_str_eq(buf, "new");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("report");
	TCase *tc = tcase_create("report");
	SRunner *runner;
	int failed;

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, stages_visibly_add_up_to_the_latency);
	tcase_add_test(tc, header_says_what_was_run);
	tcase_add_test(tc, changes_are_against_the_first_variant);
	tcase_add_test(tc, why_names_the_largest_changes);
	tcase_add_test(tc, why_follows_the_numbers);
	tcase_add_test(tc, why_says_when_nothing_differs);
	tcase_add_test(tc, failed_variant_shows_its_failure_and_is_no_reference);
	tcase_add_test(tc, verdicts_and_errors_are_shown);
	tcase_add_test(tc, lines_fit_a_terminal_of_100_columns);
	tcase_add_test(tc, colours_only_when_asked_for);
	tcase_add_test(tc, no_colour_without_terminal);
	tcase_add_test(tc, empty_results_print);
	tcase_add_test(tc, units_are_readable);
	suite_add_tcase(suite, tc);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
