// SPDX-License-Identifier: GPL-2.0-only
#include "model/harness/driver_info.h"

#include <string.h>

static const char *info_line(const char *text, const char *key,
			     const char *value, struct arena *a)
{
	return value ? arena_format(a, "%s%s: %s\n", text, key, value) : text;
}

char *driver_info_print(const struct driver_info *info, struct arena *a)
{
	const char *text = "";

#define INFO_PRINT(field, key, what) \
	text = info_line(text, key, info->field, a);
	DRIVER_INFO_LINES(INFO_PRINT)
#undef INFO_PRINT
	return arena_string(a, text);
}

static const char *info_find(const char *text, const char *key,
			     struct arena *a)
{
	size_t length = strlen(key);

	while (text) {
		if (!strncmp(text, key, length) &&
		    !strncmp(text + length, ": ", 2)) {
			text += length + 2;
			return arena_text(a, text, strcspn(text, "\n"));
		}
		text = strchr(text, '\n');
		if (text)
			text++;
	}
	return NULL;
}

void driver_info_parse(struct driver_info *info, const char *text,
		       struct arena *a)
{
#define INFO_PARSE(field, key, what) info->field = info_find(text, key, a);
	DRIVER_INFO_LINES(INFO_PARSE)
#undef INFO_PARSE
}
