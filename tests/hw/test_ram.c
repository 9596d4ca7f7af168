// SPDX-License-Identifier: GPL-2.0-only
#include <check.h>
#include <errno.h>

#include "tests/hw/rig.h"

#define END_PA	RIG_RAM_BYTES

static struct rig_cpu cpu;
static void (*body)(void);

static void run_body(struct rig_cpu *c)
{
	(void)c;
	body();
}

/* Run @fn on a host thread. */
static void on_thread(void (*fn)(void))
{
	rig_hw_init();
	body = fn;
	rig_thread_start(&cpu, 0, run_body, NULL);
	ck_assert_int_eq(sim_run(), SIM_END_QUIET);
	ck_assert_int_eq(cpu.vcpu.thread.actor.state, SIM_ACTOR_DONE);
	rig_hw_fini();
	fiber_fini(&cpu.fiber);
}

START_TEST(init_refuses_what_is_not_pages_up_to_the_limit)
{
	ck_assert_int_eq(ram_init(0), -EINVAL);
	ck_assert_int_eq(ram_init(RAM_PAGE_BYTES - 1), -EINVAL);
	ck_assert_int_eq(ram_init(RIG_RAM_BYTES + 512), -EINVAL);
	ck_assert_int_eq(ram_init(RAM_MAX_BYTES + RAM_PAGE_BYTES), -EINVAL);
	ck_assert_uint_eq(ram_bytes(), 0);
	ck_assert(!ram_valid(RAM_FIRST_PA, 0));
	ck_assert_int_eq(ram_init(RAM_MAX_BYTES), 0);
	ck_assert_uint_eq(ram_bytes(), RAM_MAX_BYTES);
	ram_fini();
	ck_assert_uint_eq(ram_bytes(), 0);
}
END_TEST

START_TEST(ram_is_zeroed_each_time)
{
	for (int i = 0; i < 2; i++) {
		char *p = ram_va(RIG_PA);

		ck_assert_int_eq(ram_init(RIG_RAM_BYTES), 0);
		ck_assert_int_eq(*p, 0);
		*p = 1;
		ck_assert_uint_eq(ram_pa(p), RIG_PA);
		ram_fini();
	}
}
END_TEST

static void init_twice(void)
{
	ram_init(RIG_RAM_BYTES);
	ram_init(RIG_RAM_BYTES);
}

START_TEST(second_init_is_refused)
{
	ck_assert_int_eq(died_of(init_twice), SIGABRT);
}
END_TEST

START_TEST(valid_is_exact_at_both_ends)
{
	const struct {
		uint64_t pa, bytes;
		bool valid;
	} t[] = {
		{ RAM_FIRST_PA, 1, true }, { RAM_FIRST_PA - 1, 1, false },
		{ RAM_FIRST_PA - 1, 2, false }, { 0, 0, false },
		{ 0, 1, false },
		{ RAM_FIRST_PA, 0, true }, { RAM_FIRST_PA - 1, 0, false },
		{ RAM_FIRST_PA, END_PA - RAM_FIRST_PA, true },
		{ RAM_FIRST_PA, END_PA - RAM_FIRST_PA + 1, false },
		{ END_PA - 1, 1, true }, { END_PA - 1, 2, false },
		{ END_PA, 0, true }, { END_PA, 1, false },
		{ END_PA + 1, 0, false }, { UINT64_MAX, 0, false },
		{ UINT64_MAX, 1, false }, { UINT64_MAX, UINT64_MAX, false },
		{ RIG_PA, UINT64_MAX, false },
		{ RIG_PA, UINT64_MAX - RIG_PA, false },
		{ RIG_PA, UINT64_MAX - RIG_PA + 1, false },
		{ UINT64_C(1) << 63, 1, false },
	};

	rig_hw_init();
	for (uint32_t i = 0; i < sizeof(t) / sizeof(t[0]); i++)
		ck_assert_msg(ram_valid(t[i].pa, t[i].bytes) == t[i].valid,
			      "case %u", i);
	rig_hw_fini();
}
END_TEST

static void widths(void)
{
	uint64_t v64 = 0;
	uint32_t v32 = 0;
	uint16_t v16 = 0;

	ck_assert(ram_write32(RIG_PA, 0x44332211));
	ck_assert(ram_write16(RIG_PA + 4, 0x6655));
	ck_assert(ram_write8(RIG_PA + 6, 0x77));
	ck_assert(ram_write8(RIG_PA + 7, 0x88));
	for (uint32_t i = 0; i < 8; i++)
		ck_assert_uint_eq(((uint8_t *)ram_va(RIG_PA))[i],
				  0x11 * (i + 1));
	ck_assert(ram_read64(RIG_PA, &v64));
	ck_assert_uint_eq(v64, 0x8877665544332211u);
	ck_assert(ram_read32(RIG_PA + 4, &v32));
	ck_assert_uint_eq(v32, 0x88776655);
	ck_assert(ram_read16(RIG_PA + 2, &v16));
	ck_assert_uint_eq(v16, 0x4433);
}

START_TEST(fields_are_little_endian)
{
	on_thread(widths);
}
END_TEST

