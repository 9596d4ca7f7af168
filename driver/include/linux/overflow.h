/* SPDX-License-Identifier: GPL-2.0-only */
/* Arithmetic that reports overflow. */
#ifndef PORT_LINUX_OVERFLOW_H
#define PORT_LINUX_OVERFLOW_H

#include <linux/limits.h>
#include <linux/types.h>

#define check_add_overflow(a, b, d) __builtin_add_overflow(a, b, d)
#define check_sub_overflow(a, b, d) __builtin_sub_overflow(a, b, d)
#define check_mul_overflow(a, b, d) __builtin_mul_overflow(a, b, d)

/* SIZE_MAX instead of wrapping */
static inline size_t size_mul(size_t a, size_t b)
{
	size_t product;

	return __builtin_mul_overflow(a, b, &product) ? SIZE_MAX : product;
}

static inline size_t size_add(size_t a, size_t b)
{
	size_t sum;

	return __builtin_add_overflow(a, b, &sum) ? SIZE_MAX : sum;
}

#define array_size(a, b) size_mul(a, b)
#define flex_array_size(p, member, n) \
	size_mul(n, sizeof(*(p)->member) + __must_be_array((p)->member))
#define struct_size(p, member, n) \
	size_add(sizeof(*(p)), flex_array_size(p, member, n))

#endif /* PORT_LINUX_OVERFLOW_H */
