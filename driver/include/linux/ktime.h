/* SPDX-License-Identifier: GPL-2.0-only */
/* Nanoseconds of simulated time since boot. */
#ifndef PORT_LINUX_KTIME_H
#define PORT_LINUX_KTIME_H

#include <linux/jiffies.h>

#define NSEC_PER_SEC	1000000000L
#define NSEC_PER_MSEC	1000000L
#define NSEC_PER_USEC	1000L
#define USEC_PER_SEC	1000000L
#define MSEC_PER_SEC	1000L

ktime_t ktime_get(void);

static inline u64 ktime_get_ns(void)
{
	return ktime_get();
}

#define ktime_sub(a, b)		((a) - (b))
#define ktime_add(a, b)		((a) + (b))
#define ktime_to_ns(t)		((s64)(t))

static inline s64 ktime_to_us(const ktime_t t)
{
	return t / NSEC_PER_USEC;
}

static inline s64 ktime_to_ms(const ktime_t t)
{
	return t / NSEC_PER_MSEC;
}

static inline s64 ktime_us_delta(const ktime_t later, const ktime_t earlier)
{
	return ktime_to_us(ktime_sub(later, earlier));
}

static inline s64 ktime_ms_delta(const ktime_t later, const ktime_t earlier)
{
	return ktime_to_ms(ktime_sub(later, earlier));
}

#endif /* PORT_LINUX_KTIME_H */
