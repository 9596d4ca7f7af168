// SPDX-License-Identifier: GPL-2.0-only
#include "model/host/hpci.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/host/hloop.h"
#include "model/hw/cost.h"
#include "model/hw/stamp.h"
#include <uapi/linux/virtio_config.h>
#include <uapi/linux/virtio_pci.h>
#include <uapi/linux/virtio_ring.h>

#define BIT_64(bit) (UINT64_C(1) << (bit))
#define STATUS_OF_DRIVER						\
	(VIRTIO_CONFIG_S_ACKNOWLEDGE | VIRTIO_CONFIG_S_DRIVER |		\
	 VIRTIO_CONFIG_S_DRIVER_OK | VIRTIO_CONFIG_S_FEATURES_OK |	\
	 VIRTIO_CONFIG_S_FAILED)

/* PCI 3.0 section 6.1: offsets in configuration space. */
#define CFG_VENDOR		0x00u
#define CFG_DEVICE		0x02u
#define CFG_REVISION		0x08u
#define CFG_CLASS		0x09u
#define CFG_SUBSYSTEM_VENDOR	0x2cu
#define CFG_SUBSYSTEM		0x2eu
#define CFG_INTERRUPT_PIN	0x3du
#define CAP_ID_VENDOR		0x09u
#define MSIX_BAR_BYTES		0x1000u
/* 4.1.2.1: 0x40 or higher says that this isn't a transitional device */
#define SUBSYSTEM_ID		0x1100u
#define REVISION		1u

static void hpci_cfg_put(struct hpci *hpci, uint32_t offset, uint32_t bytes,
			 uint32_t value)
{
	for (uint32_t i = 0; i < bytes; i++)
		hpci->fn.config[offset + i] = (uint8_t)(value >> 8 * i);
}

static void hpci_identify(struct hpci *hpci)
{
	hpci_cfg_put(hpci, CFG_VENDOR, 2, VIRTIO_PCI_VENDOR_ID);
	hpci_cfg_put(hpci, CFG_DEVICE, 2, VIRTIO_PCI_DEVICE_ID_BASE +
					  hpci->config.device_type);
	hpci_cfg_put(hpci, CFG_REVISION, 1, REVISION);
	hpci_cfg_put(hpci, CFG_CLASS, 3, hpci->config.class_code);
	hpci_cfg_put(hpci, CFG_SUBSYSTEM_VENDOR, 2, VIRTIO_PCI_VENDOR_ID);
	hpci_cfg_put(hpci, CFG_SUBSYSTEM, 2, SUBSYSTEM_ID);
	hpci_cfg_put(hpci, CFG_INTERRUPT_PIN, 1, 1);
}

static void hpci_add_cap(struct hpci *hpci, uint8_t type, uint32_t offset,
			 uint32_t length)
{
	struct virtio_pci_notify_cap body = {
		.cap.cfg_type = type,
		.cap.bar = HPCI_BAR,
		.cap.offset = offset,
		.cap.length = length,
		.notify_off_multiplier = HPCI_NOTIFY_MULTIPLIER,
	};

	body.cap.cap_len = type == VIRTIO_PCI_CAP_NOTIFY_CFG ?
			   sizeof(body) : sizeof(body.cap);
	pci_add_capability(&hpci->fn, CAP_ID_VENDOR, &body, body.cap.cap_len);
}

static void hpci_add_caps(struct hpci *hpci)
{
	const struct hpci_config *c = &hpci->config;

	hpci_add_cap(hpci, VIRTIO_PCI_CAP_COMMON_CFG, HPCI_COMMON_OFFSET,
		     sizeof(struct virtio_pci_common_cfg));
	hpci_add_cap(hpci, VIRTIO_PCI_CAP_ISR_CFG, HPCI_ISR_OFFSET, 1);
	if (c->config_bytes)
		hpci_add_cap(hpci, VIRTIO_PCI_CAP_DEVICE_CFG,
			     HPCI_DEVICE_OFFSET, c->config_bytes);
	hpci_add_cap(hpci, VIRTIO_PCI_CAP_NOTIFY_CFG, HPCI_NOTIFY_OFFSET,
		     c->queues_nr * HPCI_NOTIFY_MULTIPLIER);
}

