// SPDX-License-Identifier: GPL-2.0-only
#define _GNU_SOURCE	/* REG_RIP */
#include "model/harness/crash.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "model/harness/symbolize.h"
#include "model/hw/ram.h"
#include "sim/sim.h"
#include "sim/trace.h"

#define CRASH_STACK_BYTES	(256u * 1024)
#define CRASH_TRACE_NR		24u

static const int crash_signals[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE };

static void (*crash_tell)(const char *why, void *arg);
static void *crash_arg;

/* After a jump into nowhere the return address is the last good one. */
static uintptr_t crash_address(const ucontext_t *uc)
{
#ifdef __x86_64__
	uintptr_t ip = (uintptr_t)uc->uc_mcontext.gregs[REG_RIP];
	uintptr_t sp = (uintptr_t)uc->uc_mcontext.gregs[REG_RSP];

	if (ip < 4096 && ram_valid(sp - RAM_BASE, sizeof(uintptr_t)))
		return *(const uintptr_t *)sp;
	return ip;
#else
	(void)uc;
	return 0;
#endif
}

/* An address just below a stack is its guard page. */
static bool crash_is_overflow(const siginfo_t *info)
{
	const struct fiber *f = sim.actor ? sim.actor->fiber : NULL;
	uintptr_t addr = (uintptr_t)info->si_addr;

	return f && f->stack && addr < (uintptr_t)f->stack &&
	       addr >= (uintptr_t)f->stack - FIBER_PAGE_BYTES;
}

static void crash_describe(int sig, const siginfo_t *info,
			   const ucontext_t *uc, char *why, size_t bytes)
{
	char where[160];

	symbolize(crash_address(uc), where, sizeof(where));
	snprintf(why, bytes,
		 "%s in %s at %" PRIu64 ".%03" PRIu64 " ns of simulated time, on %s, address %#" PRIxPTR,
		 crash_is_overflow(info) ? "stack overflow" : strsignal(sig),
		 where, sim.now_ps / SIM_PS_PER_NS, sim.now_ps % SIM_PS_PER_NS,
		 sim.actor ? sim.actor->name : "no actor",
		 (uintptr_t)info->si_addr);
}

static void crash_handle(int sig, siginfo_t *info, void *context)
{
	char why[512];

	crash_describe(sig, info, context, why, sizeof(why));
	fprintf(stderr, "\ncrash: %s\n", why);
	if (sim.actor) {
		fputs("  called from (guest functions only):\n", stderr);
		symbolize_calls(stderr, sim.actor->fiber, "    ");
	}
	fputs("  last trace points (time, actor, point):\n", stderr);
	trace_print_last(stderr, CRASH_TRACE_NR);
	crash_tell(why, crash_arg);
	abort();
}

void crash_catch(void (*tell)(const char *why, void *arg), void *arg)
{
	static char stack[CRASH_STACK_BYTES];
	stack_t alt = { .ss_sp = stack, .ss_size = sizeof(stack) };
	struct sigaction action = { .sa_sigaction = crash_handle };

	crash_tell = tell;
	crash_arg = arg;
	sigaltstack(&alt, NULL);
	action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND;
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof(crash_signals) / sizeof(int); i++)
		sigaction(crash_signals[i], &action, NULL);
}
