/* SPDX-License-Identifier: GPL-2.0-only */
/* The table behind <linux/spinlock.h>, as the rest of the guest kernel sees it. */
#ifndef MODEL_GUEST_SPINLOCK_H
#define MODEL_GUEST_SPINLOCK_H

/* Forget all locks (before a guest starts). */
void spinlock_init_all(void);

/* Forget statistics so far. */
void spinlock_reset_stats(void);

#endif
