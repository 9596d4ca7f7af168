// SPDX-License-Identifier: GPL-2.0-only
#include "sim/assert.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/sim.h"
#include "sim/trace.h"

#define PANIC_TRACE_NR	32u

static void (*panic_context)(void *arg);
static void *panic_context_arg;

void sim_panic_set_context(void (*fn)(void *arg), void *arg)
{
	panic_context = fn;
	panic_context_arg = arg;
}

void sim_panic(const char *file, int line, const char *what)
{
	fprintf(stderr,
		"\nvblksim: this is our mistake, not the guest's: %s\n"
		"  at %s:%d, simulated time %" PRIu64 " ps, actor %s\n",
		what, file, line, sim.now_ps,
		sim.actor ? sim.actor->name : "none");
	if (panic_context)
		panic_context(panic_context_arg);
	fputs("  last trace points (time, actor, point):\n", stderr);
	trace_print_last(stderr, PANIC_TRACE_NR);
	abort();
}
