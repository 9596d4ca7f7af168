// SPDX-License-Identifier: GPL-2.0-only
#include "tests/host/fuzz.h"
#include "tests/host/rig_blk.h"

#include <errno.h>
#include <stdlib.h>

#include "model/host/hblk_props.h"

/* --- properties --- */

START_TEST(defaults_are_consistent)
{
	struct hblk_properties props;

	hblk_properties_init(&props);
	ck_assert_ptr_null(hblk_properties_check(&props));
	for (uint32_t i = 0; i < hblk_properties_nr; i++) {
		const struct hblk_property *p = &hblk_property[i];
		uint32_t value;

		memcpy(&value, (char *)&props + p->offset, sizeof(value));
		ck_assert_uint_eq(value, p->value);
		ck_assert_uint_le(p->least, value);
		ck_assert_uint_le(value, p->most);
	}
}
END_TEST

static const struct {
	const char *name;
	uint32_t value;
	const char *wrong;
} bad_properties[] = {
	{ "queue-size", 100, "queue-size: not a power of two" },
	{ "queue-size", 2, "queue-size: must be" },
	{ "queue-size", 2048, "queue-size: must be" },
	{ "num-queues", 0, "num-queues: must be" },
	{ "event_idx", 2, "event_idx: must be" },
	{ "flush", 0, "config-wce: needs flush" },
	{ "logical_block_size", 1536, "logical_block_size: not a power" },
	{ "logical_block_size", 4096, "physical_block_size: less than" },
	{ "opt_io_size", 100, "opt_io_size: not a multiple" },
	{ "min_io_size", 1000, "min_io_size: not a multiple" },
	{ "max-discard-sectors", 0, "max-discard-sectors: must be" },
};

START_TEST(bad_properties_are_named)
{
	struct hblk_properties props;
	const char *wrong;

	hblk_properties_init(&props);
	for (uint32_t i = 0; i < hblk_properties_nr; i++)
		if (!strcmp(hblk_property[i].name, bad_properties[_i].name))
			memcpy((char *)&props + hblk_property[i].offset,
			       &bad_properties[_i].value, 4);
	wrong = hblk_properties_check(&props);
	ck_assert_ptr_nonnull(wrong);
	ck_assert_msg(!strncmp(wrong, bad_properties[_i].wrong,
			       strlen(bad_properties[_i].wrong)), "%s", wrong);
	config.props = props;
	ck_assert_int_eq(hblk_init(&blk, &config), -EINVAL);
}
END_TEST

START_TEST(seg_max_without_indirect_is_bounded_by_the_queue)
{
	config.props.indirect_desc = 0;
	config.props.seg_max = SIZE - 2;
	ck_assert_ptr_null(hblk_properties_check(&config.props));
	config.props.seg_max = SIZE - 1;
	ck_assert_ptr_nonnull(hblk_properties_check(&config.props));
}
END_TEST

START_TEST(init_refuses_a_placement_without_its_lock)
{
	config.placement = HBLK_VCPU;
	config.big_lock = NULL;
	ck_assert_int_eq(hloop_init(&loops[0], HW_HOST_ID_BASE, "loop",
				    &rig_topology, 0, NULL), 0);
	ck_assert_int_eq(hblk_init(&blk, &config), -EINVAL);
	config.placement = HBLK_MAIN_LOOP;
	config.big_lock = &big_lock;
	ck_assert_int_eq(hblk_init(&blk, &config), -EINVAL);
	hloop_fini(&loops[0]);
}
END_TEST

/* --- configuration as the driver sees it --- */

static void space_script(void)
{
	uint64_t features = guest_offered();

	ck_assert_uint_eq(guest_get(HPCI_DEVICE_OFFSET, 8), SECTORS);
	ck_assert_uint_eq(guest_get(HPCI_DEVICE_OFFSET + 12, 4), SIZE - 2);
	ck_assert_uint_eq(guest_get(HPCI_DEVICE_OFFSET + 20, 4), 1024);
	ck_assert_uint_eq(guest_get(HPCI_DEVICE_OFFSET + 24, 1), 2);
	ck_assert_uint_eq(guest_get(HPCI_DEVICE_OFFSET + 26, 2), 4);
	ck_assert_uint_eq(guest_get(HPCI_DEVICE_OFFSET + 28, 4), 16);
	ck_assert_uint_eq(guest_get(HPCI_DEVICE_OFFSET + 32, 1), 1);
	ck_assert_uint_eq(guest_get(HPCI_DEVICE_OFFSET + 34, 2), 4);
	ck_assert_uint_eq(guest_get(HPCI_DEVICE_OFFSET + 36, 4), 1000);
	ck_assert_uint_eq(guest_get(HPCI_DEVICE_OFFSET + 40, 4), 1);
	ck_assert_uint_eq(guest_get(HPCI_DEVICE_OFFSET + 44, 4), 2);
	ck_assert(features & BIT(VIRTIO_BLK_F_MQ));
	ck_assert((features & WITH_EVENT) == WITH_EVENT);
	ck_assert(!(features & BIT(VIRTIO_BLK_F_RO)));
	ck_assert(!(features & BIT(VIRTIO_BLK_F_SIZE_MAX)));
	ck_assert_uint_eq(guest_get(VIRTIO_PCI_COMMON_NUMQ, 2), 4);
	ck_assert_uint_eq(blk.hpci.fn.msix_nr, 5);
}

