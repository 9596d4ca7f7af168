// SPDX-License-Identifier: GPL-2.0-only
/* The command line over a stand-in for run_variant, in real child processes. */
#include <check.h>
#include <errno.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/harness/cli.h"
#include "model/harness/spawn.h"
#include "tests/harness/sample.h"

#define DATA "tests/harness/data/"
#define ARGS_MAX 16

static char *out_text;
static char *err_text;
static pid_t tester;

static const char *param(const struct scenario_config *cfg, const char *name)
{
	uint32_t i;

	for (i = 0; i < cfg->driver.params_nr; i++)
		if (!strcmp(cfg->driver.params[i].name, name))
			return cfg->driver.params[i].value;
	return "";
}

/* Write half a result to whatever file the parent reads, then die. */
static void send_half(void)
{
	struct result r;
	FILE *whole = tmpfile();
	char bytes[200];
	int fd;

	sample_result(&r, 1000);
	result_write(&r, fileno(whole));
	if (pread(fileno(whole), bytes, sizeof(bytes), 0) != sizeof(bytes))
		_exit(9);
	for (fd = 3; fd < 64; fd++)
		if (lseek(fd, 0, SEEK_CUR) < 0 && errno == ESPIPE &&
		    write(fd, bytes, sizeof(bytes)) == sizeof(bytes))
			break;
	result_fini(&r);
	kill(getpid(), SIGKILL);
}

static int stand_in(const struct scenario_config *cfg,
		    const struct profile *profile, struct result *out,
		    struct progress *progress)
{
	const char *act = param(cfg, "act");

	(void)profile;
	(void)progress;
	result_fini(out);
	sample_result(out, strcmp(act, "quick") ? 2000 : 1000);
	result_set(&out->name, NULL);
	if (!strcmp(act, "quick"))
		out->digest++;
	if (!strcmp(act, "crash")) {
		signal(SIGSEGV, SIG_DFL);
		raise(SIGSEGV);
	}
	if (!strcmp(act, "exit"))
		_exit(5);
	if (!strcmp(act, "half"))
		send_half();
	if (!strcmp(act, "verdict"))
		result_add_verdict(out, "request 3 completed twice");
	if (!strcmp(act, "inconsistent"))
		out->stage_sum_ps[0]++;
	if (!strcmp(act, "sleep"))
		pause();
	if (!strcmp(act, "interrupt-parent")) {
		/* at once: the parent may not have begun to read */
		kill(tester, SIGINT);
		pause();
	}
	return !strcmp(act, "refuse") ? -ENODEV : 0;
}

static char *slurp(FILE *file)
{
	long bytes = ftell(file);
	char *text = calloc(1, (size_t)bytes + 1);

	rewind(file);
	ck_assert_uint_eq(fread(text, 1, (size_t)bytes, file), (size_t)bytes);
	fclose(file);
	return text;
}

/* Run vblksim with @line split at blanks; texts go to out_text and err_text. */
static int vblksim(const char *line)
{
	char *words = strdup(line);
	char *argv[ARGS_MAX + 2] = { "vblksim" };
	FILE *out = tmpfile();
	FILE *err = tmpfile();
	char *word;
	int argc = 1;
	int ret;

	for (word = strtok(words, " "); word && argc <= ARGS_MAX;
	     word = strtok(NULL, " "))
		argv[argc++] = word;
	ret = cli_main(argc, argv, out, err);
	fseek(out, 0, SEEK_END);
	fseek(err, 0, SEEK_END);
	free(out_text);
	free(err_text);
	out_text = slurp(out);
	err_text = slurp(err);
	free(words);
	return ret;
}

static void has(const char *text, const char *part)
{
	ck_assert_msg(strstr(text, part), "'%s' is not in:\n%s", part, text);
}

static void has_not(const char *text, const char *part)
{
	ck_assert_msg(!strstr(text, part), "'%s' is in:\n%s", part, text);
}

