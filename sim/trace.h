/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Trace points: what happened, when, by whom, with up to three numbers.
 *
 * A layer defines its points as static objects with TRACE_POINT and hits them
 * with trace(). Each hit goes into a ring of the last TRACE_RING_NR hits (for
 * the last words of a failure), into the run's digest, and to one listener.
 * Arguments are numbers with a meaning in the model: never host addresses.
 */
#ifndef SIM_TRACE_H
#define SIM_TRACE_H

#include <stdint.h>
#if __has_include(<stdio.h>)	/* guest code has no libc */
#include <stdio.h>
#endif

#define TRACE_RING_NR	4096u	/* power of two */
#define TRACE_ARGS_NR	3

struct trace_point;

/* @actor: id of the actor, or TRACE_NO_ACTOR in an event. */
#define TRACE_NO_ACTOR	UINT32_MAX
struct trace_hit {
	uint64_t time_ps;
	const struct trace_point *point;
	uint32_t actor;
	uint64_t arg[TRACE_ARGS_NR];
};

/*
 * @name:  stable name, "noun.verb"; its hash stands for the point in the digest.
 * @args:  names of the arguments in use, comma separated ("vq,head"), for printing.
 * @id:    assigned by the owner for its listener (e.g. which of ten stamps).
 */
struct trace_point {
	const char *name;
	const char *args;
	uint32_t id;
	uint64_t hash;		/* filled on first hit */
};

#define TRACE_POINT(var, name_, args_)	\
	struct trace_point var = { .name = name_, .args = args_ }

/* Start a run: empty ring, fresh digest, no listener. */
void trace_init(void);

/* Record a hit at sim_now by sim.actor. */
void trace(struct trace_point *tp, uint64_t a, uint64_t b, uint64_t c);

/* @fn sees every hit after it is recorded; it must not spend, sync or park. */
void trace_set_listener(void (*fn)(void *arg, const struct trace_hit *hit),
			void *arg);

/* Digest of all hits so far. */
uint64_t trace_digest(void);

/* Number of hits so far. */
uint64_t trace_hits_nr(void);

#if __has_include(<stdio.h>)
/* The last @nr hits, oldest first, a line each. */
void trace_print_last(FILE *out, unsigned int nr);
#endif

#endif
