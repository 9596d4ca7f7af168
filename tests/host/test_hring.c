// SPDX-License-Identifier: GPL-2.0-only
#include "tests/host/fuzz.h"
#include "tests/host/rig.h"

#include <errno.h>
#include <stdlib.h>

#define SIZE 8u

static struct hring ring;
static struct hring_chain chain;

static void start(uint32_t size, bool event_idx)
{
	struct hring_config config = rig_ring_config(size, event_idx, true);

	memset(&ring, 0, sizeof(ring));
	ck_assert_int_eq(hring_init(&ring, &hring_split, &config), 0);
}

static void setup(void)
{
	rig_init();
	start(SIZE, false);
}

static void setup_event_idx(void)
{
	rig_init();
	start(SIZE, true);
}

static void teardown(void)
{
	rig_fini();
}

static void ck_refused(enum hring_error error)
{
	ck_assert_int_eq(hring_pop(&ring, &chain), -EBADMSG);
	ck_assert_str_eq(hring_error_name(ring.error),
			 hring_error_name(error));
	/* It sticks, even if the driver repents. */
	rig_put16(RIG_AVAIL_PA + 2, ring.avail_seq);
	ck_assert_int_eq(hring_pop(&ring, &chain), -EBADMSG);
	ck_assert(hring_arm_kicks(&ring));
}

START_TEST(pop_of_an_empty_ring_is_zero)
{
	ck_assert_int_eq(hring_pop(&ring, &chain), 0);
	ck_assert_uint_eq(ring.stats.pops_empty_nr, 1);
}
END_TEST

START_TEST(pop_yields_the_chain_in_order)
{
	rig_desc(3, RIG_DATA_PA, 16, RIG_NEXT, 5);
	rig_desc(5, RIG_DATA_PA + 0x1000, 512, RIG_NEXT | RIG_WRITE, 0);
	rig_desc(0, RIG_DATA_PA + 0x2000, 1, RIG_WRITE, 99);
	rig_offer(SIZE, 0, 3);
	ck_assert_int_eq(hring_pop(&ring, &chain), 1);
	ck_assert_uint_eq(chain.head, 3);
	ck_assert_uint_eq(chain.iovs_nr, 3);
	ck_assert_uint_eq(chain.readables_nr, 1);
	ck_assert_uint_eq(chain.readable_bytes, 16);
	ck_assert_uint_eq(chain.writable_bytes, 513);
	ck_assert_uint_eq(chain.iov[1].pa, RIG_DATA_PA + 0x1000);
	ck_assert_uint_eq(chain.iov[1].len, 512);
	ck_assert(!chain.iov[0].writable && chain.iov[2].writable);
	ck_assert_uint_eq(hring_in_use_nr(&ring), 1);
	ck_assert_int_eq(hring_pop(&ring, &chain), 0);
}
END_TEST

START_TEST(pop_follows_buffers_then_an_indirect_table)
{
	rig_desc(1, RIG_DATA_PA, 8, RIG_NEXT, 2);
	/* 2.7.5.3.2: the write flag of the referring descriptor is ignored. */
	rig_desc(2, RIG_TABLE_PA, 48, RIG_INDIRECT | RIG_WRITE, 0);
	rig_desc_in(RIG_TABLE_PA, 0, RIG_DATA_PA + 64, 8, RIG_NEXT, 2);
	rig_desc_in(RIG_TABLE_PA, 2, RIG_DATA_PA + 128, 4, RIG_WRITE, 0);
	rig_offer(SIZE, 0, 1);
	ck_assert_int_eq(hring_pop(&ring, &chain), 1);
	ck_assert_uint_eq(chain.iovs_nr, 3);
	ck_assert_uint_eq(chain.descs_nr, 4);
	ck_assert_uint_eq(chain.readables_nr, 2);
	ck_assert_uint_eq(chain.iov[2].pa, RIG_DATA_PA + 128);
	ck_assert_uint_eq(ring.stats.indirect_nr, 1);
	ck_assert_uint_eq(ring.stats.over_size_nr, 0);
}
END_TEST

