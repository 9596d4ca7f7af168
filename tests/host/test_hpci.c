// SPDX-License-Identifier: GPL-2.0-only
#include "tests/host/rig_guest.h"

#include <errno.h>

#define QUEUES		3u
#define SIZE		64u
#define VECTORS		4u
#define FEATURES	(GUEST_CONFIG | UINT64_C(1) << 5 |		\
			 UINT64_C(1) << VIRTIO_RING_F_EVENT_IDX)

static struct hpci hpci;
static struct sim_lock big_lock;
static uint8_t space[12];
static uint32_t kicks[QUEUES];
static uint64_t refused_features;
static bool quiet;
static uint32_t resets;

static bool features_ok(void *owner, uint64_t features)
{
	ck_assert_ptr_eq(owner, space);
	return !(features & refused_features);
}

static void config_read(void *owner, uint32_t offset, void *buf,
			uint32_t bytes)
{
	memcpy(buf, (uint8_t *)owner + offset, bytes);
}

static void config_write(void *owner, uint32_t offset, const void *buf,
			 uint32_t bytes)
{
	ck_assert(sim_lock_held(&big_lock));
	memcpy((uint8_t *)owner + offset, buf, bytes);
}

static bool reset(void *owner)
{
	ck_assert_ptr_eq(owner, space);
	resets++;
	return quiet;
}

static void kick(void *owner, uint32_t vq)
{
	ck_assert_ptr_eq(owner, space);
	ck_assert(sim_lock_held(&big_lock) ||
		  hpci.config.doorbell != PCI_DOORBELL_USER);
	kicks[vq]++;
}

static const struct hpci_device device = {
	.features_ok = features_ok,
	.config_read = config_read,
	.config_write = config_write,
	.reset = reset,
	.kick = kick,
};

static struct hpci_config config;

static void setup(void)
{
	rig_init();
	sim_lock_init(&big_lock);
	memset(kicks, 0, sizeof(kicks));
	refused_features = 0;
	quiet = true;
	resets = 0;
	for (uint32_t i = 0; i < sizeof(space); i++)
		space[i] = (uint8_t)(0xa0 + i);
	config = (struct hpci_config){
		.device = &device,
		.owner = space,
		.device_type = 2,
		.class_code = 0x010000,
		.features = FEATURES,
		.config_bytes = sizeof(space),
		.queues_nr = QUEUES,
		.queue_size = SIZE,
		.vectors_nr = VECTORS,
		.doorbell = PCI_DOORBELL_KERNEL,
		.big_lock = &big_lock,
		.vcpus = guest_vcpus,
		.vcpus_nr = 1,
	};
	ck_assert_int_eq(hpci_init(&hpci, &config), 0);
}

static void teardown(void)
{
	ck_assert_ptr_null(big_lock.owner);
	hpci_fini(&hpci);
	rig_fini();
}

START_TEST(init_refuses_bad_configs)
{
	struct hpci bad;

	config.queue_size = 48;
	ck_assert_int_eq(hpci_init(&bad, &config), -EINVAL);
	config.queue_size = 2 * HRING_SIZE_MAX;
	ck_assert_int_eq(hpci_init(&bad, &config), -EINVAL);
	config.queue_size = SIZE;
	config.queues_nr = HPCI_QUEUES_MAX + 1;
	ck_assert_int_eq(hpci_init(&bad, &config), -EINVAL);
	config.queues_nr = 1;
	config.vectors_nr = 0;
	ck_assert_int_eq(hpci_init(&bad, &config), -EINVAL);
}
END_TEST

static uint32_t cfg(uint32_t offset, uint32_t bytes)
{
	return pci_config_read(&hpci.fn, offset, bytes);
}

/* The type of each virtio capability, found by walking the list: 4.1.4. */
static uint32_t find_cap(uint32_t type)
{
	uint32_t at = cfg(0x34, 1);

	while (at) {
		if (cfg(at, 1) == 9 && cfg(at + 3, 1) == type)
			return at;
		at = cfg(at + 1, 1);
	}
	return 0;
}

