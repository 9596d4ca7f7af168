/* SPDX-License-Identifier: GPL-2.0-only */
/* Kernel memory sanitizer: configured out, as in a distribution's kernel. */
#ifndef _LINUX_KMSAN_H
#define _LINUX_KMSAN_H

/* Arguments: page, offset, size in bytes, enum dma_data_direction. */
#define kmsan_handle_dma(page, offset, size, dir) \
	((void)(page), (void)(offset), (void)(size), (void)(dir))

#endif /* _LINUX_KMSAN_H */
