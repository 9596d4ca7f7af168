/* SPDX-License-Identifier: GPL-2.0-only */
/* Kernel ticks; they follow simulated time. */
#ifndef PORT_LINUX_JIFFIES_H
#define PORT_LINUX_JIFFIES_H

#include <linux/types.h>

#define HZ	CONFIG_HZ
#define jiffies	__guest_jiffies()
unsigned long __guest_jiffies(void);

#define time_after(a, b)	((long)((b) - (a)) < 0)
#define time_before(a, b)	time_after(b, a)
#define time_after_eq(a, b)	((long)((a) - (b)) >= 0)
#define time_before_eq(a, b)	time_after_eq(b, a)

static inline unsigned long msecs_to_jiffies(unsigned int ms)
{
	return ((u64)ms * HZ + 999) / 1000;
}

static inline unsigned int jiffies_to_msecs(unsigned long j)
{
	return j * (1000 / HZ);
}

#endif /* PORT_LINUX_JIFFIES_H */
