// SPDX-License-Identifier: GPL-2.0-only
#include "tests/host/rig_blk.h"

#include <errno.h>

#include "model/host/hblk_event.h"

/*
 * 16 zones of 512 sectors, 384 of them writable, the first conventional.
 * SECTORS is 16 zones.
 */
#define ZONE		UINT64_C(512)
#define AT(i)		((i) * ZONE)
#define ZONED		((ALL | BIT(VIRTIO_BLK_F_ZONED)) &		\
			 ~BIT(VIRTIO_BLK_F_DISCARD))
#define OK		VIRTIO_BLK_S_OK
#define INVALID		VIRTIO_BLK_S_ZONE_INVALID_CMD
#define CONFIG(field)							\
	(HPCI_DEVICE_OFFSET + offsetof(struct virtio_blk_config, field))

static void setup_zoned(void)
{
	setup();
	config.props.zoned = HBLK_HOST_MANAGED;
	config.props.zone_size = ZONE * 512;
	config.props.zone_capacity = 384 * 512;
	config.props.conventional_zones = 1;
	config.props.max_open_zones = 2;
	config.props.max_active_zones = 3;
	config.props.max_append_sectors = 16;
	config.props.write_granularity = 4096;
}

static uint8_t ask(uint32_t type, uint64_t sector, uint32_t bytes)
{
	request(0, type, sector, bytes);
	return outcome(0);
}

static uint32_t used_len(void)
{
	return rig_used_len(SIZE, (uint16_t)(offered - 1));
}

/* Data at BUFFER_PA(0), in-header of @in_bytes at BUFFER_PA(1), cut at @cut. */
static uint8_t append(uint64_t sector, uint32_t bytes, uint32_t in_bytes,
		      uint32_t cut)
{
	put_header(0, VIRTIO_BLK_T_ZONE_APPEND, sector);
	memset(ram_va(BUFFER_PA(1)), 0xee, in_bytes + 1);
	rig_desc(0, HEADER_PA(0), 16, RIG_NEXT, bytes ? 1 : 2);
	rig_desc(1, BUFFER_PA(0), bytes, RIG_NEXT, 2);
	if (cut) {
		rig_desc(2, BUFFER_PA(1), cut, RIG_NEXT | RIG_WRITE, 3);
		rig_desc(3, BUFFER_PA(1) + cut, in_bytes - cut, RIG_WRITE, 0);
	} else {
		rig_desc(2, BUFFER_PA(1), in_bytes, RIG_WRITE, 0);
	}
	rig_offer(SIZE, offered++, 0);
	finish();
	ck_assert_uint_eq(rig_used_idx(), offered);
	ck_assert_uint_eq(rig_get8(BUFFER_PA(1) + in_bytes), 0xee);
	return rig_get8(BUFFER_PA(1) + in_bytes - 1);
}

static uint64_t appended_at(void)
{
	uint64_t at;

	memcpy(&at, ram_va(BUFFER_PA(1)), sizeof(at));
	return at;
}

/* --- configuration --- */

static void space_script(void)
{
	uint64_t features = guest_offered();

	ck_assert(features & BIT(VIRTIO_BLK_F_ZONED));
	ck_assert(!(features & BIT(VIRTIO_BLK_F_DISCARD)));
	ck_assert(features & BIT(VIRTIO_BLK_F_SECURE_ERASE));
	ck_assert_uint_eq(guest_get(CONFIG(zoned.zone_sectors), 4), ZONE);
	ck_assert_uint_eq(guest_get(CONFIG(zoned.max_open_zones), 4), 2);
	ck_assert_uint_eq(guest_get(CONFIG(zoned.max_active_zones), 4), 3);
	ck_assert_uint_eq(guest_get(CONFIG(zoned.max_append_sectors), 4), 16);
	ck_assert_uint_eq(guest_get(CONFIG(zoned.write_granularity), 4), 4096);
	ck_assert_uint_eq(guest_get(CONFIG(zoned.model), 1),
			  VIRTIO_BLK_Z_HM);
	ck_assert_uint_eq(guest_get(CONFIG(max_discard_sectors), 4), 0);
	ck_assert_uint_eq(guest_get(CONFIG(secure_erase_sector_alignment), 4),
			  ZONE);
	/* Whoever does not understand zones gets no disk. */
	ck_assert(!guest_negotiate(ALL & ~BIT(VIRTIO_BLK_F_DISCARD)));
	ck_assert(guest_negotiate(ZONED));
}

