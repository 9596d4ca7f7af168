// SPDX-License-Identifier: GPL-2.0-only
/*
 * The virtio bus and PCI transport against a device that writes down what is
 * done to it. Register offsets are those of virtio 1.2, 4.1.4.3.
 */
#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/hw/ram.h"
#include "model/guest/guest.h"
#include "model/guest/verdict.h"
#include "tests/guest/calls.h"
#include "tests/guest/machine.h"
#include "tests/guest/virtio_test.h"

#define BAR_MSIX	1u
#define BAR		4u
#define NOTIFY_OFFSET	0x3000u
#define VERSION_1	(UINT64_C(1) << 32)
#define PACKED		(UINT64_C(1) << 34)
#define EVENT_IDX	(UINT64_C(1) << 29)
#define NO_VECTOR	0xffffu
#define STATUS_MAX	64

struct fake_queue {
	uint32_t size;
	uint32_t vector;
	uint32_t enabled;
	uint64_t addr[3];
	struct pci_doorbell doorbell;
	uint32_t kicks_nr;
	uint32_t kick_value;
};

/* @vectors_refused: device has no resources for vectors from here on */
static struct {
	struct pci_function fn;
	struct vcpu *vcpus[MACHINE_VCPUS_MAX];
	uint64_t offered, accepted;
	uint32_t feature_select, driver_select;
	uint8_t status_log[STATUS_MAX];
	uint32_t status_nr;
	uint8_t status;
	bool refuse_features;
	uint32_t reset_reads;	/* status reads until a reset is done */
	uint32_t vectors_refused;
	uint32_t config_vector;
	uint32_t select;
	uint8_t isr;
	uint8_t generation;
	uint32_t torn_reads;	/* times the capacity changes while it is read */
	uint64_t capacity;
	uint16_t small_field;
	struct fake_queue queue[VIRTIO_TEST_QUEUES];
	bool enabled_before_ok;
} dev;

static void fake_write_status(uint8_t status)
{
	ck_assert_uint_lt(dev.status_nr, STATUS_MAX);
	dev.status_log[dev.status_nr++] = status;
	if (!status) {
		dev.accepted = 0;
		for (uint32_t i = 0; i < VIRTIO_TEST_QUEUES; i++)
			dev.queue[i].enabled = 0;
		dev.config_vector = NO_VECTOR;
		dev.status = dev.reset_reads ? dev.status : 0;
		return;
	}
	if (status & 4 && !(dev.status & 4))
		dev.enabled_before_ok = dev.queue[0].enabled;
	dev.status = dev.refuse_features ? status & ~8 : status;
}

static uint8_t fake_read_status(void)
{
	if (dev.reset_reads && !--dev.reset_reads)
		dev.status = 0;
	return dev.status;
}

static uint64_t fake_read_config(uint64_t offset, uint32_t bytes)
{
	uint8_t config[10];
	uint64_t value = 0;

	memcpy(config, &dev.capacity, 8);
	memcpy(config + 8, &dev.small_field, 2);
	ck_assert(offset + bytes <= sizeof(config) && bytes <= 4);
	memcpy(&value, config + offset, bytes);
	if (offset == 0 && dev.torn_reads) {
		dev.torn_reads--;
		dev.capacity += UINT64_C(0x100000001);
		dev.generation++;
	}
	return value;
}

static uint64_t fake_read(void *owner, uint64_t offset, uint32_t bytes)
{
	struct fake_queue *q = &dev.queue[dev.select % VIRTIO_TEST_QUEUES];

	(void)owner;
	if (offset >= 0x2000)
		return fake_read_config(offset - 0x2000, bytes);
	switch (offset) {
	case 4:
		return dev.feature_select > 1 ? 0 :
		       dev.offered >> 32 * dev.feature_select;
	case 16:
		return dev.config_vector;
	case 18:
		return VIRTIO_TEST_QUEUES;
	case 20:
		return fake_read_status();
	case 21:
		return dev.generation;
	case 24:
		return q->size;
	case 26:
		return q->vector;
	case 28:
		return q->enabled;
	case 30:
		return dev.select;
	case 0x1000:
		offset = dev.isr;
		dev.isr = 0;
		return offset;
	default:
		return 0;
	}
}

