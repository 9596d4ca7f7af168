// SPDX-License-Identifier: GPL-2.0-only
#include "tests/host/rig_blk.h"

#include <errno.h>

#include "model/host/hblk_event.h"

/* What happens at a time that the guest does not choose. */
static struct sim_event event;
static void (*event_action)(void);

static void on_event(struct sim_event *ev)
{
	(void)ev;
	event_action();
}

static void after(uint64_t ps, void (*action)(void))
{
	event_action = action;
	sim_event_init(&event, on_event);
	sim_event_post(&event, sim_now() + ps);
}

static uint8_t read_at(uint64_t sector)
{
	request(0, VIRTIO_BLK_T_IN, sector, 512);
	return outcome(0);
}

/* --- resize --- */

static void grow(void)
{
	ck_assert_int_eq(hblk_resize(&blk, 2 * SECTORS), 0);
}

static void shrink(void)
{
	ck_assert_int_eq(hblk_resize(&blk, SECTORS / 2), 0);
}

static void grow_script(void)
{
	uint8_t generation;

	guest_start(ALL, SIZE);
	ck_assert_uint_eq(read_at(SECTORS), VIRTIO_BLK_S_IOERR);
	generation = (uint8_t)guest_get(VIRTIO_PCI_COMMON_CFGGENERATION, 1);
	after(5 * US, grow);
	guest_wait(SIM_PS_PER_MS);
	ck_assert_uint_eq(guest_irqs[GUEST_VECTOR], 1);
	ck_assert_uint_ne(guest_get(VIRTIO_PCI_COMMON_CFGGENERATION, 1),
			  generation);
	ck_assert_uint_eq(guest_get(HPCI_DEVICE_OFFSET, 8), 2 * SECTORS);
	ck_assert_uint_eq(read_at(2 * SECTORS - 1), VIRTIO_BLK_S_OK);
	ck_assert_uint_eq(read_at(2 * SECTORS), VIRTIO_BLK_S_IOERR);
}

START_TEST(resize_is_announced_and_counts_from_now_on)
{
	config.placement = (enum hblk_placement)_i;
	build_queue_store(1);
	guest_run(&blk.hpci, grow_script);
	ck_assert_uint_eq(blk.hpci.config_interrupts_nr, 1);
	ck_assert_uint_eq(ram.sectors, 2 * SECTORS);
}
END_TEST

/* The first is in service and the second waits when the disk is cut. */
static void shrink_script(void)
{
	uint8_t sector[512];

	guest_start(ALL, SIZE);
	memset(ram_va(BUFFER_PA(0)), 1, 1024);
	memset(ram_va(BUFFER_PA(1)), 2, 512);
	memset(ram_va(BUFFER_PA(2)), 3, 512);
	request(0, VIRTIO_BLK_T_OUT, SECTORS / 2 - 1, 1024);
	request(1, VIRTIO_BLK_T_OUT, SECTORS / 2, 512);
	request(2, VIRTIO_BLK_T_OUT, SECTORS / 2 - 1, 512);
	after(20 * US, shrink);
	finish();
	ck_assert_uint_eq(rig_used_idx(), 3);
	ck_assert_uint_eq(status_of(0), VIRTIO_BLK_S_IOERR);
	ck_assert_uint_eq(status_of(1), VIRTIO_BLK_S_IOERR);
	ck_assert_uint_eq(status_of(2), VIRTIO_BLK_S_OK);
	ck_assert_int_eq(hstore_peek(&ram, SECTORS / 2 - 1, sector, 1), 0);
	ck_assert_uint_eq(sector[0], 3);
	ck_assert_int_eq(hstore_peek(&ram, SECTORS / 2, sector, 1), -EINVAL);
}

START_TEST(requests_in_flight_beyond_a_new_end_fail)
{
	config.placement = (enum hblk_placement)_i;
	build_queue_store(1);
	guest_run(&blk.hpci, shrink_script);
	ck_assert_uint_eq(store.stats.errors_nr, 2);
}
END_TEST

