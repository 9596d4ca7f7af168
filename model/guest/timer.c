// SPDX-License-Identifier: GPL-2.0-only
#include "sim/sim.h"

#include "model/guest/task.h"

#include <linux/cache.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/timer.h>

#include "model/guest/irq.h"
#include "model/guest/timer.h"
#include "model/guest/verdict.h"

#define TIMER_TICK_PS	(SIM_PS_PER_S / HZ)
/* Later than this is not programmed: 53 days. */
#define TIMER_FAR	(1L << 30)

/* timer_list.flags below the kernel's flags: whose list, and "between lists" */
#define TIMER_CPU_MASK	0x0003ffffu
#define TIMER_MIGRATING	0x00040000u

/* A task that sleeps for less than a jiffy. On its stack. */
struct timer_sleeper {
	struct list_head entry;
	struct task_struct *task;
	u64 at_ps;
	bool done;
};

/*
 * @timers:   sorted by expires, equal ones in the order they were armed
 * @running:  timer whose function runs
 * @sleepers: sorted by at_ps
 * @event:    the hardware, posted for the earliest of both
 */
struct timer_base {
	spinlock_t lock;
	struct hlist_head timers;
	struct timer_list *running;
	struct list_head sleepers;
	struct sim_event event;
	u64 event_ps;
} ____cacheline_aligned;

static struct timer_base timer_bases[VCPU_MAX];

unsigned long __guest_jiffies(void)
{
	return sim_now() / TIMER_TICK_PS;
}

ktime_t ktime_get(void)
{
	return sim_now() / SIM_PS_PER_NS;
}

static void timer_fire(struct sim_event *event)
{
	struct timer_base *base = container_of(event, struct timer_base, event);

	vcpu_raise(task_vcpu(base - timer_bases), IRQ_TIMER, sim_now());
}

void timer_init(void)
{
	for (unsigned int i = 0; i < VCPU_MAX; i++) {
		struct timer_base *base = &timer_bases[i];

		memset(base, 0, sizeof(*base));
		INIT_LIST_HEAD(&base->sleepers);
		spin_lock_init(&base->lock);
		sim_event_init(&base->event, timer_fire);
	}
}

void timer_fini(void)
{
	for (unsigned int i = 0; i < VCPU_MAX; i++)
		sim_event_cancel(&timer_bases[i].event);
}

static struct timer_list *timer_first(struct timer_base *base)
{
	return hlist_empty(&base->timers) ? NULL :
	       hlist_entry(base->timers.first, struct timer_list, entry);
}

/* When @expires is, in simulated time; SIM_NEVER_PS if it is too far away. */
static u64 timer_ps(unsigned long expires)
{
	u64 now = jiffies;
	long delta = expires - now;

	if (delta <= 0)
		return sim_now();
	return delta > TIMER_FAR ? SIM_NEVER_PS : (now + delta) * TIMER_TICK_PS;
}

/* Called with the base's lock held, after each change of a list's head. */
static void timer_program(struct timer_base *base)
{
	struct timer_list *timer = timer_first(base);
	struct timer_sleeper *sleeper = list_first_entry_or_null(
		&base->sleepers, struct timer_sleeper, entry);
	u64 at_ps = timer ? timer_ps(timer->expires) : SIM_NEVER_PS;

	if (sleeper)
		at_ps = min(at_ps, sleeper->at_ps);
	sim_sync();
	if (sim_event_pending(&base->event)) {
		if (base->event_ps == at_ps)
			return;
		sim_event_cancel(&base->event);
	}
	base->event_ps = at_ps;
	if (at_ps != SIM_NEVER_PS)
		sim_event_post(&base->event, max(at_ps, (u64)sim_now()));
}

/* The list @timer belongs to, locked. */
static struct timer_base *timer_lock(struct timer_list *timer,
				     unsigned long *flags)
{
	for (;;) {
		u32 seen = READ_ONCE(timer->flags);
		struct timer_base *base =
			&timer_bases[seen & TIMER_CPU_MASK];

		if (!(seen & TIMER_MIGRATING)) {
			spin_lock_irqsave(&base->lock, *flags);
			if (READ_ONCE(timer->flags) == seen)
				return base;
			spin_unlock_irqrestore(&base->lock, *flags);
		}
		cpu_relax();
	}
}

static void timer_insert(struct timer_base *base, struct timer_list *timer)
{
	struct hlist_node **at = &base->timers.first;

	while (*at && !time_after(hlist_entry(*at, struct timer_list,
					      entry)->expires, timer->expires))
		at = &(*at)->next;
	timer->entry.next = *at;
	timer->entry.pprev = at;
	if (*at)
		(*at)->pprev = &timer->entry.next;
	*at = &timer->entry;
}

/* Is it the first of its list whose removal or change must be programmed? */
static bool timer_detach(struct timer_base *base, struct timer_list *timer)
{
	bool first = timer_first(base) == timer;

	hlist_del_init(&timer->entry);
	return first;
}

void timer_setup(struct timer_list *timer,
		 void (*function)(struct timer_list *), unsigned int flags)
{
	INIT_HLIST_NODE(&timer->entry);
	timer->function = function;
	timer->flags = (flags & ~(TIMER_CPU_MASK | TIMER_MIGRATING)) |
		       smp_processor_id();
}

/*
 * Locked and detached, on the list of this vCPU; but a timer whose function
 * runs stays where it is, so that timer_delete_sync finds it.
 */
static struct timer_base *timer_move(struct timer_base *base,
				     struct timer_list *timer)
{
	struct timer_base *here = &timer_bases[smp_processor_id()];
	u32 others = timer->flags & ~TIMER_CPU_MASK;

