// SPDX-License-Identifier: GPL-2.0-only
#include "tests/host/fuzz.h"
#include "tests/host/rig_packed.h"

#include <errno.h>
#include <stdlib.h>

#define SIZE 8u

static struct hring ring;
static struct hring_chain chain;

static void start(uint32_t size, bool event_idx)
{
	struct hring_config config = rig_ring_config(size, event_idx, true);

	memset(&ring, 0, sizeof(ring));
	memset(ram_va(RIG_DESC_PA), 0, 16 * (size_t)size);
	rig_set_driver_event(RIG_ENABLE, 0);
	ck_assert_int_eq(hring_init(&ring, &hring_packed, &config), 0);
}

static void setup(void)
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
	memset(ram_va(RIG_DESC_PA), 0, 16 * (size_t)ring.config.size);
	ck_assert_int_eq(hring_pop(&ring, &chain), -EBADMSG);
	ck_assert(hring_arm_kicks(&ring));
}

/* Push and publish one chain. */
static void complete(uint16_t head, uint32_t written_bytes)
{
	hring_push(&ring, head, written_bytes);
	hring_publish(&ring);
}

START_TEST(pop_of_an_empty_ring_is_zero)
{
	ck_assert_int_eq(hring_pop(&ring, &chain), 0);
	ck_assert_uint_eq(ring.stats.pops_empty_nr, 1);
}
END_TEST

