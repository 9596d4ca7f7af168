/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The driver's side of a packed ring as plain bytes, written from virtio 1.2
 * clause 2.8 with offsets of its own. Positions are descriptors counted from
 * the start, in integers that don't wrap.
 */
#ifndef TESTS_HOST_RIG_PACKED_H
#define TESTS_HOST_RIG_PACKED_H

#include "tests/host/rig.h"

#define RIG_AVAIL_BIT	0x80u
#define RIG_USED_BIT	0x8000u
#define RIG_ENABLE	0u
#define RIG_DISABLE	1u
#define RIG_EVENT	2u

/* In the first, third, fifth... pass over the ring the counter is 1. */
static inline bool rig_wrap(uint32_t size, uint64_t at)
{
	return !(at / size & 1);
}

static inline uint64_t rig_slot_pa(uint32_t size, uint64_t at)
{
	return RIG_DESC_PA + 16 * (at % size);
}

static inline uint16_t rig_avail_bits(uint32_t size, uint64_t at)
{
	return rig_wrap(size, at) ? RIG_AVAIL_BIT : RIG_USED_BIT;
}

/* Available descriptor number @at, except for its flags. */
static inline void rig_packed_body(uint32_t size, uint64_t at, uint64_t pa,
				   uint32_t len, uint16_t id)
{
	rig_put(rig_slot_pa(size, at), &pa, 8);
	rig_put(rig_slot_pa(size, at) + 8, &len, 4);
	rig_put16(rig_slot_pa(size, at) + 12, id);
}

static inline void rig_packed_flags(uint32_t size, uint64_t at, uint16_t flags)
{
	rig_put16(rig_slot_pa(size, at) + 14,
		  flags | rig_avail_bits(size, at));
}

static inline void rig_packed(uint32_t size, uint64_t at, uint64_t pa,
			      uint32_t len, uint16_t id, uint16_t flags)
{
	rig_packed_body(size, at, pa, len, id);
	rig_packed_flags(size, at, flags);
}

/* A chain of @nr writable bytes at @at, @id in its last descriptor only. */
static inline void rig_packed_chain(uint32_t size, uint64_t at, uint32_t nr,
				    uint16_t id)
{
	for (uint32_t i = nr; i-- > 0;)
		rig_packed(size, at + i, RIG_DATA_PA + i, 1,
			   i == nr - 1 ? id : 0xeeee,
			   RIG_WRITE | (i == nr - 1 ? 0 : RIG_NEXT));
}

/* Table entry @i: what isn't reserved in it. */
static inline void rig_packed_entry(uint32_t i, uint64_t pa, uint32_t len,
				    uint16_t flags)
{
	rig_desc_in(RIG_TABLE_PA, i, pa, len, 0xeeee, flags);
}

/* Does descriptor @at say that it is used? */
static inline bool rig_is_used(uint32_t size, uint64_t at)
{
	uint16_t flags = rig_get16(rig_slot_pa(size, at) + 14);
	uint16_t bits = rig_wrap(size, at) ? RIG_AVAIL_BIT | RIG_USED_BIT : 0;

	return (flags & (RIG_AVAIL_BIT | RIG_USED_BIT)) == bits;
}

static inline bool rig_is_written(uint32_t size, uint64_t at)
{
	return rig_get16(rig_slot_pa(size, at) + 14) & RIG_WRITE;
}

static inline uint16_t rig_packed_id(uint32_t size, uint64_t at)
{
	return rig_get16(rig_slot_pa(size, at) + 12);
}

static inline uint32_t rig_packed_len(uint32_t size, uint64_t at)
{
	return rig_get32(rig_slot_pa(size, at) + 8);
}

/* Event suppression structures, 2.8.10: the driver's, the device's. */
static inline uint16_t rig_off_wrap(uint32_t size, uint64_t at)
{
	return (uint16_t)(at % size | (uint32_t)rig_wrap(size, at) << 15);
}

static inline void rig_set_driver_event(uint16_t flags, uint16_t off_wrap)
{
	rig_put16(RIG_AVAIL_PA, off_wrap);
	rig_put16(RIG_AVAIL_PA + 2, flags);
}

static inline uint16_t rig_device_flags(void)
{
	return rig_get16(RIG_USED_PA + 2);
}

static inline uint16_t rig_device_off_wrap(void)
{
	return rig_get16(RIG_USED_PA);
}

/* Is position @event, modulo two passes, among [@old, @new)? */
static inline bool rig_passed(uint32_t size, uint16_t off_wrap, uint64_t old,
			      uint64_t new)
{
	for (; old < new; old++)
		if (rig_off_wrap(size, old) == off_wrap)
			return true;
	return false;
}

#endif
