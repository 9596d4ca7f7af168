// SPDX-License-Identifier: GPL-2.0-only
#include "tests/guest/machine.h"
#include "tests/guest/sched_test.h"

#include <linux/delay.h>
#include <linux/errno.h>
#include <linux/interrupt.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "model/guest/guest.h"
#include "model/guest/irq.h"
#include "model/guest/task.h"
#include "model/hw/cost.h"

#define ROUNDS_NR	1000
#define DELAY_PS	(4 * SIM_PS_PER_US)

static struct {
	uint64_t seed;
	uint64_t rounds_nr;
	struct task_struct *sleeper;
	int token, taken;
	int turns[2];
	bool reading, entered, stop;
	unsigned int order[4];
	unsigned int order_nr;
	u64 count;
} t;
static spinlock_t lock;

void sched_reset(uint64_t seed)
{
	memset(&t, 0, sizeof(t));
	t.seed = seed;
	spin_lock_init(&lock);
}

uint64_t sched_rounds_nr(void)
{
	return t.rounds_nr;
}

/* A lost wake-up leaves it asleep: the run ends with too few rounds. */
void sched_sleeper(void *unused)
{
	struct sim_random random;

	sim_random_init(&random, t.seed, "sleeper");
	WRITE_ONCE(t.sleeper, current);
	for (int i = 1; i <= ROUNDS_NR; i++) {
		for (;;) {
			set_current_state(TASK_UNINTERRUPTIBLE);
			machine_delay(&random, DELAY_PS);
			if (READ_ONCE(t.token) == i)
				break;
			/* Charged, and not yet passed when it gets there. */
			sim_spend(sim_random_below(&random, DELAY_PS));
			schedule();
		}
		__set_current_state(TASK_RUNNING);
		t.rounds_nr++;
		WRITE_ONCE(t.taken, i);
	}
}

/* For at most 1 ms: what hangs shall be noticed. */
static bool wait_for_value(const int *p, int value)
{
	u64 begin = sim_now();

	while (READ_ONCE(*p) != value) {
		if (sim_now() - begin > SIM_PS_PER_MS)
			return false;
		cond_resched();
		cpu_relax();
	}
	return true;
}

void sched_waker(void *unused)
{
	struct sim_random random;

	sim_random_init(&random, t.seed, "waker");
	while (!READ_ONCE(t.sleeper)) {
		cond_resched();
		cpu_relax();
	}
	for (int i = 1; i <= ROUNDS_NR; i++) {
		machine_delay(&random, DELAY_PS);
		WRITE_ONCE(t.token, i);
		wake_up_process(t.sleeper);
		if (!wait_for_value(&t.taken, i))
			return;
	}
}

/* With costs of zero it is exact. */
void sched_exact_sleep(void *ps)
{
	for (int i = 0; i < 10; i++) {
		u64 begin = sim_now();

		task_sleep((unsigned long)ps);
		machine_check(sim_now() == begin + (unsigned long)ps);
	}
}

/* They take turns when they offer to, and lose nothing in between. */
void sched_share(void *rank)
{
	unsigned long me = (unsigned long)rank;

	for (int i = 0; i < 100; i++) {
		u64 local = sim_now() ^ me;

		t.turns[me]++;
		wake_up_process(current);
		task_sleep(SIM_PS_PER_US * (1 + me));
		machine_check(smp_processor_id() == 0);
		machine_check((local ^ me) < sim_now());
	}
}

void sched_share_result(void *unused)
{
	machine_check(t.turns[0] == 100 && t.turns[1] == 100);
}

/* vCPU 1 has nothing to do but this. */
void sched_ipi_sleeper(void *unused)
{
	WRITE_ONCE(t.sleeper, current);
	set_current_state(TASK_UNINTERRUPTIBLE);
	schedule();
	t.rounds_nr = 1;
}

void sched_ipi_waker(void *unused)
{
	struct vcpu *v = task_vcpu(1);
	u64 ipis_nr;

	usleep_range(50, 50);
	machine_check(v->halted);
	ipis_nr = v->stats.ipis_nr;
	machine_check(wake_up_process(t.sleeper) == 1);
	machine_check(wake_up_process(t.sleeper) == 0);
	usleep_range(50, 50);
	machine_check(t.rounds_nr == 1 && v->halted);
	machine_check(v->stats.ipis_nr == ipis_nr + 1);
}

/* Grace periods */

void sched_reader(void *unused)
{
	rcu_read_lock();
	WRITE_ONCE(t.reading, true);
	udelay(700);
	WRITE_ONCE(t.reading, false);
	rcu_read_unlock();
}

void sched_rcu_waiter(void *unused)
{
	u64 begin;

	while (!READ_ONCE(t.reading))
		cpu_relax();
	synchronize_rcu();
	machine_check(!t.reading);
	begin = sim_now();
	synchronize_rcu();
	machine_check(sim_now() - begin < 10 * SIM_PS_PER_US);
}

