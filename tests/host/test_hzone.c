// SPDX-License-Identifier: GPL-2.0-only
#include "tests/host/rig.h"

#include <errno.h>

#include "model/host/hzone.h"

/* Zones of 64 sectors, 48 of them writable, writes in eights; two first ones
 * are conventional, the last one has 32 sectors. */
#define ZONE		UINT64_C(64)
#define SECTORS		(9 * ZONE + 32)
#define AT(i)		((i) * ZONE)
#define OK		VIRTIO_BLK_S_OK
#define INVALID		VIRTIO_BLK_S_ZONE_INVALID_CMD
#define UNALIGNED	VIRTIO_BLK_S_ZONE_UNALIGNED_WP
#define NO_OPEN		VIRTIO_BLK_S_ZONE_OPEN_RESOURCE
#define NO_ACTIVE	VIRTIO_BLK_S_ZONE_ACTIVE_RESOURCE
#define EMPTY		VIRTIO_BLK_ZS_EMPTY
#define IOPEN		VIRTIO_BLK_ZS_IOPEN
#define EOPEN		VIRTIO_BLK_ZS_EOPEN
#define CLOSED		VIRTIO_BLK_ZS_CLOSED
#define FULL		VIRTIO_BLK_ZS_FULL
#define RDONLY		VIRTIO_BLK_ZS_RDONLY
#define OFFLINE		VIRTIO_BLK_ZS_OFFLINE

static struct hzones z;

static const struct hzone_config usual = {
	.zone_sectors = ZONE,
	.capacity_sectors = 48,
	.conventional_nr = 2,
	.max_open = 3,
	.max_active = 4,
	.max_append_sectors = 16,
	.granularity_sectors = 8,
};

static void setup(void)
{
	ck_assert_int_eq(hzone_init(&z, &usual, SECTORS), 0);
}

static void teardown(void)
{
	hzone_fini(&z);
}

static uint8_t state(uint32_t i)
{
	return z.zone[i].state;
}

/* Counters are those of the states, limits hold, pointers lie in their zone. */
static void check_consistent(void)
{
	uint32_t open_nr = 0, active_nr = 0, rdonly_nr = 0;

	for (uint32_t i = 0; i < z.zones_nr; i++) {
		const struct hzone *zone = &z.zone[i];
		bool open = zone->state == IOPEN || zone->state == EOPEN;

		open_nr += open;
		active_nr += open || zone->state == CLOSED;
		rdonly_nr += zone->state == RDONLY;
		if (i < z.config.conventional_nr)
			ck_assert_uint_eq(zone->state, VIRTIO_BLK_ZS_NOT_WP);
		if (zone->state == EMPTY)
			ck_assert_uint_eq(zone->wp, zone->start);
		if (zone->state == CLOSED || zone->state == IOPEN)
			ck_assert_uint_gt(zone->wp, zone->start);
		if (open || zone->state == CLOSED)
			ck_assert_uint_lt(zone->wp,
					  zone->start + zone->capacity);
	}
	ck_assert_uint_eq(z.open_nr, open_nr);
	ck_assert_uint_eq(z.active_nr, active_nr);
	ck_assert_uint_eq(z.rdonly_nr, rdonly_nr);
	ck_assert(!z.config.max_open || open_nr <= z.config.max_open);
	ck_assert(!z.config.max_active || active_nr <= z.config.max_active);
}

START_TEST(zones_begin_empty_behind_the_conventional_ones)
{
	ck_assert_uint_eq(z.zones_nr, 10);
	ck_assert_uint_eq(z.zone[1].type, VIRTIO_BLK_ZT_CONV);
	ck_assert_uint_eq(z.zone[1].capacity, ZONE);
	ck_assert_uint_eq(z.zone[2].type, VIRTIO_BLK_ZT_SWR);
	ck_assert_uint_eq(z.zone[2].capacity, 48);
	ck_assert_uint_eq(z.zone[9].sectors, 32);
	ck_assert_uint_eq(z.zone[9].capacity, 32);
	ck_assert_ptr_eq(hzone_at(&z, AT(9) + 31), &z.zone[9]);
	ck_assert_ptr_null(hzone_at(&z, SECTORS));
	ck_assert_ptr_null(hzone_at(&z, UINT64_MAX));
	check_consistent();
}
END_TEST