START_TEST(pop_yields_the_chain_in_order)
{
	rig_packed(SIZE, 0, RIG_DATA_PA, 16, 7, RIG_NEXT);
	rig_packed(SIZE, 1, RIG_DATA_PA + 0x1000, 512, 7,
		   RIG_NEXT | RIG_WRITE);
	rig_packed(SIZE, 2, RIG_DATA_PA + 0x2000, 1, 5, RIG_WRITE);
	ck_assert_int_eq(hring_pop(&ring, &chain), 1);
	ck_assert_uint_eq(chain.head, 5);
	ck_assert_uint_eq(chain.descs_nr, 3);
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

/* Bit 0: AVAIL; bit 1: USED; bit 2: in the second pass. */
START_TEST(available_means_one_of_four_combinations)
{
	uint16_t flags = (_i & 1 ? RIG_AVAIL_BIT : 0) |
			 (_i & 2 ? RIG_USED_BIT : 0);
	bool second = _i & 4;

	if (second) {
		rig_packed_chain(SIZE, 0, SIZE, 0);
		ck_assert_int_eq(hring_pop(&ring, &chain), 1);
		complete(0, 1);
	}
	rig_packed(SIZE, second ? SIZE : 0, RIG_DATA_PA, 1, 0, 0);
	rig_put16(RIG_DESC_PA + 14, flags);
	ck_assert_int_eq(hring_pop(&ring, &chain),
			 (_i & 3) == (second ? 2 : 1));
}
END_TEST

START_TEST(pop_follows_an_indirect_table_from_end_to_end)
{
	/* 2.8.7: the write flag of the referring descriptor is ignored. */
	rig_packed(SIZE, 0, RIG_TABLE_PA, 48, 3, RIG_INDIRECT | RIG_WRITE);
	/* So is everything but WRITE in the table. */
	rig_packed_entry(0, RIG_DATA_PA, 8, RIG_AVAIL_BIT | RIG_NEXT);
	rig_packed_entry(1, RIG_DATA_PA + 64, 8, RIG_USED_BIT | RIG_INDIRECT);
	rig_packed_entry(2, RIG_DATA_PA + 128, 4, RIG_WRITE);
	ck_assert_int_eq(hring_pop(&ring, &chain), 1);
	ck_assert_uint_eq(chain.head, 3);
	ck_assert_uint_eq(chain.iovs_nr, 3);
	ck_assert_uint_eq(chain.descs_nr, 4);
	ck_assert_uint_eq(chain.readables_nr, 2);
	ck_assert_uint_eq(chain.iov[2].pa, RIG_DATA_PA + 128);
	ck_assert_uint_eq(ring.stats.indirect_nr, 1);
	complete(3, 4);
	ck_assert(rig_is_used(SIZE, 0));
	/* One slot, however long the table is. */
	rig_packed_chain(SIZE, 1, 1, 3);
	ck_assert_int_eq(hring_pop(&ring, &chain), 1);
}
END_TEST

START_TEST(pop_takes_and_counts_chains_longer_than_the_queue)
{
	rig_packed(SIZE, 0, RIG_TABLE_PA, 16 * (SIZE + 2), 0, RIG_INDIRECT);
	for (uint32_t i = 0; i < SIZE + 2; i++)
		rig_packed_entry(i, RIG_DATA_PA, 64, 0);
	ck_assert_int_eq(hring_pop(&ring, &chain), 1);
	ck_assert_uint_eq(chain.iovs_nr, SIZE + 2);
	ck_assert_uint_eq(ring.stats.over_size_nr, 1);
}
END_TEST

/*
 * For each size, each first slot and each length up to the whole ring: two of
 * these chains after each other, so that one crosses the end.
 */
START_TEST(chains_of_every_length_start_at_every_slot)
{
	for (uint32_t size = 1; size <= 9; size++)
		for (uint32_t first = 0; first < 2 * size; first++)
			for (uint32_t nr = 1; nr <= size; nr++) {
				uint64_t at = 0;

				start(size, false);
				for (; at < first + 2 * nr;
				     at += at < first ? 1 : nr) {
					uint32_t n = at < first ? 1 : nr;

					ck_assert_int_eq(hring_pop(&ring,
								   &chain), 0);
					rig_packed_chain(size, at, n, 0);
					ck_assert_int_eq(hring_pop(&ring,
								   &chain), 1);
					ck_assert_uint_eq(chain.iovs_nr, n);
					ck_assert(!rig_is_used(size, at));
					complete(0, n);
					ck_assert(rig_is_used(size, at));
					ck_assert_uint_eq(
						rig_packed_len(size, at), n);
				}
			}
}
END_TEST

START_TEST(used_descriptors_say_whether_there_is_data)
{
	rig_packed_chain(SIZE, 0, 1, 0);
	rig_packed_chain(SIZE, 1, 1, 1);
	ck_assert_int_eq(hring_pop(&ring, &chain), 1);
	ck_assert_int_eq(hring_pop(&ring, &chain), 1);
	complete(0, 0);
	complete(1, 1);
	ck_assert(!rig_is_written(SIZE, 0));
	ck_assert(rig_is_written(SIZE, 1));
}
END_TEST

/* 3 + 1 + 2 descriptors, given back as 1, 2, 3. */
START_TEST(used_descriptors_skip_the_length_of_their_chain)
{
	rig_packed_chain(SIZE, 0, 3, 4);
	rig_packed_chain(SIZE, 3, 1, 5);
	rig_packed_chain(SIZE, 4, 2, 6);
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(hring_pop(&ring, &chain), 1);
	complete(5, 50);
	complete(6, 60);
	complete(4, 40);
	ck_assert_uint_eq(rig_packed_id(SIZE, 0), 5);
	ck_assert_uint_eq(rig_packed_len(SIZE, 0), 50);
	ck_assert_uint_eq(rig_packed_id(SIZE, 1), 6);
	ck_assert_uint_eq(rig_packed_id(SIZE, 3), 4);
	ck_assert(rig_is_used(SIZE, 0) && rig_is_used(SIZE, 1) &&
		  rig_is_used(SIZE, 3));
	ck_assert(!rig_is_used(SIZE, 2) && !rig_is_used(SIZE, 4));
}
END_TEST

START_TEST(pushes_become_visible_together)
{
	for (uint16_t i = 0; i < 3; i++) {
		rig_packed_chain(SIZE, i, 1, i);
		ck_assert_int_eq(hring_pop(&ring, &chain), 1);
	}
	hring_push(&ring, 2, 7);
	hring_push(&ring, 0, 8);
	ck_assert(!rig_is_used(SIZE, 0));
	/* Behind the first it doesn't matter: the driver isn't there yet. */
	ck_assert(rig_is_used(SIZE, 1));
	hring_publish(&ring);
	ck_assert(rig_is_used(SIZE, 0) && rig_is_used(SIZE, 1));
	ck_assert_uint_eq(rig_packed_id(SIZE, 0), 2);
	ck_assert_uint_eq(rig_packed_len(SIZE, 0), 7);
	ck_assert_uint_eq(rig_packed_id(SIZE, 1), 0);
	ck_assert_uint_eq(hring_in_use_nr(&ring), 1);
	hring_publish(&ring);
	ck_assert_uint_eq(ring.stats.publishes_nr, 1);
}
END_TEST

/* --- a driver that follows 2.8.21, in wide integers --- */

static struct driver {
	uint32_t size;
	uint64_t avail;			/* descriptors made available */
	uint64_t used;			/* descriptors taken back */
	uint32_t slots_nr[32];		/* by id; 0: free */
	uint32_t len[32];
} driver;

static void driver_start(uint32_t size)
{
	memset(&driver, 0, sizeof(driver));
	driver.size = size;
}

static void driver_add(struct sim_random *r)
{
	uint32_t room = driver.size - (uint32_t)(driver.avail - driver.used);
	uint32_t nr, id;

	if (!room)
		return;
	nr = 1 + (uint32_t)sim_random_below(r, room);
	do
		id = (uint32_t)sim_random_below(r, driver.size);
	while (driver.slots_nr[id]);
	rig_packed_chain(driver.size, driver.avail, nr, (uint16_t)id);
	driver.slots_nr[id] = nr;
	driver.avail += nr;
}

/* Take back one buffer, if there is one. */
static bool driver_reap(void)
{
	uint16_t id;

	if (!rig_is_used(driver.size, driver.used))
		return false;
	id = rig_packed_id(driver.size, driver.used);
	ck_assert_uint_lt(id, driver.size);
	ck_assert_uint_gt(driver.slots_nr[id], 0);
	ck_assert_uint_eq(rig_packed_len(driver.size, driver.used),
			  driver.len[id]);
	driver.used += driver.slots_nr[id];
	driver.slots_nr[id] = 0;
	return true;
}

static void device_push_one(struct sim_random *r, uint16_t *heads, uint32_t *nr)
{
	uint32_t i = (uint32_t)sim_random_below(r, *nr);
	uint16_t id = heads[i];

	heads[i] = heads[--*nr];
	driver.len[id] = (uint32_t)sim_random_below(r, 1000);
	hring_push(&ring, id, driver.len[id]);
}

START_TEST(buffers_come_back_in_any_order)
{
	uint32_t size = (uint32_t)_i, popped = 0, pushed = 0;
	uint16_t heads[32];
	uint64_t reaped = 0;
	struct sim_random r;

	sim_random_init(&r, size, "order");
	start(size, false);
	driver_start(size);
	for (int i = 0; i < 20000; i++) {
		switch (sim_random_below(&r, 5)) {
		case 0:
			driver_add(&r);
			break;
		case 1:
			if (hring_pop(&ring, &chain) == 1) {
				ck_assert_uint_eq(chain.iovs_nr,
						  driver.slots_nr[chain.head]);
				heads[popped++] = chain.head;
			}
			break;
		case 2:
			if (popped) {
				device_push_one(&r, heads, &popped);
				pushed++;
			}
			break;
		case 3:
			hring_publish(&ring);
			while (driver_reap()) {
				reaped++;
				pushed--;
			}
			ck_assert_uint_eq(pushed, 0);
			break;
		default:
			/* What isn't published can't be seen. */
			ck_assert(!driver_reap());
		}
		ck_assert_int_eq(ring.error, HRING_ERR_NONE);
	}
	ck_assert_uint_gt(reaped, 500);
}
END_TEST

/* --- what is refused --- */

START_TEST(pop_refuses_ids_beyond_the_queue_size)
{
	rig_packed_chain(SIZE, 0, 2, SIZE);
	ck_refused(HRING_ERR_ID);
	ck_assert_uint_eq(ring.error_at, SIZE);
}
END_TEST

START_TEST(pop_refuses_ids_that_are_outstanding)
{
	rig_packed_chain(SIZE, 0, 1, 4);
	rig_packed_chain(SIZE, 1, 1, 4);
	ck_assert_int_eq(hring_pop(&ring, &chain), 1);
	ck_refused(HRING_ERR_ID_BUSY);
}
END_TEST

START_TEST(pop_refuses_descriptors_that_are_in_use)
{
	rig_packed_chain(SIZE, 0, SIZE, 0);
	ck_assert_int_eq(hring_pop(&ring, &chain), 1);
	rig_packed_chain(SIZE, SIZE, 1, 1);
	ck_refused(HRING_ERR_DESCS_IN_USE);
}
END_TEST

START_TEST(pop_refuses_chains_that_run_into_descriptors_in_use)
{
	rig_packed_chain(SIZE, 0, 2, 0);
	ck_assert_int_eq(hring_pop(&ring, &chain), 1);
	rig_packed_chain(SIZE, 2, SIZE - 1, 1);
	/* A push alone gives nothing back. */
	hring_push(&ring, 0, 0);
	ck_refused(HRING_ERR_DESCS_IN_USE);
}
END_TEST

START_TEST(pop_refuses_chains_longer_than_the_ring)
{
	for (uint32_t i = 0; i < SIZE; i++)
		rig_packed(SIZE, i, RIG_DATA_PA, 1, 0, RIG_NEXT);
	ck_refused(HRING_ERR_CHAIN_LONG);
}
END_TEST

START_TEST(pop_refuses_chains_that_are_not_all_available)
{
	rig_packed_chain(SIZE, 0, 3, 0);
	rig_put16(RIG_DESC_PA + 2 * 16 + 14, RIG_WRITE | RIG_USED_BIT);
	ck_refused(HRING_ERR_CHAIN_AVAIL);
	ck_assert_uint_eq(ring.error_at, 2);
}
END_TEST

/* The flags of a chain must change at the end of the ring. */
START_TEST(pop_refuses_chains_that_do_not_wrap)
{
	rig_packed_chain(SIZE, 0, SIZE - 1, 0);
	ck_assert_int_eq(hring_pop(&ring, &chain), 1);
	complete(0, 0);
	rig_packed_chain(SIZE, SIZE - 1, 2, 0);
	rig_put16(RIG_DESC_PA + 14, RIG_WRITE | RIG_AVAIL_BIT);
	ck_refused(HRING_ERR_CHAIN_AVAIL);
}
END_TEST

START_TEST(pop_refuses_indirect_that_was_not_negotiated)
{
	ring.config.indirect = false;
	rig_packed(SIZE, 0, RIG_TABLE_PA, 16, 0, RIG_INDIRECT);
	rig_packed_entry(0, RIG_DATA_PA, 1, 0);
	ck_refused(HRING_ERR_INDIRECT_OFF);
}
END_TEST

START_TEST(pop_refuses_indirect_tables_in_a_chain)
{
	rig_packed(SIZE, 0, RIG_DATA_PA, 16, 0, RIG_NEXT);
	rig_packed(SIZE, 1, RIG_TABLE_PA, 16, 0, RIG_INDIRECT);
	rig_packed_entry(0, RIG_DATA_PA, 1, 0);
	ck_refused(HRING_ERR_INDIRECT_CHAINED);
}
END_TEST

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
	rig_packed(SIZE, 0, bad_tables[_i].pa, bad_tables[_i].len, 0,
		   RIG_INDIRECT | bad_tables[_i].flags);
	ck_refused(bad_tables[_i].error);
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
};