START_TEST(config_space_shows_the_zones)
{
	config.props.secure_erase = 1;
	build();
	guest_run(&blk.hpci, space_script);
}
END_TEST

static void drive_managed_script(void)
{
	guest_start(ZONED, SIZE);
	ck_assert_uint_eq(guest_get(CONFIG(zoned.model), 1),
			  VIRTIO_BLK_Z_NONE);
	ck_assert_uint_eq(guest_get(CONFIG(zoned.zone_sectors), 4), 0);
	ck_assert_uint_eq(ask(VIRTIO_BLK_T_OUT, AT(2) + 8, 512), OK);
	ck_assert_uint_eq(ask(VIRTIO_BLK_T_ZONE_REPORT, 0, 4096),
			  VIRTIO_BLK_S_UNSUPP);
}

START_TEST(drive_managed_disks_are_like_any)
{
	config.props.zoned = HBLK_DRIVE_MANAGED;
	build();
	guest_run(&blk.hpci, drive_managed_script);
}
END_TEST

static void not_zoned_script(void)
{
	static const uint32_t types[] = {
		VIRTIO_BLK_T_ZONE_REPORT, VIRTIO_BLK_T_ZONE_OPEN,
		VIRTIO_BLK_T_ZONE_CLOSE, VIRTIO_BLK_T_ZONE_FINISH,
		VIRTIO_BLK_T_ZONE_RESET, VIRTIO_BLK_T_ZONE_RESET_ALL,
	};

	guest_start(ALL, SIZE);
	for (int i = 0; i < 6; i++)
		ck_assert_uint_eq(ask(types[i], 0, 0), VIRTIO_BLK_S_UNSUPP);
	ck_assert_uint_eq(append(0, 4096, 9, 0), VIRTIO_BLK_S_UNSUPP);
}

START_TEST(zone_requests_need_the_feature)
{
	config.props.zoned = HBLK_NOT_ZONED;
	build();
	guest_run(&blk.hpci, not_zoned_script);
}
END_TEST

static const struct {
	const char *name;
	uint32_t value;
	const char *wrong;
} bad_properties[] = {
	{ "zone-size", 786432, "zone-size: not a power" },
	{ "zone-size", 2048, "zone-size: not a multiple of write-gran" },
	{ "zone-capacity", 524288, "zone-capacity: more" },
	{ "zone-capacity", 1024, "zone-capacity: not a multiple" },
	{ "max-open-zones", 4, "max-open-zones: more" },
	{ "write-granularity", 700, "write-granularity: not a multiple" },
	{ "secure-erase-sector-alignment", 8, "secure-erase-sector-align" },
	{ "size-max", 64, "max-append-sectors: more" },
	{ "zoned", 3, "zoned: must be" },
};

START_TEST(bad_zone_properties_are_named)
{
	const char *wrong;

	for (uint32_t i = 0; i < hblk_properties_nr; i++)
		if (!strcmp(hblk_property[i].name, bad_properties[_i].name))
			memcpy((char *)&config.props + hblk_property[i].offset,
			       &bad_properties[_i].value, 4);
	wrong = hblk_properties_check(&config.props);
	ck_assert_ptr_nonnull(wrong);
	ck_assert_msg(!strncmp(wrong, bad_properties[_i].wrong,
			       strlen(bad_properties[_i].wrong)), "%s", wrong);
}
END_TEST

