/* SPDX-License-Identifier: GPL-2.0-only */
/* Timers in units of jiffies. */
#ifndef PORT_LINUX_TIMER_H
#define PORT_LINUX_TIMER_H

#include <linux/container_of.h>
#include <linux/jiffies.h>
#include <linux/list.h>

struct timer_list {
	struct hlist_node entry;
	unsigned long expires;
	void (*function)(struct timer_list *timer);
	u32 flags;
};

_Static_assert(sizeof(struct timer_list) == 40, "timer_list");

#define TIMER_DEFERRABLE	0x00080000
#define TIMER_IRQSAFE		0x00200000

void timer_setup(struct timer_list *timer,
		 void (*function)(struct timer_list *), unsigned int flags);
void add_timer(struct timer_list *timer);
int mod_timer(struct timer_list *timer, unsigned long expires);
/* renamed, because libc has one of this name and calls it */
#define timer_delete(timer)	guest_timer_delete(timer)
int timer_delete(struct timer_list *timer);
int timer_delete_sync(struct timer_list *timer);
#define del_timer(timer)	timer_delete(timer)
#define del_timer_sync(timer)	timer_delete_sync(timer)

static inline bool timer_pending(const struct timer_list *timer)
{
	return !hlist_unhashed(&timer->entry);
}

#define from_timer(var, timer, member) \
	container_of(timer, __typeof__(*var), member)

#endif /* PORT_LINUX_TIMER_H */
