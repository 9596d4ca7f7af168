/* SPDX-License-Identifier: GPL-2.0-only */
/* Kernel messages; out of line. */
#ifndef PORT_LINUX_PRINTK_H
#define PORT_LINUX_PRINTK_H

#include <linux/stdarg.h>
#include <linux/types.h>

/* The level is the digit after the SOH byte at the start of the format. */
#define KERN_SOH	"\001"
#define KERN_EMERG	KERN_SOH "0"
#define KERN_ALERT	KERN_SOH "1"
#define KERN_CRIT	KERN_SOH "2"
#define KERN_ERR	KERN_SOH "3"
#define KERN_WARNING	KERN_SOH "4"
#define KERN_NOTICE	KERN_SOH "5"
#define KERN_INFO	KERN_SOH "6"
#define KERN_DEBUG	KERN_SOH "7"
#define KERN_DEFAULT	""
#define KERN_CONT	KERN_SOH "c"

#ifndef pr_fmt
#define pr_fmt(fmt) fmt
#endif

__cold __printf(1, 2) int _printk(const char *fmt, ...);
/* for a message that must type-check but is compiled out */
#define no_printk(fmt, ...) \
({ \
	if (0) \
		_printk(fmt, ##__VA_ARGS__); \
	0; \
})

#define printk(fmt, ...) _printk(fmt, ##__VA_ARGS__)
#define pr_emerg(fmt, ...) _printk(KERN_EMERG pr_fmt(fmt), ##__VA_ARGS__)
#define pr_alert(fmt, ...) _printk(KERN_ALERT pr_fmt(fmt), ##__VA_ARGS__)
#define pr_crit(fmt, ...) _printk(KERN_CRIT pr_fmt(fmt), ##__VA_ARGS__)
#define pr_err(fmt, ...) _printk(KERN_ERR pr_fmt(fmt), ##__VA_ARGS__)
#define pr_warn(fmt, ...) _printk(KERN_WARNING pr_fmt(fmt), ##__VA_ARGS__)
#define pr_notice(fmt, ...) _printk(KERN_NOTICE pr_fmt(fmt), ##__VA_ARGS__)
#define pr_info(fmt, ...) _printk(KERN_INFO pr_fmt(fmt), ##__VA_ARGS__)
#define pr_cont(fmt, ...) _printk(KERN_CONT fmt, ##__VA_ARGS__)
#ifdef DEBUG
#define pr_debug(fmt, ...) _printk(KERN_DEBUG pr_fmt(fmt), ##__VA_ARGS__)
#else
#define pr_debug(fmt, ...) no_printk(KERN_DEBUG pr_fmt(fmt), ##__VA_ARGS__)
#endif

#define pr_warn_once(fmt, ...) __port_once(pr_warn, fmt, ##__VA_ARGS__)
#define pr_info_once(fmt, ...) __port_once(pr_info, fmt, ##__VA_ARGS__)
#define __port_once(print, args...) \
do { \
	static bool __printed; \
\
	if (!__printed) { \
		__printed = true; \
		print(args); \
	} \
} while (0)

#endif /* PORT_LINUX_PRINTK_H */