	if (here == base || base->running == timer)
		return base;
	WRITE_ONCE(timer->flags, timer->flags | TIMER_MIGRATING);
	spin_unlock(&base->lock);
	spin_lock(&here->lock);
	WRITE_ONCE(timer->flags, others | (u32)(here - timer_bases));
	return here;
}

int mod_timer(struct timer_list *timer, unsigned long expires)
{
	unsigned long flags;
	struct timer_base *base = timer_lock(timer, &flags);
	bool pending = timer_pending(timer);

	if (pending && timer->expires == expires) {
		spin_unlock_irqrestore(&base->lock, flags);
		return 1;
	}
	if (pending && timer_detach(base, timer))
		timer_program(base);
	base = timer_move(base, timer);
	timer->expires = expires;
	timer_insert(base, timer);
	if (timer_first(base) == timer)
		timer_program(base);
	spin_unlock_irqrestore(&base->lock, flags);
	return pending;
}

void add_timer(struct timer_list *timer)
{
	if (WARN_ON(timer_pending(timer)))
		return;
	mod_timer(timer, timer->expires);
}

int timer_delete(struct timer_list *timer)
{
	unsigned long flags;
	struct timer_base *base;
	bool pending;

	if (!timer_pending(timer))
		return 0;
	base = timer_lock(timer, &flags);
	pending = timer_pending(timer);
	if (pending && timer_detach(base, timer))
		timer_program(base);
	spin_unlock_irqrestore(&base->lock, flags);
	return pending;
}

int timer_delete_sync(struct timer_list *timer)
{
	for (;;) {
		unsigned long flags;
		struct timer_base *base = timer_lock(timer, &flags);
		bool running = base->running == timer;
		bool pending = timer_pending(timer);

		if (!running && pending && timer_detach(base, timer))
			timer_program(base);
		spin_unlock_irqrestore(&base->lock, flags);
		if (!running)
			return pending;
		if (WARN_ON(in_interrupt()))
			return 0;
		cpu_relax();
	}
}

/* Called with the lock held and interrupts off; both are so on return. */
static void timer_run(struct timer_base *base, struct timer_list *timer)
{
	hlist_del_init(&timer->entry);
	base->running = timer;
	spin_unlock(&base->lock);
	timer->function(timer);
	spin_lock(&base->lock);
	base->running = NULL;
}

static void timer_wake_sleepers(struct timer_base *base)
{
	struct timer_sleeper *s, *next;

	list_for_each_entry_safe(s, next, &base->sleepers, entry) {
		struct task_struct *task = s->task;

		if (s->at_ps > sim_now())
			break;
		list_del(&s->entry);
		WRITE_ONCE(s->done, true);
		wake_up_process(task);
	}
}

void timer_interrupt(struct vcpu *vcpu)
{
	struct timer_base *base = &timer_bases[vcpu->id];
	struct timer_list *timer;

	spin_lock(&base->lock);
	timer_wake_sleepers(base);
	while ((timer = timer_first(base)) &&
	       time_before_eq(timer->expires, jiffies))
		timer_run(base, timer);
	timer_program(base);
	spin_unlock(&base->lock);
}

struct timer_timeout {
	struct timer_list timer;
	struct task_struct *task;
};

static void timer_timeout_fn(struct timer_list *timer)
{
	struct timer_timeout *t = from_timer(t, timer, timer);

	wake_up_process(t->task);
}

long schedule_timeout(long timeout_jiffies)
{
	struct timer_timeout t = { .task = current };
	unsigned long end = jiffies + timeout_jiffies;
	long left;

	if (timeout_jiffies == MAX_SCHEDULE_TIMEOUT) {
		schedule();
		return timeout_jiffies;
	}
	if (WARN_ON(timeout_jiffies < 0)) {
		__set_current_state(TASK_RUNNING);
		return 0;
	}
	timer_setup(&t.timer, timer_timeout_fn, 0);
	mod_timer(&t.timer, end);
	schedule();
	timer_delete_sync(&t.timer);
	left = end - jiffies;
	return left < 0 ? 0 : left;
}

long io_schedule_timeout(long timeout_jiffies)
{
	return schedule_timeout(timeout_jiffies);
}

static void timer_sleep_add(struct timer_base *base, struct timer_sleeper *s)
{
	struct timer_sleeper *at;

	list_for_each_entry(at, &base->sleepers, entry)
		if (at->at_ps > s->at_ps)
			break;
	list_add_tail(&s->entry, &at->entry);
}

static void timer_sleep_until(u64 at_ps)
{
	struct timer_sleeper s = { .task = current, .at_ps = at_ps };
	struct timer_base *base = &timer_bases[smp_processor_id()];

	spin_lock_irq(&base->lock);
	timer_sleep_add(base, &s);
	timer_program(base);
	spin_unlock_irq(&base->lock);
	for (;;) {
		set_current_state(TASK_UNINTERRUPTIBLE);
		if (READ_ONCE(s.done))
			break;
		schedule();
	}
	__set_current_state(TASK_RUNNING);
}

void usleep_range(unsigned long min_us, unsigned long max_us)
{
	if (WARN_ON(in_interrupt() || irqs_disabled())) {
		udelay(min_us);
		return;
	}
	timer_sleep_until(sim_now() + min_us * SIM_PS_PER_US);
}

/* At least @ms: the jiffy that has begun does not count. */
void msleep(unsigned int ms)
{
	long left = msecs_to_jiffies(ms) + 1;

	while (left) {
		set_current_state(TASK_UNINTERRUPTIBLE);
		left = schedule_timeout(left);
	}
}

static void timer_busy(u64 ps)
{
	sim_spend(ps);
	sim_sync();
}

void udelay(unsigned long us)
{
	timer_busy(us * SIM_PS_PER_US);
}

void ndelay(unsigned long ns)
{
	timer_busy(ns * SIM_PS_PER_NS);
}