/* Directly, then through a table. */
START_TEST(pop_refuses_bad_buffers)
{
	rig_packed(SIZE, 0, bad_buffers[_i].pa, bad_buffers[_i].len, 0, 0);
	ck_refused(bad_buffers[_i].error);
	start(SIZE, false);
	rig_packed(SIZE, 0, RIG_TABLE_PA, 32, 0, RIG_INDIRECT);
	rig_packed_entry(0, RIG_DATA_PA, 1, 0);
	rig_packed_entry(1, bad_buffers[_i].pa, bad_buffers[_i].len, 0);
	ck_refused(bad_buffers[_i].error);
}
END_TEST

START_TEST(pop_refuses_readable_behind_writable)
{
	rig_packed(SIZE, 0, RIG_DATA_PA, 1, 0, RIG_WRITE | RIG_NEXT);
	rig_packed(SIZE, 1, RIG_DATA_PA, 1, 0, 0);
	ck_refused(HRING_ERR_BUFFER_ORDER);
}
END_TEST

/* 15 MiB a time: 273 of them fit into 2^32 bytes, 274 don't. */
START_TEST(pop_refuses_more_than_four_gigabytes)
{
	uint32_t nr = 273 + (uint32_t)_i;

	rig_packed(SIZE, 0, RIG_TABLE_PA, 16 * nr, 0, RIG_INDIRECT);
	for (uint32_t i = 0; i < nr; i++)
		rig_packed_entry(i, RAM_FIRST_PA, 15 << 20, 0);
	if (_i)
		ck_refused(HRING_ERR_CHAIN_BYTES);
	else
		ck_assert_int_eq(hring_pop(&ring, &chain), 1);
}
END_TEST