START_TEST(init_refuses_more_conventional_zones_than_there_are)
{
	config.props.conventional_zones = 17;
	ck_assert_int_eq(hloop_init(&loops[0], HW_HOST_ID_BASE, "loop",
				    &rig_topology, 0, NULL), 0);
	ck_assert_int_eq(hblk_init(&blk, &config), -EINVAL);
	ck_assert_ptr_null(blk.queue);
	hloop_fini(&loops[0]);
}
END_TEST

/* --- data --- */

static void data_script(void)
{
	uint8_t sector[512];

	guest_start(ZONED, SIZE);
	memset(ram_va(BUFFER_PA(0)), 0x5a, 8192);
	ck_assert_uint_eq(ask(VIRTIO_BLK_T_OUT, AT(1), 4096), OK);
	ck_assert_uint_eq(ask(VIRTIO_BLK_T_OUT, AT(1), 4096),
			  VIRTIO_BLK_S_ZONE_UNALIGNED_WP);
	ck_assert_uint_eq(ask(VIRTIO_BLK_T_OUT, AT(1) + 8, 512),
			  VIRTIO_BLK_S_ZONE_UNALIGNED_WP);
	ck_assert_uint_eq(ask(VIRTIO_BLK_T_OUT, AT(1) + 8, 4096), OK);
	ck_assert_uint_eq(ask(VIRTIO_BLK_T_OUT, 77, 512), OK);
	ck_assert_uint_eq(ask(VIRTIO_BLK_T_OUT, AT(1) - 1, 1024), INVALID);
	ck_assert_uint_eq(ask(VIRTIO_BLK_T_IN, AT(2) - 1, 1024), INVALID);
	ck_assert_uint_eq(ask(VIRTIO_BLK_T_IN, AT(2) - 1, 512), OK);
	ck_assert_uint_eq(ask(VIRTIO_BLK_T_OUT, SECTORS, 4096),
			  VIRTIO_BLK_S_IOERR);
	ck_assert_uint_eq(ask(VIRTIO_BLK_T_IN, AT(1), 8192), OK);
	ck_assert_uint_eq(rig_get8(BUFFER_PA(0) + 8191), 0x5a);
	/* Erased, not just forgotten. */
	ck_assert_uint_eq(ask(VIRTIO_BLK_T_ZONE_RESET, AT(1), 0), OK);
	ck_assert_int_eq(hstore_peek(&ram, AT(1), sector, 1), 0);
	ck_assert_uint_eq(sector[0], 0);
	ck_assert_int_eq(hstore_peek(&ram, 77, sector, 1), 0);
	ck_assert_uint_eq(sector[0], 0x5a);
	ck_assert_uint_eq(blk.zones.zone[1].state, VIRTIO_BLK_ZS_EMPTY);
}

START_TEST(data_goes_to_the_write_pointer)
{
	config.placement = (enum hblk_placement)_i;
	build();
	guest_run(&blk.hpci, data_script);
}
END_TEST