START_TEST(resize_refuses_what_is_no_disk)
{
	config.props.logical_block_size = 4096;
	config.props.physical_block_size = 4096;
	build();
	ck_assert_int_eq(hblk_resize(&blk, 0), -EINVAL);
	ck_assert_int_eq(hblk_resize(&blk, 9), -EINVAL);
	ck_assert_int_eq(hblk_resize(&blk, 16), 0);
	ck_assert_uint_eq(blk.space.capacity, 16);
	/* Before a driver is there nobody is told. */
	ck_assert_uint_eq(blk.hpci.config_interrupts_nr, 0);
	hblk_unplug(&blk);
	ck_assert_int_eq(hblk_resize(&blk, 8), -ENODEV);
}
END_TEST

START_TEST(host_managed_disks_are_not_resized)
{
	config.props.zoned = HBLK_HOST_MANAGED;
	config.props.zone_size = 65536;
	build();
	ck_assert_int_eq(hblk_resize(&blk, 2 * SECTORS), -EOPNOTSUPP);
	ck_assert_uint_eq(ram.sectors, SECTORS);
	ck_assert_int_eq(hblk_fail_zone(&blk, 0, VIRTIO_BLK_ZS_RDONLY), 0);
}
END_TEST

/* --- pause --- */

static void resume(void)
{
	hblk_resume(&blk);
}

static void pause_script(void)
{
	guest_start(ALL, SIZE);
	request(0, VIRTIO_BLK_T_IN, 0, 512);
	guest_kick(0);
	guest_wait(20 * US);
	hblk_pause(&blk);
	hblk_pause(&blk);
	request(1, VIRTIO_BLK_T_IN, 0, 512);
	guest_kick(0);
	guest_wait(SIM_PS_PER_MS);
	/* What was taken has been completed, nothing else. */
	ck_assert_uint_eq(rig_used_idx(), 1);
	ck_assert_uint_eq(hblk_in_flight_nr(&blk), 0);
	ck_assert_uint_eq(guest_status(), 0x0f);
	after(5 * US, resume);
	guest_wait(SIM_PS_PER_MS);
	ck_assert_uint_eq(rig_used_idx(), 2);
	hblk_resume(&blk);
	ck_assert_uint_eq(read_at(0), VIRTIO_BLK_S_OK);
}

START_TEST(pause_takes_nothing_and_resume_forgets_nothing)
{
	config.placement = (enum hblk_placement)_i;
	build_queue_store(1);
	guest_run(&blk.hpci, pause_script);
	ck_assert_uint_eq(blk.queue[0].stats.taken_nr, 3);
}
END_TEST

static void do_pause(void)
{
	hblk_pause(&blk);
}

/* In the middle of a batch: what was taken goes to the store. */
static void pause_batch_script(void)
{
	guest_start(ALL, SIZE);
	for (uint32_t i = 0; i < 8; i++)
		request(i, VIRTIO_BLK_T_IN, 0, 512);
	after(35 * US, do_pause);
	finish();
	ck_assert_uint_gt(rig_used_idx(), 0);
	ck_assert_uint_lt(rig_used_idx(), 8);
	hblk_resume(&blk);
	guest_wait(SIM_PS_PER_MS);
	ck_assert_uint_eq(rig_used_idx(), 8);
}

START_TEST(pause_in_a_batch_loses_nothing)
{
	config.placement = (enum hblk_placement)_i;
	hw_cost.dev_pop_ps = 10 * US;
	build();
	guest_run(&blk.hpci, pause_batch_script);
}
END_TEST

static void pause_reset_script(void)
{
	guest_start(ALL, SIZE);
	request(0, VIRTIO_BLK_T_IN, 0, 512);
	hblk_pause(&blk);
	guest_kick(0);
	guest_set(VIRTIO_PCI_COMMON_STATUS, 1, 0);
	ck_assert_uint_eq(guest_status(), 0);
	hblk_resume(&blk);
	guest_wait(SIM_PS_PER_MS);
	ck_assert_uint_eq(rig_used_idx(), 0);
}

