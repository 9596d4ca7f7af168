/* SPDX-License-Identifier: GPL-2.0-only */
/* Which CPU, and calls to another one. */
#ifndef PORT_LINUX_SMP_H
#define PORT_LINUX_SMP_H

#include <linux/preempt.h>
#include <linux/llist.h>

/* 0 .. nr_cpu_ids - 1 */
unsigned int __guest_smp_processor_id(void);
#define smp_processor_id()	__guest_smp_processor_id()
#define raw_smp_processor_id()	__guest_smp_processor_id()
#define get_cpu()		__guest_smp_processor_id()
#define put_cpu()		barrier()

#endif /* PORT_LINUX_SMP_H */
