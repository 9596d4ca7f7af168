// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <sys/stat.h>

#include "tests/harness/load.h"

#define MACHINES "tests/harness/data/machines/"

static struct profile *load(const char *path)
{
	FILE *err = load_begin();
	struct profile *p;
	int ret = profile_load(path, &p, err);

	fclose(err);
	ck_assert_msg(!ret && !*load_messages, "%s", load_messages);
	return p;
}

static char *text_of(const char *path)
{
	FILE *in = fopen(path, "r");
	char *text = calloc(1, 1 << 16);

	ck_assert_ptr_nonnull(in);
	ck_assert_uint_gt(fread(text, 1, (1 << 16) - 1, in), 0);
	fclose(in);
	return text;
}

/* zero.yaml with @from, which is in it, replaced by @to. */
static char *changed(const char *from, const char *to)
{
	char *text = text_of(MACHINES "zero.yaml");
	char *at = strstr(text, from);
	char *result = calloc(1, 1 << 17);

	ck_assert_ptr_nonnull(at);
	snprintf(result, 1 << 17, "%.*s%s%s", (int)(at - text), text, to,
		 at + strlen(from));
	free(text);
	return result;
}

static void refused(const char *from, const char *to, const char *part)
{
	char *text = changed(from, to);
	struct profile *p;

	ck_assert_int_eq(load_profile_bytes(text, strlen(text), &p), -EINVAL);
	ck_assert_ptr_null(p);
	ck_assert_msg(strstr(load_messages, part), "'%s' is not in:\n%s",
		      part, load_messages);
	free(text);
}

static uint64_t exit_user_of(const char *value)
{
	static const char from[] = "exit_user: {value: 0, unit: ns";
	char to[128];
	struct profile *p;
	uint64_t ps;
	char *text;

	snprintf(to, sizeof(to), "exit_user: {%s", value);
	text = changed(from, to);
	ck_assert_msg(!load_profile_bytes(text, strlen(text), &p), "%s",
		      load_messages);
	ps = p->cost.exit_user_ps;
	profile_destroy(p);
	free(text);
	return ps;
}

START_TEST(units_become_picoseconds_rounded_to_nearest)
{
	struct profile *p = load(MACHINES "mixed.yaml");

	ck_assert_uint_eq(p->clock_hz, 2000000000);
	ck_assert_uint_eq(p->cost.access_ps, 500);
	ck_assert_uint_eq(p->cost.call_ps, 1500);
	ck_assert_uint_eq(p->cost.atomic_ps, 10250);
	ck_assert_uint_eq(p->cost.barrier_ps, 50000);
	ck_assert_uint_eq(p->cost.line_same_core_ps, 12345);
	ck_assert_uint_eq(p->cost.exit_user_ps, 1500000);
	ck_assert_uint_eq(p->cost.halt_wake_ps, UINT64_C(1000000000000));
	ck_assert_uint_eq(p->cost.dev_complete_ps, 7000);
	profile_destroy(p);
	/* 2 GHz: 500 ps a cycle; halves go up */
	ck_assert_uint_eq(exit_user_of("value: 0.001, unit: cycles"), 1);
	ck_assert_uint_eq(exit_user_of("value: 0.000998, unit: cycles"), 0);
	ck_assert_uint_eq(exit_user_of("value: 0.000499, unit: ns"), 0);
	ck_assert_uint_eq(exit_user_of("value: 0.0005, unit: ns"), 1);
}
END_TEST

START_TEST(child_overrides_and_converts_with_its_own_clock)
{
	struct profile *p = load(MACHINES "child.yaml");

	ck_assert_str_eq(p->name, "child");
	ck_assert_uint_eq(p->clock_hz, 3000000000);
	ck_assert_uint_eq(p->cost.access_ps, 333);
	ck_assert_uint_eq(p->cost.call_ps, 1000);
	/* 100 instructions at 0.5 per cycle of 1/3 ns */
	ck_assert_uint_eq(p->cost.barrier_ps, 66667);
	ck_assert_uint_eq(p->cost.exit_user_ps, 20177000);
	ck_assert_str_eq(p->costs[PROFILE_exit_user].profile, "child");
	ck_assert_str_eq(p->costs[PROFILE_access].profile, "mixed");
	ck_assert_uint_eq(p->topology.cores, 4);
	profile_destroy(p);
}
END_TEST