START_TEST(config_space_shows_the_properties)
{
	config.props.num_queues = 4;
	config.props.logical_block_size = 1024;
	config.props.physical_block_size = 4096;
	config.props.min_io_size = 4096;
	config.props.opt_io_size = 16384;
	config.props.max_discard_sectors = 1000;
	build();
	guest_run(&blk.hpci, space_script);
}
END_TEST

static void few_features_script(void)
{
	ck_assert_uint_eq(guest_offered(), BASE | BIT(VIRTIO_BLK_F_TOPOLOGY) |
					   BIT(VIRTIO_BLK_F_RO) |
					   BIT(VIRTIO_BLK_F_SIZE_MAX));
}

START_TEST(features_can_be_switched_off)
{
	config.props.event_idx = 0;
	config.props.indirect_desc = 0;
	config.props.flush = 0;
	config.props.config_wce = 0;
	config.props.discard = 0;
	config.props.write_zeroes = 0;
	config.props.read_only = 1;
	config.props.size_max = 65536;
	build();
	guest_run(&blk.hpci, few_features_script);
}
END_TEST

/* --- requests --- */

static void write_read_script(void)
{
	guest_start(ALL, SIZE);
	for (uint32_t b = 0; b < 4096; b++)
		*(uint8_t *)ram_va(BUFFER_PA(0) + b) = (uint8_t)(b * 13);
	request(0, VIRTIO_BLK_T_OUT, 8, 4096);
	ck_assert_uint_eq(outcome(0), VIRTIO_BLK_S_OK);
	ck_assert_uint_eq(rig_used_id(SIZE, 0), 0);
	ck_assert_uint_eq(rig_used_len(SIZE, 0), 1);
	request(1, VIRTIO_BLK_T_IN, 8, 4096);
	ck_assert_uint_eq(outcome(1), VIRTIO_BLK_S_OK);
	ck_assert_uint_eq(rig_used_id(SIZE, 1), 3);
	ck_assert_uint_eq(rig_used_len(SIZE, 1), 4097);
	ck_assert_int_eq(memcmp(ram_va(BUFFER_PA(0)), ram_va(BUFFER_PA(1)),
				4096), 0);
	ck_assert_uint_eq(guest_irqs[GUEST_VECTOR + 1], 2);
}

/* In each placement. */
START_TEST(data_written_is_read_back)
{
	config.placement = (enum hblk_placement)_i;
	build();
	guest_run(&blk.hpci, write_read_script);
	ck_assert_uint_eq(blk.queue[0].stats.types_nr[HBLK_OUT], 1);
	ck_assert_uint_eq(blk.queue[0].stats.types_nr[HBLK_IN], 1);
	ck_assert_uint_eq(blk.queue[0].stats.status_nr[VIRTIO_BLK_S_OK], 2);
	for (int s = STAMP_POP; s <= STAMP_USED; s++)
		ck_assert_uint_eq(stamps[s], 2);
	ck_assert_uint_eq(traced_kicks, 2);
	ck_assert_uint_eq(traced_irqs, 2);
	if (_i == HBLK_IOTHREAD)
		ck_assert_uint_eq(loops[0].thread.stats.mode_ps[HW_BLOCKED],
				  0);
	else
		ck_assert_uint_gt(big_lock.stats.acquired_nr, 4);
}
END_TEST

/* Header over five descriptors, data glued to its end, status to the data. */
static void framing_script(void)
{
	guest_start(ALL, SIZE);
	put_header(0, VIRTIO_BLK_T_OUT, 3);
	memset(ram_va(HEADER_PA(0) + 16), 0x5a, 512);
	for (uint32_t i = 0; i < 5; i++)
		rig_desc(i, HEADER_PA(0) + 3 * i, i < 4 ? 3 : 4 + 512,
			 RIG_NEXT, (uint16_t)(i + 1));
	rig_desc(5, STATUS_PA(1), 1, RIG_WRITE, 0);
	rig_offer(SIZE, offered++, 0);
	put_header(1, VIRTIO_BLK_T_IN, 3);
	rig_desc(10, HEADER_PA(1), 16, RIG_NEXT, 11);
	rig_desc(11, BUFFER_PA(1), 100, RIG_NEXT | RIG_WRITE, 12);
	rig_desc(12, BUFFER_PA(1) + 100, 413, RIG_WRITE, 0);
	rig_offer(SIZE, offered++, 10);
	rig_put(BUFFER_PA(1) + 512, "\xee\xee", 2);
	finish();
	ck_assert_uint_eq(rig_used_idx(), 2);
	ck_assert_uint_eq(rig_get8(STATUS_PA(1)), VIRTIO_BLK_S_OK);
	ck_assert_uint_eq(rig_get8(BUFFER_PA(1)), 0x5a);
	ck_assert_uint_eq(rig_get8(BUFFER_PA(1) + 511), 0x5a);
	ck_assert_uint_eq(rig_get8(BUFFER_PA(1) + 512), VIRTIO_BLK_S_OK);
	ck_assert_uint_eq(rig_get8(BUFFER_PA(1) + 513), 0xee);
	ck_assert_uint_eq(rig_used_len(SIZE, 1), 513);
}

START_TEST(framing_of_a_request_does_not_matter)
{
	build();
	guest_run(&blk.hpci, framing_script);
}
END_TEST

