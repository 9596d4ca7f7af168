// SPDX-License-Identifier: GPL-2.0-only
/* The split virtqueue, virtio 1.2 clause 2.7. */
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "model/host/hring_format.h"
#include "model/hw/ram.h"
#include "sim/assert.h"
#include <uapi/linux/virtio_ring.h>

/* Addresses of the parts, 2.7.6 and 2.7.8. */
static uint64_t avail_flags_pa(const struct hring *ring)
{
	return ring->config.driver_pa + offsetof(struct vring_avail, flags);
}

static uint64_t avail_idx_pa(const struct hring *ring)
{
	return ring->config.driver_pa + offsetof(struct vring_avail, idx);
}

static uint64_t avail_entry_pa(const struct hring *ring, uint32_t slot)
{
	return ring->config.driver_pa + offsetof(struct vring_avail, ring) +
	       sizeof(uint16_t) * slot;
}

static uint64_t used_event_pa(const struct hring *ring)
{
	return avail_entry_pa(ring, ring->config.size);
}

static uint64_t used_flags_pa(const struct hring *ring)
{
	return ring->config.device_pa + offsetof(struct vring_used, flags);
}

static uint64_t used_idx_pa(const struct hring *ring)
{
	return ring->config.device_pa + offsetof(struct vring_used, idx);
}

static uint64_t used_entry_pa(const struct hring *ring, uint32_t slot)
{
	return ring->config.device_pa + offsetof(struct vring_used, ring) +
	       sizeof(struct vring_used_elem) * slot;
}

static uint64_t avail_event_pa(const struct hring *ring)
{
	return used_entry_pa(ring, ring->config.size);
}

static uint32_t split_slot(const struct hring *ring, uint16_t seq)
{
	return seq & (ring->config.size - 1);
}

static enum hring_error split_check(const struct hring_config *c)
{
	uint64_t size = c->size;

	sim_assert(size && size <= HRING_SIZE_MAX && !(size & (size - 1)));
	if (!hring_part_ok(c->desc_pa, sizeof(struct vring_desc) * size,
			   VRING_DESC_ALIGN_SIZE) ||
	    !hring_part_ok(c->driver_pa, sizeof(uint16_t) * (3 + size),
			   VRING_AVAIL_ALIGN_SIZE) ||
	    !hring_part_ok(c->device_pa, sizeof(uint16_t) * 3 +
			   sizeof(struct vring_used_elem) * size,
			   VRING_USED_ALIGN_SIZE))
		return HRING_ERR_RING_RAM;
	return HRING_ERR_NONE;
}

/* Look how far the driver is. 0 or -EBADMSG. */
static int split_refresh(struct hring *ring)
{
	uint16_t idx;

	if (!ram_read16(avail_idx_pa(ring), &idx))
		return hring_fail(ring, HRING_ERR_RING_RAM, 0);
	if ((uint16_t)(idx - ring->avail_seq) > ring->config.size)
		return hring_fail(ring, HRING_ERR_AVAIL_IDX, idx);
	ring->avail_end_seq = idx;
	return 0;
}

/*
 * A table being walked: the descriptor table, or an indirect one.
 * @at: the descriptor being looked at
 */
struct split_walk {
	struct hring *ring;
	struct hring_chain *chain;
	uint64_t table_pa;
	uint32_t table_nr;
	bool indirect;
	uint32_t at;
};

static enum hring_error split_check_indirect(const struct split_walk *walk,
					     const struct vring_desc *desc)
{
	if (walk->indirect)
		return HRING_ERR_INDIRECT_NESTED;
	if (!walk->ring->config.indirect)
		return HRING_ERR_INDIRECT_OFF;
	if (desc->flags & VRING_DESC_F_NEXT)
		return HRING_ERR_INDIRECT_NEXT;
	return hring_check_table(desc->addr, desc->len);
}

/* The table that @desc points to replaces the one being walked (2.7.5.3.2). */
static enum hring_error split_enter_indirect(struct split_walk *walk,
					     const struct vring_desc *desc)
{
	enum hring_error error = split_check_indirect(walk, desc);

	if (error)
		return error;
	walk->table_pa = desc->addr;
	walk->table_nr = desc->len / sizeof(struct vring_desc);
	walk->indirect = true;
	walk->ring->stats.indirect_nr++;
	return HRING_ERR_NONE;
}

/* From descriptor walk->at of one table to the end of the chain there. */
static enum hring_error split_walk_table(struct split_walk *walk,
					 struct vring_desc *desc)
{
	enum hring_error error;

	for (uint32_t nr = 0; nr < walk->table_nr; nr++) {
		if (!ram_read(walk->table_pa + sizeof(*desc) * walk->at, desc,
			      sizeof(*desc)))
			return HRING_ERR_RING_RAM;
		walk->chain->descs_nr++;
		if (desc->flags & VRING_DESC_F_INDIRECT)
			return HRING_ERR_NONE;
		error = hring_add_buffer(walk->chain, desc->addr, desc->len,
					 desc->flags & VRING_DESC_F_WRITE);
		if (error || !(desc->flags & VRING_DESC_F_NEXT))
			return error;
		if (desc->next >= walk->table_nr)
			return HRING_ERR_NEXT;
		walk->at = desc->next;
	}
	return HRING_ERR_CHAIN_LONG;
}