START_TEST(texts_are_kept)
{
	struct profile *p = load(MACHINES "mixed.yaml");
	const struct profile_cost *c = &p->costs[PROFILE_atomic];

	ck_assert_str_eq(c->name, "atomic");
	ck_assert_str_eq(c->group, "cpu");
	ck_assert_str_eq(c->value_text, "20.5");
	ck_assert_str_eq(c->unit, "cycles");
	ck_assert_str_eq(c->source, "made up for tests");
	profile_destroy(p);
}
END_TEST

START_TEST(inheriting_in_a_circle_is_refused)
{
	FILE *err = load_begin();
	struct profile *p;

	ck_assert_int_eq(profile_load(MACHINES "loop_a.yaml", &p, err),
			 -EINVAL);
	fclose(err);
	ck_assert_ptr_nonnull(strstr(load_messages,
				     "loop_b.yaml:2:10: inherit: 'loop_a' inherits from itself"));
}
END_TEST

/* A chain of @nr profiles, in a folder of its own, the last one complete. */
static int load_chain(unsigned int nr)
{
	char folder[] = "/tmp/vblksim-test-XXXXXX";
	char *base = text_of(MACHINES "zero.yaml");
	FILE *err = load_begin();
	struct profile *p;
	char path[64];
	unsigned int i;
	int ret;

	ck_assert_ptr_nonnull(mkdtemp(folder));
	for (i = 0; i < nr; i++) {
		FILE *out;

		snprintf(path, sizeof(path), "%s/p%u.yaml", folder, i);
		out = fopen(path, "w");
		if (i + 1 < nr)
			fprintf(out, "inherit: p%u\n", i + 1);
		else
			fputs(base, out);
		fclose(out);
	}
	snprintf(path, sizeof(path), "%s/p0.yaml", folder);
	ret = profile_load(path, &p, err);
	fclose(err);
	profile_destroy(p);
	for (i = 0; i < nr; i++) {
		snprintf(path, sizeof(path), "%s/p%u.yaml", folder, i);
		unlink(path);
	}
	rmdir(folder);
	free(base);
	return ret;
}

START_TEST(inheritance_is_bounded)
{
	ck_assert_int_eq(load_chain(PROFILE_INHERIT_MAX), 0);
	ck_assert_int_eq(load_chain(PROFILE_INHERIT_MAX + 1), -EINVAL);
	ck_assert_ptr_nonnull(strstr(load_messages, "more than 8 profiles"));
}
END_TEST

START_TEST(missing_constant_is_named)
{
	refused("    barrier: {value: 0, unit: ns, source: \"made up for tests\"}\n",
		"", ":2:1: constant costs.cpu.barrier is missing");
	refused("cpu: {clock: 2GHz, ipc: 1.0}\n", "", "cpu.clock is missing");
	refused("ipc: 1.0", "", "cpu.ipc is missing");
	refused("topology: {sockets: 2, cores: 4, threads: 2}\n", "",
		"topology is missing");
}
END_TEST

START_TEST(every_part_of_a_constant_is_needed)
{
	refused("barrier: {value: 0, unit: ns, source: \"made up for tests\"}",
		"barrier: {value: 0, unit: ns}",
		":10:5: barrier: source is missing");
	refused("barrier: {value: 0, unit: ns, source: \"made up for tests\"}",
		"barrier: {value: 0, unit: ns, source: \"  \"}",
		"source: the text is missing");
	refused("barrier: {value: 0, unit: ns", "barrier: {unit: ns",
		"barrier: value is missing");
	refused("barrier: {value: 0, unit: ns", "barrier: {value: 0",
		"barrier: unit is missing");
	refused("barrier: {value: 0,", "barrier: {value: 0, valeu: 1,",
		"unknown key 'valeu'; did you mean 'value'?");
	ck_assert_ptr_null(strstr(load_messages, "is missing"));
}
END_TEST

