/* SPDX-License-Identifier: GPL-2.0-only */
/* All pages are mapped. */
#ifndef PORT_LINUX_HIGHMEM_H
#define PORT_LINUX_HIGHMEM_H

#include <linux/mm.h>

#define kmap_local_page(page)	page_address(page)
#define kunmap_local(addr)	((void)(addr))

#endif /* PORT_LINUX_HIGHMEM_H */
