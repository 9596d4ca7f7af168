// SPDX-License-Identifier: GPL-2.0-only
#ifndef _GNU_SOURCE
#define _GNU_SOURCE	/* pseudo-terminals */
#endif

#include <check.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/harness/progress.h"

#define MS_PS UINT64_C(1000000000)

static int master;
static FILE *terminal;

static void setup(void)
{
	master = posix_openpt(O_RDWR | O_NOCTTY);
	ck_assert_int_ge(master, 0);
	ck_assert_int_eq(grantpt(master), 0);
	ck_assert_int_eq(unlockpt(master), 0);
	terminal = fopen(ptsname(master), "r+");
	ck_assert_ptr_nonnull(terminal);
	fcntl(master, F_SETFL, O_NONBLOCK);
}

static void teardown(void)
{
	fclose(terminal);
	close(master);
}

/* What has been written to the terminal since the last call. */
static const char *seen(void)
{
	static char text[4096];
	ssize_t n;

	fflush(terminal);
	n = read(master, text, sizeof(text) - 1);
	text[n > 0 ? n : 0] = '\0';
	return text;
}

START_TEST(line_shows_percent_and_is_wiped)
{
	struct progress p;
	const char *text;

	progress_init(&p, terminal, "base", false);
	usleep(110000);
	progress_update(&p, 5 * MS_PS, 20 * MS_PS, 1234, 0);
	text = seen();
	ck_assert_ptr_nonnull(strstr(text, "base:  25 %"));
	ck_assert_ptr_nonnull(strstr(text, "5.000 ms"));
	ck_assert_ptr_nonnull(strstr(text, "1234 I/Os"));
	progress_fini(&p);
	ck_assert_str_eq(seen(), "\r\033[K");
}
END_TEST

START_TEST(a_burst_of_updates_prints_once)
{
	struct progress p;
	int i;

	progress_init(&p, terminal, "base", false);
	usleep(110000);
	progress_update(&p, MS_PS, 0, 1, 4);
	ck_assert_ptr_nonnull(strstr(seen(), "base:  25 %"));
	p.next_ns = UINT64_MAX;
	for (i = 0; i < 1000; i++)
		progress_update(&p, MS_PS, 0, 2, 4);
	ck_assert_str_eq(seen(), "");
	progress_fini(&p);
}
END_TEST

START_TEST(quiet_or_no_terminal_prints_nothing)
{
	FILE *file = tmpfile();
	struct progress p;

	progress_init(&p, terminal, "base", true);
	usleep(110000);
	progress_update(&p, MS_PS, 0, 1, 0);
	progress_fini(&p);
	ck_assert_str_eq(seen(), "");
	progress_init(&p, file, "base", false);
	usleep(110000);
	progress_update(&p, MS_PS, 0, 1, 0);
	progress_fini(&p);
	ck_assert_int_eq(ftell(file), 0);
	fclose(file);
}
END_TEST

START_TEST(update_without_progress_does_nothing)
{
	progress_update(NULL, MS_PS, 0, 1, 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("progress");
	TCase *tc = tcase_create("progress");
	SRunner *runner;
	int failed;

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, line_shows_percent_and_is_wiped);
	tcase_add_test(tc, a_burst_of_updates_prints_once);
	tcase_add_test(tc, quiet_or_no_terminal_prints_nothing);
	tcase_add_test(tc, update_without_progress_does_nothing);
	suite_add_tcase(suite, tc);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