static void ck_cap(uint32_t type, uint32_t offset, uint32_t length)
{
	uint32_t at = find_cap(type);

	ck_assert_uint_ne(at, 0);
	ck_assert_uint_ge(cfg(at + 2, 1), 16);
	ck_assert_uint_eq(cfg(at + 4, 1), HPCI_BAR);
	ck_assert_uint_eq(cfg(at + 8, 4), offset);
	ck_assert_uint_eq(cfg(at + 12, 4), length);
}

static void identification_script(void)
{
	ck_assert_uint_eq(cfg(0, 2), 0x1af4);
	ck_assert_uint_eq(cfg(2, 2), 0x1042);
	ck_assert_uint_ge(cfg(8, 1), 1);
	ck_assert_uint_eq(cfg(9, 2) | cfg(11, 1) << 16, 0x010000);
	ck_assert_uint_ge(cfg(0x2e, 2), 0x40);
	ck_assert_uint_eq(cfg(6, 2) & 0x10, 0x10);
	ck_cap(1, 0, 56);
	ck_cap(2, 0x3000, QUEUES * 4);
	ck_cap(3, 0x1000, 1);
	ck_cap(4, 0x2000, sizeof(space));
	ck_assert_uint_eq(cfg(find_cap(2) + 16, 4), 4);
	ck_assert_uint_eq(cfg(find_cap(2) + 2, 1), 20);
}

START_TEST(function_identifies_itself_and_lists_its_structures)
{
	guest_run(&hpci, identification_script);
}
END_TEST

static void features_script(void)
{
	ck_assert_uint_eq(guest_offered(), FEATURES);
	guest_set(VIRTIO_PCI_COMMON_DFSELECT, 4, 2);
	ck_assert_uint_eq(guest_get(VIRTIO_PCI_COMMON_DF, 4), 0);
	ck_assert(guest_negotiate(FEATURES));
	ck_assert(hpci_has_feature(&hpci, 5));
	/* Too late to change one's mind: 2.2.1 */
	guest_set(VIRTIO_PCI_COMMON_GFSELECT, 4, 0);
	guest_set(VIRTIO_PCI_COMMON_GF, 4, 0);
	ck_assert(hpci_has_feature(&hpci, 5));
	ck_assert(guest_negotiate(GUEST_CONFIG));
	ck_assert(!hpci_has_feature(&hpci, 5));
	ck_assert(!hpci_has_feature(&hpci, VIRTIO_RING_F_EVENT_IDX));
}

START_TEST(features_are_negotiated)
{
	guest_run(&hpci, features_script);
}
END_TEST

static void refusal_script(void)
{
	ck_assert(!guest_negotiate(FEATURES & ~GUEST_CONFIG));
	ck_assert(!guest_negotiate(FEATURES | UINT64_C(1) << 6));
	ck_assert(!guest_negotiate(FEATURES | UINT64_C(1) << 63));
	refused_features = UINT64_C(1) << 5;
	ck_assert(!guest_negotiate(FEATURES));
	ck_assert(!hpci_has_feature(&hpci, 5));
	/* Without FEATURES_OK there is no DRIVER_OK. */
	guest_add_status(VIRTIO_CONFIG_S_DRIVER_OK);
	ck_assert(!(guest_status() & VIRTIO_CONFIG_S_DRIVER_OK));
	guest_enable_queue(0, SIZE, 1, 0);
	ck_assert_uint_eq(guest_get(VIRTIO_PCI_COMMON_Q_ENABLE, 2), 0);
}

START_TEST(features_ok_does_not_stick_for_bad_sets)
{
	guest_run(&hpci, refusal_script);
}
END_TEST