static void refused_script(void)
{
	uint8_t sector[512];

	guest_start(ALL, SIZE);
	memset(ram_va(BUFFER_PA(0)), 1, 1024);
	request(0, VIRTIO_BLK_T_OUT, SECTORS, 512);
	ck_assert_uint_eq(outcome(0), VIRTIO_BLK_S_IOERR);
	ck_assert_uint_eq(rig_used_len(SIZE, 0), 1);
	request(0, VIRTIO_BLK_T_IN, SECTORS - 1, 1024);
	ck_assert_uint_eq(outcome(0), VIRTIO_BLK_S_IOERR);
	request(0, VIRTIO_BLK_T_IN, UINT64_MAX, 1024);
	ck_assert_uint_eq(outcome(0), VIRTIO_BLK_S_IOERR);
	request(0, VIRTIO_BLK_T_OUT, 0, 100);
	ck_assert_uint_eq(outcome(0), VIRTIO_BLK_S_IOERR);
	ck_assert_int_eq(hstore_peek(&ram, 0, sector, 1), 0);
	ck_assert_uint_eq(sector[0], 0);
	request(0, 99, 0, 512);
	ck_assert_uint_eq(outcome(0), VIRTIO_BLK_S_UNSUPP);
	request(0, VIRTIO_BLK_T_GET_ID, 0, 19);
	ck_assert_uint_eq(outcome(0), VIRTIO_BLK_S_IOERR);
}

START_TEST(bad_requests_are_answered)
{
	build();
	guest_run(&blk.hpci, refused_script);
	ck_assert_uint_eq(blk.queue[0].stats.status_nr[VIRTIO_BLK_S_IOERR],
			  5);
	ck_assert_uint_eq(blk.queue[0].stats.status_nr[VIRTIO_BLK_S_UNSUPP],
			  1);
	ck_assert_uint_eq(stamps[STAMP_USED], 6);
	ck_assert_uint_eq(stamps[STAMP_DONE], 6);
	/* The device itself has refused them. */
	ck_assert_uint_eq(ram.stats.submits_nr, 0);
	ck_assert_ptr_null(blk.hpci.reason);
}
END_TEST

static void unaligned_script(void)
{
	guest_start(ALL, SIZE);
	request(0, VIRTIO_BLK_T_IN, 1, 4096);
	ck_assert_uint_eq(outcome(0), VIRTIO_BLK_S_IOERR);
	request(0, VIRTIO_BLK_T_IN, 8, 512);
	ck_assert_uint_eq(outcome(0), VIRTIO_BLK_S_IOERR);
	ranged(0, VIRTIO_BLK_T_DISCARD, 4, 8, 0);
	ck_assert_uint_eq(outcome(0), VIRTIO_BLK_S_IOERR);
	request(0, VIRTIO_BLK_T_IN, 8, 4096);
	ck_assert_uint_eq(outcome(0), VIRTIO_BLK_S_OK);
}

START_TEST(requests_must_be_whole_blocks)
{
	config.props.logical_block_size = 4096;
	config.props.physical_block_size = 4096;
	build();
	guest_run(&blk.hpci, unaligned_script);
}
END_TEST

static void segments_script(void)
{
	guest_start(ALL, SIZE);
	put_header(0, VIRTIO_BLK_T_IN, 0);
	rig_desc(0, HEADER_PA(0), 16, RIG_NEXT, 1);
	for (uint32_t i = 1; i <= 5; i++)
		rig_desc(i, BUFFER_PA(0) + 512 * i, 512, RIG_NEXT | RIG_WRITE,
			 i < 5 ? (uint16_t)(i + 1) : 10);
	rig_desc(10, STATUS_PA(0), 1, RIG_WRITE, 0);
	rig_offer(SIZE, offered++, 0);
	ck_assert_uint_eq(outcome(0), VIRTIO_BLK_S_IOERR);
	rig_desc(4, BUFFER_PA(0), 512, RIG_NEXT | RIG_WRITE, 10);
	rig_offer(SIZE, offered++, 0);
	ck_assert_uint_eq(outcome(0), VIRTIO_BLK_S_OK);
	request(0, VIRTIO_BLK_T_IN, 0, 2560);
	ck_assert_uint_eq(outcome(0), VIRTIO_BLK_S_IOERR);
}

START_TEST(seg_max_and_size_max_are_enforced)
{
	config.props.seg_max = 4;
	config.props.size_max = 2048;
	build();
	guest_run(&blk.hpci, segments_script);
}
END_TEST

static void id_script(void)
{
	guest_start(BASE, SIZE);
	memset(ram_va(BUFFER_PA(0)), 0xcc, 32);
	request(0, VIRTIO_BLK_T_GET_ID, 0, 20);
	ck_assert_uint_eq(outcome(0), VIRTIO_BLK_S_OK);
	ck_assert_int_eq(memcmp(ram_va(BUFFER_PA(0)),
				"vblk-0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xcc", 21),
			 0);
	ck_assert_uint_eq(rig_used_len(SIZE, 0), 21);
}

START_TEST(get_id_returns_the_serial)
{
	build();
	guest_run(&blk.hpci, id_script);
}
END_TEST

static void not_negotiated_script(void)
{
	guest_start(BASE, SIZE);
	request(0, VIRTIO_BLK_T_FLUSH, 0, 0);
	ck_assert_uint_eq(outcome(0), VIRTIO_BLK_S_UNSUPP);
	ranged(0, VIRTIO_BLK_T_DISCARD, 0, 8, 0);
	ck_assert_uint_eq(outcome(0), VIRTIO_BLK_S_UNSUPP);
	ranged(0, VIRTIO_BLK_T_WRITE_ZEROES, 0, 8, 0);
	ck_assert_uint_eq(outcome(0), VIRTIO_BLK_S_UNSUPP);
	/* Without FLUSH every write is stable when it completes: 5.2.5 */
	request(0, VIRTIO_BLK_T_OUT, 0, 512);
	ck_assert_uint_eq(outcome(0), VIRTIO_BLK_S_OK);
	ck_assert_uint_eq(ram.volatile_nr, 0);
}