static const struct {
	uint64_t zone, capacity;
	uint32_t conventional, open, active, granularity;
	uint64_t sectors;
	int result;
} configs[] = {
	{ 64, 64, 0, 0, 0, 1, 640, 0 },
	{ 0, 0, 0, 0, 0, 1, 640, -EINVAL },
	{ 64, 65, 0, 0, 0, 1, 640, -EINVAL },
	{ 64, 0, 0, 0, 0, 1, 640, -EINVAL },
	{ 64, 64, 0, 0, 0, 0, 640, -EINVAL },
	{ 64, 60, 0, 0, 0, 8, 640, -EINVAL },
	{ 60, 56, 0, 0, 0, 8, 600, -EINVAL },
	{ 64, 64, 10, 0, 0, 8, 640, 0 },
	{ 64, 64, 11, 0, 0, 8, 640, -EINVAL },
	{ 64, 64, 0, 4, 4, 8, 640, 0 },
	{ 64, 64, 0, 5, 4, 8, 640, -EINVAL },
	{ 64, 64, 0, 5, 0, 8, 640, 0 },
	{ 1, 1, 0, 0, 0, 1, HZONE_NR_MAX, 0 },
	{ 1, 1, 0, 0, 0, 1, HZONE_NR_MAX + 1, -EINVAL },
	{ 64, 64, 0, 0, 0, 1, 0, -EINVAL },
};

START_TEST(configurations_are_checked)
{
	struct hzone_config c = {
		.zone_sectors = configs[_i].zone,
		.capacity_sectors = configs[_i].capacity,
		.conventional_nr = configs[_i].conventional,
		.max_open = configs[_i].open,
		.max_active = configs[_i].active,
		.granularity_sectors = configs[_i].granularity,
	};

	teardown();
	ck_assert_int_eq(hzone_init(&z, &c, configs[_i].sectors),
			 configs[_i].result);
}
END_TEST

/* --- every request in every state --- */

/* Zone 2 into @to. */
static void bring(uint8_t to)
{
	if (to == IOPEN || to == CLOSED)
		ck_assert_uint_eq(hzone_write(&z, AT(2), 8), OK);
	if (to == CLOSED)
		ck_assert_uint_eq(hzone_close(&z, AT(2)), OK);
	if (to == EOPEN)
		ck_assert_uint_eq(hzone_open(&z, AT(2)), OK);
	if (to == FULL)
		ck_assert_uint_eq(hzone_finish(&z, AT(2)), OK);
	if (to == RDONLY || to == OFFLINE)
		ck_assert_int_eq(hzone_fail(&z, AT(2), to), 0);
	ck_assert_uint_eq(state(2), to);
}

static uint8_t do_write(void)
{
	uint64_t wp = state(2) == CLOSED || state(2) == IOPEN ? AT(2) + 8 :
								 AT(2);

	return hzone_write(&z, wp, 8);
}

static uint8_t do_append(void)
{
	uint64_t at;

	return hzone_append(&z, AT(2), 8, &at);
}

static uint8_t do_open(void)
{
	return hzone_open(&z, AT(2));
}

static uint8_t do_close(void)
{
	return hzone_close(&z, AT(2));
}

static uint8_t do_finish(void)
{
	return hzone_finish(&z, AT(2));
}

static uint8_t do_reset(void)
{
	return hzone_reset(&z, AT(2));
}

static uint8_t do_reset_all(void)
{
	struct hstore_range range[HSTORE_RANGES_MAX];

	hzone_reset_all(&z, range);
	return OK;
}

static uint8_t do_read(void)
{
	return hzone_read(&z, AT(2), ZONE);
}

