/* SPDX-License-Identifier: GPL-2.0-only */
/* Variable arguments. */
#ifndef PORT_LINUX_STDARG_H
#define PORT_LINUX_STDARG_H

#include <stdarg.h>

#endif /* PORT_LINUX_STDARG_H */