static void limits_script(void)
{
	guest_start(ZONED, SIZE);
	ck_assert_uint_eq(ask(VIRTIO_BLK_T_ZONE_OPEN, AT(1), 0), OK);
	ck_assert_uint_eq(ask(VIRTIO_BLK_T_ZONE_OPEN, AT(2), 0), OK);
	ck_assert_uint_eq(ask(VIRTIO_BLK_T_ZONE_OPEN, AT(3), 0),
			  VIRTIO_BLK_S_ZONE_OPEN_RESOURCE);
	ck_assert_uint_eq(ask(VIRTIO_BLK_T_OUT, AT(3), 4096),
			  VIRTIO_BLK_S_ZONE_OPEN_RESOURCE);
	ck_assert_uint_eq(ask(VIRTIO_BLK_T_OUT, AT(2), 4096), OK);
	ck_assert_uint_eq(ask(VIRTIO_BLK_T_ZONE_CLOSE, AT(2), 0), OK);
	ck_assert_uint_eq(ask(VIRTIO_BLK_T_OUT, AT(3), 4096), OK);
	ck_assert_uint_eq(ask(VIRTIO_BLK_T_OUT, AT(4), 4096),
			  VIRTIO_BLK_S_ZONE_ACTIVE_RESOURCE);
	ck_assert_uint_eq(append(AT(4), 4096, 9, 0),
			  VIRTIO_BLK_S_ZONE_ACTIVE_RESOURCE);
	ck_assert_uint_eq(ask(VIRTIO_BLK_T_ZONE_FINISH, AT(2), 0), OK);
	ck_assert_uint_eq(ask(VIRTIO_BLK_T_OUT, AT(4), 4096), OK);
	ck_assert_uint_eq(ask(VIRTIO_BLK_T_ZONE_CLOSE, AT(5), 0), INVALID);
	ck_assert_uint_eq(ask(VIRTIO_BLK_T_ZONE_OPEN, AT(0), 0), INVALID);
	ck_assert_uint_eq(ask(VIRTIO_BLK_T_ZONE_OPEN, AT(1) + 1, 0), INVALID);
	ck_assert_uint_eq(ask(VIRTIO_BLK_T_ZONE_FINISH, SECTORS, 0), INVALID);
	ck_assert_uint_eq(ask(VIRTIO_BLK_T_ZONE_RESET_ALL, 0, 0), OK);
	ck_assert_uint_eq(blk.zones.active_nr, 0);
	ck_assert_uint_eq(used_len(), 1);
}

START_TEST(every_zone_status_reaches_the_driver)
{
	build();
	guest_run(&blk.hpci, limits_script);
	for (int s = VIRTIO_BLK_S_ZONE_INVALID_CMD;
	     s <= VIRTIO_BLK_S_ZONE_ACTIVE_RESOURCE; s++)
		if (s != VIRTIO_BLK_S_ZONE_UNALIGNED_WP)
			ck_assert_uint_ge(blk.queue[0].stats.status_nr[s], 2);
	ck_assert_uint_eq(blk.queue[0].stats.types_nr[HBLK_ZONE_OPEN], 5);
	ck_assert_uint_eq(blk.queue[0].stats.types_nr[HBLK_ZONE_RESET_ALL], 1);
	ck_assert_uint_eq(stamps[STAMP_USED], offered);
}
END_TEST

static void append_script(void)
{
	uint8_t sector[512];

	guest_start(ZONED, SIZE);
	memset(ram_va(BUFFER_PA(0)), 0x33, 8192);
	ck_assert_uint_eq(append(AT(3), 4096, 9, 0), OK);
	ck_assert_uint_eq(appended_at(), AT(3));
	ck_assert_uint_eq(used_len(), 9);
	/* The sector over two descriptors, and an in-header with a gap. */
	ck_assert_uint_eq(append(AT(3), 8192, 9, 3), OK);
	ck_assert_uint_eq(appended_at(), AT(3) + 8);
	ck_assert_uint_eq(append(AT(3), 4096, 16, 8), OK);
	ck_assert_uint_eq(appended_at(), AT(3) + 24);
	ck_assert_int_eq(hstore_peek(&ram, AT(3) + 31, sector, 1), 0);
	ck_assert_uint_eq(sector[511], 0x33);
	ck_assert_int_eq(hstore_peek(&ram, AT(3) + 32, sector, 1), 0);
	ck_assert_uint_eq(sector[0], 0);
	/* Nothing is written where nothing was appended. */
	ck_assert_uint_eq(append(AT(3), 8704, 9, 0), INVALID);
	ck_assert_uint_eq(rig_get8(BUFFER_PA(1)), 0xee);
	ck_assert_uint_eq(used_len(), 1);
	ck_assert_uint_eq(append(AT(3), 512, 9, 0),
			  VIRTIO_BLK_S_ZONE_UNALIGNED_WP);
	ck_assert_uint_eq(append(AT(3), 0, 9, 0), INVALID);
	ck_assert_uint_eq(append(AT(0), 4096, 9, 0), INVALID);
	ck_assert_uint_eq(append(UINT64_MAX, 4096, 9, 0), INVALID);
	ck_assert_uint_eq(append(AT(3), 4096, 8, 0), VIRTIO_BLK_S_IOERR);
	ck_assert_uint_eq(append(AT(3), 4096, 1, 0), VIRTIO_BLK_S_IOERR);
	ck_assert_uint_eq(blk.zones.zone[3].wp, AT(3) + 32);
	ck_assert_ptr_null(blk.hpci.reason);
}

