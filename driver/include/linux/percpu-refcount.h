/* SPDX-License-Identifier: GPL-2.0-only */
/* Size of a per-CPU reference count; the implementation owns it. */
#ifndef PORT_LINUX_PERCPU_REFCOUNT_H
#define PORT_LINUX_PERCPU_REFCOUNT_H

#include <linux/types.h>

struct percpu_ref_data;

struct percpu_ref {
	unsigned long percpu_count_ptr;
	struct percpu_ref_data *data;
};

#endif /* PORT_LINUX_PERCPU_REFCOUNT_H */