static const struct {
	uint8_t from;
	uint8_t (*request)(void);
	uint8_t status;
	uint8_t to;
} transitions[] = {
	{ EMPTY, do_write, OK, IOPEN },
	{ EMPTY, do_append, OK, IOPEN },
	{ EMPTY, do_open, OK, EOPEN },
	{ EMPTY, do_close, INVALID, EMPTY },
	{ EMPTY, do_finish, OK, FULL },
	{ EMPTY, do_reset, OK, EMPTY },
	{ EMPTY, do_reset_all, OK, EMPTY },
	{ EMPTY, do_read, OK, EMPTY },
	{ IOPEN, do_write, OK, IOPEN },
	{ IOPEN, do_append, OK, IOPEN },
	{ IOPEN, do_open, OK, EOPEN },
	{ IOPEN, do_close, OK, CLOSED },
	{ IOPEN, do_finish, OK, FULL },
	{ IOPEN, do_reset, OK, EMPTY },
	{ IOPEN, do_reset_all, OK, EMPTY },
	{ IOPEN, do_read, OK, IOPEN },
	{ EOPEN, do_write, OK, EOPEN },
	{ EOPEN, do_append, OK, EOPEN },
	{ EOPEN, do_open, OK, EOPEN },
	{ EOPEN, do_close, OK, EMPTY },
	{ EOPEN, do_finish, OK, FULL },
	{ EOPEN, do_reset, OK, EMPTY },
	{ EOPEN, do_reset_all, OK, EMPTY },
	{ EOPEN, do_read, OK, EOPEN },
	{ CLOSED, do_write, OK, IOPEN },
	{ CLOSED, do_append, OK, IOPEN },
	{ CLOSED, do_open, OK, EOPEN },
	{ CLOSED, do_close, OK, CLOSED },
	{ CLOSED, do_finish, OK, FULL },
	{ CLOSED, do_reset, OK, EMPTY },
	{ CLOSED, do_reset_all, OK, EMPTY },
	{ CLOSED, do_read, OK, CLOSED },
	{ FULL, do_write, INVALID, FULL },
	{ FULL, do_append, INVALID, FULL },
	{ FULL, do_open, INVALID, FULL },
	{ FULL, do_close, INVALID, FULL },
	{ FULL, do_finish, OK, FULL },
	{ FULL, do_reset, OK, EMPTY },
	{ FULL, do_reset_all, OK, EMPTY },
	{ FULL, do_read, OK, FULL },
	{ RDONLY, do_write, INVALID, RDONLY },
	{ RDONLY, do_append, INVALID, RDONLY },
	{ RDONLY, do_open, INVALID, RDONLY },
	{ RDONLY, do_close, INVALID, RDONLY },
	{ RDONLY, do_finish, INVALID, RDONLY },
	{ RDONLY, do_reset, INVALID, RDONLY },
	{ RDONLY, do_reset_all, OK, RDONLY },
	{ RDONLY, do_read, OK, RDONLY },
	{ OFFLINE, do_write, INVALID, OFFLINE },
	{ OFFLINE, do_append, INVALID, OFFLINE },
	{ OFFLINE, do_open, INVALID, OFFLINE },
	{ OFFLINE, do_close, INVALID, OFFLINE },
	{ OFFLINE, do_finish, INVALID, OFFLINE },
	{ OFFLINE, do_reset, INVALID, OFFLINE },
	{ OFFLINE, do_reset_all, OK, OFFLINE },
	{ OFFLINE, do_read, INVALID, OFFLINE },
};

START_TEST(requests_change_states_as_the_table_says)
{
	bring(transitions[_i].from);
	ck_assert_uint_eq(transitions[_i].request(), transitions[_i].status);
	ck_assert_uint_eq(state(2), transitions[_i].to);
	check_consistent();
}
END_TEST

START_TEST(explicitly_open_zone_with_data_closes_to_closed)
{
	bring(EOPEN);
	ck_assert_uint_eq(hzone_write(&z, AT(2), 8), OK);
	ck_assert_uint_eq(hzone_close(&z, AT(2)), OK);
	ck_assert_uint_eq(state(2), CLOSED);
	check_consistent();
}
END_TEST

/* --- writes --- */

