/* SPDX-License-Identifier: GPL-2.0-only */
/* NUMA nodes: there is one. */
#ifndef PORT_LINUX_NUMA_H
#define PORT_LINUX_NUMA_H

#include <linux/compiler.h>

#define NUMA_NO_NODE	(-1)
#define MAX_NUMNODES	1
#define numa_node_id()	0
#define numa_mem_id()	0
#define cpu_to_node(cpu) ((void)(cpu), 0)

#endif /* PORT_LINUX_NUMA_H */
