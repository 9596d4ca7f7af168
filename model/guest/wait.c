// SPDX-License-Identifier: GPL-2.0-only
/*
 * Implements <linux/wait.h> and <linux/completion.h>.
 *
 * No wake-up is lost: a waiter is on the queue and has its sleeping state
 * before it tests the condition, both set under the queue's lock; a waker
 * changes the condition first and then looks at the queue under the same lock.
 */
#include <linux/completion.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/wait.h>

void __init_waitqueue_head(wait_queue_head_t *wq, const char *name)
{
	__spin_lock_init(&wq->lock, name);
	INIT_LIST_HEAD(&wq->head);
}

int default_wake_function(struct wait_queue_entry *entry, unsigned int mode,
			  int flags, void *key)
{
	struct task_struct *task = entry->private;

	return READ_ONCE(task->__state) & mode ? wake_up_process(task) : 0;
}

/* The entry may vanish as soon as both its links point to itself. */
int autoremove_wake_function(struct wait_queue_entry *entry, unsigned int mode,
			     int flags, void *key)
{
	int woken = default_wake_function(entry, mode, flags, key);

	if (woken)
		list_del_init(&entry->entry);
	return woken;
}

void prepare_to_wait(wait_queue_head_t *wq, wait_queue_entry_t *entry,
		     int state)
{
	unsigned long flags;

	entry->flags &= ~WQ_FLAG_EXCLUSIVE;
	spin_lock_irqsave(&wq->lock, flags);
	if (list_empty(&entry->entry))
		list_add(&entry->entry, &wq->head);
	set_current_state(state);
	spin_unlock_irqrestore(&wq->lock, flags);
}

/* Result: it was the first on the queue. */
bool prepare_to_wait_exclusive(wait_queue_head_t *wq,
			       wait_queue_entry_t *entry, int state)
{
	unsigned long flags;
	bool first = false;

	entry->flags |= WQ_FLAG_EXCLUSIVE;
	spin_lock_irqsave(&wq->lock, flags);
	if (list_empty(&entry->entry)) {
		first = list_empty(&wq->head);
		list_add_tail(&entry->entry, &wq->head);
	}
	set_current_state(state);
	spin_unlock_irqrestore(&wq->lock, flags);
	return first;
}

void finish_wait(wait_queue_head_t *wq, wait_queue_entry_t *entry)
{
	unsigned long flags;

	__set_current_state(TASK_RUNNING);
	if (list_empty_careful(&entry->entry))
		return;
	spin_lock_irqsave(&wq->lock, flags);
	list_del_init(&entry->entry);
	spin_unlock_irqrestore(&wq->lock, flags);
}

static int wait_wake_locked(wait_queue_head_t *wq, unsigned int mode, int nr,
			    void *key)
{
	wait_queue_entry_t *entry, *next;
	int woken = 0;

	list_for_each_entry_safe(entry, next, &wq->head, entry) {
		unsigned int flags = entry->flags;

		if (!entry->func(entry, mode, 0, key))
			continue;
		woken++;
		if ((flags & WQ_FLAG_EXCLUSIVE) && !--nr)
			break;
	}
	return woken;
}

int __wake_up(wait_queue_head_t *wq, unsigned int mode, int nr, void *key)
{
	unsigned long flags;
	int woken;

	spin_lock_irqsave(&wq->lock, flags);
	woken = wait_wake_locked(wq, mode, nr, key);
	spin_unlock_irqrestore(&wq->lock, flags);
	return woken;
}

/* Called and left with the lock held. Returns what is left of the timeout. */
static long completion_sleep(struct completion *x, long timeout)
{
	wait_queue_entry_t entry = {
		.flags = WQ_FLAG_EXCLUSIVE,
		.private = current,
		.func = default_wake_function,
	};

	list_add_tail(&entry.entry, &x->wait.head);
	do {
		set_current_state(TASK_UNINTERRUPTIBLE);
		spin_unlock_irq(&x->wait.lock);
		timeout = schedule_timeout(timeout);
		spin_lock_irq(&x->wait.lock);
	} while (!x->done && timeout);
	list_del(&entry.entry);
	return timeout;
}

/* complete_all leaves UINT_MAX, which is not counted down. */
static void completion_take(struct completion *x)
{
	if (x->done != UINT_MAX)
		x->done--;
}

unsigned long wait_for_completion_timeout(struct completion *x,
					  unsigned long timeout_jiffies)
{
	long left = timeout_jiffies;
	bool done;

	spin_lock_irq(&x->wait.lock);
	if (!x->done && left)
		left = completion_sleep(x, left);
	done = x->done;
	if (done)
		completion_take(x);
	spin_unlock_irq(&x->wait.lock);
	return done ? max(left, 1L) : 0;
}

void wait_for_completion(struct completion *x)
{
	wait_for_completion_timeout(x, MAX_SCHEDULE_TIMEOUT);
}

void wait_for_completion_io(struct completion *x)
{
	wait_for_completion(x);
}

bool try_wait_for_completion(struct completion *x)
{
	unsigned long flags;
	bool done;

	if (!READ_ONCE(x->done))
		return false;
	spin_lock_irqsave(&x->wait.lock, flags);
	done = x->done;
	if (done)
		completion_take(x);
	spin_unlock_irqrestore(&x->wait.lock, flags);
	return done;
}

/* The lock is taken so that complete() has let go of x when this says yes. */
bool completion_done(struct completion *x)
{
	unsigned long flags;

	if (!READ_ONCE(x->done))
		return false;
	spin_lock_irqsave(&x->wait.lock, flags);
	spin_unlock_irqrestore(&x->wait.lock, flags);
	return true;
}

void complete(struct completion *x)
{
	unsigned long flags;

	spin_lock_irqsave(&x->wait.lock, flags);
	if (x->done != UINT_MAX)
		x->done++;
	wait_wake_locked(&x->wait, TASK_NORMAL, 1, NULL);
	spin_unlock_irqrestore(&x->wait.lock, flags);
}

void complete_all(struct completion *x)
{
	unsigned long flags;

	spin_lock_irqsave(&x->wait.lock, flags);
	x->done = UINT_MAX;
	wait_wake_locked(&x->wait, TASK_NORMAL, 0, NULL);
	spin_unlock_irqrestore(&x->wait.lock, flags);
}
