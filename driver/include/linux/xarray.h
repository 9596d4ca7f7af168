/* SPDX-License-Identifier: GPL-2.0-only */
/* Size of an xarray; xa_head belongs to the implementation. */
#ifndef PORT_LINUX_XARRAY_H
#define PORT_LINUX_XARRAY_H

#include <linux/spinlock_types.h>
#include <linux/types.h>

struct xarray {
	spinlock_t xa_lock;
	gfp_t xa_flags;
	void *xa_head;
};

_Static_assert(sizeof(struct xarray) == 16, "xarray");

#define XARRAY_INIT(name, flags) { .xa_flags = (flags) }

#endif /* PORT_LINUX_XARRAY_H */
