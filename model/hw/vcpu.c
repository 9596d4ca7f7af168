// SPDX-License-Identifier: GPL-2.0-only
#include "model/hw/vcpu.h"

#include <stdlib.h>
#include <string.h>

#include "model/hw/cost.h"
#include "model/hw/hcpu.h"
#include "sim/assert.h"
#include "sim/trace.h"

/* An interrupt on its way to a vCPU. */
struct irq_message {
	struct sim_event event;	/* first: converted by a cast */
	struct vcpu *vcpu;
	uint32_t vector;
	struct irq_message *next;
};

static struct irq_message *irq_messages_free;

static TRACE_POINT(tp_vcpu_irq, "vcpu.irq", "vcpu,vector");
static TRACE_POINT(tp_vcpu_halt, "vcpu.halt", "vcpu");
static TRACE_POINT(tp_vcpu_wake, "vcpu.wake", "vcpu");

struct vcpu *vcpu_self(void)
{
	struct hw_thread *t = hw_self();

	return t && t->actor.id < HW_HOST_ID_BASE ? (struct vcpu *)t : NULL;
}

static bool vcpu_has_pending(const struct vcpu *v)
{
	for (uint32_t i = 0; i < VCPU_VECTORS_NR / 64; i++)
		if (v->pending[i])
			return true;
	return false;
}

static bool vcpu_accepts(const struct vcpu *v)
{
	return v->irqs_on && !v->in_host;
}

/* The highest vector has the highest priority, as in an APIC. */
static uint32_t vcpu_pop_vector(struct vcpu *v)
{
	for (uint32_t i = VCPU_VECTORS_NR / 64; i-- > 0;) {
		if (v->pending[i]) {
			uint32_t bit = 63 - __builtin_clzll(v->pending[i]);

			v->pending[i] &= ~(UINT64_C(1) << bit);
			return i * 64 + bit;
		}
	}
	sim_panic(__FILE__, __LINE__, "no vector is pending");
}

/*
 * The handler may switch to another task and come back much later, possibly on
 * another vCPU: nothing of @v is touched after it but through vcpu_self.
 */
static void vcpu_interrupt(struct vcpu *v, uint32_t vector)
{
	enum hw_mode mode = hw_mode_enter(HW_IRQ);

	if (vector >= VCPU_IPI_FIRST)
		v->stats.ipis_nr++;
	else
		v->stats.irqs_nr++;
	trace(&tp_vcpu_irq, v->id, vector, 0);
	v->irqs_on = false;
	sim_spend(hw_cost.irq_entry_ps);
	v->handler(v, vector);
	sim_sync();	/* what it charged passes with interrupts off */
	hw_mode_enter(mode);
	vcpu_self()->irqs_on = true;
}

static void vcpu_take_pending(struct vcpu *v)
{
	uint64_t owed_ps = v->owed_ps;

	v->owed_ps = 0;
	while (vcpu_accepts(v) && vcpu_has_pending(v)) {
		vcpu_interrupt(v, vcpu_pop_vector(v));
		v = vcpu_self();
	}
	sim_spend(owed_ps);
}

static void vcpu_resumed(struct sim_actor *actor)
{
	vcpu_take_pending((struct vcpu *)actor);
}

void vcpu_init(struct vcpu *v, uint32_t id, const char *name,
	       const struct hw_topology *topo, uint32_t pcpu,
	       struct fiber *fiber, void (*handler)(struct vcpu *, uint32_t))
{
	sim_assert(id < VCPU_MAX);
	memset(v, 0, sizeof(*v));
	hw_thread_init(&v->thread, id, name, topo, pcpu, fiber);
	v->thread.actor.resumed = vcpu_resumed;
	v->id = id;
	v->handler = handler;
}

void vcpu_start(struct vcpu *v, uint64_t at_ps)
{
	v->thread.mode = HW_GUEST;
	v->thread.mode_since_ps = at_ps;
	sim_actor_start(&v->thread.actor, at_ps);
	hcpu_started(&v->thread);
}

/* What arrived up to now is taken before interrupts go off. */
void vcpu_irqs_off(void)
{
	sim_sync();
	vcpu_self()->irqs_on = false;
}

