/* SPDX-License-Identifier: GPL-2.0-only */
/* Entry points; the marks mean nothing here. */
#ifndef PORT_LINUX_INIT_H
#define PORT_LINUX_INIT_H

#include <linux/compiler.h>
#include <linux/types.h>

typedef int (*initcall_t)(void);
typedef void (*exitcall_t)(void);

#endif /* PORT_LINUX_INIT_H */
