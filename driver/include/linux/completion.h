/* SPDX-License-Identifier: GPL-2.0-only */
/* Waiting for something done once. */
#ifndef PORT_LINUX_COMPLETION_H
#define PORT_LINUX_COMPLETION_H

#include <linux/wait.h>

/* The kernel's holds a simple wait queue of the same size. */
struct completion {
	unsigned int done;
	wait_queue_head_t wait;
};

_Static_assert(sizeof(struct completion) == 32, "completion");

#define COMPLETION_INITIALIZER(work) \
	{ .wait = __WAIT_QUEUE_HEAD_INITIALIZER((work).wait) }
#define DECLARE_COMPLETION(work) \
	struct completion work = COMPLETION_INITIALIZER(work)
#define DECLARE_COMPLETION_ONSTACK(work) DECLARE_COMPLETION(work)

static inline void init_completion(struct completion *x)
{
	x->done = 0;
	init_waitqueue_head(&x->wait);
}

static inline void reinit_completion(struct completion *x)
{
	x->done = 0;
}

void wait_for_completion(struct completion *x);
void wait_for_completion_io(struct completion *x);
unsigned long wait_for_completion_timeout(struct completion *x,
					  unsigned long timeout_jiffies);
bool try_wait_for_completion(struct completion *x);
bool completion_done(struct completion *x);
void complete(struct completion *x);
void complete_all(struct completion *x);

#endif /* PORT_LINUX_COMPLETION_H */