START_TEST(writes_must_be_at_the_pointer_and_whole_grains)
{
	ck_assert_uint_eq(hzone_write(&z, AT(2) + 8, 8), UNALIGNED);
	ck_assert_uint_eq(hzone_write(&z, AT(2), 4), UNALIGNED);
	ck_assert_uint_eq(state(2), EMPTY);
	ck_assert_uint_eq(hzone_write(&z, AT(2), 8), OK);
	ck_assert_uint_eq(hzone_write(&z, AT(2), 8), UNALIGNED);
	ck_assert_uint_eq(hzone_write(&z, AT(2) + 16, 8), UNALIGNED);
	ck_assert_uint_eq(hzone_write(&z, AT(2) + 8, 0), OK);
	ck_assert_uint_eq(z.zone[2].wp, AT(2) + 8);
}
END_TEST

START_TEST(the_last_writable_sector_makes_a_zone_full)
{
	ck_assert_uint_eq(hzone_write(&z, AT(2), 56), INVALID);
	ck_assert_uint_eq(hzone_write(&z, AT(2), 40), OK);
	ck_assert_uint_eq(hzone_write(&z, AT(2) + 40, 16), INVALID);
	ck_assert_uint_eq(state(2), IOPEN);
	ck_assert_uint_eq(hzone_write(&z, AT(2) + 40, 8), OK);
	ck_assert_uint_eq(state(2), FULL);
	ck_assert_uint_eq(z.open_nr, 0);
	ck_assert_uint_eq(hzone_write(&z, AT(3), 48), OK);
	ck_assert_uint_eq(state(3), FULL);
	ck_assert_uint_eq(hzone_write(&z, AT(9), 32), OK);
	ck_assert_uint_eq(state(9), FULL);
	check_consistent();
}
END_TEST

START_TEST(ranges_stay_in_their_sequential_zone)
{
	ck_assert_uint_eq(hzone_read(&z, AT(2) + 60, 4), OK);
	ck_assert_uint_eq(hzone_read(&z, AT(2) + 60, 5), INVALID);
	ck_assert_uint_eq(hzone_read(&z, AT(1) + 60, 8), INVALID);
	ck_assert_uint_eq(hzone_read(&z, AT(0) + 60, 8), OK);
	ck_assert_uint_eq(hzone_write(&z, AT(0) + 60, 7), OK);
	ck_assert_uint_eq(hzone_write(&z, AT(1) + 56, 16), INVALID);
	ck_assert_uint_eq(hzone_write(&z, AT(2), 72), INVALID);
	ck_assert_uint_eq(hzone_read(&z, SECTORS, 0), OK);
}
END_TEST

START_TEST(append_returns_the_sector_and_keeps_its_limits)
{
	uint64_t at = 77;

	ck_assert_uint_eq(hzone_append(&z, AT(2), 16, &at), OK);
	ck_assert_uint_eq(at, AT(2));
	ck_assert_uint_eq(hzone_append(&z, AT(2), 8, &at), OK);
	ck_assert_uint_eq(at, AT(2) + 16);
	ck_assert_uint_eq(hzone_append(&z, AT(2), 24, &at), INVALID);
	ck_assert_uint_eq(hzone_append(&z, AT(2), 0, &at), INVALID);
	ck_assert_uint_eq(hzone_append(&z, AT(2), 4, &at), UNALIGNED);
	ck_assert_uint_eq(hzone_append(&z, AT(2) + 8, 8, &at), INVALID);
	ck_assert_uint_eq(hzone_append(&z, AT(1), 8, &at), INVALID);
	ck_assert_uint_eq(hzone_append(&z, SECTORS, 8, &at), INVALID);
	ck_assert_uint_eq(hzone_append(&z, UINT64_MAX, 8, &at), INVALID);
	ck_assert_uint_eq(at, AT(2) + 16);
	ck_assert_uint_eq(hzone_append(&z, AT(2), 16, &at), OK);
	ck_assert_uint_eq(hzone_append(&z, AT(2), 16, &at), INVALID);
	ck_assert_uint_eq(hzone_append(&z, AT(2), 8, &at), OK);
	ck_assert_uint_eq(state(2), FULL);
	z.config.max_append_sectors = 0;
	ck_assert_uint_eq(hzone_append(&z, AT(3), 8, &at),
			  VIRTIO_BLK_S_UNSUPP);
}
END_TEST

