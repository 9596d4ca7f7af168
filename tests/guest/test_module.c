// SPDX-License-Identifier: GPL-2.0-only
#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/guest/guest.h"
#include "model/guest/module.h"
#include "tests/guest/calls.h"
#include "tests/guest/machine.h"

START_TEST(good_values_reach_the_driver)
{
	ck_assert_int_eq(module_param_set("queue_depth", "0x80"), 0);
	ck_assert_int_eq(module_param_set("test_blk.fast", "y"), 0);
	ck_assert_int_eq(module_param_set("name", "disk"), 0);
	ck_assert_int_eq(module_param_set("port", "65535"), 0);
	ck_assert_int_eq(module_param_set("offset", "-5"), 0);
	ck_assert_int_eq(module_param_set("limited", "8"), 0);
	ck_assert_int_eq(module_init_all(), 0);
	ck_assert_uint_eq(module_values.depth, 128);
	ck_assert(module_values.fast);
	ck_assert_str_eq(module_values.name, "disk");
	ck_assert_uint_eq(module_values.port, 65535);
	ck_assert_int_eq(module_values.offset, -5);
	ck_assert_uint_eq(module_values.limited, 8);
	ck_assert_msg(!machine_failure.nr, "%s", machine_failure.what);
}
END_TEST

START_TEST(dash_and_underscore_are_the_same)
{
	ck_assert_int_eq(module_param_set("test-blk.queue-depth", "5"), 0);
	ck_assert_int_eq(module_init_all(), 0);
	ck_assert_uint_eq(module_values.depth, 5);
}
END_TEST

START_TEST(unknown_names_are_refused)
{
	static const char *const bad[] = {
		"", "queue", "queue_depth2", "other.queue_depth", "test_blk",
		"test_blk.", ".queue_depth",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		ck_assert_int_eq(module_param_set(bad[i], "1"), -ENOENT);
		ck_assert_int_eq(guest_param_check(bad[i], "1"), -ENOENT);
	}
}
END_TEST

START_TEST(bad_values_are_refused_and_change_nothing)
{
	static const char *const bad[][2] = {
		{ "queue_depth", "-1" }, { "queue_depth", "4294967296" },
		{ "queue_depth", "many" }, { "queue_depth", "" },
		{ "fast", "maybe" }, { "port", "65536" },
		{ "offset", "9223372036854775808" }, { "limited", "0" },
		{ "limited", "9" }, { "limited", "x" },
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		int err = module_param_set(bad[i][0], bad[i][1]);

		ck_assert(err == -EINVAL || err == -ERANGE);
		ck_assert_int_eq(guest_param_check(bad[i][0], bad[i][1]),
				 -EINVAL);
	}
	ck_assert_int_eq(module_init_all(), 0);
	ck_assert_uint_eq(module_values.depth, 64);
	ck_assert(!module_values.fast);
	ck_assert_uint_eq(module_values.port, 0);
	ck_assert_uint_eq(module_values.limited, 3);
}
END_TEST

START_TEST(a_check_does_not_set)
{
	ck_assert_int_eq(guest_param_check("queue_depth", "99"), 0);
	ck_assert_int_eq(guest_param_check("name", "other"), 0);
	ck_assert_int_eq(guest_param_check("limited", "7"), 0);
	ck_assert_int_eq(guest_param_check("fast", "on"), 0);
	ck_assert_int_eq(module_init_all(), 0);
	ck_assert_uint_eq(module_values.depth, 64);
	ck_assert_str_eq(module_values.name, "none");
	ck_assert_uint_eq(module_values.limited, 3);
	ck_assert(!module_values.fast);
}
END_TEST

START_TEST(names_can_be_listed)
{
	static const char *const names[] = {
		"queue_depth", "fast", "name", "port", "offset", "limited",
	};
	uint32_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		ck_assert_str_eq(guest_param_name(i), names[i]);
	ck_assert_ptr_null(guest_param_name(i));
	ck_assert_str_eq(module_param_description("queue-depth"),
			 "requests per queue");
	ck_assert_ptr_null(module_param_description("fast"));
}
END_TEST

START_TEST(a_failed_init_exits_the_modules_before_it)
{
	module_second_error = -ENODEV;
	ck_assert_int_eq(module_init_all(), -ENODEV);
	ck_assert_uint_eq(module_values.inits_nr, 1);
	ck_assert_uint_eq(module_values.exits_nr, 1);
	module_exit_all();
	ck_assert_uint_eq(module_values.exits_nr, 1);
}
END_TEST

START_TEST(exit_is_called_once)
{
	ck_assert_int_eq(module_init_all(), 0);
	module_exit_all();
	module_exit_all();
	ck_assert_uint_eq(module_values.exits_nr, 1);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("module");
	TCase *tc = tcase_create("module");
	SRunner *sr = srunner_create(s);
	int failed;

	/* each test gets the modules as loaded: in a process of its own */
	srunner_set_fork_status(sr, CK_FORK);
	tcase_add_test(tc, good_values_reach_the_driver);
	tcase_add_test(tc, dash_and_underscore_are_the_same);
	tcase_add_test(tc, unknown_names_are_refused);
	tcase_add_test(tc, bad_values_are_refused_and_change_nothing);
	tcase_add_test(tc, a_check_does_not_set);
	tcase_add_test(tc, names_can_be_listed);
	tcase_add_test(tc, a_failed_init_exits_the_modules_before_it);
	tcase_add_test(tc, exit_is_called_once);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
