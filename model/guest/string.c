// SPDX-License-Identifier: GPL-2.0-only
/*
 * Implements <linux/string.h>. Copies and fills are charged as a range and then
 * made at once, by libc, which the instrumentation doesn't see.
 */
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "model/hw/hooks.h"

#define __uncharged __attribute__((no_sanitize("thread")))

/* The port's macros rename the plain names; these bind to libc. */
void *libc_memcpy(void *dest, const void *src, size_t len) __asm__("memcpy");
void *libc_memmove(void *dest, const void *src, size_t len) __asm__("memmove");
void *libc_memset(void *dest, int byte, size_t len) __asm__("memset");

__uncharged void *guest_memcpy(void *dest, const void *src, size_t len)
{
	hooks_range(src, len, 0);
	hooks_range(dest, len, 1);
	return libc_memcpy(dest, src, len);
}

__uncharged void *guest_memmove(void *dest, const void *src, size_t len)
{
	hooks_range(src, len, 0);
	hooks_range(dest, len, 1);
	return libc_memmove(dest, src, len);
}

__uncharged void *guest_memset(void *dest, int byte, size_t len)
{
	hooks_range(dest, len, 1);
	return libc_memset(dest, byte, len);
}

int guest_memcmp(const void *a, const void *b, size_t len)
{
	const u8 *x = a, *y = b;

	for (size_t i = 0; i < len; i++)
		if (x[i] != y[i])
			return x[i] - y[i];
	return 0;
}

void *guest_memchr(const void *s, int c, size_t len)
{
	const u8 *x = s;

	for (size_t i = 0; i < len; i++)
		if (x[i] == (u8)c)
			return (void *)(x + i);
	return NULL;
}

size_t guest_strnlen(const char *s, size_t max)
{
	size_t len = 0;

	while (len < max && s[len])
		len++;
	return len;
}

size_t guest_strlen(const char *s)
{
	return guest_strnlen(s, SIZE_MAX);
}

static int string_lower(int c)
{
	return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

static int string_compare(const char *a, const char *b, size_t max, bool fold)
{
	for (size_t i = 0; i < max; i++) {
		int x = (u8)a[i], y = (u8)b[i];

		if (fold) {
			x = string_lower(x);
			y = string_lower(y);
		}
		if (x != y || !x)
			return x - y;
	}
	return 0;
}

int guest_strcmp(const char *a, const char *b)
{
	return string_compare(a, b, SIZE_MAX, false);
}

int guest_strncmp(const char *a, const char *b, size_t max)
{
	return string_compare(a, b, max, false);
}

int guest_strcasecmp(const char *a, const char *b)
{
	return string_compare(a, b, SIZE_MAX, true);
}

int guest_strncasecmp(const char *a, const char *b, size_t max)
{
	return string_compare(a, b, max, true);
}

char *guest_strcpy(char *dest, const char *src)
{
	return memcpy(dest, src, strlen(src) + 1);
}

char *guest_strncpy(char *dest, const char *src, size_t size)
{
	size_t len = strnlen(src, size);

	memcpy(dest, src, len);
	memset(dest + len, 0, size - len);
	return dest;
}

size_t guest_strlcpy(char *dest, const char *src, size_t size)
{
	size_t len = strlen(src);
	size_t copy = size && len >= size ? size - 1 : len;

	if (size) {
		memcpy(dest, src, copy);
		dest[copy] = '\0';
	}
	return len;
}

ssize_t sized_strscpy(char *dest, const char *src, size_t size)
{
	size_t len;

	if (!size)
		return -E2BIG;
	len = strnlen(src, size);
	if (len == size) {
		memcpy(dest, src, size - 1);
		dest[size - 1] = '\0';
		return -E2BIG;
	}
	memcpy(dest, src, len + 1);
	return len;
}

char *guest_strcat(char *dest, const char *src)
{
	strcpy(dest + strlen(dest), src);
	return dest;
}

char *guest_strchr(const char *s, int c)
{
	for (; *s != (char)c; s++)
		if (!*s)
			return NULL;
	return (char *)s;
}

char *guest_strrchr(const char *s, int c)
{
	const char *found = NULL;

	for (;; s++) {
		if (*s == (char)c)
			found = s;
		if (!*s)
			return (char *)found;
	}
}

char *guest_strstr(const char *s, const char *sub)
{
	size_t len = strlen(sub);

	for (;; s++) {
		if (!strncmp(s, sub, len))
			return (char *)s;
		if (!*s)
			return NULL;
	}
}

char *guest_strsep(char **s, const char *delimiters)
{
	char *token = *s;
	char *end;

	if (!token)
		return NULL;
	for (end = token; *end && !strchr(delimiters, *end); end++)
		;
	*s = *end ? end + 1 : NULL;
	*end = '\0';
	return token;
}

char *kstrdup(const char *s, gfp_t gfp)
{
	return s ? kmemdup(s, strlen(s) + 1, gfp) : NULL;
}

static bool string_is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

char *skip_spaces(const char *s)
{
	while (string_is_space(*s))
		s++;
	return (char *)s;
}

char *strim(char *s)
{
	size_t len = strlen(s);

	while (len && string_is_space(s[len - 1]))
		len--;
	s[len] = '\0';
	return skip_spaces(s);
}

bool sysfs_streq(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	if (*a == *b)
		return true;
	return (!*a && *b == '\n' && !b[1]) || (*a == '\n' && !a[1] && !*b);
}

int match_string(const char * const *array, size_t nr, const char *s)
{
	for (size_t i = 0; i < nr && array[i]; i++)
		if (!strcmp(array[i], s))
			return i;
	return -EINVAL;
}

int __sysfs_match_string(const char * const *array, size_t nr, const char *s)
{
	for (size_t i = 0; i < nr && array[i]; i++)
		if (sysfs_streq(array[i], s))
			return i;
	return -EINVAL;
}
