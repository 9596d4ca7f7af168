// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the discrete-event kernel costs in wall time. Not a test: nothing is
 * judged. Prints a line per measurement, "name ns_per_operation", the best of
 * several repetitions, since noise on a machine only ever adds.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "sim/fiber.h"
#include "sim/random.h"
#include "sim/sim.h"

#define REPEAT_NR	7
#define HOLDS_NR	1000000u
#define SWITCHES_NR	2000000u
#define TURNS_NR	500000u
#define DELAYS_NR	4096u	/* power of two */
#define STACK_BYTES	(64u << 10)

static uint64_t delay_ps[DELAYS_NR];
static uint64_t left_nr;

static double wall_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e9 + (double)ts.tv_nsec;
}

static void *alloc_array(size_t nr, size_t bytes)
{
	void *p = calloc(nr, bytes);

	if (!p) {
		perror("bench-engine");
		exit(2);
	}
	return p;
}

static void report(const char *name, uint64_t nr, double best_ns)
{
	printf("%-24s %10.2f\n", name, best_ns / (double)nr);
}

/* Hold model: each event that runs posts itself again, a random time later. */
static void hold(struct sim_event *ev)
{
	if (left_nr-- == 1)
		sim_stop();
	sim_event_post(ev, sim_now() + delay_ps[left_nr % DELAYS_NR]);
}

static double hold_run(struct sim_event *events, uint32_t pending_nr)
{
	double start_ns;

	sim_init();
	for (uint32_t i = 0; i < pending_nr; i++) {
		sim_event_init(&events[i], hold);
		sim_event_post(&events[i], delay_ps[i % DELAYS_NR] + i);
	}
	left_nr = HOLDS_NR;
	start_ns = wall_ns();
	sim_run();
	start_ns = wall_ns() - start_ns;
	sim_fini();
	return start_ns;
}

static void bench_hold(uint32_t pending_nr)
{
	struct sim_event *events = alloc_array(pending_nr, sizeof(*events));
	double best_ns = hold_run(events, pending_nr);
	char name[32];

	for (int i = 1; i < REPEAT_NR; i++) {
		double ns = hold_run(events, pending_nr);

		best_ns = ns < best_ns ? ns : best_ns;
	}
	snprintf(name, sizeof(name), "hold-%u", pending_nr);
	report(name, HOLDS_NR, best_ns);
	free(events);
}

static struct fiber self, other;

static void bounce(void *arg)
{
	(void)arg;
	for (;;)
		fiber_switch(&other, &self);
}

static void bench_fiber(void)
{
	double best_ns = 0;

	fiber_init_self(&self);
	if (fiber_init(&other, STACK_BYTES, bounce, NULL)) {
		fprintf(stderr, "bench-engine: no memory for a stack\n");
		exit(2);
	}
	for (int i = 0; i < REPEAT_NR; i++) {
		double ns = wall_ns();

		for (uint32_t n = 0; n < SWITCHES_NR / 2; n++)
			fiber_switch(&self, &other);
		ns = wall_ns() - ns;
		if (!i || ns < best_ns)
			best_ns = ns;
	}
	report("fiber-switch", SWITCHES_NR, best_ns);
	fiber_fini(&other);
}

/* Actors that overtake each other: every turn ends in a switch. */
static void turns(void *arg)
{
	(void)arg;
	for (;;) {
		if (left_nr-- == 1)
			sim_stop();
		sim_spend(SIM_PS_PER_NS);
		sim_sync();
	}
}

static double actors_run(struct sim_actor *actors, struct fiber *fibers,
			 uint32_t actors_nr, uint64_t *switches_nr)
{
	double ns;

	sim_init();
	for (uint32_t i = 0; i < actors_nr; i++) {
		if (fiber_init(&fibers[i], STACK_BYTES, turns, NULL)) {
			fprintf(stderr, "bench-engine: no memory for stacks\n");
			exit(2);
		}
		sim_actor_init(&actors[i], i, "turns", &fibers[i]);
		sim_actor_start(&actors[i], 0);
	}
	left_nr = TURNS_NR;
	ns = wall_ns();
	sim_run();
	ns = wall_ns() - ns;
	*switches_nr = sim.switches_nr;
	sim_fini();
	for (uint32_t i = 0; i < actors_nr; i++)
		fiber_fini(&fibers[i]);
	return ns;
}

static void bench_actors(uint32_t actors_nr)
{
	struct sim_actor *actors = alloc_array(actors_nr, sizeof(*actors));
	struct fiber *fibers = alloc_array(actors_nr, sizeof(*fibers));
	uint64_t switches_nr = 1;
	double best_ns = 0;
	char name[32];

	for (int i = 0; i < REPEAT_NR; i++) {
		double ns = actors_run(actors, fibers, actors_nr, &switches_nr);

		if (!i || ns < best_ns)
			best_ns = ns;
	}
	snprintf(name, sizeof(name), "actor-switch-%u", actors_nr);
	report(name, switches_nr, best_ns);
	free(fibers);
	free(actors);
}

int main(void)
{
	struct sim_random random;

	sim_random_init(&random, 1, "bench.delay");
	for (uint32_t i = 0; i < DELAYS_NR; i++)
		delay_ps[i] = sim_random_below(&random, 2 * SIM_PS_PER_US);

	printf("# fibers: %s; ns per operation, best of %d\n", fiber_kind(),
	       REPEAT_NR);
	bench_hold(10);
	bench_hold(256);
	bench_hold(1000);
	bench_hold(100000);
	bench_fiber();
	bench_actors(2);
	bench_actors(16);
	bench_actors(64);
	return 0;
}
