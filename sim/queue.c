// SPDX-License-Identifier: GPL-2.0-only
#include "sim/queue.h"

#include <stdbool.h>
#include <stdlib.h>

#include "sim/assert.h"

#define QUEUE_FIRST_CAPACITY	64u

void queue_init(struct queue *q)
{
	q->nr = 0;
	q->capacity = QUEUE_FIRST_CAPACITY;
	q->entry = malloc((q->capacity + 1) * sizeof(*q->entry));
	sim_assert(q->entry);
}

void queue_fini(struct queue *q)
{
	while (q->nr)
		q->entry[q->nr--].node->slot = 0;
	free(q->entry);
	q->entry = NULL;
}

static void queue_grow(struct queue *q)
{
	q->capacity *= 2;
	q->entry = realloc(q->entry, (q->capacity + 1) * sizeof(*q->entry));
	sim_assert(q->entry);
}

static inline bool queue_before(const struct queue_entry *a,
				const struct queue_entry *b)
{
	if (a->time_ps != b->time_ps)
		return a->time_ps < b->time_ps;
	return a->order < b->order;
}

static inline void queue_place(struct queue *q, uint32_t slot,
			       struct queue_entry e)
{
	q->entry[slot] = e;
	e.node->slot = slot;
}

static void queue_sift_up(struct queue *q, uint32_t slot, struct queue_entry e)
{
	while (slot > 1 && queue_before(&e, &q->entry[slot / 2])) {
		queue_place(q, slot, q->entry[slot / 2]);
		slot /= 2;
	}
	queue_place(q, slot, e);
}

static void queue_sift_down(struct queue *q, uint32_t slot,
			    struct queue_entry e)
{
	uint32_t child;

	while ((child = 2 * slot) <= q->nr) {
		if (child < q->nr &&
		    queue_before(&q->entry[child + 1], &q->entry[child]))
			child++;
		if (!queue_before(&q->entry[child], &e))
			break;
		queue_place(q, slot, q->entry[child]);
		slot = child;
	}
	queue_place(q, slot, e);
}

void queue_push(struct queue *q, struct sim_node *node)
{
	struct queue_entry e = { node->time_ps, node->order, node };

	sim_assert(!node->slot);
	if (q->nr == q->capacity)
		queue_grow(q);
	queue_sift_up(q, ++q->nr, e);
}

void queue_remove(struct queue *q, struct sim_node *node)
{
	uint32_t slot = node->slot;
	struct queue_entry last = q->entry[q->nr];

	sim_assert(slot && slot <= q->nr && q->entry[slot].node == node);
	node->slot = 0;
	q->nr--;
	if (last.node == node)
		return;
	if (slot > 1 && queue_before(&last, &q->entry[slot / 2]))
		queue_sift_up(q, slot, last);
	else
		queue_sift_down(q, slot, last);
}

struct sim_node *queue_pop(struct queue *q)
{
	struct sim_node *node;

	if (!q->nr)
		return NULL;
	node = q->entry[1].node;
	queue_remove(q, node);
	return node;
}
