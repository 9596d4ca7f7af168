/* SPDX-License-Identifier: GPL-2.0-only */
/* Exported symbols: the driver is one shared object. */
#ifndef PORT_LINUX_EXPORT_H
#define PORT_LINUX_EXPORT_H

#include <linux/compiler.h>

#define EXPORT_SYMBOL(sym)
#define EXPORT_SYMBOL_GPL(sym)
#define EXPORT_SYMBOL_NS_GPL(sym, ns)

#endif /* PORT_LINUX_EXPORT_H */
