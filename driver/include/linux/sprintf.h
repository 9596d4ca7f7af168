/* SPDX-License-Identifier: GPL-2.0-only */
/* Formatted output to memory; the kernel's conversions (%p extensions). */
#ifndef PORT_LINUX_SPRINTF_H
#define PORT_LINUX_SPRINTF_H

#include <linux/stdarg.h>
#include <linux/types.h>

/*
 * libc has some of these names, and a driver that called them would bind to
 * libc silently: each is mapped to a function of the guest kernel.
 */
__printf(3, 4) int guest_snprintf(char *buf, size_t size, const char *fmt, ...);
__printf(3, 0) int guest_vsnprintf(char *buf, size_t size, const char *fmt,
				   va_list args);
__printf(2, 3) int guest_sprintf(char *buf, const char *fmt, ...);
int guest_sscanf(const char *buf, const char *fmt, ...)
	__attribute__((__format__(scanf, 2, 3)));
#define snprintf(buf, size, args...)	guest_snprintf(buf, size, args)
#define vsnprintf(buf, size, fmt, args)	guest_vsnprintf(buf, size, fmt, args)
#define sprintf(buf, args...)		guest_sprintf(buf, args)
#define sscanf(buf, args...)		guest_sscanf(buf, args)

/* the result is what was written, not what would have been */
__printf(3, 4) int scnprintf(char *buf, size_t size, const char *fmt, ...);
__printf(2, 3) char *kasprintf(gfp_t gfp, const char *fmt, ...);

#endif /* PORT_LINUX_SPRINTF_H */
