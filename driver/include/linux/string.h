/* SPDX-License-Identifier: GPL-2.0-only */
/* Strings and memory; every libc name is mapped to guest_<name>. */
#ifndef PORT_LINUX_STRING_H
#define PORT_LINUX_STRING_H

#include <linux/array_size.h>
#include <linux/types.h>
#include <linux/errno.h>
#include <linux/stdarg.h>

/*
 * Out of line for two reasons: a libc function of the same name must never
 * be bound, and the implementation charges the range that is touched.
 * Do not include libc's string.h in the same file.
 */
void *guest_memcpy(void *dest, const void *src, size_t len);
void *guest_memmove(void *dest, const void *src, size_t len);
void *guest_memset(void *dest, int byte, size_t len);
int guest_memcmp(const void *a, const void *b, size_t len);
void *guest_memchr(const void *s, int c, size_t len);
size_t guest_strlen(const char *s);
size_t guest_strnlen(const char *s, size_t max);
int guest_strcmp(const char *a, const char *b);
int guest_strncmp(const char *a, const char *b, size_t max);
int guest_strcasecmp(const char *a, const char *b);
int guest_strncasecmp(const char *a, const char *b, size_t max);
char *guest_strcpy(char *dest, const char *src);
char *guest_strncpy(char *dest, const char *src, size_t size);
size_t guest_strlcpy(char *dest, const char *src, size_t size);
char *guest_strcat(char *dest, const char *src);
char *guest_strchr(const char *s, int c);
char *guest_strrchr(const char *s, int c);
char *guest_strstr(const char *s, const char *sub);
char *guest_strsep(char **s, const char *delimiters);

#define memcpy(dest, src, len)		guest_memcpy(dest, src, len)
#define memmove(dest, src, len)		guest_memmove(dest, src, len)
#define memset(dest, byte, len)		guest_memset(dest, byte, len)
#define memcmp(a, b, len)		guest_memcmp(a, b, len)
#define memchr(s, c, len)		guest_memchr(s, c, len)
#define strlen(s)			guest_strlen(s)
#define strnlen(s, max)			guest_strnlen(s, max)
#define strcmp(a, b)			guest_strcmp(a, b)
#define strncmp(a, b, max)		guest_strncmp(a, b, max)
#define strcasecmp(a, b)		guest_strcasecmp(a, b)
#define strncasecmp(a, b, max)		guest_strncasecmp(a, b, max)
#define strcpy(dest, src)		guest_strcpy(dest, src)
#define strncpy(dest, src, size)	guest_strncpy(dest, src, size)
#define strlcpy(dest, src, size)	guest_strlcpy(dest, src, size)
#define strcat(dest, src)		guest_strcat(dest, src)
#define strchr(s, c)			guest_strchr(s, c)
#define strrchr(s, c)			guest_strrchr(s, c)
#define strstr(s, sub)			guest_strstr(s, sub)
#define strsep(s, delimiters)		guest_strsep(s, delimiters)

/*
 * API 6.12 (size may be left out). Length of the copy, or -E2BIG if it was
 * cut.
 */
ssize_t sized_strscpy(char *dest, const char *src, size_t size);
#define __strscpy2(dest, src) \
	sized_strscpy(dest, src, sizeof(dest) + __must_be_array(dest))
#define __strscpy3(dest, src, size) sized_strscpy(dest, src, size)
#define __strscpy_pick(a, b, c, name, ...) name
#define strscpy(dest, ...) \
	__strscpy_pick(dest, __VA_ARGS__, __strscpy3, \
		       __strscpy2)(dest, __VA_ARGS__)

char *kstrdup(const char *s, gfp_t gfp);
char *strim(char *s);
char *skip_spaces(const char *s);
/* equal, but for a newline at the end of one of them */
bool sysfs_streq(const char *a, const char *b);
/* index of the match in array[0 .. nr), or -EINVAL */
int match_string(const char * const *array, size_t nr, const char *s);
int __sysfs_match_string(const char * const *array, size_t nr, const char *s);
#define sysfs_match_string(array, s) \
	__sysfs_match_string(array, ARRAY_SIZE(array), s)

static inline const char *kbasename(const char *path)
{
	const char *tail = strrchr(path, '/');

	return tail ? tail + 1 : path;
}

#endif /* PORT_LINUX_STRING_H */
