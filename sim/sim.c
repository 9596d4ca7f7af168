// SPDX-License-Identifier: GPL-2.0-only
#include "sim/sim.h"

#include <string.h>

#include "sim/assert.h"
#include "sim/queue.h"

/* Orders with this bit are actors: behind all events of the same time. */
#define ORDER_ACTOR	(UINT64_C(1) << 63)

#define node_to_event(n) \
	((struct sim_event *)((char *)(n) - offsetof(struct sim_event, node)))
#define node_to_actor(n) \
	((struct sim_actor *)((char *)(n) - offsetof(struct sim_actor, node)))

struct sim sim = { .bound_ps = SIM_NEVER_PS };

static struct {
	struct queue queue;
	struct fiber main;		/* who called sim_run */
	struct fiber *running;
	uint64_t next_order;
	uint64_t last_ps;		/* when something was last taken out */
	bool ready;
	bool entered;			/* in sim_run */
	bool stopped;
	bool forced;
} core;

void sim_init(void)
{
	sim_assert(!core.ready);
	memset(&core, 0, sizeof(core));
	memset(&sim, 0, sizeof(sim));
	queue_init(&core.queue);
	fiber_init_self(&core.main);
	core.running = &core.main;
	core.ready = true;
	sim.bound_ps = SIM_NEVER_PS;
}

void sim_fini(void)
{
	sim_assert(core.ready && !core.entered);
	queue_fini(&core.queue);
	fiber_fini(&core.main);
	sim.actor = NULL;
	sim.bound_ps = SIM_NEVER_PS;
	core.ready = false;
}

/* Where the running actor stops being the earliest. */
static void sim_set_bound(void)
{
	const struct queue_entry *top = queue_top(&core.queue);

	if (!sim.actor)
		sim.bound_ps = SIM_NEVER_PS;
	else if (core.stopped || core.forced)
		sim.bound_ps = 0;
	else if (!top)
		sim.bound_ps = SIM_NEVER_PS;
	else
		sim.bound_ps = top->time_ps +
			       (top->order > sim.actor->node.order);
}

static void sim_enqueue(struct sim_node *node)
{
	queue_push(&core.queue, node);
	sim_set_bound();
}

void sim_event_init(struct sim_event *ev, sim_event_fn fn)
{
	memset(ev, 0, sizeof(*ev));
	ev->fn = fn;
}

void sim_event_post(struct sim_event *ev, uint64_t at_ps)
{
	sim_assert(at_ps >= sim.now_ps);
	sim_assert(!sim_event_pending(ev));
	ev->node.time_ps = at_ps;
	ev->node.order = ++core.next_order;
	sim_enqueue(&ev->node);
}

bool sim_event_cancel(struct sim_event *ev)
{
	if (!sim_event_pending(ev))
		return false;
	queue_remove(&core.queue, &ev->node);
	sim_set_bound();
	return true;
}

void sim_actor_init(struct sim_actor *actor, uint32_t id, const char *name,
		    struct fiber *fiber)
{
	memset(actor, 0, sizeof(*actor));
	actor->id = id;
	actor->node.order = ORDER_ACTOR | id;
	actor->name = name;
	actor->fiber = fiber;
}

void sim_actor_start(struct sim_actor *actor, uint64_t at_ps)
{
	sim_assert(actor->state == SIM_ACTOR_NEW && at_ps >= sim.now_ps);
	actor->node.time_ps = at_ps;
	actor->state = SIM_ACTOR_QUEUED;
	sim_enqueue(&actor->node);
}

static void sim_run_event(struct sim_event *ev)
{
	sim.actor = NULL;
	sim.bound_ps = SIM_NEVER_PS;
	sim.events_nr++;
	ev->fn(ev);
}

static struct fiber *sim_run_actor(struct sim_actor *actor)
{
	core.forced = false;
	sim.actor = actor;
	actor->state = SIM_ACTOR_RUNNING;
	sim.switches_nr++;
	sim_set_bound();
	return actor->fiber;
}

/* Run events until it is an actor's turn, or nobody's. */
static struct fiber *sim_next(void)
{
	const struct queue_entry *top;
	struct sim_node *node;

	while (!core.stopped && (node = queue_pop(&core.queue))) {
		sim_assert(node->time_ps >= core.last_ps);
		core.last_ps = node->time_ps;
		sim.now_ps = node->time_ps;
		top = queue_top(&core.queue);
		if (top && top->time_ps == node->time_ps)
			sim.ties_nr++;
		if (node->order & ORDER_ACTOR)
			return sim_run_actor(node_to_actor(node));
		sim_run_event(node_to_event(node));
	}
	sim.actor = NULL;
	sim.bound_ps = SIM_NEVER_PS;
	return &core.main;
}

