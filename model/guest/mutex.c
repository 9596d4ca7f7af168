// SPDX-License-Identifier: GPL-2.0-only
/*
 * Implements <linux/mutex.h>. The owner word holds the task, and MUTEX_WAITERS
 * while somebody is on the list. With waiters, unlock hands the mutex to the
 * first one, so the order is that of arrival. There is no optimistic spinning.
 */
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/spinlock.h>

#include "model/guest/verdict.h"

#define MUTEX_WAITERS	1L

/* On the waiter's stack; gone as soon as granted is true. */
struct mutex_waiter {
	struct list_head entry;
	struct task_struct *task;
	bool granted;
};

void __mutex_init(struct mutex *lock, const char *name)
{
	atomic_long_set(&lock->owner, 0);
	__raw_spin_lock_init(&lock->wait_lock, name);
	lock->osq = 0;
	INIT_LIST_HEAD(&lock->wait_list);
}

int mutex_trylock(struct mutex *lock)
{
	return atomic_long_cmpxchg(&lock->owner, 0, (long)current) == 0;
}

bool mutex_is_locked(struct mutex *lock)
{
	return atomic_long_read(&lock->owner);
}

/*
 * Called with wait_lock held: take the mutex (true), or mark that there are
 * waiters, after which unlock needs wait_lock too.
 */
static bool mutex_take_or_mark(struct mutex *lock)
{
	long owner = atomic_long_read(&lock->owner);

	for (;;) {
		long next = owner ? owner | MUTEX_WAITERS : (long)current;

		if (atomic_long_try_cmpxchg(&lock->owner, &owner, next))
			return !owner;
	}
}

static void mutex_wait(struct mutex_waiter *waiter)
{
	for (;;) {
		set_current_state(TASK_UNINTERRUPTIBLE);
		if (READ_ONCE(waiter->granted))
			break;
		schedule();
	}
	__set_current_state(TASK_RUNNING);
}

static void mutex_lock_slow(struct mutex *lock)
{
	struct mutex_waiter waiter = { .task = current };
	unsigned long flags;
	bool taken;

	raw_spin_lock_irqsave(&lock->wait_lock, flags);
	taken = mutex_take_or_mark(lock);
	if (!taken)
		list_add_tail(&waiter.entry, &lock->wait_list);
	raw_spin_unlock_irqrestore(&lock->wait_lock, flags);
	if (!taken)
		mutex_wait(&waiter);
}

void mutex_lock(struct mutex *lock)
{
	if ((atomic_long_read(&lock->owner) & ~MUTEX_WAITERS) ==
	    (long)current)
		guest_verdict("a mutex is taken again by its holder",
			      verdict_address(lock));
	if (!mutex_trylock(lock))
		mutex_lock_slow(lock);
}

/* There are no signals. */
int mutex_lock_interruptible(struct mutex *lock)
{
	mutex_lock(lock);
	return 0;
}

int mutex_lock_killable(struct mutex *lock)
{
	mutex_lock(lock);
	return 0;
}

static void mutex_hand_over(struct mutex *lock)
{
	struct mutex_waiter *waiter;
	struct task_struct *task;
	unsigned long flags;

	raw_spin_lock_irqsave(&lock->wait_lock, flags);
	waiter = list_first_entry(&lock->wait_list, struct mutex_waiter,
				  entry);
	task = waiter->task;
	list_del(&waiter->entry);
	atomic_long_set_release(&lock->owner, (long)task |
		(list_empty(&lock->wait_list) ? 0 : MUTEX_WAITERS));
	WRITE_ONCE(waiter->granted, true);
	wake_up_process(task);
	raw_spin_unlock_irqrestore(&lock->wait_lock, flags);
}

void mutex_unlock(struct mutex *lock)
{
	long owner = atomic_long_read(&lock->owner);

	if ((owner & ~MUTEX_WAITERS) != (long)current) {
		guest_verdict("a mutex is released by somebody who does not hold it",
			      verdict_address(lock));
		return;
	}
	if (atomic_long_cmpxchg(&lock->owner, (long)current, 0) !=
	    (long)current)
		mutex_hand_over(lock);
}