static void fake_write_common(uint64_t offset, uint32_t value)
{
	struct fake_queue *q = &dev.queue[dev.select % VIRTIO_TEST_QUEUES];

	switch (offset) {
	case 0:
		dev.feature_select = value;
		break;
	case 8:
		dev.driver_select = value;
		break;
	case 12:
		dev.accepted &= ~(UINT64_C(0xffffffff) << 32 * dev.driver_select);
		dev.accepted |= (uint64_t)value << 32 * dev.driver_select;
		break;
	case 16:
		dev.config_vector = value;
		break;
	case 20:
		fake_write_status((uint8_t)value);
		break;
	case 22:
		dev.select = value;
		break;
	case 24:
		q->size = value;
		break;
	case 26:
		q->vector = value >= dev.vectors_refused ? NO_VECTOR : value;
		break;
	case 28:
		q->enabled = value;
		break;
	default:
		ck_assert(offset >= 32 && offset < 56);
		memcpy((char *)q->addr + (offset - 32), &value, 4);
	}
}

static void fake_write(void *owner, uint64_t offset, uint32_t bytes,
		       uint64_t value)
{
	(void)owner;
	if (offset == 0x2008 && bytes == 2)
		dev.small_field = (uint16_t)value;
	else
		fake_write_common(offset, (uint32_t)value);
}

static void fake_ring(struct pci_doorbell *db, uint32_t value)
{
	dev.queue[db->index].kicks_nr++;
	dev.queue[db->index].kick_value = value;
}

static void fake_capability(uint8_t type, uint32_t offset, uint32_t bytes)
{
	uint8_t body[20] = { [2] = 16, [3] = type, [4] = BAR };

	memcpy(body + 8, &offset, 4);
	memcpy(body + 12, &bytes, 4);
	if (type == 2) {
		body[2] = 20;
		body[16] = 4;
	}
	ck_assert_uint_ne(pci_add_capability(&dev.fn, 9, body, body[2]), 0);
}

static void fake_doorbells(void)
{
	for (uint32_t i = 0; i < VIRTIO_TEST_QUEUES; i++) {
		dev.queue[i].size = 64;
		dev.queue[i].vector = NO_VECTOR;
		dev.queue[i].doorbell = (struct pci_doorbell){
			.bar = BAR, .offset = NOTIFY_OFFSET + 4 * i,
			.bytes = 2, .kind = PCI_DOORBELL_KERNEL,
			.ring = fake_ring, .index = i,
		};
		pci_attach_doorbell(&dev.fn, &dev.queue[i].doorbell);
	}
}

static void fake_init(unsigned int vcpus_nr, uint32_t vectors_nr)
{
	static const struct pci_bar_ops none = { 0 };
	static const struct pci_bar_ops ops = {
		.read = fake_read, .write = fake_write,
	};
	static const uint8_t id[] = { 0xf4, 0x1a, 0x42, 0x10 };

	memset(&dev, 0, sizeof(dev));
	for (unsigned int i = 0; i < vcpus_nr; i++)
		dev.vcpus[i] = machine_vcpu(i);
	pci_init(&dev.fn, NULL, dev.vcpus, vcpus_nr);
	memcpy(dev.fn.config, id, sizeof(id));
	pci_add_bar(&dev.fn, BAR_MSIX, 4096, &none);
	pci_add_bar(&dev.fn, BAR, 0x4000, &ops);
	fake_capability(1, 0, 56);
	fake_capability(3, 0x1000, 1);
	fake_capability(4, 0x2000, 10);
	fake_capability(2, NOTIFY_OFFSET, 0x1000);
	pci_add_msix(&dev.fn, BAR_MSIX, vectors_nr);
	fake_doorbells();
	dev.offered = VERSION_1 | PACKED | EVENT_IDX | 1 << 1 | 1 << 2;
	dev.vectors_refused = NO_VECTOR;
	dev.config_vector = NO_VECTOR;
	dev.capacity = UINT64_C(0x123456789abcdef0);
	dev.small_field = 77;
}

static void set_up(unsigned int vcpus_nr, uint32_t vectors_nr)
{
	machine_start(vcpus_nr);
	machine_set_costs();
	virtio_test_init();
	fake_init(vcpus_nr, vectors_nr);
}