START_TEST(pop_takes_and_counts_chains_longer_than_the_queue)
{
	for (uint32_t i = 0; i < SIZE + 2; i++)
		rig_desc_in(RIG_TABLE_PA, i, RIG_DATA_PA + 64 * i, 64,
			    i < SIZE + 1 ? RIG_NEXT : 0, (uint16_t)(i + 1));
	rig_desc(0, RIG_TABLE_PA, 16 * (SIZE + 2), RIG_INDIRECT, 0);
	rig_offer(SIZE, 0, 0);
	ck_assert_int_eq(hring_pop(&ring, &chain), 1);
	ck_assert_uint_eq(chain.iovs_nr, SIZE + 2);
	ck_assert_uint_eq(ring.stats.over_size_nr, 1);
}
END_TEST

START_TEST(pop_takes_a_chain_of_the_whole_queue)
{
	for (uint32_t i = 0; i < SIZE; i++)
		rig_desc(i, RIG_DATA_PA + 64 * i, 64,
			 i < SIZE - 1 ? RIG_NEXT : 0, (uint16_t)(i + 1));
	rig_offer(SIZE, 0, 0);
	ck_assert_int_eq(hring_pop(&ring, &chain), 1);
	ck_assert_uint_eq(chain.iovs_nr, SIZE);
}
END_TEST

START_TEST(sequence_numbers_wrap_at_65536)
{
	rig_desc(2, RIG_DATA_PA, 1, RIG_WRITE, 0);
	for (uint32_t i = 0; i < 3 * 65536; i++) {
		rig_offer(SIZE, (uint16_t)i, 2);
		ck_assert_int_eq(hring_pop(&ring, &chain), 1);
		hring_push(&ring, chain.head, i);
		hring_publish(&ring);
		ck_assert_uint_eq(rig_used_idx(), (uint16_t)(i + 1));
		ck_assert_uint_eq(rig_used_len(SIZE, (uint16_t)i), i);
	}
}
END_TEST

START_TEST(pop_refuses_index_beyond_ring)
{
	rig_put16(RIG_AVAIL_PA + 2, SIZE + 1);
	ck_refused(HRING_ERR_AVAIL_IDX);
}
END_TEST

START_TEST(pop_refuses_index_that_moves_back)
{
	rig_desc(0, RIG_DATA_PA, 1, 0, 0);
	rig_offer(SIZE, 0, 0);
	ck_assert_int_eq(hring_pop(&ring, &chain), 1);
	rig_put16(RIG_AVAIL_PA + 2, 0);
	ck_refused(HRING_ERR_AVAIL_IDX);
}
END_TEST

START_TEST(pop_refuses_head_beyond_table)
{
	rig_offer(SIZE, 0, SIZE);
	ck_refused(HRING_ERR_HEAD);
}
END_TEST

START_TEST(pop_refuses_head_that_is_outstanding)
{
	rig_desc(4, RIG_DATA_PA, 1, 0, 0);
	rig_offer(SIZE, 0, 4);
	rig_offer(SIZE, 1, 4);
	ck_assert_int_eq(hring_pop(&ring, &chain), 1);
	ck_refused(HRING_ERR_HEAD_BUSY);
}
END_TEST

START_TEST(pop_refuses_more_chains_than_the_queue_has_descriptors)
{
	for (uint16_t i = 0; i < SIZE; i++) {
		rig_desc(i, RIG_DATA_PA, 1, 0, 0);
		rig_offer(SIZE, i, i);
		ck_assert_int_eq(hring_pop(&ring, &chain), 1);
	}
	rig_offer(SIZE, SIZE, 0);
	ck_refused(HRING_ERR_IN_USE);
}
END_TEST

START_TEST(pop_refuses_next_beyond_table)
{
	rig_desc(0, RIG_DATA_PA, 1, RIG_NEXT, SIZE);
	rig_offer(SIZE, 0, 0);
	ck_refused(HRING_ERR_NEXT);
	ck_assert_uint_eq(ring.error_at, 0);
}
END_TEST

