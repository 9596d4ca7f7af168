/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Always-on assertions about ourselves, never about input or guest behaviour.
 * A failure prints simulated time, actor, the last trace lines and what the
 * context hook adds (seed, scenario, the command that repeats it), then aborts.
 */
#ifndef SIM_ASSERT_H
#define SIM_ASSERT_H

#define sim_assert(cond)						\
	do {								\
		if (__builtin_expect(!(cond), 0))			\
			sim_panic(__FILE__, __LINE__, #cond);		\
	} while (0)

void sim_panic(const char *file, int line, const char *what)
	__attribute__((noreturn));

/* Called by sim_panic with @arg to print, to stderr, what the run was. */
void sim_panic_set_context(void (*fn)(void *arg), void *arg);

#endif