START_TEST(what_was_not_negotiated_is_unsupported)
{
	build();
	guest_run(&blk.hpci, not_negotiated_script);
}
END_TEST

static void flush_script(void)
{
	const uint64_t wce = HPCI_DEVICE_OFFSET + 32;

	guest_start(ALL, SIZE);
	request(0, VIRTIO_BLK_T_OUT, 0, 512);
	ck_assert_uint_eq(outcome(0), VIRTIO_BLK_S_OK);
	ck_assert_uint_eq(ram.volatile_nr - ram.flushed_nr, 1);
	request(0, VIRTIO_BLK_T_FLUSH, 0, 0);
	ck_assert_uint_eq(outcome(0), VIRTIO_BLK_S_OK);
	ck_assert_uint_eq(ram.volatile_nr - ram.flushed_nr, 0);
	guest_set(wce, 1, 0);
	ck_assert_uint_eq(guest_get(wce, 1), 0);
	request(0, VIRTIO_BLK_T_OUT, 0, 512);
	ck_assert_uint_eq(outcome(0), VIRTIO_BLK_S_OK);
	ck_assert_uint_eq(ram.volatile_nr, 1);
	guest_set(HPCI_DEVICE_OFFSET, 8, 1);
	ck_assert_uint_eq(guest_get(HPCI_DEVICE_OFFSET, 8), SECTORS);
	/* CONFIG_WCE without FLUSH starts as write-through: 5.2.5.2 */
	ck_assert(guest_negotiate(ALL & ~BIT(VIRTIO_BLK_F_FLUSH)));
	ck_assert_uint_eq(guest_get(wce, 1), 0);
	ck_assert(guest_negotiate(ALL));
	ck_assert_uint_eq(guest_get(wce, 1), 1);
}

START_TEST(flush_and_write_cache_follow_the_specification)
{
	build();
	guest_run(&blk.hpci, flush_script);
}
END_TEST

static void ranges_script(void)
{
	uint8_t sector[512];
	uint64_t at = 40;
	uint32_t nr = 1;

	memset(sector, 0xff, sizeof(sector));
	for (uint64_t s = 0; s < 64; s++)
		hstore_poke(&ram, s, sector, 1);
	guest_start(ALL, SIZE);
	ranged(0, VIRTIO_BLK_T_WRITE_ZEROES, 8, 4, 1);
	ck_assert_uint_eq(outcome(0), VIRTIO_BLK_S_OK);
	hstore_peek(&ram, 11, sector, 1);
	ck_assert_uint_eq(sector[511], 0);
	hstore_peek(&ram, 12, sector, 1);
	ck_assert_uint_eq(sector[0], 0xff);
	ranged(0, VIRTIO_BLK_T_DISCARD, 20, 101, 0);
	ck_assert_uint_eq(outcome(0), VIRTIO_BLK_S_IOERR);
	ranged(0, VIRTIO_BLK_T_DISCARD, SECTORS - 1, 2, 0);
	ck_assert_uint_eq(outcome(0), VIRTIO_BLK_S_IOERR);
	ranged(0, VIRTIO_BLK_T_DISCARD, 20, 1, 1);
	ck_assert_uint_eq(outcome(0), VIRTIO_BLK_S_UNSUPP);
	ranged(0, VIRTIO_BLK_T_WRITE_ZEROES, 20, 1, 2);
	ck_assert_uint_eq(outcome(0), VIRTIO_BLK_S_UNSUPP);
	request(0, VIRTIO_BLK_T_DISCARD, 0, 17);
	ck_assert_uint_eq(outcome(0), VIRTIO_BLK_S_IOERR);
	request(0, VIRTIO_BLK_T_DISCARD, 0, 0);
	ck_assert_uint_eq(outcome(0), VIRTIO_BLK_S_IOERR);
	request(0, VIRTIO_BLK_T_DISCARD, 0, 48);
	ck_assert_uint_eq(outcome(0), VIRTIO_BLK_S_IOERR);
	hstore_peek(&ram, 20, sector, 1);
	ck_assert_uint_eq(sector[0], 0xff);
	/* Two ranges in one request */
	memset(ram_va(BUFFER_PA(0)), 0, 32);
	rig_put(BUFFER_PA(0) + 16, &at, 8);
	rig_put(BUFFER_PA(0) + 24, &nr, 4);
	request(0, VIRTIO_BLK_T_DISCARD, 0, 32);
	ck_assert_uint_eq(outcome(0), VIRTIO_BLK_S_OK);
	hstore_peek(&ram, 40, sector, 1);
	ck_assert_uint_eq(sector[0], 0);
}

START_TEST(discard_and_write_zeroes_check_their_ranges)
{
	config.props.max_discard_sectors = 100;
	config.props.max_discard_seg = 2;
	build();
	guest_run(&blk.hpci, ranges_script);
}
END_TEST

