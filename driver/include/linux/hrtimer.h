/* SPDX-License-Identifier: GPL-2.0-only */
/* Only the time type: nothing on the I/O path arms a high-resolution timer. */
#ifndef _LINUX_HRTIMER_H
#define _LINUX_HRTIMER_H

#include <linux/ktime.h>

#endif /* _LINUX_HRTIMER_H */
