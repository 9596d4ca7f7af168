// SPDX-License-Identifier: GPL-2.0-only
/* The packed virtqueue, virtio 1.2 clause 2.8. */
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "model/host/hring_format.h"
#include "model/hw/ram.h"
#include "sim/assert.h"
#include <uapi/linux/virtio_ring.h>

#define PACKED_AVAIL		(1u << VRING_PACKED_DESC_F_AVAIL)
#define PACKED_USED		(1u << VRING_PACKED_DESC_F_USED)
#define PACKED_EVENT_ALIGN	4u
#define PACKED_EVENT_FLAGS	3u	/* the other bits are reserved */

_Static_assert(sizeof(struct vring_packed_desc) == HRING_DESC_BYTES, "2.8.13");

/* The circle of 2 * size positions, see struct hring. */

static uint16_t packed_forward(const struct hring *ring, uint16_t seq,
			       uint32_t nr)
{
	return (uint16_t)((seq + nr) % (2 * ring->config.size));
}

static uint32_t packed_distance(const struct hring *ring, uint16_t from,
				uint16_t to)
{
	return (to + 2 * ring->config.size - from) % (2 * ring->config.size);
}

static bool packed_wrap(const struct hring *ring, uint16_t seq)
{
	return seq < ring->config.size;
}

static uint64_t packed_desc_pa(const struct hring *ring, uint16_t seq)
{
	uint32_t slot = packed_wrap(ring, seq) ? seq : seq - ring->config.size;

	return ring->config.desc_pa + HRING_DESC_BYTES * slot;
}

static uint64_t packed_flags_pa(const struct hring *ring, uint16_t seq)
{
	return packed_desc_pa(ring, seq) +
	       offsetof(struct vring_packed_desc, flags);
}

static enum hring_error packed_check(const struct hring_config *c)
{
	uint64_t event_bytes = sizeof(struct vring_packed_desc_event);

	sim_assert(c->size && c->size <= HRING_SIZE_MAX);
	if (!hring_part_ok(c->desc_pa, HRING_DESC_BYTES * (uint64_t)c->size,
			   VRING_DESC_ALIGN_SIZE) ||
	    !hring_part_ok(c->driver_pa, event_bytes, PACKED_EVENT_ALIGN) ||
	    !hring_part_ok(c->device_pa, event_bytes, PACKED_EVENT_ALIGN))
		return HRING_ERR_RING_RAM;
	return HRING_ERR_NONE;
}

/* 2.8.1: AVAIL as the wrap counter, USED the other way round. */
static bool packed_is_avail(const struct hring *ring, uint16_t seq,
			    uint16_t flags)
{
	bool wrap = packed_wrap(ring, seq);

	return !!(flags & PACKED_AVAIL) == wrap &&
	       !!(flags & PACKED_USED) != wrap;
}

/*
 * A chain being walked. @slots_nr: its descriptors in the ring so far; @desc:
 * the last of them, which holds the buffer id (2.8.6)
 */
struct packed_walk {
	struct hring *ring;
	struct hring_chain *chain;
	uint32_t slots_nr;
	struct vring_packed_desc desc;
};

/* Descriptors of the driver that the device hasn't given back. */
static uint32_t packed_in_use(const struct hring *ring)
{
	return packed_distance(ring, ring->published_seq, ring->avail_seq);
}

static enum hring_error packed_read_next(struct packed_walk *walk)
{
	struct hring *ring = walk->ring;
	uint16_t seq = packed_forward(ring, ring->avail_seq, walk->slots_nr);

	if (walk->slots_nr == ring->config.size)
		return HRING_ERR_CHAIN_LONG;
	if (packed_in_use(ring) + walk->slots_nr == ring->config.size)
		return HRING_ERR_DESCS_IN_USE;
	if (!ram_read(packed_desc_pa(ring, seq), &walk->desc,
		      sizeof(walk->desc)))
		return HRING_ERR_RING_RAM;
	if (!packed_is_avail(ring, seq, walk->desc.flags))
		return HRING_ERR_CHAIN_AVAIL;
	walk->slots_nr++;
	walk->chain->descs_nr++;
	return HRING_ERR_NONE;
}

static enum hring_error packed_check_indirect(const struct packed_walk *walk)
{
	const struct vring_packed_desc *desc = &walk->desc;

	if (!walk->ring->config.indirect)
		return HRING_ERR_INDIRECT_OFF;
	if (walk->slots_nr > 1)
		return HRING_ERR_INDIRECT_CHAINED;
	if (desc->flags & VRING_DESC_F_NEXT)
		return HRING_ERR_INDIRECT_NEXT;
	return hring_check_table(desc->addr, desc->len);
}

