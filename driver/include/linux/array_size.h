/* SPDX-License-Identifier: GPL-2.0-only */
/* Number of elements. */
#ifndef PORT_LINUX_ARRAY_SIZE_H
#define PORT_LINUX_ARRAY_SIZE_H

#include <linux/compiler.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]) + __must_be_array(a))

#endif /* PORT_LINUX_ARRAY_SIZE_H */