START_TEST(init_refuses_rings_outside_ram)
{
	struct hring_config good = rig_ring_config(SIZE, false, false);
	struct hring_config bad[4] = { good, good, good, good };

	bad[0].desc_pa = RIG_RAM_BYTES - 16 * SIZE + 16;
	bad[1].driver_pa = RIG_RAM_BYTES;
	bad[2].device_pa += 2;		/* 2.8.10.1: aligned to 4 */
	bad[3].desc_pa += 8;
	for (int i = 0; i < 4; i++) {
		ck_assert_int_eq(hring_init(&ring, &hring_packed, &bad[i]),
				 -EINVAL);
		ck_assert_int_eq(ring.error, HRING_ERR_RING_RAM);
	}
	good.desc_pa = RIG_RAM_BYTES - 16 * SIZE;
	good.driver_pa = RAM_FIRST_PA;
	good.device_pa = RAM_FIRST_PA + 4;
	ck_assert_int_eq(hring_init(&ring, &hring_packed, &good), 0);
}
END_TEST

/* --- events --- */

/* Offer and take one chain of one descriptor at @at. */
static void take(uint64_t at, uint16_t id)
{
	rig_packed_chain(SIZE, at, 1, id);
	ck_assert_int_eq(hring_pop(&ring, &chain), 1);
}