/* Never sleeps, but comes out of system calls. */
void sched_rcu_user(void *unused)
{
	t.reading = true;
	for (int i = 0; i < 500 && !READ_ONCE(t.stop); i++) {
		udelay(20);
		task_return_to_user();
	}
	machine_check(t.stop);
}

static irqreturn_t reader_irq(int irq, void *dev)
{
	sched_reader(NULL);
	return IRQ_HANDLED;
}

/* The reader is a handler on an idle vCPU. */
void sched_irq_rcu_waiter(void *unused)
{
	int irq = irq_alloc(1);

	machine_check(!request_irq(irq, reader_irq, 0, "reader", NULL));
	usleep_range(50, 50);
	machine_check(task_vcpu(1)->halted);
	vcpu_raise(task_vcpu(1), irq, sim_now() + SIM_PS_PER_US);
	sched_rcu_waiter(NULL);
}

void sched_irq_reader(void *unused)
{
	while (!READ_ONCE(t.reading))
		cpu_relax();
	synchronize_rcu();
	WRITE_ONCE(t.stop, true);
	t.rounds_nr = 1;
}

void sched_sleep_locked(void *unused)
{
	spin_lock(&lock);
	task_sleep(SIM_PS_PER_US);
	spin_unlock(&lock);
}

/* Locks */

void lock_fair_holder(void *unused)
{
	spin_lock(&lock);
	udelay(100);
	spin_unlock(&lock);
}

void lock_fair_waiter(void *rank)
{
	unsigned long me = (unsigned long)rank;

	udelay(10 * me);
	spin_lock(&lock);
	t.order[t.order_nr++] = me;
	udelay(5);
	spin_unlock(&lock);
}

static const struct guest_lock_info *lock_info(void)
{
	static struct guest_lock_info info;

	for (u32 i = 0; guest_lock_info(i, &info); i++)
		if (!strcmp(info.name, "&lock"))
			return &info;
	return NULL;
}

/* Waits are 90, 80 + 5 and 70 + 10 us, and a little. */
void lock_fair_result(void *unused)
{
	const struct sim_lock_stats *stats;

	usleep_range(200, 200);
	stats = lock_info()->stats;
	machine_check(t.order[0] == 1 && t.order[1] == 2 && t.order[2] == 3);
	machine_check(stats->acquired_nr == 4 && stats->contended_nr == 3);
	machine_check(stats->queue_max_nr == 3);
	machine_check(stats->hold_max_ps >= 100 * SIM_PS_PER_US &&
		      stats->hold_max_ps < 101 * SIM_PS_PER_US);
	machine_check(stats->wait_ps >= 255 * SIM_PS_PER_US &&
		      stats->wait_ps < 262 * SIM_PS_PER_US);
	machine_check(!spin_is_locked(&lock));
}

void lock_count(void *unused)
{
	for (int i = 0; i < ROUNDS_NR; i++) {
		u64 count;

		spin_lock(&lock);
		count = READ_ONCE(t.count);
		udelay(1);
		WRITE_ONCE(t.count, count + 1);
		spin_unlock(&lock);
	}
	t.rounds_nr = t.count;
}

void lock_exits(void *unused)
{
	struct vcpu *v = task_vcpu(0);

	for (int i = 0; i < 6; i++) {
		if (i % 2)
			spin_lock(&lock);
		vcpu_exit(i < 3 ? VCPU_EXIT_KERNEL : VCPU_EXIT_USER, 1000);
		vcpu_enter(1000);
		if (i % 2)
			spin_unlock(&lock);
	}
	machine_check(lock_info()->exits_nr == 3);
	machine_check(v->stats.exits_kernel_nr == 3 &&
		      v->stats.exits_user_nr == 3 &&
		      v->stats.exits_locked_nr == 3);
	machine_check(!v->locks_nr);
}

void lock_recursive(void *unused)
{
	spin_lock(&lock);
	machine_check(!spin_trylock(&lock));
	spin_lock(&lock);
	machine_check(!"went on");
}

void lock_foreign_release(void *unused)
{
	spin_unlock(&lock);
}

void lock_unset(void *unused)
{
	static spinlock_t never;

	memset(&never, 0x5a, sizeof(never));
	spin_lock(&never);
	spin_unlock(&never);
}

/* Interrupts */

static struct {
	int irq, other;
	unsigned int handled_nr, nested_nr, softirqs_nr;
	bool in_handler;
	const char *stack;
} irqt;

static irqreturn_t counting_irq(int irq, void *dev)
{
	char on_stack;

	machine_check(in_interrupt() && irqs_disabled());
	machine_check(dev == &irqt);
	irqt.stack = &on_stack;
	irqt.handled_nr++;
	irqt.in_handler = true;
	udelay(20);
	irqt.in_handler = false;
	return IRQ_HANDLED;
}

