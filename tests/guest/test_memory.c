// SPDX-License-Identifier: GPL-2.0-only
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "model/guest/verdict.h"
#include "tests/guest/calls.h"
#include "tests/guest/machine.h"

/* Four vCPUs with costs; what is in use before must be so afterwards. */
static uint64_t pages_nr;
static uint64_t objects_nr;

static void set_up(unsigned int vcpus_nr)
{
	machine_start(vcpus_nr);
	machine_set_costs();
	memory_set_seed(1);
}

static void run_one(void (*fn)(void *arg))
{
	set_up(1);
	machine_task(0, fn, NULL);
	pages_nr = memory_pages_nr();
	objects_nr = memory_objects_nr();
	ck_assert(machine_run());
	ck_assert_msg(!machine_failure.nr, "%s, line %d",
		      machine_failure.what, machine_failure.line);
}

static void run_four(void (*fn)(void *arg))
{
	set_up(4);
	for (uintptr_t i = 0; i < 4; i++)
		machine_task((unsigned int)i, fn, (void *)i);
	objects_nr = memory_objects_nr();
	ck_assert(machine_run());
	ck_assert_msg(!machine_failure.nr, "%s, line %d",
		      machine_failure.what, machine_failure.line);
}

static void assert_verdict(const char *what)
{
	unsigned long value;
	uint64_t time_ps;

	ck_assert_uint_eq(guest_verdicts_nr(), 1);
	ck_assert_str_eq(guest_verdict_first(&value, &time_ps), what);
	ck_assert(strstr(machine_message(), what));
	machine_stop();
}

static void assert_clean(void)
{
	ck_assert_uint_eq(guest_verdicts_nr(), 0);
	ck_assert_uint_eq(memory_objects_nr(), objects_nr);
	machine_stop();
}

START_TEST(objects_of_one_vcpu_are_freed_by_another)
{
	run_four(memory_churn_slab);
	assert_clean();
}
END_TEST

/* Each burst goes through the caches' lists, and uses the same memory again. */
START_TEST(a_burst_of_objects_returns_from_another_vcpu)
{
	uint64_t first_pages_nr = 0;

	set_up(2);
	objects_nr = memory_objects_nr();
	for (int i = 0; i < 5; i++) {
		machine_task(0, memory_burst_alloc, NULL);
		ck_assert(machine_run());
		machine_task(1, memory_burst_free, NULL);
		ck_assert(machine_run());
		/* two tasks stay, with stacks of 9 pages */
		objects_nr += 2;
		ck_assert_uint_eq(memory_objects_nr(), objects_nr);
		if (i == 1)
			first_pages_nr = memory_pages_nr();
	}
	ck_assert_uint_lt(memory_pages_nr() - first_pages_nr, 3 * 2 * 9 + 10);
	ck_assert_msg(!machine_failure.nr, "%s, line %d",
		      machine_failure.what, machine_failure.line);
	assert_clean();
}
END_TEST

START_TEST(an_object_takes_its_size_class)
{
	run_one(memory_size_classes);
	assert_clean();
}
END_TEST

START_TEST(an_object_freed_twice_is_a_verdict)
{
	run_one(memory_free_twice);
	assert_verdict("an object was freed twice");
}
END_TEST

START_TEST(memory_not_from_kmalloc_is_a_verdict)
{
	run_one(memory_free_foreign);
	assert_verdict("memory was freed that was not allocated");
}
END_TEST

START_TEST(a_pointer_into_an_object_is_a_verdict)
{
	run_one(memory_free_inside);
	assert_verdict("memory was freed that was not allocated");
}
END_TEST

START_TEST(pages_freed_twice_are_a_verdict)
{
	run_one(memory_free_pages_twice);
	assert_verdict("pages were freed that are not allocated");
}
END_TEST

START_TEST(objects_are_aligned_to_their_size)
{
	run_one(memory_check_alignment);
	assert_clean();
}
END_TEST