/* What was charged before passes with interrupts off: sync, then enable. */
void vcpu_irqs_on(void)
{
	struct vcpu *v;

	sim_sync();
	v = vcpu_self();
	v->irqs_on = true;
	if (vcpu_has_pending(v))
		vcpu_take_pending(v);
}

static void vcpu_sleep(struct vcpu *v)
{
	v->stats.halts_nr++;
	v->halted = true;
	trace(&tp_vcpu_halt, v->id, 0, 0);
	hw_mode_enter(HW_IDLE);
	hcpu_block();
	while (!vcpu_has_pending(v))
		sim_park();
	hcpu_unblock();
	hw_mode_enter(HW_EXIT);
	trace(&tp_vcpu_wake, v->id, 0, 0);
	v->halted = false;
	sim_spend(hw_cost.halt_wake_ps);
}

void vcpu_halt(void)
{
	struct vcpu *v = vcpu_self();
	enum hw_mode mode;

	sim_assert(!v->irqs_on);
	mode = hw_mode_enter(HW_EXIT);
	sim_spend(hw_cost.halt_enter_ps);
	sim_sync();
	if (!vcpu_has_pending(v))
		vcpu_sleep(v);
	sim_sync();
	hw_mode_enter(mode);
	vcpu_irqs_on();
}

/*
 * Interrupts are on: the vCPU either waits for its turn, then it is set back to
 * this moment, or it is parked waiting for a lock. Off: only HLT listens.
 */
static void vcpu_notice(struct vcpu *v)
{
	struct sim_actor *actor = &v->thread.actor;

	if (v->halted)
		sim_wake(actor, sim_now());
	if (!vcpu_accepts(v))
		return;
	v->owed_ps += sim_actor_rewind(actor, sim_now());
	sim_wake(actor, sim_now());
}

static void vcpu_deliver(struct sim_event *ev)
{
	struct irq_message *m = (struct irq_message *)ev;
	struct vcpu *v = m->vcpu;

	v->pending[m->vector / 64] |= UINT64_C(1) << m->vector % 64;
	m->next = irq_messages_free;
	irq_messages_free = m;
	vcpu_notice(v);
}

static struct irq_message *irq_message_get(void)
{
	struct irq_message *m = irq_messages_free;

	if (m) {
		irq_messages_free = m->next;
		return m;
	}
	m = malloc(sizeof(*m));
	sim_assert(m);
	sim_event_init(&m->event, vcpu_deliver);
	return m;
}

void vcpu_raise(struct vcpu *v, uint32_t vector, uint64_t at_ps)
{
	struct irq_message *m = irq_message_get();

	sim_assert(vector < VCPU_VECTORS_NR);
	m->vcpu = v;
	m->vector = vector;
	sim_event_post(&m->event, at_ps);
}

void vcpu_send_ipi(struct vcpu *to, uint32_t vector)
{
	sim_spend(hw_cost.ipi_send_ps);
	vcpu_raise(to, vector, sim_now() + hw_cost.ipi_deliver_ps);
}

static void vcpu_count_exit(struct vcpu *v, enum vcpu_exit_kind kind)
{
	if (kind == VCPU_EXIT_KERNEL)
		v->stats.exits_kernel_nr++;
	else
		v->stats.exits_user_nr++;
	if (v->locks_nr)
		v->stats.exits_locked_nr++;
}

void vcpu_exit(enum vcpu_exit_kind kind, uint64_t cost_ps)
{
	struct vcpu *v;

	sim_sync();
	v = vcpu_self();
	v->in_host = true;
	vcpu_count_exit(v, kind);
	v->exit_mode = hw_mode_enter(HW_EXIT);
	sim_spend(cost_ps / 2);
	sim_sync();
	hw_mode_enter(HW_HOST);
}

void vcpu_enter(uint64_t cost_ps)
{
	struct vcpu *v = vcpu_self();

	hw_mode_enter(HW_EXIT);
	sim_spend(cost_ps - cost_ps / 2);
	sim_sync();
	hw_mode_enter(v->exit_mode);
	v->in_host = false;
	if (vcpu_accepts(v) && vcpu_has_pending(v))
		vcpu_take_pending(v);
}

void vcpu_reset_stats(struct vcpu *v, uint64_t now_ps)
{
	memset(&v->stats, 0, sizeof(v->stats));
	hw_thread_reset_stats(&v->thread, now_ps);
}
