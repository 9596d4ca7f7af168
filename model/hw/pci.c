// SPDX-License-Identifier: GPL-2.0-only
#include "model/hw/pci.h"

#include <string.h>

#include "model/hw/cost.h"
#include "sim/assert.h"

/* PCI 3.0 section 6.1 and 6.8.2: offsets in configuration space. */
#define CFG_COMMAND		0x04u
#define CFG_STATUS		0x06u
#define CFG_BAR0		0x10u
#define CFG_CAP_POINTER		0x34u
#define CFG_FIRST_CAP		0x40u
#define CFG_STATUS_CAP_LIST	0x10u
#define CAP_ID_MSIX		0x11u
#define MSIX_CONTROL		2u
#define MSIX_CONTROL_ENABLE	0x8000u
#define MSIX_CONTROL_MASK	0x4000u
#define MSIX_ENTRY_BYTES	16u
#define MSIX_MASK_BIT		1u

#define ALL_ONES(bytes) (~UINT64_C(0) >> (64 - 8 * (bytes)))

static uint16_t cfg_get16(const struct pci_function *fn, uint32_t offset)
{
	return (uint16_t)(fn->config[offset] | fn->config[offset + 1] << 8);
}

static void cfg_put(struct pci_function *fn, uint32_t offset, uint32_t bytes,
		    uint32_t value)
{
	for (uint32_t i = 0; i < bytes; i++)
		fn->config[offset + i] = (uint8_t)(value >> 8 * i);
}

void pci_init(struct pci_function *fn, void *owner, struct vcpu **vcpus,
	      uint32_t vcpus_nr)
{
	memset(fn, 0, sizeof(*fn));
	fn->owner = owner;
	fn->msix_bar = PCI_BARS_NR;
	fn->vcpus = vcpus;
	fn->vcpus_nr = vcpus_nr;
}

static uint32_t pci_caps_end(const struct pci_function *fn, uint32_t *last)
{
	uint32_t offset = fn->config[CFG_CAP_POINTER];
	uint32_t end = CFG_FIRST_CAP;

	*last = 0;
	while (offset) {
		*last = offset;
		end = offset + fn->config[offset + 2];
		offset = fn->config[offset + 1];
	}
	return end;
}

/*
 * While the list is built, a capability's third byte holds its length: virtio
 * capabilities carry it there anyway (cap_len), and MSI-X comes last.
 */
uint32_t pci_add_capability(struct pci_function *fn, uint8_t id,
			    const void *body, uint32_t bytes)
{
	uint32_t last;
	uint32_t offset = (pci_caps_end(fn, &last) + 3) & ~3u;

	if (bytes < 3 || offset + bytes > PCI_CONFIG_BYTES || fn->msix_cap)
		return 0;
	memcpy(&fn->config[offset], body, bytes);
	fn->config[offset] = id;
	fn->config[offset + 1] = 0;
	if (last)
		fn->config[last + 1] = (uint8_t)offset;
	else
		fn->config[CFG_CAP_POINTER] = (uint8_t)offset;
	fn->config[CFG_STATUS] |= CFG_STATUS_CAP_LIST;
	return offset;
}

void pci_add_bar(struct pci_function *fn, uint32_t nr, uint64_t bytes,
		 const struct pci_bar_ops *ops)
{
	uint64_t base = PCI_MMIO_BASE_PA;

	sim_assert(nr < PCI_BARS_NR && bytes && !(bytes & (bytes - 1)));
	for (uint32_t i = 0; i < PCI_BARS_NR; i++)
		if (base < fn->bar[i].base_pa + fn->bar[i].bytes)
			base = fn->bar[i].base_pa + fn->bar[i].bytes;
	base = (base + bytes - 1) & ~(bytes - 1);
	fn->bar[nr].base_pa = base;
	fn->bar[nr].bytes = bytes;
	fn->bar[nr].ops = *ops;
	cfg_put(fn, CFG_BAR0 + 4 * nr, 4, (uint32_t)base);
}

