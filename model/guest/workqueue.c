// SPDX-License-Identifier: GPL-2.0-only
/*
 * work->data: bit 0 pending, bit 1 being cancelled, from bit 32 on the number
 * of the pool it was last queued on. Who sets the pending bit owns the work
 * until it is on a list: in between, nobody else may touch its entry.
 */
#include "model/guest/task.h"
#include "model/guest/workqueue.h"

#include <linux/cache.h>
#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/mm_types.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#define WORK_PENDING	(1L << WORK_STRUCT_PENDING_BIT)
#define WORK_CANCELING	2L
#define WORK_POOL_SHIFT	32
#define POOLS_MAX	1024u

/*
 * Once made, a pool's memory stays a pool, so that a stale number in
 * work->data can be followed.
 * @running: work whose function @func runs; only ever compared
 * @idle:    the worker sleeps for lack of work
 */
struct wq_pool {
	spinlock_t lock;
	u32 id;
	struct workqueue_struct *wq;
	struct list_head works;
	struct work_struct *running;
	work_func_t func;
	struct task_struct *worker;
	bool idle;
	bool stop;
	struct completion exited;
	struct wq_pool *next_unused;
} ____cacheline_aligned;

struct workqueue_struct {
	char name[24];
	unsigned int pools_nr;
	struct wq_pool *pool[VCPU_MAX];
};

/* A work that tells its waiter that all before it have run. */
struct wq_barrier {
	struct work_struct work;
	struct completion done;
};

static struct {
	spinlock_t lock;
	u32 nr;
	struct wq_pool *pool[POOLS_MAX];
	struct wq_pool *unused;
} pools;

struct workqueue_struct *system_wq;

static struct wq_pool *work_pool(struct work_struct *work)
{
	unsigned long id = (unsigned long)atomic_long_read(&work->data) >>
			   WORK_POOL_SHIFT;

	return id < pools.nr ? pools.pool[id] : NULL;
}

static void work_set_data(struct work_struct *work, const struct wq_pool *pool,
			  long flags)
{
	atomic_long_set(&work->data, (long)pool->id << WORK_POOL_SHIFT | flags);
}

/* Called with the pool's lock held. */
static void pool_wake(struct wq_pool *pool)
{
	if (!pool->idle)
		return;
	pool->idle = false;
	wake_up_process(pool->worker);
}

static void pool_insert(struct wq_pool *pool, struct work_struct *work,
			struct list_head *before)
{
	list_add_tail(&work->entry, before);
	pool_wake(pool);
}

/*
 * The pending bit goes before the function runs, so that a queue from then on
 * runs it again. The function may free the work.
 */
static void pool_run_one(struct wq_pool *pool)
{
	struct work_struct *work = list_first_entry(&pool->works,
						    struct work_struct, entry);
	work_func_t func = work->func;

	list_del_init(&work->entry);
	pool->running = work;
	pool->func = func;
	work_set_data(work, pool, 0);
	smp_mb();
	spin_unlock_irq(&pool->lock);
	func(work);
	cond_resched();
	spin_lock_irq(&pool->lock);
	pool->running = NULL;
}

static void pool_sleep(struct wq_pool *pool)
{
	pool->idle = true;
	set_current_state(TASK_INTERRUPTIBLE);
	spin_unlock_irq(&pool->lock);
	schedule();
	spin_lock_irq(&pool->lock);
}

static void pool_worker(void *arg)
{
	struct wq_pool *pool = arg;

	spin_lock_irq(&pool->lock);
	for (;;) {
		if (!list_empty(&pool->works))
			pool_run_one(pool);
		else if (pool->stop)
			break;
		else
			pool_sleep(pool);
	}
	spin_unlock_irq(&pool->lock);
	complete(&pool->exited);
}

/* An unused pool or a new one; NULL: no memory, or too many queues. */
static struct wq_pool *pool_get(void)
{
	struct wq_pool *pool;
	unsigned long flags;

