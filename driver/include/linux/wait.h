/* SPDX-License-Identifier: GPL-2.0-only */
/* Wait queues. */
#ifndef PORT_LINUX_WAIT_H
#define PORT_LINUX_WAIT_H

#include <linux/list.h>
#include <linux/sched.h>
#include <linux/spinlock.h>

struct wait_queue_entry;
typedef struct wait_queue_entry wait_queue_entry_t;
typedef int (*wait_queue_func_t)(struct wait_queue_entry *entry,
				 unsigned int mode, int flags, void *key);

#define WQ_FLAG_EXCLUSIVE 0x01

struct wait_queue_entry {
	unsigned int flags;
	void *private;			/* the task that waits */
	wait_queue_func_t func;
	struct list_head entry;
};

typedef struct wait_queue_head {
	spinlock_t lock;
	struct list_head head;
} wait_queue_head_t;

_Static_assert(sizeof(wait_queue_entry_t) == 40, "wait_queue_entry");
_Static_assert(sizeof(wait_queue_head_t) == 24, "wait_queue_head");

int default_wake_function(struct wait_queue_entry *entry, unsigned int mode,
			  int flags, void *key);
int autoremove_wake_function(struct wait_queue_entry *entry,
			     unsigned int mode, int flags, void *key);

#define __WAIT_QUEUE_HEAD_INITIALIZER(name) \
	{ .head = LIST_HEAD_INIT((name).head) }
#define DECLARE_WAIT_QUEUE_HEAD(name) \
	wait_queue_head_t name = __WAIT_QUEUE_HEAD_INITIALIZER(name)
#define DEFINE_WAIT_FUNC(name, function) \
	wait_queue_entry_t name = { \
		.private = current, \
		.func = function, \
		.entry = LIST_HEAD_INIT((name).entry), \
	}
#define DEFINE_WAIT(name) DEFINE_WAIT_FUNC(name, autoremove_wake_function)

/* name: as for __spin_lock_init() */
void __init_waitqueue_head(wait_queue_head_t *wq, const char *name);
#define init_waitqueue_head(wq) __init_waitqueue_head(wq, #wq)

void prepare_to_wait(wait_queue_head_t *wq, wait_queue_entry_t *entry,
		     int state);
bool prepare_to_wait_exclusive(wait_queue_head_t *wq,
			       wait_queue_entry_t *entry, int state);
void finish_wait(wait_queue_head_t *wq, wait_queue_entry_t *entry);

/* nr: exclusive waiters to wake, 0 for all. Result: number woken. */
int __wake_up(wait_queue_head_t *wq, unsigned int mode, int nr, void *key);
#define wake_up(wq)		  __wake_up(wq, TASK_NORMAL, 1, NULL)
#define wake_up_nr(wq, nr)	  __wake_up(wq, TASK_NORMAL, nr, NULL)
#define wake_up_all(wq)		  __wake_up(wq, TASK_NORMAL, 0, NULL)
#define wake_up_interruptible(wq) __wake_up(wq, TASK_INTERRUPTIBLE, 1, NULL)

static inline bool waitqueue_active(wait_queue_head_t *wq)
{
	return !list_empty(&wq->head);
}

#define __port_wait_event(wq, state, condition, left, sleep) \
do { \
	DEFINE_WAIT(__wait_entry); \
\
	for (;;) { \
		prepare_to_wait(&(wq), &__wait_entry, state); \
		if ((condition) || !(left)) \
			break; \
		sleep; \
	} \
	finish_wait(&(wq), &__wait_entry); \
} while (0)

#define wait_event(wq, condition) \
do { \
	if (!(condition)) \
		__port_wait_event(wq, TASK_UNINTERRUPTIBLE, condition, 1, \
				  schedule()); \
} while (0)
#define wait_event_interruptible(wq, condition) \
({ \
	if (!(condition)) \
		__port_wait_event(wq, TASK_INTERRUPTIBLE, condition, 1, \
				  schedule()); \
	0; \
})
/* jiffies left (at least 1) if the condition holds, else 0 */
#define wait_event_timeout(wq, condition, timeout) \
({ \
	long __wait_left = (timeout); \
\
	if (!(condition)) \
		__port_wait_event(wq, TASK_UNINTERRUPTIBLE, condition, \
				  __wait_left, __wait_left = \
				  schedule_timeout(__wait_left)); \
	(condition) ? (__wait_left ? __wait_left : 1) : 0; \
})

#endif /* PORT_LINUX_WAIT_H */
