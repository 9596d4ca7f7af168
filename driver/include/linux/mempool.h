/* SPDX-License-Identifier: GPL-2.0-only */
/* Size of a memory pool; nothing here allocates from one. */
#ifndef PORT_LINUX_MEMPOOL_H
#define PORT_LINUX_MEMPOOL_H

#include <linux/spinlock_types.h>
#include <linux/wait.h>

typedef struct mempool_s {
	spinlock_t lock;
	int min_nr;
	int curr_nr;
	void **elements;
	void *pool_data;
	void *(*alloc)(gfp_t gfp, void *pool_data);
	void (*free)(void *element, void *pool_data);
	wait_queue_head_t wait;
} mempool_t;

#endif /* PORT_LINUX_MEMPOOL_H */
