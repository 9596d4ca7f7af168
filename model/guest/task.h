/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Guest tasks and the scheduler: one queue per vCPU, first come first served,
 * voluntary preemption; a vCPU without a task halts. Implements <linux/sched.h>.
 *
 * The scheduler's own work is the named constants wakeup and context_switch:
 * task.c is not instrumented, and each of its operations takes effect at one
 * point of time, after its charge.
 */
#ifndef MODEL_GUEST_TASK_H
#define MODEL_GUEST_TASK_H

#include <linux/sched.h>

#include "model/hw/vcpu.h"
#include "sim/fiber.h"

#define TASK_STACK_BYTES	(32u * 1024)

/*
 * @ts:      what <linux/sched.h> shows; first, so that `current` converts
 * @fiber:   its stack lies in guest RAM
 * @cpu:     vCPU it runs on; tasks do not migrate
 * @queued:  on its vCPU's run queue, or running
 * @irqs_on: the interrupt flag while it is switched out
 * @mode:    its accounting mode while it is switched out
 */
struct task {
	struct task_struct ts;
	struct fiber fiber;
	struct task *run_next;
	unsigned int cpu;
	bool queued;
	bool irqs_on;
	enum hw_mode mode;
	void (*fn)(void *arg);
	void *arg;
	bool done;
	bool sleep_over;
	struct sim_event sleep;
};

/*
 * A new task on vCPU @cpu that runs @fn(@arg) from its next turn on; waking a
 * halted vCPU costs an IPI as any wake-up does. @fn may return: the task ends.
 * Callable in task context and, before the vCPUs run, at set-up. Never NULL
 * (a guest without memory for a stack is the scenario's error, found at boot).
 */
struct task_struct *task_create(const char *comm, unsigned int cpu,
				void (*fn)(void *arg), void *arg);

/* The running task, or NULL outside a vCPU. In an interrupt: the interrupted one. */
struct task *task_self(void);

/* Prepare @nr vCPUs: their idle tasks' fibers, and vcpu_init. 0 or -ENOMEM. */
struct guest_config;
int task_init(const struct guest_config *config);

/* Let all vCPUs begin at the current time. */
void task_start(void);

/* Release all tasks' stacks. Nothing may run any more. */
void task_fini(void);

/* The vCPU with number @cpu. */
struct vcpu *task_vcpu(unsigned int cpu);

/* vCPU @cpu has something better to do: at its next chance to switch, it does. */
void task_set_need_resched(unsigned int cpu);

/* Sleep for @ps by the high-resolution timer: a timer interrupt ends it. */
void task_sleep(uint64_t ps);

/* From the timer interrupt of vCPU @cpu: wake whose time has come. */
void task_wake_sleepers(unsigned int cpu);

/*
 * If @ts runs on another vCPU: an interrupt sends it into the kernel, and it
 * looks for work on its way out (kick_process).
 */
void task_kick(struct task_struct *ts);

/*
 * Called on the way out of a system call: lets a task that was woken here
 * meanwhile have its turn.
 */
void task_return_to_user(void);

#endif
