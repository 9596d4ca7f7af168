/* SPDX-License-Identifier: GPL-2.0-only */
/* Spinlock operations; all out of line, waiters are parked in order. */
#ifndef PORT_LINUX_SPINLOCK_H
#define PORT_LINUX_SPINLOCK_H

#include <linux/irqflags.h>
#include <linux/preempt.h>
#include <linux/spinlock_types.h>
#include <asm/barrier.h>

/*
 * name: the expression the lock was initialised with, e.g. "&vq->lock"; it is
 * the class in contention reports. Static storage.
 */
void __spin_lock_init(spinlock_t *lock, const char *name);
void __raw_spin_lock_init(raw_spinlock_t *lock, const char *name);

void _raw_spin_lock(raw_spinlock_t *lock);
void _raw_spin_lock_irq(raw_spinlock_t *lock);
void _raw_spin_lock_bh(raw_spinlock_t *lock);
unsigned long _raw_spin_lock_irqsave(raw_spinlock_t *lock);
bool _raw_spin_trylock(raw_spinlock_t *lock);
void _raw_spin_unlock(raw_spinlock_t *lock);
void _raw_spin_unlock_irq(raw_spinlock_t *lock);
void _raw_spin_unlock_bh(raw_spinlock_t *lock);
void _raw_spin_unlock_irqrestore(raw_spinlock_t *lock, unsigned long flags);
bool _raw_spin_is_locked(const raw_spinlock_t *lock);

#define spin_lock_init(lock)	 __spin_lock_init(lock, #lock)
#define raw_spin_lock_init(lock) __raw_spin_lock_init(lock, #lock)

#define raw_spin_lock(lock)	 _raw_spin_lock(lock)
#define raw_spin_unlock(lock)	 _raw_spin_unlock(lock)
#define raw_spin_lock_irqsave(lock, flags) \
	((flags) = _raw_spin_lock_irqsave(lock))
#define raw_spin_unlock_irqrestore(lock, flags) \
	_raw_spin_unlock_irqrestore(lock, flags)

static __always_inline void spin_lock(spinlock_t *lock)
{
	_raw_spin_lock(&lock->rlock);
}

static __always_inline void spin_lock_irq(spinlock_t *lock)
{
	_raw_spin_lock_irq(&lock->rlock);
}

static __always_inline void spin_lock_bh(spinlock_t *lock)
{
	_raw_spin_lock_bh(&lock->rlock);
}

#define spin_lock_irqsave(lock, flags) \
	((flags) = _raw_spin_lock_irqsave(&(lock)->rlock))

static __always_inline int spin_trylock(spinlock_t *lock)
{
	return _raw_spin_trylock(&lock->rlock);
}

static __always_inline void spin_unlock(spinlock_t *lock)
{
	_raw_spin_unlock(&lock->rlock);
}

static __always_inline void spin_unlock_irq(spinlock_t *lock)
{
	_raw_spin_unlock_irq(&lock->rlock);
}

static __always_inline void spin_unlock_bh(spinlock_t *lock)
{
	_raw_spin_unlock_bh(&lock->rlock);
}

static __always_inline void spin_unlock_irqrestore(spinlock_t *lock,
						   unsigned long flags)
{
	_raw_spin_unlock_irqrestore(&lock->rlock, flags);
}

static __always_inline int spin_is_locked(const spinlock_t *lock)
{
	return _raw_spin_is_locked(&lock->rlock);
}

#include <linux/lockdep.h>
#define assert_spin_locked(lock) ((void)(lock))

#endif /* PORT_LINUX_SPINLOCK_H */
