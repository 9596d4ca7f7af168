/* SPDX-License-Identifier: GPL-2.0-only */
/* Tasks and waiting for a turn. */
#ifndef PORT_LINUX_SCHED_H
#define PORT_LINUX_SCHED_H

#include <linux/list.h>
#include <linux/types.h>

struct blk_plug;
struct bio_list;

#define TASK_RUNNING		0
#define TASK_INTERRUPTIBLE	1
#define TASK_UNINTERRUPTIBLE	2
#define TASK_NORMAL		(TASK_INTERRUPTIBLE | TASK_UNINTERRUPTIBLE)
#define TASK_COMM_LEN		16
#define PF_BLOCK_TS		0x00000010
#define MAX_SCHEDULE_TIMEOUT	((long)(~0UL >> 1))

/* A few of the kernel's fields; the scheduler proper is the simulator's. */
struct task_struct {
	unsigned int __state;
	unsigned int flags;
	pid_t pid;
	char comm[TASK_COMM_LEN];
	struct bio_list *bio_list;
	struct blk_plug *plug;
};

struct task_struct *__guest_current(void);
#define current __guest_current()

/* Parks the caller, unless its state is TASK_RUNNING (woken meanwhile). */
void schedule(void);
long schedule_timeout(long timeout_jiffies);
long io_schedule_timeout(long timeout_jiffies);
void io_schedule(void);
int wake_up_process(struct task_struct *task);
int __guest_cond_resched(void);
bool __guest_need_resched(void);
#define cond_resched()	__guest_cond_resched()
#define need_resched()	__guest_need_resched()
#define signal_pending(task) ((void)(task), 0)

/* out of line: a barrier, and a point where the simulator may switch */
void __guest_set_current_state(unsigned int state);
#define set_current_state(state)	__guest_set_current_state(state)
#define __set_current_state(state)	(current->__state = (state))

#endif /* PORT_LINUX_SCHED_H */