static void setup(void)
{
	spawn_run = stand_in;
	tester = getpid();
}

static void teardown(void)
{
	free(out_text);
	free(err_text);
	out_text = NULL;
	err_text = NULL;
}

START_TEST(run_reports_all_variants)
{
	ck_assert_int_eq(vblksim("run " DATA "runs.yaml"), 0);
	ck_assert_str_eq(err_text, "");
	has(out_text, "slow");
	has(out_text, "quick");
	has(out_text, "Changes");
	has(out_text, "quick against slow");
}
END_TEST

START_TEST(variant_option_runs_one)
{
	ck_assert_int_eq(vblksim("run " DATA "runs.yaml --variant quick"), 0);
	has(out_text, "quick");
	has_not(out_text, "Changes");
	ck_assert_int_eq(vblksim("run --variant quik " DATA "runs.yaml"), 2);
	has(err_text, "did you mean 'quick'?");
}
END_TEST

START_TEST(crash_is_reported_with_its_signal_and_loses_nothing)
{
	ck_assert_int_eq(vblksim("run " DATA "ends.yaml"), 1);
	has(out_text, "crash failed: the run was ended by signal 11");
	has(out_text, "exit failed: the run ended with exit code 5");
	has(out_text, "half failed: the run was ended by signal 9");
	has(out_text, "refuse failed: No such device");
	has(out_text, "100.0 K");
}
END_TEST

START_TEST(what_went_wrong_with_another_seed_is_told)
{
	ck_assert_int_eq(vblksim("run " DATA "basic.yaml --seed 4 --set repeat=2 --set driver.params.act=verdict"),
			 1);
	has(out_text, "default: verdict: request 3 completed twice");
	has(out_text, "default: verdict: seed 5: request 3 completed twice");
}
END_TEST

START_TEST(quiet_still_tells_failures)
{
	ck_assert_int_eq(vblksim("run " DATA "ends.yaml --quiet"), 1);
	ck_assert_str_eq(out_text, "");
	has(err_text, "crash failed: the run was ended by signal 11");
}
END_TEST

START_TEST(verdict_makes_the_exit_code_1)
{
	ck_assert_int_eq(vblksim("run " DATA "basic.yaml --set driver.params.act=verdict"),
			 1);
	has(out_text, "default: verdict: request 3 completed twice");
}
END_TEST

START_TEST(inconsistent_numbers_are_a_verdict)
{
	ck_assert_int_eq(vblksim("run " DATA "basic.yaml --set driver.params.act=inconsistent"),
			 1);
	has(out_text, "do not add up");
}
END_TEST

START_TEST(interrupt_reports_what_is_finished)
{
	ck_assert_int_eq(vblksim("run " DATA "interrupt.yaml"), 130);
	has(out_text, "before");
	has(out_text, "100.0 K");
	has(out_text, "during failed: interrupted");
	has_not(out_text, "after");
	/* the default is back */
	struct sigaction action;

	sigaction(SIGINT, NULL, &action);
	ck_assert_ptr_eq((void *)action.sa_handler, (void *)SIG_DFL);
}
END_TEST

START_TEST(check_compares_iops_latency_and_change)
{
	ck_assert_int_eq(vblksim("check " DATA "check.yaml"), 0);
	ck_assert_str_eq(err_text, "");
	has(out_text, "0.18 us");
	has(out_text, "4 figures: 4 ok, 0 missed");
	ck_assert_int_eq(vblksim("check " DATA "check.yaml --set driver.params.act=slow"),
			 1);
	has(out_text, "4 figures: 3 ok, 1 missed");
	has(out_text, "MISSED");
}
END_TEST

START_TEST(verdict_fails_a_check_though_its_figures_are_met)
{
	ck_assert_int_eq(vblksim("check " DATA "runs.yaml " DATA "check.yaml --junit - --set driver.params.act=verdict"),
			 1);
	has(out_text, "errors=\"2\"");
	has(out_text, "<error message=\"request 3 completed twice\"/>");
	has(err_text, "slow verdict: request 3 completed twice");
}
END_TEST

