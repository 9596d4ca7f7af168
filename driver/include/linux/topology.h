/* SPDX-License-Identifier: GPL-2.0-only */
/* NUMA nodes. */
#ifndef PORT_LINUX_TOPOLOGY_H
#define PORT_LINUX_TOPOLOGY_H

#include <linux/numa.h>

#endif /* PORT_LINUX_TOPOLOGY_H */
