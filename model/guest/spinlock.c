// SPDX-License-Identifier: GPL-2.0-only
/*
 * Implements <linux/spinlock.h>. The four bytes in guest memory carry the
 * cache-line traffic and the number of an entry in a table out here, where
 * owner, waiters and statistics live. Not instrumented: acquire and release
 * charge exactly their accesses to the lock word.
 */
#include <linux/spinlock.h>
#include <linux/string.h>

#include "model/guest/guest.h"
#include "model/guest/spinlock.h"
#include "model/guest/verdict.h"
#include "model/hw/cost.h"
#include "model/hw/lines.h"
#include "sim/assert.h"
#include "sim/lock.h"

#define LOCKS_MAX	32768u
#define LOCKS_HASH	(2 * LOCKS_MAX)

/* @exits_at: world switches of the holder's vCPU when it took the lock */
struct guest_lock {
	struct sim_lock lock;
	const raw_spinlock_t *word;
	const char *name;
	uint64_t exits_nr;
	uint64_t exits_at;
};

static struct {
	struct guest_lock lock[LOCKS_MAX + 1];	/* [0] stays unused */
	uint32_t locks_nr;
	uint32_t by_word[LOCKS_HASH];	/* open addressing, 0: free */
} table;

void spinlock_init_all(void)
{
	memset(table.lock, 0, (table.locks_nr + 1) * sizeof(table.lock[0]));
	memset(table.by_word, 0, sizeof(table.by_word));
	table.locks_nr = 0;
}

static uint32_t *spinlock_slot(const raw_spinlock_t *word)
{
	uint64_t i = ((uint64_t)(uintptr_t)word >> 2) * 0x9e3779b97f4a7c15u >> 40;

	for (;; i++) {
		uint32_t *slot = &table.by_word[i % LOCKS_HASH];

		if (!*slot || table.lock[*slot].word == word)
			return slot;
	}
}

/* The entry that belongs to the address; memory that is reused keeps its entry. */
static struct guest_lock *spinlock_assign(raw_spinlock_t *word,
					  const char *name)
{
	uint32_t *slot = spinlock_slot(word);
	struct guest_lock *l;

	if (!*slot) {
		sim_assert(table.locks_nr < LOCKS_MAX);
		*slot = ++table.locks_nr;
		table.lock[*slot].word = word;
		sim_lock_init(&table.lock[*slot].lock);
	}
	l = &table.lock[*slot];
	l->name = name;
	word->val = *slot;
	return l;
}

/* A lock that was initialised statically, or whose memory was zeroed. */
static struct guest_lock *spinlock_find(raw_spinlock_t *word)
{
	if (word->val && word->val <= table.locks_nr &&
	    table.lock[word->val].word == word)
		return &table.lock[word->val];
	if (word->val)
		guest_verdict("a spinlock was not initialised or overwritten",
			      word->val);
	return spinlock_assign(word, "static lock");
}

void __raw_spin_lock_init(raw_spinlock_t *word, const char *name)
{
	spinlock_assign(word, name);
}

void __spin_lock_init(spinlock_t *lock, const char *name)
{
	spinlock_assign(&lock->rlock, name);
}

static uint64_t exits_of(const struct vcpu *v)
{
	return v->stats.exits_kernel_nr + v->stats.exits_user_nr;
}

static void spinlock_touch(raw_spinlock_t *word, bool atomic)
{
	lines_access((uint64_t)(uintptr_t)word, sizeof(*word), true);
	if (atomic)
		hw_spend(atomic);
}

/* After the hand-over the new owner still has to fetch the line. */
static void spinlock_wait(struct guest_lock *l, raw_spinlock_t *word)
{
	enum hw_mode mode = hw_mode_enter(HW_SPIN);

	sim_lock_acquire(&l->lock);
	spinlock_touch(word, false);
	hw_mode_enter(mode);
}

static void spinlock_taken(struct guest_lock *l)
{
	struct vcpu *v = vcpu_self();

	v->locks_nr++;
	l->exits_at = exits_of(v);
}

static bool spinlock_is_recursive(struct guest_lock *l)
{
	if (!sim_lock_held(&l->lock))
		return false;
	guest_verdict("a spinlock is taken again by its holder", 0);
	sim_stop();
	for (;;)
		sim_park();
	return true;
}

/* Outside a vCPU (set-up) there is nobody to exclude. */
void _raw_spin_lock(raw_spinlock_t *word)
{
	struct guest_lock *l = spinlock_find(word);

	if (!vcpu_self() || spinlock_is_recursive(l))
		return;
	spinlock_touch(word, true);
	if (!sim_lock_try(&l->lock))
		spinlock_wait(l, word);
	spinlock_taken(l);
}

bool _raw_spin_trylock(raw_spinlock_t *word)
{
	struct guest_lock *l = spinlock_find(word);

	if (!vcpu_self())
		return true;
	spinlock_touch(word, true);
	if (!sim_lock_try(&l->lock))
		return false;
	spinlock_taken(l);
	return true;
}

void _raw_spin_unlock(raw_spinlock_t *word)
{
	struct guest_lock *l = spinlock_find(word);
	struct vcpu *v = vcpu_self();

	if (!v)
		return;
	if (!sim_lock_held(&l->lock)) {
		guest_verdict("a spinlock is released by somebody who does not hold it",
			      v->id);
		return;
	}
	spinlock_touch(word, false);
	v = vcpu_self();
	l->exits_nr += exits_of(v) - l->exits_at;
	v->locks_nr--;
	sim_lock_release(&l->lock, 0);
}

void _raw_spin_lock_irq(raw_spinlock_t *word)
{
	__guest_irq_save();
	_raw_spin_lock(word);
}

void _raw_spin_unlock_irq(raw_spinlock_t *word)
{
	_raw_spin_unlock(word);
	__guest_irq_restore(1);
}

/* There are no softirqs: what the kernel runs there runs in interrupts. */
void _raw_spin_lock_bh(raw_spinlock_t *word)
{
	_raw_spin_lock(word);
}

void _raw_spin_unlock_bh(raw_spinlock_t *word)
{
	_raw_spin_unlock(word);
}

unsigned long _raw_spin_lock_irqsave(raw_spinlock_t *word)
{
	unsigned long flags = __guest_irq_save();

	_raw_spin_lock(word);
	return flags;
}

void _raw_spin_unlock_irqrestore(raw_spinlock_t *word, unsigned long flags)
{
	_raw_spin_unlock(word);
	__guest_irq_restore(flags);
}

bool _raw_spin_is_locked(const raw_spinlock_t *word)
{
	sim_sync();
	return word->val && table.lock[word->val].lock.owner;
}

bool guest_lock_info(uint32_t idx, struct guest_lock_info *info)
{
	struct guest_lock *l;

	if (idx >= table.locks_nr)
		return false;
	l = &table.lock[idx + 1];
	info->name = l->name;
	info->stats = &l->lock.stats;
	info->exits_nr = l->exits_nr;
	return true;
}

void spinlock_reset_stats(void)
{
	for (uint32_t i = 1; i <= table.locks_nr; i++) {
		sim_lock_reset_stats(&table.lock[i].lock);
		table.lock[i].exits_nr = 0;
		/* The vCPUs' counts of exits have begun anew, too. */
		table.lock[i].exits_at = 0;
	}
}