void pci_add_msix(struct pci_function *fn, uint32_t bar, uint32_t vectors_nr)
{
	uint8_t body[12] = { 0 };

	sim_assert(vectors_nr && vectors_nr <= PCI_MSIX_MAX);
	sim_assert(fn->bar[bar].bytes >= vectors_nr * MSIX_ENTRY_BYTES);
	body[MSIX_CONTROL] = (uint8_t)(vectors_nr - 1);
	body[4] = (uint8_t)bar;
	body[8] = (uint8_t)bar;
	body[9] = 0x08;	/* pending bits: at 2 KiB, behind the largest table */
	fn->msix_cap = pci_add_capability(fn, CAP_ID_MSIX, body, sizeof(body));
	sim_assert(fn->msix_cap);
	fn->msix_bar = (uint8_t)bar;
	fn->msix_nr = vectors_nr;
	for (uint32_t i = 0; i < vectors_nr; i++)
		fn->msix[i].masked = true;
}

void pci_attach_doorbell(struct pci_function *fn, struct pci_doorbell *db)
{
	sim_assert(fn->doorbells_nr < PCI_DOORBELL_MAX);
	fn->doorbell[fn->doorbells_nr++] = db;
}

void pci_detach_doorbells(struct pci_function *fn)
{
	fn->doorbells_nr = 0;
}

/* Accesses find no BAR then, so they are exits to nowhere. */
void pci_unplug(struct pci_function *fn)
{
	fn->unplugged = true;
	memset(fn->config, 0xff, sizeof(fn->config));
	for (uint32_t i = 0; i < PCI_BARS_NR; i++)
		fn->bar[i].bytes = 0;
	pci_detach_doorbells(fn);
	fn->msix_enabled = false;
	fn->msix_nr = 0;
}

static bool msix_send(struct pci_function *fn, struct pci_msix_entry *e)
{
	uint32_t dest = (uint32_t)(e->address >> 12 & 0xff);

	if (dest >= fn->vcpus_nr)
		return false;
	e->raises_nr++;
	vcpu_raise(fn->vcpus[dest], e->data & 0xff,
		   sim_now() + hw_cost.irq_deliver_ps);
	return true;
}

bool pci_msix_raise(struct pci_function *fn, uint32_t vector)
{
	struct pci_msix_entry *e;

	if (!fn->msix_enabled || vector >= fn->msix_nr)
		return false;
	e = &fn->msix[vector];
	if (e->masked || fn->msix_masked) {
		e->pending = true;
		return false;
	}
	return msix_send(fn, e);
}

/* Called whenever something that held @e back may have ended. */
static void msix_send_pending(struct pci_function *fn,
			      struct pci_msix_entry *e)
{
	if (!e->pending || !fn->msix_enabled || fn->msix_masked || e->masked)
		return;
	e->pending = false;
	msix_send(fn, e);
}

/* PCI 3.0 section 6.8.2.6: address low, address high, data, vector control. */
static void msix_write(struct pci_function *fn, uint64_t offset,
		       uint32_t value)
{
	struct pci_msix_entry *e = &fn->msix[offset / MSIX_ENTRY_BYTES];

	switch (offset % MSIX_ENTRY_BYTES) {
	case 0:
		e->address = (e->address & ~UINT64_C(0xffffffff)) | value;
		break;
	case 4:
		e->address = (uint32_t)e->address | (uint64_t)value << 32;
		break;
	case 8:
		e->data = value;
		break;
	case 12:
		e->masked = value & MSIX_MASK_BIT;
		msix_send_pending(fn, e);
		break;
	}
}

static uint32_t msix_read(struct pci_function *fn, uint64_t offset)
{
	struct pci_msix_entry *e = &fn->msix[offset / MSIX_ENTRY_BYTES];

	switch (offset % MSIX_ENTRY_BYTES) {
	case 0:
		return (uint32_t)e->address;
	case 4:
		return (uint32_t)(e->address >> 32);
	case 8:
		return e->data;
	default:
		return e->masked ? MSIX_MASK_BIT : 0;
	}
}

static void pci_user_exit(void)
{
	vcpu_exit(VCPU_EXIT_USER, hw_cost.exit_user_ps);
}

static void pci_user_enter(void)
{
	vcpu_enter(hw_cost.exit_user_ps);
}

uint32_t pci_config_read(struct pci_function *fn, uint32_t offset,
			 uint32_t bytes)
{
	uint32_t value = 0;

	pci_user_exit();
	for (uint32_t i = 0; i < bytes; i++) {
		uint32_t byte = offset + i < PCI_CONFIG_BYTES ?
				fn->config[offset + i] : 0xff;

		value |= byte << 8 * i;
	}
	pci_user_enter();
	return value;
}

