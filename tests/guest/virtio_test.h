/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A driver and a ring for the tests of the virtio bus and PCI transport (guest
 * code, guest_virtio.c); the device is the test's (test_virtio.c).
 */
#ifndef TESTS_GUEST_VIRTIO_TEST_H
#define TESTS_GUEST_VIRTIO_TEST_H

#include <stdbool.h>
#include <stdint.h>

#include "model/hw/pci.h"

#define VIRTIO_TEST_QUEUES	4u

/*
 * What the driver does and sees.
 * @queues_nr: it asks for; the last @polled_nr of them without callback
 * @spread:    with a struct irq_affinity
 * @probe_error: its probe returns this, after making its queues
 * @withdraw:  feature bits its validate takes back
 */
struct virtio_test {
	unsigned int queues_nr;
	unsigned int polled_nr;
	bool spread;
	int probe_error;
	uint64_t withdraw;

	unsigned int probes_nr;
	unsigned int removes_nr;
	int find_error;
	uint64_t features;
	uint64_t capacity;
	uint16_t small_field;
	unsigned int config_changes_nr;
	unsigned int callbacks_nr[VIRTIO_TEST_QUEUES];
	unsigned int callback_cpu[VIRTIO_TEST_QUEUES];
	uint64_t affinity[VIRTIO_TEST_QUEUES];	/* bit i: vCPU i; 0: NULL */
	unsigned int rings_nr;	/* that exist */
};
extern struct virtio_test virtio_test;

/* Give the transport this ring, and register the driver. Not a task. */
void virtio_test_init(void);

/* Tasks. @fn: struct pci_function */
void virtio_test_probe(void *fn);	/* register driver, probe device */
void virtio_test_kick(void *unused);	/* ring each queue's doorbell */
void virtio_test_move(void *unused);	/* queue 0's interrupt to vCPU 1 */
void virtio_test_remove(void *unused);
void virtio_test_sysfs(void *unused);
extern int virtio_test_probe_result;

#endif