static void refusals(void)
{
	uint64_t v64 = 5;
	uint32_t v32 = 5;
	uint16_t v16 = 5;
	char buf[8] = "abcdefg";

	ck_assert(!ram_read16(RIG_PA + 1, &v16));
	ck_assert(!ram_read32(RIG_PA + 2, &v32));
	ck_assert(!ram_read64(RIG_PA + 4, &v64));
	ck_assert(!ram_write16(RIG_PA + 1, 1));
	ck_assert(!ram_write32(RIG_PA + 2, 1));
	ck_assert(!ram_read16(END_PA, &v16));
	ck_assert(!ram_read32(END_PA, &v32));
	ck_assert(!ram_read64(RAM_FIRST_PA - 8, &v64));
	ck_assert(!ram_write8(END_PA, 1));
	ck_assert(!ram_write8(RAM_FIRST_PA - 1, 1));
	ck_assert(!ram_write16(END_PA, 1));
	ck_assert(!ram_write32(0, 1));
	ck_assert(!ram_read(END_PA - 7, buf, 8));
	ck_assert(!ram_write(END_PA - 7, buf, 8));
	ck_assert(!ram_dma_read(END_PA - 7, buf, 8));
	ck_assert(!ram_dma_write(END_PA - 7, buf, 8));
	ck_assert(!ram_dma_write(RAM_FIRST_PA - 1, buf, 8));
	ck_assert_uint_eq(v16 + v32 + v64, 15);
	ck_assert_str_eq(buf, "abcdefg");
	ck_assert_uint_eq(sim_now(), 0);
	for (uint32_t i = 1; i < 8; i++)
		ck_assert_int_eq(*(char *)ram_va(END_PA - i), 0);
	ck_assert_uint_eq(cpu.vcpu.thread.stats.accesses_nr, 0);
}

START_TEST(refused_access_does_and_costs_nothing)
{
	on_thread(refusals);
}
END_TEST

static void last_bytes(void)
{
	uint64_t v = 0;
	char buf[8] = "abcdefg";

	ck_assert(ram_write(END_PA - 8, buf, 8));
	ck_assert(ram_read64(END_PA - 8, &v));
	ck_assert_int_eq(memcmp(&v, buf, 8), 0);
	ck_assert(ram_write(RAM_FIRST_PA, buf, 8));
	ck_assert(ram_dma_read(RAM_FIRST_PA, &v, 8));
	ck_assert_int_eq(memcmp(&v, buf, 8), 0);
	ck_assert(ram_read(END_PA, buf, 0));
	ck_assert(ram_write(END_PA, buf, 0));
}

START_TEST(first_and_last_bytes_are_usable)
{
	on_thread(last_bytes);
}
END_TEST

static void charges(void)
{
	char buf[192];

	ck_assert(ram_read(RIG_PA, buf, 16));
	ck_assert_uint_eq(sim_now(), 801);
	ck_assert(ram_read(RIG_PA + 16, buf, 16));
	ck_assert_uint_eq(sim_now(), 802);
	ck_assert(ram_write(RIG_PA + 32, buf, 192));
	/* one line it had, three from memory */
	ck_assert_uint_eq(sim_now(), 802 + 4 + 3 * 800);
	ck_assert(ram_write(RIG_PA, buf, 0));
	ck_assert(ram_dma_read(RIG_PA, buf, 192));
	ck_assert(ram_dma_write(RIG_PA, buf, 192));
	ck_assert_uint_eq(sim_now(), 3206);
	ram_barrier();
	ck_assert_uint_eq(sim_now(), 3236);
}

START_TEST(cpu_access_is_charged_by_the_line_and_dma_is_not)
{
	on_thread(charges);
}
END_TEST

/* The other writes at 100, charged ahead: neither sees the future. */
static void read_in_order(struct rig_cpu *c)
{
	uint32_t v = 0;

	(void)c;
	rig_pass(99);
	ck_assert(ram_read32(RIG_PA, &v));
	ck_assert_uint_eq(v, 0);
	ck_assert(ram_read32(RIG_PA, &v));
	ck_assert_uint_eq(v, 7);
}

static void write_ahead(struct rig_cpu *c)
{
	(void)c;
	sim_spend(100);
	ck_assert(ram_write32(RIG_PA, 7));
}

START_TEST(access_waits_for_its_turn)
{
	static struct rig_cpu other;

	rig_hw_init();
	rig_thread_start(&other, 0, write_ahead, NULL);
	rig_thread_start(&cpu, 1, read_in_order, NULL);
	ck_assert_int_eq(sim_run(), SIM_END_QUIET);
	rig_hw_fini();
	fiber_fini(&cpu.fiber);
	fiber_fini(&other.fiber);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("hw/ram");
	TCase *tc = tcase_create("ram");
	SRunner *sr = srunner_create(s);
	int failed;

	tcase_add_test(tc, init_refuses_what_is_not_pages_up_to_the_limit);
	tcase_add_test(tc, ram_is_zeroed_each_time);
	tcase_add_test(tc, second_init_is_refused);
	tcase_add_test(tc, valid_is_exact_at_both_ends);
	tcase_add_test(tc, fields_are_little_endian);
	tcase_add_test(tc, refused_access_does_and_costs_nothing);
	tcase_add_test(tc, first_and_last_bytes_are_usable);
	tcase_add_test(tc, cpu_access_is_charged_by_the_line_and_dma_is_not);
	tcase_add_test(tc, access_waits_for_its_turn);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? 1 : 0;
}
