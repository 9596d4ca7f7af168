/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What tests of model/host share: a machine without costs, and the driver's
 * side of a split ring as plain bytes, written from virtio 1.2 clause 2.7
 * with offsets of its own.
 */
#ifndef TESTS_HOST_RIG_H
#define TESTS_HOST_RIG_H

#include <check.h>
#include <string.h>

#include "model/host/hring.h"
#include "model/hw/cost.h"
#include "model/hw/ram.h"
#include "model/hw/thread.h"
#include "sim/random.h"
#include "sim/sim.h"
#include "sim/trace.h"

#define RIG_RAM_BYTES	(UINT64_C(16) << 20)
#define RIG_DESC_PA	(RAM_FIRST_PA + 0x10000)
#define RIG_AVAIL_PA	(RAM_FIRST_PA + 0x20000)
#define RIG_USED_PA	(RAM_FIRST_PA + 0x30000)
#define RIG_TABLE_PA	(RAM_FIRST_PA + 0x40000)
#define RIG_DATA_PA	(RAM_FIRST_PA + 0x100000)

#define RIG_NEXT	1u
#define RIG_WRITE	2u
#define RIG_INDIRECT	4u

static const struct hw_topology rig_topology = { 1, 4, 1 };

static inline void rig_init(void)
{
	memset(&hw_cost, 0, sizeof(hw_cost));
	sim_init();
	trace_init();
	ck_assert_int_eq(ram_init(RIG_RAM_BYTES), 0);
}

static inline void rig_fini(void)
{
	ram_fini();
	sim_fini();
}

static inline void rig_put(uint64_t pa, const void *value, size_t bytes)
{
	memcpy(ram_va(pa), value, bytes);
}

static inline void rig_put16(uint64_t pa, uint16_t value)
{
	rig_put(pa, &value, sizeof(value));
}

static inline uint16_t rig_get16(uint64_t pa)
{
	uint16_t value;

	memcpy(&value, ram_va(pa), sizeof(value));
	return value;
}

static inline uint32_t rig_get32(uint64_t pa)
{
	uint32_t value;

	memcpy(&value, ram_va(pa), sizeof(value));
	return value;
}

static inline uint8_t rig_get8(uint64_t pa)
{
	return *(uint8_t *)ram_va(pa);
}

/* Descriptor @i of the table at @table_pa. */
static inline void rig_desc_in(uint64_t table_pa, uint32_t i, uint64_t pa,
			       uint32_t len, uint16_t flags, uint16_t next)
{
	uint64_t at = table_pa + 16 * (uint64_t)i;

	rig_put(at, &pa, 8);
	rig_put(at + 8, &len, 4);
	rig_put16(at + 12, flags);
	rig_put16(at + 14, next);
}

static inline void rig_desc(uint32_t i, uint64_t pa, uint32_t len,
			    uint16_t flags, uint16_t next)
{
	rig_desc_in(RIG_DESC_PA, i, pa, len, flags, next);
}

/* Driver's side: size is the ring's, seq is free-running. */
static inline void rig_offer(uint32_t size, uint16_t seq, uint16_t head)
{
	rig_put16(RIG_AVAIL_PA + 4 + 2 * (seq & (size - 1)), head);
	rig_put16(RIG_AVAIL_PA + 2, (uint16_t)(seq + 1));
}

static inline void rig_set_no_interrupt(bool on)
{
	rig_put16(RIG_AVAIL_PA, on);
}

static inline void rig_set_used_event(uint32_t size, uint16_t seq)
{
	rig_put16(RIG_AVAIL_PA + 4 + 2 * size, seq);
}

static inline uint16_t rig_used_flags(void)
{
	return rig_get16(RIG_USED_PA);
}

static inline uint16_t rig_used_idx(void)
{
	return rig_get16(RIG_USED_PA + 2);
}

static inline uint32_t rig_used_id(uint32_t size, uint16_t seq)
{
	return rig_get32(RIG_USED_PA + 4 + 8 * (seq & (size - 1)));
}

static inline uint32_t rig_used_len(uint32_t size, uint16_t seq)
{
	return rig_get32(RIG_USED_PA + 8 + 8 * (seq & (size - 1)));
}

static inline uint16_t rig_avail_event(uint32_t size)
{
	return rig_get16(RIG_USED_PA + 4 + 8 * size);
}

static inline struct hring_config rig_ring_config(uint32_t size,
						  bool event_idx,
						  bool indirect)
{
	struct hring_config config = {
		.size = size,
		.desc_pa = RIG_DESC_PA,
		.driver_pa = RIG_AVAIL_PA,
		.device_pa = RIG_USED_PA,
		.event_idx = event_idx,
		.indirect = indirect,
	};

	return config;
}

/* Run @suite as Check programs here do. */
static inline int rig_main(Suite *suite)
{
	SRunner *runner = srunner_create(suite);
	int failed;

	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}

#endif
