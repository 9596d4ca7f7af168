/* SPDX-License-Identifier: GPL-2.0-only */
/* Minimum, maximum and clamp; each argument is evaluated once. */
#ifndef PORT_LINUX_MINMAX_H
#define PORT_LINUX_MINMAX_H

#include <linux/build_bug.h>
#include <linux/types.h>

#define __port_cmp(x, op, y, ux, uy) ({ \
	__typeof__(x) ux = (x); \
	__typeof__(y) uy = (y); \
	ux op uy ? ux : uy; \
})
#define __port_cmp_once(x, op, y) \
	__port_cmp(x, op, y, __UNIQUE_ID(x_), __UNIQUE_ID(y_))

#define min(x, y) __port_cmp_once(x, <, y)
#define max(x, y) __port_cmp_once(x, >, y)
#define min_t(type, x, y) min((type)(x), (type)(y))
#define max_t(type, x, y) max((type)(x), (type)(y))
#define min3(x, y, z) min(min(x, y), z)
#define max3(x, y, z) max(max(x, y), z)
#define umin(x, y) min((x) + 0ull, (y) + 0ull)
#define umax(x, y) max((x) + 0ull, (y) + 0ull)

#define min_not_zero(x, y) ({ \
	__typeof__(x) __mnz_x = (x); \
	__typeof__(y) __mnz_y = (y); \
	__mnz_x == 0 ? __mnz_y : \
		__mnz_y == 0 ? __mnz_x : min(__mnz_x, __mnz_y); \
})

#define clamp(val, lo, hi) min(max(val, lo), hi)
#define clamp_t(type, val, lo, hi) \
	clamp((type)(val), (type)(lo), (type)(hi))
#define clamp_val(val, lo, hi) clamp_t(__typeof__(val), val, lo, hi)
#define in_range(val, start, len) ((val) - (start) < (len))

/* constant expressions, usable as array sizes */
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

#define swap(a, b) \
do { \
	__typeof__(a) __swap_tmp = (a); \
	(a) = (b); \
	(b) = __swap_tmp; \
} while (0)

#endif /* PORT_LINUX_MINMAX_H */