START_TEST(interrupt_follows_the_flags)
{
	for (uint16_t i = 0; i < 3; i++)
		take(i, i);
	complete(0, 0);
	ck_assert(hring_should_interrupt(&ring));
	rig_set_driver_event(RIG_DISABLE, rig_off_wrap(SIZE, 1));
	complete(1, 0);
	ck_assert(!hring_should_interrupt(&ring));
	ck_assert_uint_eq(ring.stats.interrupts_nr, 1);
	ck_assert_uint_eq(ring.stats.interrupts_suppressed_nr, 1);
}
END_TEST

START_TEST(interrupt_follows_the_event_descriptor)
{
	for (uint16_t i = 0; i < 4; i++)
		take(i, i);
	rig_set_driver_event(RIG_EVENT, rig_off_wrap(SIZE, 2));
	complete(0, 0);
	complete(1, 0);
	ck_assert(!hring_should_interrupt(&ring));
	complete(2, 0);
	ck_assert(hring_should_interrupt(&ring));
	complete(3, 0);
	ck_assert(!hring_should_interrupt(&ring));
}
END_TEST

/* An event inside a chain is passed when the chain is used. */
START_TEST(events_on_skipped_descriptors_count)
{
	rig_packed_chain(SIZE, 0, 3, 0);
	ck_assert_int_eq(hring_pop(&ring, &chain), 1);
	rig_set_driver_event(RIG_EVENT, rig_off_wrap(SIZE, 2));
	complete(0, 0);
	ck_assert(hring_should_interrupt(&ring));
}
END_TEST

static const struct {
	bool event_idx;
	uint16_t flags;
	uint16_t off_wrap;
	enum hring_error error;
} bad_events[] = {
	{ false, RIG_EVENT, 0, HRING_ERR_EVENT_FLAGS },
	{ true, 3, 0, HRING_ERR_EVENT_FLAGS },
	{ false, 3, 0, HRING_ERR_EVENT_FLAGS },
	{ true, RIG_EVENT, SIZE, HRING_ERR_EVENT_OFFSET },
	{ true, RIG_EVENT, 0xffff, HRING_ERR_EVENT_OFFSET },
};

START_TEST(bad_events_interrupt_and_break_the_ring)
{
	start(SIZE, bad_events[_i].event_idx);
	take(0, 0);
	take(1, 1);
	rig_set_driver_event(bad_events[_i].flags, bad_events[_i].off_wrap);
	complete(0, 0);
	ck_assert(hring_should_interrupt(&ring));
	ck_refused(bad_events[_i].error);
}
END_TEST

