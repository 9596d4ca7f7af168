/* SPDX-License-Identifier: GPL-2.0-only */
/* Set of CPUs. */
#ifndef PORT_LINUX_CPUMASK_TYPES_H
#define PORT_LINUX_CPUMASK_TYPES_H

#include <linux/threads.h>
#include <linux/types.h>

typedef struct cpumask {
	DECLARE_BITMAP(bits, NR_CPUS);
} cpumask_t;

typedef struct cpumask *cpumask_var_t;	/* CONFIG_CPUMASK_OFFSTACK */

#endif /* PORT_LINUX_CPUMASK_TYPES_H */