static void read_only_script(void)
{
	uint8_t sector[512];

	guest_start(ALL | BIT(VIRTIO_BLK_F_RO), SIZE);
	memset(ram_va(BUFFER_PA(0)), 1, 512);
	request(0, VIRTIO_BLK_T_OUT, 0, 512);
	ck_assert_uint_eq(outcome(0), VIRTIO_BLK_S_IOERR);
	ranged(0, VIRTIO_BLK_T_DISCARD, 0, 1, 0);
	ck_assert_uint_eq(outcome(0), VIRTIO_BLK_S_IOERR);
	request(0, VIRTIO_BLK_T_IN, 0, 512);
	ck_assert_uint_eq(outcome(0), VIRTIO_BLK_S_OK);
	hstore_peek(&ram, 0, sector, 1);
	ck_assert_uint_eq(sector[0], 0);
}

START_TEST(read_only_disks_are_not_written)
{
	config.props.read_only = 1;
	build();
	guest_run(&blk.hpci, read_only_script);
}
END_TEST

/* --- batches --- */

static void batch_script(void)
{
	guest_start(ALL, SIZE);
	for (uint32_t i = 0; i < 8; i++)
		request(i, VIRTIO_BLK_T_IN, i, 512);
	finish();
	ck_assert_uint_eq(rig_used_idx(), 8);
}

/* submit-batch is the index: no limit, 1, 2 */
START_TEST(requests_offered_together_are_one_batch_and_one_interrupt)
{
	static const uint32_t batches[] = { 1, 8, 4 }, largest[] = { 8, 1, 2 };

	hw_cost.iothread_wake_ps = 3 * US;
	config.props.submit_batch = (uint32_t)_i;
	build();
	guest_run(&blk.hpci, batch_script);
	ck_assert_uint_eq(blk.queue[0].stats.batches_nr, batches[_i]);
	ck_assert_uint_eq(blk.queue[0].stats.batch_max_nr, largest[_i]);
	ck_assert_uint_eq(blk.queue[0].stats.submitted_nr, 8);
	ck_assert_uint_eq(ram.stats.submits_nr, batches[_i]);
	ck_assert_uint_eq(blk.queue[0].stats.publishes_nr, 1);
	ck_assert_uint_eq(blk.queue[0].stats.publish_max_nr, 8);
	ck_assert_uint_eq(blk.queue[0].stats.irqs_nr, 1);
	ck_assert_uint_eq(guest_irqs[GUEST_VECTOR + 1], 1);
	ck_assert_uint_eq(loops[0].stats.signals_asleep_nr, 1);
}
END_TEST

/* Each request is published, and its interrupt decided, for itself. */
START_TEST(without_batch_notify_each_request_is_published)
{
	hw_cost.iothread_wake_ps = 3 * US;
	config.props.batch_notify = 0;
	build();
	guest_run(&blk.hpci, batch_script);
	ck_assert_uint_eq(blk.queue[0].stats.publishes_nr, 8);
	ck_assert_uint_eq(blk.queue[0].stats.publish_max_nr, 1);
	ck_assert_uint_eq(blk.queue[0].stats.irqs_nr, 8);
	ck_assert_uint_eq(stamps[STAMP_USED], 8);
}
END_TEST

static void skip_script(void)
{
	guest_start(ALL, SIZE);
	rig_set_no_interrupt(true);
	request(0, VIRTIO_BLK_T_IN, 0, 512);
	ck_assert_uint_eq(outcome(0), VIRTIO_BLK_S_OK);
}

START_TEST(interrupts_that_nobody_wants_are_skipped)
{
	build();
	guest_run(&blk.hpci, skip_script);
	ck_assert_uint_eq(traced_irqs, 0);
	ck_assert_uint_eq(traced_skips, 1);
	ck_assert_uint_eq(blk.queue[0].stats.irqs_skipped_nr, 1);
	ck_assert_uint_eq(guest_irqs[GUEST_VECTOR + 1], 0);
}
END_TEST

static uint64_t kicked_ps;

static void timing_script(void)
{
	guest_start(ALL, SIZE);
	kicked_ps = sim_now();
	request(0, VIRTIO_BLK_T_IN, 0, 512);
	finish();
}

/* Exactly the constants, on a machine whose memory costs nothing. */
START_TEST(a_request_costs_what_the_table_says)
{
	build_queue_store(1);
	hw_cost.exit_kernel_ps = 2 * US;
	hw_cost.iothread_wake_ps = 7 * US;
	hw_cost.loop_pass_ps = 1 * US;
	hw_cost.dev_pop_ps = 3 * US;
	hw_cost.dev_submit_ps = 5 * US;
	hw_cost.dev_submit_io_ps = 11 * US;
	hw_cost.dev_submit_kib_ps = 4 * US;
	hw_cost.dev_complete_ps = 13 * US;
	hw_cost.irq_raise_ps = 17 * US;
	hw_cost.irq_deliver_ps = 19 * US;
	hw_cost.irq_entry_ps = 23 * US;
	guest_run(&blk.hpci, timing_script);
	ck_assert_uint_eq(stamp_ps[STAMP_POP] - kicked_ps, (1 + 7 + 1) * US);
	ck_assert_uint_eq(stamp_ps[STAMP_START] - stamp_ps[STAMP_POP],
			  (3 + 5 + 11 + 4 / 2) * US);
	ck_assert_uint_eq(stamp_ps[STAMP_DONE] - stamp_ps[STAMP_START],
			  50 * US);
	ck_assert_uint_eq(stamp_ps[STAMP_USED] - stamp_ps[STAMP_DONE],
			  (7 + 1 + 13) * US);
	ck_assert_uint_eq(guest_irq_ps - stamp_ps[STAMP_USED],
			  (17 + 19 + 23) * US);
}
END_TEST