START_TEST(wrong_names_are_explained)
{
	refused("barrier:", "barier:",
		":10:5: unknown constant 'barier'; did you mean 'barrier'?");
	ck_assert_ptr_null(strstr(load_messages, "is missing"));
	refused("    barrier:", "    exit_user: {value: 0, unit: ns, source: x}\n    barrier:",
		"'exit_user' belongs in costs.exit, not costs.cpu");
	refused("    barrier:", "    call: {value: 0, unit: ns, source: x}\n    barrier:",
		"'call' is given twice");
	refused("  line:\n", "  lien:\n", "did you mean 'line'?");
	refused("topology:", "topolgy:", "did you mean 'topology'?");
	refused("barrier: {value: 0, unit: ns", "barrier: {value: 0, unit: cycle",
		"did you mean 'cycles'?");
	refused("description:", "inherit: nosuch\ndescription:",
		":2:10: inherit: there is no");
	refused("description:", "inherit: ../x\ndescription:",
		"is not the name of a profile");
}
END_TEST

START_TEST(values_hold_their_limits_on_both_sides)
{
	ck_assert_uint_eq(exit_user_of("value: 1000000, unit: us"),
			  UINT64_C(1000000000000));
	refused("exit_user: {value: 0, unit: ns",
		"exit_user: {value: 1000000.000001, unit: us",
		"exit_user: 1000000.000001 us are more than a second");
	refused("exit_user: {value: 0, unit: ns",
		"exit_user: {value: 18446744073709, unit: cycles",
		"more than a second");
	refused("exit_user: {value: 0", "exit_user: {value: -1",
		"value: -1 is negative");
	refused("exit_user: {value: 0", "exit_user: {value: 0.0000001",
		"is not a number");
	refused("exit_user: {value: 0", "exit_user: {value: 1e3",
		"is not a number");
	refused("exit_user: {value: 0",
		"exit_user: {value: 99999999999999999999", "is not a number");
	refused("clock: 2GHz", "clock: 2", "is not a frequency");
	refused("clock: 2GHz", "clock: 21GHz", "is not a frequency");
	refused("ipc: 1.0", "ipc: 0", "instructions per cycle");
	refused("ipc: 1.0", "ipc: 1.0001", "instructions per cycle");
	refused("threads: 2", "threads: 0", "allowed: 1..60");
	refused("cores: 4", "cores: 16", "more than 60 CPUs");
	free(changed("cores: 4", "cores: 15"));
}
END_TEST

START_TEST(jitter_is_a_share)
{
	static const char *const bad[] = {
		"jitter: 20\n", "jitter: '101 %'\n", "jitter: -1 %\n",
		"jitter: 1.5 %\n", "jitter: '%'\n", "jitter: 20 percent\n",
		"jitter: 99999999999999999999 %\n", "jitter: [20]\n",
	};
	static const uint32_t good[] = { 0, 20, 100 };
	uint64_t hash[3];

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		char text[80];

		snprintf(text, sizeof(text), "%scosts:\n", bad[i]);
		refused("costs:\n", text, "jitter: ");
	}
	for (size_t i = 0; i < 3; i++) {
		struct profile *p;
		char line[40];
		char *text;

		snprintf(line, sizeof(line), "jitter: %u %%\ncosts:\n",
			 good[i]);
		text = changed("costs:\n", line);
		ck_assert_int_eq(load_profile_bytes(text, strlen(text), &p), 0);
		ck_assert_uint_eq(p->jitter_percent, good[i]);
		hash[i] = p->hash;
		profile_destroy(p);
		free(text);
	}
	ck_assert_uint_ne(hash[0], hash[1]);
	ck_assert_uint_ne(hash[1], hash[2]);
}
END_TEST

START_TEST(hash_is_of_values_not_of_texts)
{
	struct profile *a = load(MACHINES "mixed.yaml");
	struct profile *b = load(MACHINES "zero.yaml");
	char *text = changed("made up for tests", "elsewhere");
	struct profile *c;

	ck_assert_int_eq(load_profile_bytes(text, strlen(text), &c), 0);
	ck_assert_uint_ne(a->hash, b->hash);
	ck_assert_uint_eq(b->hash, c->hash);
	profile_destroy(a);
	profile_destroy(b);
	profile_destroy(c);
	free(text);
}
END_TEST

