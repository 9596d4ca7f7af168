/* SPDX-License-Identifier: GPL-2.0-only */
/* Allocation of small numbers. */
#ifndef PORT_LINUX_IDR_H
#define PORT_LINUX_IDR_H

#include <linux/gfp.h>
#include <linux/xarray.h>

/* All zero is an empty set; xa.xa_head is the implementation's. */
struct ida {
	struct xarray xa;
};

#define IDA_INIT(name)		{ .xa = XARRAY_INIT(name, 0) }
#define DEFINE_IDA(name)	struct ida name = IDA_INIT(name)

/* Lowest free number in min .. max, both included; -ENOSPC, -ENOMEM. */
int ida_alloc_range(struct ida *ida, unsigned int min, unsigned int max,
		    gfp_t gfp);
void ida_free(struct ida *ida, unsigned int id);
void ida_destroy(struct ida *ida);

static inline void ida_init(struct ida *ida)
{
	*ida = (struct ida){ };
}

static inline int ida_alloc(struct ida *ida, gfp_t gfp)
{
	return ida_alloc_range(ida, 0, ~0, gfp);
}

static inline int ida_alloc_min(struct ida *ida, unsigned int min, gfp_t gfp)
{
	return ida_alloc_range(ida, min, ~0, gfp);
}

static inline int ida_alloc_max(struct ida *ida, unsigned int max, gfp_t gfp)
{
	return ida_alloc_range(ida, 0, max, gfp);
}

/* older names; end is not included, 0 means none */
#define ida_simple_get(ida, start, end, gfp) \
	ida_alloc_range(ida, start, (end) - 1, gfp)
#define ida_simple_remove(ida, id) ida_free(ida, id)

#endif /* PORT_LINUX_IDR_H */
