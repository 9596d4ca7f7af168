// SPDX-License-Identifier: GPL-2.0-only
#include "model/guest/task.h"

#include <linux/blkdev.h>
#include <linux/gfp.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "model/guest/guest.h"
#include "model/guest/irq.h"
#include "model/guest/verdict.h"
#include "model/hw/cost.h"
#include "sim/assert.h"

/* A task that shares its vCPU gives way after so long, where it may. */
#define TASK_SLICE_PS		(3 * SIM_PS_PER_MS)

/* How often a grace period looks whether it is over, and a pause instruction. */
#define TASK_RCU_POLL_PS	(100 * SIM_PS_PER_US)
#define TASK_RELAX_PS		(50 * SIM_PS_PER_NS)

unsigned int nr_cpu_ids;

/*
 * One per vCPU. @first .. @last: runnable tasks that do not run. @passes_nr:
 * times a task gave the vCPU away, or offered to.
 */
struct run_queue {
	struct task *running;
	struct task *first;
	struct task **last;
	bool need_resched;
	uint64_t since_ps;		/* when @running got its turn */
	uint64_t passes_nr;
	struct task idle;
	char vcpu_name[8];
};

static struct {
	const struct guest_config *config;
	struct run_queue queue[VCPU_MAX];
	struct task *all[4096];		/* for task_fini */
	uint32_t all_nr;
	pid_t last_pid;
} sched;

struct vcpu *task_vcpu(unsigned int cpu)
{
	return &sched.config->vcpu[cpu];
}

struct task *task_self(void)
{
	struct vcpu *v = vcpu_self();

	return v ? sched.queue[v->id].running : NULL;
}

struct task_struct *__guest_current(void)
{
	struct task *t = task_self();

	return t ? &t->ts : NULL;
}

unsigned int __guest_smp_processor_id(void)
{
	struct vcpu *v = vcpu_self();

	return v ? v->id : 0;
}

static void run_queue_push(struct run_queue *rq, struct task *t)
{
	t->run_next = NULL;
	*rq->last = t;
	rq->last = &t->run_next;
	t->queued = true;
}

static struct task *run_queue_pop(struct run_queue *rq)
{
	struct task *t = rq->first;

	if (!t)
		return NULL;
	rq->first = t->run_next;
	if (!rq->first)
		rq->last = &rq->first;
	return t;
}

static void task_main(void *arg)
{
	struct task *t = arg;

	vcpu_irqs_on();
	t->fn(t->arg);
	t->done = true;
	t->ts.__state = TASK_UNINTERRUPTIBLE;
	schedule();
	sim_panic(__FILE__, __LINE__, "an ended task was scheduled");
}

static void task_idle(void *arg)
{
	struct run_queue *rq = arg;

	for (;;) {
		vcpu_irqs_off();
		if (rq->first) {
			vcpu_irqs_on();
			schedule();
		} else {
			vcpu_halt();
		}
	}
}

static int task_set_up(struct task *t, const char *comm, unsigned int cpu,
		       void (*fn)(void *), void *arg)
{
	size_t bytes = fiber_area_bytes(TASK_STACK_BYTES);
	void *area = alloc_pages_exact(bytes, GFP_KERNEL);

	if (!area)
		return -ENOMEM;
	strscpy(t->ts.comm, comm, sizeof(t->ts.comm));
	t->ts.pid = ++sched.last_pid;
	t->cpu = cpu;
	t->mode = HW_GUEST;
	return fiber_init_at(&t->fiber, area, TASK_STACK_BYTES, fn, arg);
}

struct task_struct *task_create(const char *comm, unsigned int cpu,
				void (*fn)(void *arg), void *arg)
{
	struct task *t = kzalloc(sizeof(*t), GFP_KERNEL);

	if (!t || task_set_up(t, comm, cpu, task_main, t))
		sim_panic(__FILE__, __LINE__, "no guest memory for a task");
	sim_assert(sched.all_nr < ARRAY_SIZE(sched.all));
	sched.all[sched.all_nr++] = t;
	t->fn = fn;
	t->arg = arg;
	t->ts.__state = TASK_UNINTERRUPTIBLE;
	wake_up_process(&t->ts);
	return &t->ts;
}