START_TEST(reset_does_not_wait_for_resume)
{
	build();
	guest_run(&blk.hpci, pause_reset_script);
}
END_TEST

/* --- unplug --- */

static void unplug(void)
{
	hblk_unplug(&blk);
}

static void unplug_script(void)
{
	const uint64_t pa = guest_bar_pa();
	uint32_t taken_nr;

	guest_start(ALL, SIZE);
	memset(ram_va(BUFFER_PA(0)), 0x77, 512);
	for (uint32_t i = 0; i < 4; i++)
		request(i, VIRTIO_BLK_T_IN, i, 512);
	after(20 * US, unplug);
	guest_kick(0);
	guest_wait(SIM_PS_PER_MS);
	/* No completion, no interrupt, and no DMA. */
	ck_assert_uint_eq(rig_used_idx(), 0);
	ck_assert_uint_eq(guest_irqs[GUEST_VECTOR + 1], 0);
	ck_assert_uint_eq(rig_get8(BUFFER_PA(0)), 0x77);
	ck_assert_uint_eq(status_of(0), 0xee);
	ck_assert_uint_eq(hblk_in_flight_nr(&blk), 0);
	/* All ones, wherever one looks, and nobody hears a doorbell. */
	ck_assert_uint_eq(guest_status(), 0xff);
	ck_assert_uint_eq(guest_get(HPCI_DEVICE_OFFSET, 8), UINT64_MAX);
	ck_assert_uint_eq(pci_config_read(&blk.hpci.fn, 0, 4), UINT32_MAX);
	pci_config_write(&blk.hpci.fn, 4, 2, 0);
	ck_assert_uint_eq(pci_config_read(&blk.hpci.fn, 4, 2), 0xffff);
	ck_assert_uint_eq(pci_mmio_read(&blk.hpci.fn,
					blk.hpci.fn.bar[1].base_pa, 4),
			  UINT32_MAX);
	taken_nr = (uint32_t)blk.queue[0].stats.taken_nr;
	pci_mmio_write(&blk.hpci.fn, pa + HPCI_NOTIFY_OFFSET, 2, 0);
	guest_set(VIRTIO_PCI_COMMON_STATUS, 1, 0);
	guest_wait(SIM_PS_PER_MS);
	ck_assert_uint_eq(blk.queue[0].stats.taken_nr, taken_nr);
	ck_assert(!hpci_interrupt_queue(&blk.hpci, 0));
	hblk_unplug(&blk);
}

START_TEST(unplug_is_harmless_with_requests_in_flight)
{
	config.placement = (enum hblk_placement)_i;
	memset(stamps, 0, sizeof(stamps));
	build_queue_store(1);
	guest_run(&blk.hpci, unplug_script);
	ck_assert_uint_eq(blk.queue[0].stats.dropped_nr, 4);
	ck_assert_uint_eq(blk.queue[0].stats.irqs_nr, 0);
	ck_assert_uint_eq(stamps[STAMP_USED], 0);
}
END_TEST

static uint64_t unplug_ps;

/* At every point of a batch's way. */
static void unplug_anywhere_script(void)
{
	guest_start(ALL, SIZE);
	for (uint32_t i = 0; i < 6; i++)
		request(i, i % 2 ? VIRTIO_BLK_T_OUT : VIRTIO_BLK_T_GET_ID, i,
			512);
	after(unplug_ps, unplug);
	guest_kick(0);
	guest_wait(SIM_PS_PER_MS);
	ck_assert_uint_le(rig_used_idx(), 6);
	ck_assert_uint_eq(guest_status(), 0xff);
}

