/* SPDX-License-Identifier: GPL-2.0-only */
/* The end of the guest kernel; the simulator reports it. */
#ifndef PORT_LINUX_PANIC_H
#define PORT_LINUX_PANIC_H

#include <linux/compiler.h>

__noreturn __cold __printf(1, 2) void panic(const char *fmt, ...);

#endif /* PORT_LINUX_PANIC_H */