START_TEST(pop_refuses_next_beyond_indirect_table)
{
	rig_desc(0, RIG_TABLE_PA, 32, RIG_INDIRECT, 0);
	rig_desc_in(RIG_TABLE_PA, 0, RIG_DATA_PA, 1, RIG_NEXT, 2);
	rig_offer(SIZE, 0, 0);
	ck_refused(HRING_ERR_NEXT);
}
END_TEST

START_TEST(pop_refuses_loops)
{
	rig_desc(0, RIG_DATA_PA, 1, RIG_NEXT, 1);
	rig_desc(1, RIG_DATA_PA, 1, RIG_NEXT, 0);
	rig_offer(SIZE, 0, 0);
	ck_refused(HRING_ERR_CHAIN_LONG);
}
END_TEST

START_TEST(pop_refuses_loops_in_an_indirect_table)
{
	rig_desc(0, RIG_TABLE_PA, 32, RIG_INDIRECT, 0);
	rig_desc_in(RIG_TABLE_PA, 0, RIG_DATA_PA, 1, RIG_NEXT, 0);
	rig_offer(SIZE, 0, 0);
	ck_refused(HRING_ERR_CHAIN_LONG);
}
END_TEST

START_TEST(pop_refuses_indirect_that_was_not_negotiated)
{
	ring.config.indirect = false;
	rig_desc(0, RIG_TABLE_PA, 16, RIG_INDIRECT, 0);
	rig_desc_in(RIG_TABLE_PA, 0, RIG_DATA_PA, 1, 0, 0);
	rig_offer(SIZE, 0, 0);
	ck_refused(HRING_ERR_INDIRECT_OFF);
}
END_TEST

/* length of the table, flags, place, what it is called */
static const struct {
	uint64_t pa;
	uint32_t len;
	uint16_t flags;
	enum hring_error error;
} bad_tables[] = {
	{ RIG_TABLE_PA, 0, 0, HRING_ERR_INDIRECT_ZERO },
	{ RIG_TABLE_PA, 17, 0, HRING_ERR_INDIRECT_SIZE },
	{ RIG_TABLE_PA, 15, 0, HRING_ERR_INDIRECT_SIZE },
	{ RIG_TABLE_PA, 16 * (HRING_IOV_MAX + 1), 0, HRING_ERR_INDIRECT_LONG },
	{ RIG_TABLE_PA, 0xfffffff0, 0, HRING_ERR_INDIRECT_LONG },
	{ 0, 16, 0, HRING_ERR_INDIRECT_RAM },
	{ RIG_RAM_BYTES - 8, 16, 0, HRING_ERR_INDIRECT_RAM },
	{ UINT64_MAX - 7, 16, 0, HRING_ERR_INDIRECT_RAM },
	{ RIG_TABLE_PA, 16, RIG_NEXT, HRING_ERR_INDIRECT_NEXT },
};

START_TEST(pop_refuses_bad_indirect_tables)
{
	rig_desc(0, bad_tables[_i].pa, bad_tables[_i].len,
		 RIG_INDIRECT | bad_tables[_i].flags, 1);
	rig_offer(SIZE, 0, 0);
	ck_refused(bad_tables[_i].error);
}
END_TEST

START_TEST(pop_refuses_nested_indirect_tables)
{
	rig_desc(0, RIG_TABLE_PA, 16, RIG_INDIRECT, 0);
	rig_desc_in(RIG_TABLE_PA, 0, RIG_TABLE_PA, 16, RIG_INDIRECT, 0);
	rig_offer(SIZE, 0, 0);
	ck_refused(HRING_ERR_INDIRECT_NESTED);
}
END_TEST

