// SPDX-License-Identifier: GPL-2.0-only
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/harness/result.h"
#include "tests/harness/sample.h"

/* The bytes of @r; the caller frees. */
static unsigned char *bytes_of(const struct result *r, size_t *nr)
{
	FILE *file = tmpfile();
	unsigned char *bytes;

	ck_assert_int_eq(result_write(r, fileno(file)), 0);
	*nr = (size_t)lseek(fileno(file), 0, SEEK_END);
	bytes = malloc(*nr);
	ck_assert_int_eq(pread(fileno(file), bytes, *nr, 0), (ssize_t)*nr);
	fclose(file);
	return bytes;
}

/* Read @nr bytes as a result. */
static int read_bytes(struct result *r, const unsigned char *bytes, size_t nr)
{
	FILE *file = tmpfile();
	int err;

	ck_assert_int_eq(write(fileno(file), bytes, nr), (ssize_t)nr);
	lseek(fileno(file), 0, SEEK_SET);
	err = result_read(r, fileno(file), NULL);
	fclose(file);
	return err;
}

START_TEST(read_gives_back_what_was_written)
{
	struct result a;
	struct result b;
	unsigned char *first;
	unsigned char *second;
	size_t first_nr;
	size_t second_nr;

	sample_result(&a, 1000);
	result_add_verdict(&a, "request %d lost", 7);
	result_set(&a.failure, "");
	first = bytes_of(&a, &first_nr);
	ck_assert_int_eq(read_bytes(&b, first, first_nr), 0);
	ck_assert_str_eq(b.name, "sample");
	ck_assert_uint_eq(b.digest, a.digest);
	ck_assert_uint_eq(b.threads_nr, 2);
	ck_assert_str_eq(b.threads[1].name, "iothread");
	ck_assert_int_eq(b.threads[1].kind, RESULT_HOST);
	ck_assert_str_eq(b.verdicts[0], "request 7 lost");
	ck_assert_str_eq(b.failure, "");
	second = bytes_of(&b, &second_nr);
	ck_assert_uint_eq(first_nr, second_nr);
	ck_assert_mem_eq(first, second, first_nr);
	free(first);
	free(second);
	result_fini(&a);
	result_fini(&b);
}
END_TEST

START_TEST(every_truncation_is_noticed)
{
	struct result a;
	struct result b;
	unsigned char *bytes;
	size_t nr;
	size_t i;

	sample_result(&a, 1000);
	bytes = bytes_of(&a, &nr);
	ck_assert_int_eq(read_bytes(&b, bytes, 0), -EPIPE);
	for (i = 1; i < nr; i++) {
		ck_assert_int_eq(read_bytes(&b, bytes, i), -ENODATA);
		ck_assert_ptr_null(b.name);
	}
	free(bytes);
	result_fini(&a);
}
END_TEST

START_TEST(every_damaged_byte_is_noticed)
{
	struct result a;
	struct result b;
	unsigned char *bytes;
	size_t nr;
	size_t i;

	sample_result(&a, 1000);
	bytes = bytes_of(&a, &nr);
	for (i = 0; i < nr; i++) {
		bytes[i] ^= 0x10;
		ck_assert_int_lt(read_bytes(&b, bytes, nr), 0);
		bytes[i] ^= 0x10;
	}
	ck_assert_int_eq(read_bytes(&b, bytes, nr), 0);
	result_fini(&b);
	free(bytes);
	result_fini(&a);
}
END_TEST

START_TEST(bytes_after_the_end_are_refused)
{
	struct result a;
	struct result b;
	unsigned char *bytes;
	size_t nr;

	sample_result(&a, 1000);
	bytes = bytes_of(&a, &nr);
	bytes = realloc(bytes, nr + 1);
	bytes[nr] = 0;
	ck_assert_int_eq(read_bytes(&b, bytes, nr + 1), -EBADMSG);
	free(bytes);
	result_fini(&a);
}
END_TEST

START_TEST(sample_holds_together)
{
	struct result r;

	sample_result(&r, 1000);
	ck_assert_ptr_null(result_check(&r));
	result_fini(&r);
}
END_TEST

START_TEST(check_finds_stages_that_do_not_add_up)
{
	struct result r;

	sample_result(&r, 1000);
	r.stage_sum_ps[4]++;
	ck_assert_ptr_nonnull(result_check(&r));
	r.stage_sum_ps[4]--;
	r.latency.p99_ps = r.latency.max_ps + 1;
	ck_assert_ptr_nonnull(result_check(&r));
	result_fini(&r);
}
END_TEST

START_TEST(check_finds_job_latencies_that_do_not_add_up)
{
	struct result r;

	sample_result(&r, 1000);
	r.slat.sum_ps++;
	ck_assert_ptr_nonnull(result_check(&r));
	r.slat.sum_ps--;
	r.latency.nr--;
	ck_assert_ptr_nonnull(result_check(&r));
	r.latency.nr++;
	ck_assert_ptr_null(result_check(&r));
	r.clat.max_ps = r.clat.p50_ps - 1;
	ck_assert_ptr_nonnull(result_check(&r));
	r.clat = r.latency;
	r.lat.min_ps = r.lat.sum_ps;
	ck_assert_ptr_nonnull(result_check(&r));
	result_fini(&r);
}
END_TEST

START_TEST(rates_follow_from_counts_and_window)
{
	struct result r;

	sample_result(&r, 1000);
	/* 1000 I/Os of 4096 bytes in 10 ms */
	ck_assert_double_eq_tol(result_iops(&r), 100000, 1e-6);
	ck_assert_double_eq_tol(result_bytes_per_s(&r), 409600000, 1e-3);
	ck_assert_double_eq_tol(result_latency_mean_ns(&r), 45, 1e-9);
	ck_assert_double_eq_tol(result_stage_mean_ns(&r, 8), 9, 1e-9);
	ck_assert_uint_eq(result_exits(&r), 1001);
	ck_assert_uint_eq(result_mode_ps(&r, RESULT_THREAD_KINDS_NR, HW_IDLE),
			  SAMPLE_WINDOW_PS / 4 + SAMPLE_WINDOW_PS / 10);
	result_fini(&r);
}
END_TEST

START_TEST(empty_result_has_no_rates)
{
	struct result r;

	result_init(&r);
	ck_assert_ptr_null(result_check(&r));
	ck_assert_double_eq(result_iops(&r), 0);
	ck_assert_double_eq(result_latency_mean_ns(&r), 0);
	result_fini(&r);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("result");
	TCase *tc = tcase_create("result");
	SRunner *runner;
	int failed;

	tcase_add_test(tc, read_gives_back_what_was_written);
	tcase_add_test(tc, every_truncation_is_noticed);
	tcase_add_test(tc, every_damaged_byte_is_noticed);
	tcase_add_test(tc, bytes_after_the_end_are_refused);
	tcase_add_test(tc, sample_holds_together);
	tcase_add_test(tc, check_finds_stages_that_do_not_add_up);
	tcase_add_test(tc, check_finds_job_latencies_that_do_not_add_up);
	tcase_add_test(tc, rates_follow_from_counts_and_window);
	tcase_add_test(tc, empty_result_has_no_rates);
	suite_add_tcase(suite, tc);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