int task_init(const struct guest_config *config)
{
	int err;

	memset(&sched, 0, sizeof(sched));
	sched.config = config;
	nr_cpu_ids = config->vcpus_nr;
	for (unsigned int i = 0; i < config->vcpus_nr; i++) {
		struct run_queue *rq = &sched.queue[i];
		char name[TASK_COMM_LEN];

		rq->last = &rq->first;
		rq->running = &rq->idle;
		rq->idle.queued = true;
		snprintf(name, sizeof(name), "idle/%u", i);
		err = task_set_up(&rq->idle, name, i, task_idle, rq);
		if (err)
			return err;
		snprintf(rq->vcpu_name, sizeof(rq->vcpu_name), "vcpu%u", i);
		vcpu_init(&config->vcpu[i], i, rq->vcpu_name, config->topo,
			  config->pcpu[i], &rq->idle.fiber, irq_handle);
		if (config->cpus)
			hcpu_add(config->cpus, &config->vcpu[i].thread);
	}
	return 0;
}

void task_start(void)
{
	for (unsigned int i = 0; i < nr_cpu_ids; i++)
		vcpu_start(task_vcpu(i), sim_now());
}

void task_fini(void)
{
	for (unsigned int i = 0; i < nr_cpu_ids; i++)
		fiber_fini(&sched.queue[i].idle.fiber);
	while (sched.all_nr)
		fiber_fini(&sched.all[--sched.all_nr]->fiber);
}

void task_set_need_resched(unsigned int cpu)
{
	sched.queue[cpu].need_resched = true;
}

/* The vCPU that sleeps for lack of tasks needs an interrupt to look again. */
static void task_prod(unsigned int cpu)
{
	struct run_queue *rq = &sched.queue[cpu];
	struct vcpu *self = vcpu_self();

	rq->need_resched = true;
	if (!self || self->id == cpu || rq->running != &rq->idle)
		return;
	vcpu_send_ipi(task_vcpu(cpu), IRQ_IPI_RESCHEDULE);
}

int wake_up_process(struct task_struct *ts)
{
	struct task *t = (struct task *)ts;

	if (sim.actor)
		hw_spend(wakeup);
	sim_sync();
	/* A task may have seen what it waited for and ended before it is woken. */
	if (ts->__state == TASK_RUNNING || t->done)
		return 0;
	ts->__state = TASK_RUNNING;
	if (t->queued)
		return 1;
	run_queue_push(&sched.queue[t->cpu], t);
	task_prod(t->cpu);
	return 1;
}

/* Runs on the old fiber until the switch, then whenever it is switched back to. */
static void task_switch(struct run_queue *rq, struct task *from,
			struct task *to)
{
	struct vcpu *v = vcpu_self();

	hw_spend(context_switch);
	from->irqs_on = v->irqs_on;
	from->mode = v->thread.mode;
	rq->running = to;
	v->irqs_on = to->irqs_on;
	hw_mode_enter(to->mode);
	sim_switch_fiber(&to->fiber);
}

static void task_check_may_sleep(struct vcpu *v, struct task *t)
{
	if (t->ts.__state != TASK_RUNNING && v->locks_nr)
		guest_verdict("a task sleeps with a spinlock held", t->ts.pid);
}

/*
 * Whether to sleep, and taking the task off the queue, happen at one point of
 * time, so no wake-up falls in between.
 */