static void run(void)
{
	ck_assert(machine_run());
	ck_assert_msg(!machine_failure.nr, "%s, line %d",
		      machine_failure.what, machine_failure.line);
	ck_assert_uint_eq(guest_verdicts_nr(), 0);
}

static void probe(void)
{
	machine_task(0, virtio_test_probe, &dev.fn);
	run();
	ck_assert_int_eq(virtio_test_probe_result, 0);
}

static void task(void (*fn)(void *arg))
{
	machine_task(0, fn, NULL);
	run();
}

static void assert_status_log(const uint8_t *expected, uint32_t nr)
{
	ck_assert_uint_eq(dev.status_nr, nr);
	ck_assert(!memcmp(dev.status_log, expected, nr));
}

START_TEST(status_bits_are_set_in_the_order_of_the_specification)
{
	static const uint8_t expected[] = { 0, 1, 3, 3 | 8, 3 | 8 | 4 };

	set_up(1, 8);
	probe();
	assert_status_log(expected, sizeof(expected));
	ck_assert(dev.enabled_before_ok);
	ck_assert_uint_eq(virtio_test.probes_nr, 1);
	machine_stop();
}
END_TEST

START_TEST(only_features_that_all_know_are_accepted)
{
	set_up(1, 8);
	probe();
	ck_assert_uint_eq(dev.accepted, VERSION_1 | EVENT_IDX | 1 << 1);
	ck_assert_uint_eq(virtio_test.features, dev.accepted);
	machine_stop();
}
END_TEST

START_TEST(a_driver_may_withdraw_features)
{
	set_up(1, 8);
	virtio_test.withdraw = EVENT_IDX;
	probe();
	ck_assert_uint_eq(dev.accepted, VERSION_1 | 1 << 1);
	machine_stop();
}
END_TEST

START_TEST(refused_features_fail_the_probe)
{
	static const uint8_t expected[] = { 0, 1, 3, 3 | 8, 3 | 128 };

	set_up(1, 8);
	dev.refuse_features = true;
	probe();
	assert_status_log(expected, sizeof(expected));
	ck_assert_uint_eq(virtio_test.probes_nr, 0);
	machine_stop();
}
END_TEST

START_TEST(a_legacy_device_is_refused)
{
	set_up(1, 8);
	dev.offered = 1 << 1;
	probe();
	ck_assert_uint_eq(virtio_test.probes_nr, 0);
	ck_assert_uint_eq(dev.status_log[dev.status_nr - 1], 3 | 128);
	machine_stop();
}
END_TEST

START_TEST(a_failed_probe_leaves_nothing)
{
	set_up(1, 8);
	virtio_test.probe_error = -ENOMEM;
	probe();
	ck_assert_uint_eq(virtio_test.probes_nr, 1);
	ck_assert_uint_eq(virtio_test.rings_nr, 0);
	ck_assert_uint_eq(dev.status, 3 | 8 | 128);
	ck_assert(!dev.fn.msix_enabled);
	machine_stop();
}
END_TEST

START_TEST(a_reset_waits_for_the_device)
{
	set_up(1, 8);
	dev.status = 4;
	dev.reset_reads = 3;
	probe();
	ck_assert_uint_eq(dev.status, 15);
	machine_stop();
}
END_TEST

START_TEST(wide_configuration_fields_are_read_whole)
{
	set_up(1, 8);
	dev.torn_reads = 2;
	probe();
	ck_assert_uint_eq(virtio_test.capacity, dev.capacity);
	ck_assert_uint_eq(dev.capacity, UINT64_C(0x123456789abcdef0) +
					2 * UINT64_C(0x100000001));
	ck_assert_uint_eq(dev.small_field, 78);
	machine_stop();
}
END_TEST

START_TEST(queues_are_told_to_the_device)
{
	set_up(1, 8);
	probe();
	for (uint32_t i = 0; i < VIRTIO_TEST_QUEUES; i++) {
		ck_assert_uint_eq(dev.queue[i].size, 64);
		ck_assert(ram_valid(dev.queue[i].addr[0], 64 * 16));
		ck_assert(ram_valid(dev.queue[i].addr[2], 64 * 8));
		ck_assert_uint_eq(dev.queue[i].addr[1],
				  dev.queue[i].addr[0] + 2048);
		ck_assert_uint_eq(dev.queue[i].enabled, 1);
	}
	machine_stop();
}
END_TEST