/* The vCPU's own exit takes the request, the main loop completes it. */
START_TEST(without_ioeventfd_the_vcpu_does_the_work)
{
	config.placement = HBLK_VCPU;
	build_queue_store(1);
	hw_cost.exit_user_ps = 4 * US;
	hw_cost.iothread_wake_ps = 7 * US;
	hw_cost.dev_pop_ps = 3 * US;
	guest_run(&blk.hpci, timing_script);
	ck_assert_uint_eq(blk.queue[0].kick_source.signals_nr, 0);
	ck_assert_uint_eq(loops[0].stats.passes_nr, 1);
	ck_assert_uint_eq(guest_vcpu.thread.stats.mode_ps[HW_HOST], 3 * US);
	ck_assert_uint_eq(stamp_ps[STAMP_USED] - stamp_ps[STAMP_DONE], 7 * US);
}
END_TEST

/* --- the arm and re-check race, at every offset in time --- */

static uint64_t race_gap_ps;

/* A driver that kicks only if the device asks for it, 2.7.10.1. */
static void race_script(void)
{
	guest_start(config.props.event_idx ? WITH_EVENT : ALL, SIZE);
	hw_cost.access_ps = 20000;
	hw_cost.barrier_ps = 5000;
	hw_cost.loop_pass_ps = 100000;
	hw_cost.dev_pop_ps = 50000;
	hw_cost.iothread_wake_ps = 200000;
	sim_sync();
	for (uint32_t i = 0; i < 2; i++) {
		uint16_t old = offered;
		bool wanted;

		request(i, VIRTIO_BLK_T_IN, 0, 512);
		wanted = config.props.event_idx ?
			 hring_need_event(rig_avail_event(SIZE), offered, old) :
			 !rig_used_flags();
		if (wanted)
			guest_kick(0);
		guest_wait(race_gap_ps);
	}
	guest_wait(SIM_PS_PER_MS);
	ck_assert_uint_eq(rig_used_idx(), 2);
}

START_TEST(buffers_added_while_the_device_arms_are_not_forgotten)
{
	/* Bit 0: event_idx; bit 1: kicks are not suppressed. */
	uint32_t raced = 0, unkicked = 0;

	teardown();
	for (race_gap_ps = 0; race_gap_ps < 1500000; race_gap_ps += 1000) {
		setup();
		config.props.event_idx = _i & 1;
		config.props.suppress_kicks = !(_i & 2);
		build();
		guest_run(&blk.hpci, race_script);
		raced += blk.hpci.queue[0].ring.stats.arms_raced_nr != 0;
		unkicked += blk.hpci.queue[0].kicks_nr == 1;
		teardown();
	}
	setup();
	build();
	if (_i & 2) {
		/* By flag kicks stay wanted: every buffer had its own. */
		ck_assert(_i & 1 || !unkicked);
		return;
	}
	ck_assert_uint_gt(raced, 10);
	ck_assert_uint_gt(unkicked, raced);
}
END_TEST

/* --- bad rings, resets --- */

static void broken_script(void)
{
	guest_start(ALL, SIZE);
	request(0, VIRTIO_BLK_T_IN, 0, 512);
	rig_offer(SIZE, offered++, SIZE);
	finish();
	ck_assert_uint_eq(guest_status(), 0x4f);
	ck_assert_uint_eq(guest_irqs[GUEST_VECTOR], 1);
	ck_assert_str_eq(blk.hpci.reason, hring_error_text(HRING_ERR_HEAD));
	/* Nothing more is done before a reset, then all is well again. */
	guest_kick(0);
	guest_wait(SIM_PS_PER_MS);
	ck_assert_uint_eq(blk.queue[0].stats.taken_nr, 1);
	offered = 0;
	rig_put16(RIG_AVAIL_PA + 2, 0);
	rig_put16(RIG_USED_PA + 2, 0);
	guest_start(ALL, SIZE);
	request(1, VIRTIO_BLK_T_IN, 0, 512);
	ck_assert_uint_eq(outcome(1), VIRTIO_BLK_S_OK);
}

START_TEST(bad_ring_bytes_need_a_reset)
{
	config.placement = (enum hblk_placement)_i;
	build();
	guest_run(&blk.hpci, broken_script);
	ck_assert_uint_eq(blk.hpci.broken_nr, 1);
	ck_assert_uint_eq(blk.queue[0].stats.dropped_nr, 1);
}
END_TEST

static uint32_t headless_len;

static void headless_script(void)
{
	guest_start(ALL, SIZE);
	put_header(0, VIRTIO_BLK_T_IN, 0);
	if (headless_len) {
		rig_desc(0, HEADER_PA(0), headless_len, RIG_NEXT, 1);
		rig_desc(1, STATUS_PA(0), 1, RIG_WRITE, 0);
	} else {
		rig_desc(0, HEADER_PA(0), 16, 0, 0);
	}
	rig_offer(SIZE, offered++, 0);
	finish();
	ck_assert_uint_eq(guest_status(), 0x4f);
	ck_assert_uint_eq(rig_used_idx(), 0);
}

START_TEST(requests_without_header_or_status_need_a_reset)
{
	headless_len = _i ? 15 : 0;
	build();
	guest_run(&blk.hpci, headless_script);
	ck_assert_str_eq(blk.hpci.reason, _i ? "request header is too short" :
					       "request has no status byte");
}
END_TEST

