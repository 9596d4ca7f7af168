/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Small objects: implements <linux/slab.h>. Guest code.
 *
 * A cache hands out objects of one size. Each vCPU has a stack of free ones of
 * its own, used with interrupts off and without a lock; batches move between
 * it and the cache's list under the cache's spinlock. kmalloc is a set of such
 * caches; what is larger than the largest comes as pages.
 */
#ifndef MODEL_GUEST_SLAB_H
#define MODEL_GUEST_SLAB_H

#include <linux/slab.h>

/* After page_init. */
void slab_init(void);

/* Fill freed objects with 0x6b (uncharged), to make use after free visible. */
void slab_set_poison(bool on);

/* Objects that are allocated, of kmalloc and all caches; for leak checks. */
u64 slab_used_nr(void);

#endif