static void raise_here(int irq)
{
	vcpu_raise(task_vcpu(smp_processor_id()), irq,
		   sim_now() + SIM_PS_PER_US);
}

void irq_basics(void *unused)
{
	char on_stack;
	unsigned long flags;

	memset(&irqt, 0, sizeof(irqt));
	irqt.irq = irq_alloc(0);
	machine_check(!request_irq(irqt.irq, counting_irq, 0, "a", &irqt));
	machine_check(in_task() && !irqs_disabled());
	raise_here(irqt.irq);
	udelay(5);
	machine_check(irqt.handled_nr == 1 && !irqt.in_handler);
	/* Far from this task's stack. */
	machine_check(abs(irqt.stack - &on_stack) > (long)TASK_STACK_BYTES / 2);
	local_irq_save(flags);
	raise_here(irqt.irq);
	udelay(5);
	machine_check(irqt.handled_nr == 1 && irqs_disabled());
	local_irq_restore(flags);
	machine_check(irqt.handled_nr == 2 && !irqs_disabled());
	free_irq(irqt.irq, &irqt);
	irq_free(irqt.irq);
}

static irqreturn_t other_irq(int irq, void *dev)
{
	irqt.nested_nr++;
	return IRQ_HANDLED;
}

static void softirq(void)
{
	machine_check(in_interrupt() && !irqs_disabled());
	machine_check(!irqt.in_handler);
	irqt.softirqs_nr++;
	raise_here(irqt.other);
	udelay(20);
	machine_check(irqt.nested_nr == irqt.softirqs_nr);
}

static irqreturn_t softirq_irq(int irq, void *dev)
{
	irqt.in_handler = true;
	irq_raise_softirq(softirq);
	udelay(5);
	machine_check(!irqt.softirqs_nr || irqt.handled_nr);
	irqt.handled_nr++;
	irqt.in_handler = false;
	return IRQ_HANDLED;
}

void irq_softirq(void *unused)
{
	memset(&irqt, 0, sizeof(irqt));
	irqt.irq = irq_alloc(0);
	irqt.other = irq_alloc(0);
	machine_check(!request_irq(irqt.irq, softirq_irq, 0, "a", &irqt));
	machine_check(!request_irq(irqt.other, other_irq, 0, "b", &irqt));
	for (unsigned int i = 1; i < 4; i++) {
		raise_here(irqt.irq);
		udelay(5);
		machine_check(irqt.handled_nr == i && irqt.softirqs_nr == i &&
			      irqt.nested_nr == i);
		machine_check(in_task());
	}
}

void irq_synchronize(void *unused)
{
	memset(&irqt, 0, sizeof(irqt));
	irqt.irq = irq_alloc(1);
	machine_check(!request_irq(irqt.irq, counting_irq, 0, "a", &irqt));
	for (unsigned int i = 1; i < 4; i++) {
		vcpu_raise(task_vcpu(1), irqt.irq, sim_now() + SIM_PS_PER_US);
		while (READ_ONCE(irqt.handled_nr) != i)
			cpu_relax();
		machine_check(irqt.in_handler);
		if (i < 3)
			synchronize_irq(irqt.irq);
		else
			free_irq(irqt.irq, &irqt);
		machine_check(!irqt.in_handler);
	}
}

static struct irq_call calls[4];

static void call_note(struct irq_call *call)
{
	machine_check(in_interrupt() && smp_processor_id() == 1);
	t.order[t.order_nr++] = call - calls;
}

void irq_calls_in_order(void *unused)
{
	u64 ipis_nr;

	usleep_range(50, 50);
	ipis_nr = task_vcpu(1)->stats.ipis_nr;
	for (int i = 0; i < 4; i++) {
		calls[i].fn = call_note;
		irq_call_cpu(1, &calls[i]);
	}
	udelay(200);
	machine_check(t.order_nr == 4);
	for (unsigned int i = 0; i < 4; i++)
		machine_check(t.order[i] == i);
	machine_check(task_vcpu(1)->stats.ipis_nr == ipis_nr + 1);
}

void irq_refusals(void *unused)
{
	int irq = irq_alloc(0), last = 0;

	machine_check(request_irq(irq + 1, counting_irq, 0, "a", NULL) ==
		      -EINVAL);
	machine_check(request_irq(5000, counting_irq, 0, "a", NULL) ==
		      -EINVAL);
	machine_check(!request_irq(irq, counting_irq, 0, "a", NULL));
	machine_check(request_irq(irq, counting_irq, 0, "a", NULL) == -EBUSY);
	while (last >= 0)
		last = irq_alloc(0);
	machine_check(last == -ENOSPC);
	free_irq(irq, NULL);
	irq_free(irq);
	machine_check(irq_alloc(1) == irq && irq_cpu(irq) == 1);
}
