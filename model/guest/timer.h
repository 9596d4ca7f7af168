/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Timers: implements <linux/timer.h>, <linux/jiffies.h>, <linux/delay.h>,
 * <linux/ktime.h> and the timeouts of <linux/sched.h>. Guest code.
 *
 * Each vCPU has a list of timers, sorted by expiry, and a simulated one-shot
 * timer that raises vector IRQ_TIMER. A timer's function runs in interrupt
 * context on the vCPU that armed it, exactly at the jiffy it names (the
 * kernel's timer wheel rounds later ones up). Setting the hardware costs no
 * time.
 */
#ifndef MODEL_GUEST_TIMER_H
#define MODEL_GUEST_TIMER_H

struct vcpu;

/* After task_init: nr_cpu_ids is known. */
void timer_init(void);

/* Forget all timers; their hardware is stopped. */
void timer_fini(void);

/* Handler of vector IRQ_TIMER, interrupts off. */
void timer_interrupt(struct vcpu *vcpu);

#endif