bool hpci_has_feature(const struct hpci *hpci, unsigned int bit)
{
	return hpci->status & VIRTIO_CONFIG_S_FEATURES_OK &&
	       hpci->driver_features & BIT_64(bit);
}

static bool hpci_running(const struct hpci *hpci)
{
	return hpci->status & VIRTIO_CONFIG_S_DRIVER_OK &&
	       !(hpci->status & VIRTIO_CONFIG_S_NEEDS_RESET) &&
	       !hpci->resetting && !hpci->gone;
}

bool hpci_queue_live(const struct hpci *hpci, uint32_t vq)
{
	return hpci_running(hpci) && hpci->queue[vq].enabled;
}

/* Raise @vector, if there is one; otherwise the driver never hears of it. */
static bool hpci_raise(struct hpci *hpci, uint16_t vector)
{
	if (vector == VIRTIO_MSI_NO_VECTOR)
		return false;
	if (sim.actor) {
		hw_spend_varying(hw_cost.irq_raise_ps);
		sim_sync();
	}
	return pci_msix_raise(&hpci->fn, vector);
}

bool hpci_interrupt_queue(struct hpci *hpci, uint32_t vq)
{
	struct hpci_queue *q = &hpci->queue[vq];

	if (!hpci->fn.msix_enabled)
		hpci->isr |= VIRTIO_PCI_ISR_QUEUE;
	if (!hpci_raise(hpci, q->vector)) {
		q->interrupts_lost_nr++;
		return false;
	}
	q->interrupts_nr++;
	trace(&tp_irq, vq, q->vector, 0);
	return true;
}

void hpci_config_changed(struct hpci *hpci)
{
	hpci->generation++;
	if (!(hpci->status & VIRTIO_CONFIG_S_DRIVER_OK))
		return;
	if (!hpci->fn.msix_enabled)
		hpci->isr |= VIRTIO_PCI_ISR_CONFIG;
	if (hpci_raise(hpci, hpci->config_vector))
		hpci->config_interrupts_nr++;
}

void hpci_unplug(struct hpci *hpci)
{
	hpci->gone = true;
	pci_unplug(&hpci->fn);
}

void hpci_break(struct hpci *hpci, uint32_t vq, const char *reason)
{
	if (hpci->status & VIRTIO_CONFIG_S_NEEDS_RESET || hpci->resetting)
		return;
	hpci->status |= VIRTIO_CONFIG_S_NEEDS_RESET;
	hpci->reason = reason;
	hpci->reason_vq = vq;
	hpci->broken_nr++;
	hpci_config_changed(hpci);
}

static void hpci_clear_queue(struct hpci *hpci, struct hpci_queue *q)
{
	q->size = (uint16_t)hpci->config.queue_size;
	q->vector = VIRTIO_MSI_NO_VECTOR;
	q->enabled = false;
	q->early = false;
	q->desc_pa = 0;
	q->driver_pa = 0;
	q->device_pa = 0;
}

/* The state after reset, 2.4 and 4.1.4.3. */
static void hpci_clear(struct hpci *hpci)
{
	hpci->driver_features = 0;
	hpci->device_feature_select = 0;
	hpci->driver_feature_select = 0;
	hpci->config_vector = VIRTIO_MSI_NO_VECTOR;
	hpci->queue_select = 0;
	hpci->isr = 0;
	hpci->status = 0;
	for (uint32_t i = 0; i < hpci->config.queues_nr; i++)
		hpci_clear_queue(hpci, &hpci->queue[i]);
}

void hpci_reset_done(struct hpci *hpci)
{
	hpci_clear(hpci);
	hpci->resetting = false;
}

