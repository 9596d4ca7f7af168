// SPDX-License-Identifier: GPL-2.0-only
#include "sim/trace.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "sim/digest.h"
#include "sim/sim.h"

static struct {
	struct trace_hit ring[TRACE_RING_NR];
	uint64_t hits_nr;
	struct sim_digest digest;
	void (*listener)(void *arg, const struct trace_hit *hit);
	void *listener_arg;
} tracer;

void trace_init(void)
{
	tracer.hits_nr = 0;
	tracer.listener = NULL;
	tracer.listener_arg = NULL;
	sim_digest_init(&tracer.digest);
}

static uint64_t trace_hash(const char *name)
{
	struct sim_digest d;

	sim_digest_init(&d);
	sim_digest_str(&d, name);
	return sim_digest_value(&d) | 1;
}

static void trace_digest_hit(const struct trace_hit *hit)
{
	struct sim_digest *d = &tracer.digest;

	sim_digest_u64(d, hit->point->hash);
	sim_digest_u64(d, hit->time_ps);
	sim_digest_u64(d, hit->actor);
	for (int i = 0; i < TRACE_ARGS_NR; i++)
		sim_digest_u64(d, hit->arg[i]);
}

void trace(struct trace_point *tp, uint64_t a, uint64_t b, uint64_t c)
{
	struct trace_hit *hit = &tracer.ring[tracer.hits_nr++ %
					     TRACE_RING_NR];

	if (!tp->hash)
		tp->hash = trace_hash(tp->name);
	hit->time_ps = sim_now();
	hit->point = tp;
	hit->actor = sim.actor ? sim.actor->id : TRACE_NO_ACTOR;
	hit->arg[0] = a;
	hit->arg[1] = b;
	hit->arg[2] = c;
	trace_digest_hit(hit);
	if (tracer.listener)
		tracer.listener(tracer.listener_arg, hit);
}

void trace_set_listener(void (*fn)(void *arg, const struct trace_hit *hit),
			void *arg)
{
	tracer.listener = fn;
	tracer.listener_arg = arg;
}

uint64_t trace_digest(void)
{
	return sim_digest_value(&tracer.digest);
}

uint64_t trace_hits_nr(void)
{
	return tracer.hits_nr;
}

static void trace_print_args(FILE *out, const struct trace_hit *hit)
{
	const char *name = hit->point->args;

	for (int i = 0; i < TRACE_ARGS_NR && *name; i++) {
		size_t len = strcspn(name, ",");

		fprintf(out, " %.*s=%" PRIu64, (int)len, name, hit->arg[i]);
		name += len + (name[len] == ',');
	}
}

static void trace_print(FILE *out, const struct trace_hit *hit)
{
	fprintf(out, "%12" PRIu64 ".%03" PRIu64 " ns  ",
		hit->time_ps / SIM_PS_PER_NS, hit->time_ps % SIM_PS_PER_NS);
	if (hit->actor == TRACE_NO_ACTOR)
		fputs("     -", out);
	else
		fprintf(out, "%6" PRIu32, hit->actor);
	fprintf(out, "  %-14s", hit->point->name);
	trace_print_args(out, hit);
	fputc('\n', out);
}

void trace_print_last(FILE *out, unsigned int nr)
{
	uint64_t i, last = tracer.hits_nr;

	if (nr > TRACE_RING_NR)
		nr = TRACE_RING_NR;
	for (i = last > nr ? last - nr : 0; i < last; i++)
		trace_print(out, &tracer.ring[i % TRACE_RING_NR]);
}