static void reset_script(void)
{
	guest_start(ALL, SIZE);
	for (uint32_t i = 0; i < 4; i++)
		request(i, VIRTIO_BLK_T_IN, i, 512);
	guest_kick(0);
	guest_wait(20 * US);
	ck_assert_uint_eq(hblk_in_flight_nr(&blk), 4);
	guest_set(VIRTIO_PCI_COMMON_STATUS, 1, 0);
	ck_assert_uint_eq(guest_status(), 0x0f);
	while (guest_status())
		guest_wait(US);
	ck_assert_uint_eq(hblk_in_flight_nr(&blk), 0);
	ck_assert_uint_eq(rig_used_idx(), 0);
	ck_assert_uint_eq(status_of(3), 0xee);
	offered = 0;
	rig_put16(RIG_AVAIL_PA + 2, 0);
	guest_start(ALL, SIZE);
	request(0, VIRTIO_BLK_T_IN, 0, 512);
	ck_assert_uint_eq(outcome(0), VIRTIO_BLK_S_OK);
}

START_TEST(reset_waits_for_the_store_and_writes_nothing)
{
	config.placement = (enum hblk_placement)_i;
	build_queue_store(1);
	guest_run(&blk.hpci, reset_script);
	ck_assert_uint_eq(blk.queue[0].stats.dropped_nr, 4);
	ck_assert_uint_eq(guest_irqs[GUEST_VECTOR + 1], 1);
}
END_TEST

/* Two queues on two iothreads. */
static void two_queues_script(void)
{
	const uint64_t shift = 0x4000;

	ck_assert(guest_negotiate(ALL | BIT(VIRTIO_BLK_F_MQ)));
	guest_enable_msix();
	guest_enable_queue(0, SIZE, 1, 0);
	guest_enable_queue(1, SIZE, 2, shift);
	guest_add_status(VIRTIO_CONFIG_S_DRIVER_OK);
	vcpu_irqs_on();
	request(0, VIRTIO_BLK_T_IN, 0, 512);
	memcpy(ram_va(RIG_DESC_PA + shift), ram_va(RIG_DESC_PA), 48);
	rig_put16(RIG_AVAIL_PA + shift + 2, 1);
	guest_kick(0);
	guest_kick(1);
	guest_wait(SIM_PS_PER_MS);
	ck_assert_uint_eq(rig_used_idx(), 1);
	ck_assert_uint_eq(rig_get16(RIG_USED_PA + shift + 2), 1);
	ck_assert_uint_eq(guest_irqs[GUEST_VECTOR + 1], 1);
	ck_assert_uint_eq(guest_irqs[GUEST_VECTOR + 2], 1);
}

START_TEST(queues_are_spread_over_iothreads)
{
	config.props.num_queues = 2;
	config.loops_nr = 2;
	build();
	guest_run(&blk.hpci, two_queues_script);
	ck_assert_uint_eq(blk.queue[0].kick_source.handled_nr, 1);
	ck_assert_ptr_eq(blk.queue[1].kick_source.loop, &loops[1]);
	ck_assert_uint_eq(blk.queue[1].kick_source.handled_nr, 1);
}
END_TEST

/* Random requests, mostly valid, on all placements: answers to all of them. */
static void random_script(void)
{
	static const uint32_t types[] = { 0, 1, 4, 8, 11, 13, 2, 77 };
	struct sim_random r;

	sim_random_init(&r, 8, "requests");
	guest_start(WITH_EVENT, SIZE);
	rig_set_used_event(SIZE, 0);
	for (int n = 0; n < 3000; n++) {
		uint32_t in_flight = (uint16_t)(offered - rig_used_idx());
		uint32_t i = (uint32_t)n % 16;

		if (in_flight >= 16) {
			guest_wait(10 * US);
			n--;
			continue;
		}
		/* One publish returns what one pass took: in turn. */
		request(i, types[sim_random_below(&r, 8)],
			sim_random_below(&r, SECTORS + 8),
			(uint32_t)sim_random_below(&r, 9) *
			(sim_random_below(&r, 8) ? 512 : 100));
		if (!sim_random_below(&r, 3))
			guest_kick(0);
		guest_wait(sim_random_below(&r, 3) * 10 * US);
		if (in_flight >= 12)
			guest_kick(0);
	}
	finish();
	ck_assert_uint_eq(rig_used_idx(), offered);
}

static struct hstore null_store;

START_TEST(random_requests_are_all_answered)
{
	config.placement = (enum hblk_placement)_i;
	hstore_init_null(&null_store, SECTORS);
	config.store = &null_store;
	hw_cost.iothread_wake_ps = 3 * US;
	hw_cost.dev_complete_ps = US;
	build();
	guest_run(&blk.hpci, random_script);
	ck_assert_uint_eq(blk.queue[0].stats.completed_nr, 3000);
	ck_assert_uint_gt(blk.queue[0].stats.status_nr[0], 500);
	ck_assert_uint_gt(blk.queue[0].stats.status_nr[1], 100);
	ck_assert_uint_gt(blk.queue[0].stats.status_nr[2], 100);
	ck_assert_uint_eq(stamps[STAMP_POP], 3000);
	ck_assert_uint_eq(stamps[STAMP_USED], 3000);
	ck_assert_ptr_null(blk.hpci.reason);
}
END_TEST

/* Request headers that some of a random ring's first buffers begin with. */
static void fuzz_headers(struct sim_random *r)
{
	for (uint64_t pa = RIG_DATA_PA; pa < RIG_DATA_PA + 4096; pa += 16) {
		uint64_t sector = sim_random_below(r, SECTORS);
		uint64_t type = sim_random_below(r, 14);

		rig_put(pa, &type, 8);
		rig_put(pa + 8, &sector, 8);
	}
}

