// SPDX-License-Identifier: GPL-2.0-only
/* The guest kernel's text functions against libc's, outside of any vCPU. */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/hw/ram.h"
#include "sim/random.h"
#include "tests/guest/calls.h"
#include "tests/guest/machine.h"

#define FORMATS_NR 10000

static struct sim_random random_formats;

static uint64_t below(uint64_t n)
{
	return sim_random_below(&random_formats, n);
}

/* A conversion as both understand it: flags, width, precision, length, letter. */
static void make_format(char *fmt, size_t size, char letter,
			const char *length)
{
	char flags[8] = "", width[24] = "", precision[24] = "";
	static const char all[] = "-+ #0";
	size_t len = 0;

	for (size_t i = 0; i < sizeof(all) - 1; i++)
		if (!below(3) && !(strchr("sc", letter) && all[i] != '-') &&
		    !(strchr("u", letter) && strchr("#", all[i])) &&
		    !(strchr("xXou", letter) && strchr("+ ", all[i])) &&
		    !(strchr("di", letter) && all[i] == '#'))
			flags[len++] = all[i];
	if (below(2))
		snprintf(width, sizeof(width), "%u", (unsigned int)below(30));
	if (below(2) && letter != 'c')
		snprintf(precision, sizeof(precision), ".%u",
			 (unsigned int)below(25));
	snprintf(fmt, size, "<%%%s%s%s%s%c>", flags, width, precision, length,
		 letter);
}