static enum hring_error split_walk(struct split_walk *walk)
{
	struct vring_desc desc = { 0 };
	enum hring_error error = split_walk_table(walk, &desc);

	while (!error && desc.flags & VRING_DESC_F_INDIRECT) {
		error = split_enter_indirect(walk, &desc);
		if (error)
			break;
		walk->at = 0;
		error = split_walk_table(walk, &desc);
	}
	return error;
}

static int split_pop_chain(struct hring *ring, struct hring_chain *chain)
{
	struct split_walk walk = {
		.ring = ring,
		.chain = chain,
		.table_pa = ring->config.desc_pa,
		.table_nr = ring->config.size,
		.at = chain->head,
	};
	enum hring_error error = split_walk(&walk);

	if (error)
		return hring_fail(ring, error, walk.at);
	hring_take(ring, chain);
	ring->avail_seq++;
	return 1;
}

static int split_pop_head(struct hring *ring, uint16_t *head)
{
	uint32_t slot = split_slot(ring, ring->avail_seq);

	if (ring->in_use_nr == ring->config.size)
		return hring_fail(ring, HRING_ERR_IN_USE, ring->avail_seq);
	if (!ram_read16(avail_entry_pa(ring, slot), head))
		return hring_fail(ring, HRING_ERR_RING_RAM, slot);
	if (*head >= ring->config.size)
		return hring_fail(ring, HRING_ERR_HEAD, *head);
	if (hring_is_busy(ring, *head))
		return hring_fail(ring, HRING_ERR_HEAD_BUSY, *head);
	return 0;
}

/* Is there a chain to take? 1, 0 or -EBADMSG. Reads the index only if it must. */
static int split_look(struct hring *ring)
{
	if (ring->avail_seq == ring->avail_end_seq && split_refresh(ring))
		return -EBADMSG;
	return ring->avail_seq != ring->avail_end_seq;
}

static int split_pop(struct hring *ring, struct hring_chain *chain)
{
	int there;

	if (ring->error)
		return -EBADMSG;
	there = split_look(ring);
	if (there < 0)
		return there;
	if (!there) {
		ring->stats.pops_empty_nr++;
		return 0;
	}
	memset(chain, 0, offsetof(struct hring_chain, iov));
	if (split_pop_head(ring, &chain->head))
		return -EBADMSG;
	return split_pop_chain(ring, chain);
}

static void split_push(struct hring *ring, uint16_t head,
		       uint32_t written_bytes)
{
	struct vring_used_elem elem = { .id = head, .len = written_bytes };
	uint32_t slot = split_slot(ring, ring->used_seq);

	hring_give_back(ring, head);
	ram_write(used_entry_pa(ring, slot), &elem, sizeof(elem));
	ring->used_seq++;
}

static void split_publish(struct hring *ring)
{
	if (ring->published_seq == ring->used_seq)
		return;
	ram_write16(used_idx_pa(ring), ring->used_seq);
	ring->published_seq = ring->used_seq;
	ring->stats.publishes_nr++;
}

/* The driver's wish, read after the used index was written. */
static bool split_wants_interrupt(struct hring *ring)
{
	uint16_t old_seq = ring->notified_seq;
	uint16_t value = 0;

	ring->notified_seq = ring->published_seq;
	if (!ring->config.event_idx) {
		ram_read16(avail_flags_pa(ring), &value);
		return !(value & VRING_AVAIL_F_NO_INTERRUPT);
	}
	ram_read16(used_event_pa(ring), &value);
	return hring_need_event(value, ring->published_seq, old_seq);
}

static bool split_should_interrupt(struct hring *ring)
{
	ram_barrier();
	return hring_count_interrupt(ring, split_wants_interrupt(ring));
}

/*
 * With event indexes there is nothing to write: avail_event stays behind, and
 * the driver finds that its index doesn't step over it (2.7.10.1).
 */
static void split_suppress_kicks(struct hring *ring)
{
	if (!ring->armed)
		return;
	ring->armed = false;
	ring->stats.suppresses_nr++;
	if (!ring->config.event_idx)
		ram_write16(used_flags_pa(ring), VRING_USED_F_NO_NOTIFY);
}

static bool split_arm_kicks(struct hring *ring)
{
	bool raced;

	if (ring->error)
		return true;
	ring->armed = true;
	ring->stats.arms_nr++;
	if (ring->config.event_idx)
		ram_write16(avail_event_pa(ring), ring->avail_seq);
	else
		ram_write16(used_flags_pa(ring), 0);
	ram_barrier();
	raced = split_refresh(ring) || ring->avail_seq != ring->avail_end_seq;
	if (raced)
		ring->stats.arms_raced_nr++;
	return raced;
}

/* As virtqueue_pop of QEMU before 2.9 does with each buffer it takes. */
static void split_arm_ahead(struct hring *ring)
{
	if (ring->error || !ring->config.event_idx)
		return;
	split_refresh(ring);
	ring->armed = true;
	ring->stats.arms_nr++;
	ram_write16(avail_event_pa(ring), ring->avail_end_seq);
	ram_barrier();
}

const struct hring_ops hring_split = {
	.name = "split",
	.check = split_check,
	.pop = split_pop,
	.push = split_push,
	.publish = split_publish,
	.should_interrupt = split_should_interrupt,
	.suppress_kicks = split_suppress_kicks,
	.arm_kicks = split_arm_kicks,
	.arm_ahead = split_arm_ahead,
	.look = split_look,
};
