/* SPDX-License-Identifier: GPL-2.0-only */
/* Work that runs later in process context. */
#ifndef PORT_LINUX_WORKQUEUE_H
#define PORT_LINUX_WORKQUEUE_H

#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/threads.h>
#include <linux/timer.h>

struct workqueue_struct;
struct work_struct;
typedef void (*work_func_t)(struct work_struct *work);

/* data: the low bits are the kernel's flags; bit 0 is "pending" */
struct work_struct {
	atomic_long_t data;
	struct list_head entry;
	work_func_t func;
};

struct delayed_work {
	struct work_struct work;
	struct timer_list timer;
	struct workqueue_struct *wq;
	int cpu;
};

_Static_assert(sizeof(struct work_struct) == 32, "work_struct");
_Static_assert(sizeof(struct delayed_work) == 88, "delayed_work");

#define WORK_STRUCT_PENDING_BIT	0
#define WORK_CPU_UNBOUND	NR_CPUS
#define WORK_DATA_INIT()	ATOMIC_LONG_INIT(0x7fffffffL << 32)

enum wq_flags {
	WQ_UNBOUND		= 1 << 1,
	WQ_FREEZABLE		= 1 << 2,
	WQ_MEM_RECLAIM		= 1 << 3,
	WQ_HIGHPRI		= 1 << 4,
	WQ_CPU_INTENSIVE	= 1 << 5,
	WQ_SYSFS		= 1 << 6,
};

#define __WORK_INITIALIZER(n, f) { \
	.data = WORK_DATA_INIT(), \
	.entry = LIST_HEAD_INIT((n).entry), \
	.func = (f), \
}
#define DECLARE_WORK(n, f) struct work_struct n = __WORK_INITIALIZER(n, f)

#define INIT_WORK(work, function) \
do { \
	(work)->data = (atomic_long_t)WORK_DATA_INIT(); \
	INIT_LIST_HEAD(&(work)->entry); \
	(work)->func = (function); \
} while (0)
#define INIT_DELAYED_WORK(dwork, function) \
do { \
	INIT_WORK(&(dwork)->work, function); \
	timer_setup(&(dwork)->timer, delayed_work_timer_fn, TIMER_IRQSAFE); \
} while (0)

void delayed_work_timer_fn(struct timer_list *timer);

#define to_delayed_work(w) container_of(w, struct delayed_work, work)
#define work_pending(w) \
	test_bit(WORK_STRUCT_PENDING_BIT, (unsigned long *)&(w)->data)
#define delayed_work_pending(w) work_pending(&(w)->work)

extern struct workqueue_struct *system_wq;

/* max_active 0: the default */
__printf(1, 4)
struct workqueue_struct *alloc_workqueue(const char *fmt, unsigned int flags,
					 int max_active, ...);
#define alloc_ordered_workqueue(fmt, flags, args...) \
	alloc_workqueue(fmt, WQ_UNBOUND | (flags), 1, ##args)
void destroy_workqueue(struct workqueue_struct *wq);

/* false: it was pending already */
bool queue_work_on(int cpu, struct workqueue_struct *wq,
		   struct work_struct *work);
bool queue_delayed_work_on(int cpu, struct workqueue_struct *wq,
			   struct delayed_work *dwork, unsigned long delay);
bool mod_delayed_work_on(int cpu, struct workqueue_struct *wq,
			 struct delayed_work *dwork, unsigned long delay);
/* may park */
bool flush_work(struct work_struct *work);
bool cancel_work_sync(struct work_struct *work);
bool cancel_work(struct work_struct *work);
bool flush_delayed_work(struct delayed_work *dwork);
bool cancel_delayed_work(struct delayed_work *dwork);
bool cancel_delayed_work_sync(struct delayed_work *dwork);
void __flush_workqueue(struct workqueue_struct *wq);
void drain_workqueue(struct workqueue_struct *wq);
#define flush_workqueue(wq) __flush_workqueue(wq)

static inline bool queue_work(struct workqueue_struct *wq,
			      struct work_struct *work)
{
	return queue_work_on(WORK_CPU_UNBOUND, wq, work);
}

static inline bool queue_delayed_work(struct workqueue_struct *wq,
				      struct delayed_work *dwork,
				      unsigned long delay)
{
	return queue_delayed_work_on(WORK_CPU_UNBOUND, wq, dwork, delay);
}

static inline bool schedule_work(struct work_struct *work)
{
	return queue_work(system_wq, work);
}

#endif /* PORT_LINUX_WORKQUEUE_H */
