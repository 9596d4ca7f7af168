// SPDX-License-Identifier: GPL-2.0-only
#include <linux/errno.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "model/guest/blk.h"

/* A word is a cache line: small maps use few bits of each, so that CPUs spread. */
static unsigned int sbitmap_shift(unsigned int depth)
{
	unsigned int shift = ilog2(BITS_PER_LONG);

	if (depth >= 4)
		while ((4u << shift) > depth)
			shift--;
	return shift;
}

static unsigned int sbitmap_word_bits(const struct sbitmap *sb,
				      unsigned int index)
{
	unsigned int bits = 1u << sb->shift;

	return min(bits, sb->depth - (index << sb->shift));
}

int sbitmap_init(struct sbitmap *sb, unsigned int depth, int shift)
{
	memset(sb, 0, sizeof(*sb));
	sb->depth = depth;
	sb->shift = shift < 0 ? sbitmap_shift(depth) : (unsigned int)shift;
	sb->map_nr = DIV_ROUND_UP(depth, 1u << sb->shift);
	sb->map = kcalloc(sb->map_nr, sizeof(*sb->map), GFP_KERNEL);
	sb->alloc_hint = kcalloc(nr_cpu_ids, SMP_CACHE_BYTES, GFP_KERNEL);
	if (!sb->map || !sb->alloc_hint) {
		sbitmap_free(sb);
		return -ENOMEM;
	}
	for (unsigned int i = 0; i < sb->map_nr; i++)
		raw_spin_lock_init(&sb->map[i].swap_lock);
	for (unsigned int i = 0; i < nr_cpu_ids; i++)
		sb->alloc_hint[i * (SMP_CACHE_BYTES / sizeof(int))] =
			i * depth / nr_cpu_ids;
	return 0;
}

void sbitmap_free(struct sbitmap *sb)
{
	kfree(sb->map);
	kfree(sb->alloc_hint);
	sb->map = NULL;
	sb->alloc_hint = NULL;
}

static unsigned int *sbitmap_hint(struct sbitmap *sb, unsigned int cpu)
{
	return &sb->alloc_hint[cpu * (SMP_CACHE_BYTES / sizeof(int))];
}

static int sbitmap_take(unsigned long *word, unsigned int bits,
			unsigned int from)
{
	for (;;) {
		unsigned long free = ~READ_ONCE(*word);
		unsigned long at_or_after;
		unsigned int bit;

		if (bits < BITS_PER_LONG)
			free &= BIT(bits) - 1;
		if (!free)
			return -1;
		at_or_after = free & (~0UL << from);
		bit = __ffs(at_or_after ? at_or_after : free);
		if (!test_and_set_bit(bit, word))
			return bit;
	}
}

/*
 * Turn the returned bits of a word into free ones. False if none is free. The
 * lock also when nothing is to be collected: another CPU may hold what it has
 * collected and not yet freed, and who then goes to sleep is woken by nobody.
 */
static bool sbitmap_collect(struct sbitmap_word *map, unsigned int bits)
{
	unsigned long mask = ~0UL >> (BITS_PER_LONG - bits);
	unsigned long flags, cleared;
	bool free;

	raw_spin_lock_irqsave(&map->swap_lock, flags);
	cleared = READ_ONCE(map->cleared) ? xchg(&map->cleared, 0) : 0;
	if (cleared)
		atomic_long_andnot(cleared, (atomic_long_t *)&map->word);
	free = ~READ_ONCE(map->word) & mask;
	raw_spin_unlock_irqrestore(&map->swap_lock, flags);
	return free;
}

static int sbitmap_get_in(struct sbitmap *sb, unsigned int index,
			  unsigned int from)
{
	unsigned int bits = sbitmap_word_bits(sb, index);
	struct sbitmap_word *map = &sb->map[index];
	int bit;

	do {
		bit = sbitmap_take(&map->word, bits, from);
	} while (bit < 0 && sbitmap_collect(map, bits));
	return bit < 0 ? -1 : (int)(index << sb->shift) + bit;
}

