// SPDX-License-Identifier: GPL-2.0-only
/*
 * Split rings, virtio 1.2 clause 2.7: a store to the available index makes
 * chains available; a read of a used element takes one back.
 */
#include "model/harness/observer_ring.h"
#include "model/hw/ram.h"
#include "sim/sim.h"
#include <uapi/linux/virtio_ring.h>

/* Offsets in the rings, 2.7.6 and 2.7.8. */
#define AVAIL_IDX		2u
#define AVAIL_RING		4u
#define USED_RING		4u
#define USED_ELEM_BYTES		8u

static void split_init(struct observer_ring *ring)
{
	uint64_t size = ring->size;

	observer_ring_watch(ring, ring->driver_pa, AVAIL_RING + 2 * size + 2);
	observer_ring_watch(ring, ring->device_pa,
			    USED_RING + USED_ELEM_BYTES * size + 2);
}

static uint32_t split_look(struct observer_ring *ring)
{
	const struct vring_desc *desc = ram_va(ring->desc_pa);
	const uint16_t *avail = ram_va(ring->driver_pa + AVAIL_RING);
	uint16_t idx = *(const uint16_t *)ram_va(ring->driver_pa + AVAIL_IDX);
	uint32_t nr = 0;

	for (; ring->avail_seq != idx; ring->avail_seq++) {
		uint16_t head = avail[ring->avail_seq & (ring->size - 1)];
		uint32_t rq;

		if (head >= ring->size)
			continue;
		rq = observer_ring_request(desc[head].addr,
					   desc[head].flags &
					   VRING_DESC_F_INDIRECT);
		ring->rq_of_head[head] = rq;
		observer_ring_stamp_avail(ring, rq);
		nr++;
	}
	return nr;
}

static void split_access(struct observer_ring *ring, uint64_t pa,
			 uint32_t bytes, bool write)
{
	uint64_t idx_pa = ring->driver_pa + AVAIL_IDX;
	uint64_t used = pa - (ring->device_pa + USED_RING);
	const uint32_t *id;

	if (write && pa <= idx_pa && idx_pa < pa + bytes)
		ring->pending_ps = sim_now();
	if (write || used >= (uint64_t)ring->size * USED_ELEM_BYTES ||
	    used % USED_ELEM_BYTES >= sizeof(*id))
		return;
	id = ram_va(pa - used % USED_ELEM_BYTES);
	observer_ring_stamp_reap(ring,
				 observer_ring_request_of_head(ring, *id));
}

const struct observer_ring_ops observer_split = {
	.init = split_init,
	.look = split_look,
	.access = split_access,
};
