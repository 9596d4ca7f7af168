/* SPDX-License-Identifier: GPL-2.0-only */
/* Physical addresses. */
#ifndef PORT_ASM_IO_H
#define PORT_ASM_IO_H

#include <linux/mm.h>

#endif /* PORT_ASM_IO_H */