START_TEST(append_returns_the_sector)
{
	build();
	guest_run(&blk.hpci, append_script);
}
END_TEST

static void no_append_script(void)
{
	guest_start(ZONED, SIZE);
	ck_assert_uint_eq(append(AT(3), 4096, 9, 0), VIRTIO_BLK_S_UNSUPP);
}

START_TEST(append_can_be_unsupported)
{
	config.props.max_append_sectors = 0;
	build();
	guest_run(&blk.hpci, no_append_script);
}
END_TEST

/* Eight appends at once, on a store that finishes them one after the other. */
static void appends_script(void)
{
	bool seen[8] = { false };

	guest_start(ZONED, SIZE);
	for (uint32_t i = 0; i < 8; i++) {
		uint16_t d = (uint16_t)(3 * i);

		put_header(i, VIRTIO_BLK_T_ZONE_APPEND, AT(5));
		rig_desc(d, HEADER_PA(i), 16, RIG_NEXT, d + 1);
		rig_desc(d + 1, BUFFER_PA(i), 4096, RIG_NEXT, d + 2);
		rig_desc(d + 2, HEADER_PA(i) + 0x200, 9, RIG_WRITE, 0);
		rig_offer(SIZE, offered++, d);
	}
	finish();
	for (uint32_t i = 0; i < 8; i++) {
		uint64_t at;

		memcpy(&at, ram_va(HEADER_PA(i) + 0x200), 8);
		ck_assert_uint_eq(rig_get8(HEADER_PA(i) + 0x208), OK);
		ck_assert_uint_eq((at - AT(5)) % 8, 0);
		ck_assert_uint_lt(at - AT(5), 64);
		ck_assert(!seen[(at - AT(5)) / 8]);
		seen[(at - AT(5)) / 8] = true;
	}
}

START_TEST(appends_in_flight_get_places_of_their_own)
{
	build_queue_store(3);
	guest_run(&blk.hpci, appends_script);
}
END_TEST

/* --- report --- */