START_TEST(management_names_a_sequential_zone_by_its_first_sector)
{
	const uint64_t bad[] = { AT(0), AT(2) + 8, SECTORS, UINT64_MAX };

	for (int i = 0; i < 4; i++) {
		ck_assert_uint_eq(hzone_open(&z, bad[i]), INVALID);
		ck_assert_uint_eq(hzone_close(&z, bad[i]), INVALID);
		ck_assert_uint_eq(hzone_finish(&z, bad[i]), INVALID);
		ck_assert_uint_eq(hzone_reset(&z, bad[i]), INVALID);
	}
	check_consistent();
}
END_TEST

/* --- limits: 3 open, 4 active --- */

START_TEST(explicitly_open_zones_are_not_closed_for_others)
{
	for (uint32_t i = 2; i < 5; i++)
		ck_assert_uint_eq(hzone_open(&z, AT(i)), OK);
	ck_assert_uint_eq(hzone_open(&z, AT(5)), NO_OPEN);
	ck_assert_uint_eq(hzone_write(&z, AT(5), 8), NO_OPEN);
	ck_assert_uint_eq(state(5), EMPTY);
	ck_assert_uint_eq(z.zone[5].wp, AT(5));
	ck_assert_uint_eq(hzone_open(&z, AT(4)), OK);
	ck_assert_uint_eq(hzone_close(&z, AT(3)), OK);
	ck_assert_uint_eq(hzone_open(&z, AT(5)), OK);
	check_consistent();
}
END_TEST

START_TEST(the_zone_implicitly_open_for_longest_makes_room)
{
	for (uint32_t i = 5; i > 2; i--)
		ck_assert_uint_eq(hzone_write(&z, AT(i), 8), OK);
	/* The oldest counts by its opening, not by its last write. */
	ck_assert_uint_eq(hzone_write(&z, AT(5) + 8, 8), OK);
	ck_assert_uint_eq(hzone_write(&z, AT(6), 8), OK);
	ck_assert_uint_eq(state(5), CLOSED);
	ck_assert_uint_eq(state(6), IOPEN);
	ck_assert_uint_eq(z.squeezed_nr, 1);
	/* Reopened, it is the youngest. */
	ck_assert_uint_eq(hzone_write(&z, AT(5) + 16, 8), OK);
	ck_assert_uint_eq(state(4), CLOSED);
	ck_assert_uint_eq(hzone_open(&z, AT(4)), OK);
	ck_assert_uint_eq(state(3), CLOSED);
	check_consistent();
}
END_TEST

START_TEST(active_zones_are_limited_and_named_first)
{
	for (uint32_t i = 2; i < 6; i++)
		ck_assert_uint_eq(hzone_write(&z, AT(i), 8), OK);
	ck_assert_uint_eq(z.active_nr, 4);
	ck_assert_uint_eq(z.open_nr, 3);
	ck_assert_uint_eq(hzone_write(&z, AT(6), 8), NO_ACTIVE);
	ck_assert_uint_eq(hzone_open(&z, AT(6)), NO_ACTIVE);
	/* A closed zone is active already. */
	ck_assert_uint_eq(hzone_open(&z, AT(2)), OK);
	ck_assert_uint_eq(hzone_finish(&z, AT(3)), OK);
	ck_assert_uint_eq(hzone_write(&z, AT(6), 8), OK);
	check_consistent();
	/* Both are exceeded. */
	for (uint32_t i = 2; i < 7; i++)
		hzone_open(&z, AT(i));
	ck_assert_uint_eq(hzone_open(&z, AT(7)), NO_ACTIVE);
	check_consistent();
}
END_TEST

START_TEST(without_limits_all_zones_open)
{
	z.config.max_open = 0;
	z.config.max_active = 0;
	for (uint32_t i = 2; i < 10; i++)
		ck_assert_uint_eq(hzone_open(&z, AT(i)), OK);
	ck_assert_uint_eq(z.open_nr, 8);
}
END_TEST

