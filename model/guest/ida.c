// SPDX-License-Identifier: GPL-2.0-only
/* Implements ida of <linux/idr.h>: a bitmap that grows, under a lock. */
#include <linux/bitops.h>
#include <linux/err.h>
#include <linux/idr.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "model/guest/verdict.h"

/* Numbers that can be allocated: as many as the kernel's. */
#define IDA_MAX		0x7fffffffu
#define IDA_FIRST_BITS	64u

struct ida_map {
	unsigned long bits_nr;
	unsigned long bits[];
};

static struct ida_map *ida_map_alloc(unsigned long bits_nr, gfp_t gfp)
{
	struct ida_map *map = kvmalloc(sizeof(*map) + bits_nr / 8,
				       gfp | __GFP_ZERO);

	if (map)
		map->bits_nr = bits_nr;
	return map;
}

/* Lowest free number in [min, max], or ULONG_MAX. It may be beyond the map. */
static unsigned long ida_find(const struct ida_map *map, unsigned long min,
			      unsigned long max)
{
	unsigned long id = min;

	if (map && id < map->bits_nr)
		id = find_next_zero_bit(map->bits, map->bits_nr, id);
	return id <= max ? id : ULONG_MAX;
}

/* Called with the lock held. -EAGAIN: the map is too small for *id. */
static int ida_take(struct ida *ida, unsigned long min, unsigned long max,
		    unsigned long *id)
{
	struct ida_map *map = ida->xa.xa_head;

	*id = ida_find(map, min, max);
	if (*id == ULONG_MAX)
		return -ENOSPC;
	if (!map || *id >= map->bits_nr)
		return -EAGAIN;
	__set_bit(*id, map->bits);
	return 0;
}

/* Replace the map by one that has number @id. */
static int ida_grow(struct ida *ida, unsigned long id, gfp_t gfp)
{
	unsigned long bits_nr = IDA_FIRST_BITS;
	struct ida_map *map, *old, *unused;
	unsigned long flags;

	while (bits_nr <= id)
		bits_nr *= 2;
	map = ida_map_alloc(bits_nr, gfp);
	if (!map)
		return -ENOMEM;
	spin_lock_irqsave(&ida->xa.xa_lock, flags);
	old = ida->xa.xa_head;
	if (old && old->bits_nr >= bits_nr) {
		unused = map;
	} else {
		if (old)
			memcpy(map->bits, old->bits, old->bits_nr / 8);
		ida->xa.xa_head = map;
		unused = old;
	}
	spin_unlock_irqrestore(&ida->xa.xa_lock, flags);
	kvfree(unused);
	return 0;
}

int ida_alloc_range(struct ida *ida, unsigned int min, unsigned int max,
		    gfp_t gfp)
{
	unsigned long flags, id;
	int err;

	if ((int)min < 0)
		return -ENOSPC;
	if ((int)max < 0)
		max = IDA_MAX;
	do {
		spin_lock_irqsave(&ida->xa.xa_lock, flags);
		err = ida_take(ida, min, max, &id);
		spin_unlock_irqrestore(&ida->xa.xa_lock, flags);
		if (!err)
			return id;
		if (err == -EAGAIN)
			err = ida_grow(ida, id, gfp);
	} while (!err);
	return err;
}

void ida_free(struct ida *ida, unsigned int id)
{
	struct ida_map *map;
	unsigned long flags;
	bool used;

	spin_lock_irqsave(&ida->xa.xa_lock, flags);
	map = ida->xa.xa_head;
	used = map && id < map->bits_nr && __test_and_clear_bit(id, map->bits);
	spin_unlock_irqrestore(&ida->xa.xa_lock, flags);
	if (!used)
		guest_verdict("ida_free of a number that is not allocated",
			      id);
}

void ida_destroy(struct ida *ida)
{
	kvfree(ida->xa.xa_head);
	ida->xa.xa_head = NULL;
}