START_TEST(unplug_may_come_at_any_time)
{
	uint32_t dropped = 0, completed = 0;

	teardown();
	for (unplug_ps = 0; unplug_ps < 500 * US; unplug_ps += 777777) {
		setup();
		config.placement = (enum hblk_placement)_i;
		hw_cost.access_ps = 20000;
		hw_cost.iothread_wake_ps = 3 * US;
		hw_cost.dev_pop_ps = 2 * US;
		hw_cost.dev_submit_io_ps = US;
		hw_cost.dev_complete_ps = US;
		hw_cost.irq_raise_ps = US;
		build_queue_store(1);
		guest_run(&blk.hpci, unplug_anywhere_script);
		dropped += blk.queue[0].stats.dropped_nr != 0;
		completed += blk.queue[0].stats.completed_nr != 0;
		teardown();
	}
	ck_assert_uint_gt(dropped, 10);
	ck_assert_uint_gt(completed, 10);
	setup();
	build();
}
END_TEST

/* --- every other request and property --- */

static void erase_script(void)
{
	uint8_t sector[512];
	uint64_t at = 40;
	uint32_t nr = 4;

	memset(sector, 0xff, sizeof(sector));
	for (uint64_t s = 0; s < 64; s++)
		hstore_poke(&ram, s, sector, 1);
	guest_start(ALL | BIT(VIRTIO_BLK_F_SECURE_ERASE), SIZE);
	ck_assert_uint_eq(guest_get(HPCI_DEVICE_OFFSET + 60, 4), 100);
	ck_assert_uint_eq(guest_get(HPCI_DEVICE_OFFSET + 64, 4), 2);
	ck_assert_uint_eq(guest_get(HPCI_DEVICE_OFFSET + 68, 4), 16);
	ranged(0, VIRTIO_BLK_T_SECURE_ERASE, 0, 101, 0);
	ck_assert_uint_eq(outcome(0), VIRTIO_BLK_S_IOERR);
	ranged(0, VIRTIO_BLK_T_SECURE_ERASE, 8, 4, 1);
	ck_assert_uint_eq(outcome(0), VIRTIO_BLK_S_UNSUPP);
	ranged(0, VIRTIO_BLK_T_SECURE_ERASE, SECTORS - 1, 2, 0);
	ck_assert_uint_eq(outcome(0), VIRTIO_BLK_S_IOERR);
	request(0, VIRTIO_BLK_T_SECURE_ERASE, 0, 48);
	ck_assert_uint_eq(outcome(0), VIRTIO_BLK_S_IOERR);
	ranged(0, VIRTIO_BLK_T_SECURE_ERASE, 8, 4, 0);
	ck_assert_uint_eq(outcome(0), VIRTIO_BLK_S_OK);
	memset(ram_va(BUFFER_PA(0)), 0, 32);
	rig_put(BUFFER_PA(0) + 16, &at, 8);
	rig_put(BUFFER_PA(0) + 24, &nr, 4);
	request(0, VIRTIO_BLK_T_SECURE_ERASE, 0, 32);
	ck_assert_uint_eq(outcome(0), VIRTIO_BLK_S_OK);
	for (uint64_t s = 0; s < 64; s++) {
		bool erased = (s >= 8 && s < 12) || (s >= 40 && s < 44);

		hstore_peek(&ram, s, sector, 1);
		ck_assert_uint_eq(sector[0], erased ? 0 : 0xff);
	}
}

START_TEST(secure_erase_forgets_the_data)
{
	config.props.secure_erase = 1;
	config.props.max_secure_erase_sectors = 100;
	config.props.max_secure_erase_seg = 2;
	config.props.secure_erase_sector_alignment = 16;
	build();
	guest_run(&blk.hpci, erase_script);
	ck_assert_uint_eq(ram.stats.ops_nr[HSTORE_SECURE_ERASE], 2);
	ck_assert_uint_eq(ram.stats.bytes[HSTORE_SECURE_ERASE], 8 * 512);
}
END_TEST

