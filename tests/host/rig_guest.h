/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A vCPU that runs a test's script as a guest, and the few lines of a
 * virtio-pci driver that the script needs.
 */
#ifndef TESTS_HOST_RIG_GUEST_H
#define TESTS_HOST_RIG_GUEST_H

#include "model/host/hpci.h"
#include "model/hw/vcpu.h"
#include "tests/host/rig.h"
#include <uapi/linux/virtio_config.h>
#include <uapi/linux/virtio_pci.h>
#include <uapi/linux/virtio_ring.h>

#define GUEST_VECTOR	0x30u		/* of MSI-X entry 0, next 0x31... */
#define GUEST_CONFIG	(UINT64_C(1) << VIRTIO_F_VERSION_1)

static struct vcpu guest_vcpu;
static struct vcpu *guest_vcpus[] = { &guest_vcpu };
static struct fiber guest_fiber;
static struct hpci *guest_hpci;
static uint32_t guest_irqs[VCPU_VECTORS_NR];
static uint64_t guest_irq_ps;

static inline void guest_on_irq(struct vcpu *vcpu, uint32_t vector)
{
	(void)vcpu;
	guest_irqs[vector]++;
	guest_irq_ps = sim_now();
}

/* Starts when the host's threads have gone to sleep. */
static inline void guest_main(void *script)
{
	sim_spend(SIM_PS_PER_US);
	sim_sync();
	((void (*)(void))script)();
	sim_actor_exit();
}

/* Run @script on a vCPU of physical CPU 3 until nothing happens any more. */
static inline void guest_run(struct hpci *hpci, void (*script)(void))
{
	guest_hpci = hpci;
	memset(guest_irqs, 0, sizeof(guest_irqs));
	ck_assert_int_eq(fiber_init(&guest_fiber, 256 * 1024, guest_main,
				    (void *)script), 0);
	vcpu_init(&guest_vcpu, 0, "cpu0", &rig_topology, 3, &guest_fiber,
		  guest_on_irq);
	vcpu_start(&guest_vcpu, sim_now());
	ck_assert_int_eq(sim_run(), SIM_END_QUIET);
	ck_assert_int_eq(guest_vcpu.thread.actor.state, SIM_ACTOR_DONE);
	fiber_fini(&guest_fiber);
}

static inline uint64_t guest_bar_pa(void)
{
	return guest_hpci->fn.bar[HPCI_BAR].base_pa;
}

static inline uint64_t guest_get(uint32_t offset, uint32_t bytes)
{
	return pci_mmio_read(&guest_hpci->fn, guest_bar_pa() + offset, bytes);
}

static inline void guest_set(uint32_t offset, uint32_t bytes, uint64_t value)
{
	pci_mmio_write(&guest_hpci->fn, guest_bar_pa() + offset, bytes, value);
}

static inline uint8_t guest_status(void)
{
	return (uint8_t)guest_get(VIRTIO_PCI_COMMON_STATUS, 1);
}

static inline void guest_add_status(uint8_t bits)
{
	guest_set(VIRTIO_PCI_COMMON_STATUS, 1, guest_status() | bits);
}

static inline uint64_t guest_offered(void)
{
	uint64_t low;

	guest_set(VIRTIO_PCI_COMMON_DFSELECT, 4, 0);
	low = guest_get(VIRTIO_PCI_COMMON_DF, 4);
	guest_set(VIRTIO_PCI_COMMON_DFSELECT, 4, 1);
	return low | guest_get(VIRTIO_PCI_COMMON_DF, 4) << 32;
}

/* 3.1.1 up to FEATURES_OK; true if it stuck. */
static inline bool guest_negotiate(uint64_t features)
{
	guest_set(VIRTIO_PCI_COMMON_STATUS, 1, 0);
	guest_add_status(VIRTIO_CONFIG_S_ACKNOWLEDGE);
	guest_add_status(VIRTIO_CONFIG_S_DRIVER);
	guest_set(VIRTIO_PCI_COMMON_GFSELECT, 4, 0);
	guest_set(VIRTIO_PCI_COMMON_GF, 4, (uint32_t)features);
	guest_set(VIRTIO_PCI_COMMON_GFSELECT, 4, 1);
	guest_set(VIRTIO_PCI_COMMON_GF, 4, features >> 32);
	guest_add_status(VIRTIO_CONFIG_S_FEATURES_OK);
	return guest_status() & VIRTIO_CONFIG_S_FEATURES_OK;
}

/* Enable MSI-X and point all entries at the vCPU, unmasked. */
static inline void guest_enable_msix(void)
{
	struct pci_function *fn = &guest_hpci->fn;
	uint64_t table = fn->bar[HPCI_MSIX_BAR].base_pa;

	for (uint32_t i = 0; i < fn->msix_nr; i++) {
		pci_mmio_write(fn, table + 16 * i, 4, PCI_MSI_ADDRESS(0));
		pci_mmio_write(fn, table + 16 * i + 4, 4, 0);
		pci_mmio_write(fn, table + 16 * i + 8, 4, GUEST_VECTOR + i);
		pci_mmio_write(fn, table + 16 * i + 12, 4, 0);
	}
	pci_config_write(fn, fn->msix_cap + 2, 2, 0x8000);
}

static inline void guest_set64(uint32_t offset, uint64_t value)
{
	guest_set(offset, 4, (uint32_t)value);
	guest_set(offset + 4, 4, value >> 32);
}

/* Queue @vq at the rig's addresses plus @shift, interrupts on @vector. */
static inline void guest_enable_queue(uint32_t vq, uint32_t size,
				      uint16_t vector, uint64_t shift)
{
	guest_set(VIRTIO_PCI_COMMON_Q_SELECT, 2, vq);
	guest_set(VIRTIO_PCI_COMMON_Q_SIZE, 2, size);
	guest_set64(VIRTIO_PCI_COMMON_Q_DESCLO, RIG_DESC_PA + shift);
	guest_set64(VIRTIO_PCI_COMMON_Q_AVAILLO, RIG_AVAIL_PA + shift);
	guest_set64(VIRTIO_PCI_COMMON_Q_USEDLO, RIG_USED_PA + shift);
	guest_set(VIRTIO_PCI_COMMON_Q_MSIX, 2, vector);
	guest_set(VIRTIO_PCI_COMMON_Q_ENABLE, 2, 1);
}

/* Doorbell of queue @vq, 4.1.5.2. */
static inline void guest_kick(uint32_t vq)
{
	uint32_t notify_off;

	guest_set(VIRTIO_PCI_COMMON_Q_SELECT, 2, vq);
	notify_off = (uint32_t)guest_get(VIRTIO_PCI_COMMON_Q_NOFF, 2);
	guest_set(HPCI_NOTIFY_OFFSET + notify_off * HPCI_NOTIFY_MULTIPLIER, 2,
		  vq);
}

/* From reset to DRIVER_OK with one queue: entry 0 configuration, 1 queue. */
static inline void guest_start(uint64_t features, uint32_t size)
{
	ck_assert(guest_negotiate(features));
	guest_enable_msix();
	guest_set(VIRTIO_PCI_COMMON_MSIX, 2, 0);
	guest_enable_queue(0, size, 1, 0);
	guest_add_status(VIRTIO_CONFIG_S_DRIVER_OK);
	vcpu_irqs_on();
}

/* Let the vCPU's clock go on by @ps, interrupts taken when they come. */
static inline void guest_wait(uint64_t ps)
{
	sim_spend(ps);
	sim_sync();
}

#endif