	spin_lock_irqsave(&pools.lock, flags);
	pool = pools.unused;
	if (pool)
		pools.unused = pool->next_unused;
	spin_unlock_irqrestore(&pools.lock, flags);
	if (pool)
		return pool;
	pool = kzalloc(sizeof(*pool), GFP_KERNEL);
	if (!pool)
		return NULL;
	spin_lock_init(&pool->lock);
	spin_lock_irqsave(&pools.lock, flags);
	pool->id = pools.nr;
	if (pools.nr < POOLS_MAX)
		pools.pool[pools.nr++] = pool;
	spin_unlock_irqrestore(&pools.lock, flags);
	if (pool->id < POOLS_MAX)
		return pool;
	kfree(pool);
	return NULL;
}

static void pool_put(struct wq_pool *pool)
{
	unsigned long flags;

	spin_lock_irqsave(&pools.lock, flags);
	pool->wq = NULL;
	pool->next_unused = pools.unused;
	pools.unused = pool;
	spin_unlock_irqrestore(&pools.lock, flags);
}

static void pool_start(struct wq_pool *pool, struct workqueue_struct *wq,
		       unsigned int cpu)
{
	char comm[TASK_COMM_LEN];

	INIT_LIST_HEAD(&pool->works);
	init_completion(&pool->exited);
	pool->wq = wq;
	pool->stop = false;
	pool->idle = false;
	snprintf(comm, sizeof(comm), "kworker/%u:%s", cpu, wq->name);
	pool->worker = task_create(comm, cpu, pool_worker, pool);
}

static void pool_stop(struct wq_pool *pool)
{
	spin_lock_irq(&pool->lock);
	pool->stop = true;
	pool_wake(pool);
	spin_unlock_irq(&pool->lock);
	wait_for_completion(&pool->exited);
	pool_put(pool);
}

static int wq_get_pools(struct workqueue_struct *wq, unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++) {
		wq->pool[i] = pool_get();
		if (!wq->pool[i]) {
			while (i--)
				pool_put(wq->pool[i]);
			return -ENOMEM;
		}
	}
	wq->pools_nr = nr;
	return 0;
}

struct workqueue_struct *alloc_workqueue(const char *fmt, unsigned int flags,
					 int max_active, ...)
{
	bool ordered = (flags & WQ_UNBOUND) && max_active == 1;
	struct workqueue_struct *wq = kzalloc(sizeof(*wq), GFP_KERNEL);
	va_list args;

	if (!wq)
		return NULL;
	va_start(args, max_active);
	vsnprintf(wq->name, sizeof(wq->name), fmt, args);
	va_end(args);
	if (wq_get_pools(wq, ordered ? 1 : nr_cpu_ids)) {
		kfree(wq);
		return NULL;
	}
	for (unsigned int i = 0; i < wq->pools_nr; i++)
		pool_start(wq->pool[i], wq, i);
	return wq;
}

void workqueue_init(void)
{
	memset(&pools, 0, sizeof(pools));
	spin_lock_init(&pools.lock);
	system_wq = alloc_workqueue("events", 0, 0);
	BUG_ON(!system_wq);
}

/* The pool that @work, which the caller owns, must go to; locked. */
static struct wq_pool *wq_lock_pool(struct workqueue_struct *wq,
				    struct work_struct *work, int cpu)
{
	struct wq_pool *last = work_pool(work);
	struct wq_pool *pool;

	if (cpu < 0 || cpu >= (int)nr_cpu_ids)
		cpu = smp_processor_id();
	pool = wq->pool[wq->pools_nr == 1 ? 0 : cpu];
	/* a work never runs twice at the same time: follow it */
	if (last && last != pool) {
		spin_lock(&last->lock);
		if (last->running == work && last->wq == wq)
			return last;
		spin_unlock(&last->lock);
	}
	spin_lock(&pool->lock);
	return pool;
}

/* The caller owns the pending bit; interrupts are off. */
static void wq_queue(int cpu, struct workqueue_struct *wq,
		     struct work_struct *work)
{
	struct wq_pool *pool = wq_lock_pool(wq, work, cpu);

	if (WARN_ON(!list_empty(&work->entry))) {
		spin_unlock(&pool->lock);
		return;
	}
	work_set_data(work, pool, WORK_PENDING);
	pool_insert(pool, work, &pool->works);
	spin_unlock(&pool->lock);
}