START_TEST(zeroed_memory_is_zero)
{
	run_one(memory_check_zeroing);
	assert_clean();
}
END_TEST

START_TEST(exact_pages_do_not_overlap_and_return)
{
	run_one(memory_churn_pages);
	ck_assert_uint_eq(memory_pages_nr(), pages_nr);
	assert_clean();
}
END_TEST

START_TEST(freed_pages_merge_into_the_largest_blocks)
{
	run_one(memory_exhaust_pages);
	ck_assert_uint_eq(memory_pages_nr(), pages_nr);
	assert_clean();
}
END_TEST

START_TEST(krealloc_keeps_the_contents)
{
	run_one(memory_realloc);
	assert_clean();
}
END_TEST

START_TEST(a_cache_gives_its_pages_back)
{
	run_one(memory_cache_life);
	ck_assert_uint_eq(memory_pages_nr(), pages_nr);
	assert_clean();
}
END_TEST

START_TEST(a_cache_destroyed_with_objects_is_a_verdict)
{
	run_one(memory_cache_busy);
	assert_verdict("a cache was destroyed with objects in use");
}
END_TEST

START_TEST(a_chained_list_has_all_its_entries)
{
	run_one(memory_chain_lists);
	assert_clean();
}
END_TEST

START_TEST(a_list_without_memory_leaks_nothing)
{
	run_one(memory_chain_without_memory);
	ck_assert_uint_eq(guest_verdicts_nr(), 0);
	machine_stop();
}
END_TEST

START_TEST(ida_gives_the_lowest_number)
{
	run_one(memory_ida_lowest);
	assert_clean();
}
END_TEST

START_TEST(ida_never_gives_a_number_twice)
{
	run_four(memory_ida_race);
	ck_assert_uint_eq(guest_verdicts_nr(), 0);
	machine_stop();
}
END_TEST

START_TEST(a_number_freed_twice_is_a_verdict)
{
	run_one(memory_ida_free_twice);
	assert_verdict("ida_free of a number that is not allocated");
}
END_TEST

START_TEST(a_copy_is_charged_line_by_line)
{
	run_one(memory_copy_charges);
	assert_clean();
}
END_TEST

int main(void)
{
	Suite *s = suite_create("memory");
	TCase *tc = tcase_create("memory");
	SRunner *sr = srunner_create(s);
	int failed;

	tcase_add_test(tc, objects_of_one_vcpu_are_freed_by_another);
	tcase_add_test(tc, a_burst_of_objects_returns_from_another_vcpu);
	tcase_add_test(tc, an_object_takes_its_size_class);
	tcase_add_test(tc, an_object_freed_twice_is_a_verdict);
	tcase_add_test(tc, memory_not_from_kmalloc_is_a_verdict);
	tcase_add_test(tc, a_pointer_into_an_object_is_a_verdict);
	tcase_add_test(tc, pages_freed_twice_are_a_verdict);
	tcase_add_test(tc, objects_are_aligned_to_their_size);
	tcase_add_test(tc, zeroed_memory_is_zero);
	tcase_add_test(tc, exact_pages_do_not_overlap_and_return);
	tcase_add_test(tc, freed_pages_merge_into_the_largest_blocks);
	tcase_add_test(tc, krealloc_keeps_the_contents);
	tcase_add_test(tc, a_cache_gives_its_pages_back);
	tcase_add_test(tc, a_cache_destroyed_with_objects_is_a_verdict);
	tcase_add_test(tc, a_chained_list_has_all_its_entries);
	tcase_add_test(tc, a_list_without_memory_leaks_nothing);
	tcase_add_test(tc, ida_gives_the_lowest_number);
	tcase_add_test(tc, ida_never_gives_a_number_twice);
	tcase_add_test(tc, a_number_freed_twice_is_a_verdict);
	tcase_add_test(tc, a_copy_is_charged_line_by_line);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