/* --- failures, reset of all, report --- */

START_TEST(zones_fail_one_way)
{
	ck_assert_int_eq(hzone_fail(&z, AT(2) + 5, RDONLY), 0);
	ck_assert_int_eq(hzone_fail(&z, AT(2), RDONLY), 0);
	ck_assert_uint_eq(z.rdonly_nr, 1);
	ck_assert_int_eq(hzone_fail(&z, AT(2), OFFLINE), 0);
	ck_assert_int_eq(hzone_fail(&z, AT(2), RDONLY), -EINVAL);
	ck_assert_int_eq(hzone_fail(&z, AT(2), EMPTY), -EINVAL);
	ck_assert_int_eq(hzone_fail(&z, AT(1), RDONLY), -EINVAL);
	ck_assert_int_eq(hzone_fail(&z, SECTORS, RDONLY), -EINVAL);
	bring(OFFLINE);
	ck_assert_uint_eq(hzone_open(&z, AT(3)), OK);
	ck_assert_int_eq(hzone_fail(&z, AT(3), RDONLY), 0);
	ck_assert_uint_eq(z.open_nr, 0);
	check_consistent();
}
END_TEST

START_TEST(reset_of_all_spares_read_only_zones)
{
	struct hstore_range range[HSTORE_RANGES_MAX];

	hzone_write(&z, AT(2), 8);
	hzone_finish(&z, AT(3));
	hzone_fail(&z, AT(4), RDONLY);
	hzone_fail(&z, AT(6), OFFLINE);
	hzone_open(&z, AT(7));
	ck_assert_uint_eq(hzone_reset_all(&z, range), 2);
	ck_assert_uint_eq(range[0].sector, AT(2));
	ck_assert_uint_eq(range[0].sectors_nr, 2 * ZONE);
	ck_assert_uint_eq(range[1].sector, AT(5));
	ck_assert_uint_eq(range[1].sectors_nr, 4 * ZONE + 32);
	ck_assert_uint_eq(state(2), EMPTY);
	ck_assert_uint_eq(state(3), EMPTY);
	ck_assert_uint_eq(state(4), RDONLY);
	ck_assert_uint_eq(state(6), OFFLINE);
	ck_assert_uint_eq(state(7), EMPTY);
	check_consistent();
}
END_TEST

START_TEST(ranges_of_a_reset_fit_with_the_most_read_only_zones)
{
	struct hstore_range range[HSTORE_RANGES_MAX];
	struct hzone_config c = { .zone_sectors = 1, .capacity_sectors = 1,
				  .granularity_sectors = 1 };

	teardown();
	ck_assert_int_eq(hzone_init(&z, &c, 100), 0);
	for (uint32_t i = 0; i < HZONE_RDONLY_MAX; i++)
		ck_assert_int_eq(hzone_fail(&z, 1 + 2 * i, RDONLY), 0);
	ck_assert_int_eq(hzone_fail(&z, 90, RDONLY), -ENOSPC);
	ck_assert_int_eq(hzone_fail(&z, 1, RDONLY), 0);
	ck_assert_int_eq(hzone_fail(&z, 90, OFFLINE), 0);
	ck_assert_uint_eq(hzone_reset_all(&z, range), HSTORE_RANGES_MAX);
}
END_TEST

START_TEST(descriptors_show_the_zone)
{
	struct virtio_blk_zone_descriptor d;

	memset(&d, 0xff, sizeof(d));
	hzone_write(&z, AT(2), 8);
	hzone_describe(&z.zone[2], &d);
	ck_assert_uint_eq(d.z_cap, 48);
	ck_assert_uint_eq(d.z_start, AT(2));
	ck_assert_uint_eq(d.z_wp, AT(2) + 8);
	ck_assert_uint_eq(d.z_type, VIRTIO_BLK_ZT_SWR);
	ck_assert_uint_eq(d.z_state, IOPEN);
	for (uint32_t i = 0; i < sizeof(d.reserved); i++)
		ck_assert_uint_eq(d.reserved[i], 0);
	hzone_describe(&z.zone[0], &d);
	ck_assert_uint_eq(d.z_type, VIRTIO_BLK_ZT_CONV);
	ck_assert_uint_eq(d.z_state, VIRTIO_BLK_ZS_NOT_WP);
}
END_TEST

