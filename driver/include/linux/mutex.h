/* SPDX-License-Identifier: GPL-2.0-only */
/* Sleeping locks, 32 bytes; all operations are out of line. */
#ifndef PORT_LINUX_MUTEX_H
#define PORT_LINUX_MUTEX_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/spinlock_types.h>

struct mutex {
	atomic_long_t owner;		/* task, 0: free */
	raw_spinlock_t wait_lock;
	u32 osq;
	struct list_head wait_list;
};

_Static_assert(sizeof(struct mutex) == 32, "mutex");

#define __MUTEX_INITIALIZER(name) \
	{ .wait_list = LIST_HEAD_INIT((name).wait_list) }
#define DEFINE_MUTEX(name) struct mutex name = __MUTEX_INITIALIZER(name)

/* name: as for __spin_lock_init() */
void __mutex_init(struct mutex *lock, const char *name);
#define mutex_init(lock) __mutex_init(lock, #lock)

/* may park */
void mutex_lock(struct mutex *lock);
int __must_check mutex_lock_interruptible(struct mutex *lock);
int __must_check mutex_lock_killable(struct mutex *lock);
int mutex_trylock(struct mutex *lock);		/* 1: taken */
void mutex_unlock(struct mutex *lock);
bool mutex_is_locked(struct mutex *lock);

static inline void mutex_destroy(struct mutex *lock __always_unused)
{
}

#endif /* PORT_LINUX_MUTEX_H */
