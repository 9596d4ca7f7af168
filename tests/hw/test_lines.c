// SPDX-License-Identifier: GPL-2.0-only
#include <check.h>
#include <errno.h>

#include "model/hw/lines.h"
#include "sim/random.h"
#include "tests/hw/rig.h"

#define PCPUS_NR	8u
#define SLOT_PS		100000u
#define A		(RAM_BASE + RIG_PA)

/* One access at a time: by whom, where, how, and what it must cost. */
struct step {
	uint32_t pcpu;
	uint64_t addr;
	uint32_t bytes;
	bool write;
	uint64_t cost_ps;
};

enum { CORE = 100, SOCKET = 200, OTHER = 400, MEMORY = 800 };
enum { RD = false, WR = true };

static const struct step *step;
static uint32_t steps_nr;
static uint32_t bad_step;
static uint64_t bad_cost_ps;
static struct rig_cpu cpu[PCPUS_NR];

static void do_steps(struct rig_cpu *c)
{
	for (uint32_t i = 0; i < steps_nr; i++) {
		const struct step *s = &step[i];
		uint64_t cost_ps;

		if (s->pcpu != c->vcpu.thread.pcpu)
			continue;
		rig_go_to((uint64_t)i * SLOT_PS);
		lines_access(s->addr, s->bytes, s->write);
		cost_ps = sim_now() - (uint64_t)i * SLOT_PS;
		if (cost_ps == s->cost_ps || bad_step < i)
			continue;
		bad_step = i;
		bad_cost_ps = cost_ps;
	}
}

static void start_steps(const struct step *s, uint32_t nr)
{
	step = s;
	steps_nr = nr;
	bad_step = UINT32_MAX;
	for (uint32_t i = 0; i < PCPUS_NR; i++)
		rig_thread_start(&cpu[i], i, do_steps, NULL);
}

static void finish_steps(void)
{
	ck_assert_int_eq(sim_run(), SIM_END_QUIET);
	ck_assert_msg(bad_step == UINT32_MAX, "step %u cost %lu, not %lu",
		      bad_step, (unsigned long)bad_cost_ps, (unsigned long)
		      step[bad_step < steps_nr ? bad_step : 0].cost_ps);
	for (uint32_t i = 0; i < PCPUS_NR; i++)
		fiber_fini(&cpu[i].fiber);
}

#define RUN(steps) do {							\
		rig_hw_init();						\
		start_steps(steps, sizeof(steps) / sizeof((steps)[0]));	\
		finish_steps();						\
	} while (0)

START_TEST(line_that_nobody_holds_comes_from_memory_once)
{
	const struct step s[] = {
		{ 0, A, 4, RD, MEMORY + 1 }, { 0, A, 4, RD, 1 },
		{ 0, A + 60, 4, RD, 1 }, { 0, A + 64, 1, RD, MEMORY + 1 },
		{ 0, A + 128, 8, WR, MEMORY + 1 }, { 0, A + 128, 8, WR, 1 },
		{ 0, A + 128, 8, RD, 1 },
	};

	RUN(s);
	rig_hw_fini();
}
END_TEST

START_TEST(sole_clean_holder_modifies_for_nothing)
{
	const struct step s[] = {
		{ 0, A, 4, RD, MEMORY + 1 }, { 0, A, 4, WR, 1 },
		{ 0, A, 4, WR, 1 }, { 0, A, 4, RD, 1 },
	};

	RUN(s);
	rig_hw_fini();
}
END_TEST

START_TEST(read_of_a_modified_line_costs_the_distance_and_shares_it)
{
	const struct step s[] = {
		{ 0, A, 4, WR, MEMORY + 1 }, { 1, A, 4, RD, CORE + 1 },
		{ 0, A, 4, RD, 1 }, { 1, A, 4, RD, 1 },
		{ 0, A, 4, WR, CORE + 1 }, { 2, A, 4, RD, SOCKET + 1 },
		{ 0, A, 4, RD, 1 }, { 0, A, 4, WR, SOCKET + 1 },
		{ 4, A, 4, RD, OTHER + 1 }, { 0, A, 4, RD, 1 },
		{ 0, A, 4, WR, OTHER + 1 },
	};

	RUN(s);
	rig_hw_fini();
}
END_TEST

START_TEST(write_takes_a_modified_line_away)
{
	const struct step s[] = {
		{ 0, A, 4, WR, MEMORY + 1 }, { 1, A, 4, WR, CORE + 1 },
		{ 0, A, 4, RD, CORE + 1 }, { 0, A, 4, WR, CORE + 1 },
		{ 3, A, 4, WR, SOCKET + 1 }, { 7, A, 4, WR, OTHER + 1 },
		{ 0, A, 4, WR, OTHER + 1 }, { 7, A, 4, RD, OTHER + 1 },
	};

	RUN(s);
	rig_hw_fini();
}
END_TEST