/*
 * 2.8.7: all descriptors of the table, in order; of their flags only WRITE
 * means something, the id nothing.
 */
static enum hring_error packed_walk_table(struct packed_walk *walk)
{
	enum hring_error error = packed_check_indirect(walk);
	uint32_t nr = walk->desc.len / HRING_DESC_BYTES;
	struct vring_packed_desc desc;

	if (error)
		return error;
	walk->ring->stats.indirect_nr++;
	for (uint32_t i = 0; i < nr && !error; i++) {
		if (!ram_read(walk->desc.addr + sizeof(desc) * i, &desc,
			      sizeof(desc)))
			return HRING_ERR_INDIRECT_RAM;
		walk->chain->descs_nr++;
		error = hring_add_buffer(walk->chain, desc.addr, desc.len,
					 desc.flags & VRING_DESC_F_WRITE);
	}
	return error;
}

static enum hring_error packed_walk(struct packed_walk *walk)
{
	const struct vring_packed_desc *desc = &walk->desc;
	enum hring_error error;

	do {
		error = packed_read_next(walk);
		if (error)
			return error;
		if (desc->flags & VRING_DESC_F_INDIRECT)
			return packed_walk_table(walk);
		error = hring_add_buffer(walk->chain, desc->addr, desc->len,
					 desc->flags & VRING_DESC_F_WRITE);
	} while (!error && desc->flags & VRING_DESC_F_NEXT);
	return error;
}

static enum hring_error packed_check_id(const struct hring *ring, uint16_t id)
{
	if (id >= ring->config.size)
		return HRING_ERR_ID;
	return hring_is_busy(ring, id) ? HRING_ERR_ID_BUSY : HRING_ERR_NONE;
}

static int packed_pop_chain(struct hring *ring, struct hring_chain *chain)
{
	struct packed_walk walk = { .ring = ring, .chain = chain };
	enum hring_error error = packed_walk(&walk);

	if (error)
		return hring_fail(ring, error,
				  packed_forward(ring, ring->avail_seq,
						 walk.slots_nr));
	error = packed_check_id(ring, walk.desc.id);
	if (error)
		return hring_fail(ring, error, walk.desc.id);
	chain->head = walk.desc.id;
	ring->packed.slots_nr[chain->head] = (uint16_t)walk.slots_nr;
	hring_take(ring, chain);
	ring->avail_seq = packed_forward(ring, ring->avail_seq, walk.slots_nr);
	return 1;
}

/* 1: the next descriptor is available; 0: not; or -EBADMSG. */
static int packed_look(struct hring *ring)
{
	uint16_t flags;

	if (!ram_read16(packed_flags_pa(ring, ring->avail_seq), &flags))
		return hring_fail(ring, HRING_ERR_RING_RAM, ring->avail_seq);
	return packed_is_avail(ring, ring->avail_seq, flags);
}

/* The flags are read before all else: what they announce was written before. */
static int packed_pop(struct hring *ring, struct hring_chain *chain)
{
	int there;

	if (ring->error)
		return -EBADMSG;
	there = packed_look(ring);
	if (there < 0)
		return there;
	if (!there) {
		ring->stats.pops_empty_nr++;
		return 0;
	}
	memset(chain, 0, offsetof(struct hring_chain, iov));
	return packed_pop_chain(ring, chain);
}

/* 2.8.1, 2.8.3: both bits as the wrap counter; WRITE says that len counts. */
static uint16_t packed_used_flags(const struct hring *ring,
				  uint32_t written_bytes)
{
	uint32_t flags = written_bytes ? VRING_DESC_F_WRITE : 0;

	if (packed_wrap(ring, ring->used_seq))
		flags |= PACKED_AVAIL | PACKED_USED;
	return (uint16_t)flags;
}

/*
 * The driver looks at one descriptor only, the first that isn't published. Its
 * flags are kept back; those after it may say used already (2.8.2).
 */
static void packed_push(struct hring *ring, uint16_t head,
			uint32_t written_bytes)
{
	const size_t from = offsetof(struct vring_packed_desc, len);
	struct vring_packed_desc desc = {
		.len = written_bytes,
		.id = head,
		.flags = packed_used_flags(ring, written_bytes),
	};
	bool first = ring->used_seq == ring->published_seq;

	hring_give_back(ring, head);
	if (first)
		ring->packed.first_flags = desc.flags;
	ram_write(packed_desc_pa(ring, ring->used_seq) + from, &desc.len,
		  first ? offsetof(struct vring_packed_desc, flags) - from :
			  sizeof(desc) - from);
	ring->used_seq = packed_forward(ring, ring->used_seq,
					ring->packed.slots_nr[head]);
}