static const struct {
	uint64_t pa;
	uint32_t len;
	enum hring_error error;
} bad_buffers[] = {
	{ RIG_DATA_PA, 0, HRING_ERR_BUFFER_ZERO },
	{ 0, 1, HRING_ERR_BUFFER_RAM },
	{ RAM_FIRST_PA - 1, 2, HRING_ERR_BUFFER_RAM },
	{ RIG_RAM_BYTES, 1, HRING_ERR_BUFFER_RAM },
	{ RIG_RAM_BYTES - 1, 2, HRING_ERR_BUFFER_RAM },
	{ RIG_DATA_PA, 0xffffffff, HRING_ERR_BUFFER_RAM },
	{ UINT64_MAX, 1, HRING_ERR_BUFFER_RAM },
	{ UINT64_MAX, 2, HRING_ERR_BUFFER_RAM },
};

START_TEST(pop_refuses_bad_buffers)
{
	rig_desc(0, bad_buffers[_i].pa, bad_buffers[_i].len, 0, 0);
	rig_offer(SIZE, 0, 0);
	ck_refused(bad_buffers[_i].error);
}
END_TEST

START_TEST(pop_refuses_readable_behind_writable)
{
	rig_desc(0, RIG_DATA_PA, 1, RIG_WRITE | RIG_NEXT, 1);
	rig_desc(1, RIG_DATA_PA, 1, 0, 0);
	rig_offer(SIZE, 0, 0);
	ck_refused(HRING_ERR_BUFFER_ORDER);
}
END_TEST

START_TEST(pop_refuses_more_buffers_than_it_has_room_for)
{
	uint32_t nr = HRING_IOV_MAX;

	rig_desc(0, RIG_DATA_PA, 1, RIG_NEXT, 1);
	rig_desc(1, RIG_TABLE_PA, 16 * nr, RIG_INDIRECT, 0);
	for (uint32_t i = 0; i < nr; i++)
		rig_desc_in(RIG_TABLE_PA, i, RIG_DATA_PA, 1,
			    i < nr - 1 ? RIG_NEXT : 0, (uint16_t)(i + 1));
	rig_offer(SIZE, 0, 0);
	ck_refused(HRING_ERR_BUFFERS);
}
END_TEST

/* 15 MiB a time: 273 of them fit into 2^32 bytes, 274 don't. */
START_TEST(pop_refuses_more_than_four_gigabytes)
{
	uint32_t nr = 273 + (uint32_t)_i;
	uint32_t len = 15 << 20;

	rig_desc(0, RIG_TABLE_PA, 16 * nr, RIG_INDIRECT, 0);
	for (uint32_t i = 0; i < nr; i++)
		rig_desc_in(RIG_TABLE_PA, i, RAM_FIRST_PA, len,
			    i < nr - 1 ? RIG_NEXT : 0, (uint16_t)(i + 1));
	rig_offer(SIZE, 0, 0);
	if (_i)
		ck_refused(HRING_ERR_CHAIN_BYTES);
	else
		ck_assert_int_eq(hring_pop(&ring, &chain), 1);
}
END_TEST

START_TEST(init_refuses_rings_outside_ram)
{
	struct hring_config config = rig_ring_config(SIZE, false, false);

	config.device_pa = RIG_RAM_BYTES - 8;
	ck_assert_int_eq(hring_init(&ring, &hring_split, &config), -EINVAL);
	ck_assert_int_eq(ring.error, HRING_ERR_RING_RAM);
	config = rig_ring_config(SIZE, false, false);
	config.driver_pa = 0;
	ck_assert_int_eq(hring_init(&ring, &hring_split, &config), -EINVAL);
	config = rig_ring_config(SIZE, false, false);
	config.desc_pa += 8;	/* 2.7: aligned to 16 */
	ck_assert_int_eq(hring_init(&ring, &hring_split, &config), -EINVAL);
}
END_TEST

START_TEST(every_error_has_a_name_and_a_text)
{
	for (int i = 0; i < HRING_ERR_NR; i++) {
		ck_assert_ptr_nonnull(hring_error_name(i));
		ck_assert_ptr_nonnull(hring_error_text(i));
	}
	ck_assert_str_eq(hring_error_name(HRING_ERR_RING_RAM), "RING_RAM");
}
END_TEST