static void status_script(void)
{
	guest_start(FEATURES, SIZE);
	ck_assert_uint_eq(guest_status(), 0x0f);
	/* Single bits cannot be cleared, NEEDS_RESET not be set: 2.1.1 */
	guest_set(VIRTIO_PCI_COMMON_STATUS, 1, 1);
	ck_assert_uint_eq(guest_status(), 0x0f);
	guest_set(VIRTIO_PCI_COMMON_STATUS, 1, 0x4f);
	ck_assert_uint_eq(guest_status(), 0x0f);
	guest_add_status(VIRTIO_CONFIG_S_FAILED);
	ck_assert_uint_eq(guest_status(), 0x8f);
	guest_set(VIRTIO_PCI_COMMON_STATUS, 1, 0);
	ck_assert_uint_eq(guest_status(), 0);
	ck_assert_uint_eq(guest_get(VIRTIO_PCI_COMMON_Q_ENABLE, 2), 0);
	ck_assert_uint_eq(guest_get(VIRTIO_PCI_COMMON_Q_MSIX, 2), 0xffff);
	ck_assert_uint_eq(guest_get(VIRTIO_PCI_COMMON_MSIX, 2), 0xffff);
	ck_assert_uint_eq(guest_get(VIRTIO_PCI_COMMON_Q_DESCLO, 4), 0);
	ck_assert_uint_eq(guest_get(VIRTIO_PCI_COMMON_GF, 4), 0);
}

START_TEST(status_grows_until_reset)
{
	guest_run(&hpci, status_script);
	ck_assert_uint_eq(resets, 2);
	ck_assert_uint_eq(hpci.resets_nr, 2);
}
END_TEST

static void slow_reset_script(void)
{
	guest_start(FEATURES, SIZE);
	quiet = false;
	guest_set(VIRTIO_PCI_COMMON_STATUS, 1, 0);
	ck_assert_uint_eq(guest_status(), 0x0f);
	ck_assert(!hpci_queue_live(&hpci, 0));
	guest_kick(0);
	ck_assert_uint_eq(kicks[0], 0);
	/* Nothing else is heard meanwhile. */
	guest_set(VIRTIO_PCI_COMMON_STATUS, 1, 1);
	ck_assert_uint_eq(guest_status(), 0x0f);
	hpci_reset_done(&hpci);
	ck_assert_uint_eq(guest_status(), 0);
	quiet = true;
	guest_start(FEATURES, SIZE);
	ck_assert(hpci_queue_live(&hpci, 0));
}

START_TEST(reset_ends_when_the_device_is_quiet)
{
	guest_run(&hpci, slow_reset_script);
}
END_TEST

static void queue_script(void)
{
	ck_assert(guest_negotiate(FEATURES));
	ck_assert_uint_eq(guest_get(VIRTIO_PCI_COMMON_NUMQ, 2), QUEUES);
	guest_set(VIRTIO_PCI_COMMON_Q_SELECT, 2, 2);
	ck_assert_uint_eq(guest_get(VIRTIO_PCI_COMMON_Q_SIZE, 2), SIZE);
	ck_assert_uint_eq(guest_get(VIRTIO_PCI_COMMON_Q_NOFF, 2), 2);
	guest_set(VIRTIO_PCI_COMMON_Q_SIZE, 2, 48);
	ck_assert_uint_eq(guest_get(VIRTIO_PCI_COMMON_Q_SIZE, 2), SIZE);
	guest_set(VIRTIO_PCI_COMMON_Q_SIZE, 2, 2 * SIZE);
	ck_assert_uint_eq(guest_get(VIRTIO_PCI_COMMON_Q_SIZE, 2), SIZE);
	guest_enable_queue(2, 32, 3, 0x1000);
	ck_assert_uint_eq(guest_get(VIRTIO_PCI_COMMON_Q_SIZE, 2), 32);
	ck_assert_uint_eq(guest_get(VIRTIO_PCI_COMMON_Q_ENABLE, 2), 1);
	ck_assert_uint_eq(guest_get(VIRTIO_PCI_COMMON_Q_MSIX, 2), 3);
	ck_assert_uint_eq(guest_get(VIRTIO_PCI_COMMON_Q_USEDLO, 4),
			  RIG_USED_PA + 0x1000);
	/* What is enabled stays as it is. */
	guest_set(VIRTIO_PCI_COMMON_Q_SIZE, 2, 16);
	ck_assert_uint_eq(guest_get(VIRTIO_PCI_COMMON_Q_SIZE, 2), 32);
	guest_set(VIRTIO_PCI_COMMON_Q_DESCLO, 4, 0);
	ck_assert_uint_eq(guest_get(VIRTIO_PCI_COMMON_Q_DESCLO, 4),
			  RIG_DESC_PA + 0x1000);
	ck_assert_uint_eq(hpci.queue[2].ring.config.size, 32);
	ck_assert(hpci.queue[2].ring.config.event_idx);
	ck_assert(!hpci.queue[2].ring.config.indirect);
	/* Vectors that are not there read back as none: 4.1.5.1.2.1 */
	guest_set(VIRTIO_PCI_COMMON_Q_MSIX, 2, VECTORS);
	ck_assert_uint_eq(guest_get(VIRTIO_PCI_COMMON_Q_MSIX, 2), 0xffff);
	guest_set(VIRTIO_PCI_COMMON_MSIX, 2, VECTORS);
	ck_assert_uint_eq(guest_get(VIRTIO_PCI_COMMON_MSIX, 2), 0xffff);
	/* Queues that are not there have size 0: 4.1.4.3.1 */
	guest_set(VIRTIO_PCI_COMMON_Q_SELECT, 2, QUEUES);
	ck_assert_uint_eq(guest_get(VIRTIO_PCI_COMMON_Q_SIZE, 2), 0);
	guest_set(VIRTIO_PCI_COMMON_Q_ENABLE, 2, 1);
	ck_assert_uint_eq(guest_get(VIRTIO_PCI_COMMON_Q_ENABLE, 2), 0);
}

