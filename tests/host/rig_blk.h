/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A block device on a store of RAM, its host threads, and requests as a guest
 * writes them into the ring: for the tests of hblk*.
 */
#ifndef TESTS_HOST_RIG_BLK_H
#define TESTS_HOST_RIG_BLK_H

#include "tests/host/rig_guest.h"

#include "model/host/hblk.h"
#include "model/hw/stamp.h"
#include "sim/dist.h"

#define SIZE		64u
#define SECTORS		UINT64_C(8192)
#define US		SIM_PS_PER_US
#define BIT(n)		(UINT64_C(1) << (n))
#define BASE		(GUEST_CONFIG | BIT(VIRTIO_BLK_F_SEG_MAX) |	\
			 BIT(VIRTIO_BLK_F_BLK_SIZE))
#define ALL		(BASE | BIT(VIRTIO_BLK_F_FLUSH) |		\
			 BIT(VIRTIO_BLK_F_CONFIG_WCE) |			\
			 BIT(VIRTIO_BLK_F_DISCARD) |			\
			 BIT(VIRTIO_BLK_F_WRITE_ZEROES) |		\
			 BIT(VIRTIO_RING_F_INDIRECT_DESC))
#define WITH_EVENT	(ALL | BIT(VIRTIO_RING_F_EVENT_IDX))

/* Where request @i of a test has its parts. */
#define HEADER_PA(i)	(RIG_DATA_PA + 0x10000 * (uint64_t)(i))
#define STATUS_PA(i)	(HEADER_PA(i) + 0x100)
#define BUFFER_PA(i)	(HEADER_PA(i) + 0x1000)

static struct hblk blk;
static struct hstore store, ram;
static struct hloop loops[2];
static struct hloop *loop_list[2] = { &loops[0], &loops[1] };
static struct sim_lock big_lock;
static struct hblk_config config;
static struct sim_dist service;
static uint16_t offered;
static uint32_t stamps[STAMP_NR];
static uint64_t stamp_ps[STAMP_NR];
static uint32_t traced_irqs, traced_skips, traced_kicks;

static inline void on_trace(void *arg, const struct trace_hit *hit)
{
	enum stamp stamp = stamp_of_point(hit->point);

	(void)arg;
	if (stamp != STAMP_NR) {
		stamps[stamp]++;
		stamp_ps[stamp] = hit->time_ps;
	}
	traced_irqs += hit->point == &tp_irq;
	traced_skips += hit->point == &tp_irq_skipped;
	traced_kicks += hit->point == &tp_kick;
}

static inline void setup(void)
{
	rig_init();
	trace_set_listener(on_trace, NULL);
	memset(stamps, 0, sizeof(stamps));
	traced_irqs = traced_skips = traced_kicks = 0;
	offered = 0;
	sim_lock_init(&big_lock);
	ck_assert_int_eq(hstore_init_ram(&ram, SECTORS), 0);
	memset(&config, 0, sizeof(config));
	hblk_properties_init(&config.props);
	config.props.queue_size = SIZE;
	config.placement = HBLK_IOTHREAD;
	config.loops = loop_list;
	config.loops_nr = 1;
	config.big_lock = &big_lock;
	config.store = &ram;
	config.serial = "vblk-0";
	config.vcpus = guest_vcpus;
	config.vcpus_nr = 1;
}

/* After a test has changed @config. */
static inline void build(void)
{
	struct sim_lock *lock =
		config.placement == HBLK_IOTHREAD ? NULL : &big_lock;

	for (uint32_t i = 0; i < config.loops_nr; i++) {
		ck_assert_int_eq(hloop_init(&loops[i], HW_HOST_ID_BASE + i,
					    "loop", &rig_topology, i, lock),
				 0);
		hloop_start(&loops[i], 0);
	}
	ck_assert_int_eq(hblk_init(&blk, &config), 0);
}

static inline void build_queue_store(uint32_t servers)
{
	struct hstore_queue_config queue = {
		.servers = servers,
		.service = &service,
		.name = "store",
		.under = &ram,
	};

	sim_dist_init_constant(&service, 50 * US);
	ck_assert_int_eq(hstore_init_queue(&store, SECTORS, &queue), 0);
	config.store = &store;
	build();
}

static inline void teardown(void)
{
	if (blk.queue) {
		ck_assert_uint_eq(hblk_in_flight_nr(&blk), 0);
		ck_assert_ptr_null(big_lock.owner);
		hblk_fini(&blk);
		for (uint32_t i = 0; i < config.loops_nr; i++)
			hloop_fini(&loops[i]);
	}
	hstore_fini(&ram);
	rig_fini();
}

/* --- the guest's requests --- */

static inline void put_header(uint32_t i, uint32_t type, uint64_t sector)
{
	uint32_t words[2] = { type, 0 };

	rig_put(HEADER_PA(i), words, 8);
	rig_put(HEADER_PA(i) + 8, &sector, 8);
	rig_put16(STATUS_PA(i), 0xeeee);
}

/* Header, data, status in descriptors 3 * i and the two after. */
static inline void request(uint32_t i, uint32_t type, uint64_t sector,
			   uint32_t bytes)
{
	bool in = type == VIRTIO_BLK_T_IN || type == VIRTIO_BLK_T_GET_ID ||
		  type == VIRTIO_BLK_T_GET_LIFETIME ||
		  type == VIRTIO_BLK_T_ZONE_REPORT;
	uint16_t d = (uint16_t)(3 * i);

	put_header(i, type, sector);
	rig_desc(d, HEADER_PA(i), 16, RIG_NEXT, bytes ? d + 1 : d + 2);
	rig_desc(d + 1, BUFFER_PA(i), bytes, RIG_NEXT | (in ? RIG_WRITE : 0),
		 d + 2);
	rig_desc(d + 2, STATUS_PA(i), 1, RIG_WRITE, 0);
	rig_offer(SIZE, offered++, d);
}

static inline void ranged(uint32_t i, uint32_t type, uint64_t sector,
			  uint32_t sectors_nr, uint32_t flags)
{
	uint64_t pa = BUFFER_PA(i);

	rig_put(pa, &sector, 8);
	rig_put(pa + 8, &sectors_nr, 4);
	rig_put(pa + 12, &flags, 4);
	request(i, type, 0, 16);
}

static inline uint8_t status_of(uint32_t i)
{
	return rig_get8(STATUS_PA(i));
}

/* Kick, and let the host finish: it is idle long before this. */
static inline void finish(void)
{
	guest_kick(0);
	guest_wait(10 * SIM_PS_PER_MS);
}

static inline uint8_t outcome(uint32_t i)
{
	finish();
	ck_assert_uint_eq(rig_used_idx(), offered);
	ck_assert_uint_eq(rig_get8(STATUS_PA(i) + 1), 0xee);
	return status_of(i);
}

#endif
