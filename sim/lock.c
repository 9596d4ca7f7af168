// SPDX-License-Identifier: GPL-2.0-only
#include "sim/lock.h"

#include <string.h>

#include "sim/assert.h"

/* Lives on the waiter's stack while it waits. */
struct sim_lock_waiter {
	struct sim_actor *actor;
	struct sim_lock_waiter *next;
	uint64_t since_ps;
	uint64_t granted_ps;
	bool granted;
};

void sim_lock_init(struct sim_lock *lock)
{
	memset(lock, 0, sizeof(*lock));
	lock->last = &lock->first;
}

static void sim_lock_take(struct sim_lock *lock, struct sim_actor *owner,
			  uint64_t at_ps)
{
	lock->owner = owner;
	lock->taken_ps = at_ps;
	lock->stats.acquired_nr++;
}

static void sim_lock_enqueue(struct sim_lock *lock, struct sim_lock_waiter *w)
{
	*lock->last = w;
	lock->last = &w->next;
	if (++lock->queue_nr > lock->stats.queue_max_nr)
		lock->stats.queue_max_nr = lock->queue_nr;
}

static struct sim_lock_waiter *sim_lock_dequeue(struct sim_lock *lock)
{
	struct sim_lock_waiter *w = lock->first;

	if (!w)
		return NULL;
	lock->first = w->next;
	if (!lock->first)
		lock->last = &lock->first;
	lock->queue_nr--;
	return w;
}

/* An interrupt may have kept the waiter busy beyond the moment it was granted. */
static void sim_lock_wait(struct sim_lock *lock)
{
	struct sim_lock_waiter w = {
		.actor = sim.actor,
		.since_ps = sim.now_ps,
	};

	sim_lock_enqueue(lock, &w);
	while (!w.granted)
		sim_park();
	if (sim.now_ps < w.granted_ps)
		sim.now_ps = w.granted_ps;
}

void sim_lock_acquire(struct sim_lock *lock)
{
	sim_sync();
	sim_assert(sim.actor && lock->owner != sim.actor);
	if (lock->owner)
		sim_lock_wait(lock);
	else
		sim_lock_take(lock, sim.actor, sim.now_ps);
}

bool sim_lock_try(struct sim_lock *lock)
{
	sim_sync();
	sim_assert(sim.actor);
	if (lock->owner)
		return false;
	sim_lock_take(lock, sim.actor, sim.now_ps);
	return true;
}

static void sim_lock_count_hold(struct sim_lock *lock)
{
	uint64_t hold_ps = sim.now_ps - lock->taken_ps;

	lock->stats.hold_ps += hold_ps;
	if (hold_ps > lock->stats.hold_max_ps)
		lock->stats.hold_max_ps = hold_ps;
}

static void sim_lock_count_wait(struct sim_lock *lock, uint64_t wait_ps)
{
	lock->stats.contended_nr++;
	lock->stats.wait_ps += wait_ps;
	if (wait_ps > lock->stats.wait_max_ps)
		lock->stats.wait_max_ps = wait_ps;
}

void sim_lock_release(struct sim_lock *lock, uint64_t handoff_ps)
{
	struct sim_lock_waiter *w;

	sim_sync();
	sim_assert(sim_lock_held(lock));
	sim_lock_count_hold(lock);
	lock->owner = NULL;
	w = sim_lock_dequeue(lock);
	if (!w)
		return;
	w->granted = true;
	w->granted_ps = sim.now_ps + handoff_ps;
	sim_lock_count_wait(lock, w->granted_ps - w->since_ps);
	sim_lock_take(lock, w->actor, w->granted_ps);
	sim_wake(w->actor, w->granted_ps);
}

void sim_lock_reset_stats(struct sim_lock *lock)
{
	memset(&lock->stats, 0, sizeof(lock->stats));
	if (lock->owner && lock->taken_ps < sim.now_ps)
		lock->taken_ps = sim.now_ps;
}
