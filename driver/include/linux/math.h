/* SPDX-License-Identifier: GPL-2.0-only */
/* Rounding and rounded division. */
#ifndef PORT_LINUX_MATH_H
#define PORT_LINUX_MATH_H

#include <linux/types.h>

#define __round_mask(x, y) ((__typeof__(x))((y) - 1))
/* y is a power of two */
#define round_up(x, y)	((((x) - 1) | __round_mask(x, y)) + 1)
#define round_down(x, y) ((x) & ~__round_mask(x, y))

#define DIV_ROUND_UP(n, d) (((n) + (d) - 1) / (d))
#define DIV_ROUND_UP_ULL(n, d) \
	((unsigned long long)((n) + 0ULL + (d) - 1) / (d))
#define DIV_ROUND_DOWN_ULL(n, d) ((unsigned long long)(n) / (d))
#define DIV_ROUND_CLOSEST(x, d) (((x) + (d) / 2) / (d))

#define roundup(x, y) ({ \
	const __typeof__(y) __roundup_y = (y); \
	(((x) + (__roundup_y - 1)) / __roundup_y) * __roundup_y; \
})
#define rounddown(x, y) ({ \
	__typeof__(x) __rounddown_x = (x); \
	__rounddown_x - __rounddown_x % (y); \
})
#define mult_frac(x, n, d) ({ \
	__typeof__(x) __frac_x = (x); \
	__frac_x / (d) * (n) + __frac_x % (d) * (n) / (d); \
})

#undef abs
#define abs(x) ({ \
	__typeof__(x) __abs_x = (x); \
	__abs_x < 0 ? -__abs_x : __abs_x; \
})

/* Divides n in place, gives the remainder. */
#define do_div(n, base) ({ \
	u32 __div_base = (base); \
	u32 __div_rem = (u64)(n) % __div_base; \
	(n) = (u64)(n) / __div_base; \
	__div_rem; \
})
#define sector_div(n, base) do_div(n, base)

#endif /* PORT_LINUX_MATH_H */