START_TEST(read_comes_from_the_nearest_holder)
{
	const struct step s[] = {
		{ 4, A, 4, RD, MEMORY + 1 }, { 0, A, 4, RD, OTHER + 1 },
		{ 2, A, 4, RD, SOCKET + 1 }, { 3, A, 4, RD, CORE + 1 },
		{ 6, A, 4, RD, SOCKET + 1 }, { 5, A, 4, RD, CORE + 1 },
	};

	RUN(s);
	rig_hw_fini();
}
END_TEST

START_TEST(write_waits_for_the_farthest_holder)
{
	const struct step s[] = {
		{ 0, A, 4, RD, MEMORY + 1 }, { 1, A, 4, RD, CORE + 1 },
		{ 2, A, 4, RD, SOCKET + 1 }, { 0, A, 4, WR, SOCKET + 1 },
		{ 1, A, 4, RD, CORE + 1 }, { 4, A, 4, RD, OTHER + 1 },
		{ 1, A, 4, WR, OTHER + 1 }, { 0, A, 4, RD, CORE + 1 },
		{ 2, A, 4, WR, SOCKET + 1 },
	};

	RUN(s);
	rig_hw_fini();
}
END_TEST

START_TEST(false_sharing_costs_as_much_as_sharing)
{
	const struct step s[] = {
		{ 0, A, 4, WR, MEMORY + 1 }, { 2, A + 60, 4, WR, SOCKET + 1 },
		{ 0, A, 4, WR, SOCKET + 1 }, { 2, A + 64, 4, WR, MEMORY + 1 },
		{ 0, A, 4, WR, 1 },
	};

	RUN(s);
	rig_hw_fini();
}
END_TEST

START_TEST(access_across_lines_pays_for_each)
{
	const struct step s[] = {
		{ 0, A + 60, 8, WR, 2 * (MEMORY + 1) },
		{ 0, A, 128, RD, 2 },
		{ 2, A + 63, 2, RD, 2 * (SOCKET + 1) },
		{ 0, A + 64, 64, WR, SOCKET + 1 },
		{ 0, A + 1, 192, RD, 1 + 1 + MEMORY + 1 + MEMORY + 1 },
		{ 0, A + 127, 1, RD, 1 },
	};

	RUN(s);
	rig_hw_fini();
}
END_TEST

static char image[4 * 64 + 64];

START_TEST(only_regions_and_ram_are_tracked)
{
	uint64_t base = ((uint64_t)(uintptr_t)image + 63) & ~UINT64_C(63);
	const struct step s[] = {
		{ 0, base, 4, WR, MEMORY + 1 }, { 2, base, 4, RD, SOCKET + 1 },
		{ 2, base + 127, 1, WR, MEMORY + 1 },
		{ 0, base + 128, 4, WR, 1 }, { 2, base + 128, 4, WR, 1 },
		{ 0, RAM_BASE + RIG_RAM_BYTES, 4, WR, 1 },
		{ 0, RAM_BASE - 4, 4, WR, 1 },
		{ 0, RAM_BASE, 4, WR, MEMORY + 1 },
		{ 0, RAM_BASE + RIG_RAM_BYTES - 4, 4, WR, MEMORY + 1 },
		{ 0, 8, 4, WR, 1 },
	};

	rig_hw_init();
	ck_assert_int_eq(lines_add_region(base + 8, 100), 0);
	start_steps(s, sizeof(s) / sizeof(s[0]));
	finish_steps();
	rig_hw_fini();
}
END_TEST

START_TEST(regions_are_limited_and_forgotten_at_the_end)
{
	for (int round = 0; round < 2; round++) {
		rig_hw_init();
		for (uint32_t i = 0; i < LINES_REGIONS_MAX; i++)
			ck_assert_int_eq(lines_add_region(4096 * (i + 1), 64),
					 0);
		ck_assert_int_eq(lines_add_region(1 << 20, 64), -ENOSPC);
		rig_hw_fini();
	}
}
END_TEST

START_TEST(dma_takes_lines_out_of_all_caches)
{
	static const char data[100];
	const struct step first[] = {
		{ 0, A, 4, WR, MEMORY + 1 }, { 2, A + 64, 4, RD, MEMORY + 1 },
		{ 0, A + 128, 4, WR, MEMORY + 1 },
	};
	const struct step second[] = {
		{ 0, A, 4, WR, 1 }, { 0, A, 4, WR, 1 }, { 0, A, 4, WR, 1 },
		{ 0, A, 4, RD, MEMORY + 1 }, { 2, A + 64, 4, RD, MEMORY + 1 },
		{ 0, A + 128, 4, WR, 1 },
	};

	RUN(first);
	ck_assert(ram_dma_write(RIG_PA + 28, data, sizeof(data)));
	sim_fini();
	rig_init();
	start_steps(second + 3, 3);
	finish_steps();
	ck_assert(ram_dma_write(RIG_PA, data, 0));
	rig_hw_fini();
}
END_TEST