static void hpci_reset(struct hpci *hpci)
{
	hpci->resetting = true;
	hpci->resets_nr++;
	if (hpci->config.device->reset(hpci->config.owner))
		hpci_reset_done(hpci);
}

static bool hpci_features_ok(struct hpci *hpci)
{
	const struct hpci_device *device = hpci->config.device;
	uint64_t features = hpci->driver_features;

	if (features & ~hpci->config.features ||
	    !(features & BIT_64(VIRTIO_F_VERSION_1)))
		return false;
	return !device->features_ok ||
	       device->features_ok(hpci->config.owner, features);
}

static void hpci_deliver_early(struct hpci *hpci)
{
	for (uint32_t vq = 0; vq < hpci->config.queues_nr; vq++) {
		if (!hpci->queue[vq].early || !hpci_queue_live(hpci, vq))
			continue;
		hpci->queue[vq].early = false;
		hpci->config.device->kick(hpci->config.owner, vq);
	}
}

static void hpci_set_status(struct hpci *hpci, uint8_t value)
{
	uint8_t added = value & STATUS_OF_DRIVER & ~hpci->status;

	if (added & VIRTIO_CONFIG_S_FEATURES_OK && !hpci_features_ok(hpci))
		added &= ~VIRTIO_CONFIG_S_FEATURES_OK;
	if (!((hpci->status | added) & VIRTIO_CONFIG_S_FEATURES_OK))
		added &= ~VIRTIO_CONFIG_S_DRIVER_OK;
	hpci->status |= added;
	if (added & VIRTIO_CONFIG_S_DRIVER_OK)
		hpci_deliver_early(hpci);
}

static struct hpci_queue *hpci_selected(struct hpci *hpci)
{
	return hpci->queue_select < hpci->config.queues_nr ?
	       &hpci->queue[hpci->queue_select] : NULL;
}

static const struct hring_ops *hpci_ring_format(const struct hpci *hpci)
{
	return hpci_has_feature(hpci, VIRTIO_F_RING_PACKED) ? &hring_packed :
							      &hring_split;
}

/* 4.1.4.3.2: what the driver says about a queue is taken when it enables it. */
static bool hpci_enable_queue(struct hpci *hpci, struct hpci_queue *q)
{
	struct hring_config config = {
		.size = q->size,
		.desc_pa = q->desc_pa,
		.driver_pa = q->driver_pa,
		.device_pa = q->device_pa,
		.event_idx = hpci_has_feature(hpci, VIRTIO_RING_F_EVENT_IDX),
		.indirect = hpci_has_feature(hpci,
					     VIRTIO_RING_F_INDIRECT_DESC),
	};

	if (!(hpci->status & VIRTIO_CONFIG_S_FEATURES_OK))
		return false;
	if (hring_init(&q->ring, hpci_ring_format(hpci), &config)) {
		hpci_break(hpci, hpci->queue_select,
			   hring_error_text(q->ring.error));
		return false;
	}
	q->enabled = true;
	return true;
}

/* 2.7: split rings have a power of two; 2.8.10.1: packed ones need not. */
static bool hpci_size_ok(const struct hpci *hpci, uint64_t size)
{
	return size && size <= hpci->config.queue_size &&
	       (!(size & (size - 1)) ||
		hpci_has_feature(hpci, VIRTIO_F_RING_PACKED));
}

/* 4.1.5.1.2.1: a vector that cannot be had reads back as none. */
static uint16_t hpci_vector(const struct hpci *hpci, uint64_t vector)
{
	return vector < hpci->config.vectors_nr ? (uint16_t)vector :
						  VIRTIO_MSI_NO_VECTOR;
}

static void hpci_put_half(uint64_t *field, bool high, uint64_t value)
{
	if (high)
		*field = (uint32_t)*field | value << 32;
	else
		*field = (*field & ~UINT64_C(0xffffffff)) | value;
}