int sbitmap_get(struct sbitmap *sb)
{
	unsigned int *hint = sbitmap_hint(sb, smp_processor_id());
	unsigned int start = READ_ONCE(*hint) % sb->depth;
	unsigned int index = start >> sb->shift;
	unsigned int from = start & ((1u << sb->shift) - 1);

	for (unsigned int i = 0; i < sb->map_nr; i++) {
		int nr = sbitmap_get_in(sb, index, from);

		if (nr >= 0) {
			if ((unsigned int)nr == start)
				WRITE_ONCE(*hint, (nr + 1) % sb->depth);
			return nr;
		}
		from = 0;
		if (++index == sb->map_nr)
			index = 0;
	}
	WRITE_ONCE(*hint, 0);
	return -1;
}

void sbitmap_clear(struct sbitmap *sb, unsigned int nr, unsigned int cpu)
{
	struct sbitmap_word *map = &sb->map[nr >> sb->shift];

	set_bit(nr & ((1u << sb->shift) - 1), &map->cleared);
	WRITE_ONCE(*sbitmap_hint(sb, cpu), nr);
}

bool sbitmap_any_set(struct sbitmap *sb)
{
	for (unsigned int i = 0; i < sb->map_nr; i++)
		if (READ_ONCE(sb->map[i].word) & ~READ_ONCE(sb->map[i].cleared))
			return true;
	return false;
}

unsigned int sbitmap_weight(struct sbitmap *sb)
{
	unsigned int weight = 0;

	for (unsigned int i = 0; i < sb->map_nr; i++)
		weight += hweight_long(READ_ONCE(sb->map[i].word) &
				       ~READ_ONCE(sb->map[i].cleared));
	return weight;
}

int sbitmap_queue_init(struct sbitmap_queue *sbq, unsigned int depth)
{
	int err = sbitmap_init(&sbq->sb, depth, -1);

	if (err)
		return err;
	sbq->ws = kcalloc(SBQ_WAIT_QUEUES, sizeof(*sbq->ws), GFP_KERNEL);
	if (!sbq->ws) {
		sbitmap_free(&sbq->sb);
		return -ENOMEM;
	}
	for (int i = 0; i < SBQ_WAIT_QUEUES; i++)
		init_waitqueue_head(&sbq->ws[i].wait);
	sbq->wake_batch = clamp(depth / SBQ_WAIT_QUEUES, 1u,
				(unsigned int)SBQ_WAKE_BATCH);
	return 0;
}

void sbitmap_queue_free(struct sbitmap_queue *sbq)
{
	sbitmap_free(&sbq->sb);
	kfree(sbq->ws);
	sbq->ws = NULL;
}

/* Wake up to @nr sleepers, beginning at the queue whose turn it is. */
static void sbitmap_queue_wake_some(struct sbitmap_queue *sbq, int nr)
{
	int index = atomic_read(&sbq->wake_index);

	for (int i = 0; i < SBQ_WAIT_QUEUES && nr > 0; i++) {
		struct sbq_wait_state *ws = &sbq->ws[index];

		index = (index + 1) % SBQ_WAIT_QUEUES;
		if (waitqueue_active(&ws->wait))
			nr -= __wake_up(&ws->wait, TASK_NORMAL, nr, NULL);
	}
	atomic_set(&sbq->wake_index, index);
}

/*
 * Returned bits are counted and sleepers woken a batch at a time. The atomic
 * add orders the bits' return before the look at ws_active; sleepers count
 * themselves before they look at the bits again.
 */
void sbitmap_queue_wake(struct sbitmap_queue *sbq, unsigned int nr)
{
	int woken;

	smp_mb__before_atomic();
	if (!atomic_read(&sbq->ws_active))
		return;
	atomic_add(nr, &sbq->completion_cnt);
	do {
		woken = atomic_read(&sbq->wakeup_cnt);
		if (atomic_read(&sbq->completion_cnt) - woken <
		    (int)sbq->wake_batch)
			return;
	} while (atomic_cmpxchg(&sbq->wakeup_cnt, woken,
				woken + sbq->wake_batch) != woken);
	sbitmap_queue_wake_some(sbq, sbq->wake_batch);
}

void sbitmap_queue_wake_all(struct sbitmap_queue *sbq)
{
	for (int i = 0; i < SBQ_WAIT_QUEUES; i++)
		wake_up_all(&sbq->ws[i].wait);
}