START_TEST(statistics_count_accesses_and_transfers_by_distance)
{
	const struct step s[] = {
		{ 0, A, 4, WR, MEMORY + 1 }, { 1, A, 4, WR, CORE + 1 },
		{ 0, A, 4, RD, CORE + 1 }, { 2, A, 4, WR, SOCKET + 1 },
		{ 0, A + 63, 2, RD, SOCKET + 1 + MEMORY + 1 },
		{ 4, A, 4, WR, OTHER + 1 }, { 0, A, 4, RD, OTHER + 1 },
		{ 0, A, 4, RD, 1 },
	};
	const struct hw_thread_stats *st = &cpu[0].vcpu.thread.stats;

	RUN(s);
	ck_assert_uint_eq(st->accesses_nr, 6);
	ck_assert_uint_eq(st->transfers_nr[HW_SAME_CORE], 1);
	ck_assert_uint_eq(st->transfers_nr[HW_SAME_SOCKET], 1);
	ck_assert_uint_eq(st->transfers_nr[HW_OTHER_SOCKET], 1);
	ck_assert_uint_eq(st->transfers_nr[HW_MEMORY], 2);
	ck_assert_uint_eq(st->line_ps, CORE + SOCKET + OTHER + 2 * MEMORY);
	rig_hw_fini();
}
END_TEST

/*
 * The reference: a set of holders per line and who of them has modified it, in
 * plain terms. Modified implies one holder.
 */
#define REF_LINES	3u

static bool ref_holds[REF_LINES][PCPUS_NR];

static uint64_t ref_distance(uint32_t a, uint32_t b)
{
	return a / 2 == b / 2 ? CORE : a / 4 == b / 4 ? SOCKET : OTHER;
}

static uint64_t ref_access(uint32_t line, uint32_t me, bool write)
{
	uint64_t near = MEMORY, far = 0;
	bool had = ref_holds[line][me];

	for (uint32_t i = 0; i < PCPUS_NR; i++) {
		uint64_t d = ref_distance(me, i);

		if (i == me || !ref_holds[line][i])
			continue;
		near = d < near ? d : near;
		far = d > far ? d : far;
		if (write)
			ref_holds[line][i] = false;
	}
	ref_holds[line][me] = true;
	if (!write)
		return had ? 1 : 1 + near;
	return far ? 1 + far : had ? 1 : 1 + MEMORY;
}

START_TEST(random_accesses_cost_what_a_plain_reference_says)
{
	static struct step s[5000];
	struct sim_random r;

	sim_random_init(&r, 1, "test.lines");
	for (uint32_t i = 0; i < 5000; i++) {
		uint32_t line = (uint32_t)sim_random_below(&r, REF_LINES);

		s[i].pcpu = (uint32_t)sim_random_below(&r, PCPUS_NR);
		s[i].addr = A + 64 * line + sim_random_below(&r, 61);
		s[i].bytes = 1 + (uint32_t)sim_random_below(&r, 4);
		s[i].write = sim_random_below(&r, 3) == 0;
		s[i].cost_ps = ref_access(line, s[i].pcpu, s[i].write);
	}
	RUN(s);
	rig_hw_fini();
}
END_TEST

/* Watching */

struct sighting {
	uint64_t time_ps;
	uint64_t addr;
	uint32_t bytes;
	bool write;
	uint32_t content;
	uint32_t actor;
};

static struct sighting sighting[16];
static uint32_t sightings_nr;

static void sight(void *arg, uint64_t addr, uint32_t bytes, bool write)
{
	struct sighting *s = &sighting[sightings_nr++];

	ck_assert_ptr_eq(arg, sighting);
	s->time_ps = sim_now();
	s->addr = addr;
	s->bytes = bytes;
	s->write = write;
	s->content = *(uint32_t *)ram_va(RIG_PA);
	s->actor = sim.actor->id;
}

static void write_late(struct rig_cpu *c)
{
	(void)c;
	sim_spend(500);
	ram_write32(RIG_PA, 22);
}

static void write_early(struct rig_cpu *c)
{
	(void)c;
	sim_spend(100);
	ram_write32(RIG_PA, 11);
	ram_write32(RIG_PA, 12);
	ram_write32(RIG_PA + 64, 1);
}