START_TEST(a_kick_writes_the_index_to_the_queues_doorbell)
{
	set_up(1, 8);
	probe();
	task(virtio_test_kick);
	for (uint32_t i = 0; i < VIRTIO_TEST_QUEUES; i++) {
		ck_assert_uint_eq(dev.queue[i].kicks_nr, 1);
		ck_assert_uint_eq(dev.queue[i].kick_value, i);
	}
	machine_stop();
}
END_TEST

static void raise_all(void)
{
	for (uint32_t i = 0; i < VIRTIO_TEST_QUEUES; i++)
		if (dev.queue[i].vector != NO_VECTOR)
			ck_assert(pci_msix_raise(&dev.fn,
						 dev.queue[i].vector));
	run();
}

static void raise_config(void)
{
	dev.isr |= 2;
	ck_assert(pci_msix_raise(&dev.fn, dev.config_vector));
	run();
}

START_TEST(each_queue_gets_a_vector_and_a_vcpu)
{
	set_up(2, 5);
	probe();
	raise_all();
	for (uint32_t i = 0; i < VIRTIO_TEST_QUEUES; i++) {
		ck_assert_uint_eq(dev.queue[i].vector, 1 + i);
		ck_assert_uint_eq(virtio_test.callbacks_nr[i], 1);
		ck_assert_uint_eq(virtio_test.callback_cpu[i], i % 2);
		ck_assert_uint_eq(virtio_test.affinity[i], 0);
	}
	ck_assert_uint_eq(virtio_test.config_changes_nr, 0);
	raise_config();
	ck_assert_uint_eq(virtio_test.config_changes_nr, 1);
	machine_stop();
}
END_TEST

START_TEST(with_few_vectors_the_queues_share_one)
{
	set_up(2, 4);
	probe();
	for (uint32_t i = 0; i < VIRTIO_TEST_QUEUES; i++)
		ck_assert_uint_eq(dev.queue[i].vector, 1);
	ck_assert_uint_eq(dev.config_vector, 0);
	ck_assert(pci_msix_raise(&dev.fn, 1));
	run();
	for (uint32_t i = 0; i < VIRTIO_TEST_QUEUES; i++)
		ck_assert_uint_eq(virtio_test.callbacks_nr[i], 1);
	raise_config();
	ck_assert_uint_eq(virtio_test.config_changes_nr, 1);
	machine_stop();
}
END_TEST

START_TEST(with_one_vector_everything_shares_it)
{
	set_up(2, 1);
	probe();
	ck_assert_uint_eq(dev.config_vector, 0);
	ck_assert_uint_eq(dev.queue[3].vector, 0);
	ck_assert(pci_msix_raise(&dev.fn, 0));
	run();
	ck_assert_uint_eq(virtio_test.callbacks_nr[3], 1);
	ck_assert_uint_eq(virtio_test.config_changes_nr, 0);
	raise_config();
	ck_assert_uint_eq(virtio_test.config_changes_nr, 1);
	machine_stop();
}
END_TEST

START_TEST(a_device_without_resources_is_tried_with_fewer_vectors)
{
	set_up(2, 8);
	dev.vectors_refused = 3;
	probe();
	ck_assert_int_eq(virtio_test.find_error, 0);
	ck_assert_uint_eq(dev.queue[3].vector, 1);
	ck_assert_uint_eq(virtio_test.rings_nr, VIRTIO_TEST_QUEUES);
	machine_stop();
}
END_TEST

START_TEST(vectors_are_spread_over_all_vcpus)
{
	set_up(4, 8);
	virtio_test.spread = true;
	virtio_test.queues_nr = 3;
	virtio_test.polled_nr = 1;
	probe();
	ck_assert_uint_eq(virtio_test.affinity[0], 0x3);
	ck_assert_uint_eq(virtio_test.affinity[1], 0xc);
	ck_assert_uint_eq(virtio_test.affinity[2], 0);
	ck_assert_uint_eq(dev.queue[2].vector, NO_VECTOR);
	raise_all();
	ck_assert_uint_eq(virtio_test.callback_cpu[0], 0);
	ck_assert_uint_eq(virtio_test.callback_cpu[1], 2);
	machine_stop();
}
END_TEST

