// SPDX-License-Identifier: GPL-2.0-only
#include "model/harness/diag.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Characters of a line that are shown, and how many of them before the caret. */
#define DIAG_SHOWN	100u
#define DIAG_BEFORE	60u
#define DIAG_MESSAGE_BYTES	1024u

void diag_init(struct diag *d, FILE *out, unsigned int max)
{
	d->out = out;
	d->max = max;
	d->errors_nr = 0;
	d->seen = NULL;
}

void diag_fini(struct diag *d)
{
	if (d->out && d->errors_nr > d->max)
		fprintf(d->out, "%u errors shown; there are more\n", d->max);
	free(d->seen);
	d->seen = NULL;
}

/* Length of the line break at @p, 0: none. The breaks of YAML 1.1, section 4.2. */
static size_t diag_break(const char *p, const char *end)
{
	size_t left = (size_t)(end - p);

	if (left >= 2 && p[0] == '\r' && p[1] == '\n')
		return 2;
	if (left >= 1 && (p[0] == '\n' || p[0] == '\r'))
		return 1;
	if (left >= 2 && !memcmp(p, "\xc2\x85", 2))
		return 2;
	if (left >= 3 && (!memcmp(p, "\xe2\x80\xa8", 3) ||
			  !memcmp(p, "\xe2\x80\xa9", 3)))
		return 3;
	return 0;
}

static bool diag_continues(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* Start of the character after the one at @p. */
static const char *diag_next(const char *p, const char *end)
{
	for (p++; p < end && diag_continues(*p); p++)
		;
	return p;
}

static const char *diag_line_end(const char *p, const char *end)
{
	while (p < end && !diag_break(p, end))
		p++;
	return p;
}

/* Start of @line (from 1), or the end of the text. */
static const char *diag_line(const struct diag_source *source, uint32_t line)
{
	const char *end = source->text + source->bytes;
	const char *p = source->text;

	while (--line && p < end) {
		p = diag_line_end(p, end);
		p += diag_break(p, end);
	}
	return p;
}

struct diag_pos diag_pos_of(const struct diag_source *source, size_t offset)
{
	const char *end = source->text + source->bytes;
	struct diag_pos pos = { .source = source, .line = 1, .column = 1 };
	const char *p = source->text;
	const char *at;

	at = p + (offset < source->bytes ? offset : source->bytes);
	while (p < at) {
		size_t n = diag_break(p, end);

		if (n) {
			p += n;
			pos.line++;
			pos.column = 1;
		} else {
			p = diag_next(p, end);
			pos.column++;
		}
	}
	return pos;
}

struct diag_pos diag_pos_right(struct diag_pos pos, uint32_t characters)
{
	pos.column += characters;
	return pos;
}

/* One character; what a terminal might obey becomes '?'. */
static void diag_put(FILE *out, const char *p, const char *next)
{
	unsigned char c = (unsigned char)*p;

	if (c == '\t' || (c >= 0x20 && c < 0x7f) ||
	    (c >= 0xc3 && next - p >= 2))
		fwrite(p, 1, (size_t)(next - p), out);
	else
		fputc('?', out);
}

static void diag_show_text(FILE *out, const char *p, const char *end)
{
	uint32_t shown = 0;

	for (; p < end && shown < DIAG_SHOWN; shown++) {
		const char *next = diag_next(p, end);

		diag_put(out, p, next);
		p = next;
	}
	fputs(p < end ? "...\n" : "\n", out);
}

static void diag_show_line(FILE *out, struct diag_pos pos)
{
	const char *end = pos.source->text + pos.source->bytes;
	const char *p = diag_line(pos.source, pos.line);
	uint32_t skip = 0;
	uint32_t column;

	if (pos.column > DIAG_SHOWN)
		skip = pos.column - DIAG_BEFORE;
	end = diag_line_end(p, end);
	for (column = 0; column < skip && p < end; column++)
		p = diag_next(p, end);
	fprintf(out, "%5u | %s", pos.line, skip ? "..." : "");
	diag_show_text(out, p, end);
	fprintf(out, "      | %s", skip ? "   " : "");
	for (column++; column < pos.column; column++) {
		fputc(p < end && *p == '\t' ? '\t' : ' ', out);
		p = p < end ? diag_next(p, end) : p;
	}
	fputs("^\n", out);
}

bool diag_full(const struct diag *d)
{
	return d->errors_nr > d->max;
}

static uint64_t diag_mix(uint64_t hash, const char *text)
{
	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
	return hash;
}

/* Remember the error; false if it is known. Only those printed are kept. */
static bool diag_is_new(struct diag *d, struct diag_pos pos,
			const char *message)
{
	uint64_t hash = 0xcbf29ce484222325u;
	unsigned int kept = d->errors_nr < d->max ? d->errors_nr : d->max;
	unsigned int i;

	hash = diag_mix(hash ^ (uintptr_t)pos.source, "source");
	hash = diag_mix(hash ^ pos.line, "line");
	hash = diag_mix(hash ^ pos.column, message);
	for (i = 0; i < kept; i++)
		if (d->seen[i] == hash)
			return false;
	if (!d->seen)
		d->seen = calloc(d->max, sizeof(*d->seen));
	if (d->seen && kept < d->max)
		d->seen[kept] = hash;
	return true;
}

/* Control characters that came from the input are not for the terminal. */
static void diag_clean(char *message)
{
	for (; *message; message++)
		if ((unsigned char)*message < 0x20 || *message == 0x7f)
			*message = '?';
}

void diag_error(struct diag *d, struct diag_pos pos, const char *fmt, ...)
{
	char message[DIAG_MESSAGE_BYTES];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(message, sizeof(message), fmt, ap);
	va_end(ap);
	diag_clean(message);
	if (!diag_is_new(d, pos, message))
		return;
	if (d->errors_nr++ >= d->max || !d->out)
		return;
	if (!pos.source || !pos.line) {
		fprintf(d->out, "%s: %s\n",
			pos.source ? pos.source->name : "vblksim", message);
		return;
	}
	fprintf(d->out, "%s:%u:%u: %s\n", pos.source->name, pos.line,
		pos.column, message);
	diag_show_line(d->out, pos);
}

static int diag_slurp(FILE *in, char *text, size_t *bytes)
{
	errno = 0;
	*bytes = fread(text, 1, DIAG_SOURCE_MAX_BYTES + 1, in);
	if (ferror(in))
		return errno ? -errno : -EIO;
	if (*bytes > DIAG_SOURCE_MAX_BYTES)
		return -EFBIG;
	text[*bytes] = '\0';
	return 0;
}

int diag_read_file(struct diag *d, const char *path,
		   struct diag_source *source, char **text)
{
	struct diag_pos nowhere = { .source = source };
	FILE *in = fopen(path, "rb");
	int err;

	*source = (struct diag_source){ .name = path, .text = "" };
	*text = NULL;
	if (!in) {
		err = -errno;
		goto fail;
	}
	*text = malloc(DIAG_SOURCE_MAX_BYTES + 2);
	err = *text ? diag_slurp(in, *text, &source->bytes) : -ENOMEM;
	fclose(in);
	if (err)
		goto fail;
	source->text = *text;
	return 0;
fail:
	free(*text);
	*text = NULL;
	if (err == -EFBIG)
		diag_error(d, nowhere, "larger than %u bytes",
			   DIAG_SOURCE_MAX_BYTES);
	else
		diag_error(d, nowhere, "cannot be read: %s", strerror(-err));
	return err;
}
