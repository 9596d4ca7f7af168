/* SPDX-License-Identifier: GPL-2.0-only */
/* Byte order. */
#ifndef PORT_LINUX_BYTEORDER_H
#define PORT_LINUX_BYTEORDER_H

#include <asm/byteorder.h>

#endif /* PORT_LINUX_BYTEORDER_H */
