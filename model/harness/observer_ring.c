// SPDX-License-Identifier: GPL-2.0-only
#include "model/harness/observer_ring.h"

#include <stdlib.h>
#include <string.h>

#include "model/guest/guest.h"
#include "model/hw/lines.h"
#include "model/hw/ram.h"
#include "model/hw/stamp.h"
#include "model/hw/vcpu.h"
#include "sim/assert.h"
#include "sim/sim.h"
#include <uapi/linux/virtio_ring.h>

void observer_ring_init(struct observer_ring *ring, uint32_t vq,
			const struct hpci_queue *q)
{
	memset(ring, 0, sizeof(*ring));
	ring->ops = q->ring.ops == &hring_packed ? &observer_packed :
						   &observer_split;
	ring->vq = vq;
	ring->size = q->size;
	ring->desc_pa = q->desc_pa;
	ring->driver_pa = q->driver_pa;
	ring->device_pa = q->device_pa;
	ring->pending_ps = SIM_NEVER_PS;
	ring->rq_of_head = malloc(q->size * sizeof(*ring->rq_of_head));
	ring->slots_of_head = calloc(q->size, sizeof(*ring->slots_of_head));
	sim_assert(ring->rq_of_head && ring->slots_of_head);
	memset(ring->rq_of_head, 0xff, q->size * sizeof(*ring->rq_of_head));
	ring->ops->init(ring);
}

void observer_ring_fini(struct observer_ring *ring)
{
	free(ring->rq_of_head);
	free(ring->slots_of_head);
}

void observer_ring_unwatch(struct observer_ring *ring)
{
	for (uint32_t i = 0; i < ring->areas_nr; i++)
		lines_watch(RAM_BASE + ring->area[i].pa, ring->area[i].bytes,
			    false);
}

void observer_ring_watch(struct observer_ring *ring, uint64_t pa,
			 uint64_t bytes)
{
	struct observer_area *area = &ring->area[ring->areas_nr++];

	sim_assert(ring->areas_nr <= OBSERVER_AREAS_MAX);
	area->pa = pa;
	area->bytes = bytes;
	lines_watch(RAM_BASE + pa, bytes, true);
}

static bool observer_ring_has(const struct observer_ring *ring, uint64_t pa)
{
	for (uint32_t i = 0; i < ring->areas_nr; i++)
		if (pa - ring->area[i].pa < ring->area[i].bytes)
			return true;
	return false;
}

static bool observer_in_guest(void)
{
	struct vcpu *v = vcpu_self();

	return v && !v->in_host;
}

uint32_t observer_ring_access(struct observer_ring *ring, uint64_t pa,
			      uint32_t bytes, bool write)
{
	uint32_t nr = 0;

	if (!observer_ring_has(ring, pa))
		return 0;
	if (ring->pending_ps != SIM_NEVER_PS) {
		nr = ring->ops->look(ring);
		ring->pending_ps = SIM_NEVER_PS;
	}
	if (observer_in_guest())
		ring->ops->access(ring, pa, bytes, write);
	return nr;
}

/* A descriptor of either format begins with the address. */
uint32_t observer_ring_request(uint64_t pa, bool indirect)
{
	if (indirect) {
		if (!ram_valid(pa, sizeof(struct vring_desc)))
			return OBSERVER_NO_REQUEST;
		pa = ((const struct vring_desc *)ram_va(pa))->addr;
	}
	return guest_request_of_pa(pa);
}

uint32_t observer_ring_request_of_head(const struct observer_ring *ring,
				       uint64_t head)
{
	return head < ring->size ? ring->rq_of_head[head] :
				   OBSERVER_NO_REQUEST;
}

void observer_ring_stamp_avail(const struct observer_ring *ring, uint32_t rq)
{
	if (rq != OBSERVER_NO_REQUEST)
		stamp_watch(STAMP_AVAIL, rq, ring->vq, ring->pending_ps);
}

void observer_ring_stamp_reap(const struct observer_ring *ring, uint32_t rq)
{
	if (rq != OBSERVER_NO_REQUEST)
		stamp_watch(STAMP_REAP, rq, ring->vq, sim_now());
}
