/* SPDX-License-Identifier: GPL-2.0-only */
/* Powers of two. */
#ifndef PORT_LINUX_LOG2_H
#define PORT_LINUX_LOG2_H

#include <linux/bitops.h>

#define ilog2(n) (63 - __builtin_clzll((unsigned long long)(n)))
#define order_base_2(n) ((n) > 1 ? ilog2((n) - 1) + 1 : 0)

static __always_inline bool is_power_of_2(unsigned long n)
{
	return n != 0 && (n & (n - 1)) == 0;
}

static __always_inline unsigned long roundup_pow_of_two(unsigned long n)
{
	return n < 2 ? 1 : 1UL << (ilog2(n - 1) + 1);
}

static __always_inline unsigned long rounddown_pow_of_two(unsigned long n)
{
	return 1UL << ilog2(n);
}

#endif /* PORT_LINUX_LOG2_H */
