/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An event loop on a host thread: QEMU's main loop, or an iothread.
 *
 * A source is something that can be signalled (an eventfd, a completion
 * queue). A signal finds the loop asleep, which costs a wake-up, or awake,
 * which costs nothing. Signals of one source merge until its handler is
 * entered. Each pass charges hw_cost.loop_pass, then calls the handlers of
 * the sources that were ready when the pass began, in the order in which they
 * were added.
 *
 * A loop may poll: with nothing ready it looks at its sources again and again
 * for a while before it sleeps, and once before each pass while it is busy.
 * From the first look until it gives up, sources need not signal, and a pass
 * costs nothing; each look costs hw_cost.loop_look. How long it looks adapts to
 * how long it had to wait so far, as in QEMU's aio_poll: never longer than
 * poll-max-ns, and not at all while waits are longer.
 */
#ifndef MODEL_HOST_HLOOP_H
#define MODEL_HOST_HLOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "model/hw/thread.h"
#include "sim/fiber.h"
#include "sim/lock.h"

/* Enough for a doorbell and a completion source of each of 128 queues. */
#define HLOOP_SOURCES_MAX	260u
#define HLOOP_STACK_BYTES	(256u * 1024)

struct hloop;
struct hloop_source;

/*
 * How a loop finds out about a source without a signal. All run on the loop's
 * thread, may spend and sync, and are entered in the loop's turn.
 * @begin: the loop looks from now on: signals are not needed
 * @look:  has the source something to handle?
 * @end:   signals are needed again. True: it has something to handle now, for
 *         which no signal may come
 */
struct hloop_poll_ops {
	void (*begin)(struct hloop_source *source);
	bool (*look)(struct hloop_source *source);
	bool (*end)(struct hloop_source *source);
};

/*
 * Properties of QEMU's iothread object.
 * @max_ps: poll-max-ns, 0: the loop does not poll
 * @grow:   poll-grow, factor by which the time is made longer, 0: 2
 * @shrink: poll-shrink, divisor by which it is made shorter, 0: to nothing
 */
struct hloop_poll_config {
	uint64_t max_ps;
	uint32_t grow;
	uint32_t shrink;
};

/*
 * @poll:       set by the owner after hloop_add; NULL: found by signals only
 * @handler:    runs on the loop's thread; may spend, sync, park
 * @signals_nr: all signals; @handled_nr: calls of the handler
 */
struct hloop_source {
	void (*handler)(struct hloop_source *source);
	const struct hloop_poll_ops *poll;
	void *owner;
	uint32_t index;			/* the owner's number for it */
	struct hloop *loop;
	bool ready;
	bool picked;			/* for this pass */
	uint64_t signals_nr;
	uint64_t handled_nr;
};

/*
 * @signals_asleep_nr: signals that had to wake the thread
 * @signals_awake_nr:  signals that found it running or waking up
 * @polls_nr:          times it looked because nothing was ready
 * @polls_found_nr:    of these, something came while it looked
 */
struct hloop_stats {
	uint64_t passes_nr;
	uint64_t handled_nr;
	uint64_t signals_asleep_nr;
	uint64_t signals_awake_nr;
	uint64_t polls_nr;
	uint64_t polls_found_nr;
};

/*
 * @lock:   held while handlers run, not while sleeping; NULL for none
 * @asleep: parked for want of a signal, and nobody has woken it yet
 * @poll_ps: how long it looks the next time that nothing is ready
 * @polling: between begin and end of its sources
 *
 * Invariant: asleep implies that no source is ready and that it is not polling.
 */
struct hloop {
	struct hw_thread thread;
	struct fiber fiber;
	struct sim_lock *lock;
	bool asleep;
	bool polling;
	struct hloop_poll_config poll;
	uint64_t poll_ps;
	struct hloop_source *source[HLOOP_SOURCES_MAX];
	uint32_t sources_nr;
	uint32_t ready_nr;
	struct hloop_stats stats;
};

/*
 * A loop that is not running. @id: actor id, HW_HOST_ID_BASE or more, unique.
 * @name: not copied. @lock: QEMU's big lock for the main loop, NULL for an
 * iothread; stays the caller's. 0 or -ENOMEM.
 */
int hloop_init(struct hloop *loop, uint32_t id, const char *name,
	       const struct hw_topology *topo, uint32_t pcpu,
	       struct sim_lock *lock);

/* Free its stack. The simulation must be over: the thread never ends. */
void hloop_fini(struct hloop *loop);

/* Begin at @at_ps; goes to sleep at once if nothing is ready. */
void hloop_start(struct hloop *loop, uint64_t at_ps);

/* @source stays the caller's. Before or after hloop_start. */
void hloop_add(struct hloop *loop, struct hloop_source *source,
	       void (*handler)(struct hloop_source *), void *owner,
	       uint32_t index);

/* The loop polls as @config says. Before hloop_start. */
void hloop_set_poll(struct hloop *loop, const struct hloop_poll_config *config);

/*
 * Between hloop.c and hloop_poll.c.
 * hloop_poll: with a poll_ps, look at the sources: once if something is ready,
 * else until something is or the time is over, and then stop polling. True:
 * something is ready. May spend and switch.
 * hloop_adapt: the loop has waited @waited_ps for something to be ready.
 * hloop_mark_ready: by the loop's own thread, so that nobody need be woken.
 */
bool hloop_poll(struct hloop *loop);
void hloop_adapt(struct hloop *loop, uint64_t waited_ps);
void hloop_mark_ready(struct hloop_source *source);

/*
 * @source is ready from now on. Callable by anybody: on an actor it first waits
 * for the actor's turn, so it may switch; in an event callback it does not. To
 * signal later, post an event that signals.
 */
void hloop_signal(struct hloop_source *source);

void hloop_reset_stats(struct hloop *loop);

/*
 * Take and release a host mutex on the running thread, which waits in
 * HW_BLOCKED; the next owner runs hw_cost.mutex_wake after the release. NULL
 * does nothing.
 */
void hloop_lock(struct sim_lock *lock);
void hloop_unlock(struct sim_lock *lock);

#endif
