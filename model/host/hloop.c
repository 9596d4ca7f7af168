// SPDX-License-Identifier: GPL-2.0-only
#include "model/host/hloop.h"

#include <string.h>

#include "model/hw/cost.h"
#include "model/hw/hcpu.h"
#include "sim/assert.h"

void hloop_lock(struct sim_lock *lock)
{
	enum hw_mode mode;

	if (!lock)
		return;
	mode = hw_mode_enter(HW_BLOCKED);
	if (sim_lock_try(lock)) {
		hw_mode_enter(mode);
		return;
	}
	hcpu_block();
	sim_lock_acquire(lock);
	hcpu_unblock();
	hw_mode_enter(mode);
}

void hloop_unlock(struct sim_lock *lock)
{
	if (lock)
		sim_lock_release(lock, hw_cost.mutex_wake_ps);
}

/*
 * Between the test and the park nothing can come in: after the sync the loop is
 * the earliest of all and spends nothing.
 */
static void hloop_sleep(struct hloop *loop)
{
	sim_sync();
	if (loop->ready_nr)
		return;
	hw_mode_enter(HW_IDLE);
	loop->asleep = true;
	hcpu_block();
	while (!loop->ready_nr)
		sim_park();
	hcpu_unblock();
	hw_mode_enter(HW_HOST);
}

/*
 * A loop that polls looks even if something is ready: it needs no kicks while it
 * is busy, and sees what came without one.
 */
static void hloop_wait(struct hloop *loop)
{
	uint64_t from_ps;

	sim_sync();
	from_ps = sim_now();
	if (!hloop_poll(loop))
		hloop_sleep(loop);
	hloop_adapt(loop, sim_now() - from_ps);
}

static void hloop_pick(struct hloop *loop)
{
	for (uint32_t i = 0; i < loop->sources_nr; i++)
		loop->source[i]->picked = loop->source[i]->ready;
}

/* A signal until this moment is answered by this call of the handler. */
static void hloop_handle(struct hloop *loop, struct hloop_source *source)
{
	sim_sync();
	source->picked = false;
	source->ready = false;
	loop->ready_nr--;
	source->handled_nr++;
	loop->stats.handled_nr++;
	source->handler(source);
}

static void hloop_pass(struct hloop *loop)
{
	hloop_pick(loop);
	loop->stats.passes_nr++;
	if (!loop->polling)
		sim_spend(hw_cost.loop_pass_ps);
	hloop_lock(loop->lock);
	for (uint32_t i = 0; i < loop->sources_nr; i++)
		if (loop->source[i]->picked)
			hloop_handle(loop, loop->source[i]);
	hloop_unlock(loop->lock);
}

static void hloop_main(void *arg)
{
	struct hloop *loop = arg;

	hw_mode_enter(HW_HOST);
	for (;;) {
		hloop_wait(loop);
		hloop_pass(loop);
	}
}

int hloop_init(struct hloop *loop, uint32_t id, const char *name,
	       const struct hw_topology *topo, uint32_t pcpu,
	       struct sim_lock *lock)
{
	int err;

	sim_assert(id >= HW_HOST_ID_BASE);
	memset(loop, 0, sizeof(*loop));
	err = fiber_init(&loop->fiber, HLOOP_STACK_BYTES, hloop_main, loop);
	if (err)
		return err;
	hw_thread_init(&loop->thread, id, name, topo, pcpu, &loop->fiber);
	loop->lock = lock;
	return 0;
}

void hloop_fini(struct hloop *loop)
{
	fiber_fini(&loop->fiber);
}

void hloop_start(struct hloop *loop, uint64_t at_ps)
{
	sim_actor_start(&loop->thread.actor, at_ps);
	hcpu_started(&loop->thread);
}

void hloop_mark_ready(struct hloop_source *source)
{
	if (source->ready)
		return;
	source->ready = true;
	source->loop->ready_nr++;
}

static void hloop_make_ready(struct hloop_source *source)
{
	struct hloop *loop = source->loop;

	hloop_mark_ready(source);
	if (!loop->asleep) {
		loop->stats.signals_awake_nr++;
		return;
	}
	loop->asleep = false;
	loop->stats.signals_asleep_nr++;
	sim_wake(&loop->thread.actor, sim_now() + hw_cost.iothread_wake_ps);
}

void hloop_signal(struct hloop_source *source)
{
	sim_sync();
	source->signals_nr++;
	hloop_make_ready(source);
}

void hloop_add(struct hloop *loop, struct hloop_source *source,
	       void (*handler)(struct hloop_source *), void *owner,
	       uint32_t index)
{
	sim_assert(loop->sources_nr < HLOOP_SOURCES_MAX);
	memset(source, 0, sizeof(*source));
	source->handler = handler;
	source->owner = owner;
	source->index = index;
	source->loop = loop;
	loop->source[loop->sources_nr++] = source;
}

void hloop_reset_stats(struct hloop *loop)
{
	memset(&loop->stats, 0, sizeof(loop->stats));
	for (uint32_t i = 0; i < loop->sources_nr; i++) {
		loop->source[i]->signals_nr = 0;
		loop->source[i]->handled_nr = 0;
	}
}
