// SPDX-License-Identifier: GPL-2.0-only
/*
 * Packed rings, virtio 1.2 clause 2.8: the store to the flags of a chain's
 * first descriptor makes it available; a read of the id of a used descriptor
 * takes a chain back.
 */
#include "model/harness/observer_ring.h"
#include "model/hw/ram.h"
#include "sim/sim.h"
#include <stddef.h>
#include <uapi/linux/virtio_ring.h>

#define PACKED_AVAIL	(1u << VRING_PACKED_DESC_F_AVAIL)
#define PACKED_USED	(1u << VRING_PACKED_DESC_F_USED)

static void packed_init(struct observer_ring *ring)
{
	observer_ring_watch(ring, ring->desc_pa,
			    sizeof(struct vring_packed_desc) *
			    (uint64_t)ring->size);
}

static uint16_t packed_forward(const struct observer_ring *ring, uint16_t seq,
			       uint32_t nr)
{
	return (uint16_t)((seq + nr) % (2 * ring->size));
}

static const struct vring_packed_desc *
packed_desc(const struct observer_ring *ring, uint16_t seq)
{
	const struct vring_packed_desc *desc = ram_va(ring->desc_pa);

	return &desc[seq % ring->size];
}

/* 2.8.1: the first half of the circle is that of wrap counter 1. */
static bool packed_is_avail(const struct observer_ring *ring, uint16_t seq)
{
	uint32_t flags = packed_desc(ring, seq)->flags;

	return (flags & (PACKED_AVAIL | PACKED_USED)) ==
	       (seq < ring->size ? PACKED_AVAIL : PACKED_USED);
}

static bool packed_is_used(const struct observer_ring *ring, uint16_t seq)
{
	uint32_t flags = packed_desc(ring, seq)->flags;

	return (flags & (PACKED_AVAIL | PACKED_USED)) ==
	       (seq < ring->size ? PACKED_AVAIL | PACKED_USED : 0);
}

/* The chain at avail_seq, which is available. 2.8.6: its end has the id. */
static bool packed_add(struct observer_ring *ring)
{
	const struct vring_packed_desc *desc = packed_desc(ring,
							   ring->avail_seq);
	uint32_t rq = observer_ring_request(desc->addr, desc->flags &
					    VRING_DESC_F_INDIRECT);
	uint32_t nr = 1;

	for (; desc->flags & VRING_DESC_F_NEXT && nr < ring->size; nr++)
		desc = packed_desc(ring, packed_forward(ring, ring->avail_seq,
							nr));
	ring->avail_seq = packed_forward(ring, ring->avail_seq, nr);
	if (desc->id >= ring->size)
		return false;
	ring->rq_of_head[desc->id] = rq;
	ring->slots_of_head[desc->id] = (uint16_t)nr;
	observer_ring_stamp_avail(ring, rq);
	return true;
}

/* The bound is for a driver that makes available what it has not got back. */
static uint32_t packed_look(struct observer_ring *ring)
{
	uint32_t nr = 0;

	for (uint32_t i = 0; i < ring->size; i++) {
		if (!packed_is_avail(ring, ring->avail_seq))
			break;
		nr += packed_add(ring);
	}
	return nr;
}

static bool packed_touches(const struct observer_ring *ring, uint16_t seq,
			   size_t field, uint64_t pa, uint32_t bytes)
{
	uint64_t field_pa = ram_pa(packed_desc(ring, seq)) + field;

	return pa <= field_pa && field_pa < pa + bytes;
}

static void packed_reap(struct observer_ring *ring)
{
	uint16_t id = packed_desc(ring, ring->reap_seq)->id;

	if (id >= ring->size)
		return;
	observer_ring_stamp_reap(ring, ring->rq_of_head[id]);
	ring->reap_seq = packed_forward(ring, ring->reap_seq,
					ring->slots_of_head[id]);
}

static void packed_access(struct observer_ring *ring, uint64_t pa,
			  uint32_t bytes, bool write)
{
	if (write && packed_touches(ring, ring->avail_seq,
				    offsetof(struct vring_packed_desc, flags),
				    pa, bytes))
		ring->pending_ps = sim_now();
	if (!write && packed_touches(ring, ring->reap_seq,
				     offsetof(struct vring_packed_desc, id),
				     pa, bytes) &&
	    packed_is_used(ring, ring->reap_seq))
		packed_reap(ring);
}

const struct observer_ring_ops observer_packed = {
	.init = packed_init,
	.look = packed_look,
	.access = packed_access,
};
