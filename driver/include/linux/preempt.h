/* SPDX-License-Identifier: GPL-2.0-only */
/* Preemption: the guest kernel is CONFIG_PREEMPT_VOLUNTARY. */
#ifndef PORT_LINUX_PREEMPT_H
#define PORT_LINUX_PREEMPT_H

#include <linux/compiler.h>
#include <linux/types.h>

#define preempt_disable()	barrier()
#define preempt_enable()	barrier()

/* Does the caller run in an interrupt handler? */
bool __guest_in_interrupt(void);
#define in_interrupt()	__guest_in_interrupt()
#define in_hardirq()	__guest_in_interrupt()
#define in_task()	(!__guest_in_interrupt())

#endif /* PORT_LINUX_PREEMPT_H */
