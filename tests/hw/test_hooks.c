// SPDX-License-Identifier: GPL-2.0-only
/*
 * The hooks are called by hand, under names of our own: gcc knows the real ones
 * and has an opinion on their types as soon as any sanitizer is on.
 */
#include <check.h>

#include "model/hw/hooks.h"
#include "model/hw/lines.h"
#include "sim/random.h"
#include "tests/hw/rig.h"

#define HIT	1u
#define MISS	801u
#define ATOMIC	20u

void read1(void *a) __asm__("__tsan_read1");
void read2(void *a) __asm__("__tsan_read2");
void read4(void *a) __asm__("__tsan_read4");
void read8(void *a) __asm__("__tsan_read8");
void read16(void *a) __asm__("__tsan_read16");
void write1(void *a) __asm__("__tsan_write1");
void write2(void *a) __asm__("__tsan_write2");
void write4(void *a) __asm__("__tsan_write4");
void write8(void *a) __asm__("__tsan_write8");
void write16(void *a) __asm__("__tsan_write16");
void unaligned_read4(void *a) __asm__("__tsan_unaligned_read4");
void unaligned_write8(void *a) __asm__("__tsan_unaligned_write8");
void volatile_read4(void *a) __asm__("__tsan_volatile_read4");
void volatile_write4(void *a) __asm__("__tsan_volatile_write4");
void read_range(void *a, size_t n) __asm__("__tsan_read_range");
void write_range(void *a, size_t n) __asm__("__tsan_write_range");
void func_entry(void *pc) __asm__("__tsan_func_entry");
void func_exit(void) __asm__("__tsan_func_exit");
void thread_fence(int mo) __asm__("__tsan_atomic_thread_fence");
void signal_fence(int mo) __asm__("__tsan_atomic_signal_fence");
void hooks_init(void) __asm__("__tsan_init");

static struct rig_cpu cpu[2];
static void (*body)(void);

static void run_body(struct rig_cpu *c)
{
	(void)c;
	body();
}

static void on_thread(void (*fn)(void))
{
	rig_hw_init();
	body = fn;
	rig_thread_start(&cpu[0], 0, run_body, NULL);
	ck_assert_int_eq(sim_run(), SIM_END_QUIET);
	rig_hw_fini();
	fiber_fini(&cpu[0].fiber);
}

static void *at(uint64_t offset)
{
	return ram_va(RIG_PA + offset);
}

/* What @call costs */
#define COST(call) ({							\
		uint64_t start_ps_ = sim_now();				\
									\
		call;							\
		sim_now() - start_ps_;					\
	})

static void plain(void)
{
	void (*const rd[])(void *) = { read1, read2, read4, read8, read16,
				       unaligned_read4, volatile_read4 };
	void (*const wr[])(void *) = { write1, write2, write4, write8, write16,
				       unaligned_write8, volatile_write4 };

	for (int i = 0; i < 7; i++) {
		ck_assert_uint_eq(COST(rd[i](at(128 * i))), MISS);
		ck_assert_uint_eq(COST(rd[i](at(128 * i))), HIT);
		ck_assert_uint_eq(COST(wr[i](at(128 * i))), HIT);
		ck_assert_uint_eq(COST(wr[i](at(128 * i + 64))), MISS);
	}
	ck_assert_uint_eq(COST(unaligned_read4(at(2048 + 62))), 2 * MISS);
	ck_assert_uint_eq(COST(read_range(at(4096), 256)), 4 * MISS);
	ck_assert_uint_eq(COST(write_range(at(4096 + 1), 63)), HIT);
	ck_assert_uint_eq(COST(read_range(at(8192), 0)), 0);
	ck_assert_uint_eq(COST(hooks_range(at(8192), 65, 1)), 2 * MISS);
	ck_assert_uint_eq(COST(hooks_range(at(8192), 0, 1)), 0);
	ck_assert_uint_eq(cpu[0].vcpu.thread.stats.accesses_nr,
			  7 * 4 + 2 + 4 + 1 + 2);
}

START_TEST(plain_accesses_are_charged_by_the_line)
{
	on_thread(plain);
}
END_TEST

/*
 * Each operation of each width against the compiler's own, on random values;
 * inside an actor, where it is also charged, and outside.
 */
static struct sim_random random_values;
static uint64_t charged_ps;

/* Small numbers too, so that comparisons are equal now and then. */
static uint64_t value(void)
{
	uint64_t v = sim_random_u64(&random_values);

	return v & 1 ? v : v >> 62;
}

