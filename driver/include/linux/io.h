/* SPDX-License-Identifier: GPL-2.0-only */
/* Physical addresses. */
#ifndef PORT_LINUX_IO_H
#define PORT_LINUX_IO_H

#include <asm/io.h>

#endif /* PORT_LINUX_IO_H */