/* Give the processor to whoever is next; returns when it comes back. */
static void sim_dispatch(void)
{
	struct fiber *self = core.running;
	struct fiber *next = sim_next();

	if (next == self)
		return;
	core.running = next;
	fiber_switch(self, next);
}

enum sim_end sim_run(void)
{
	sim_assert(core.ready && !core.entered);
	core.entered = true;
	core.stopped = false;
	sim_dispatch();
	core.entered = false;
	return core.stopped ? SIM_END_STOPPED : SIM_END_QUIET;
}

void sim_stop(void)
{
	core.stopped = true;
	sim_set_bound();
}

void sim_force_yield(void)
{
	core.forced = true;
	sim_set_bound();
}

/*
 * The loop is needed because ->resumed may have spent time: the caller was
 * promised that it is the earliest. It may also have switched fibers, and the
 * calling one came back on another actor.
 */
void sim_yield(void)
{
	struct sim_actor *self;

	if (!sim.actor)
		return;
	do {
		self = sim.actor;
		self->node.time_ps = sim.now_ps;
		self->state = SIM_ACTOR_QUEUED;
		queue_push(&core.queue, &self->node);
		sim_dispatch();
		if (self->resumed)
			self->resumed(self);
	} while (sim.now_ps >= sim.bound_ps);
}

void sim_park(void)
{
	struct sim_actor *self = sim.actor;

	sim_assert(self);
	self->node.time_ps = sim.now_ps;
	self->state = SIM_ACTOR_PARKED;
	sim_dispatch();
	if (self->resumed)
		self->resumed(self);
}

void sim_wake(struct sim_actor *actor, uint64_t at_ps)
{
	sim_assert(at_ps >= sim.now_ps);
	if (actor->state != SIM_ACTOR_PARKED)
		return;
	if (at_ps > actor->node.time_ps) {
		actor->idle_ps += at_ps - actor->node.time_ps;
		actor->node.time_ps = at_ps;
	}
	actor->state = SIM_ACTOR_QUEUED;
	if (!actor->suspended)
		sim_enqueue(&actor->node);
}

void sim_actor_suspend(struct sim_actor *actor)
{
	bool queued = actor->state == SIM_ACTOR_QUEUED;

	sim_assert(!actor->suspended);
	sim_assert(queued || actor->state == SIM_ACTOR_PARKED);
	actor->suspended = true;
	actor->ahead_ps = 0;
	if (!queued)
		return;
	actor->ahead_ps = actor->node.time_ps - sim.now_ps;
	queue_remove(&core.queue, &actor->node);
	sim_set_bound();
}

/* Who was woken in the meantime is not early: a wake can be in the future. */
void sim_actor_resume(struct sim_actor *actor, uint64_t at_ps)
{
	sim_assert(actor->suspended && at_ps >= sim.now_ps);
	actor->suspended = false;
	if (actor->state != SIM_ACTOR_QUEUED)
		return;
	if (actor->node.time_ps < at_ps + actor->ahead_ps)
		actor->node.time_ps = at_ps + actor->ahead_ps;
	sim_enqueue(&actor->node);
}

static uint64_t sim_rewind_suspended(struct sim_actor *actor)
{
	uint64_t ahead_ps = actor->ahead_ps;

	actor->ahead_ps = 0;
	actor->node.time_ps -= ahead_ps;
	return ahead_ps;
}

uint64_t sim_actor_rewind(struct sim_actor *actor, uint64_t at_ps)
{
	uint64_t ahead_ps;

	if (actor->suspended)
		return sim_rewind_suspended(actor);
	if (actor->state != SIM_ACTOR_QUEUED || actor->node.time_ps <= at_ps)
		return 0;
	sim_assert(at_ps >= sim.now_ps);
	ahead_ps = actor->node.time_ps - at_ps;
	queue_remove(&core.queue, &actor->node);
	actor->node.time_ps = at_ps;
	sim_enqueue(&actor->node);
	return ahead_ps;
}

void sim_switch_fiber(struct fiber *next)
{
	struct fiber *self = core.running;

	sim_assert(sim.actor && sim.actor->fiber == self);
	if (next == self)
		return;
	sim.actor->fiber = next;
	core.running = next;
	fiber_switch(self, next);
}

void sim_actor_exit(void)
{
	sim.actor->state = SIM_ACTOR_DONE;
	sim_dispatch();
	sim_panic(__FILE__, __LINE__, "a finished actor was resumed");
}