static void packed_publish(struct hring *ring)
{
	uint32_t nr = packed_distance(ring, ring->published_seq,
				      ring->used_seq);

	if (!nr)
		return;
	ram_write16(packed_flags_pa(ring, ring->published_seq),
		    ring->packed.first_flags);
	ring->published_seq = ring->used_seq;
	ring->packed.unnotified_nr += nr;
	if (ring->packed.unnotified_nr > 2 * ring->config.size)
		ring->packed.unnotified_nr = 2 * ring->config.size;
	ring->stats.publishes_nr++;
}

/* Is the descriptor @off_wrap among the last @nr that were published? */
static bool packed_event_passed(struct hring *ring, uint32_t nr,
				uint16_t off_wrap)
{
	const uint32_t wrap = 1u << VRING_PACKED_EVENT_F_WRAP_CTR;
	uint32_t offset = off_wrap & ~wrap;
	uint32_t back;

	if (offset >= ring->config.size) {
		hring_fail(ring, HRING_ERR_EVENT_OFFSET, offset);
		return true;
	}
	if (!(off_wrap & wrap))
		offset += ring->config.size;
	/* How far back from the last one. */
	back = packed_distance(ring, (uint16_t)offset,
			       packed_forward(ring, ring->published_seq,
					      2 * ring->config.size - 1));
	return back < nr;
}

/* The driver's wish, 2.8.10, read after the used descriptors were written. */
static bool packed_wants_interrupt(struct hring *ring)
{
	uint32_t nr = ring->packed.unnotified_nr;
	uint32_t event = 0, flags;

	ring->packed.unnotified_nr = 0;
	ram_read32(ring->config.driver_pa, &event);
	flags = event >> 16 & PACKED_EVENT_FLAGS;
	if (flags == VRING_PACKED_EVENT_FLAG_DESC && ring->config.event_idx)
		return packed_event_passed(ring, nr, (uint16_t)event);
	if (flags > VRING_PACKED_EVENT_FLAG_DISABLE)
		hring_fail(ring, HRING_ERR_EVENT_FLAGS, flags);
	return flags != VRING_PACKED_EVENT_FLAG_DISABLE;
}

static bool packed_should_interrupt(struct hring *ring)
{
	ram_barrier();
	return hring_count_interrupt(ring, packed_wants_interrupt(ring));
}

/* Both fields in one store: the driver never sees half of it. */
static void packed_write_event(struct hring *ring, uint32_t flags,
			       uint32_t off_wrap)
{
	ram_write32(ring->config.device_pa, flags << 16 | off_wrap);
	ring->packed.kick_always = flags == VRING_PACKED_EVENT_FLAG_ENABLE;
}

static void packed_suppress_kicks(struct hring *ring)
{
	if (!ring->armed)
		return;
	ring->armed = false;
	ring->stats.suppresses_nr++;
	packed_write_event(ring, VRING_PACKED_EVENT_FLAG_DISABLE, 0);
}

static uint32_t packed_off_wrap(const struct hring *ring, uint16_t seq)
{
	if (packed_wrap(ring, seq))
		return seq | 1u << VRING_PACKED_EVENT_F_WRAP_CTR;
	return seq - ring->config.size;
}

static bool packed_arm_kicks(struct hring *ring)
{
	bool raced;

	if (ring->error)
		return true;
	ring->armed = true;
	ring->stats.arms_nr++;
	if (ring->config.event_idx)
		packed_write_event(ring, VRING_PACKED_EVENT_FLAG_DESC,
				   packed_off_wrap(ring, ring->avail_seq));
	else
		packed_write_event(ring, VRING_PACKED_EVENT_FLAG_ENABLE, 0);
	ram_barrier();
	raced = packed_look(ring) != 0;
	if (raced)
		ring->stats.arms_raced_nr++;
	return raced;
}

/*
 * How far the driver is cannot be read here as in a split ring, so the driver
 * is asked to kick for whatever comes, which it may be told once.
 */
static void packed_arm_ahead(struct hring *ring)
{
	if (ring->error || ring->packed.kick_always)
		return;
	ring->armed = true;
	ring->stats.arms_nr++;
	packed_write_event(ring, VRING_PACKED_EVENT_FLAG_ENABLE, 0);
	ram_barrier();
}

const struct hring_ops hring_packed = {
	.name = "packed",
	.check = packed_check,
	.pop = packed_pop,
	.push = packed_push,
	.publish = packed_publish,
	.should_interrupt = packed_should_interrupt,
	.suppress_kicks = packed_suppress_kicks,
	.arm_kicks = packed_arm_kicks,
	.arm_ahead = packed_arm_ahead,
	.look = packed_look,
};