static json_t *check_figure(json_t *document, size_t i)
{
	json_t *scenario = json_array_get(json_object_get(document,
							  "scenarios"), 0);

	return json_array_get(json_object_get(scenario, "figures"), i);
}

START_TEST(check_json_has_the_numbers_of_the_table)
{
	json_t *document;
	json_t *figure;
	double number;
	const char *text;

	ck_assert_int_eq(vblksim("check " DATA "check.yaml " DATA "runs.yaml --json - --set driver.params.act=slow"),
			 1);
	document = json_loads(out_text, JSON_REJECT_DUPLICATES, NULL);
	ck_assert_ptr_nonnull(document);
	ck_assert_uint_eq(json_array_size(json_object_get(document,
							  "scenarios")), 2);
	figure = check_figure(document, 2);
	ck_assert_int_eq(json_unpack(figure, "{s:s, s:f, s:{s:s}}", "figure",
				     &text, "got", &number, "record",
				     "variant", &text), 0);
	ck_assert_str_eq(text, "quick");
	ck_assert_double_eq_tol(number, 0.18, 1e-9);
	ck_assert_int_eq(json_unpack(figure, "{s:f, s:s}", "deviation", &number,
				     "unit", &text), 0);
	ck_assert_double_eq_tol(number, 100, 1e-6);
	ck_assert(json_is_false(json_object_get(figure, "ok")));
	figure = check_figure(document, 3);
	ck_assert_int_eq(json_unpack(figure, "{s:s, s:s, s:f}", "against",
				     &text, "unit", &text, "tolerance",
				     &number), 0);
	ck_assert_str_eq(text, "points");
	ck_assert_double_eq_tol(number, 0.001, 1e-9);
	json_decref(document);
}
END_TEST

START_TEST(check_json_has_null_where_there_are_no_numbers)
{
	json_t *document;

	ck_assert_int_eq(vblksim("check " DATA "check.yaml --json - --set driver.params.act=crash"),
			 1);
	document = json_loads(out_text, JSON_REJECT_DUPLICATES, NULL);
	ck_assert_ptr_nonnull(document);
	ck_assert(json_is_null(json_object_get(check_figure(document, 0),
					       "got")));
	ck_assert(json_is_null(json_object_get(check_figure(document, 0),
					       "deviation")));
	json_decref(document);
	ck_assert_int_eq(vblksim("check /nowhere.yaml --json -"), 2);
	has(out_text, "\"refused\": true");
}
END_TEST

START_TEST(changed_constants_are_stated_wherever_results_are)
{
	static const char said[] = "not the machine's own: exit_user 45 us";

	ck_assert_int_eq(vblksim("run " DATA "runs.yaml --cost exit_user=45us"),
			 0);
	has(out_text, said);
	ck_assert_int_eq(vblksim("check " DATA "check.yaml --cost exit_user=45us"),
			 0);
	has(out_text, said);
	ck_assert_int_eq(vblksim("run " DATA "runs.yaml --json - --cost exit_user=45us"),
			 0);
	has(out_text, "\"exit_user\": \"45 us\"");
	ck_assert_int_eq(vblksim("check " DATA "check.yaml --json - --cost exit_user=45us"),
			 0);
	has(out_text, "\"changed\": true");
	has(out_text, "\"profile\": \"--cost\"");
	ck_assert_int_eq(vblksim("run " DATA "runs.yaml --json -"), 0);
	ck_assert_ptr_null(strstr(out_text, "changed_costs"));
}
END_TEST