static bool work_test_and_set_pending(struct work_struct *work)
{
	return test_and_set_bit(WORK_STRUCT_PENDING_BIT,
				(unsigned long *)&work->data);
}

bool queue_work_on(int cpu, struct workqueue_struct *wq,
		   struct work_struct *work)
{
	unsigned long flags;
	bool queued = false;

	local_irq_save(flags);
	if (!work_test_and_set_pending(work)) {
		wq_queue(cpu, wq, work);
		queued = true;
	}
	local_irq_restore(flags);
	return queued;
}

void delayed_work_timer_fn(struct timer_list *timer)
{
	struct delayed_work *dwork = from_timer(dwork, timer, timer);
	unsigned long flags;

	local_irq_save(flags);
	wq_queue(dwork->cpu, dwork->wq, &dwork->work);
	local_irq_restore(flags);
}

/* The caller owns the pending bit; interrupts are off. */
static void wq_queue_delayed(int cpu, struct workqueue_struct *wq,
			     struct delayed_work *dwork, unsigned long delay)
{
	dwork->wq = wq;
	dwork->cpu = cpu;
	if (!delay) {
		wq_queue(cpu, wq, &dwork->work);
		return;
	}
	dwork->timer.expires = jiffies + delay;
	add_timer(&dwork->timer);
}

bool queue_delayed_work_on(int cpu, struct workqueue_struct *wq,
			   struct delayed_work *dwork, unsigned long delay)
{
	unsigned long flags;
	bool queued = false;

	local_irq_save(flags);
	if (!work_test_and_set_pending(&dwork->work)) {
		wq_queue_delayed(cpu, wq, dwork, delay);
		queued = true;
	}
	local_irq_restore(flags);
	return queued;
}

/* Take @work off the list of its pool; false if it is on none. */
static bool work_unlist(struct work_struct *work)
{
	struct wq_pool *pool = work_pool(work);
	bool listed;

	if (!pool)
		return false;
	spin_lock(&pool->lock);
	listed = work_pool(work) == pool && !list_empty(&work->entry);
	if (listed)
		list_del_init(&work->entry);
	spin_unlock(&pool->lock);
	return listed;
}

/*
 * Own the pending bit. 1: the work was pending, and is off its list or timer
 * now. 0: it was not. In both cases interrupts stay off until the caller has
 * queued the work or released the bit, and restored @flags: a handler on this
 * CPU that wants the same work would wait for ever. -EAGAIN: somebody is just
 * queueing it. -EBUSY: somebody else is cancelling it and may sleep.
 */
static int work_grab(struct work_struct *work, struct delayed_work *dwork,
		     unsigned long *flags)
{
	int ret;

	local_irq_save(*flags);
	if (dwork && timer_delete(&dwork->timer))
		return 1;
	if (!work_test_and_set_pending(work))
		return 0;
	if (work_unlist(work))
		return 1;
	ret = atomic_long_read(&work->data) & WORK_CANCELING ?
	      -EBUSY : -EAGAIN;
	local_irq_restore(*flags);
	return ret;
}

static bool work_grab_wait(struct work_struct *work,
			   struct delayed_work *dwork, unsigned long *flags)
{
	int ret;

	while ((ret = work_grab(work, dwork, flags)) < 0) {
		if (ret == -EAGAIN) {
			cpu_relax();
			continue;
		}
		set_current_state(TASK_UNINTERRUPTIBLE);
		schedule_timeout(1);
	}
	return ret;
}

static void work_release(struct work_struct *work)
{
	atomic_long_and(~(WORK_PENDING | WORK_CANCELING), &work->data);
}

static void wq_barrier_fn(struct work_struct *work)
{
	struct wq_barrier *b = container_of(work, struct wq_barrier, work);

	complete(&b->done);
}

static void wq_barrier_init(struct wq_barrier *b)
{
	INIT_WORK(&b->work, wq_barrier_fn);
	init_completion(&b->done);
}

/*
 * Called with the lock held. Behind @work if it is on the list, first if it
 * runs; false if neither.
 */
static bool pool_insert_barrier(struct wq_pool *pool, struct work_struct *work,
				struct wq_barrier *b)
{
	if (!list_empty(&work->entry))
		pool_insert(pool, &b->work, work->entry.next);
	else if (pool->running == work)
		pool_insert(pool, &b->work, pool->works.next);
	else
		return false;
	return true;
}

