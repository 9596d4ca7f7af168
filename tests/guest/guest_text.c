// SPDX-License-Identifier: GPL-2.0-only
#include "tests/guest/calls.h"
#include "tests/guest/machine.h"

#include <linux/kernel.h>
#include <linux/kstrtox.h>
#include <linux/sprintf.h>
#include <linux/string.h>
#include <linux/string_helpers.h>

int text_format(char *buf, size_t size, const char *fmt, ...)
{
	va_list args;
	int len;

	va_start(args, fmt);
	len = vsnprintf(buf, size, fmt, args);
	va_end(args);
	return len;
}

int text_string_to_uint(const char *text, unsigned int base, uint32_t *value)
{
	return kstrtouint(text, base, value);
}

int text_string_to_int(const char *text, unsigned int base, int32_t *value)
{
	return kstrtoint(text, base, value);
}

int text_string_to_u64(const char *text, unsigned int base, uint64_t *value)
{
	u64 v = 0;
	int err = kstrtoull(text, base, &v);

	*value = v;
	return err;
}

int text_string_to_bool(const char *text, bool *value)
{
	return kstrtobool(text, value);
}

int text_size(uint64_t size, uint64_t block, bool binary, char *buf, int len)
{
	return string_get_size(size, block,
			       binary ? STRING_UNITS_2 : STRING_UNITS_10, buf,
			       len);
}

int text_scan_numbers(const char *text, int *a, unsigned int *b, char *word)
{
	return sscanf(text, "%d:%x %7s", a, b, word);
}

static void check_search(void)
{
	char text[] = "a=b,c=d";
	char *rest = text;

	machine_check(strchr("abc", 'c') && !strchr("abc", 'd'));
	machine_check(*strchr("abc", '\0') == '\0');
	machine_check(!strcmp(strrchr("a/b/c", '/'), "/c"));
	machine_check(!strcmp(strstr("hello", "ll"), "llo"));
	machine_check(!strstr("hello", "lx") && strstr("hello", ""));
	machine_check(!strcmp(strsep(&rest, ","), "a=b"));
	machine_check(!strcmp(strsep(&rest, ","), "c=d"));
	machine_check(!rest && !strsep(&rest, ","));
	machine_check(memchr("abc", 'b', 3) && !memchr("abc", 'c', 2));
	machine_check(!strcmp(kbasename("a/b"), "b"));
}

static void check_compare(void)
{
	static const char * const names[] = { "write back", "write through" };

	machine_check(strcmp("a", "b") < 0 && strcmp("b", "a") > 0);
	machine_check(strcmp("a", "ab") < 0 && !strcmp("", ""));
	machine_check(!strncmp("abc", "abd", 2) && strncmp("abc", "abd", 3));
	machine_check(!strcasecmp("ABC", "abc") && strcasecmp("ab", "abc"));
	machine_check(memcmp("a\0b", "a\0c", 3) < 0);
	machine_check(sysfs_streq("abc\n", "abc") && sysfs_streq("", "\n"));
	machine_check(!sysfs_streq("abc\n\n", "abc") &&
		      !sysfs_streq("ab", "abc"));
	machine_check(match_string(names, 2, "write through") == 1);
	machine_check(match_string(names, 2, "write") == -EINVAL);
	machine_check(sysfs_match_string(names, "write back\n") == 0);
}

static void check_copy(void)
{
	char buf[8];
	char spaces[] = "  x y \n";

	machine_check(strscpy(buf, "1234567") == 7 && !strcmp(buf, "1234567"));
	machine_check(strscpy(buf, "12345678") == -E2BIG &&
		      !strcmp(buf, "1234567"));
	machine_check(strlcpy(buf, "abc", 2) == 3 && !strcmp(buf, "a"));
	strncpy(buf, "xyz", sizeof(buf));
	machine_check(!memcmp(buf, "xyz\0\0\0\0\0", 8));
	strcat(buf, "ab");
	machine_check(!strcmp(buf, "xyzab"));
	memmove(buf + 1, buf, 5);
	machine_check(!strcmp(buf, "xxyzab"));
	machine_check(strnlen("abc", 2) == 2 && strlen("abc") == 3);
	machine_check(!strcmp(strim(spaces), "x y"));
	machine_check(scnprintf(buf, sizeof(buf), "%s", "123456789") == 7);
	machine_check(scnprintf(buf, 0, "%s", "1") == 0);
}

void text_check_strings(void)
{
	check_search();
	check_compare();
	check_copy();
}