/* Offer and take chains 0 to @nr - 1 with the ring at its start. */
static void take(uint32_t nr)
{
	for (uint16_t i = 0; i < nr; i++) {
		rig_desc(i, RIG_DATA_PA, 1, RIG_WRITE, 0);
		rig_offer(SIZE, ring.avail_seq, i);
		ck_assert_int_eq(hring_pop(&ring, &chain), 1);
	}
}

START_TEST(pushes_become_visible_together)
{
	take(3);
	hring_push(&ring, 2, 7);
	hring_push(&ring, 0, 8);
	ck_assert_uint_eq(rig_used_idx(), 0);
	hring_publish(&ring);
	ck_assert_uint_eq(rig_used_idx(), 2);
	ck_assert_uint_eq(rig_used_id(SIZE, 0), 2);
	ck_assert_uint_eq(rig_used_len(SIZE, 0), 7);
	ck_assert_uint_eq(rig_used_id(SIZE, 1), 0);
	ck_assert_uint_eq(hring_in_use_nr(&ring), 1);
	hring_publish(&ring);
	ck_assert_uint_eq(ring.stats.publishes_nr, 1);
}
END_TEST

START_TEST(interrupt_follows_the_no_interrupt_flag)
{
	take(2);
	hring_push(&ring, 0, 0);
	hring_publish(&ring);
	ck_assert(hring_should_interrupt(&ring));
	rig_set_no_interrupt(true);
	hring_push(&ring, 1, 0);
	hring_publish(&ring);
	ck_assert(!hring_should_interrupt(&ring));
	ck_assert_uint_eq(ring.stats.interrupts_nr, 1);
	ck_assert_uint_eq(ring.stats.interrupts_suppressed_nr, 1);
}
END_TEST

START_TEST(interrupt_follows_used_event)
{
	take(4);
	rig_set_used_event(SIZE, 2);
	hring_push(&ring, 0, 0);
	hring_push(&ring, 1, 0);
	hring_publish(&ring);
	ck_assert(!hring_should_interrupt(&ring));
	hring_push(&ring, 2, 0);
	hring_publish(&ring);
	ck_assert(hring_should_interrupt(&ring));
	hring_push(&ring, 3, 0);
	hring_publish(&ring);
	ck_assert(!hring_should_interrupt(&ring));
	/* The flag means nothing then: 2.7.7.1 */
	rig_set_used_event(SIZE, 4);
	rig_set_no_interrupt(true);
	take(1);
	hring_push(&ring, 0, 0);
	hring_publish(&ring);
	ck_assert(hring_should_interrupt(&ring));
}
END_TEST

START_TEST(kicks_are_suppressed_and_armed_by_flag)
{
	hring_suppress_kicks(&ring);
	ck_assert_uint_eq(rig_used_flags(), 1);
	ck_assert(!hring_arm_kicks(&ring));
	ck_assert_uint_eq(rig_used_flags(), 0);
	ck_assert_uint_eq(ring.stats.suppresses_nr, 1);
	ck_assert_uint_eq(ring.stats.arms_nr, 1);
}
END_TEST

START_TEST(kicks_are_suppressed_and_armed_by_avail_event)
{
	hring_suppress_kicks(&ring);
	take(3);
	ck_assert_uint_eq(rig_used_flags(), 0);
	ck_assert_uint_eq(rig_avail_event(SIZE), 0);
	ck_assert(!hring_arm_kicks(&ring));
	ck_assert_uint_eq(rig_avail_event(SIZE), 3);
}
END_TEST

START_TEST(arm_tells_of_buffers_that_are_there)
{
	hring_suppress_kicks(&ring);
	take(1);
	rig_desc(1, RIG_DATA_PA, 1, RIG_WRITE, 0);
	rig_offer(SIZE, 1, 1);
	ck_assert(hring_arm_kicks(&ring));
	ck_assert_uint_eq(ring.stats.arms_raced_nr, 1);
}
END_TEST

/*
 * The event window in unbounded integers: entry number @event, counted from
 * the start, is among those written, [old, new).
 */
