/* SPDX-License-Identifier: GPL-2.0-only */
/* Loading scenarios and profiles from texts, for tests. */
#ifndef TESTS_HARNESS_LOAD_H
#define TESTS_HARNESS_LOAD_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/harness/profile.h"
#include "model/harness/scenario.h"

/* What was said about the last text; freed by the next. */
static char *load_messages;

static inline FILE *load_begin(void)
{
	static size_t bytes;

	free(load_messages);
	load_messages = NULL;
	return open_memstream(&load_messages, &bytes);
}

/* Put @bytes of @text into a new file; its name goes to @path. */
static inline void load_put(char path[64], const char *text, size_t bytes)
{
	int fd;

	strcpy(path, "/tmp/vblksim-test-XXXXXX");
	fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, bytes), (ssize_t)bytes);
	close(fd);
}

static inline int load_scenario_bytes(const char *text, size_t bytes,
				      struct scenario **s)
{
	char path[64];
	FILE *err = load_begin();
	int ret;

	load_put(path, text, bytes);
	ret = scenario_load(path, NULL, 0, s, err);
	unlink(path);
	fclose(err);
	return ret;
}

static inline int load_profile_bytes(const char *text, size_t bytes,
				     struct profile **p)
{
	char path[64];
	FILE *err = load_begin();
	int ret;

	load_put(path, text, bytes);
	ret = profile_load(path, p, err);
	unlink(path);
	fclose(err);
	return ret;
}

static inline struct scenario *load_good(const char *text)
{
	struct scenario *s;
	int ret = load_scenario_bytes(text, strlen(text), &s);

	ck_assert_msg(!ret && !*load_messages, "refused: %s", load_messages);
	return s;
}

/* @text is refused, and @part is said. */
static inline void load_bad(const char *text, const char *part)
{
	struct scenario *s;

	ck_assert_int_lt(load_scenario_bytes(text, strlen(text), &s), 0);
	ck_assert_ptr_null(s);
	ck_assert_msg(strstr(load_messages, part), "'%s' is not in:\n%s",
		      part, load_messages);
}

#endif