static void msix_write_control(struct pci_function *fn, uint32_t value)
{
	fn->msix_enabled = value & MSIX_CONTROL_ENABLE;
	fn->msix_masked = value & MSIX_CONTROL_MASK;
	for (uint32_t i = 0; i < fn->msix_nr; i++)
		msix_send_pending(fn, &fn->msix[i]);
}

/* Writable: the command register and the MSI-X control word. */
static void pci_config_store(struct pci_function *fn, uint32_t offset,
			     uint32_t bytes, uint32_t value)
{
	if (fn->unplugged)
		return;
	if (offset == CFG_COMMAND && bytes == 2)
		cfg_put(fn, offset, 2, value);
	if (!fn->msix_cap || offset != fn->msix_cap + MSIX_CONTROL ||
	    bytes != 2)
		return;
	cfg_put(fn, offset, 2, (cfg_get16(fn, offset) & 0x3fff) |
			       (value & 0xc000));
	msix_write_control(fn, value);
}

void pci_config_write(struct pci_function *fn, uint32_t offset,
		      uint32_t bytes, uint32_t value)
{
	pci_user_exit();
	pci_config_store(fn, offset, bytes, value);
	pci_user_enter();
}

static struct pci_bar *pci_find_bar(struct pci_function *fn, uint64_t pa)
{
	for (uint32_t i = 0; i < PCI_BARS_NR; i++)
		if (fn->bar[i].bytes && pa - fn->bar[i].base_pa <
					fn->bar[i].bytes)
			return &fn->bar[i];
	return NULL;
}

static struct pci_doorbell *pci_find_doorbell(struct pci_function *fn,
					      struct pci_bar *bar,
					      uint64_t offset, uint32_t bytes)
{
	for (uint32_t i = 0; i < fn->doorbells_nr; i++) {
		struct pci_doorbell *db = fn->doorbell[i];

		if (&fn->bar[db->bar] == bar && offset == db->offset &&
		    bytes <= db->bytes)
			return db;
	}
	return NULL;
}

static void pci_ring(struct pci_doorbell *db, uint32_t value)
{
	bool user = db->kind == PCI_DOORBELL_USER;
	uint64_t cost_ps = user ? hw_cost.exit_user_ps : hw_cost.exit_kernel_ps;

	db->rings_nr++;
	if (db->kind == PCI_DOORBELL_POSTED) {
		sim_spend(hw_cost.mmio_posted_ps);
		sim_sync();
		db->ring(db, value);
		return;
	}
	vcpu_exit(user ? VCPU_EXIT_USER : VCPU_EXIT_KERNEL, cost_ps);
	db->ring(db, value);
	vcpu_enter(cost_ps);
}

static bool pci_is_msix(struct pci_function *fn, struct pci_bar *bar,
			uint64_t offset, uint32_t bytes)
{
	return fn->msix_bar < PCI_BARS_NR && bar == &fn->bar[fn->msix_bar] &&
	       bytes == 4 && offset < fn->msix_nr * MSIX_ENTRY_BYTES;
}

uint64_t pci_mmio_read(struct pci_function *fn, uint64_t pa, uint32_t bytes)
{
	struct pci_bar *bar = pci_find_bar(fn, pa);
	uint64_t offset = bar ? pa - bar->base_pa : 0;
	uint64_t value = ALL_ONES(bytes);

	pci_user_exit();
	if (bar && pci_is_msix(fn, bar, offset, bytes))
		value = msix_read(fn, offset);
	else if (bar && bar->ops.read)
		value = bar->ops.read(fn->owner, offset, bytes) &
			ALL_ONES(bytes);
	pci_user_enter();
	return value;
}

void pci_mmio_write(struct pci_function *fn, uint64_t pa, uint32_t bytes,
		    uint64_t value)
{
	struct pci_bar *bar = pci_find_bar(fn, pa);
	uint64_t offset = bar ? pa - bar->base_pa : 0;
	struct pci_doorbell *db = bar ?
		pci_find_doorbell(fn, bar, offset, bytes) : NULL;

	if (db) {
		pci_ring(db, (uint32_t)value);
		return;
	}
	pci_user_exit();
	if (bar && pci_is_msix(fn, bar, offset, bytes))
		msix_write(fn, offset, (uint32_t)value);
	else if (bar && bar->ops.write)
		bar->ops.write(fn->owner, offset, bytes, value);
	pci_user_enter();
}
