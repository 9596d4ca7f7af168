// SPDX-License-Identifier: GPL-2.0-only
#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "sim/fiber.h"
#include "tests/sim/died.h"

#define STACK_BYTES	(64u << 10)
#define MANY_NR		1000u

static struct fiber self, other;
static uint64_t got;

static void start(void (*fn)(void *), void *arg)
{
	fiber_init_self(&self);
	ck_assert_int_eq(fiber_init(&other, STACK_BYTES, fn, arg), 0);
}

static void end(void)
{
	fiber_fini(&other);
	fiber_fini(&self);
}

static void back(void)
{
	fiber_switch(&other, &self);
}

static void there(void)
{
	fiber_switch(&self, &other);
}

static void take_argument(void *arg)
{
	got = *(uint64_t *)arg;
	for (;;)
		back();
}

START_TEST(function_gets_its_argument)
{
	uint64_t value = 0x123456789abcdef0u;

	start(take_argument, &value);
	there();
	ck_assert_uint_eq(got, value);
	end();
}
END_TEST

static void count(void *arg)
{
	uint64_t n = 0;

	(void)arg;
	for (;; back())
		got = n++;
}

START_TEST(fiber_goes_on_where_it_left)
{
	start(count, NULL);
	for (uint64_t i = 0; i < 100; i++) {
		there();
		ck_assert_uint_eq(got, i);
	}
	end();
}
END_TEST

