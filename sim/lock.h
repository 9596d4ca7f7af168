/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Simulated locks. Waiters park in arrival order; there is no polling, so a
 * wait of any length costs one switch. What a lock word costs in cache lines
 * is not known here: callers charge it.
 */
#ifndef SIM_LOCK_H
#define SIM_LOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/sim.h"

/*
 * @acquired_nr:  successful acquisitions, trylock included
 * @contended_nr: of these, how many had to wait; each ended in a hand-off
 * @wait_ps:      time from asking to having, summed over contended acquisitions
 * @hold_ps:      time held, summed; @hold_max_ps the longest
 * @queue_max_nr: most waiters at one time
 */
struct sim_lock_stats {
	uint64_t acquired_nr;
	uint64_t contended_nr;
	uint64_t wait_ps;
	uint64_t wait_max_ps;
	uint64_t hold_ps;
	uint64_t hold_max_ps;
	uint32_t queue_max_nr;
};

struct sim_lock_waiter;

/*
 * Fair lock, used both as a spinlock (the waiter's time counts as busy for its
 * owner) and as a mutex (it counts as idle): that is the caller's book-keeping.
 *
 * Invariant: waiters exist only while an owner exists.
 */
struct sim_lock {
	struct sim_actor *owner;
	struct sim_lock_waiter *first;
	struct sim_lock_waiter **last;
	uint32_t queue_nr;
	uint64_t taken_ps;
	struct sim_lock_stats stats;
};

void sim_lock_init(struct sim_lock *lock);

/*
 * Take @lock at the caller's turn (syncs first), waiting in arrival order.
 * A waiter's ->resumed still runs while it waits, so it can take interrupts;
 * the lock is handed to it even then. Parks. Taking a lock one owns is the
 * caller's to refuse (asserted).
 */
void sim_lock_acquire(struct sim_lock *lock);

/* Take it if it is free (syncs first). */
bool sim_lock_try(struct sim_lock *lock);

/*
 * Release (syncs first) and hand over to the first waiter, whose clock becomes
 * at least now + @handoff_ps.
 */
void sim_lock_release(struct sim_lock *lock, uint64_t handoff_ps);

static inline bool sim_lock_held(const struct sim_lock *lock)
{
	return lock->owner && lock->owner == sim.actor;
}

/* Forget the statistics so far (end of the ramp); a hold in progress counts from now. */
void sim_lock_reset_stats(struct sim_lock *lock);

#endif
