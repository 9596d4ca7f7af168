// SPDX-License-Identifier: GPL-2.0-only
#include "tests/guest/calls.h"
#include "tests/guest/machine.h"

#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "model/guest/slab.h"

/* A work with what is known of its runs. */
struct probe {
	struct delayed_work dwork;
	unsigned int runs_nr;
	unsigned int running;
	unsigned int requeue;	/* how often it queues itself again */
	unsigned int cpu;
	unsigned long us;	/* it sleeps */
	unsigned long at;	/* jiffies */
	struct workqueue_struct *wq;
};

static struct probe probe, other;
static struct workqueue_struct *wq;

static void probe_fn(struct work_struct *work)
{
	struct probe *p = container_of(to_delayed_work(work), struct probe,
				       dwork);

	machine_check(__atomic_fetch_add(&p->running, 1, __ATOMIC_SEQ_CST) ==
		      0);
	machine_check(!work_pending(work) || p->requeue > 100);
	p->runs_nr++;
	p->cpu = smp_processor_id();
	p->at = jiffies;
	if (p->us)
		usleep_range(p->us, p->us);
	if (p->requeue) {
		p->requeue--;
		queue_work(p->wq, work);
	}
	__atomic_fetch_sub(&p->running, 1, __ATOMIC_SEQ_CST);
}

static struct work_struct *probe_init(struct probe *p, unsigned long us)
{
	memset(p, 0, sizeof(*p));
	INIT_DELAYED_WORK(&p->dwork, probe_fn);
	p->us = us;
	p->wq = wq;
	return &p->dwork.work;
}

static void work_setup(void)
{
	wq = alloc_workqueue("test-%s", 0, 0, "queue");
	machine_check(wq);
}

void work_refuses_pending(void *unused)
{
	struct work_struct *work;

	work_setup();
	work = probe_init(&probe, 0);
	machine_check(!work_pending(work));
	machine_check(queue_work_on(1, wq, work));
	machine_check(work_pending(work));
	machine_check(!queue_work_on(1, wq, work));
	machine_check(!queue_work_on(0, wq, work));
	flush_work(work);
	machine_check(!work_pending(work));
	machine_check(probe.runs_nr == 1 && probe.cpu == 1);
	machine_check(!flush_work(work));
	machine_check(schedule_work(work));
	machine_check(flush_work(work));
	machine_check(probe.runs_nr == 2 && probe.cpu == 0);
	destroy_workqueue(wq);
}

void work_requeues_itself(void *unused)
{
	struct work_struct *work;

	work_setup();
	work = probe_init(&probe, 10);
	probe.requeue = 5;
	machine_check(queue_work(wq, work));
	drain_workqueue(wq);
	machine_check(probe.runs_nr == 6);
	destroy_workqueue(wq);
}

void work_flush_waits(void *unused)
{
	struct work_struct *work, *second;

	work_setup();
	work = probe_init(&probe, 500);
	second = probe_init(&other, 500);
	queue_work_on(1, wq, work);
	usleep_range(100, 100);
	machine_check(probe.running == 1);
	/* running, and queued once more: flush waits for both */
	machine_check(queue_work_on(1, wq, work));
	queue_work_on(1, wq, second);
	machine_check(flush_work(work));
	machine_check(probe.runs_nr == 2 && !probe.running);
	machine_check(other.runs_nr == 0 || other.running);
	flush_workqueue(wq);
	machine_check(other.runs_nr == 1 && !other.running);
	destroy_workqueue(wq);
}

void work_cancel(void *unused)
{
	struct work_struct *work, *second;

	work_setup();
	work = probe_init(&probe, 500);
	second = probe_init(&other, 0);
	machine_check(!cancel_work_sync(work));
	queue_work_on(1, wq, work);
	usleep_range(100, 100);
	queue_work_on(1, wq, second);
	machine_check(cancel_work(second));
	machine_check(!cancel_work(second));
	/* running, not pending: waits, and says that it was not pending */
	machine_check(!cancel_work_sync(work));
	machine_check(probe.runs_nr == 1 && !probe.running);
	machine_check(!other.runs_nr);
	machine_check(queue_work_on(1, wq, second));
	flush_work(second);
	machine_check(other.runs_nr == 1);
	destroy_workqueue(wq);
}

void work_cancel_self_requeueing(void *unused)
{
	struct work_struct *work;

	work_setup();
	work = probe_init(&probe, 50);
	probe.requeue = 1000000;
	queue_work_on(1, wq, work);
	usleep_range(1000, 1000);
	machine_check(probe.runs_nr > 5);
	cancel_work_sync(work);
	machine_check(!probe.running && !work_pending(work));
	probe.runs_nr = 0;
	usleep_range(1000, 1000);
	machine_check(!probe.runs_nr);
	destroy_workqueue(wq);
}