static void lifetime_script(void)
{
	struct virtio_blk_lifetime life;

	guest_start(ALL | BIT(VIRTIO_BLK_F_LIFETIME), SIZE);
	request(0, VIRTIO_BLK_T_GET_LIFETIME, 0, 5);
	ck_assert_uint_eq(outcome(0), VIRTIO_BLK_S_IOERR);
	request(0, VIRTIO_BLK_T_GET_LIFETIME, 0, 6);
	ck_assert_uint_eq(outcome(0), VIRTIO_BLK_S_OK);
	memcpy(&life, ram_va(BUFFER_PA(0)), sizeof(life));
	ck_assert_uint_eq(life.pre_eol_info, 2);
	ck_assert_uint_eq(life.device_lifetime_est_typ_a, 11);
	ck_assert_uint_eq(life.device_lifetime_est_typ_b, 1);
	ck_assert_uint_eq(rig_used_len(SIZE, 1), 7);
}

START_TEST(lifetime_is_what_the_properties_say)
{
	config.props.lifetime = 1;
	config.props.pre_eol_info = 2;
	config.props.lifetime_est_a = 11;
	build();
	guest_run(&blk.hpci, lifetime_script);
}
END_TEST

static void not_offered_script(void)
{
	uint64_t features = guest_offered();

	ck_assert(!(features & (BIT(VIRTIO_BLK_F_SECURE_ERASE) |
				BIT(VIRTIO_BLK_F_LIFETIME) |
				BIT(VIRTIO_BLK_F_ZONED) |
				BIT(VIRTIO_BLK_F_GEOMETRY))));
	guest_start(ALL, SIZE);
	ranged(0, VIRTIO_BLK_T_SECURE_ERASE, 0, 8, 0);
	ck_assert_uint_eq(outcome(0), VIRTIO_BLK_S_UNSUPP);
	request(0, VIRTIO_BLK_T_GET_LIFETIME, 0, 6);
	ck_assert_uint_eq(outcome(0), VIRTIO_BLK_S_UNSUPP);
}

START_TEST(by_default_none_of_this_is_offered)
{
	build();
	guest_run(&blk.hpci, not_offered_script);
}
END_TEST

static void geometry_script(void)
{
	ck_assert(guest_offered() & BIT(VIRTIO_BLK_F_GEOMETRY));
	ck_assert_uint_eq(guest_get(HPCI_DEVICE_OFFSET + 16, 2), 1000);
	ck_assert_uint_eq(guest_get(HPCI_DEVICE_OFFSET + 18, 1), 16);
	ck_assert_uint_eq(guest_get(HPCI_DEVICE_OFFSET + 19, 1), 63);
}

START_TEST(geometry_is_shown)
{
	config.props.cyls = 1000;
	build();
	guest_run(&blk.hpci, geometry_script);
}
END_TEST

/* --- quirks --- */

static void quirk_script(void)
{
	uint64_t features = guest_offered();

	ck_assert(!(features & (BIT(VIRTIO_BLK_F_SEG_MAX) |
				BIT(VIRTIO_BLK_F_TOPOLOGY))));
	ck_assert(features & BIT(VIRTIO_BLK_F_BLK_SIZE));
	ck_assert_uint_eq(guest_get(HPCI_DEVICE_OFFSET + 20, 4), 256);
	ck_assert_uint_eq(guest_get(HPCI_DEVICE_OFFSET + 92, 1), 7);
	ck_assert_uint_eq(guest_get(HPCI_DEVICE_OFFSET, 8), SECTORS);
	guest_start(BASE & ~BIT(VIRTIO_BLK_F_SEG_MAX), SIZE);
	ck_assert_uint_eq(read_at(1), VIRTIO_BLK_S_OK);
}

START_TEST(quirks_are_shown_but_change_nothing)
{
	char why[200];

	ck_assert(hblk_quirk_features(&config.quirks, "seg_max, topology", why,
				      sizeof(why)));
	ck_assert(hblk_quirk_config(&config.quirks,
				    "blk_size=0x100,zoned.model=7", why,
				    sizeof(why)));
	build();
	guest_run(&blk.hpci, quirk_script);
}
END_TEST