static void report_script(void)
{
	struct virtio_blk_zone_report head;
	struct virtio_blk_zone_descriptor d;
	uint64_t pa = BUFFER_PA(0);

	guest_start(ZONED, SIZE);
	ck_assert_uint_eq(ask(VIRTIO_BLK_T_OUT, AT(1), 4096), OK);
	ck_assert_uint_eq(ask(VIRTIO_BLK_T_ZONE_FINISH, AT(2), 0), OK);
	memset(ram_va(pa), 0xcc, 4096);
	ck_assert_uint_eq(ask(VIRTIO_BLK_T_ZONE_REPORT, 0, 4096), OK);
	ck_assert_uint_eq(used_len(), 64 + 16 * 64 + 1);
	memcpy(&head, ram_va(pa), sizeof(head));
	ck_assert_uint_eq(head.nr_zones, 16);
	ck_assert_uint_eq(head.reserved[55], 0);
	memcpy(&d, ram_va(pa + 64), sizeof(d));
	ck_assert_uint_eq(d.z_type, VIRTIO_BLK_ZT_CONV);
	ck_assert_uint_eq(d.z_cap, ZONE);
	memcpy(&d, ram_va(pa + 128), sizeof(d));
	ck_assert_uint_eq(d.z_start, AT(1));
	ck_assert_uint_eq(d.z_wp, AT(1) + 8);
	ck_assert_uint_eq(d.z_cap, 384);
	ck_assert_uint_eq(d.z_type, VIRTIO_BLK_ZT_SWR);
	ck_assert_uint_eq(d.z_state, VIRTIO_BLK_ZS_IOPEN);
	memcpy(&d, ram_va(pa + 192), sizeof(d));
	ck_assert_uint_eq(d.z_state, VIRTIO_BLK_ZS_FULL);
	ck_assert_uint_eq(rig_get8(pa + 64 + 16 * 64), 0xcc);
	/* From the middle of a zone; what does not fit is left out. */
	ck_assert_uint_eq(ask(VIRTIO_BLK_T_ZONE_REPORT, AT(2) + 9, 255), OK);
	memcpy(&head, ram_va(pa), sizeof(head));
	memcpy(&d, ram_va(pa + 64), sizeof(d));
	ck_assert_uint_eq(head.nr_zones, 2);
	ck_assert_uint_eq(d.z_start, AT(2));
	ck_assert_uint_eq(used_len(), 64 + 2 * 64 + 1);
	ck_assert_uint_eq(ask(VIRTIO_BLK_T_ZONE_REPORT, SECTORS - 1, 512), OK);
	ck_assert_uint_eq(used_len(), 64 + 64 + 1);
	ck_assert_uint_eq(ask(VIRTIO_BLK_T_ZONE_REPORT, 0, 64), OK);
	ck_assert_uint_eq(used_len(), 65);
	ck_assert_uint_eq(ask(VIRTIO_BLK_T_ZONE_REPORT, 0, 63), INVALID);
	ck_assert_uint_eq(ask(VIRTIO_BLK_T_ZONE_REPORT, SECTORS, 512),
			  INVALID);
	ck_assert_uint_eq(used_len(), 1);
}

START_TEST(report_has_a_header_and_a_descriptor_per_zone)
{
	build();
	guest_run(&blk.hpci, report_script);
}
END_TEST

/* --- failures, ranges --- */

static void failed_script(void)
{
	guest_start(ZONED, SIZE);
	ck_assert_uint_eq(ask(VIRTIO_BLK_T_OUT, AT(1), 4096), OK);
	ck_assert_int_eq(hblk_fail_zone(&blk, AT(1), VIRTIO_BLK_ZS_RDONLY), 0);
	ck_assert_uint_eq(ask(VIRTIO_BLK_T_OUT, AT(1) + 8, 4096), INVALID);
	ck_assert_uint_eq(ask(VIRTIO_BLK_T_IN, AT(1), 4096), OK);
	ck_assert_int_eq(hblk_fail_zone(&blk, AT(1), VIRTIO_BLK_ZS_OFFLINE),
			 0);
	ck_assert_uint_eq(ask(VIRTIO_BLK_T_IN, AT(1), 4096), INVALID);
	ck_assert_uint_eq(ask(VIRTIO_BLK_T_ZONE_RESET, AT(1), 0), INVALID);
}

START_TEST(failed_zones_refuse_what_they_must)
{
	build();
	guest_run(&blk.hpci, failed_script);
}
END_TEST