START_TEST(what_cannot_be_together_is_refused)
{
	ck_assert_int_eq(vblksim("check " DATA "check.yaml --junit - --cost exit_user=45us"),
			 2);
	has(err_text, "not with --cost");
	ck_assert_int_eq(vblksim("check " DATA "check.yaml --junit - --json -"),
			 2);
	has(err_text, "cannot both go to standard output");
	ck_assert_int_eq(vblksim("run " DATA "runs.yaml --cost exit_usr=1"),
			 2);
	has(err_text, "--cost:1:1: unknown constant 'exit_usr'");
	ck_assert_int_eq(vblksim("check " DATA "check.yaml --json /nowhere/x"),
			 2);
	has(err_text, "/nowhere/x: cannot be written");
}
END_TEST

START_TEST(interrupted_check_reports_what_is_finished)
{
	ck_assert_int_eq(vblksim("check " DATA "check.yaml " DATA "check.yaml --set driver.params.act=interrupt-parent"),
			 130);
	has(out_text, "slow failed: interrupted");
	has(out_text, "1 scenario checked, 4 figures: 0 ok, 4 missed");
}
END_TEST

START_TEST(json_dash_is_the_only_output)
{
	json_t *document;

	ck_assert_int_eq(vblksim("run " DATA "runs.yaml --json -"), 0);
	document = json_loads(out_text, 0, NULL);
	ck_assert_ptr_nonnull(document);
	ck_assert_uint_eq(json_array_size(json_object_get(document, "variants")),
			  2);
	json_decref(document);
}
END_TEST

START_TEST(json_into_a_missing_folder_is_refused_before_anything_runs)
{
	ck_assert_int_eq(vblksim("run " DATA "runs.yaml --json /nowhere/at/all.json"),
			 2);
	has(err_text, "/nowhere/at/all.json: cannot be written: No such file");
	ck_assert_str_eq(out_text, "");
}
END_TEST

START_TEST(json_that_cannot_be_written_is_an_error_and_loses_no_report)
{
	ck_assert_int_eq(vblksim("run " DATA "runs.yaml --json /dev/full"), 1);
	has(err_text, "/dev/full: cannot be written: No space");
	has(out_text, "quick against slow");
}
END_TEST

START_TEST(seed_option_is_a_set)
{
	ck_assert_int_eq(vblksim("run " DATA "runs.yaml --set seed=4 --seed 99"),
			 0);
	has(out_text, "seed      99");
	ck_assert_int_eq(vblksim("run " DATA "runs.yaml --seed x"), 2);
	has(err_text, "--set:1:6: seed: 'x' is not a whole number");
}
END_TEST

START_TEST(wrong_set_shows_the_argument)
{
	ck_assert_int_eq(vblksim("run " DATA "runs.yaml --set job.iodepht=4"),
			 2);
	has(err_text, "--set:1:1: unknown key 'job.iodepht'; did you mean 'job.iodepth'?\n"
		      "    1 | job.iodepht=4\n"
		      "      | ^\n");
	ck_assert_int_eq(vblksim("run " DATA "runs.yaml --set job"), 2);
	has(err_text, "--set needs key=value");
	ck_assert_int_eq(vblksim("run " DATA "runs.yaml --set job=3"), 2);
	has(err_text, "is a group");
}
END_TEST

START_TEST(unknown_verb_and_option_suggest)
{
	ck_assert_int_eq(vblksim("rnu x"), 2);
	has(err_text, "unknown verb 'rnu'; did you mean 'run'?");
	ck_assert_int_eq(vblksim("--verison"), 2);
	has(err_text, "did you mean '--version'?");
	ck_assert_int_eq(vblksim("run --jsno=x y"), 2);
	has(err_text, "unknown option '--jsno=x'; did you mean '--json'?");
	ck_assert_int_eq(vblksim("run x --json"), 2);
	has(err_text, "--json needs a value");
	ck_assert_int_eq(vblksim("run x --quiet=3"), 2);
	has(err_text, "--quiet takes no value");
	ck_assert_int_eq(vblksim("run -x y"), 2);
	has(err_text, "unknown option '-x'");
	ck_assert_int_eq(vblksim("help rnu"), 2);
	has(err_text, "did you mean 'run'?");
}
END_TEST

