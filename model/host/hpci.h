/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The virtio-pci transport, device side: virtio 1.2 clause 4.1, modern only,
 * MSI-X only (INTx sets the ISR bits and goes nowhere).
 *
 *	BAR 1	MSI-X table
 *	BAR 4	0x0000 common configuration, 0x1000 ISR, 0x2000 device
 *		configuration, 0x3000 doorbells, 4 bytes apart, one per queue
 *
 * A device (struct hpci_device) stands behind it and is told of kicks and
 * reset. Accesses to BAR 4 other than doorbells run on the vCPU's thread
 * under the big lock, as in a VMM.
 *
 * Device status (2.1): the driver clears bits only by reset; FEATURES_OK does
 * not stick if the driver's features are not a subset of ours, lack
 * VIRTIO_F_VERSION_1, or the device refuses them. A reset waits until the
 * device is quiet; until then the status reads as it was (4.1.4.3.1).
 *
 * Not there: VIRTIO_PCI_CAP_PCI_CFG (4.1.4.9), which no driver needs that can
 * reach BARs.
 */
#ifndef MODEL_HOST_HPCI_H
#define MODEL_HOST_HPCI_H

#include <stdbool.h>
#include <stdint.h>

#include "model/host/hring.h"
#include "model/hw/pci.h"
#include "sim/lock.h"

#define HPCI_QUEUES_MAX		(PCI_DOORBELL_MAX - 1)
#define HPCI_MSIX_BAR		1u
#define HPCI_BAR		4u
#define HPCI_BAR_BYTES		0x4000u
#define HPCI_COMMON_OFFSET	0x0000u
#define HPCI_ISR_OFFSET		0x1000u
#define HPCI_DEVICE_OFFSET	0x2000u
#define HPCI_NOTIFY_OFFSET	0x3000u
#define HPCI_AREA_BYTES		0x1000u
#define HPCI_NOTIFY_MULTIPLIER	4u

/*
 * What the transport needs of a device type. @owner is hpci_config.owner. All
 * run on the vCPU that wrote the register, with the big lock held, except that
 * a kick by a doorbell other than PCI_DOORBELL_USER holds no lock.
 *
 * @features_ok:  may refuse a combination; NULL accepts every subset
 * @config_read, @config_write: device configuration, within config_bytes
 * @reset:        stop using the queues. True: quiet already. False: still at
 *                work, will call hpci_reset_done
 * @kick:         doorbell of queue @vq, live (hpci_queue_live). Unless the
 *                doorbell is PCI_DOORBELL_USER it must only signal.
 */
struct hpci_device {
	bool (*features_ok)(void *owner, uint64_t features);
	void (*config_read)(void *owner, uint32_t offset, void *buf,
			    uint32_t bytes);
	void (*config_write)(void *owner, uint32_t offset, const void *buf,
			     uint32_t bytes);
	bool (*reset)(void *owner);
	void (*kick)(void *owner, uint32_t vq);
};

/*
 * @device_type:  VIRTIO_ID_*; the PCI device id is 0x1040 + this
 * @class_code:   24 bits of PCI class, subclass, interface
 * @features:     offered; VIRTIO_F_VERSION_1 is added
 * @queues_nr:    up to HPCI_QUEUES_MAX; @queue_size: of each, a power of two
 * @vectors_nr:   MSI-X entries, 1 to PCI_MSIX_MAX (QEMU: vectors)
 * @doorbell:     who handles kicks
 * @big_lock:     NULL for none; stays the caller's
 */
struct hpci_config {
	const struct hpci_device *device;
	void *owner;
	uint16_t device_type;
	uint32_t class_code;
	uint64_t features;
	uint32_t config_bytes;
	uint32_t queues_nr;
	uint32_t queue_size;
	uint32_t vectors_nr;
	enum pci_doorbell_kind doorbell;
	struct sim_lock *big_lock;
	struct vcpu **vcpus;
	uint32_t vcpus_nr;
};

/*
 * @size: chosen by the driver; @ring: valid while enabled
 * @early: a kick came before DRIVER_OK (2.1.2 forbids it); delivered then
 * @interrupts_nr: raised; @lost_nr: wanted, but no vector or masked away
 */
struct hpci_queue {
	uint16_t size;
	uint16_t vector;
	bool enabled;
	bool early;
	uint64_t desc_pa;
	uint64_t driver_pa;
	uint64_t device_pa;
	struct pci_doorbell doorbell;
	struct hring ring;
	uint64_t kicks_nr;
	uint64_t kicks_early_nr;
	uint64_t interrupts_nr;
	uint64_t interrupts_lost_nr;
};

/*
 * @status: device_status as the driver reads it
 * @resetting: a reset has been asked for and the device is not quiet yet
 * @gone: unplugged
 * @reason: why NEEDS_RESET was set, static string, NULL if it was not; kept
 *          over resets for the report (@broken_nr counts)
 * @ignored_nr: register writes of the wrong width, place or time
 */
struct hpci {
	struct pci_function fn;
	struct hpci_config config;
	uint64_t driver_features;
	uint32_t device_feature_select;
	uint32_t driver_feature_select;
	uint16_t config_vector;
	uint16_t queue_select;
	uint8_t status;
	uint8_t generation;
	uint8_t isr;
	bool resetting;
	bool gone;
	const char *reason;
	uint32_t reason_vq;
	uint64_t broken_nr;
	uint64_t resets_nr;
	uint64_t ignored_nr;
	uint64_t config_interrupts_nr;
	struct hpci_queue *queue;
};

/*
 * Build the function: identification, capabilities, BARs, MSI-X, doorbells.
 * 0, -EINVAL for a config out of range, -ENOMEM.
 */
int hpci_init(struct hpci *hpci, const struct hpci_config *config);
void hpci_fini(struct hpci *hpci);

/* Has the driver negotiated feature bit @bit? False before FEATURES_OK. */
bool hpci_has_feature(const struct hpci *hpci, unsigned int bit);

/* May queue @vq be processed: DRIVER_OK, enabled, not resetting, not broken? */
bool hpci_queue_live(const struct hpci *hpci, uint32_t vq);

/*
 * Interrupt for used buffers of @vq, from the running thread: charges
 * hw_cost.irq_raise, then raises. May switch. False: no vector, lost.
 */
bool hpci_interrupt_queue(struct hpci *hpci, uint32_t vq);

/* The configuration has changed: new generation, interrupt. May switch. */
void hpci_config_changed(struct hpci *hpci);

/*
 * The device cannot go on because of what queue @vq holds: DEVICE_NEEDS_RESET
 * and, after DRIVER_OK, a configuration interrupt (2.1.2). @reason: static
 * string. May switch.
 */
void hpci_break(struct hpci *hpci, uint32_t vq, const char *reason);

/*
 * Surprise removal: the function is no longer there for the guest (pci_unplug),
 * its queues are not live any more. For good.
 */
void hpci_unplug(struct hpci *hpci);

/* End of a reset for which ->reset returned false; from any thread or event. */
void hpci_reset_done(struct hpci *hpci);

#endif