START_TEST(print_shows_each_source)
{
	struct profile *p = load(MACHINES "child.yaml");
	FILE *out = load_begin();
	unsigned int i;

	profile_print(p, out);
	fclose(out);
	for (i = 0; i < PROFILE_COSTS_NR; i++)
		ck_assert_ptr_nonnull(strstr(load_messages,
					     p->costs[i].name));
	ck_assert_ptr_nonnull(strstr(load_messages,
				     "0.333 ns = 1 cycles, by mixed"));
	profile_destroy(p);
}
END_TEST

/* What profile_change() says of @text, on a profile whose hash must not change. */
static void change_refused(struct profile *p, const char *text,
			   const char *part)
{
	uint64_t hash = p->hash;
	FILE *err = load_begin();

	ck_assert_int_eq(profile_change(p, text, err), -EINVAL);
	fclose(err);
	ck_assert_msg(strstr(load_messages, part), "'%s' is not in:\n%s",
		      part, load_messages);
	ck_assert_uint_eq(p->hash, hash);
	ck_assert(!profile_is_changed(p));
}

START_TEST(change_gives_one_constant_another_value)
{
	struct profile *p = load(MACHINES "mixed.yaml");
	struct profile *as_it_was = load(MACHINES "mixed.yaml");
	unsigned int i;
	FILE *out;

	ck_assert_int_eq(profile_change(p, "exit_user=45 us", stderr), 0);
	/* without a unit that of the profile, converted with its clock */
	ck_assert_int_eq(profile_change(p, "atomic=30.5", stderr), 0);
	ck_assert_int_eq(profile_change(p, "call=7ns", stderr), 0);
	ck_assert_uint_eq(p->cost.exit_user_ps, 45000000);
	ck_assert_uint_eq(p->cost.atomic_ps, 15250);
	ck_assert_uint_eq(p->cost.call_ps, 7000);
	ck_assert_uint_ne(p->hash, as_it_was->hash);
	for (i = 0; i < PROFILE_COSTS_NR; i++)
		if (!p->costs[i].changed)
			ck_assert_uint_eq(p->costs[i].ps,
					  as_it_was->costs[i].ps);
	out = load_begin();
	profile_print_changes(p, out);
	fclose(out);
	ck_assert_str_eq(load_messages,
			 "call 7 ns, atomic 30.5 cycles, exit_user 45 us");
	ck_assert_str_eq(p->costs[PROFILE_call].profile, "--cost");
	profile_destroy(p);
	profile_destroy(as_it_was);
}
END_TEST

START_TEST(wrong_change_is_explained_and_changes_nothing)
{
	struct profile *p = load(MACHINES "mixed.yaml");

	change_refused(p, "exit_usr=4", "did you mean 'exit_user'?");
	change_refused(p, "xyzzy=4", "see `vblksim help machine`");
	change_refused(p, "exit_user", "not of the form NAME=VALUE UNIT");
	change_refused(p, "exit_user=", "value is missing");
	change_refused(p, "exit_user=ns", "value is missing");
	change_refused(p, "exit_user=-4", "is negative");
	change_refused(p, "exit_user=4 nss", "did you mean 'ns'?");
	change_refused(p, "exit_user=1000000.000001us",
		       "more than a second");
	ck_assert_int_eq(profile_change(p, "exit_user=1000000us", stderr), 0);
	profile_destroy(p);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("profile");
	TCase *tc = tcase_create("profile");
	SRunner *runner;
	int failed;

	tcase_add_test(tc, units_become_picoseconds_rounded_to_nearest);
	tcase_add_test(tc, child_overrides_and_converts_with_its_own_clock);
	tcase_add_test(tc, texts_are_kept);
	tcase_add_test(tc, inheriting_in_a_circle_is_refused);
	tcase_add_test(tc, inheritance_is_bounded);
	tcase_add_test(tc, missing_constant_is_named);
	tcase_add_test(tc, every_part_of_a_constant_is_needed);
	tcase_add_test(tc, wrong_names_are_explained);
	tcase_add_test(tc, values_hold_their_limits_on_both_sides);
	tcase_add_test(tc, jitter_is_a_share);
	tcase_add_test(tc, hash_is_of_values_not_of_texts);
	tcase_add_test(tc, print_shows_each_source);
	tcase_add_test(tc, change_gives_one_constant_another_value);
	tcase_add_test(tc, wrong_change_is_explained_and_changes_nothing);
	suite_add_tcase(suite, tc);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
