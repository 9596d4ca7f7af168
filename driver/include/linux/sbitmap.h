/* SPDX-License-Identifier: GPL-2.0-only */
/* Scalable bitmap: one word, one cache line. Declared for its layout. */
#ifndef PORT_LINUX_SBITMAP_H
#define PORT_LINUX_SBITMAP_H

#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/cache.h>
#include <linux/spinlock_types.h>
#include <linux/wait.h>

struct sbitmap_word {
	unsigned long word;
	unsigned long cleared ____cacheline_aligned_in_smp;
	raw_spinlock_t swap_lock;
} ____cacheline_aligned_in_smp;

struct sbitmap {
	unsigned int depth;
	unsigned int shift;
	unsigned int map_nr;
	bool round_robin;
	struct sbitmap_word *map;
	unsigned int __percpu *alloc_hint;
};

#define SBQ_WAIT_QUEUES	8
#define SBQ_WAKE_BATCH	8

struct sbq_wait_state {
	wait_queue_head_t wait;
} ____cacheline_aligned_in_smp;

struct sbitmap_queue {
	struct sbitmap sb;
	unsigned int wake_batch;
	atomic_t wake_index;
	struct sbq_wait_state *ws;
	atomic_t ws_active;
	unsigned int min_shallow_depth;
	atomic_t completion_cnt;
	atomic_t wakeup_cnt;
};

_Static_assert(sizeof(struct sbitmap_word) == 128, "sbitmap_word");
_Static_assert(sizeof(struct sbitmap) == 32, "sbitmap");

#endif /* PORT_LINUX_SBITMAP_H */