/* Good requests, a few of whose ring's bytes are then overwritten. */
static void fuzz_requests(struct sim_random *r)
{
	static const uint32_t types[] = { 0, 1, 4, 11 };
	uint32_t nr = 1 + (uint32_t)sim_random_below(r, 16);

	offered = 0;
	rig_put16(RIG_AVAIL_PA + 2, 0);
	for (uint32_t i = 0; i < nr; i++)
		request(i, types[sim_random_below(r, 4)], i, 4096);
	for (uint64_t n = sim_random_below(r, 4); n; n--) {
		uint64_t pa = sim_random_below(r, 8) ?
			      RIG_DESC_PA + sim_random_below(r, 48 * nr) :
			      RIG_AVAIL_PA + sim_random_below(r, 4 + 2 * nr);

		*(uint8_t *)ram_va(pa) = (uint8_t)sim_random_u64(r);
	}
}

/*
 * Rings of random bytes, on a device that still may have requests of the one
 * before in its store; what breaks it, and when it is reset, is left to chance.
 */
static void fuzz_script(void)
{
	struct sim_random r;

	sim_random_init(&r, 9, "fuzz");
	for (int i = 0; i < 1500; i++) {
		guest_set(VIRTIO_PCI_COMMON_STATUS, 1, 0);
		while (guest_status())
			guest_wait(US);
		ck_assert_uint_eq(hblk_in_flight_nr(&blk), 0);
		memset(ram_va(RIG_USED_PA), 0, 4096);
		if (sim_random_below(&r, 3)) {
			fuzz_requests(&r);
		} else {
			fuzz_ring(&r, SIZE);
			fuzz_headers(&r);
		}
		guest_start(sim_random_below(&r, 2) ? ALL : WITH_EVENT, SIZE);
		guest_kick(0);
		guest_wait(sim_random_below(&r, 400) * US);
		if (sim_random_below(&r, 2)) {
			rig_put16(RIG_AVAIL_PA + 2, rig_get16(RIG_AVAIL_PA + 2)
						    + 1);
			guest_kick(0);
			guest_wait(sim_random_below(&r, 3000) * US);
		}
	}
	guest_set(VIRTIO_PCI_COMMON_STATUS, 1, 0);
	while (guest_status())
		guest_wait(US);
}

START_TEST(random_rings_are_survived_by_the_device)
{
	config.placement = (enum hblk_placement)_i;
	hw_cost.iothread_wake_ps = 3 * US;
	hw_cost.dev_pop_ps = US;
	hw_cost.access_ps = 20000;
	build_queue_store(4);
	guest_run(&blk.hpci, fuzz_script);
	ck_assert_uint_gt(blk.hpci.broken_nr, 300);
	ck_assert_uint_gt(blk.queue[0].stats.completed_nr, 100);
	ck_assert_uint_gt(blk.queue[0].stats.dropped_nr, 100);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("hblk");
	TCase *t = tcase_create("hblk");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, defaults_are_consistent);
	tcase_add_loop_test(t, bad_properties_are_named, 0,
			    sizeof(bad_properties) /
			    sizeof(bad_properties[0]));
	tcase_add_test(t, seg_max_without_indirect_is_bounded_by_the_queue);
	tcase_add_test(t, init_refuses_a_placement_without_its_lock);
	tcase_add_test(t, config_space_shows_the_properties);
	tcase_add_test(t, features_can_be_switched_off);
	tcase_add_loop_test(t, data_written_is_read_back, 0, 3);
	tcase_add_test(t, framing_of_a_request_does_not_matter);
	tcase_add_test(t, bad_requests_are_answered);
	tcase_add_test(t, requests_must_be_whole_blocks);
	tcase_add_test(t, seg_max_and_size_max_are_enforced);
	tcase_add_test(t, get_id_returns_the_serial);
	tcase_add_test(t, what_was_not_negotiated_is_unsupported);
	tcase_add_test(t, flush_and_write_cache_follow_the_specification);
	tcase_add_test(t, discard_and_write_zeroes_check_their_ranges);
	tcase_add_test(t, read_only_disks_are_not_written);
	tcase_add_loop_test(
		t, requests_offered_together_are_one_batch_and_one_interrupt,
		0, 3);
	tcase_add_test(t, without_batch_notify_each_request_is_published);
	tcase_add_test(t, interrupts_that_nobody_wants_are_skipped);
	tcase_add_test(t, a_request_costs_what_the_table_says);
	tcase_add_test(t, without_ioeventfd_the_vcpu_does_the_work);
	tcase_add_loop_test(
		t, buffers_added_while_the_device_arms_are_not_forgotten, 0,
		4);
	tcase_add_loop_test(t, bad_ring_bytes_need_a_reset, 0, 3);
	tcase_add_loop_test(t, requests_without_header_or_status_need_a_reset,
			    0, 2);
	tcase_add_loop_test(t, reset_waits_for_the_store_and_writes_nothing, 0,
			    3);
	tcase_add_test(t, queues_are_spread_over_iothreads);
	tcase_add_loop_test(t, random_requests_are_all_answered, 0, 3);
	tcase_add_loop_test(t, random_rings_are_survived_by_the_device, 0, 3);
	suite_add_tcase(s, t);
	return s;
}

int main(void)
{
	return rig_main(suite());
}
