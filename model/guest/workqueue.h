/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Work queues: implements <linux/workqueue.h>. Guest code.
 *
 * A queue has a pool for each vCPU (an ordered one: a single pool), which is
 * a list and one task that works it off in order. So works of one queue and
 * vCPU never run at the same time, and one that waits for another of its own
 * pool never ends; the kernel's pools would start a second worker then.
 */
#ifndef MODEL_GUEST_WORKQUEUE_H
#define MODEL_GUEST_WORKQUEUE_H

/* Creates system_wq. After slab_init, task_init and timer_init. */
void workqueue_init(void);

#endif
