/* SPDX-License-Identifier: GPL-2.0-only */
/* Bit operations; the atomic ones are locked instructions on x86. */
#ifndef PORT_LINUX_BITOPS_H
#define PORT_LINUX_BITOPS_H

#include <linux/bits.h>

static __always_inline void set_bit(long nr, volatile unsigned long *addr)
{
	__atomic_fetch_or(addr + BIT_WORD(nr), BIT_MASK(nr), __ATOMIC_RELAXED);
}

static __always_inline void clear_bit(long nr, volatile unsigned long *addr)
{
	__atomic_fetch_and(addr + BIT_WORD(nr), ~BIT_MASK(nr),
			   __ATOMIC_RELAXED);
}

static __always_inline void change_bit(long nr, volatile unsigned long *addr)
{
	__atomic_fetch_xor(addr + BIT_WORD(nr), BIT_MASK(nr),
			   __ATOMIC_RELAXED);
}

static __always_inline void clear_bit_unlock(long nr,
					     volatile unsigned long *addr)
{
	__atomic_fetch_and(addr + BIT_WORD(nr), ~BIT_MASK(nr),
			   __ATOMIC_RELEASE);
}

static __always_inline bool test_and_set_bit(long nr,
					     volatile unsigned long *addr)
{
	return __atomic_fetch_or(addr + BIT_WORD(nr), BIT_MASK(nr),
				 __ATOMIC_SEQ_CST) & BIT_MASK(nr);
}

static __always_inline bool test_and_clear_bit(long nr,
					       volatile unsigned long *addr)
{
	return __atomic_fetch_and(addr + BIT_WORD(nr), ~BIT_MASK(nr),
				  __ATOMIC_SEQ_CST) & BIT_MASK(nr);
}

static __always_inline bool test_and_set_bit_lock(long nr,
						  volatile unsigned long *addr)
{
	return __atomic_fetch_or(addr + BIT_WORD(nr), BIT_MASK(nr),
				 __ATOMIC_ACQUIRE) & BIT_MASK(nr);
}

static __always_inline bool test_bit(long nr,
				     const volatile unsigned long *addr)
{
	return addr[BIT_WORD(nr)] >> (nr % BITS_PER_LONG) & 1;
}

static __always_inline bool test_bit_acquire(long nr,
					     const volatile unsigned long *addr)
{
	return __atomic_load_n(addr + BIT_WORD(nr), __ATOMIC_ACQUIRE) &
	       BIT_MASK(nr);
}

/* the forms with two underscores are plain accesses */
static __always_inline void __set_bit(long nr, unsigned long *addr)
{
	addr[BIT_WORD(nr)] |= BIT_MASK(nr);
}

static __always_inline void __clear_bit(long nr, unsigned long *addr)
{
	addr[BIT_WORD(nr)] &= ~BIT_MASK(nr);
}

static __always_inline bool __test_and_set_bit(long nr, unsigned long *addr)
{
	bool old = addr[BIT_WORD(nr)] & BIT_MASK(nr);

	__set_bit(nr, addr);
	return old;
}

static __always_inline bool __test_and_clear_bit(long nr, unsigned long *addr)
{
	bool old = addr[BIT_WORD(nr)] & BIT_MASK(nr);

	__clear_bit(nr, addr);
	return old;
}

static __always_inline void __assign_bit(long nr, unsigned long *addr,
					 bool value)
{
	if (value)
		__set_bit(nr, addr);
	else
		__clear_bit(nr, addr);
}

/* index of the lowest / highest set bit; the argument is not 0 */
static __always_inline unsigned long __ffs(unsigned long word)
{
	return __builtin_ctzl(word);
}

static __always_inline unsigned long __fls(unsigned long word)
{
	return BITS_PER_LONG - 1 - __builtin_clzl(word);
}

static __always_inline unsigned long ffz(unsigned long word)
{
	return __ffs(~word);
}

/* 1 + index, 0 if no bit is set; libc has an ffs of its own */
#define ffs(x) __builtin_ffs(x)

static __always_inline int fls(unsigned int x)
{
	return x ? 32 - __builtin_clz(x) : 0;
}

static __always_inline int fls64(u64 x)
{
	return x ? 64 - __builtin_clzll(x) : 0;
}

static __always_inline unsigned int hweight32(u32 w)
{
	return __builtin_popcount(w);
}

static __always_inline unsigned long hweight64(u64 w)
{
	return __builtin_popcountll(w);
}

static __always_inline unsigned long hweight_long(unsigned long w)
{
	return __builtin_popcountl(w);
}

/* first (next, from `offset`) set or clear bit; `size` if there is none */
unsigned long find_first_bit(const unsigned long *addr, unsigned long size);
unsigned long find_next_bit(const unsigned long *addr, unsigned long size,
			    unsigned long offset);
unsigned long find_first_zero_bit(const unsigned long *addr,
				  unsigned long size);
unsigned long find_next_zero_bit(const unsigned long *addr,
				 unsigned long size, unsigned long offset);

#define for_each_set_bit(bit, addr, size) \
	for ((bit) = find_first_bit((addr), (size)); (bit) < (size); \
	     (bit) = find_next_bit((addr), (size), (bit) + 1))

#endif /* PORT_LINUX_BITOPS_H */
