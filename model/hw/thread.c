// SPDX-License-Identifier: GPL-2.0-only
#include "model/hw/thread.h"

#include <string.h>

#include "sim/assert.h"

const char *const hw_mode_name[HW_MODE_NR] = {
	[HW_IDLE] = "idle",
	[HW_GUEST] = "guest",
	[HW_IRQ] = "irq",
	[HW_SPIN] = "spin",
	[HW_EXIT] = "exit",
	[HW_HOST] = "host",
	[HW_POLL] = "poll",
	[HW_BLOCKED] = "blocked",
	[HW_STEAL] = "steal",
};

uint32_t hw_topology_pcpus(const struct hw_topology *topo)
{
	return topo->sockets * topo->cores * topo->threads;
}

/* Bits [first, first + nr) of a mask. */
static uint64_t mask_span(uint32_t first, uint32_t nr)
{
	return ((UINT64_C(1) << nr) - 1) << first;
}

void hw_thread_init(struct hw_thread *t, uint32_t id, const char *name,
		    const struct hw_topology *topo, uint32_t pcpu,
		    struct fiber *fiber)
{
	memset(t, 0, sizeof(*t));
	sim_actor_init(&t->actor, id, name, fiber);
	hw_thread_place(t, topo, pcpu);
	t->mode = HW_IDLE;
}

void hw_thread_place(struct hw_thread *t, const struct hw_topology *topo,
		     uint32_t pcpu)
{
	uint32_t per_socket = topo->cores * topo->threads;

	sim_assert(hw_topology_pcpus(topo) <= HW_PCPU_MAX);
	sim_assert(pcpu < hw_topology_pcpus(topo));
	t->pcpu = pcpu;
	t->self_mask = mask_span(pcpu, 1);
	t->core_mask = mask_span(pcpu - pcpu % topo->threads, topo->threads);
	t->socket_mask = mask_span(pcpu - pcpu % per_socket, per_socket);
}

/*
 * A rewind can put now before mode_since; the difference then wraps, and the
 * sum over all modes still is the thread's clock.
 */
static void hw_mode_account(struct hw_thread *t, uint64_t now_ps)
{
	t->stats.mode_ps[t->mode] += now_ps - t->mode_since_ps;
	t->mode_since_ps = now_ps;
}

enum hw_mode hw_mode_enter(enum hw_mode mode)
{
	struct hw_thread *t = hw_self();
	enum hw_mode old = t->mode;

	hw_mode_account(t, sim_now());
	t->mode = mode;
	return old;
}

void hw_thread_set_mode(struct hw_thread *t, enum hw_mode mode,
			uint64_t at_ps)
{
	hw_mode_account(t, at_ps);
	t->mode = mode;
}

void hw_thread_settle(struct hw_thread *t, uint64_t now_ps)
{
	if (now_ps > t->mode_since_ps)
		hw_mode_account(t, now_ps);
}

void hw_thread_reset_stats(struct hw_thread *t, uint64_t now_ps)
{
	memset(&t->stats, 0, sizeof(t->stats));
	t->mode_since_ps = now_ps;
}