static void expect_charge(uint64_t ps)
{
	charged_ps += sim.actor ? ps : 0;
	rig_assert(sim_now() == charged_ps);
}

#define FETCH(type, bits, op)						\
	type fetch_##op##bits(volatile type *a, type v, int mo)		\
		__asm__("__tsan_atomic" #bits "_fetch_" #op);		\
	static void check_##op##bits(type *a)				\
	{								\
		type b = *a, v = (type)value();				\
									\
		rig_assert(fetch_##op##bits(a, v, __ATOMIC_SEQ_CST) ==	\
			   __atomic_fetch_##op(&b, v, __ATOMIC_SEQ_CST)); \
		rig_assert(*a == b);					\
		expect_charge(HIT + ATOMIC);				\
	}

#define ATOMICS(type, bits)						\
	FETCH(type, bits, add)						\
	FETCH(type, bits, sub)						\
	FETCH(type, bits, and)						\
	FETCH(type, bits, or)						\
	FETCH(type, bits, xor)						\
	FETCH(type, bits, nand)						\
	type load##bits(const volatile type *a, int mo)			\
		__asm__("__tsan_atomic" #bits "_load");			\
	void store##bits(volatile type *a, type v, int mo)		\
		__asm__("__tsan_atomic" #bits "_store");		\
	type exchange##bits(volatile type *a, type v, int mo)		\
		__asm__("__tsan_atomic" #bits "_exchange");		\
	int cas_strong##bits(volatile type *a, type *c, type v, int mo,	\
			     int fmo)					\
		__asm__("__tsan_atomic" #bits "_compare_exchange_strong"); \
	int cas_weak##bits(volatile type *a, type *c, type v, int mo,	\
			   int fmo)					\
		__asm__("__tsan_atomic" #bits "_compare_exchange_weak"); \
	type cas_val##bits(volatile type *a, type c, type v, int mo,	\
			   int fmo)					\
		__asm__("__tsan_atomic" #bits "_compare_exchange_val");	\
	static void check_moves##bits(type *a)				\
	{								\
		type old = *a, v = (type)value();			\
									\
		rig_assert(load##bits(a, __ATOMIC_ACQUIRE) == old);	\
		expect_charge(HIT);					\
		rig_assert(exchange##bits(a, v, __ATOMIC_SEQ_CST) == old); \
		rig_assert(*a == v);					\
		expect_charge(HIT + ATOMIC);				\
		store##bits(a, old, __ATOMIC_RELEASE);			\
		rig_assert(*a == old);					\
		expect_charge(HIT);					\
		store##bits(a, v, __ATOMIC_SEQ_CST);			\
		rig_assert(*a == v);					\
		expect_charge(HIT + ATOMIC);				\
	}								\
	static void check_cas##bits(type *a, bool weak)			\
	{								\
		type old = *a, c = (type)value(), v = (type)value();	\
		type was = c;						\
		int same = (weak ? cas_weak##bits : cas_strong##bits)(	\
			a, &c, v, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);	\
									\
		rig_assert(same == (old == was));			\
		rig_assert(*a == (same ? v : old) && c == old);		\
		expect_charge(HIT + ATOMIC);				\
		old = *a;						\
		was = (type)value();					\
		v = (type)value();					\
		rig_assert(cas_val##bits(a, was, v, __ATOMIC_SEQ_CST,	\
					 __ATOMIC_RELAXED) == old);	\
		rig_assert(*a == (old == was ? v : old));		\
		expect_charge(HIT + ATOMIC);				\
	}								\
	static void check_all##bits(void)				\
	{								\
		type *a = at(0);					\
									\
		for (int i = 0; i < 2000; i++) {			\
			check_add##bits(a);				\
			check_sub##bits(a);				\
			check_and##bits(a);				\
			check_or##bits(a);				\
			check_xor##bits(a);				\
			check_nand##bits(a);				\
			check_moves##bits(a);				\
			*a = (type)value();				\
			check_cas##bits(a, i & 1);			\
		}							\
	}

ATOMICS(uint8_t, 8)
ATOMICS(uint16_t, 16)
ATOMICS(uint32_t, 32)
ATOMICS(uint64_t, 64)

static void atomics(void)
{
	sim_random_init(&random_values, 1, "test.hooks");
	if (sim.actor)
		write8(at(0));
	charged_ps = sim_now();
	check_all8();
	check_all16();
	check_all32();
	check_all64();
}

START_TEST(atomics_do_what_the_builtins_do_and_are_charged)
{
	on_thread(atomics);
	ck_assert_uint_gt(charged_ps, 0);
}
END_TEST

START_TEST(atomics_outside_an_actor_work_and_cost_nothing)
{
	rig_hw_init();
	atomics();
	ck_assert_uint_eq(sim_now(), 0);
	rig_hw_fini();
}
END_TEST

START_TEST(other_hooks_outside_an_actor_do_nothing)
{
	hooks_init();
	write8(&body);
	read_range(&body, 1000);
	func_entry(&body);
	func_exit();
	thread_fence(__ATOMIC_SEQ_CST);
	signal_fence(__ATOMIC_SEQ_CST);
	ck_assert_uint_eq(sim_now(), 0);
	ck_assert_ptr_null(sim.actor);
}
END_TEST

/* Lost updates would show at once: each actor gives way before each access. */
static void count_up(struct rig_cpu *c)
{
	(void)c;
	for (int i = 0; i < 1000; i++)
		fetch_add32(at(0), 1, __ATOMIC_RELAXED);
}

static void count_up_badly(struct rig_cpu *c)
{
	uint32_t *p = at(64);

	(void)c;
	for (int i = 0; i < 1000; i++) {
		uint32_t v;

		read4(p);
		v = *p;
		write4(p);
		*p = v + 1;
	}
}

static void count_on_two(void (*fn)(struct rig_cpu *))
{
	rig_hw_init();
	rig_thread_start(&cpu[0], 0, fn, NULL);
	rig_thread_start(&cpu[1], 2, fn, NULL);
	ck_assert_int_eq(sim_run(), SIM_END_QUIET);
}

static void count_end(void)
{
	rig_hw_fini();
	fiber_fini(&cpu[0].fiber);
	fiber_fini(&cpu[1].fiber);
}

START_TEST(atomic_updates_of_two_threads_are_not_lost_and_plain_ones_are)
{
	count_on_two(count_up);
	ck_assert_uint_eq(*(uint32_t *)at(0), 2000);
	count_end();
	count_on_two(count_up_badly);
	ck_assert_uint_lt(*(uint32_t *)at(64), 2000);
	count_end();
}
END_TEST

static void calls(void)
{
	const struct fiber *f = &cpu[0].fiber;
	char pc[2 * FIBER_DEPTH_MAX];

	ck_assert_uint_eq(f->depth, 0);
	for (uint32_t i = 0; i < 2 * FIBER_DEPTH_MAX; i++) {
		ck_assert_uint_eq(COST(func_entry(&pc[i])), 3);
		ck_assert_uint_eq(f->depth, i + 1);
	}
	for (uint32_t i = 0; i < FIBER_DEPTH_MAX; i++)
		ck_assert_uint_eq(f->calls[i], (uintptr_t)&pc[i]);
	for (uint32_t i = 2 * FIBER_DEPTH_MAX; i-- > 0;) {
		ck_assert_uint_eq(COST(func_exit()), 0);
		ck_assert_uint_eq(f->depth, i);
	}
	/* nothing was written behind the list */
	ck_assert(cpu[0].fn == run_body && !cpu[0].arg);
	/* the outermost are those of the last calls */
	func_entry(&pc[5]);
	ck_assert_uint_eq(f->calls[0], (uintptr_t)&pc[5]);
	func_exit();
}

START_TEST(calls_are_charged_and_listed_up_to_a_depth)
{
	on_thread(calls);
}
END_TEST

static void fences(void)
{
	ck_assert_uint_eq(COST(thread_fence(__ATOMIC_SEQ_CST)), 30);
	ck_assert_uint_eq(COST(signal_fence(__ATOMIC_SEQ_CST)), 0);
}

START_TEST(thread_fence_costs_a_barrier_and_signal_fence_nothing)
{
	on_thread(fences);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("hw/hooks");
	TCase *tc = tcase_create("hooks");
	SRunner *sr = srunner_create(s);
	int failed;

	tcase_add_test(tc, plain_accesses_are_charged_by_the_line);
	tcase_add_test(tc, atomics_do_what_the_builtins_do_and_are_charged);
	tcase_add_test(tc, atomics_outside_an_actor_work_and_cost_nothing);
	tcase_add_test(tc, other_hooks_outside_an_actor_do_nothing);
	tcase_add_test(tc,
		atomic_updates_of_two_threads_are_not_lost_and_plain_ones_are);
	tcase_add_test(tc, calls_are_charged_and_listed_up_to_a_depth);
	tcase_add_test(tc,
		thread_fence_costs_a_barrier_and_signal_fence_nothing);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? 1 : 0;
}