/* Exhaustive: all places, all numbers of descriptors, all events. */
START_TEST(event_window_agrees_with_wide_integers)
{
	uint32_t size = (uint32_t)_i;

	start(size, true);
	for (uint32_t old = 0; old < 2 * size; old++)
		for (uint32_t moved = 0; moved <= size; moved++)
			for (uint32_t e = 0; e < 2 * size; e++) {
				uint32_t new = old + moved;

				rig_set_driver_event(RIG_EVENT,
						     rig_off_wrap(size, e));
				ring.published_seq =
					(uint16_t)(new % (2 * size));
				ring.packed.unnotified_nr = moved;
				ck_assert_int_eq(hring_should_interrupt(&ring),
						 rig_passed(size,
							rig_off_wrap(size, e),
							old, new));
				ck_assert_uint_eq(ring.packed.unnotified_nr,
						  0);
			}
	ck_assert_int_eq(ring.error, HRING_ERR_NONE);
}
END_TEST

/* With more than the circle published since, any event was passed. */
START_TEST(no_event_is_missed_when_nobody_asked_for_long)
{
	rig_set_driver_event(RIG_EVENT, rig_off_wrap(SIZE, 1));
	for (uint16_t at = 0; at < 5 * SIZE + 1; at++) {
		take(at, 0);
		complete(0, 0);
	}
	ck_assert(hring_should_interrupt(&ring));
	ck_assert(!hring_should_interrupt(&ring));
}
END_TEST

START_TEST(kicks_are_suppressed_and_armed_by_flag)
{
	start(SIZE, false);
	hring_suppress_kicks(&ring);
	ck_assert_uint_eq(rig_device_flags(), RIG_DISABLE);
	ck_assert(!hring_arm_kicks(&ring));
	ck_assert_uint_eq(rig_device_flags(), RIG_ENABLE);
	ck_assert_uint_eq(ring.stats.suppresses_nr, 1);
	ck_assert_uint_eq(ring.stats.arms_nr, 1);
}
END_TEST

START_TEST(kicks_are_suppressed_and_armed_by_event)
{
	for (uint16_t at = 0; at < 4 * SIZE; at++) {
		hring_suppress_kicks(&ring);
		ck_assert_uint_eq(rig_device_flags(), RIG_DISABLE);
		ck_assert(!hring_arm_kicks(&ring));
		ck_assert_uint_eq(rig_device_flags(), RIG_EVENT);
		ck_assert_uint_eq(rig_device_off_wrap(),
				  rig_off_wrap(SIZE, at));
		/* One is always outstanding. */
		take(at, at % SIZE);
		if (at)
			complete((at - 1) % SIZE, 0);
	}
}
END_TEST

START_TEST(arm_tells_of_buffers_that_are_there)
{
	hring_suppress_kicks(&ring);
	take(0, 0);
	rig_packed_chain(SIZE, 1, 1, 1);
	ck_assert(hring_arm_kicks(&ring));
	ck_assert_uint_eq(ring.stats.arms_raced_nr, 1);
}
END_TEST

START_TEST(arm_ahead_asks_for_all_kicks_once)
{
	hring_suppress_kicks(&ring);
	hring_arm_ahead(&ring);
	ck_assert_uint_eq(rig_device_flags(), RIG_ENABLE);
	hring_arm_ahead(&ring);
	ck_assert_uint_eq(ring.stats.arms_nr, 1);
	ck_assert(!hring_arm_kicks(&ring));
	hring_arm_ahead(&ring);
	ck_assert_uint_eq(rig_device_flags(), RIG_ENABLE);
	ck_assert_uint_eq(ring.stats.arms_nr, 3);
}
END_TEST

static bool driver_must_kick(uint64_t kicked_from)
{
	if (kicked_from == driver.avail)
		return false;
	if (rig_device_flags() == RIG_EVENT)
		return rig_passed(driver.size, rig_device_off_wrap(),
				  kicked_from, driver.avail);
	return rig_device_flags() == RIG_ENABLE;
}

static bool device_step(struct sim_random *r)
{
	switch (sim_random_below(r, 4)) {
	case 0:
		hring_suppress_kicks(&ring);
		return true;
	case 1:
		if (hring_pop(&ring, &chain) == 1) {
			driver.len[chain.head] = 1;
			complete(chain.head, 1);
		}
		return true;
	default:
		return hring_arm_kicks(&ring);
	}
}