static bool wide_need_event(int64_t event, int64_t new, int64_t old)
{
	return old <= event && event < new;
}

START_TEST(event_window_agrees_with_wide_integers)
{
	/* All distances around all interesting places of the 16-bit circle. */
	static const int64_t bases[] = { 0, 1, 32767, 32768, 65535, 65536,
					 131071 };

	for (size_t b = 0; b < sizeof(bases) / sizeof(bases[0]); b++)
		for (int64_t moved = 0; moved <= 64; moved++)
			for (int64_t e = -70; e <= 134; e++) {
				int64_t old = bases[b] + 65536;

				ck_assert_int_eq(
					hring_need_event(
						(uint16_t)(old + e),
						(uint16_t)(old + moved),
						(uint16_t)old),
					wide_need_event(old + e, old + moved,
							old));
			}
}
END_TEST

START_TEST(event_window_agrees_with_wide_integers_at_random)
{
	struct sim_random r;

	sim_random_init(&r, 1, "event window");
	for (int i = 0; i < 2000000; i++) {
		int64_t old = (int64_t)sim_random_below(&r, 1 << 20) + 65536;
		int64_t moved = (int64_t)sim_random_below(&r, 32769);
		/* The last entry at most: the circle is seen from new - 1. */
		int64_t e = old + moved - 1 -
			    (int64_t)sim_random_below(&r, 65536);

		ck_assert_int_eq(hring_need_event((uint16_t)e,
						  (uint16_t)(old + moved),
						  (uint16_t)old),
				 wide_need_event(e, old + moved, old));
	}
}
END_TEST

/* Exhaustive on a ring: any used_event, any number of pushes, at a wrap. */
START_TEST(should_interrupt_agrees_with_wide_integers)
{
	for (uint32_t moved = 1; moved <= SIZE; moved++)
		for (int64_t e = -12; e <= 12; e++) {
			int64_t old = 65536 - 3;

			start(SIZE, true);
			ring.avail_seq = ring.avail_end_seq = (uint16_t)old;
			ring.used_seq = ring.published_seq = (uint16_t)old;
			ring.notified_seq = (uint16_t)old;
			take(moved);
			for (uint16_t i = 0; i < moved; i++)
				hring_push(&ring, i, 0);
			hring_publish(&ring);
			rig_set_used_event(SIZE, (uint16_t)(old + e));
			ck_assert_int_eq(hring_should_interrupt(&ring),
					 wide_need_event(old + e, old + moved,
							 old));
		}
}
END_TEST

/* A driver that kicks as 2.7.10.1 says, against every moment of the device. */
START_TEST(no_kick_is_lost_between_suppress_and_arm)
{
	struct sim_random r;
	bool event_idx = _i;
	uint16_t offered = 0, kicked_from = 0;
	bool kick = false;

	start(SIZE, event_idx);
	sim_random_init(&r, 2, "kicks");
	for (uint16_t i = 0; i < SIZE; i++)
		rig_desc(i, RIG_DATA_PA, 1, RIG_WRITE, 0);
	for (int i = 0; i < 200000; i++) {
		uint32_t add = (uint32_t)sim_random_below(&r, 4);

		while (add-- && (uint16_t)(offered - ring.published_seq) <
				SIZE) {
			rig_offer(SIZE, offered, offered % SIZE);
			offered++;
		}
		if (event_idx)
			kick |= hring_need_event(rig_avail_event(SIZE),
						 offered, kicked_from);
		else if (offered != kicked_from)
			kick |= !rig_used_flags();
		kicked_from = offered;
		/* Kicks armed and no kick: nothing is there. */
		if (!kick && ring.armed)
			ck_assert_uint_eq(offered, ring.avail_seq);
		if (!kick)
			continue;
		switch (sim_random_below(&r, 4)) {
		case 0:
			hring_suppress_kicks(&ring);
			break;
		case 1:
			if (hring_pop(&ring, &chain) == 1) {
				hring_push(&ring, chain.head, 0);
				hring_publish(&ring);
			}
			break;
		default:
			kick = hring_arm_kicks(&ring);
			break;
		}
	}
	ck_assert_uint_gt(ring.stats.pops_nr, 1000);
	ck_assert_uint_gt(ring.stats.arms_raced_nr, 100);
}
END_TEST