static uint64_t some_number(void)
{
	switch (below(4)) {
	case 0:
		return below(10);
	case 1:
		return (uint64_t)-(int64_t)below(1000);
	default:
		return sim_random_u64(&random_formats) >> below(64);
	}
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
#define compare_with_libc(fmt, arg)					\
	do {								\
		char got[128], expected[128];				\
		size_t size = below(4) ? sizeof(got) : below(20);	\
		int n, m;						\
									\
		memset(got, 'x', sizeof(got));				\
		memset(expected, 'x', sizeof(expected));		\
		n = text_format(got, size, fmt, arg);			\
		m = snprintf(expected, size, fmt, arg);			\
		ck_assert_msg(n == m && !memcmp(got, expected, 128),	\
			      "%s: %d %.100s, libc %d %.100s", fmt, n,	\
			      got, m, expected);			\
	} while (0)

START_TEST(numbers_are_formatted_as_by_libc)
{
	static const char letters[] = "diuxXo";
	static const char *const lengths[] = {
		"", "h", "hh", "l", "ll", "z", "t", "j",
	};
	char fmt[64];

	sim_random_init(&random_formats, 1, "numbers");
	for (int i = 0; i < FORMATS_NR; i++) {
		const char *length = lengths[below(8)];
		uint64_t value = some_number();

		make_format(fmt, sizeof(fmt), letters[below(6)], length);
		if (*length && *length != 'h')
			compare_with_libc(fmt, value);
		else
			compare_with_libc(fmt, (unsigned int)value);
	}
}
END_TEST

START_TEST(strings_are_formatted_as_by_libc)
{
	static const char *const words[] = {
		"", "a", "hello", "a longer text with blanks",
	};
	char fmt[64];

	sim_random_init(&random_formats, 1, "strings");
	for (int i = 0; i < FORMATS_NR; i++) {
		const char *word = words[below(4)];
		int letter = 'a' + (int)below(26);

		make_format(fmt, sizeof(fmt), 's', "");
		compare_with_libc(fmt, word);
		make_format(fmt, sizeof(fmt), 'c', "");
		compare_with_libc(fmt, letter);
	}
}
END_TEST

START_TEST(arguments_given_by_star_are_used)
{
	char got[64];

	text_format(got, sizeof(got), "%*d|%-*d|%.*s|%%|%*d", 5, 42, 5, 42, 2,
		    "abc", -4, 7);
	ck_assert_str_eq(got, "   42|42   |ab|%|7   ");
}
END_TEST
#pragma GCC diagnostic pop

START_TEST(pointers_never_show_host_addresses)
{
	char got[64];
	int local;
	uint64_t pa = 0x1234;

	ck_assert_int_eq(ram_init(1 << 22), 0);
	text_format(got, sizeof(got), "%p", (void *)&local);
	ck_assert_str_eq(got, "(____ptrval____)");
	text_format(got, sizeof(got), "%p", ram_va(0x200000));
	ck_assert_str_eq(got, "0000300000200000");
	text_format(got, sizeof(got), "%p", NULL);
	ck_assert_str_eq(got, "(null)");
	text_format(got, sizeof(got), "%pe %pe", (void *)(long)-ENOMEM,
		    (void *)(long)-4000);
	ck_assert_str_eq(got, "-ENOMEM -4000");
	text_format(got, sizeof(got), "%pa %s", &pa, (char *)NULL);
	ck_assert_str_eq(got, "0x0000000000001234 (null)");
	ram_fini();
}
END_TEST

START_TEST(numbers_are_read_strictly)
{
	uint32_t u = 7;
	int32_t i = 7;
	uint64_t v;

	ck_assert_int_eq(text_string_to_uint("42\n", 0, &u), 0);
	ck_assert_uint_eq(u, 42);
	ck_assert_int_eq(text_string_to_uint("+0x2A", 0, &u), 0);
	ck_assert_uint_eq(u, 42);
	ck_assert_int_eq(text_string_to_uint("052", 0, &u), 0);
	ck_assert_uint_eq(u, 42);
	ck_assert_int_eq(text_string_to_uint("4294967295", 10, &u), 0);
	ck_assert_uint_eq(u, UINT32_MAX);
	ck_assert_int_eq(text_string_to_uint("4294967296", 10, &u), -ERANGE);
	ck_assert_uint_eq(u, UINT32_MAX);
	for (const char *const *bad = (const char *const[]){
		     "", "-1", "a", "4 2", "42x", "0x", "42\n\n", " 42", "089",
		     NULL }; *bad; bad++)
		ck_assert_int_eq(text_string_to_uint(*bad, 0, &u), -EINVAL);
	ck_assert_int_eq(text_string_to_int("-2147483648", 0, &i), 0);
	ck_assert_int_eq(i, INT32_MIN);
	ck_assert_int_eq(text_string_to_int("2147483648", 0, &i), -ERANGE);
	ck_assert_int_eq(text_string_to_int("--1", 0, &i), -EINVAL);
	ck_assert_int_eq(text_string_to_u64("18446744073709551615", 0, &v), 0);
	ck_assert_uint_eq(v, UINT64_MAX);
	ck_assert_int_eq(text_string_to_u64("18446744073709551616", 0, &v),
			 -ERANGE);
}
END_TEST

START_TEST(truth_has_many_spellings)
{
	bool b;

	for (const char *const *s = (const char *const[]){
		     "1", "y", "Y", "yes", "on", "ON", "true", NULL }; *s; s++) {
		b = false;
		ck_assert_int_eq(text_string_to_bool(*s, &b), 0);
		ck_assert(b);
	}
	for (const char *const *s = (const char *const[]){
		     "0", "n", "N", "no", "off", "Off", "false", NULL }; *s;
	     s++) {
		b = true;
		ck_assert_int_eq(text_string_to_bool(*s, &b), 0);
		ck_assert(!b);
	}
	for (const char *const *s = (const char *const[]){
		     "", "o", "ox", "2", "maybe", NULL }; *s; s++)
		ck_assert_int_eq(text_string_to_bool(*s, &b), -EINVAL);
}
END_TEST

START_TEST(sizes_have_three_digits)
{
	char got[32];

	text_size(0, 512, true, got, sizeof(got));
	ck_assert_str_eq(got, "0 B");
	text_size(1, 512, true, got, sizeof(got));
	ck_assert_str_eq(got, "512 B");
	text_size(2097152, 512, true, got, sizeof(got));
	ck_assert_str_eq(got, "1.00 GiB");
	text_size(2097152, 512, false, got, sizeof(got));
	ck_assert_str_eq(got, "1.07 GB");
	text_size(999999, 1, false, got, sizeof(got));
	ck_assert_str_eq(got, "1000 kB");
	text_size(99950, 1, false, got, sizeof(got));
	ck_assert_str_eq(got, "100 kB");
	text_size(UINT64_MAX, 512, true, got, sizeof(got));
	ck_assert_str_eq(got, "8.00 ZiB");
}
END_TEST

START_TEST(text_is_scanned)
{
	unsigned int b;
	char word[8];
	int a;

	ck_assert_int_eq(text_scan_numbers("-12:ff  abcdefghij", &a, &b, word),
			 3);
	ck_assert_int_eq(a, -12);
	ck_assert_uint_eq(b, 255);
	ck_assert_str_eq(word, "abcdefg");
	ck_assert_int_eq(text_scan_numbers("5;1", &a, &b, word), 1);
	ck_assert_int_eq(text_scan_numbers("x", &a, &b, word), 0);
}
END_TEST

START_TEST(strings_behave_as_specified)
{
	text_check_strings();
	ck_assert_msg(!machine_failure.nr, "%s, line %d",
		      machine_failure.what, machine_failure.line);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("text");
	TCase *tc = tcase_create("text");
	SRunner *sr = srunner_create(s);
	int failed;

	tcase_add_test(tc, numbers_are_formatted_as_by_libc);
	tcase_add_test(tc, strings_are_formatted_as_by_libc);
	tcase_add_test(tc, arguments_given_by_star_are_used);
	tcase_add_test(tc, pointers_never_show_host_addresses);
	tcase_add_test(tc, numbers_are_read_strictly);
	tcase_add_test(tc, truth_has_many_spellings);
	tcase_add_test(tc, sizes_have_three_digits);
	tcase_add_test(tc, text_is_scanned);
	tcase_add_test(tc, strings_behave_as_specified);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
