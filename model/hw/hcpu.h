/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CPUs of the host that threads share: vCPUs and host threads, of which more
 * may want to run than there are CPUs. Then one is taken off its CPU in the
 * middle of whatever it does, also with a guest spinlock held.
 *
 * The scheduler is Linux's CFS of that time, simplified: all threads weigh the same;
 * each has a virtual run time; who waits with the least runs next. A thread is
 * preempted when its slice is over and another waits with less, or by one that wakes
 * up so much behind that it should not wait. A thread may run on each CPU: a
 * free one is never left free while somebody waits. Tunables are the defaults of
 * kernel/sched/fair.c, scaled by 1 + log2 of the CPUs, 8 at most.
 *
 * A thread that spins for a guest spinlock keeps its CPU (there is no pause-loop
 * exiting); one that halts, sleeps, or waits for a host mutex gives it away.
 * Time without a CPU is HW_STEAL.
 */
#ifndef MODEL_HW_HCPU_H
#define MODEL_HW_HCPU_H

#include <stdbool.h>
#include <stdint.h>

#include "model/hw/thread.h"

#define HCPU_THREADS_MAX	128u

struct hcpu_set;

/* @slice: the time to look whether another should run, while somebody waits */
struct hcpu {
	struct sim_event slice;		/* first: converted by a cast */
	struct hcpu_set *set;
	uint32_t pcpu;
	struct hw_thread *running;
};

/*
 * @waiting: want a CPU and have none
 * @min_vruntime_ps: of those that run or wait; never goes back
 * @preempted_nr: threads that were taken off their CPU
 * @preempted_locked_nr: of these, vCPUs that held a guest spinlock
 */
struct hcpu_set {
	const struct hw_topology *topo;
	struct hcpu cpu[HW_PCPU_MAX];
	uint32_t cpus_nr;
	struct hw_thread *waiting[HCPU_THREADS_MAX];
	uint32_t waiting_nr;
	uint64_t min_vruntime_ps;
	uint64_t latency_ps;
	uint64_t min_granularity_ps;
	uint64_t wakeup_granularity_ps;
	uint64_t preempted_nr;
	uint64_t preempted_locked_nr;
};

/*
 * The CPUs of @mask, at least one, all of @topo. @set and @topo must outlive the
 * threads.
 */
void hcpu_init(struct hcpu_set *set, const struct hw_topology *topo,
	       uint64_t mask);

/*
 * @t shares @set, instead of having a CPU of its own. After hw_thread_init, before
 * it is started.
 */
void hcpu_add(struct hcpu_set *set, struct hw_thread *t);

/* For who starts threads: @t has just been queued. Nothing for one that shares none. */
void hcpu_started(struct hw_thread *t);

/*
 * The running thread is about to park for want of something to do, at its turn.
 * After it has been woken, and before it goes on, hcpu_unblock waits for a CPU:
 * parks. Both do nothing for a thread that shares none.
 */
void hcpu_block(void);
void hcpu_unblock(void);

/* Forget the counts so far (end of the ramp). */
void hcpu_reset_stats(struct hcpu_set *set);

#endif