/* Whatever is asked, the table stays consistent. */
START_TEST(random_requests_keep_the_table_consistent)
{
	struct hstore_range range[HSTORE_RANGES_MAX];
	struct sim_random r;
	uint32_t nr[7] = { 0 };

	sim_random_init(&r, (uint64_t)_i, "zones");
	for (int n = 0; n < 20000; n++) {
		uint64_t zone = AT(sim_random_below(&r, 11));
		uint64_t size = sim_random_below(&r, 4) * 8 +
				!sim_random_below(&r, 20);
		struct hzone *at = hzone_at(&z, zone);
		uint64_t sector = at && sim_random_below(&r, 8) ? at->wp : zone;
		uint8_t status = OK;

		if (!sim_random_below(&r, 20))
			zone++;
		switch (sim_random_below(&r, 16)) {
		case 0:
		case 14:
		case 15:
			status = hzone_open(&z, zone);
			break;
		case 1:
			status = hzone_close(&z, zone);
			break;
		case 2:
			status = hzone_finish(&z, zone);
			break;
		case 3:
			status = hzone_reset(&z, zone);
			break;
		case 4:
			if (!sim_random_below(&r, 50))
				hzone_reset_all(&z, range);
			break;
		case 5:
		case 6:
			status = hzone_append(&z, zone, size, &sector);
			break;
		case 7:
			if (!sim_random_below(&r, 5000))
				hzone_fail(&z, zone, RDONLY);
			break;
		default:
			if (sector <= SECTORS && size <= SECTORS - sector)
				status = hzone_write(&z, sector, size);
		}
		ck_assert_uint_lt(status, 7);
		nr[status]++;
		check_consistent();
	}
	ck_assert_uint_gt(nr[OK], 5000);
	for (int s = INVALID; s <= NO_ACTIVE; s++)
		ck_assert_msg(nr[s] > 10, "status %d: %u", s, nr[s]);
}
END_TEST

#define LENGTH(array) (int)(sizeof(array) / sizeof((array)[0]))

static Suite *suite(void)
{
	Suite *s = suite_create("hzone");
	TCase *t = tcase_create("hzone");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, zones_begin_empty_behind_the_conventional_ones);
	tcase_add_loop_test(t, configurations_are_checked, 0, LENGTH(configs));
	tcase_add_loop_test(t, requests_change_states_as_the_table_says, 0,
			    LENGTH(transitions));
	tcase_add_test(t, explicitly_open_zone_with_data_closes_to_closed);
	tcase_add_test(t, writes_must_be_at_the_pointer_and_whole_grains);
	tcase_add_test(t, the_last_writable_sector_makes_a_zone_full);
	tcase_add_test(t, ranges_stay_in_their_sequential_zone);
	tcase_add_test(t, append_returns_the_sector_and_keeps_its_limits);
	tcase_add_test(t,
		       management_names_a_sequential_zone_by_its_first_sector);
	tcase_add_test(t, explicitly_open_zones_are_not_closed_for_others);
	tcase_add_test(t, the_zone_implicitly_open_for_longest_makes_room);
	tcase_add_test(t, active_zones_are_limited_and_named_first);
	tcase_add_test(t, without_limits_all_zones_open);
	tcase_add_test(t, zones_fail_one_way);
	tcase_add_test(t, reset_of_all_spares_read_only_zones);
	tcase_add_test(t,
		       ranges_of_a_reset_fit_with_the_most_read_only_zones);
	tcase_add_test(t, descriptors_show_the_zone);
	tcase_add_loop_test(t, random_requests_keep_the_table_consistent, 0, 4);
	suite_add_tcase(s, t);
	return s;
}

int main(void)
{
	return rig_main(suite());
}
