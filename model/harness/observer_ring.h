/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the observer sees of one virtqueue: which request a chain carries, when
 * the driver makes it available and when it takes it back. Reads the ring's
 * memory from outside, by watching its lines; private to observer*.c.
 */
#ifndef MODEL_HARNESS_OBSERVER_RING_H
#define MODEL_HARNESS_OBSERVER_RING_H

#include <stdbool.h>
#include <stdint.h>

#include "model/host/hpci.h"

#define OBSERVER_NO_REQUEST	UINT32_MAX
#define OBSERVER_AREAS_MAX	2u

/* Guest memory that is watched. */
struct observer_area {
	uint64_t pa;
	uint64_t bytes;
};

struct observer_ring;

/*
 * A ring format.
 * @init:   sets the areas
 * @look:   the driver's last store of interest, made at ring->pending_ps, is
 *          in memory now: stamp what it made available. Number of chains
 * @access: the guest is about to access [@pa, @pa + @bytes); sets pending_ps,
 *          stamps what is taken back
 */
struct observer_ring_ops {
	void (*init)(struct observer_ring *ring);
	uint32_t (*look)(struct observer_ring *ring);
	void (*access)(struct observer_ring *ring, uint64_t pa, uint32_t bytes,
		       bool write);
};

extern const struct observer_ring_ops observer_split;
extern const struct observer_ring_ops observer_packed;

/*
 * @size, @desc_pa, @driver_pa, @device_pa: as in struct hring_config
 * @avail_seq:  next to be made available, as struct hring counts
 * @reap_seq:   next to be taken back; packed only
 * @pending_ps: when the driver made its last store of interest, SIM_NEVER_PS
 *              if that has been looked at
 * @rq_of_head, @slots_of_head: by head of struct hring_chain; the latter are
 *              the chain's descriptors in the ring, packed only
 */
struct observer_ring {
	const struct observer_ring_ops *ops;
	uint32_t vq;
	uint32_t size;
	uint64_t desc_pa;
	uint64_t driver_pa;
	uint64_t device_pa;
	uint16_t avail_seq;
	uint16_t reap_seq;
	uint64_t pending_ps;
	uint32_t *rq_of_head;
	uint16_t *slots_of_head;
	struct observer_area area[OBSERVER_AREAS_MAX];
	uint32_t areas_nr;
};

/* Start to watch queue @vq, which @q has enabled. */
void observer_ring_init(struct observer_ring *ring, uint32_t vq,
			const struct hpci_queue *q);
void observer_ring_fini(struct observer_ring *ring);

/* Watch its memory no more; RAM must still be there. */
void observer_ring_unwatch(struct observer_ring *ring);

/*
 * Somebody is about to access [@pa, @pa + @bytes), which may be elsewhere.
 * Number of chains found to have been made available.
 */
uint32_t observer_ring_access(struct observer_ring *ring, uint64_t pa,
			      uint32_t bytes, bool write);

/* The request whose driver data begin at @pa; @pa may lie outside RAM. */
uint32_t observer_ring_request(uint64_t pa, bool indirect);

/* The request of a @head the device names, OBSERVER_NO_REQUEST. */
uint32_t observer_ring_request_of_head(const struct observer_ring *ring,
				       uint64_t head);

/* Stamp request @rq, unless it is OBSERVER_NO_REQUEST. */
void observer_ring_stamp_avail(const struct observer_ring *ring, uint32_t rq);
void observer_ring_stamp_reap(const struct observer_ring *ring, uint32_t rq);

void observer_ring_watch(struct observer_ring *ring, uint64_t pa,
			 uint64_t bytes);

#endif