static const struct {
	bool config;
	const char *text;
	const char *why;		/* NULL: good */
} quirks[] = {
	{ false, "", NULL },
	{ false, "mq", NULL },
	{ false, "mq,", NULL },
	{ false, "mqs", "'mqs' is not known; known: size_max, seg_max" },
	{ false, "ro,,mq", "'' is not known" },
	{ true, "", NULL },
	{ true, "wce=255", NULL },
	{ true, "wce=256", "'wce=256' is not wce= and a number of 8 bits" },
	{ true, "capacity=0xffffffffffffffff", NULL },
	{ true, "capacity=0x10000000000000000", "is not capacity=" },
	{ true, "seg_max=4294967295", NULL },
	{ true, "seg_max=4294967296", "a number of 32 bits" },
	{ true, "seg_max=-1", "is not seg_max=" },
	{ true, "seg_max=", "is not seg_max=" },
	{ true, "seg_max", "is not seg_max=" },
	{ true, "seg_max,wce=1", "is not seg_max=" },
	{ true, "seg_max=1x", "is not seg_max=" },
	{ true, "unused=1", "'unused' is not known; known: capacity," },
	{ true, "=1", "'' is not known" },
	{ true, "wce=1,wce=1,wce=1,wce=1,wce=1,wce=1,wce=1,wce=1,"
		"wce=1,wce=1,wce=1,wce=1,wce=1,wce=1,wce=1,wce=1", NULL },
	{ true, "wce=1,wce=1,wce=1,wce=1,wce=1,wce=1,wce=1,wce=1,"
		"wce=1,wce=1,wce=1,wce=1,wce=1,wce=1,wce=1,wce=1,wce=1",
	  "more than 16 fields" },
};

START_TEST(quirks_are_strict)
{
	struct hblk_quirks q = { 0 }, before = { 0 };
	char why[1000] = "";
	bool ok = quirks[_i].config ?
		  hblk_quirk_config(&q, quirks[_i].text, why, sizeof(why)) :
		  hblk_quirk_features(&q, quirks[_i].text, why, sizeof(why));

	ck_assert_int_eq(ok, !quirks[_i].why);
	if (ok)
		return;
	ck_assert_msg(strstr(why, quirks[_i].why) != NULL, "%s", why);
	ck_assert_uint_eq(q.features_off, before.features_off);
	ck_assert_uint_eq(q.fields_nr, before.fields_nr);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("hblk_event");
	TCase *t = tcase_create("hblk_event");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, resize_is_announced_and_counts_from_now_on, 0,
			    3);
	tcase_add_loop_test(t, requests_in_flight_beyond_a_new_end_fail, 0, 3);
	tcase_add_test(t, resize_refuses_what_is_no_disk);
	tcase_add_test(t, host_managed_disks_are_not_resized);
	tcase_add_loop_test(t, pause_takes_nothing_and_resume_forgets_nothing,
			    0, 3);
	tcase_add_loop_test(t, pause_in_a_batch_loses_nothing, 0, 3);
	tcase_add_test(t, reset_does_not_wait_for_resume);
	tcase_add_loop_test(t, unplug_is_harmless_with_requests_in_flight, 0,
			    3);
	tcase_add_loop_test(t, unplug_may_come_at_any_time, 0, 3);
	tcase_add_test(t, secure_erase_forgets_the_data);
	tcase_add_test(t, lifetime_is_what_the_properties_say);
	tcase_add_test(t, by_default_none_of_this_is_offered);
	tcase_add_test(t, geometry_is_shown);
	tcase_add_test(t, quirks_are_shown_but_change_nothing);
	tcase_add_loop_test(t, quirks_are_strict, 0,
			    sizeof(quirks) / sizeof(quirks[0]));
	suite_add_tcase(s, t);
	return s;
}

int main(void)
{
	return rig_main(suite());
}
