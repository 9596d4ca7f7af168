/* SPDX-License-Identifier: GPL-2.0-only */
/* Number of CPUs the kernel is built for. */
#ifndef PORT_LINUX_THREADS_H
#define PORT_LINUX_THREADS_H

#include <linux/kconfig.h>

#define NR_CPUS CONFIG_NR_CPUS

#endif /* PORT_LINUX_THREADS_H */
