/* SPDX-License-Identifier: GPL-2.0-only */
/* Reference counts that warn instead of wrapping. */
#ifndef PORT_LINUX_REFCOUNT_H
#define PORT_LINUX_REFCOUNT_H

#include <linux/atomic.h>
#include <linux/bug.h>

typedef struct refcount_struct {
	atomic_t refs;
} refcount_t;

#define REFCOUNT_INIT(n) { .refs = ATOMIC_INIT(n) }

static inline void refcount_set(refcount_t *r, int n)
{
	atomic_set(&r->refs, n);
}

static inline unsigned int refcount_read(const refcount_t *r)
{
	return atomic_read(&r->refs);
}

static inline void refcount_inc(refcount_t *r)
{
	WARN_ON(atomic_fetch_add_relaxed(1, &r->refs) <= 0);
}

static inline bool refcount_inc_not_zero(refcount_t *r)
{
	return atomic_inc_not_zero(&r->refs);
}

static inline bool refcount_dec_and_test(refcount_t *r)
{
	int old = atomic_fetch_sub_release(1, &r->refs);

	WARN_ON(old <= 0);
	return old == 1;
}

static inline void refcount_dec(refcount_t *r)
{
	WARN_ON(atomic_fetch_sub_release(1, &r->refs) <= 1);
}

#endif /* PORT_LINUX_REFCOUNT_H */
