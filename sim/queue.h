/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The queue of everything that will happen: a binary heap of nodes by (time_ps,
 * order), smallest first. Keys are kept beside the pointers, so that sifting
 * touches one array. node.slot is the position, 1-based; 0 means not queued.
 */
#ifndef SIM_QUEUE_H
#define SIM_QUEUE_H

#include <stdint.h>

#include "sim/sim.h"

struct queue_entry {
	uint64_t time_ps;
	uint64_t order;
	struct sim_node *node;
};

struct queue {
	struct queue_entry *entry;	/* [1 .. nr] in use */
	uint32_t nr;
	uint32_t capacity;
};

void queue_init(struct queue *q);
void queue_fini(struct queue *q);

/* Insert @node (not queued) by its time_ps and order. O(log n). */
void queue_push(struct queue *q, struct sim_node *node);

/* Take @node out (it is queued). O(log n). */
void queue_remove(struct queue *q, struct sim_node *node);

/* Take out the smallest, NULL when empty. */
struct sim_node *queue_pop(struct queue *q);

/* The smallest, NULL when empty. */
static inline const struct queue_entry *queue_top(const struct queue *q)
{
	return q->nr ? &q->entry[1] : NULL;
}

#endif