/* False: not for now, or not for this queue. */
static bool hpci_write_address(struct hpci_queue *q, uint32_t offset,
			       uint64_t value)
{
	bool high = offset % 8;

	if (q->enabled)
		return false;
	switch (offset & ~4u) {
	case VIRTIO_PCI_COMMON_Q_DESCLO:
		hpci_put_half(&q->desc_pa, high, value);
		return true;
	case VIRTIO_PCI_COMMON_Q_AVAILLO:
		hpci_put_half(&q->driver_pa, high, value);
		return true;
	case VIRTIO_PCI_COMMON_Q_USEDLO:
		hpci_put_half(&q->device_pa, high, value);
		return true;
	default:
		return false;
	}
}

static bool hpci_write_queue(struct hpci *hpci, uint32_t offset,
			     uint64_t value)
{
	struct hpci_queue *q = hpci_selected(hpci);

	if (!q)
		return false;
	switch (offset) {
	case VIRTIO_PCI_COMMON_Q_SIZE:
		if (q->enabled || !hpci_size_ok(hpci, value))
			return false;
		q->size = (uint16_t)value;
		return true;
	case VIRTIO_PCI_COMMON_Q_MSIX:
		q->vector = hpci_vector(hpci, value);
		return true;
	case VIRTIO_PCI_COMMON_Q_ENABLE:
		return value == 1 && !q->enabled && hpci_enable_queue(hpci, q);
	default:
		return hpci_write_address(q, offset, value);
	}
}

static bool hpci_write_features(struct hpci *hpci, uint64_t value)
{
	if (hpci->status & VIRTIO_CONFIG_S_FEATURES_OK)
		return false;
	if (hpci->driver_feature_select < 2)
		hpci_put_half(&hpci->driver_features,
			      hpci->driver_feature_select, value);
	return true;
}

static bool hpci_write_common(struct hpci *hpci, uint32_t offset,
			      uint64_t value)
{
	switch (offset) {
	case VIRTIO_PCI_COMMON_DFSELECT:
		hpci->device_feature_select = (uint32_t)value;
		return true;
	case VIRTIO_PCI_COMMON_GFSELECT:
		hpci->driver_feature_select = (uint32_t)value;
		return true;
	case VIRTIO_PCI_COMMON_GF:
		return hpci_write_features(hpci, value);
	case VIRTIO_PCI_COMMON_MSIX:
		hpci->config_vector = hpci_vector(hpci, value);
		return true;
	case VIRTIO_PCI_COMMON_STATUS:
		if (value)
			hpci_set_status(hpci, (uint8_t)value);
		else
			hpci_reset(hpci);
		return true;
	case VIRTIO_PCI_COMMON_Q_SELECT:
		hpci->queue_select = (uint16_t)value;
		return true;
	default:
		return hpci_write_queue(hpci, offset, value);
	}
}

/* 4.1.3.1: width of the field at @offset; 0: the driver may not write there. */
static uint32_t hpci_common_width(uint32_t offset)
{
	if (offset == VIRTIO_PCI_COMMON_STATUS)
		return 1;
	if (offset == VIRTIO_PCI_COMMON_MSIX ||
	    offset == VIRTIO_PCI_COMMON_Q_SELECT ||
	    offset == VIRTIO_PCI_COMMON_Q_SIZE ||
	    offset == VIRTIO_PCI_COMMON_Q_MSIX ||
	    offset == VIRTIO_PCI_COMMON_Q_ENABLE)
		return 2;
	if (offset == VIRTIO_PCI_COMMON_DFSELECT ||
	    offset == VIRTIO_PCI_COMMON_GFSELECT ||
	    offset == VIRTIO_PCI_COMMON_GF)
		return 4;
	if (offset >= VIRTIO_PCI_COMMON_Q_DESCLO &&
	    offset <= VIRTIO_PCI_COMMON_Q_USEDHI && !(offset % 4))
		return 4;
	return 0;
}

static void hpci_common_store(struct hpci *hpci, uint32_t offset,
			      uint32_t bytes, uint64_t value)
{
	if (hpci->resetting || bytes != hpci_common_width(offset) ||
	    !hpci_write_common(hpci, offset, value))
		hpci->ignored_nr++;
}

