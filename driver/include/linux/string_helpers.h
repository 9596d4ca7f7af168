/* SPDX-License-Identifier: GPL-2.0-only */
/* Sizes as text. */
#ifndef PORT_LINUX_STRING_HELPERS_H
#define PORT_LINUX_STRING_HELPERS_H

#include <linux/string.h>

enum string_size_units {
	STRING_UNITS_10,	/* powers of 1000: kB, MB */
	STRING_UNITS_2,		/* powers of 1024: KiB, MiB */
	STRING_UNITS_MASK = 1,
	STRING_UNITS_NO_SPACE = 1 << 30,
	STRING_UNITS_NO_BYTES = 1 << 31,
};

/*
 * API 6.12 (int result). Writes size * blk_size bytes, three significant
 * digits and unit, to buf. Result as of snprintf().
 */
int string_get_size(u64 size, u64 blk_size, const enum string_size_units units,
		    char *buf, int len);

static inline const char *str_yes_no(bool v)
{
	return v ? "yes" : "no";
}

static inline const char *str_enabled_disabled(bool v)
{
	return v ? "enabled" : "disabled";
}

#endif /* PORT_LINUX_STRING_HELPERS_H */