/* --- fuzz --- */

static void ck_chain(const struct hring_chain *c, uint32_t size)
{
	uint64_t readable = 0, writable = 0;

	ck_assert_uint_lt(c->head, size);
	ck_assert_uint_le(c->iovs_nr, HRING_IOV_MAX);
	ck_assert_uint_ge(c->iovs_nr, 1);
	for (uint32_t i = 0; i < c->iovs_nr; i++) {
		ck_assert(ram_valid(c->iov[i].pa, c->iov[i].len));
		ck_assert_uint_gt(c->iov[i].len, 0);
		ck_assert_int_eq(c->iov[i].writable, i >= c->readables_nr);
		*(c->iov[i].writable ? &writable : &readable) += c->iov[i].len;
	}
	ck_assert_uint_eq(readable, c->readable_bytes);
	ck_assert_uint_eq(writable, c->writable_bytes);
}

/*
 * Pop until empty or error; push some on the way. Every kind of error and
 * hundreds of good chains must have come up, or the fuzz is too wild or tame.
 */
START_TEST(random_rings_are_survived)
{
	uint32_t errors[HRING_ERR_NR] = { 0 };
	struct sim_random r;
	uint64_t good = 0;

	sim_random_init(&r, 3, "fuzz");
	for (int i = 0; i < 10000; i++) {
		uint32_t size = 1u << sim_random_below(&r, 6);
		int got;

		start(size, sim_random_below(&r, 2));
		ring.config.indirect = sim_random_below(&r, 8);
		fuzz_ring(&r, size);
		while ((got = hring_pop(&ring, &chain)) > 0) {
			ck_chain(&chain, size);
			good++;
			if (sim_random_below(&r, 2))
				continue;
			hring_push(&ring, chain.head, 1);
			hring_publish(&ring);
			hring_should_interrupt(&ring);
		}
		ck_assert(got == 0 || got == -EBADMSG);
		ck_assert_int_eq(got == 0, ring.error == HRING_ERR_NONE);
		errors[ring.error]++;
	}
	ck_assert_uint_gt(good, 1000);
	ck_assert_uint_gt(errors[HRING_ERR_NONE], 100);
	for (int e = 0; e < HRING_ERR_NR; e++) {
		/* Tested above; impossible or too rare here; packed only. */
		if (e == HRING_ERR_IN_USE || e == HRING_ERR_BUFFERS ||
		    e == HRING_ERR_CHAIN_BYTES || e == HRING_ERR_RING_RAM ||
		    e == HRING_ERR_ID || e == HRING_ERR_ID_BUSY ||
		    e == HRING_ERR_DESCS_IN_USE ||
		    e == HRING_ERR_CHAIN_AVAIL ||
		    e == HRING_ERR_INDIRECT_CHAINED ||
		    e == HRING_ERR_EVENT_FLAGS || e == HRING_ERR_EVENT_OFFSET)
			continue;
		ck_assert_msg(errors[e], "%s never came up",
			      hring_error_name(e));
	}
}
END_TEST

/* --- on a host thread, with costs --- */

static struct hw_thread thread;
static struct fiber fiber;
static uint64_t ended_ps;

static void pop_push_main(void *arg)
{
	(void)arg;
	ck_assert_int_eq(hring_pop(&ring, &chain), 1);
	hring_push(&ring, chain.head, 0);
	hring_publish(&ring);
	hring_should_interrupt(&ring);
	hring_arm_kicks(&ring);
	ended_ps = sim_now();
	sim_actor_exit();
}

/*
 * Available index, entry, descriptor; used element, used index; barrier,
 * available flags; used flags, barrier, available index.
 */
