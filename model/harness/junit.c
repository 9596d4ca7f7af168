// SPDX-License-Identifier: GPL-2.0-only
#include "model/harness/junit.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

struct junit_case {
	const char *name;
	const char *message;
	enum junit_outcome outcome;
	struct junit_case *next;
};

struct junit_suite {
	const char *name;
	struct junit_case *first;
	struct junit_case **last;
	unsigned int nr[JUNIT_OUTCOMES_NR];
	struct junit_suite *next;
};

void junit_init(struct junit *j, struct arena *arena)
{
	j->arena = arena;
	j->first = NULL;
	j->last = &j->first;
}

struct junit_suite *junit_add_suite(struct junit *j, const char *name)
{
	struct junit_suite *suite = arena_alloc(j->arena, sizeof(*suite));

	suite->name = arena_string(j->arena, name);
	suite->last = &suite->first;
	*j->last = suite;
	j->last = &suite->next;
	return suite;
}

void junit_add_case(struct junit *j, struct junit_suite *suite,
		    const char *name, enum junit_outcome outcome,
		    const char *message)
{
	struct junit_case *c = arena_alloc(j->arena, sizeof(*c));

	c->name = arena_string(j->arena, name);
	c->message = arena_string(j->arena, message);
	c->outcome = outcome;
	*suite->last = c;
	suite->last = &c->next;
	suite->nr[outcome]++;
}

/* Bytes of the sequence that @lead begins, and the bits of @lead that count. */
static size_t junit_sequence(unsigned char lead, uint32_t *code)
{
	size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;

	if (lead < 0x80) {
		*code = lead;
		return 1;
	}
	if (lead < 0xc2 || lead > 0xf4)
		return 0;
	*code = lead & (0xffu >> (bytes + 1));
	return bytes;
}

/* Bytes of the character at @p, 0: XML 1.0, section 2.2 does not allow it. */
static size_t junit_character(const char *p)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	uint32_t code = 0;
	size_t bytes = junit_sequence((unsigned char)*p, &code);
	size_t i;

	for (i = 1; i < bytes; i++) {
		if (((unsigned char)p[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | ((unsigned char)p[i] & 0x3f);
	}
	if (code < least[bytes] || code == 0x7f || code > 0x10ffff ||
	    (code >= 0xd800 && code < 0xe000) || (code & 0xfffe) == 0xfffe)
		return 0;
	if (code < 0x20 && code != '\n' && code != '\t')
		return 0;
	return bytes;
}

static void junit_put(FILE *out, const char *text)
{
	while (*text) {
		size_t bytes = junit_character(text);

		if (!bytes)
			fputc('?', out);
		else if (strchr("&<>\"'\n\t", *text))
			fprintf(out, "&#%d;", *text);
		else
			fwrite(text, 1, bytes, out);
		text += bytes ? bytes : 1;
	}
}

static void junit_put_attribute(FILE *out, const char *name, const char *text)
{
	fprintf(out, " %s=\"", name);
	junit_put(out, text);
	fputc('"', out);
}

static void junit_put_case(FILE *out, const struct junit_suite *suite,
			   const struct junit_case *c)
{
	static const char *const element[JUNIT_OUTCOMES_NR] = {
		[JUNIT_FAILURE] = "failure",
		[JUNIT_ERROR] = "error",
		[JUNIT_SKIPPED] = "skipped",
	};

	fputs("    <testcase", out);
	junit_put_attribute(out, "classname", suite->name);
	junit_put_attribute(out, "name", c->name);
	if (c->outcome == JUNIT_OK) {
		fputs("/>\n", out);
		return;
	}
	fprintf(out, ">\n      <%s", element[c->outcome]);
	junit_put_attribute(out, "message", c->message);
	fputs("/>\n    </testcase>\n", out);
}

static void junit_put_counts(FILE *out, const unsigned int *nr)
{
	fprintf(out, " tests=\"%u\" failures=\"%u\" errors=\"%u\" skipped=\"%u\">\n",
		nr[JUNIT_OK] + nr[JUNIT_FAILURE] + nr[JUNIT_ERROR] +
			nr[JUNIT_SKIPPED],
		nr[JUNIT_FAILURE], nr[JUNIT_ERROR], nr[JUNIT_SKIPPED]);
}

static void junit_put_suite(FILE *out, const struct junit_suite *suite)
{
	const struct junit_case *c;

	fputs("  <testsuite", out);
	junit_put_attribute(out, "name", suite->name);
	junit_put_counts(out, suite->nr);
	for (c = suite->first; c; c = c->next)
		junit_put_case(out, suite, c);
	fputs("  </testsuite>\n", out);
}

int junit_print(const void *junit, FILE *out)
{
	const struct junit *j = junit;
	unsigned int nr[JUNIT_OUTCOMES_NR] = { 0 };
	const struct junit_suite *suite;
	unsigned int i;

	for (suite = j->first; suite; suite = suite->next)
		for (i = 0; i < JUNIT_OUTCOMES_NR; i++)
			nr[i] += suite->nr[i];
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites", out);
	junit_put_counts(out, nr);
	for (suite = j->first; suite; suite = suite->next)
		junit_put_suite(out, suite);
	errno = 0;
	fputs("</testsuites>\n", out);
	if (fflush(out) || ferror(out))
		return errno ? -errno : -EIO;
	return 0;
}