static uint32_t hpci_feature_word(uint64_t features, uint32_t select)
{
	return select < 2 ? (uint32_t)(features >> 32 * select) : 0;
}

static void hpci_image_queue(struct hpci *hpci,
			     struct virtio_pci_common_cfg *image)
{
	struct hpci_queue *q = hpci_selected(hpci);

	if (!q)
		return;
	image->queue_size = q->size;
	image->queue_msix_vector = q->vector;
	image->queue_enable = q->enabled;
	image->queue_notify_off = hpci->queue_select;
	image->queue_desc_lo = (uint32_t)q->desc_pa;
	image->queue_desc_hi = (uint32_t)(q->desc_pa >> 32);
	image->queue_avail_lo = (uint32_t)q->driver_pa;
	image->queue_avail_hi = (uint32_t)(q->driver_pa >> 32);
	image->queue_used_lo = (uint32_t)q->device_pa;
	image->queue_used_hi = (uint32_t)(q->device_pa >> 32);
}

/* What the driver reads there; rare enough to be put together each time. */
static void hpci_image(struct hpci *hpci, struct virtio_pci_common_cfg *image)
{
	memset(image, 0, sizeof(*image));
	image->device_feature_select = hpci->device_feature_select;
	image->device_feature =
		hpci_feature_word(hpci->config.features,
				  hpci->device_feature_select);
	image->guest_feature_select = hpci->driver_feature_select;
	image->guest_feature =
		hpci_feature_word(hpci->driver_features,
				  hpci->driver_feature_select);
	image->msix_config = hpci->config_vector;
	image->num_queues = (uint16_t)hpci->config.queues_nr;
	image->device_status = hpci->status;
	image->config_generation = hpci->generation;
	image->queue_select = hpci->queue_select;
	hpci_image_queue(hpci, image);
}

static uint64_t hpci_area_read(struct hpci *hpci, uint64_t offset,
			       uint32_t bytes)
{
	struct virtio_pci_common_cfg image;
	uint64_t at = offset % HPCI_AREA_BYTES;
	uint64_t value = UINT64_MAX;

	switch (offset - at) {
	case HPCI_COMMON_OFFSET:
		if (at + bytes > sizeof(image))
			break;
		hpci_image(hpci, &image);
		memcpy(&value, (uint8_t *)&image + at, bytes);
		break;
	case HPCI_ISR_OFFSET:
		if (at || bytes != 1)
			break;
		value = hpci->isr;
		hpci->isr = 0;
		break;
	case HPCI_DEVICE_OFFSET:
		if (at + bytes <= hpci->config.config_bytes)
			hpci->config.device->config_read(hpci->config.owner,
							 (uint32_t)at, &value,
							 bytes);
		break;
	}
	return value;
}

static void hpci_area_write(struct hpci *hpci, uint64_t offset, uint32_t bytes,
			    uint64_t value)
{
	uint64_t at = offset % HPCI_AREA_BYTES;

	value &= UINT64_MAX >> (64 - 8 * bytes);
	if (offset - at == HPCI_COMMON_OFFSET && bytes == 8) {
		hpci_common_store(hpci, (uint32_t)at, 4, (uint32_t)value);
		hpci_common_store(hpci, (uint32_t)at + 4, 4, value >> 32);
	} else if (offset - at == HPCI_COMMON_OFFSET) {
		hpci_common_store(hpci, (uint32_t)at, bytes, value);
	} else if (offset - at == HPCI_DEVICE_OFFSET && !hpci->resetting &&
		   at + bytes <= hpci->config.config_bytes) {
		hpci->config.device->config_write(hpci->config.owner,
						  (uint32_t)at, &value, bytes);
	} else {
		hpci->ignored_nr++;
	}
}

static uint64_t hpci_bar_read(void *owner, uint64_t offset, uint32_t bytes)
{
	struct hpci *hpci = owner;
	uint64_t value;

	hloop_lock(hpci->config.big_lock);
	value = hpci_area_read(hpci, offset, bytes);
	hloop_unlock(hpci->config.big_lock);
	return value;
}

