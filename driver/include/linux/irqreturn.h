/* SPDX-License-Identifier: GPL-2.0-only */
/* What an interrupt handler returns. */
#ifndef PORT_LINUX_IRQRETURN_H
#define PORT_LINUX_IRQRETURN_H

#include <linux/compiler.h>

typedef enum irqreturn {
	IRQ_NONE = 0,
	IRQ_HANDLED = 1,
	IRQ_WAKE_THREAD = 2,
} irqreturn_t;

#define IRQ_RETVAL(x) ((x) ? IRQ_HANDLED : IRQ_NONE)

#endif /* PORT_LINUX_IRQRETURN_H */
