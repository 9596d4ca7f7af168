/* SPDX-License-Identifier: GPL-2.0-only */
/* I/O priority: class in the top three bits. */
#ifndef PORT_LINUX_IOPRIO_H
#define PORT_LINUX_IOPRIO_H

#include <linux/types.h>

#define IOPRIO_CLASS_SHIFT	13
#define IOPRIO_PRIO_CLASS(ioprio) ((ioprio) >> IOPRIO_CLASS_SHIFT)
#define IOPRIO_PRIO_VALUE(class, level) \
	(((class) << IOPRIO_CLASS_SHIFT) | (level))

enum {
	IOPRIO_CLASS_NONE = 0,
	IOPRIO_CLASS_RT = 1,
	IOPRIO_CLASS_BE = 2,
	IOPRIO_CLASS_IDLE = 3,
};

#endif /* PORT_LINUX_IOPRIO_H */