START_TEST(accesses_are_charged)
{
	hw_cost.access_ps = 1000;
	hw_cost.barrier_ps = 50;
	rig_desc(0, RIG_DATA_PA, 1, RIG_WRITE, 0);
	rig_offer(SIZE, 0, 0);
	ck_assert_int_eq(fiber_init(&fiber, 65536, pop_push_main, NULL), 0);
	hw_thread_init(&thread, HW_HOST_ID_BASE, "t", &rig_topology, 0,
		       &fiber);
	sim_actor_start(&thread.actor, 0);
	ck_assert_int_eq(sim_run(), SIM_END_QUIET);
	ck_assert_uint_eq(thread.stats.accesses_nr, 8);
	ck_assert_uint_eq(ended_ps, 8 * 1000 + 2 * 50);
	ck_assert_uint_eq(thread.actor.state, SIM_ACTOR_DONE);
	fiber_fini(&fiber);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("hring");
	TCase *t = tcase_create("flag");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, pop_of_an_empty_ring_is_zero);
	tcase_add_test(t, pop_yields_the_chain_in_order);
	tcase_add_test(t, pop_follows_buffers_then_an_indirect_table);
	tcase_add_test(t,
		       pop_takes_and_counts_chains_longer_than_the_queue);
	tcase_add_test(t, pop_takes_a_chain_of_the_whole_queue);
	tcase_add_test(t, sequence_numbers_wrap_at_65536);
	tcase_add_test(t, pop_refuses_index_beyond_ring);
	tcase_add_test(t, pop_refuses_index_that_moves_back);
	tcase_add_test(t, pop_refuses_head_beyond_table);
	tcase_add_test(t, pop_refuses_head_that_is_outstanding);
	tcase_add_test(t,
		       pop_refuses_more_chains_than_the_queue_has_descriptors);
	tcase_add_test(t, pop_refuses_next_beyond_table);
	tcase_add_test(t, pop_refuses_next_beyond_indirect_table);
	tcase_add_test(t, pop_refuses_loops);
	tcase_add_test(t, pop_refuses_loops_in_an_indirect_table);
	tcase_add_test(t, pop_refuses_indirect_that_was_not_negotiated);
	tcase_add_loop_test(t, pop_refuses_bad_indirect_tables, 0,
			    sizeof(bad_tables) / sizeof(bad_tables[0]));
	tcase_add_test(t, pop_refuses_nested_indirect_tables);
	tcase_add_loop_test(t, pop_refuses_bad_buffers, 0,
			    sizeof(bad_buffers) / sizeof(bad_buffers[0]));
	tcase_add_test(t, pop_refuses_readable_behind_writable);
	tcase_add_test(t, pop_refuses_more_buffers_than_it_has_room_for);
	tcase_add_loop_test(t, pop_refuses_more_than_four_gigabytes, 0, 2);
	tcase_add_test(t, init_refuses_rings_outside_ram);
	tcase_add_test(t, every_error_has_a_name_and_a_text);
	tcase_add_test(t, pushes_become_visible_together);
	tcase_add_test(t, interrupt_follows_the_no_interrupt_flag);
	tcase_add_test(t, kicks_are_suppressed_and_armed_by_flag);
	tcase_add_test(t, arm_tells_of_buffers_that_are_there);
	tcase_add_loop_test(t, no_kick_is_lost_between_suppress_and_arm, 0, 2);
	tcase_add_test(t, random_rings_are_survived);
	tcase_add_test(t, accesses_are_charged);
	suite_add_tcase(s, t);

	t = tcase_create("event index");
	tcase_add_checked_fixture(t, setup_event_idx, teardown);
	tcase_add_test(t, interrupt_follows_used_event);
	tcase_add_test(t, kicks_are_suppressed_and_armed_by_avail_event);
	tcase_add_test(t, event_window_agrees_with_wide_integers);
	tcase_add_test(t, event_window_agrees_with_wide_integers_at_random);
	tcase_add_test(t, should_interrupt_agrees_with_wide_integers);
	suite_add_tcase(s, t);
	return s;
}

int main(void)
{
	return rig_main(suite());
}