/* Queued on another vCPU while it runs, it waits for its first run there. */
void work_never_overlaps(void *unused)
{
	struct work_struct *work;

	work_setup();
	work = probe_init(&probe, 300);
	queue_work_on(1, wq, work);
	usleep_range(100, 100);
	machine_check(probe.running);
	machine_check(queue_work_on(0, wq, work));
	flush_work(work);
	machine_check(probe.runs_nr == 2 && probe.cpu == 1);
	queue_work_on(0, wq, work);
	flush_work(work);
	machine_check(probe.cpu == 0);
	destroy_workqueue(wq);
}

void work_delayed(void *unused)
{
	unsigned long begin = jiffies;

	work_setup();
	probe_init(&probe, 0);
	machine_check(queue_delayed_work_on(1, wq, &probe.dwork, 3));
	machine_check(delayed_work_pending(&probe.dwork));
	machine_check(!queue_delayed_work(wq, &probe.dwork, 1));
	msleep(30);
	machine_check(probe.runs_nr == 1 && probe.at == begin + 3 &&
		      probe.cpu == 1);
	queue_delayed_work(wq, &probe.dwork, 100);
	machine_check(cancel_delayed_work_sync(&probe.dwork));
	machine_check(!delayed_work_pending(&probe.dwork));
	queue_delayed_work(wq, &probe.dwork, 1000);
	begin = jiffies;
	machine_check(flush_delayed_work(&probe.dwork));
	machine_check(probe.runs_nr == 2 && jiffies - begin < 2);
	machine_check(queue_delayed_work(wq, &probe.dwork, 0));
	machine_check(flush_delayed_work(&probe.dwork));
	machine_check(probe.runs_nr == 3);
	destroy_workqueue(wq);
}

void work_mod_delayed(void *unused)
{
	unsigned long begin = jiffies;

	work_setup();
	probe_init(&probe, 0);
	machine_check(!mod_delayed_work_on(0, wq, &probe.dwork, 50));
	machine_check(mod_delayed_work_on(0, wq, &probe.dwork, 2));
	msleep(20);
	machine_check(probe.runs_nr == 1 && probe.at == begin + 2);
	destroy_workqueue(wq);
}

void work_destroy(void *unused)
{
	u64 objects_nr;

	work_setup();
	destroy_workqueue(wq);
	objects_nr = slab_used_nr();
	for (int i = 0; i < 20; i++) {
		work_setup();
		queue_work_on(1, wq, probe_init(&probe, 20));
		destroy_workqueue(wq);
		machine_check(probe.runs_nr == 1);
	}
	/* pools are used again; each new worker is a task, which stays */
	machine_check(slab_used_nr() - objects_nr <= 20 * nr_cpu_ids);
	wq = alloc_ordered_workqueue("ordered", 0);
	queue_work_on(1, wq, probe_init(&probe, 20));
	queue_work_on(0, wq, probe_init(&other, 20));
	drain_workqueue(wq);
	machine_check(probe.cpu == 0 && other.cpu == 0);
	machine_check(probe.runs_nr + other.runs_nr == 2);
	destroy_workqueue(wq);
}

/* Any vCPU queues, flushes and cancels any of these at any time. */
static struct probe crowd[6];
static unsigned int stress_queued_nr, stress_cancelled_nr;

static void stress_one(struct sim_random *random)
{
	struct probe *p = &crowd[sim_random_below(random, 6)];
	struct work_struct *work = &p->dwork.work;
	int cpu = sim_random_below(random, 4);
	unsigned int queued = 0, cancelled = 0;

	switch (sim_random_below(random, 6)) {
	case 0:
	case 1:
		queued = queue_work_on(cpu, wq, work);
		break;
	case 2:
		queued = queue_delayed_work_on(cpu, wq, &p->dwork,
					       sim_random_below(random, 2));
		break;
	case 3:
		flush_work(work);
		break;
	case 4:
		cancelled = cancel_delayed_work(&p->dwork);
		break;
	default:
		cancelled = cancel_delayed_work_sync(&p->dwork);
	}
	__atomic_fetch_add(&stress_queued_nr, queued, __ATOMIC_RELAXED);
	__atomic_fetch_add(&stress_cancelled_nr, cancelled, __ATOMIC_RELAXED);
}

void work_stress(void *rank)
{
	struct sim_random random;

	if (!rank) {
		work_setup();
		stress_queued_nr = stress_cancelled_nr = 0;
		for (int i = 0; i < 6; i++)
			probe_init(&crowd[i], i & 1 ? 20 : 0);
	} else {
		usleep_range(100, 100);
	}
	sim_random_init(&random, (unsigned long)rank, "stress");
	for (int i = 0; i < 300; i++) {
		stress_one(&random);
		machine_delay(&random, 20 * SIM_PS_PER_US);
	}
}

/* Each accepted work has run once or was cancelled. */
void work_stress_end(void *unused)
{
	unsigned int runs_nr = 0;

	msleep(20);
	drain_workqueue(wq);
	for (int i = 0; i < 6; i++) {
		machine_check(!work_pending(&crowd[i].dwork.work));
		runs_nr += crowd[i].runs_nr;
	}
	machine_check(stress_queued_nr > 300);
	machine_check(runs_nr + stress_cancelled_nr == stress_queued_nr);
	destroy_workqueue(wq);
}
