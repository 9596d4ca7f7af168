/* SPDX-License-Identifier: GPL-2.0-only */
/* Spinlocks: 4 bytes; waiters live in a table of the simulator. */
#ifndef PORT_LINUX_SPINLOCK_TYPES_H
#define PORT_LINUX_SPINLOCK_TYPES_H

#include <linux/types.h>

typedef struct raw_spinlock {
	u32 val;		/* 0: free; only the implementation writes it */
} raw_spinlock_t;

typedef struct spinlock {
	struct raw_spinlock rlock;
} spinlock_t;

_Static_assert(sizeof(spinlock_t) == 4, "spinlock_t");

#define __RAW_SPIN_LOCK_UNLOCKED(name)	{ 0 }
#define __SPIN_LOCK_UNLOCKED(name)	{ .rlock = { 0 } }
#define DEFINE_SPINLOCK(name) \
	spinlock_t name = __SPIN_LOCK_UNLOCKED(name)
#define DEFINE_RAW_SPINLOCK(name) \
	raw_spinlock_t name = __RAW_SPIN_LOCK_UNLOCKED(name)

#endif /* PORT_LINUX_SPINLOCK_TYPES_H */
