/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The guest's side of virtio over PCI, virtio 1.2 clause 4.1: modern devices,
 * MSI-X only. Guest code. Everything is reached through model/hw/pci.h, so
 * each register costs its world switch.
 *
 * Vectors: one for configuration changes and one for each queue that has a
 * callback; if the device has too few, one for configuration and one for all
 * queues; if it has but one, that is for everything. Queue vector i goes to
 * vCPU i mod n, or is spread over the vCPUs if the driver asks for it.
 */
#ifndef MODEL_GUEST_VIRTIO_PCI_H
#define MODEL_GUEST_VIRTIO_PCI_H

#include "model/guest/ring_calls.h"
#include "model/hw/pci.h"

/*
 * Find the virtio device behind @fn and register it; drivers that are
 * registered are probed. In task context; may park. 0, -ENODEV (no modern
 * virtio device), -EINVAL (bad capabilities), -ENOMEM. A failed probe is not an
 * error: see virtio_device_nr.
 */
int virtio_pci_probe(struct pci_function *fn);

/* Remove the device, which resets it. In task context; may park. */
void virtio_pci_remove(void);

/* Forget the device of an earlier guest. */
void virtio_pci_init(void);

#endif
