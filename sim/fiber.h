/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fibers: stacks that are switched by hand.
 *
 * On x86-64 a switch is a dozen instructions (about 2 ns); elsewhere, or with
 * -DFIBER_UCONTEXT, it is swapcontext. Signal masks and floating-point control
 * words are not switched.
 *
 * On x86-64 a fiber's function begins at the same place of its stack
 * in every build of ours, whatever the compiler: guest stacks lie in simulated
 * memory, where addresses decide which variables share a cache line.
 */
#ifndef SIM_FIBER_H
#define SIM_FIBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FIBER_PAGE_BYTES	4096u
#define FIBER_DEPTH_MAX		64u

/*
 * @sp:      saved stack pointer while the fiber does not run (assembler switch)
 * @context: the same for ucontext, allocated
 * @stack:   lowest usable address; the page below it is a guard page. NULL for
 *           a thread's own stack.
 * @lent:    the stack is the caller's memory
 * @calls:   return addresses of the instrumented functions the fiber is in,
 *           outermost first; only the first FIBER_DEPTH_MAX are kept, @depth
 *           counts all. Kept by whoever instruments, not by this file.
 */
struct fiber {
	void *sp;
	void *context;
	void (*fn)(void *arg);
	void *arg;
	char *stack;
	size_t stack_bytes;
	bool lent;
	void *asan_fake_stack;
	uint32_t depth;
	uintptr_t calls[FIBER_DEPTH_MAX];
};

/* Bytes that fiber_init_at needs for a stack of @stack_bytes, guard included. */
size_t fiber_area_bytes(size_t stack_bytes);

/*
 * A fiber with its own mapping for the stack. @stack_bytes is rounded up to
 * whole pages. @fn must not return (it ends by switching away for good).
 * Returns 0 or -ENOMEM.
 */
int fiber_init(struct fiber *f, size_t stack_bytes, void (*fn)(void *),
	       void *arg);

/*
 * The same on memory of the caller's: @area is page aligned and has
 * fiber_area_bytes(@stack_bytes) bytes; its first page becomes the guard.
 * Returns 0 or -errno.
 */
int fiber_init_at(struct fiber *f, void *area, size_t stack_bytes,
		  void (*fn)(void *), void *arg);

/* Make the calling thread's own stack a fiber, so that it can be returned to. */
void fiber_init_self(struct fiber *f);

/* Release a fiber that does not run; an @area of the caller's becomes writable again. */
void fiber_fini(struct fiber *f);

/* Save the running fiber in @from, go on with @to. */
void fiber_switch(struct fiber *from, struct fiber *to);

/* Which build: "x86-64 assembler" or "ucontext". */
const char *fiber_kind(void);

#endif
