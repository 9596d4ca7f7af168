/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One PCI function: configuration space, memory BARs, MSI-X. The host fills
 * it; the guest reads and writes it from a vCPU and pays for the world switch.
 */
#ifndef MODEL_HW_PCI_H
#define MODEL_HW_PCI_H

#include <stdbool.h>
#include <stdint.h>

#include "model/hw/vcpu.h"

#define PCI_CONFIG_BYTES	256u
#define PCI_BARS_NR		6u
#define PCI_MSIX_MAX		128u
#define PCI_DOORBELL_MAX	128u
/* Guest-physical window for BARs, above all RAM. */
#define PCI_MMIO_BASE_PA	UINT64_C(0xe0000000)

/* x86 message address: destination APIC id (= vCPU id) in bits 12 to 19. */
#define PCI_MSI_ADDRESS(vcpu_id) (UINT64_C(0xfee00000) | (uint64_t)(vcpu_id) << 12)

struct pci_function;

/*
 * Access to a BAR outside doorbells and the MSI-X table. Runs on the vCPU's
 * thread in the host, the exit is already charged. @bytes is 1, 2, 4 or 8,
 * aligned. Unmapped offsets read as all ones; writes there are dropped.
 */
struct pci_bar_ops {
	uint64_t (*read)(void *owner, uint64_t offset, uint32_t bytes);
	void (*write)(void *owner, uint64_t offset, uint32_t bytes,
		      uint64_t value);
};

/* Who handles a write to a doorbell. */
enum pci_doorbell_kind {
	PCI_DOORBELL_KERNEL,	/* ioeventfd: hw_cost.exit_kernel */
	PCI_DOORBELL_USER,	/* VMM's device code on the vCPU thread: exit_user */
	PCI_DOORBELL_POSTED,	/* hardware: mmio_posted, no exit */
};

/*
 * @ring runs on the vCPU in the middle of the world switch. For KERNEL and
 * POSTED it only signals (wakes a host thread, posts an event); for USER it may
 * do the device's work and wait for host locks.
 */
struct pci_doorbell {
	uint8_t bar;
	uint64_t offset;
	uint32_t bytes;		/* 2 or 4: size of the window that matches */
	enum pci_doorbell_kind kind;
	void (*ring)(struct pci_doorbell *db, uint32_t value);
	void *owner;
	uint32_t index;		/* the owner's number for it: the queue */
	uint64_t rings_nr;
};

struct pci_msix_entry {
	uint64_t address;
	uint32_t data;
	bool masked;
	bool pending;		/* raised while masked */
	uint64_t raises_nr;
};

struct pci_bar {
	uint64_t base_pa;	/* 0: not assigned */
	uint64_t bytes;		/* power of two, 0: absent */
	struct pci_bar_ops ops;
};

/*
 * @config:    bytes the guest sees; capability list is the host's to build
 * @owner:     passed to bar ops
 * @msix_bar:  BAR whose first bytes are the MSI-X table, PCI_BARS_NR for none
 */
struct pci_function {
	uint8_t config[PCI_CONFIG_BYTES];
	struct pci_bar bar[PCI_BARS_NR];
	void *owner;
	uint8_t msix_bar;
	uint32_t msix_nr;
	bool msix_enabled;
	bool msix_masked;	/* function mask: all vectors are */
	uint32_t msix_cap;	/* offset of the capability in config, 0: none */
	struct pci_msix_entry msix[PCI_MSIX_MAX];
	struct pci_doorbell *doorbell[PCI_DOORBELL_MAX];
	uint32_t doorbells_nr;
	bool unplugged;
	struct vcpu **vcpus;	/* where interrupts can go */
	uint32_t vcpus_nr;
};

void pci_init(struct pci_function *fn, void *owner, struct vcpu **vcpus,
	      uint32_t vcpus_nr);

/*
 * Append a capability of @bytes: the first two are set here, the third is
 * @bytes, as in virtio's (4.1.4). Before pci_add_msix. Returns its offset, 0: full.
 */
uint32_t pci_add_capability(struct pci_function *fn, uint8_t id,
			    const void *body, uint32_t bytes);

/* Give the function BAR @nr; addresses are assigned at once, as firmware would. */
void pci_add_bar(struct pci_function *fn, uint32_t nr, uint64_t bytes,
		 const struct pci_bar_ops *ops);

/* MSI-X with @vectors_nr entries (up to PCI_MSIX_MAX), table in BAR @bar; adds the capability. */
void pci_add_msix(struct pci_function *fn, uint32_t bar, uint32_t vectors_nr);

/* Attach or detach a doorbell window. @db stays the caller's. */
void pci_attach_doorbell(struct pci_function *fn, struct pci_doorbell *db);
void pci_detach_doorbells(struct pci_function *fn);

/*
 * Host side: the function is gone, as when a card is pulled. Configuration space
 * and BARs read as all ones, writes and doorbells go nowhere, no vector is
 * raised. What is under way on a vCPU still happens. For good.
 */
void pci_unplug(struct pci_function *fn);

/*
 * Host side: raise MSI-X @vector now. No charge here (the raiser pays
 * irq_raise): arrives irq_deliver later. False when masked, disabled or out of range (then
 * pending where the specification says so).
 */
bool pci_msix_raise(struct pci_function *fn, uint32_t vector);

/* Guest side, on a vCPU. Each costs a world switch to user space. */
uint32_t pci_config_read(struct pci_function *fn, uint32_t offset,
			 uint32_t bytes);
void pci_config_write(struct pci_function *fn, uint32_t offset,
		      uint32_t bytes, uint32_t value);

/*
 * Guest side: access guest-physical @pa in a BAR of @fn. Doorbell windows cost
 * by their kind, everything else exit_user. May switch and park.
 */
uint64_t pci_mmio_read(struct pci_function *fn, uint64_t pa, uint32_t bytes);
void pci_mmio_write(struct pci_function *fn, uint64_t pa, uint32_t bytes,
		    uint64_t value);

#endif
