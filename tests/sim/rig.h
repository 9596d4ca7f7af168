/* SPDX-License-Identifier: GPL-2.0-only */
/* What tests of the engine share: actors made of a function, and a log. */
#ifndef TESTS_SIM_RIG_H
#define TESTS_SIM_RIG_H

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "sim/sim.h"
#include "sim/trace.h"

#define RIG_STACK_BYTES	(32u << 10)
#define RIG_LOG_NR	65536u

/* @actor is first, so that sim.actor converts with a cast. */
struct rig_actor {
	struct sim_actor actor;
	struct fiber fiber;
	void (*fn)(struct rig_actor *self);
	void *arg;
};

struct rig_entry {
	uint64_t time_ps;
	uint64_t who;
};

static struct rig_entry rig_log_entry[RIG_LOG_NR];
static uint32_t rig_log_nr;

static inline void rig_init(void)
{
	rig_log_nr = 0;
	sim_init();
	trace_init();
}

/* Check writes a file at each of its assertions: not where it is hot. */
#define rig_assert(cond)						\
	do {								\
		if (!(cond))						\
			ck_abort_msg("%s", #cond);			\
	} while (0)

static inline void rig_log(uint64_t who)
{
	rig_assert(rig_log_nr < RIG_LOG_NR);
	rig_log_entry[rig_log_nr].time_ps = sim_now();
	rig_log_entry[rig_log_nr++].who = who;
}

static inline void rig_expect(uint32_t i, uint64_t time_ps, uint64_t who)
{
	ck_assert_uint_lt(i, rig_log_nr);
	ck_assert_msg(rig_log_entry[i].time_ps == time_ps &&
		      rig_log_entry[i].who == who,
		      "entry %u is (%lu, %lu), expected (%lu, %lu)", i,
		      (unsigned long)rig_log_entry[i].time_ps,
		      (unsigned long)rig_log_entry[i].who,
		      (unsigned long)time_ps, (unsigned long)who);
}

static inline void rig_actor_main(void *arg)
{
	struct rig_actor *a = arg;

	a->fn(a);
	sim_actor_exit();
}

static inline void rig_actor_init(struct rig_actor *a, uint32_t id,
				  void (*fn)(struct rig_actor *), void *arg)
{
	memset(a, 0, sizeof(*a));
	a->fn = fn;
	a->arg = arg;
	ck_assert_int_eq(fiber_init(&a->fiber, RIG_STACK_BYTES, rig_actor_main,
				    a), 0);
	sim_actor_init(&a->actor, id, "rig", &a->fiber);
}

static inline void rig_actor_start(struct rig_actor *a, uint32_t id,
				   uint64_t at_ps,
				   void (*fn)(struct rig_actor *), void *arg)
{
	rig_actor_init(a, id, fn, arg);
	sim_actor_start(&a->actor, at_ps);
}

/* Spend and wait for the turn: from here on it is sim_now for everybody. */
static inline void rig_pass(uint64_t ps)
{
	sim_spend(ps);
	sim_sync();
}

#endif
