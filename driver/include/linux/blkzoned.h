/* SPDX-License-Identifier: GPL-2.0-only */
/* Zoned block devices. */
#ifndef PORT_LINUX_BLKZONED_H
#define PORT_LINUX_BLKZONED_H

#include <uapi/linux/blkzoned.h>

#endif /* PORT_LINUX_BLKZONED_H */