static void ranges_script(void)
{
	uint8_t sector[512] = { 1 };

	guest_start(ZONED | BIT(VIRTIO_BLK_F_SECURE_ERASE), SIZE);
	/* Zeroes are a write. */
	ranged(0, VIRTIO_BLK_T_WRITE_ZEROES, AT(1) + 8, 8, 0);
	ck_assert_uint_eq(outcome(0), VIRTIO_BLK_S_ZONE_UNALIGNED_WP);
	ranged(0, VIRTIO_BLK_T_WRITE_ZEROES, AT(1), 8, 0);
	ck_assert_uint_eq(outcome(0), OK);
	ck_assert_uint_eq(blk.zones.zone[1].wp, AT(1) + 8);
	ranged(0, VIRTIO_BLK_T_WRITE_ZEROES, 3, 5, 0);
	ck_assert_uint_eq(outcome(0), OK);
	/* A secure erase is a reset of whole zones. */
	hstore_poke(&ram, AT(1), sector, 1);
	ranged(0, VIRTIO_BLK_T_SECURE_ERASE, AT(1), 8, 0);
	ck_assert_uint_eq(outcome(0), INVALID);
	ranged(0, VIRTIO_BLK_T_SECURE_ERASE, AT(1) + 8, ZONE, 0);
	ck_assert_uint_eq(outcome(0), INVALID);
	ranged(0, VIRTIO_BLK_T_SECURE_ERASE, AT(0), 2 * ZONE, 0);
	ck_assert_uint_eq(outcome(0), OK);
	ck_assert_uint_eq(blk.zones.zone[1].state, VIRTIO_BLK_ZS_EMPTY);
	hstore_peek(&ram, AT(1), sector, 1);
	ck_assert_uint_eq(sector[0], 0);
}

START_TEST(ranges_follow_the_zones)
{
	config.props.secure_erase = 1;
	build();
	guest_run(&blk.hpci, ranges_script);
}
END_TEST

static void read_only_script(void)
{
	guest_start(ZONED | BIT(VIRTIO_BLK_F_RO), SIZE);
	ck_assert_uint_eq(ask(VIRTIO_BLK_T_ZONE_RESET, AT(1), 0),
			  VIRTIO_BLK_S_IOERR);
	ck_assert_uint_eq(append(AT(1), 4096, 9, 0), VIRTIO_BLK_S_IOERR);
	ck_assert_uint_eq(ask(VIRTIO_BLK_T_ZONE_REPORT, 0, 512), OK);
}

START_TEST(zones_of_read_only_disks_do_not_change)
{
	config.props.read_only = 1;
	build();
	guest_run(&blk.hpci, read_only_script);
}
END_TEST

/* --- random headers --- */

/* Any type, any sector near or far, data and answer of any length. */
static void fuzz_request(struct sim_random *r, uint32_t i)
{
	static const uint32_t types[] = {
		VIRTIO_BLK_T_IN, VIRTIO_BLK_T_OUT, VIRTIO_BLK_T_FLUSH,
		VIRTIO_BLK_T_GET_LIFETIME, VIRTIO_BLK_T_DISCARD,
		VIRTIO_BLK_T_WRITE_ZEROES, VIRTIO_BLK_T_SECURE_ERASE,
		VIRTIO_BLK_T_ZONE_APPEND, VIRTIO_BLK_T_ZONE_REPORT,
		VIRTIO_BLK_T_ZONE_OPEN, VIRTIO_BLK_T_ZONE_CLOSE,
		VIRTIO_BLK_T_ZONE_FINISH, VIRTIO_BLK_T_ZONE_RESET,
		VIRTIO_BLK_T_ZONE_RESET_ALL,
	};
	uint64_t zone = AT(sim_random_below(r, 17));
	uint64_t sector = zone;
	uint16_t d = (uint16_t)(4 * i);
	uint32_t type = sim_random_below(r, 20) ?
			types[sim_random_below(r, 14)] :
			(uint32_t)sim_random_u64(r);
	uint32_t out = (uint32_t)sim_random_below(r, 4) * 4096;
	uint32_t in = (uint32_t)sim_random_below(r, 1200);

	/* Otherwise nearly all zones would be empty. */
	if (type == VIRTIO_BLK_T_ZONE_RESET_ALL && sim_random_below(r, 6))
		type = VIRTIO_BLK_T_OUT;
	if (zone < SECTORS && !sim_random_below(r, 3))
		sector = blk.zones.zone[zone / ZONE].wp;
	if (!sim_random_below(r, 10))
		sector = sim_random_u64(r) >> sim_random_below(r, 64);
	if (!sim_random_below(r, 4))
		out = (uint32_t)sim_random_below(r, 40);
	put_header(i, type, sector);
	for (uint64_t at = 0; at < 64; at += 16) {
		uint64_t range[2] = { sector,
				      ZONE * sim_random_below(r, 3) };

		rig_put(BUFFER_PA(i) + at, range, 16);
	}
	rig_desc(d, HEADER_PA(i), 16, RIG_NEXT, out ? d + 1 : d + 2);
	rig_desc(d + 1, BUFFER_PA(i), out, RIG_NEXT, d + 2);
	rig_desc(d + 2, BUFFER_PA(i) + 0x4000, in + 1, RIG_NEXT | RIG_WRITE,
		 d + 3);
	rig_desc(d + 3, STATUS_PA(i), 1, RIG_WRITE, 0);
	rig_offer(SIZE, offered++, d);
}