#ifdef __x86_64__
/* Load every register a callee must keep, switch, and store them again. */
static __attribute__((noinline)) void
switch_with_registers(struct fiber *from, struct fiber *to, uint64_t seed,
		      uint64_t out[6])
{
	__asm__ volatile(
		"movq %%rsp, %%rax\n\t"
		"subq $128, %%rsp\n\t"
		"andq $-16, %%rsp\n\t"
		"pushq %%rax\n\t"
		"pushq %%rbp\n\t"
		"pushq %%rdx\n\t"
		"pushq %%rdx\n\t"
		"movq %%rcx, %%rbx\n\t"
		"leaq 1(%%rcx), %%rbp\n\t"
		"leaq 2(%%rcx), %%r12\n\t"
		"leaq 3(%%rcx), %%r13\n\t"
		"leaq 4(%%rcx), %%r14\n\t"
		"leaq 5(%%rcx), %%r15\n\t"
		"call fiber_switch\n\t"
		"popq %%rdx\n\t"
		"popq %%rdx\n\t"
		"movq %%rbx, (%%rdx)\n\t"
		"movq %%rbp, 8(%%rdx)\n\t"
		"movq %%r12, 16(%%rdx)\n\t"
		"movq %%r13, 24(%%rdx)\n\t"
		"movq %%r14, 32(%%rdx)\n\t"
		"movq %%r15, 40(%%rdx)\n\t"
		"popq %%rbp\n\t"
		"popq %%rsp\n\t"
		: "+D"(from), "+S"(to), "+c"(seed), "+d"(out)
		:
		: "rax", "rbx", "r8", "r9", "r10", "r11", "r12", "r13", "r14",
		  "r15", "memory", "cc", "xmm0", "xmm1", "xmm2", "xmm3",
		  "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",
		  "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}

static uint64_t registers_wrong_nr;

static void registers_check(struct fiber *from, struct fiber *to, uint64_t seed)
{
	uint64_t out[6] = { 0 };

	switch_with_registers(from, to, seed, out);
	for (uint64_t i = 0; i < 6; i++)
		registers_wrong_nr += out[i] != seed + i;
}

static void registers_there(void *arg)
{
	(void)arg;
	for (uint64_t n = 0;; n++)
		registers_check(&other, &self, ~(n << 20));
}

START_TEST(callee_saved_registers_survive_a_switch)
{
	start(registers_there, NULL);
	for (uint64_t n = 0; n < 1000; n++)
		registers_check(&self, &other, n << 32);
	ck_assert_uint_eq(registers_wrong_nr, 0);
	end();
}
END_TEST
#endif

/* More live values than there are registers, of both kinds. */
static __attribute__((noinline)) uint64_t mix(struct fiber *from,
					      struct fiber *to, uint64_t n)
{
	uint64_t a = n + 1, b = n * 3, c = n ^ 5, d = n << 7, e = ~n, f = n * n;
	double p = (double)n / 3, q = (double)n * 1.25, r = p - q, s = p * q;
	double t = p / (q + 1), u = r * t, v = s - u, w = v / (p + 2);

	fiber_switch(from, to);
	a ^= b + c * d - e + f;
	return a ^ (uint64_t)(int64_t)((p + q + r + s + t + u + v + w) * 1e3);
}

static void mix_there(void *arg)
{
	(void)arg;
	for (uint64_t n = 0;; n++)
		got ^= mix(&other, &self, ~n & 0xfffff);
}

static void mix_nowhere(void *arg)
{
	(void)arg;
	for (;;)
		back();
}

static uint64_t mix_run(void (*fn)(void *))
{
	uint64_t sum = 0;

	start(fn, NULL);
	for (uint64_t n = 0; n < 1000; n++)
		sum = sum * 31 + mix(&self, &other, n);
	end();
	return sum;
}

START_TEST(values_and_doubles_survive_whatever_the_other_fiber_computes)
{
	ck_assert_uint_eq(mix_run(mix_there), mix_run(mix_nowhere));
}
END_TEST

static void print_floats(void *arg)
{
	char *buf = arg;

	snprintf(buf, 64, "%.3f %.2Lf %.1e", 1.0 / 3, 2.5L, 12345.0);
	for (;;)
		back();
}

START_TEST(library_code_with_floats_runs_on_a_fiber)
{
	char buf[64] = "";

	start(print_floats, buf);
	there();
	ck_assert_str_eq(buf, "0.333 2.50 1.2e+04");
	end();
}
END_TEST

/* The compiler must not conclude the alignment from the declaration. */
static uint64_t misalignment(void)
{
	char aligned[16] __attribute__((aligned(16)));
	uintptr_t p = (uintptr_t)aligned;

	__asm__ volatile("" : "+r"(p) : : "memory");
	return p % 16;
}

static void align(void *arg)
{
	(void)arg;
	got = misalignment();
	for (;;)
		back();
}

START_TEST(stack_has_the_alignment_of_the_abi)
{
	got = 1;
	start(align, NULL);
	there();
	ck_assert_uint_eq(got, 0);
	end();
}
END_TEST

struct member {
	struct fiber fiber;
	uint64_t id;
	uint64_t rounds_nr;
	bool bad;
};

static struct fiber hub;

/* Fill an own array, let everybody else do so, and find it unchanged. */
static void member_main(void *arg)
{
	struct member *m = arg;
	uint64_t data[256];

	for (uint64_t i = 0; i < 256; i++)
		data[i] = m->id << 32 | i;
	for (;;) {
		fiber_switch(&m->fiber, &hub);
		for (uint64_t i = 0; i < 256; i++)
			m->bad |= data[i] != ((m->id << 32 | i) +
					      m->rounds_nr * 7);
		for (uint64_t i = 0; i < 256; i++)
			data[i] += 7;
		m->rounds_nr++;
	}
}

START_TEST(thousand_fibers_keep_their_own_stacks)
{
	struct member *m = calloc(MANY_NR, sizeof(*m));

	ck_assert_ptr_nonnull(m);
	fiber_init_self(&hub);
	for (uint32_t i = 0; i < MANY_NR; i++) {
		m[i].id = i + 1;
		ck_assert_int_eq(fiber_init(&m[i].fiber, STACK_BYTES,
					    member_main, &m[i]), 0);
	}
	for (uint32_t round = 0; round < 20; round++)
		for (uint32_t i = 0; i < MANY_NR; i++)
			fiber_switch(&hub, &m[i * 7 % MANY_NR].fiber);
	for (uint32_t i = 0; i < MANY_NR; i++) {
		ck_assert(!m[i].bad);
		ck_assert_uint_eq(m[i].rounds_nr, 19);
		fiber_fini(&m[i].fiber);
	}
	fiber_fini(&hub);
	free(m);
}
END_TEST

static struct fiber chain[3];

static void chain_main(void *arg)
{
	uint64_t i = (uint64_t)(uintptr_t)arg;

	for (;;) {
		got = got * 10 + i;
		fiber_switch(&chain[i], i == 2 ? &self : &chain[i + 1]);
	}
}

START_TEST(fibers_switch_to_each_other_without_a_hub)
{
	got = 0;
	fiber_init_self(&self);
	for (uintptr_t i = 0; i < 3; i++)
		ck_assert_int_eq(fiber_init(&chain[i], STACK_BYTES, chain_main,
					    (void *)i), 0);
	fiber_switch(&self, &chain[0]);
	fiber_switch(&self, &chain[0]);
	ck_assert_uint_eq(got, 12012);
	for (int i = 0; i < 3; i++)
		fiber_fini(&chain[i]);
	fiber_fini(&self);
}
END_TEST

/* Not a tail call: each level needs its frame. */
static __attribute__((noinline)) uint64_t dive(uint64_t depth)
{
	volatile char pad[128];

	pad[0] = (char)depth;
	return depth ? dive(depth - 1) + (uint64_t)pad[0] : 0;
}

static void overflow_main(void *arg)
{
	(void)arg;
	dive(UINT64_MAX);
	back();
}

static void overflow(void)
{
	start(overflow_main, NULL);
	there();
}

static void overflow_on_area(void)
{
	size_t bytes = fiber_area_bytes(STACK_BYTES);

	fiber_init_self(&self);
	fiber_init_at(&other, aligned_alloc(FIBER_PAGE_BYTES, bytes),
		      STACK_BYTES, overflow_main, NULL);
	there();
}

START_TEST(stack_overflow_hits_the_guard_page)
{
	ck_assert_int_eq(died_of(overflow), SIGSEGV);
	ck_assert_int_eq(died_of(overflow_on_area), SIGSEGV);
}
END_TEST

static void write_guard(void)
{
	start(count, NULL);
	*(volatile char *)(other.stack - 1) = 1;
}

static void write_lowest(void)
{
	start(count, NULL);
	*(volatile char *)other.stack = 1;
	there();
}

START_TEST(page_below_the_stack_is_the_guard_and_not_more)
{
	ck_assert_int_eq(died_of(write_guard), SIGSEGV);
	ck_assert_int_eq(died_of(write_lowest), 0);
}
END_TEST

static void return_main(void *arg)
{
	(void)arg;
}

static void return_from_fiber(void)
{
	start(return_main, NULL);
	there();
}

START_TEST(fiber_whose_function_returns_is_refused)
{
	ck_assert_int_eq(died_of(return_from_fiber), SIGABRT);
}
END_TEST

START_TEST(stack_is_rounded_up_to_pages)
{
	ck_assert_uint_eq(fiber_area_bytes(1), 2 * FIBER_PAGE_BYTES);
	ck_assert_uint_eq(fiber_area_bytes(FIBER_PAGE_BYTES),
			  2 * FIBER_PAGE_BYTES);
	ck_assert_uint_eq(fiber_area_bytes(FIBER_PAGE_BYTES + 1),
			  3 * FIBER_PAGE_BYTES);
	ck_assert_int_eq(fiber_init(&other, 1, count, NULL), 0);
	ck_assert_uint_eq(other.stack_bytes, FIBER_PAGE_BYTES);
	fiber_init_self(&self);
	there();
	ck_assert_uint_eq(got, 0);
	end();
}
END_TEST

/* Leaves a deep stack behind, as a fiber that is dropped for good does. */
static void leave_deep(void *arg)
{
	char local[512];

	memset(local, 1, sizeof(local));
	got = (uint64_t)local[7] + (arg != NULL);
	back();
}

START_TEST(lent_area_is_the_callers_again_after_fini)
{
	size_t bytes = fiber_area_bytes(STACK_BYTES);
	char *area = aligned_alloc(FIBER_PAGE_BYTES, bytes);

	ck_assert_ptr_nonnull(area);
	fiber_init_self(&self);
	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(fiber_init_at(&other, area, STACK_BYTES,
					       leave_deep, NULL), 0);
		ck_assert_ptr_eq(other.stack, area + FIBER_PAGE_BYTES);
		there();
		ck_assert_uint_eq(got, 1);
		fiber_fini(&other);
		memset(area, 0x5a, bytes);
	}
	fiber_fini(&self);
	free(area);
}
END_TEST

START_TEST(area_that_cannot_be_protected_is_an_error)
{
	static char buf[3 * FIBER_PAGE_BYTES];

	/* one byte off a page */
	char *area = (char *)(((uintptr_t)buf + FIBER_PAGE_BYTES) &
			      ~(uintptr_t)(FIBER_PAGE_BYTES - 1)) + 1;

	ck_assert_int_lt(fiber_init_at(&other, area, FIBER_PAGE_BYTES, count,
				       NULL), 0);
}
END_TEST

START_TEST(stacks_can_be_made_and_released_for_ever)
{
	fiber_init_self(&self);
	for (int i = 0; i < 5000; i++) {
		ck_assert_int_eq(fiber_init(&other, STACK_BYTES, leave_deep,
					    NULL), 0);
		there();
		fiber_fini(&other);
	}
	fiber_fini(&self);
}
END_TEST

START_TEST(kind_names_this_build)
{
#if defined(__x86_64__) && !defined(FIBER_UCONTEXT)
	ck_assert_str_eq(fiber_kind(), "x86-64 assembler");
#else
	ck_assert_str_eq(fiber_kind(), "ucontext");
#endif
}
END_TEST

int main(void)
{
	Suite *s = suite_create("sim/fiber");
	TCase *tc = tcase_create("fiber");
	SRunner *sr = srunner_create(s);
	int failed;

	tcase_add_test(tc, function_gets_its_argument);
	tcase_add_test(tc, fiber_goes_on_where_it_left);
#ifdef __x86_64__
	tcase_add_test(tc, callee_saved_registers_survive_a_switch);
#endif
	tcase_add_test(tc,
		values_and_doubles_survive_whatever_the_other_fiber_computes);
	tcase_add_test(tc, library_code_with_floats_runs_on_a_fiber);
	tcase_add_test(tc, stack_has_the_alignment_of_the_abi);
	tcase_add_test(tc, thousand_fibers_keep_their_own_stacks);
	tcase_add_test(tc, fibers_switch_to_each_other_without_a_hub);
	tcase_add_test(tc, stack_overflow_hits_the_guard_page);
	tcase_add_test(tc, page_below_the_stack_is_the_guard_and_not_more);
	tcase_add_test(tc, fiber_whose_function_returns_is_refused);
	tcase_add_test(tc, stack_is_rounded_up_to_pages);
	tcase_add_test(tc, lent_area_is_the_callers_again_after_fini);
	tcase_add_test(tc, area_that_cannot_be_protected_is_an_error);
	tcase_add_test(tc, stacks_can_be_made_and_released_for_ever);
	tcase_add_test(tc, kind_names_this_build);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? 1 : 0;
}
