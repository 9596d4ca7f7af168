/* SPDX-License-Identifier: GPL-2.0-only */
/* CPUs. */
#ifndef PORT_LINUX_CPU_H
#define PORT_LINUX_CPU_H

#include <linux/cpumask.h>

#endif /* PORT_LINUX_CPU_H */
