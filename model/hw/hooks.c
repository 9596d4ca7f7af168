// SPDX-License-Identifier: GPL-2.0-only
#include "model/hw/hooks.h"

#include <stdbool.h>
#include <stddef.h>

#include "model/hw/cost.h"
#include "model/hw/lines.h"
#include "sim/fiber.h"

static inline void hook_access(const volatile void *addr, uint64_t bytes,
			       bool write)
{
	lines_access((uint64_t)(uintptr_t)addr, bytes, write);
}

void hooks_range(const void *addr, uint64_t bytes, int write)
{
	if (bytes)
		hook_access(addr, bytes, write);
}

/* The names and types below are gcc's: see gcc/sanitizer.def, BUILT_IN_TSAN_*. */

#define HOOK_PLAIN(bytes)						\
	void __tsan_read##bytes(void *a);				\
	void __tsan_write##bytes(void *a);				\
	void __tsan_unaligned_read##bytes(void *a);			\
	void __tsan_unaligned_write##bytes(void *a);			\
	void __tsan_volatile_read##bytes(void *a);			\
	void __tsan_volatile_write##bytes(void *a);			\
	void __tsan_unaligned_volatile_read##bytes(void *a);		\
	void __tsan_unaligned_volatile_write##bytes(void *a);		\
	void __tsan_read##bytes(void *a) { hook_access(a, bytes, false); } \
	void __tsan_write##bytes(void *a) { hook_access(a, bytes, true); } \
	void __tsan_unaligned_read##bytes(void *a)			\
	{ hook_access(a, bytes, false); }				\
	void __tsan_unaligned_write##bytes(void *a)			\
	{ hook_access(a, bytes, true); }				\
	void __tsan_volatile_read##bytes(void *a)			\
	{ hook_access(a, bytes, false); }				\
	void __tsan_volatile_write##bytes(void *a)			\
	{ hook_access(a, bytes, true); }				\
	void __tsan_unaligned_volatile_read##bytes(void *a)		\
	{ hook_access(a, bytes, false); }				\
	void __tsan_unaligned_volatile_write##bytes(void *a)		\
	{ hook_access(a, bytes, true); }

HOOK_PLAIN(1)
HOOK_PLAIN(2)
HOOK_PLAIN(4)
HOOK_PLAIN(8)
HOOK_PLAIN(16)

void __tsan_read_range(void *a, size_t bytes);
void __tsan_write_range(void *a, size_t bytes);
void __tsan_init(void);
void __tsan_func_entry(void *pc);
void __tsan_func_exit(void);

void __tsan_read_range(void *a, size_t bytes)
{
	hooks_range(a, bytes, false);
}

void __tsan_write_range(void *a, size_t bytes)
{
	hooks_range(a, bytes, true);
}

void __tsan_init(void)
{
}

void __tsan_func_entry(void *pc)
{
	struct fiber *f;

	if (!sim.actor)
		return;
	f = sim.actor->fiber;
	if (f->depth < FIBER_DEPTH_MAX)
		f->calls[f->depth] = (uintptr_t)pc;
	f->depth++;
	sim_spend(hw_cost.call_ps);
}

void __tsan_func_exit(void)
{
	if (sim.actor)
		sim.actor->fiber->depth--;
}

/*
 * No other actor runs between the charge and the operation, so the plain
 * relaxed builtin is as indivisible as the hardware's.
 */
static inline void hook_atomic(const volatile void *addr, uint64_t bytes,
			       bool write)
{
	hook_access(addr, bytes, write);
	if (write && sim.actor)
		sim_spend(hw_cost.atomic_ps);
}

#define HOOK_FETCH(type, bits, op)					\
	type __tsan_atomic##bits##_fetch_##op(volatile type *a, type v, int mo); \
	type __tsan_atomic##bits##_fetch_##op(volatile type *a, type v, int mo) \
	{								\
		(void)mo;						\
		hook_atomic(a, sizeof(type), true);			\
		return __atomic_fetch_##op(a, v, __ATOMIC_RELAXED);	\
	}

#define HOOK_ATOMIC(type, bits)						\
	type __tsan_atomic##bits##_load(const volatile type *a, int mo); \
	void __tsan_atomic##bits##_store(volatile type *a, type v, int mo); \
	type __tsan_atomic##bits##_exchange(volatile type *a, type v, int mo); \
	int __tsan_atomic##bits##_compare_exchange_strong(		\
		volatile type *a, type *c, type v, int mo, int fmo);	\
	int __tsan_atomic##bits##_compare_exchange_weak(		\
		volatile type *a, type *c, type v, int mo, int fmo);	\
	type __tsan_atomic##bits##_compare_exchange_val(		\
		volatile type *a, type c, type v, int mo, int fmo);	\
	type __tsan_atomic##bits##_load(const volatile type *a, int mo)	\
	{								\
		(void)mo;						\
		hook_atomic(a, sizeof(type), false);			\
		return *a;						\
	}								\
	void __tsan_atomic##bits##_store(volatile type *a, type v, int mo) \
	{								\
		hook_access(a, sizeof(type), true);			\
		if (mo == __ATOMIC_SEQ_CST && sim.actor)		\
			sim_spend(hw_cost.atomic_ps);			\
		*a = v;							\
	}								\
	type __tsan_atomic##bits##_exchange(volatile type *a, type v, int mo) \
	{								\
		type old;						\
									\
		(void)mo;						\
		hook_atomic(a, sizeof(type), true);			\
		old = *a;						\
		*a = v;							\
		return old;						\
	}								\
	type __tsan_atomic##bits##_compare_exchange_val(		\
		volatile type *a, type c, type v, int mo, int fmo)	\
	{								\
		type old;						\
									\
		(void)mo;						\
		(void)fmo;						\
		hook_atomic(a, sizeof(type), true);			\
		old = *a;						\
		if (old == c)						\
			*a = v;						\
		return old;						\
	}								\
	int __tsan_atomic##bits##_compare_exchange_strong(		\
		volatile type *a, type *c, type v, int mo, int fmo)	\
	{								\
		type old = __tsan_atomic##bits##_compare_exchange_val(	\
			a, *c, v, mo, fmo);				\
		int same = old == *c;					\
									\
		*c = old;						\
		return same;						\
	}								\
	int __tsan_atomic##bits##_compare_exchange_weak(		\
		volatile type *a, type *c, type v, int mo, int fmo)	\
	{								\
		return __tsan_atomic##bits##_compare_exchange_strong(	\
			a, c, v, mo, fmo);				\
	}								\
	HOOK_FETCH(type, bits, add)					\
	HOOK_FETCH(type, bits, sub)					\
	HOOK_FETCH(type, bits, and)					\
	HOOK_FETCH(type, bits, or)					\
	HOOK_FETCH(type, bits, xor)					\
	HOOK_FETCH(type, bits, nand)

HOOK_ATOMIC(uint8_t, 8)
HOOK_ATOMIC(uint16_t, 16)
HOOK_ATOMIC(uint32_t, 32)
HOOK_ATOMIC(uint64_t, 64)

void __tsan_atomic_thread_fence(int mo);
void __tsan_atomic_signal_fence(int mo);

void __tsan_atomic_thread_fence(int mo)
{
	(void)mo;
	if (sim.actor)
		sim_spend(hw_cost.barrier_ps);
	sim_sync();
}

void __tsan_atomic_signal_fence(int mo)
{
	(void)mo;
}