START_TEST(queues_are_set_up)
{
	guest_run(&hpci, queue_script);
}
END_TEST

#define PACKED		(UINT64_C(1) << VIRTIO_F_RING_PACKED)

static void packed_script(void)
{
	ck_assert(!guest_negotiate(FEATURES | PACKED));
	hpci.config.features |= PACKED;
	ck_assert(guest_negotiate(FEATURES));
	guest_enable_queue(0, SIZE, 1, 0);
	ck_assert_ptr_eq(hpci.queue[0].ring.ops, &hring_split);
	ck_assert(guest_negotiate(FEATURES | PACKED));
	/* 2.8.10.1: no power of two is asked for. */
	guest_enable_queue(0, 48, 1, 0);
	ck_assert_uint_eq(guest_get(VIRTIO_PCI_COMMON_Q_SIZE, 2), 48);
	ck_assert_uint_eq(guest_get(VIRTIO_PCI_COMMON_Q_ENABLE, 2), 1);
	ck_assert_ptr_eq(hpci.queue[0].ring.ops, &hring_packed);
	/* Misaligned. */
	guest_enable_queue(1, 48, 1, 2);
	ck_assert_uint_eq(guest_get(VIRTIO_PCI_COMMON_Q_ENABLE, 2), 0);
}

START_TEST(packed_rings_are_negotiated)
{
	guest_run(&hpci, packed_script);
}
END_TEST

static void bad_ring_script(void)
{
	ck_assert(guest_negotiate(FEATURES));
	guest_enable_queue(0, SIZE, 1, RIG_RAM_BYTES);
	ck_assert_uint_eq(guest_get(VIRTIO_PCI_COMMON_Q_ENABLE, 2), 0);
	ck_assert(guest_status() & VIRTIO_CONFIG_S_NEEDS_RESET);
	guest_start(FEATURES, SIZE);
	ck_assert_uint_eq(guest_status(), 0x0f);
}

START_TEST(queue_outside_ram_needs_reset)
{
	guest_run(&hpci, bad_ring_script);
	ck_assert_str_eq(hpci.reason, hring_error_text(HRING_ERR_RING_RAM));
	ck_assert_uint_eq(hpci.broken_nr, 1);
}
END_TEST

