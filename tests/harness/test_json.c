// SPDX-License-Identifier: GPL-2.0-only
#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/harness/json.h"
#include "tests/harness/load.h"
#include "tests/harness/sample.h"

static struct scenario *scenario;
static struct result result;
static struct report_run run;
static struct report rep = { .runs = &run, .runs_nr = 1 };
static char folder[64];
static char file[80];

static void setup(void)
{
	scenario = load_good("name: trial\nmachine: zero\nseed: 7\n"
			     "driver: {params: {b: 1, a: 2}}\n");
	run.config = scenario_variant(scenario, 0);
	sample_result(&result, 1234567);
	run.result = &result;
	strcpy(folder, "/tmp/vblksim-test-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(file, sizeof(file), "%s/out.json", folder);
}

static void teardown(void)
{
	result_fini(&result);
	scenario_destroy(scenario);
	free(load_messages);
	load_messages = NULL;
	unlink(file);
	rmdir(folder);
}

/* Value of @path, keys with blanks between, below the first variant. */
static json_t *value(json_t *document, const char *path)
{
	json_t *at = json_array_get(json_object_get(document, "variants"), 0);
	char *keys = strdup(path);
	char *key;

	for (key = strtok(keys, " "); key; key = strtok(NULL, " "))
		at = json_is_array(at) ? json_array_get(at, (size_t)atoi(key)) :
					 json_object_get(at, key);
	free(keys);
	ck_assert_msg(at != NULL, "%s is missing", path);
	return at;
}

static double number(json_t *document, const char *path)
{
	json_t *at = value(document, path);

	ck_assert_msg(json_is_number(at), "%s is no number", path);
	return json_number_value(at);
}

static json_t *written(void)
{
	json_t *document;

	ck_assert_int_eq(json_write(&rep, file, NULL), 0);
	document = json_load_file(file, JSON_REJECT_DUPLICATES, NULL);
	ck_assert_ptr_nonnull(document);
	return document;
}

START_TEST(document_has_the_documented_keys)
{
	static const char *const numbers[] = {
		"seed", "iops", "bw_bytes_per_s", "ios", "bytes", "errors",
		"duration_ns", "simulated_ns", "events", "lat_ns mean",
		"lat_ns min", "lat_ns max", "lat_ns p50", "lat_ns p90",
		"lat_ns p95", "lat_ns p99", "lat_ns p99_9", "lat_ns p99_99",
		"job slat_ns mean", "job clat_ns p99", "job lat_ns max",
		"threads 0 mode_ns spin", "threads 0 accesses",
		"threads 0 transfers same_socket", "threads 0 transfer_ns",
		"exits kernel", "exits user", "exits locked", "kicks sent",
		"kicks suppressed", "interrupts delivered",
		"interrupts skipped", "ipis", "halts",
		"preemptions all", "preemptions locked", "locks 0 instances",
		"locks 0 acquired", "locks 0 contended", "locks 0 wait_ns",
		"locks 0 wait_max_ns", "locks 0 hold_ns",
		"locks 0 hold_max_ns", "locks 0 exits",
	};
	json_t *document = written();
	size_t i;

	ck_assert(json_is_string(json_object_get(document, "vblksim")));
	ck_assert_str_eq(json_string_value(json_object_get(document,
							   "scenario")),
			 "trial");
	for (i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		number(document, numbers[i]);
	for (i = 0; i < RESULT_STAGES_NR; i++)
		ck_assert(json_is_real(json_object_get(
			value(document, "stages_ns"), result_stage_name[i])));
	ck_assert_str_eq(json_string_value(value(document, "digest")),
			 "0123456789abcdef");
	ck_assert_str_eq(json_string_value(value(document, "driver source")),
			 "bundled");
	ck_assert_str_eq(json_string_value(value(document,
						 "driver source_hash")),
			 "aa11");
	ck_assert_str_eq(json_string_value(value(document, "driver profile")),
			 "6.12");
	ck_assert_str_eq(json_string_value(value(document, "driver ring")),
			 "bundled");
	ck_assert_str_eq(json_string_value(value(document,
						 "driver ring_hash")),
			 "bb22");
	ck_assert_str_eq(json_string_value(value(document,
						 "driver ring_profile")),
			 "6.1");
	ck_assert_str_eq(json_string_value(value(document, "config job.bs")),
			 "4k");
	ck_assert_uint_eq(json_array_size(value(document, "verdicts")), 0);
	json_decref(document);
}
END_TEST

START_TEST(numbers_are_those_of_the_result)
{
	json_t *document = written();
	double sum = 0;
	size_t i;

	ck_assert_double_eq_tol(number(document, "iops"), 100000, 1e-6);
	ck_assert_double_eq_tol(number(document, "lat_ns mean"),
				45 * 1234.567, 1e-6);
	ck_assert_double_eq_tol(number(document, "lat_ns p99_99"),
				3 * 45 * 1234.567, 1e-6);
	ck_assert_double_eq_tol(number(document, "threads 0 mode_ns guest"),
				5e6, 1e-6);
	for (i = 0; i < RESULT_STAGES_NR; i++)
		sum += json_real_value(json_object_get(
			value(document, "stages_ns"), result_stage_name[i]));
	ck_assert_double_eq_tol(sum, number(document, "lat_ns mean"), 1e-6);
	json_decref(document);
}
END_TEST

START_TEST(failure_replaces_numbers)
{
	json_t *document;

	result_set(&result.failure, "ended by signal 11");
	document = written();
	ck_assert_str_eq(json_string_value(value(document, "failure")),
			 "ended by signal 11");
	ck_assert_ptr_null(json_object_get(
		json_array_get(json_object_get(document, "variants"), 0),
		"iops"));
	json_decref(document);
}
END_TEST

START_TEST(text_that_is_not_utf8_is_written)
{
	json_t *document;

	result_add_verdict(&result, "bad \xff byte");
	document = written();
	ck_assert_str_eq(json_string_value(value(document, "verdicts 0")),
			 "bad ? byte");
	json_decref(document);
}
END_TEST

static unsigned int files_in_folder(void)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	unsigned int nr = 0;

	while ((entry = readdir(dir)))
		nr += entry->d_name[0] != '.';
	closedir(dir);
	return nr;
}

START_TEST(file_that_cannot_be_finished_leaves_the_old_one)
{
	const struct rlimit small = { .rlim_cur = 1000, .rlim_max = 1000 };
	struct stat st;
	FILE *old = fopen(file, "w");

	fputs("old", old);
	fclose(old);
	signal(SIGXFSZ, SIG_IGN);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
	ck_assert_int_eq(json_write(&rep, file, NULL), -EFBIG);
	ck_assert_int_eq(stat(file, &st), 0);
	ck_assert_int_eq(st.st_size, 3);
	ck_assert_uint_eq(files_in_folder(), 1);
}
END_TEST

START_TEST(replaced_file_has_ordinary_permissions)
{
	mode_t mask = umask(022);
	struct stat st;

	json_decref(written());
	umask(mask);
	ck_assert_int_eq(stat(file, &st), 0);
	ck_assert_uint_eq(st.st_mode & 0777, 0644);
	ck_assert_uint_eq(files_in_folder(), 1);
}
END_TEST

/* A pipe of our own: a mistake must not replace a device of the machine. */
START_TEST(pipe_is_written_to_and_not_replaced)
{
	json_t *document;
	struct stat st;
	FILE *in;
	int fd;

	ck_assert_int_eq(mkfifo(file, 0600), 0);
	fd = open(file, O_RDONLY | O_NONBLOCK);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(json_write(&rep, file, NULL), 0);
	ck_assert_int_eq(stat(file, &st), 0);
	ck_assert(S_ISFIFO(st.st_mode));
	in = fdopen(fd, "r");
	document = json_loadf(in, 0, NULL);
	ck_assert_ptr_nonnull(document);
	json_decref(document);
	fclose(in);
}
END_TEST

START_TEST(missing_folder_is_an_error)
{
	ck_assert_int_eq(json_write(&rep, "/nowhere/x.json", NULL), -ENOENT);
}
END_TEST

START_TEST(equal_results_give_equal_bytes)
{
	char *first;
	char *second;
	json_t *document = json_document(&rep);

	first = json_dumps(document, JSON_INDENT(2));
	json_decref(document);
	document = json_document(&rep);
	second = json_dumps(document, JSON_INDENT(2));
	json_decref(document);
	ck_assert_str_eq(first, second);
	free(first);
	free(second);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("json");
	TCase *tc = tcase_create("json");
	SRunner *runner;
	int failed;

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, document_has_the_documented_keys);
	tcase_add_test(tc, numbers_are_those_of_the_result);
	tcase_add_test(tc, failure_replaces_numbers);
	tcase_add_test(tc, text_that_is_not_utf8_is_written);
	tcase_add_test(tc, file_that_cannot_be_finished_leaves_the_old_one);
	tcase_add_test(tc, replaced_file_has_ordinary_permissions);
	tcase_add_test(tc, pipe_is_written_to_and_not_replaced);
	tcase_add_test(tc, missing_folder_is_an_error);
	tcase_add_test(tc, equal_results_give_equal_bytes);
	suite_add_tcase(suite, tc);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
