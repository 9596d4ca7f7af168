/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A virtual CPU: a thread with interrupts, HLT, and world switches.
 *
 * An interrupt is taken at the exact time it arrives: charged but not yet used
 * time is rewound, the handler runs on the interrupted fiber's stack, the rest is charged
 * again. With interrupts off, or while the vCPU is in the host, it stays
 * pending until they are on and the guest runs.
 */
#ifndef MODEL_HW_VCPU_H
#define MODEL_HW_VCPU_H

#include <stdbool.h>
#include <stdint.h>

#include "model/hw/thread.h"

#define VCPU_VECTORS_NR	256u
#define VCPU_MAX	32u
/* Vectors from here on are the guest's inter-processor interrupts. */
#define VCPU_IPI_FIRST	0xf0u

struct vcpu_stats {
	uint64_t irqs_nr;		/* device interrupts taken */
	uint64_t ipis_nr;		/* inter-processor interrupts taken */
	uint64_t halts_nr;
	uint64_t exits_kernel_nr;	/* world switches by who handled them */
	uint64_t exits_user_nr;
	uint64_t exits_locked_nr;	/* of both, those with a guest spinlock held */
};

/*
 * @irqs_on:  the guest's interrupt flag
 * @in_host:  between exit and entry
 * @halted:   parked in vcpu_halt
 * @owed_ps:  rewound time, to be charged after the handlers
 * @locks_nr: guest spinlocks held, kept by the guest kernel
 * @handler:  runs with interrupts off, on the vCPU, for each vector taken; the
 *            guest kernel may switch tasks in it
 */
struct vcpu {
	struct hw_thread thread;
	uint32_t id;
	bool irqs_on;
	bool in_host;
	bool halted;
	enum hw_mode exit_mode;	/* mode to go back to after vcpu_enter */
	uint64_t owed_ps;
	uint32_t locks_nr;
	uint64_t pending[VCPU_VECTORS_NR / 64];
	void (*handler)(struct vcpu *vcpu, uint32_t vector);
	struct vcpu_stats stats;
};

/* vCPU @id on @pcpu; runs @fiber from vcpu_start on, with interrupts off. */
void vcpu_init(struct vcpu *vcpu, uint32_t id, const char *name,
	       const struct hw_topology *topo, uint32_t pcpu,
	       struct fiber *fiber,
	       void (*handler)(struct vcpu *, uint32_t vector));

/* Begin at @at_ps, in guest mode. */
void vcpu_start(struct vcpu *vcpu, uint64_t at_ps);

/* The running vCPU, NULL when a host thread or an event runs. */
struct vcpu *vcpu_self(void);

/* On the running vCPU. Enabling takes what is pending before it returns. */
void vcpu_irqs_off(void);
void vcpu_irqs_on(void);

/*
 * Enable interrupts and wait for one in one step (sti; hlt). Returns after
 * handlers have run, interrupts on. Parks.
 */
void vcpu_halt(void);

/* @vector arrives at @vcpu at @at_ps. Callable by anybody. A vector that is pending merges. */
void vcpu_raise(struct vcpu *vcpu, uint32_t vector, uint64_t at_ps);

/* The running vCPU sends @vector to @to: charges ipi_send, arrives ipi_deliver later. */
void vcpu_send_ipi(struct vcpu *to, uint32_t vector);

/* Who handles a world switch. */
enum vcpu_exit_kind {
	VCPU_EXIT_KERNEL,
	VCPU_EXIT_USER,
};

/*
 * World switch around host work on the running vCPU's thread: charges half of
 * @cost_ps on the way out and half on the way in. Between the two calls no
 * interrupt is taken.
 */
void vcpu_exit(enum vcpu_exit_kind kind, uint64_t cost_ps);
void vcpu_enter(uint64_t cost_ps);

/* Forget statistics up to now (end of the ramp). */
void vcpu_reset_stats(struct vcpu *vcpu, uint64_t now_ps);

#endif
