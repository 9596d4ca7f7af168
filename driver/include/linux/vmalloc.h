/* SPDX-License-Identifier: GPL-2.0-only */
/* Large allocations; physically contiguous here, unlike the kernel's. */
#ifndef PORT_LINUX_VMALLOC_H
#define PORT_LINUX_VMALLOC_H

#include <linux/gfp.h>

void *__vmalloc(unsigned long size, gfp_t gfp) __malloc;
void *vmalloc(unsigned long size) __malloc;
void *vzalloc(unsigned long size) __malloc;
void vfree(const void *addr);

#endif /* PORT_LINUX_VMALLOC_H */