static bool work_start_flush(struct work_struct *work, struct wq_barrier *b)
{
	struct wq_pool *pool;
	bool inserted;

	while ((pool = work_pool(work))) {
		spin_lock_irq(&pool->lock);
		if (work_pool(work) == pool) {
			inserted = pool_insert_barrier(pool, work, b);
			spin_unlock_irq(&pool->lock);
			return inserted;
		}
		spin_unlock_irq(&pool->lock);
	}
	return false;
}

bool flush_work(struct work_struct *work)
{
	struct wq_barrier b;

	wq_barrier_init(&b);
	if (!work_start_flush(work, &b))
		return false;
	wait_for_completion(&b.done);
	return true;
}

static bool work_cancel_sync(struct work_struct *work,
			     struct delayed_work *dwork)
{
	unsigned long flags;
	bool pending = work_grab_wait(work, dwork, &flags);

	/* with the pending bit held the work cannot queue itself again */
	atomic_long_or(WORK_CANCELING, &work->data);
	local_irq_restore(flags);
	flush_work(work);
	work_release(work);
	return pending;
}

static bool work_cancel(struct work_struct *work, struct delayed_work *dwork)
{
	unsigned long flags;
	int ret;

	while ((ret = work_grab(work, dwork, &flags)) == -EAGAIN)
		cpu_relax();
	if (ret < 0)
		return false;
	work_release(work);
	local_irq_restore(flags);
	return ret;
}

bool cancel_work(struct work_struct *work)
{
	return work_cancel(work, NULL);
}

bool cancel_work_sync(struct work_struct *work)
{
	return work_cancel_sync(work, NULL);
}

bool cancel_delayed_work(struct delayed_work *dwork)
{
	return work_cancel(&dwork->work, dwork);
}

bool cancel_delayed_work_sync(struct delayed_work *dwork)
{
	return work_cancel_sync(&dwork->work, dwork);
}

/* Result: it was pending, and its delay was changed. */
bool mod_delayed_work_on(int cpu, struct workqueue_struct *wq,
			 struct delayed_work *dwork, unsigned long delay)
{
	unsigned long flags;
	int ret;

	while ((ret = work_grab(&dwork->work, dwork, &flags)) == -EAGAIN)
		cpu_relax();
	if (ret < 0)
		return true;
	wq_queue_delayed(cpu, wq, dwork, delay);
	local_irq_restore(flags);
	return ret;
}

bool flush_delayed_work(struct delayed_work *dwork)
{
	unsigned long flags;

	local_irq_save(flags);
	if (timer_delete_sync(&dwork->timer))
		wq_queue(dwork->cpu, dwork->wq, &dwork->work);
	local_irq_restore(flags);
	return flush_work(&dwork->work);
}

/*
 * Wait for all that the pool has now. Result: there was something. A barrier
 * that has woken its waiter may still count as running: nobody waits for it.
 */
static bool pool_flush(struct wq_pool *pool)
{
	struct wq_barrier b;
	bool busy;

	wq_barrier_init(&b);
	spin_lock_irq(&pool->lock);
	busy = (pool->running && pool->func != wq_barrier_fn) ||
	       !list_empty(&pool->works);
	if (busy)
		pool_insert(pool, &b.work, &pool->works);
	spin_unlock_irq(&pool->lock);
	if (busy)
		wait_for_completion(&b.done);
	return busy;
}

static bool wq_flush_once(struct workqueue_struct *wq)
{
	bool busy = false;

	for (unsigned int i = 0; i < wq->pools_nr; i++)
		busy |= pool_flush(wq->pool[i]);
	return busy;
}

void __flush_workqueue(struct workqueue_struct *wq)
{
	wq_flush_once(wq);
}

void drain_workqueue(struct workqueue_struct *wq)
{
	while (wq_flush_once(wq))
		;
}

void destroy_workqueue(struct workqueue_struct *wq)
{
	drain_workqueue(wq);
	for (unsigned int i = 0; i < wq->pools_nr; i++)
		pool_stop(wq->pool[i]);
	kfree(wq);
}