void schedule(void)
{
	struct task *self = task_self();
	struct run_queue *rq = &sched.queue[self->cpu];
	struct task *next;
	bool irqs_on;

	if (self->ts.__state != TASK_RUNNING && self->ts.plug)
		blk_flush_plug(self->ts.plug, true);
	task_check_may_sleep(vcpu_self(), self);
	irqs_on = vcpu_self()->irqs_on;
	vcpu_irqs_off();
	rq->need_resched = false;
	rq->since_ps = sim_now();
	rq->passes_nr++;
	self->queued = false;
	if (self->ts.__state == TASK_RUNNING && self != &rq->idle)
		run_queue_push(rq, self);
	next = run_queue_pop(rq);
	if (!next)
		next = &rq->idle;
	next->queued = true;
	if (next != self)
		task_switch(rq, self, next);
	if (irqs_on)
		vcpu_irqs_on();
}

void io_schedule(void)
{
	schedule();
}

void __guest_set_current_state(unsigned int state)
{
	hw_spend(barrier);
	sim_sync();
	task_self()->ts.__state = state;
}

bool __guest_need_resched(void)
{
	struct run_queue *rq = &sched.queue[__guest_smp_processor_id()];

	return rq->first && (rq->need_resched ||
			     sim_now() - rq->since_ps > TASK_SLICE_PS);
}

/* Who offers to give the vCPU away holds nothing that a grace period guards. */
int __guest_cond_resched(void)
{
	sim_sync();
	sched.queue[__guest_smp_processor_id()].passes_nr++;
	if (!__guest_need_resched())
		return 0;
	schedule();
	return 1;
}

void task_return_to_user(void)
{
	__guest_cond_resched();
}

void task_kick(struct task_struct *ts)
{
	struct task *t = (struct task *)ts;

	sim_sync();
	if (t->cpu != __guest_smp_processor_id() &&
	    sched.queue[t->cpu].running == t)
		vcpu_send_ipi(task_vcpu(t->cpu), IRQ_IPI_RESCHEDULE);
}

/* Runs as an event when the sleep is over; the vCPU hears of it by its timer. */
static void task_sleep_over(struct sim_event *ev)
{
	struct task *t = (struct task *)((char *)ev -
					 offsetof(struct task, sleep));

	t->sleep_over = true;
	vcpu_raise(task_vcpu(t->cpu), IRQ_SLEEP, sim_now());
}

void task_wake_sleepers(unsigned int cpu)
{
	for (uint32_t i = 0; i < sched.all_nr; i++) {
		struct task *t = sched.all[i];

		if (t->cpu != cpu || !t->sleep_over)
			continue;
		t->sleep_over = false;
		wake_up_process(&t->ts);
	}
}

void task_sleep(uint64_t ps)
{
	struct task *t = task_self();

	sim_sync();
	t->ts.__state = TASK_UNINTERRUPTIBLE;
	sim_event_init(&t->sleep, task_sleep_over);
	sim_event_post(&t->sleep, sim_now() + ps);
	schedule();
}

static bool task_cpu_was_quiescent(unsigned int cpu, uint64_t passes_nr)
{
	struct run_queue *rq = &sched.queue[cpu];

	if (rq->passes_nr != passes_nr)
		return true;
	return rq->running == &rq->idle && !irq_cpu_is_in_interrupt(cpu);
}

/*
 * Readers neither sleep nor are preempted: once every other CPU has switched
 * tasks, offered to (on its way to user space, for instance), or was idle
 * outside of handlers, all that had begun have ended.
 */
void synchronize_rcu(void)
{
	uint64_t before[VCPU_MAX];

	sim_sync();
	for (unsigned int i = 0; i < nr_cpu_ids; i++)
		before[i] = sched.queue[i].passes_nr;
	for (unsigned int i = 0; i < nr_cpu_ids; i++) {
		if (i == __guest_smp_processor_id())
			continue;
		while (!task_cpu_was_quiescent(i, before[i]))
			task_sleep(TASK_RCU_POLL_PS);
	}
}

void __guest_cpu_relax(void)
{
	sim_spend(TASK_RELAX_PS);
	sim_sync();
}
