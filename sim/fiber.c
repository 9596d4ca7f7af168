// SPDX-License-Identifier: GPL-2.0-only
#include "sim/fiber.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "sim/assert.h"

#if defined(__SANITIZE_ADDRESS__)
#define FIBER_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FIBER_ASAN 1
#endif
#endif

#ifdef FIBER_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>

/* AddressSanitizer keeps the bounds of the current stack; tell it of each change. */
static struct fiber *fiber_left;

static void fiber_leave(struct fiber *from, struct fiber *to)
{
	fiber_left = from;
	__sanitizer_start_switch_fiber(&from->asan_fake_stack, to->stack,
				       to->stack_bytes);
}

static void fiber_arrive(struct fiber *self)
{
	const void *bottom;
	size_t bytes;

	__sanitizer_finish_switch_fiber(self->asan_fake_stack, &bottom, &bytes);
	if (!fiber_left->stack) {
		fiber_left->stack = (char *)(uintptr_t)bottom;
		fiber_left->stack_bytes = bytes;
	}
}

/* Functions that never return leave marks on the stack; its memory goes on. */
static void fiber_forget(struct fiber *f)
{
	__asan_unpoison_memory_region(f->stack, f->stack_bytes);
}
#else
static inline void fiber_leave(struct fiber *from, struct fiber *to)
{
	(void)from;
	(void)to;
}

static inline void fiber_arrive(struct fiber *self)
{
	(void)self;
}

static inline void fiber_forget(struct fiber *f)
{
	(void)f;
}
#endif

void fiber_returned(void) __attribute__((noreturn));

void fiber_returned(void)
{
	sim_panic(__FILE__, __LINE__, "a fiber's function returned");
}

#ifdef __x86_64__

void fiber_call_at(void *sp, void (*fn)(void *), void *arg);

/* More than the frames before a fiber's function take in any build. */
#define FIBER_HEAD_BYTES	1024u

static void fiber_run(struct fiber *f)
{
	fiber_call_at(f->stack + f->stack_bytes - FIBER_HEAD_BYTES, f->fn,
		      f->arg);
}

#else

static void fiber_run(struct fiber *f)
{
	f->fn(f->arg);
}

#endif

static void fiber_main(struct fiber *f)
{
	fiber_arrive(f);
	fiber_run(f);
	fiber_returned();
}

#if defined(__x86_64__) && !defined(FIBER_UCONTEXT)

void fiber_switch_regs(struct fiber *from, struct fiber *to);
void fiber_enter(void);

/* Words that fiber_switch_regs pops, lowest address first. */
enum { FRAME_R15, FRAME_R14, FRAME_R13, FRAME_R12, FRAME_RBX, FRAME_RBP,
       FRAME_RIP, FRAME_WORDS };

/* Two words stay above the frame: the ABI wants rsp on 16 bytes before a call. */
static int fiber_prepare(struct fiber *f)
{
	uintptr_t top = (uintptr_t)f->stack + f->stack_bytes;
	uintptr_t *frame = (uintptr_t *)top - FRAME_WORDS - 2;

	memset(frame, 0, FRAME_WORDS * sizeof(*frame));
	frame[FRAME_R12] = (uintptr_t)f;
	frame[FRAME_R13] = (uintptr_t)fiber_main;
	frame[FRAME_RIP] = (uintptr_t)fiber_enter;
	f->sp = frame;
	return 0;
}

static void fiber_discard(struct fiber *f)
{
	f->sp = NULL;
}

static inline void fiber_swap(struct fiber *from, struct fiber *to)
{
	fiber_switch_regs(from, to);
}

const char *fiber_kind(void)
{
	return "x86-64 assembler";
}

#else

#include <ucontext.h>

/* makecontext passes ints only; a pointer travels as two of them. */
static void fiber_main_split(unsigned int high, unsigned int low)
{
	fiber_main((struct fiber *)((uintptr_t)high << 32 | low));
}

static int fiber_prepare(struct fiber *f)
{
	ucontext_t *uc = malloc(sizeof(*uc));

	if (!uc)
		return -ENOMEM;
	getcontext(uc);
	uc->uc_stack.ss_sp = f->stack;
	uc->uc_stack.ss_size = f->stack_bytes;
	uc->uc_link = NULL;
	makecontext(uc, (void (*)(void))fiber_main_split, 2,
		    (unsigned int)((uintptr_t)f >> 32), (unsigned int)(uintptr_t)f);
	f->context = uc;
	return 0;
}

static void fiber_discard(struct fiber *f)
{
	free(f->context);
	f->context = NULL;
}

static inline void fiber_swap(struct fiber *from, struct fiber *to)
{
	if (!from->context) {
		from->context = malloc(sizeof(ucontext_t));
		sim_assert(from->context);
	}
	swapcontext(from->context, to->context);
}

const char *fiber_kind(void)
{
	return "ucontext";
}

#endif

void fiber_switch(struct fiber *from, struct fiber *to)
{
	fiber_leave(from, to);
	fiber_swap(from, to);
	fiber_arrive(from);
}

static size_t fiber_round(size_t bytes)
{
	return (bytes + FIBER_PAGE_BYTES - 1) & ~(size_t)(FIBER_PAGE_BYTES - 1);
}

size_t fiber_area_bytes(size_t stack_bytes)
{
	return fiber_round(stack_bytes) + FIBER_PAGE_BYTES;
}

int fiber_init_at(struct fiber *f, void *area, size_t stack_bytes,
		  void (*fn)(void *), void *arg)
{
	int err;

	memset(f, 0, sizeof(*f));
	if (mprotect(area, FIBER_PAGE_BYTES, PROT_NONE))
		return -errno;
	f->fn = fn;
	f->arg = arg;
	f->stack = (char *)area + FIBER_PAGE_BYTES;
	f->stack_bytes = fiber_round(stack_bytes);
	f->lent = true;
	err = fiber_prepare(f);
	if (err)
		fiber_fini(f);
	return err;
}

int fiber_init(struct fiber *f, size_t stack_bytes, void (*fn)(void *),
	       void *arg)
{
	size_t bytes = fiber_area_bytes(stack_bytes);
	void *area = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int err;

	if (area == MAP_FAILED)
		return -ENOMEM;
	err = fiber_init_at(f, area, stack_bytes, fn, arg);
	if (err) {
		munmap(area, bytes);
		return err;
	}
	f->lent = false;
	return 0;
}

void fiber_init_self(struct fiber *f)
{
	memset(f, 0, sizeof(*f));
}

void fiber_fini(struct fiber *f)
{
	char *area;

	fiber_discard(f);
	if (!f->fn)
		return;
	fiber_forget(f);
	area = f->stack - FIBER_PAGE_BYTES;
	if (f->lent)
		mprotect(area, FIBER_PAGE_BYTES, PROT_READ | PROT_WRITE);
	else
		munmap(area, f->stack_bytes + FIBER_PAGE_BYTES);
	f->fn = NULL;
}