START_TEST(usage_errors_are_2)
{
	ck_assert_int_eq(vblksim(""), 2);
	ck_assert_int_eq(vblksim("run"), 2);
	has(err_text, "no scenario given");
	ck_assert_int_eq(vblksim("run a b"), 2);
	ck_assert_int_eq(vblksim("run /nowhere.yaml"), 2);
	has(err_text, "/nowhere.yaml: cannot be read: No such file");
	ck_assert_int_eq(vblksim("run tests/harness"), 2);
	has(err_text, "tests/harness: cannot be read: Is a directory");
}
END_TEST

START_TEST(missing_machine_says_where_it_looked)
{
	ck_assert_int_eq(vblksim("run " DATA "basic.yaml --set machine=nosuch"),
			 2);
	has(err_text, "--set:1:9: no machine profile 'nosuch'");
	has(err_text, "looked for " DATA "machines/nosuch.yaml");
	has(err_text, "looked for " DATA "../machines/nosuch.yaml");
}
END_TEST

START_TEST(help_and_version_are_0)
{
	ck_assert_int_eq(vblksim("--version"), 0);
	has(out_text, "vblksim ");
	ck_assert_int_eq(vblksim("--help"), 0);
	has(out_text, "run SCENARIO");
	ck_assert_int_eq(vblksim("run --help"), 0);
	has(out_text, "--variant NAME");
	ck_assert_int_eq(vblksim("help"), 0);
	ck_assert_int_eq(vblksim("help --help"), 0);
	ck_assert_int_eq(vblksim("help run"), 0);
	has(out_text, "--json FILE");
	ck_assert_int_eq(vblksim("help scenario"), 0);
	has(out_text, "job.iodepth_batch_complete_min");
	ck_assert_int_eq(vblksim("help machine"), 0);
	has(out_text, "exit_kernel");
	ck_assert_int_eq(vblksim("help machine " DATA "machines/child.yaml"),
			 0);
	has(out_text, "made up for tests");
	ck_assert_int_eq(vblksim("help machine /nowhere.yaml"), 2);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("cli");
	TCase *tc = tcase_create("cli");
	SRunner *runner;
	int failed;

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, run_reports_all_variants);
	tcase_add_test(tc, variant_option_runs_one);
	tcase_add_test(tc, crash_is_reported_with_its_signal_and_loses_nothing);
	tcase_add_test(tc, what_went_wrong_with_another_seed_is_told);
	tcase_add_test(tc, quiet_still_tells_failures);
	tcase_add_test(tc, verdict_makes_the_exit_code_1);
	tcase_add_test(tc, inconsistent_numbers_are_a_verdict);
	tcase_add_test(tc, interrupt_reports_what_is_finished);
	tcase_add_test(tc, json_dash_is_the_only_output);
	tcase_add_test(tc,
		       json_into_a_missing_folder_is_refused_before_anything_runs);
	tcase_add_test(tc,
		       json_that_cannot_be_written_is_an_error_and_loses_no_report);
	tcase_add_test(tc, seed_option_is_a_set);
	tcase_add_test(tc, wrong_set_shows_the_argument);
	tcase_add_test(tc, unknown_verb_and_option_suggest);
	tcase_add_test(tc, usage_errors_are_2);
	tcase_add_test(tc, missing_machine_says_where_it_looked);
	tcase_add_test(tc, help_and_version_are_0);
	tcase_add_test(tc, check_compares_iops_latency_and_change);
	tcase_add_test(tc, verdict_fails_a_check_though_its_figures_are_met);
	tcase_add_test(tc, interrupted_check_reports_what_is_finished);
	tcase_add_test(tc, check_json_has_the_numbers_of_the_table);
	tcase_add_test(tc, check_json_has_null_where_there_are_no_numbers);
	tcase_add_test(tc,
		       changed_constants_are_stated_wherever_results_are);
	tcase_add_test(tc, what_cannot_be_together_is_refused);
	suite_add_tcase(suite, tc);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
