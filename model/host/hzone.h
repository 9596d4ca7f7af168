/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Zones of a host-managed disk: virtio 1.3 clause 5.2.6, and where that leaves
 * a transition open, NVMe ZNS 1.1b clause 2.1.1.2 (finish is possible from
 * Empty and Closed, close is not from Empty).
 *
 *	           write              open
 *	EMPTY ---------------> IOPEN -------> EOPEN
 *	  ^ |                  |  ^ |           |
 *	  | | open             |  | |close      | close
 *	  | +------> EOPEN     |  | +-> CLOSED <+   (EMPTY if nothing was written)
 *	  |                    |  +write--+ |
 *	  | reset       last sector, finish |finish
 *	  +------------------ FULL <--------+
 *
 * RDONLY and OFFLINE come from hzone_fail. An open zone holds one of max_open,
 * an open or closed one holds one of max_active. Where max_open is reached, the
 * zone that has been implicitly open for longest is closed.
 *
 * It is a table: no data, no time. What is allowed has already happened when a
 * function returns, in the caller's turn; what the store does with the data
 * later, even if it fails, changes no zone. Results are VIRTIO_BLK_S_*.
 * Sectors are 512 bytes; @sector counts from the start of the disk.
 */
#ifndef MODEL_HOST_HZONE_H
#define MODEL_HOST_HZONE_H

#include <stdint.h>

#include "model/host/hstore.h"
#include <uapi/linux/virtio_blk.h>

#define HZONE_NR_MAX		(1u << 20)
/* Keeps what a reset of all zones erases within one store request. */
#define HZONE_RDONLY_MAX	(HSTORE_RANGES_MAX - 1)

/*
 * @zone_sectors:    of every zone but a smaller last one
 * @capacity_sectors: writable sectors at the start of a sequential zone
 * @conventional_nr: so many zones at the start of the disk are conventional
 * @max_open, @max_active, 0: no limit
 * @max_append_sectors: 0: no append
 * @granularity_sectors: writes to sequential zones are multiples of it
 */
struct hzone_config {
	uint64_t zone_sectors;
	uint64_t capacity_sectors;
	uint32_t conventional_nr;
	uint32_t max_open;
	uint32_t max_active;
	uint32_t max_append_sectors;
	uint32_t granularity_sectors;
};

/*
 * @type, @state: VIRTIO_BLK_ZT_*, VIRTIO_BLK_ZS_*
 * @wp:           next sector to write, the zone's end when FULL
 * @opened:       ordinal of its last implicit opening
 */
struct hzone {
	uint64_t start;
	uint64_t sectors;
	uint64_t capacity;
	uint64_t wp;
	uint64_t opened;
	uint8_t type;
	uint8_t state;
};

/* @squeezed_nr: zones closed to make room for others */
struct hzones {
	struct hzone_config config;
	uint64_t sectors;
	struct hzone *zone;		/* NULL: not zoned */
	uint32_t zones_nr;
	uint32_t open_nr;
	uint32_t active_nr;
	uint32_t rdonly_nr;
	uint64_t opens_nr;
	uint64_t squeezed_nr;
};

/*
 * All sequential zones empty. @sectors: capacity of the disk. 0, -EINVAL (zone
 * size 0, capacity above it, granularity no divisor of both, more than
 * HZONE_NR_MAX zones, more conventional zones than there are, limits that
 * contradict each other), -ENOMEM.
 */
int hzone_init(struct hzones *z, const struct hzone_config *config,
	       uint64_t sectors);
void hzone_fini(struct hzones *z);

/* The zone that holds @sector, NULL beyond the end. */
struct hzone *hzone_at(const struct hzones *z, uint64_t sector);

/*
 * May @sectors_nr sectors be read? Within the disk. Not across the border of a
 * sequential zone, not from an offline one. Sectors at and after the write
 * pointer may.
 */
uint8_t hzone_read(const struct hzones *z, uint64_t sector,
		   uint64_t sectors_nr);

/*
 * Write: opens the zone if need be, moves the pointer. In conventional zones
 * everything is allowed. Within the disk; nothing happens if @sectors_nr is 0.
 */
uint8_t hzone_write(struct hzones *z, uint64_t sector, uint64_t sectors_nr);

/*
 * Append to the zone that begins at @sector; any @sector may be asked.
 * @at: where the data goes, set for VIRTIO_BLK_S_OK only
 */
uint8_t hzone_append(struct hzones *z, uint64_t sector, uint64_t sectors_nr,
		     uint64_t *at);

/* Zone management, on the zone that begins at @sector; any may be asked. */
uint8_t hzone_open(struct hzones *z, uint64_t sector);
uint8_t hzone_close(struct hzones *z, uint64_t sector);
uint8_t hzone_finish(struct hzones *z, uint64_t sector);
uint8_t hzone_reset(struct hzones *z, uint64_t sector);

/*
 * Reset what can be reset. @range: room for HSTORE_RANGES_MAX; gets what has to
 * be erased. Returns how many ranges.
 */
uint32_t hzone_reset_all(struct hzones *z, struct hstore_range *range);

/*
 * The medium fails: the zone that holds @sector becomes @state,
 * VIRTIO_BLK_ZS_RDONLY or VIRTIO_BLK_ZS_OFFLINE. 0; -EINVAL for a conventional
 * zone, another state, beyond the end, or away from OFFLINE; -ENOSPC beyond
 * HZONE_RDONLY_MAX read-only zones.
 */
int hzone_fail(struct hzones *z, uint64_t sector, uint8_t state);

/* Zone @zone as ZONE_REPORT shows it. */
void hzone_describe(const struct hzone *zone,
		    struct virtio_blk_zone_descriptor *out);

#endif