static void kick_script(void)
{
	ck_assert(guest_negotiate(FEATURES));
	guest_enable_queue(0, SIZE, 1, 0);
	guest_enable_queue(1, SIZE, 1, 0x1000);
	guest_kick(1);
	ck_assert_uint_eq(kicks[1], 0);
	guest_add_status(VIRTIO_CONFIG_S_DRIVER_OK);
	/* 3.1.1 forbids the early kick, yet nothing hangs. */
	ck_assert_uint_eq(kicks[1], 1);
	guest_kick(0);
	guest_kick(2);
	ck_assert_uint_eq(kicks[0], 1);
	ck_assert_uint_eq(kicks[1], 1);
	ck_assert_uint_eq(kicks[2], 0);
	ck_assert_uint_eq(hpci.queue[0].kicks_nr, 1);
}

START_TEST(kicks_reach_enabled_queues_after_driver_ok)
{
	guest_run(&hpci, kick_script);
}
END_TEST

START_TEST(kicks_handled_in_user_space_hold_the_big_lock)
{
	hpci_fini(&hpci);
	config.doorbell = PCI_DOORBELL_USER;
	ck_assert_int_eq(hpci_init(&hpci, &config), 0);
	guest_run(&hpci, kick_script);
}
END_TEST

static void interrupt_script(void)
{
	guest_start(FEATURES, SIZE);
	ck_assert(hpci_interrupt_queue(&hpci, 0));
	guest_wait(1);
	ck_assert_uint_eq(guest_irqs[GUEST_VECTOR + 1], 1);
	ck_assert(!hpci_interrupt_queue(&hpci, 1));
	ck_assert_uint_eq(hpci.queue[1].interrupts_lost_nr, 1);
	guest_set(VIRTIO_PCI_COMMON_Q_SELECT, 2, 0);
	guest_set(VIRTIO_PCI_COMMON_Q_MSIX, 2, 0xffff);
	ck_assert(!hpci_interrupt_queue(&hpci, 0));
	guest_wait(1);
	ck_assert_uint_eq(guest_irqs[GUEST_VECTOR + 1], 1);
	ck_assert_uint_eq(guest_get(HPCI_ISR_OFFSET, 1), 0);
}

START_TEST(queue_interrupts_go_to_their_vector)
{
	guest_run(&hpci, interrupt_script);
}
END_TEST

static void config_script(void)
{
	uint8_t generation;

	ck_assert_uint_eq(guest_get(HPCI_DEVICE_OFFSET, 1), 0xa0);
	ck_assert_uint_eq(guest_get(HPCI_DEVICE_OFFSET, 8),
			  UINT64_C(0xa7a6a5a4a3a2a1a0));
	ck_assert_uint_eq(guest_get(HPCI_DEVICE_OFFSET + 8, 8), UINT64_MAX);
	guest_set(HPCI_DEVICE_OFFSET + 4, 2, 0x1234);
	ck_assert_uint_eq(guest_get(HPCI_DEVICE_OFFSET + 4, 4), 0xa7a61234);
	guest_set(HPCI_DEVICE_OFFSET + 8, 8, 0);
	ck_assert_uint_eq(space[11], 0xab);
	guest_start(FEATURES, SIZE);
	generation = (uint8_t)guest_get(VIRTIO_PCI_COMMON_CFGGENERATION, 1);
	hpci_config_changed(&hpci);
	ck_assert_uint_ne(guest_get(VIRTIO_PCI_COMMON_CFGGENERATION, 1),
			  generation);
	ck_assert_uint_eq(guest_irqs[GUEST_VECTOR], 1);
	hpci_break(&hpci, 0, "because");
	ck_assert_uint_eq(guest_status(), 0x4f);
	ck_assert_uint_eq(guest_irqs[GUEST_VECTOR], 2);
	ck_assert(!hpci_queue_live(&hpci, 0));
	hpci_break(&hpci, 0, "again");
	ck_assert_str_eq(hpci.reason, "because");
}

START_TEST(device_configuration_is_read_written_and_changes)
{
	guest_run(&hpci, config_script);
}
END_TEST