/* A driver that kicks as 2.8.10 says, against every moment of the device. */
START_TEST(no_kick_is_lost_between_suppress_and_arm)
{
	uint32_t size = _i & 1 ? SIZE : 7;
	struct sim_random r;
	bool kick = false;

	start(size, _i & 2);
	driver_start(size);
	sim_random_init(&r, 2, "kicks");
	for (int i = 0; i < 200000; i++) {
		uint64_t kicked_from = driver.avail;

		for (uint64_t n = sim_random_below(&r, 3); n; n--)
			driver_add(&r);
		while (driver_reap())
			;
		kick |= driver_must_kick(kicked_from);
		/* Kicks armed and no kick: nothing is there. */
		if (!kick && ring.armed)
			ck_assert_uint_eq(driver.avail % (2 * size),
					  ring.avail_seq);
		if (kick)
			kick = device_step(&r);
	}
	ck_assert_int_eq(ring.error, HRING_ERR_NONE);
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

/* Pop until empty or error; give some back on the way. Chains taken. */
static uint64_t fuzz_once(struct sim_random *r, uint32_t size)
{
	uint64_t good = 0;
	int got;

	rig_set_driver_event((uint16_t)sim_random_below(r, 3),
			     (uint16_t)sim_random_below(r, size));
	while ((got = hring_pop(&ring, &chain)) > 0) {
		ck_chain(&chain, size);
		good++;
		if (sim_random_below(r, 2))
			continue;
		if (!sim_random_below(r, 200))
			rig_set_driver_event((uint16_t)sim_random_u64(r),
					     (uint16_t)sim_random_u64(r));
		complete(chain.head, 1);
		hring_should_interrupt(&ring);
	}
	ck_assert(got == 0 || got == -EBADMSG);
	ck_assert_int_eq(got == 0, ring.error == HRING_ERR_NONE);
	return good;
}

/*
 * Every kind of error and many good chains must have come up, or the fuzz is
 * too wild or tame. The ring may begin anywhere in its first pass.
 */
START_TEST(random_rings_are_survived)
{
	uint32_t errors[HRING_ERR_NR] = { 0 };
	struct sim_random r;
	uint64_t good = 0;

	sim_random_init(&r, 3, "fuzz");
	for (int i = 0; i < 10000; i++) {
		uint32_t size = 1 + (uint32_t)sim_random_below(&r, 40);

		start(size, sim_random_below(&r, 8));
		ring.config.indirect = sim_random_below(&r, 8);
		ring.avail_seq = (uint16_t)sim_random_below(&r, size);
		ring.used_seq = ring.published_seq = ring.avail_seq;
		fuzz_packed_ring(&r, size);
		good += fuzz_once(&r, size);
		errors[ring.error]++;
	}
	ck_assert_uint_gt(good, 1000);
	ck_assert_uint_gt(errors[HRING_ERR_NONE], 100);
	for (int e = 0; e < HRING_ERR_NR; e++) {
		/* Split only; tested above, impossible or too rare here. */
		if (e == HRING_ERR_AVAIL_IDX || e == HRING_ERR_IN_USE ||
		    e == HRING_ERR_HEAD || e == HRING_ERR_HEAD_BUSY ||
		    e == HRING_ERR_NEXT || e == HRING_ERR_INDIRECT_NESTED ||
		    e == HRING_ERR_BUFFERS || e == HRING_ERR_CHAIN_BYTES ||
		    e == HRING_ERR_RING_RAM || e == HRING_ERR_DESCS_IN_USE)
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
 * Flags, descriptor; used descriptor, its flags; barrier, driver event; device
 * event, barrier, flags.
 */
START_TEST(accesses_are_charged)
{
	hw_cost.access_ps = 1000;
	hw_cost.barrier_ps = 50;
	rig_packed_chain(SIZE, 0, 1, 0);
	ck_assert_int_eq(fiber_init(&fiber, 65536, pop_push_main, NULL), 0);
	hw_thread_init(&thread, HW_HOST_ID_BASE, "t", &rig_topology, 0,
		       &fiber);
	sim_actor_start(&thread.actor, 0);
	ck_assert_int_eq(sim_run(), SIM_END_QUIET);
	ck_assert_uint_eq(thread.stats.accesses_nr, 7);
	ck_assert_uint_eq(ended_ps, 7 * 1000 + 2 * 50);
	ck_assert_uint_eq(thread.actor.state, SIM_ACTOR_DONE);
	fiber_fini(&fiber);
}
END_TEST

static void add_ring_tests(TCase *t)
{
	tcase_add_test(t, pop_of_an_empty_ring_is_zero);
	tcase_add_test(t, pop_yields_the_chain_in_order);
	tcase_add_loop_test(t, available_means_one_of_four_combinations, 0, 8);
	tcase_add_test(t, pop_follows_an_indirect_table_from_end_to_end);
	tcase_add_test(t, pop_takes_and_counts_chains_longer_than_the_queue);
	tcase_add_test(t, chains_of_every_length_start_at_every_slot);
	tcase_add_test(t, used_descriptors_say_whether_there_is_data);
	tcase_add_test(t, used_descriptors_skip_the_length_of_their_chain);
	tcase_add_test(t, pushes_become_visible_together);
	tcase_add_loop_test(t, buffers_come_back_in_any_order, 1, 17);
	tcase_add_test(t, accesses_are_charged);
}

static void add_refusal_tests(TCase *t)
{
	tcase_add_test(t, pop_refuses_ids_beyond_the_queue_size);
	tcase_add_test(t, pop_refuses_ids_that_are_outstanding);
	tcase_add_test(t, pop_refuses_descriptors_that_are_in_use);
	tcase_add_test(t, pop_refuses_chains_that_run_into_descriptors_in_use);
	tcase_add_test(t, pop_refuses_chains_longer_than_the_ring);
	tcase_add_test(t, pop_refuses_chains_that_are_not_all_available);
	tcase_add_test(t, pop_refuses_chains_that_do_not_wrap);
	tcase_add_test(t, pop_refuses_indirect_that_was_not_negotiated);
	tcase_add_test(t, pop_refuses_indirect_tables_in_a_chain);
	tcase_add_loop_test(t, pop_refuses_bad_indirect_tables, 0,
			    sizeof(bad_tables) / sizeof(bad_tables[0]));
	tcase_add_loop_test(t, pop_refuses_bad_buffers, 0,
			    sizeof(bad_buffers) / sizeof(bad_buffers[0]));
	tcase_add_test(t, pop_refuses_readable_behind_writable);
	tcase_add_loop_test(t, pop_refuses_more_than_four_gigabytes, 0, 2);
	tcase_add_test(t, init_refuses_rings_outside_ram);
	tcase_add_test(t, random_rings_are_survived);
}

static void add_event_tests(TCase *t)
{
	tcase_add_test(t, interrupt_follows_the_flags);
	tcase_add_test(t, interrupt_follows_the_event_descriptor);
	tcase_add_test(t, events_on_skipped_descriptors_count);
	tcase_add_loop_test(t, bad_events_interrupt_and_break_the_ring, 0,
			    sizeof(bad_events) / sizeof(bad_events[0]));
	tcase_add_loop_test(t, event_window_agrees_with_wide_integers, 1, 13);
	tcase_add_test(t, no_event_is_missed_when_nobody_asked_for_long);
	tcase_add_test(t, kicks_are_suppressed_and_armed_by_flag);
	tcase_add_test(t, kicks_are_suppressed_and_armed_by_event);
	tcase_add_test(t, arm_tells_of_buffers_that_are_there);
	tcase_add_test(t, arm_ahead_asks_for_all_kicks_once);
	tcase_add_loop_test(t, no_kick_is_lost_between_suppress_and_arm, 0, 4);
}

static Suite *suite(void)
{
	void (*const add[])(TCase *) = {
		add_ring_tests, add_refusal_tests, add_event_tests
	};
	static const char *const name[] = { "ring", "refusals", "events" };
	Suite *s = suite_create("hring packed");

	for (int i = 0; i < 3; i++) {
		TCase *t = tcase_create(name[i]);

		tcase_add_checked_fixture(t, setup, teardown);
		add[i](t);
		suite_add_tcase(s, t);
	}
	return s;
}

int main(void)
{
	return rig_main(suite());
}