START_TEST(an_uneven_spread_leaves_no_vcpu_out)
{
	set_up(4, 8);
	virtio_test.spread = true;
	virtio_test.queues_nr = 3;
	probe();
	ck_assert_uint_eq(virtio_test.affinity[0], 0x3);
	ck_assert_uint_eq(virtio_test.affinity[1], 0x4);
	ck_assert_uint_eq(virtio_test.affinity[2], 0x8);
	machine_stop();
}
END_TEST

START_TEST(an_interrupt_can_be_moved)
{
	set_up(2, 8);
	probe();
	task(virtio_test_move);
	raise_all();
	ck_assert_uint_eq(virtio_test.callbacks_nr[0], 1);
	ck_assert_uint_eq(virtio_test.callback_cpu[0], 1);
	machine_stop();
}
END_TEST

START_TEST(removal_resets_the_device_and_frees_everything)
{
	uint64_t objects_nr;

	set_up(2, 8);
	objects_nr = memory_objects_nr();
	probe();
	task(virtio_test_remove);
	ck_assert_uint_eq(virtio_test.removes_nr, 1);
	ck_assert_uint_eq(virtio_test.rings_nr, 0);
	ck_assert_uint_eq(dev.status, 1);
	ck_assert(!dev.fn.msix_enabled);
	/* the two tasks that probed and removed are kept by the scheduler */
	ck_assert_uint_eq(memory_objects_nr(), objects_nr + 2);
	machine_stop();
}
END_TEST

START_TEST(a_function_without_virtio_capabilities_is_no_device)
{
	set_up(1, 8);
	memset(dev.fn.config + 0x40, 0, sizeof(dev.fn.config) - 0x40);
	machine_task(0, virtio_test_probe, &dev.fn);
	run();
	ck_assert_int_eq(virtio_test_probe_result, -ENODEV);
	machine_stop();
	set_up(1, 8);
	dev.fn.config[0x41] = 0x40;	/* a list that never ends */
	machine_task(0, virtio_test_probe, &dev.fn);
	run();
	ck_assert_int_lt(virtio_test_probe_result, 0);
	machine_stop();
}
END_TEST

START_TEST(attributes_can_be_listed_shown_and_stored)
{
	set_up(1, 8);
	task(virtio_test_sysfs);
	machine_stop();
}
END_TEST

int main(void)
{
	Suite *s = suite_create("virtio");
	TCase *tc = tcase_create("virtio");
	SRunner *sr = srunner_create(s);
	int failed;

	tcase_add_test(tc,
		       status_bits_are_set_in_the_order_of_the_specification);
	tcase_add_test(tc, only_features_that_all_know_are_accepted);
	tcase_add_test(tc, a_driver_may_withdraw_features);
	tcase_add_test(tc, refused_features_fail_the_probe);
	tcase_add_test(tc, a_legacy_device_is_refused);
	tcase_add_test(tc, a_failed_probe_leaves_nothing);
	tcase_add_test(tc, a_reset_waits_for_the_device);
	tcase_add_test(tc, wide_configuration_fields_are_read_whole);
	tcase_add_test(tc, queues_are_told_to_the_device);
	tcase_add_test(tc, a_kick_writes_the_index_to_the_queues_doorbell);
	tcase_add_test(tc, each_queue_gets_a_vector_and_a_vcpu);
	tcase_add_test(tc, with_few_vectors_the_queues_share_one);
	tcase_add_test(tc, with_one_vector_everything_shares_it);
	tcase_add_test(tc,
		       a_device_without_resources_is_tried_with_fewer_vectors);
	tcase_add_test(tc, vectors_are_spread_over_all_vcpus);
	tcase_add_test(tc, an_uneven_spread_leaves_no_vcpu_out);
	tcase_add_test(tc, an_interrupt_can_be_moved);
	tcase_add_test(tc, removal_resets_the_device_and_frees_everything);
	tcase_add_test(tc, a_function_without_virtio_capabilities_is_no_device);
	tcase_add_test(tc, attributes_can_be_listed_shown_and_stored);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
