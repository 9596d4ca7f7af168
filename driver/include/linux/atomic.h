/* SPDX-License-Identifier: GPL-2.0-only */
/* Atomic integers on gcc's builtins, with the kernel's ordering rules. */
#ifndef PORT_LINUX_ATOMIC_H
#define PORT_LINUX_ATOMIC_H

#include <linux/types.h>
#include <asm/barrier.h>

/*
 * Operations without a result are relaxed; those with a result are fully
 * ordered unless their name ends in _acquire, _release or _relaxed.
 */
#define ATOMIC_INIT(i)		{ (i) }
#define ATOMIC64_INIT(i)	{ (i) }
#define ATOMIC_LONG_INIT(i)	{ (i) }

typedef struct {
	long counter;
} atomic_long_t;

#define __PORT_ATOMIC_OP(pfx, atype, itype, op, builtin) \
static __always_inline void pfx##_##op(itype i, atype *v) \
{ \
	__atomic_fetch_##builtin(&v->counter, i, __ATOMIC_RELAXED); \
} \
static __always_inline itype pfx##_fetch_##op(itype i, atype *v) \
{ \
	return __atomic_fetch_##builtin(&v->counter, i, __ATOMIC_SEQ_CST); \
} \
static __always_inline itype pfx##_fetch_##op##_relaxed(itype i, atype *v) \
{ \
	return __atomic_fetch_##builtin(&v->counter, i, __ATOMIC_RELAXED); \
} \
static __always_inline itype pfx##_fetch_##op##_release(itype i, atype *v) \
{ \
	return __atomic_fetch_##builtin(&v->counter, i, __ATOMIC_RELEASE); \
}

#define __PORT_ATOMIC(pfx, atype, itype) \
static __always_inline itype pfx##_read(const atype *v) \
{ \
	return __atomic_load_n(&v->counter, __ATOMIC_RELAXED); \
} \
static __always_inline itype pfx##_read_acquire(const atype *v) \
{ \
	return __atomic_load_n(&v->counter, __ATOMIC_ACQUIRE); \
} \
static __always_inline void pfx##_set(atype *v, itype i) \
{ \
	__atomic_store_n(&v->counter, i, __ATOMIC_RELAXED); \
} \
static __always_inline void pfx##_set_release(atype *v, itype i) \
{ \
	__atomic_store_n(&v->counter, i, __ATOMIC_RELEASE); \
} \
__PORT_ATOMIC_OP(pfx, atype, itype, add, add) \
__PORT_ATOMIC_OP(pfx, atype, itype, sub, sub) \
__PORT_ATOMIC_OP(pfx, atype, itype, or, or) \
__PORT_ATOMIC_OP(pfx, atype, itype, and, and) \
__PORT_ATOMIC_OP(pfx, atype, itype, xor, xor) \
static __always_inline void pfx##_andnot(itype i, atype *v) \
{ \
	pfx##_and(~i, v); \
} \
static __always_inline itype pfx##_add_return(itype i, atype *v) \
{ \
	return pfx##_fetch_add(i, v) + i; \
} \
static __always_inline itype pfx##_sub_return(itype i, atype *v) \
{ \
	return pfx##_fetch_sub(i, v) - i; \
} \
static __always_inline void pfx##_inc(atype *v) \
{ \
	pfx##_add(1, v); \
} \
static __always_inline void pfx##_dec(atype *v) \
{ \
	pfx##_sub(1, v); \
} \
static __always_inline itype pfx##_inc_return(atype *v) \
{ \
	return pfx##_add_return(1, v); \
} \
static __always_inline itype pfx##_dec_return(atype *v) \
{ \
	return pfx##_sub_return(1, v); \
} \
static __always_inline itype pfx##_fetch_inc(atype *v) \
{ \
	return pfx##_fetch_add(1, v); \
} \
static __always_inline itype pfx##_fetch_dec(atype *v) \
{ \
	return pfx##_fetch_sub(1, v); \
} \
static __always_inline bool pfx##_dec_and_test(atype *v) \
{ \
	return pfx##_dec_return(v) == 0; \
} \
static __always_inline bool pfx##_inc_and_test(atype *v) \
{ \
	return pfx##_inc_return(v) == 0; \
} \
static __always_inline bool pfx##_sub_and_test(itype i, atype *v) \
{ \
	return pfx##_sub_return(i, v) == 0; \
} \
static __always_inline itype pfx##_xchg(atype *v, itype i) \
{ \
	return __atomic_exchange_n(&v->counter, i, __ATOMIC_SEQ_CST); \
} \
static __always_inline itype pfx##_cmpxchg(atype *v, itype old, itype new) \
{ \
	__atomic_compare_exchange_n(&v->counter, &old, new, false, \
				    __ATOMIC_SEQ_CST, __ATOMIC_RELAXED); \
	return old; \
} \
static __always_inline bool pfx##_try_cmpxchg(atype *v, itype *old, \
					      itype new) \
{ \
	return __atomic_compare_exchange_n(&v->counter, old, new, false, \
					   __ATOMIC_SEQ_CST, \
					   __ATOMIC_RELAXED); \
} \
static __always_inline bool pfx##_add_unless(atype *v, itype a, itype u) \
{ \
	itype old = pfx##_read(v); \
\
	while (old != u) \
		if (pfx##_try_cmpxchg(v, &old, old + a)) \
			return true; \
	return false; \
} \
static __always_inline bool pfx##_inc_not_zero(atype *v) \
{ \
	return pfx##_add_unless(v, 1, 0); \
}

__PORT_ATOMIC(atomic, atomic_t, int)
__PORT_ATOMIC(atomic64, atomic64_t, s64)
__PORT_ATOMIC(atomic_long, atomic_long_t, long)

#define xchg(ptr, val) \
	__atomic_exchange_n(ptr, val, __ATOMIC_SEQ_CST)
#define xchg_relaxed(ptr, val) \
	__atomic_exchange_n(ptr, val, __ATOMIC_RELAXED)
#define cmpxchg(ptr, old, new) ({ \
	__typeof__(*(ptr)) __cmpxchg_old = (old); \
	__atomic_compare_exchange_n(ptr, &__cmpxchg_old, new, false, \
				    __ATOMIC_SEQ_CST, __ATOMIC_RELAXED); \
	__cmpxchg_old; \
})
#define try_cmpxchg(ptr, oldp, new) \
	__atomic_compare_exchange_n(ptr, oldp, new, false, \
				    __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)
#define cmpxchg_relaxed(ptr, old, new)	cmpxchg(ptr, old, new)

#endif /* PORT_LINUX_ATOMIC_H */
