/* SPDX-License-Identifier: GPL-2.0-only */
/* From a member to the structure around it. */
#ifndef PORT_LINUX_CONTAINER_OF_H
#define PORT_LINUX_CONTAINER_OF_H

#include <linux/stddef.h>

#define container_of(ptr, type, member) ({ \
	_Static_assert(__same_type(*(ptr), ((type *)0)->member) || \
		       __same_type(*(ptr), void), \
		       "container_of: pointer does not match member"); \
	(type *)((char *)(ptr) - offsetof(type, member)); \
})

/* keeps the pointer's const */
#define container_of_const(ptr, type, member) \
	_Generic(ptr, \
		const __typeof__(*(ptr)) *: \
			(const type *)container_of(ptr, type, member), \
		default: ((type *)container_of(ptr, type, member)))

#endif /* PORT_LINUX_CONTAINER_OF_H */
