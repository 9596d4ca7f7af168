/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The discrete-event kernel: one clock, events, and actors.
 *
 * An event is a callback at a point of time. An actor is a thread of control
 * with a clock of its own (a vCPU, a host thread), running on a fiber. Both
 * wait in one queue ordered by (time, order); whatever is earliest runs.
 *
 * Tie order, part of the contract because results depend on it: at one time
 * events go before actors, events in the order in which they were posted,
 * actors by ascending id.
 *
 * There is one simulation per process at a time, in the global `sim`, so that
 * the memory hooks of guest code reach the clock with one load. Nothing here
 * is thread safe; nothing here knows what is being simulated.
 */
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/fiber.h"

#define SIM_PS_PER_NS	UINT64_C(1000)
#define SIM_PS_PER_US	UINT64_C(1000000)
#define SIM_PS_PER_MS	UINT64_C(1000000000)
#define SIM_PS_PER_S	UINT64_C(1000000000000)

#define SIM_NEVER_PS	UINT64_MAX

/*
 * Inline functions here are called by instrumented guest code too, where our
 * own state must not count as memory that the guest accesses.
 */
#define SIM_INLINE static inline __attribute__((no_sanitize("thread")))

/* A place in the queue. Owned by its event or actor; slot 0 means not queued. */
struct sim_node {
	uint64_t time_ps;
	uint64_t order;
	uint32_t slot;
};

struct sim_event;
typedef void (*sim_event_fn)(struct sim_event *ev);

/* Embed it; find the outer struct with container_of. May be reused at once. */
struct sim_event {
	struct sim_node node;
	sim_event_fn fn;
};

enum sim_actor_state {
	SIM_ACTOR_NEW,		/* initialised, not started */
	SIM_ACTOR_QUEUED,	/* waits for its turn at node.time_ps */
	SIM_ACTOR_RUNNING,	/* is sim.actor; its clock is sim.now_ps */
	SIM_ACTOR_PARKED,	/* waits for sim_wake; node.time_ps is when it parked */
	SIM_ACTOR_DONE,
};

/*
 * @fiber:   what runs when the actor does. A vCPU changes it when it switches
 *           tasks (sim_switch_fiber).
 * @resumed: called on the actor's own fiber each time sim_sync or sim_park gave
 *           the processor away and got it back; may itself spend, sync, park.
 *           NULL for none. This is where a vCPU takes its interrupts.
 * @suspended: between sim_actor_suspend and sim_actor_resume; then it is in no queue
 * @ahead_ps: time it had charged and not used when it was suspended
 * @idle_ps: total time parked, up to the last wake.
 */
struct sim_actor {
	struct sim_node node;
	enum sim_actor_state state;
	uint32_t id;
	struct fiber *fiber;
	void (*resumed)(struct sim_actor *actor);
	bool suspended;
	uint64_t ahead_ps;
	uint64_t idle_ps;
	const char *name;
};

/*
 * @now_ps:   clock of the running actor, or time of the running event.
 * @bound_ps: the running actor may act while now_ps < bound_ps; beyond that
 *            somebody else is earlier. 0 forces the slow path.
 * @actor:    running actor; NULL in an event callback and outside sim_run.
 */
struct sim {
	uint64_t now_ps;
	uint64_t bound_ps;
	struct sim_actor *actor;
	uint64_t events_nr;	/* callbacks run */
	uint64_t switches_nr;	/* changes of the running actor */
	uint64_t ties_nr;	/* times the tie order decided */
};

extern struct sim sim;

enum sim_end {
	SIM_END_STOPPED,	/* sim_stop was called */
	SIM_END_QUIET,		/* nothing is queued: all actors parked or done */
};

/* Start with an empty queue at time 0. Undo with sim_fini. */
void sim_init(void);

/*
 * Forget all events and actors; those still queued must still exist. Fibers
 * are their owners' to free.
 */
void sim_fini(void);

/*
 * Run until nothing is queued or somebody calls sim_stop; may be called again
 * to go on. Not to be called from inside an actor or event.
 */
enum sim_end sim_run(void);

/* End sim_run before anything else runs; the caller goes on until it syncs. */
void sim_stop(void);

SIM_INLINE uint64_t sim_now(void)
{
	return sim.now_ps;
}

/* An event that will call @fn; not yet posted. */
void sim_event_init(struct sim_event *ev, sim_event_fn fn);

/*
 * Run @ev at @at_ps, which is not before sim_now (asserted). @ev must not be
 * pending. It is not pending any more when its callback is entered. Callbacks
 * run to completion: they must not sync or park.
 */
void sim_event_post(struct sim_event *ev, uint64_t at_ps);

/* Take @ev back. False if it was not pending. */
bool sim_event_cancel(struct sim_event *ev);

SIM_INLINE bool sim_event_pending(const struct sim_event *ev)
{
	return ev->node.slot != 0;
}

/*
 * An actor that is not started. @id: rank among actors at equal times, unique.
 * @name: not copied.
 */
void sim_actor_init(struct sim_actor *actor, uint32_t id, const char *name,
		    struct fiber *fiber);

/* Let a new actor begin at @at_ps (not before sim_now). */
void sim_actor_start(struct sim_actor *actor, uint64_t at_ps);

/* Charge the running actor @ps. Never switches: time passes at the next sync. */
SIM_INLINE void sim_spend(uint64_t ps)
{
	sim.now_ps += ps;
}

/* Slow path of sim_sync. */
void sim_yield(void);

/*
 * Return when the running actor is the earliest of all: from here to the next
 * sim_spend what it does happens in time order. May switch actors. Does
 * nothing when no actor runs.
 */
SIM_INLINE void sim_sync(void)
{
	if (__builtin_expect(sim.now_ps >= sim.bound_ps, 0))
		sim_yield();
}

/*
 * Wait for sim_wake. Returns on any wake, so the caller tests its condition in
 * a loop; the clock is then the waker's time or later. Only an actor may park.
 */
void sim_park(void);

/*
 * End the park of @actor at @at_ps (not before sim_now). A wake of an actor that is
 * not parked is ignored: conditions are set before the wake and tested before
 * the park, and neither can be interrupted in between.
 */
void sim_wake(struct sim_actor *actor, uint64_t at_ps);

/*
 * Move a queued actor's clock back to @at_ps (not before sim_now): time it has charged
 * but not yet acted on is handed back. Returns how much. This is how an
 * interrupt reaches a vCPU in the middle of a long computation; the vCPU
 * charges the remainder again after the handler. 0 if it isn't ahead. A suspended
 * actor is set back to the time when it will be resumed.
 */
uint64_t sim_actor_rewind(struct sim_actor *actor, uint64_t at_ps);

/*
 * Stop @actor, which is queued or parked, at sim_now: it gets no turn until it
 * is resumed, whoever wakes it. Time it has charged but not yet used is kept for then.
 */
void sim_actor_suspend(struct sim_actor *actor);

/*
 * Let a suspended actor go on at @at_ps (not before sim_now), first with the
 * time it was ahead; parked, unless it has been woken meanwhile.
 */
void sim_actor_resume(struct sim_actor *actor, uint64_t at_ps);

/* Make the running actor's next sync take the slow path and call ->resumed. */
void sim_force_yield(void);

/*
 * Go on with the running actor on @next; returns when somebody switches back
 * to the calling fiber. No time passes and no other actor runs in between.
 */
void sim_switch_fiber(struct fiber *next);

/* End the running actor; does not return. */
void sim_actor_exit(void) __attribute__((noreturn));

#endif