static void hpci_bar_write(void *owner, uint64_t offset, uint32_t bytes,
			   uint64_t value)
{
	struct hpci *hpci = owner;

	hloop_lock(hpci->config.big_lock);
	hpci_area_write(hpci, offset, bytes, value);
	hloop_unlock(hpci->config.big_lock);
}

/* 2.1.2: before DRIVER_OK no buffer is consumed, whatever the driver says. */
static void hpci_kick(struct hpci *hpci, uint32_t vq)
{
	struct hpci_queue *q = &hpci->queue[vq];

	q->kicks_nr++;
	trace(&tp_kick, vq, 0, 0);
	if (hpci_queue_live(hpci, vq)) {
		hpci->config.device->kick(hpci->config.owner, vq);
	} else if (!(hpci->status & VIRTIO_CONFIG_S_DRIVER_OK)) {
		q->kicks_early_nr++;
		q->early = true;
	}
}

static void hpci_ring(struct pci_doorbell *db, uint32_t value)
{
	struct hpci *hpci = db->owner;

	(void)value;
	if (db->kind != PCI_DOORBELL_USER) {
		hpci_kick(hpci, db->index);
		return;
	}
	hloop_lock(hpci->config.big_lock);
	hpci_kick(hpci, db->index);
	hloop_unlock(hpci->config.big_lock);
}

static void hpci_init_doorbell(struct hpci *hpci, uint32_t vq)
{
	struct pci_doorbell *db = &hpci->queue[vq].doorbell;

	db->bar = HPCI_BAR;
	db->offset = HPCI_NOTIFY_OFFSET + vq * HPCI_NOTIFY_MULTIPLIER;
	db->bytes = HPCI_NOTIFY_MULTIPLIER;
	db->kind = hpci->config.doorbell;
	db->ring = hpci_ring;
	db->owner = hpci;
	db->index = vq;
	pci_attach_doorbell(&hpci->fn, db);
}

static bool hpci_config_ok(const struct hpci_config *c)
{
	return c->queues_nr && c->queues_nr <= HPCI_QUEUES_MAX &&
	       c->queue_size && c->queue_size <= HRING_SIZE_MAX &&
	       !(c->queue_size & (c->queue_size - 1)) &&
	       c->vectors_nr && c->vectors_nr <= PCI_MSIX_MAX &&
	       c->config_bytes <= HPCI_AREA_BYTES;
}

int hpci_init(struct hpci *hpci, const struct hpci_config *config)
{
	static const struct pci_bar_ops ops = {
		.read = hpci_bar_read,
		.write = hpci_bar_write,
	};
	static const struct pci_bar_ops none;

	memset(hpci, 0, sizeof(*hpci));
	if (!hpci_config_ok(config))
		return -EINVAL;
	hpci->config = *config;
	hpci->config.features |= BIT_64(VIRTIO_F_VERSION_1);
	hpci->queue = calloc(config->queues_nr, sizeof(*hpci->queue));
	if (!hpci->queue)
		return -ENOMEM;
	pci_init(&hpci->fn, hpci, config->vcpus, config->vcpus_nr);
	hpci_identify(hpci);
	pci_add_bar(&hpci->fn, HPCI_MSIX_BAR, MSIX_BAR_BYTES, &none);
	pci_add_bar(&hpci->fn, HPCI_BAR, HPCI_BAR_BYTES, &ops);
	hpci_add_caps(hpci);
	pci_add_msix(&hpci->fn, HPCI_MSIX_BAR, config->vectors_nr);
	for (uint32_t vq = 0; vq < config->queues_nr; vq++)
		hpci_init_doorbell(hpci, vq);
	hpci_clear(hpci);
	return 0;
}

void hpci_fini(struct hpci *hpci)
{
	pci_detach_doorbells(&hpci->fn);
	free(hpci->queue);
	hpci->queue = NULL;
}