START_TEST(watcher_sees_each_access_at_its_time_before_it_happens)
{
	rig_hw_init();
	sightings_nr = 0;
	lines_set_watcher(sight, sighting);
	lines_watch(RAM_BASE + RIG_PA + 2, 2, true);
	rig_thread_start(&cpu[0], 0, write_late, NULL);
	rig_thread_start(&cpu[2], 2, write_early, NULL);
	sim_run();
	ck_assert_uint_eq(sightings_nr, 3);
	ck_assert_uint_eq(sighting[0].time_ps, 100);
	ck_assert_uint_eq(sighting[0].content, 0);
	ck_assert_uint_eq(sighting[0].addr, A);
	ck_assert_uint_eq(sighting[0].bytes, 4);
	ck_assert(sighting[0].write);
	ck_assert_uint_eq(sighting[0].actor, HW_HOST_ID_BASE + 2);
	ck_assert_uint_eq(sighting[1].time_ps, 500);
	ck_assert_uint_eq(sighting[1].content, 11);
	ck_assert_uint_eq(sighting[1].actor, HW_HOST_ID_BASE);
	/* 100 + memory 800 + access 1 */
	ck_assert_uint_eq(sighting[2].time_ps, 901);
	ck_assert_uint_eq(sighting[2].content, 22);
	rig_hw_fini();
	fiber_fini(&cpu[0].fiber);
	fiber_fini(&cpu[2].fiber);
}
END_TEST

START_TEST(watching_changes_no_cost_and_survives_transfers_and_dma)
{
	const struct step s[] = {
		{ 0, A, 4, WR, MEMORY + 1 }, { 0, A, 4, WR, 1 },
		{ 0, A, 4, RD, 1 }, { 2, A, 4, RD, SOCKET + 1 },
		{ 2, A + 62, 4, RD, 1 + MEMORY + 1 },
	};
	uint32_t zero = 0;

	rig_hw_init();
	sightings_nr = 0;
	lines_set_watcher(sight, sighting);
	lines_watch(A, 4, true);
	start_steps(s, 5);
	finish_steps();
	ck_assert_uint_eq(sightings_nr, 5);
	ck_assert(sighting[1].write && !sighting[2].write);
	ck_assert_uint_eq(sighting[4].addr, A + 62);
	ck_assert_uint_eq(sighting[4].bytes, 2);

	ck_assert(ram_dma_write(RIG_PA, &zero, sizeof(zero)));
	ck_assert_uint_eq(sightings_nr, 5);
	sim_fini();
	rig_init();
	start_steps(s, 1);
	finish_steps();
	ck_assert_uint_eq(sightings_nr, 6);

	lines_watch(A, 4, false);
	sim_fini();
	rig_init();
	start_steps(s + 1, 1);
	finish_steps();
	ck_assert_uint_eq(sightings_nr, 6);
	rig_hw_fini();
}
END_TEST

START_TEST(access_outside_an_actor_does_nothing)
{
	const struct step s[] = { { 0, A, 4, WR, MEMORY + 1 } };

	rig_hw_init();
	sightings_nr = 0;
	lines_set_watcher(sight, sighting);
	lines_watch(A + 64, 4, true);
	lines_access(A, 4, true);
	lines_access(A + 64, 4, true);
	ck_assert_uint_eq(sim_now(), 0);
	ck_assert_uint_eq(sightings_nr, 0);
	start_steps(s, 1);
	finish_steps();
	rig_hw_fini();
}
END_TEST

int main(void)
{
	Suite *s = suite_create("hw/lines");
	TCase *tc = tcase_create("lines");
	SRunner *sr = srunner_create(s);
	int failed;

	tcase_add_test(tc, line_that_nobody_holds_comes_from_memory_once);
	tcase_add_test(tc, sole_clean_holder_modifies_for_nothing);
	tcase_add_test(tc,
		read_of_a_modified_line_costs_the_distance_and_shares_it);
	tcase_add_test(tc, write_takes_a_modified_line_away);
	tcase_add_test(tc, read_comes_from_the_nearest_holder);
	tcase_add_test(tc, write_waits_for_the_farthest_holder);
	tcase_add_test(tc, false_sharing_costs_as_much_as_sharing);
	tcase_add_test(tc, access_across_lines_pays_for_each);
	tcase_add_test(tc, only_regions_and_ram_are_tracked);
	tcase_add_test(tc, regions_are_limited_and_forgotten_at_the_end);
	tcase_add_test(tc, dma_takes_lines_out_of_all_caches);
	tcase_add_test(tc, statistics_count_accesses_and_transfers_by_distance);
	tcase_add_test(tc, random_accesses_cost_what_a_plain_reference_says);
	tcase_add_test(tc,
		watcher_sees_each_access_at_its_time_before_it_happens);
	tcase_add_test(tc,
		watching_changes_no_cost_and_survives_transfers_and_dma);
	tcase_add_test(tc, access_outside_an_actor_does_nothing);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? 1 : 0;
}
