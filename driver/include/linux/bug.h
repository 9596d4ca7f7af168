/* SPDX-License-Identifier: GPL-2.0-only */
/* Fatal errors and warnings; out of line, so the simulator reports them. */
#ifndef PORT_LINUX_BUG_H
#define PORT_LINUX_BUG_H

#include <linux/build_bug.h>
#include <linux/types.h>

__noreturn __cold
void __guest_bug(const char *file, int line, const char *func);
/* fmt is NULL for the forms without a message */
__cold __printf(4, 5)
void __guest_warn(const char *file, int line, const char *func,
		  const char *fmt, ...);

#define BUG() __guest_bug(__FILE__, __LINE__, __func__)
#define BUG_ON(cond) \
do { \
	if (unlikely(cond)) \
		BUG(); \
} while (0)

#define __WARN() __guest_warn(__FILE__, __LINE__, __func__, NULL)

#define WARN_ON(cond) ({ \
	int __warn_hit = !!(cond); \
	if (unlikely(__warn_hit)) \
		__WARN(); \
	unlikely(__warn_hit); \
})

#define WARN(cond, fmt...) ({ \
	int __warn_hit = !!(cond); \
	if (unlikely(__warn_hit)) \
		__guest_warn(__FILE__, __LINE__, __func__, fmt); \
	unlikely(__warn_hit); \
})

/* The flag is touched only once the condition holds. */
#define WARN_ON_ONCE(cond) ({ \
	static bool __warned; \
	int __warn_once_hit = !!(cond); \
	if (unlikely(__warn_once_hit) && !__warned) { \
		__warned = true; \
		__WARN(); \
	} \
	unlikely(__warn_once_hit); \
})

#define WARN_ONCE(cond, fmt...) ({ \
	static bool __warned; \
	int __warn_once_hit = !!(cond); \
	if (unlikely(__warn_once_hit) && !__warned) { \
		__warned = true; \
		__guest_warn(__FILE__, __LINE__, __func__, fmt); \
	} \
	unlikely(__warn_once_hit); \
})

#endif /* PORT_LINUX_BUG_H */
