/* SPDX-License-Identifier: GPL-2.0-only */
/* Checks that stop the build. */
#ifndef PORT_LINUX_BUILD_BUG_H
#define PORT_LINUX_BUILD_BUG_H

#include <linux/compiler.h>

/*
 * The condition may become constant only after inlining, so the check is a
 * call to a function that must be optimised away.
 */
#ifdef __OPTIMIZE__
#define __port_build_bug(cond, msg, name) \
do { \
	extern void name(void) __attribute__((__error__(msg))); \
	if (cond) \
		name(); \
} while (0)
#else
#define __port_build_bug(cond, msg, name) ((void)(cond))
#endif

#define BUILD_BUG_ON_MSG(cond, msg) \
	__port_build_bug(cond, msg, __UNIQUE_ID(build_bug_))
#define BUILD_BUG_ON(cond) \
	BUILD_BUG_ON_MSG(cond, "BUILD_BUG_ON failed: " #cond)
#define BUILD_BUG_ON_NOT_POWER_OF_2(n) \
	BUILD_BUG_ON((n) == 0 || ((n) & ((n) - 1)) != 0)
#define BUILD_BUG() BUILD_BUG_ON_MSG(1, "BUILD_BUG failed")

#endif /* PORT_LINUX_BUILD_BUG_H */