static void width_script(void)
{
	ck_assert(guest_negotiate(FEATURES));
	guest_set(VIRTIO_PCI_COMMON_Q_SELECT, 2, 1);
	guest_set(VIRTIO_PCI_COMMON_Q_SELECT, 4, 0x00100000);
	ck_assert_uint_eq(guest_get(VIRTIO_PCI_COMMON_Q_SELECT, 2), 1);
	guest_set(VIRTIO_PCI_COMMON_NUMQ, 2, 1);
	ck_assert_uint_eq(guest_get(VIRTIO_PCI_COMMON_NUMQ, 2), QUEUES);
	guest_set(VIRTIO_PCI_COMMON_Q_DESCLO, 8, 0x123456789abcdef0);
	ck_assert_uint_eq(guest_get(VIRTIO_PCI_COMMON_Q_DESCHI, 4),
			  0x12345678);
	ck_assert_uint_eq(guest_get(VIRTIO_PCI_COMMON_Q_DESCLO, 8),
			  0x123456789abcdef0);
	guest_set(0xff8, 8, 0);
	ck_assert_uint_eq(guest_get(0xff8, 4), 0xffffffff);
	ck_assert_uint_eq(guest_get(HPCI_ISR_OFFSET + 4, 4), 0xffffffff);
	guest_set(HPCI_ISR_OFFSET, 1, 3);
	ck_assert_uint_eq(hpci.ignored_nr, 5);
}

START_TEST(writes_of_wrong_width_or_place_are_ignored)
{
	guest_run(&hpci, width_script);
}
END_TEST

/* Any write anywhere, in any order: the device survives, the lock is free. */
static void random_script(void)
{
	struct sim_random r;

	sim_random_init(&r, 5, "registers");
	for (int i = 0; i < 100000; i++) {
		uint32_t bytes = 1u << sim_random_below(&r, 4);
		uint32_t area = (uint32_t)sim_random_below(&r, 4) * 0x1000;
		uint32_t at = (uint32_t)sim_random_below(&r, 72) &
			      ~(bytes - 1);
		uint64_t value = sim_random_u64(&r) >>
				 sim_random_below(&r, 64);

		if (!sim_random_below(&r, 10))
			value = RIG_DESC_PA;
		if (sim_random_below(&r, 2))
			guest_set(area + at, bytes, value);
		else
			guest_get(area + at, bytes);
		if (!sim_random_below(&r, 50))
			guest_start(FEATURES, SIZE);
	}
}

START_TEST(random_register_accesses_are_survived)
{
	guest_run(&hpci, random_script);
	ck_assert_uint_gt(hpci.ignored_nr, 1000);
	ck_assert_uint_gt(hpci.resets_nr, 1000);
}
END_TEST

START_TEST(accesses_cost_an_exit_to_user_space)
{
	hw_cost.exit_user_ps = 2000;
	guest_run(&hpci, identification_script);
	ck_assert_uint_eq(sim_now(), SIM_PS_PER_US +
			  2000 * guest_vcpu.stats.exits_user_nr);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("hpci");
	TCase *t = tcase_create("hpci");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, init_refuses_bad_configs);
	tcase_add_test(t, function_identifies_itself_and_lists_its_structures);
	tcase_add_test(t, features_are_negotiated);
	tcase_add_test(t, features_ok_does_not_stick_for_bad_sets);
	tcase_add_test(t, status_grows_until_reset);
	tcase_add_test(t, reset_ends_when_the_device_is_quiet);
	tcase_add_test(t, queues_are_set_up);
	tcase_add_test(t, packed_rings_are_negotiated);
	tcase_add_test(t, queue_outside_ram_needs_reset);
	tcase_add_test(t, kicks_reach_enabled_queues_after_driver_ok);
	tcase_add_test(t, kicks_handled_in_user_space_hold_the_big_lock);
	tcase_add_test(t, queue_interrupts_go_to_their_vector);
	tcase_add_test(t, device_configuration_is_read_written_and_changes);
	tcase_add_test(t, writes_of_wrong_width_or_place_are_ignored);
	tcase_add_test(t, random_register_accesses_are_survived);
	tcase_add_test(t, accesses_cost_an_exit_to_user_space);
	suite_add_tcase(s, t);
	return s;
}

int main(void)
{
	return rig_main(suite());
}