#define FUZZ_NR		10000u

static void fuzz_script(void)
{
	struct sim_random r;

	sim_random_init(&r, 11, "zoned requests");
	guest_start(ZONED | BIT(VIRTIO_BLK_F_SECURE_ERASE) |
		    BIT(VIRTIO_BLK_F_LIFETIME), SIZE);
	while (offered < FUZZ_NR) {
		uint32_t nr = 1 + (uint32_t)sim_random_below(&r, 8);

		for (uint32_t i = 0; i < nr && offered < FUZZ_NR; i++)
			fuzz_request(&r, i);
		guest_kick(0);
		guest_wait(2 * SIM_PS_PER_MS);
		ck_assert_uint_eq(rig_used_idx(), offered);
	}
}

START_TEST(random_zoned_requests_are_all_answered)
{
	config.placement = (enum hblk_placement)_i;
	config.props.secure_erase = 1;
	config.props.lifetime = 1;
	config.props.max_secure_erase_seg = 4;
	hw_cost.dev_pop_ps = US;
	build_queue_store(4);
	guest_run(&blk.hpci, fuzz_script);
	ck_assert_uint_eq(blk.queue[0].stats.completed_nr, FUZZ_NR);
	ck_assert_ptr_null(blk.hpci.reason);
	for (int s = 0; s < (int)HBLK_STATUS_NR; s++)
		ck_assert_msg(blk.queue[0].stats.status_nr[s] > 20,
			      "status %d", s);
	for (int t = 0; t < HBLK_TYPE_NR; t++)
		ck_assert_msg(t == HBLK_GET_ID ||
			      blk.queue[0].stats.types_nr[t] > 100, "%s",
			      hblk_type_name[t]);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("hblk_zone");
	TCase *t = tcase_create("hblk_zone");

	tcase_add_checked_fixture(t, setup_zoned, teardown);
	tcase_add_test(t, config_space_shows_the_zones);
	tcase_add_test(t, drive_managed_disks_are_like_any);
	tcase_add_test(t, zone_requests_need_the_feature);
	tcase_add_loop_test(t, bad_zone_properties_are_named, 0,
			    sizeof(bad_properties) /
			    sizeof(bad_properties[0]));
	tcase_add_test(t, init_refuses_more_conventional_zones_than_there_are);
	tcase_add_loop_test(t, data_goes_to_the_write_pointer, 0, 3);
	tcase_add_test(t, every_zone_status_reaches_the_driver);
	tcase_add_test(t, append_returns_the_sector);
	tcase_add_test(t, append_can_be_unsupported);
	tcase_add_test(t, appends_in_flight_get_places_of_their_own);
	tcase_add_test(t, report_has_a_header_and_a_descriptor_per_zone);
	tcase_add_test(t, failed_zones_refuse_what_they_must);
	tcase_add_test(t, ranges_follow_the_zones);
	tcase_add_test(t, zones_of_read_only_disks_do_not_change);
	tcase_add_loop_test(t, random_zoned_requests_are_all_answered, 0, 3);
	suite_add_tcase(s, t);
	return s;
}

int main(void)
{
	return rig_main(suite());
}
