// SPDX-License-Identifier: GPL-2.0-only
/*
 * Broken input: whatever is read, the loaders return, leak nothing (with the
 * sanitizers on), and say where the mistake is when they refuse.
 */
#include <dirent.h>
#include <regex.h>

#include "sim/random.h"
#include "tests/harness/load.h"

#define INPUTS_NR	10000u
#define SEEDS_MAX	64u
#define INPUT_BYTES	16384u

struct input {
	char bytes[INPUT_BYTES];
	size_t nr;
};

static struct input seeds[SEEDS_MAX];
static unsigned int seeds_nr;
static struct sim_random rnd;
static regex_t position;
static unsigned int accepted_nr;
static unsigned int refused_nr;

static void add_seeds(const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	char path[512];

	ck_assert_ptr_nonnull(dir);
	while ((entry = readdir(dir))) {
		struct input *in = &seeds[seeds_nr];
		FILE *file;

		if (!strstr(entry->d_name, ".yaml"))
			continue;
		ck_assert_uint_lt(seeds_nr, SEEDS_MAX);
		snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
		file = fopen(path, "r");
		ck_assert_ptr_nonnull(file);
		in->nr = fread(in->bytes, 1, INPUT_BYTES / 2, file);
		fclose(file);
		seeds_nr++;
	}
	closedir(dir);
}

/* readdir gives files in any order: the runs must not depend on it. */
static int compare_seeds(const void *a, const void *b)
{
	const struct input *x = a;
	const struct input *y = b;

	if (x->nr != y->nr)
		return x->nr < y->nr ? -1 : 1;
	return memcmp(x->bytes, y->bytes, x->nr);
}

static size_t below(size_t n)
{
	return n ? (size_t)sim_random_below(&rnd, n) : 0;
}

static void flip(struct input *in)
{
	size_t times = 1 + below(4);

	while (times-- && in->nr)
		in->bytes[below(in->nr)] ^= (char)(1 << below(8));
}

static void cut(struct input *in)
{
	in->nr = below(in->nr + 1);
}

/* Take a piece out and put a piece of another seed there. */
static void splice(struct input *in)
{
	const struct input *other = &seeds[below(seeds_nr)];
	size_t from = below(other->nr);
	size_t bytes = below(other->nr - from + 1);
	size_t at = below(in->nr + 1);
	size_t gone = below(in->nr - at + 1);

	if (in->nr - gone + bytes > INPUT_BYTES)
		return;
	memmove(in->bytes + at + bytes, in->bytes + at + gone,
		in->nr - at - gone);
	memcpy(in->bytes + at, other->bytes + from, bytes);
	in->nr = in->nr - gone + bytes;
}

/* Put something in that means something. */
static void insert_token(struct input *in)
{
	static const char *const tokens[] = {
		"{", "}", "[", "]", ":", ",", "- ", "? ", "&a ", "*a", "!!x ",
		"|", ">", "\"", "'", "#", "%", "---\n", "...\n", "\n", "  ",
		"\t", "<<: ", "\xef\xbb\xbf", "\xc2\x85", "\xe2\x80\xa8",
		"\xff", "18446744073709551616", "-1", "auto", "~", "null",
		"variants: ", "set: ", "inherit: zero\n", "0.0000000000001",
		"job: ", "name: ", "costs: ",
	};
	const char *token = tokens[below(sizeof(tokens) / sizeof(*tokens))];
	size_t bytes = strlen(token);
	size_t at = below(in->nr + 1);

	if (in->nr + bytes > INPUT_BYTES)
		return;
	memmove(in->bytes + at + bytes, in->bytes + at, in->nr - at);
	memcpy(in->bytes + at, token, bytes);
	in->nr += bytes;
}

static void noise(struct input *in)
{
	size_t i;

	in->nr = below(300);
	for (i = 0; i < in->nr; i++)
		in->bytes[i] = (char)below(below(2) ? 256 : 128);
}

static void mutate(struct input *in)
{
	static void (*const ways[])(struct input *) = {
		flip, cut, splice, insert_token, insert_token, splice,
	};
	size_t times = 1 + below(3);

	*in = seeds[below(seeds_nr)];
	if (!below(20))
		noise(in);
	else
		while (times--)
			ways[below(sizeof(ways) / sizeof(*ways))](in);
}

static void judge(const struct input *in, int ret, const char *what)
{
	if (!ret) {
		accepted_nr++;
		ck_assert_str_eq(load_messages, "");
		return;
	}
	refused_nr++;
	ck_assert_msg(!regexec(&position, load_messages, 0, NULL, 0),
		      "%s refused without a place: %s\ninput: %.*s", what,
		      load_messages, (int)in->nr, in->bytes);
}

static void try_scenario(const struct input *in)
{
	struct scenario *s;
	int ret = load_scenario_bytes(in->bytes, in->nr, &s);
	uint32_t i;

	judge(in, ret, "scenario");
	for (i = 0; s && i < scenario_variants_nr(s); i++)
		scenario_hash(scenario_variant(s, i));
	scenario_destroy(s);
}

static void try_profile(const struct input *in)
{
	struct profile *p;

	judge(in, load_profile_bytes(in->bytes, in->nr, &p), "profile");
	profile_destroy(p);
}

START_TEST(broken_input_is_refused_with_a_place)
{
	static struct input in;
	unsigned int i;

	for (i = 0; i < INPUTS_NR; i++) {
		mutate(&in);
		try_scenario(&in);
		try_profile(&in);
	}
	/* the corpus is good for something: both outcomes are common */
	ck_assert_uint_gt(accepted_nr, INPUTS_NR / 100);
	ck_assert_uint_gt(refused_nr, INPUTS_NR / 2);
}
END_TEST

static void setup(void)
{
	add_seeds("tests/harness/data");
	add_seeds("tests/harness/data/machines");
	qsort(seeds, seeds_nr, sizeof(seeds[0]), compare_seeds);
	sim_random_init(&rnd, 1, "fuzz");
	ck_assert_int_eq(regcomp(&position, ":[0-9]+:[0-9]+: ",
				 REG_EXTENDED | REG_NOSUB), 0);
}

static void teardown(void)
{
	regfree(&position);
	free(load_messages);
	load_messages = NULL;
}

int main(void)
{
	Suite *suite = suite_create("fuzz");
	TCase *tc = tcase_create("fuzz");
	SRunner *runner;
	int failed;

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_set_timeout(tc, 900);
	tcase_add_test(tc, broken_input_is_refused_with_a_place);
	suite_add_tcase(suite, tc);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
