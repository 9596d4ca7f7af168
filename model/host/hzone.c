// SPDX-License-Identifier: GPL-2.0-only
#include "model/host/hzone.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define OK		VIRTIO_BLK_S_OK
#define INVALID_CMD	VIRTIO_BLK_S_ZONE_INVALID_CMD
#define UNALIGNED_WP	VIRTIO_BLK_S_ZONE_UNALIGNED_WP

static bool hzone_is_open_state(uint8_t state)
{
	return state == VIRTIO_BLK_ZS_IOPEN || state == VIRTIO_BLK_ZS_EOPEN;
}

static bool hzone_is_active_state(uint8_t state)
{
	return hzone_is_open_state(state) || state == VIRTIO_BLK_ZS_CLOSED;
}

static bool hzone_sequential(const struct hzone *zone)
{
	return zone->type == VIRTIO_BLK_ZT_SWR;
}

/* The one place where a state changes, so that the counters follow. */
static void hzone_set(struct hzones *z, struct hzone *zone, uint8_t state)
{
	z->open_nr -= hzone_is_open_state(zone->state);
	z->active_nr -= hzone_is_active_state(zone->state);
	z->rdonly_nr -= zone->state == VIRTIO_BLK_ZS_RDONLY;
	zone->state = state;
	z->open_nr += hzone_is_open_state(state);
	z->active_nr += hzone_is_active_state(state);
	z->rdonly_nr += state == VIRTIO_BLK_ZS_RDONLY;
}

static bool hzone_config_ok(const struct hzone_config *c, uint64_t zones_nr)
{
	uint64_t grain = c->granularity_sectors;

	return grain && c->capacity_sectors &&
	       c->capacity_sectors <= c->zone_sectors &&
	       !(c->zone_sectors % grain) && !(c->capacity_sectors % grain) &&
	       zones_nr <= HZONE_NR_MAX && c->conventional_nr <= zones_nr &&
	       (!c->max_active || c->max_open <= c->max_active);
}

static void hzone_init_one(struct hzones *z, uint32_t i)
{
	const struct hzone_config *c = &z->config;
	struct hzone *zone = &z->zone[i];
	bool conventional = i < c->conventional_nr;

	zone->start = i * c->zone_sectors;
	zone->sectors = z->sectors - zone->start;
	if (zone->sectors > c->zone_sectors)
		zone->sectors = c->zone_sectors;
	zone->capacity = zone->sectors;
	if (!conventional && zone->capacity > c->capacity_sectors)
		zone->capacity = c->capacity_sectors;
	zone->wp = conventional ? zone->start + zone->sectors : zone->start;
	zone->type = conventional ? VIRTIO_BLK_ZT_CONV : VIRTIO_BLK_ZT_SWR;
	zone->state = conventional ? VIRTIO_BLK_ZS_NOT_WP :
				     VIRTIO_BLK_ZS_EMPTY;
}

int hzone_init(struct hzones *z, const struct hzone_config *config,
	       uint64_t sectors)
{
	uint64_t zone_sectors = config->zone_sectors;
	uint64_t zones_nr;

	memset(z, 0, sizeof(*z));
	if (!zone_sectors || !sectors)
		return -EINVAL;
	zones_nr = sectors / zone_sectors + !!(sectors % zone_sectors);
	if (!hzone_config_ok(config, zones_nr))
		return -EINVAL;
	z->zone = calloc(zones_nr, sizeof(*z->zone));
	if (!z->zone)
		return -ENOMEM;
	z->config = *config;
	z->sectors = sectors;
	z->zones_nr = (uint32_t)zones_nr;
	for (uint32_t i = 0; i < z->zones_nr; i++)
		hzone_init_one(z, i);
	return 0;
}

void hzone_fini(struct hzones *z)
{
	free(z->zone);
	memset(z, 0, sizeof(*z));
}

struct hzone *hzone_at(const struct hzones *z, uint64_t sector)
{
	return sector < z->sectors ? &z->zone[sector / z->config.zone_sectors] :
				     NULL;
}

/* A sequential zone that begins at @sector and is not offline, or NULL. */
static struct hzone *hzone_target(const struct hzones *z, uint64_t sector)
{
	struct hzone *zone = hzone_at(z, sector);

	if (!zone || zone->start != sector || !hzone_sequential(zone) ||
	    zone->state == VIRTIO_BLK_ZS_OFFLINE)
		return NULL;
	return zone;
}

/*
 * A range within the disk. True if only conventional zones have a part in it;
 * otherwise @zone is the one zone that holds it, NULL if there are several.
 */
static bool hzone_conventional(const struct hzones *z, uint64_t sector,
			       uint64_t sectors_nr, struct hzone **zone)
{
	struct hzone *first = hzone_at(z, sector);
	struct hzone *last = hzone_at(z, sector + sectors_nr - 1);

	*zone = first == last ? first : NULL;
	/* All conventional zones come first. */
	return !hzone_sequential(last);
}

/* --- resources --- */

/* Close the zone that has been implicitly open for longest. */
static bool hzone_squeeze(struct hzones *z)
{
	struct hzone *oldest = NULL;

	for (uint32_t i = 0; i < z->zones_nr; i++) {
		struct hzone *zone = &z->zone[i];

		if (zone->state == VIRTIO_BLK_ZS_IOPEN &&
		    (!oldest || zone->opened < oldest->opened))
			oldest = zone;
	}
	if (!oldest)
		return false;
	hzone_set(z, oldest, VIRTIO_BLK_ZS_CLOSED);
	z->squeezed_nr++;
	return true;
}

/* 5.2.6: whoever exceeds both limits hears of the active one. */
static uint8_t hzone_claim(struct hzones *z, const struct hzone *zone)
{
	const struct hzone_config *c = &z->config;

	if (hzone_is_open_state(zone->state))
		return OK;
	if (c->max_active && z->active_nr >= c->max_active &&
	    !hzone_is_active_state(zone->state))
		return VIRTIO_BLK_S_ZONE_ACTIVE_RESOURCE;
	if (c->max_open && z->open_nr >= c->max_open && !hzone_squeeze(z))
		return VIRTIO_BLK_S_ZONE_OPEN_RESOURCE;
	return OK;
}

/* --- reading and writing --- */

uint8_t hzone_read(const struct hzones *z, uint64_t sector,
		   uint64_t sectors_nr)
{
	struct hzone *zone;

	if (!sectors_nr || hzone_conventional(z, sector, sectors_nr, &zone))
		return OK;
	if (!zone || zone->state == VIRTIO_BLK_ZS_OFFLINE)
		return INVALID_CMD;
	return OK;
}

static bool hzone_writable(const struct hzone *zone)
{
	return zone->state == VIRTIO_BLK_ZS_EMPTY ||
	       hzone_is_active_state(zone->state);
}

/* At the write pointer of a writable sequential zone. */
static uint8_t hzone_advance(struct hzones *z, struct hzone *zone,
			     uint64_t sectors_nr)
{
	uint64_t end = zone->start + zone->capacity;
	uint8_t status;

	if (sectors_nr % z->config.granularity_sectors)
		return UNALIGNED_WP;
	if (sectors_nr > end - zone->wp)
		return INVALID_CMD;
	status = hzone_claim(z, zone);
	if (status != OK)
		return status;
	if (!hzone_is_open_state(zone->state)) {
		hzone_set(z, zone, VIRTIO_BLK_ZS_IOPEN);
		zone->opened = z->opens_nr++;
	}
	zone->wp += sectors_nr;
	if (zone->wp == end) {
		zone->wp = zone->start + zone->sectors;
		hzone_set(z, zone, VIRTIO_BLK_ZS_FULL);
	}
	return OK;
}

uint8_t hzone_write(struct hzones *z, uint64_t sector, uint64_t sectors_nr)
{
	struct hzone *zone;

	if (!sectors_nr || hzone_conventional(z, sector, sectors_nr, &zone))
		return OK;
	if (!zone || !hzone_writable(zone))
		return INVALID_CMD;
	if (sector != zone->wp)
		return UNALIGNED_WP;
	return hzone_advance(z, zone, sectors_nr);
}

uint8_t hzone_append(struct hzones *z, uint64_t sector, uint64_t sectors_nr,
		     uint64_t *at)
{
	struct hzone *zone = hzone_target(z, sector);
	uint64_t wp;
	uint8_t status;

	if (!z->config.max_append_sectors)
		return VIRTIO_BLK_S_UNSUPP;
	if (!zone || !hzone_writable(zone) || !sectors_nr ||
	    sectors_nr > z->config.max_append_sectors)
		return INVALID_CMD;
	wp = zone->wp;
	status = hzone_advance(z, zone, sectors_nr);
	if (status == OK)
		*at = wp;
	return status;
}

/* --- management --- */

uint8_t hzone_open(struct hzones *z, uint64_t sector)
{
	struct hzone *zone = hzone_target(z, sector);
	uint8_t status;

	if (!zone || !hzone_writable(zone))
		return INVALID_CMD;
	status = hzone_claim(z, zone);
	if (status == OK)
		hzone_set(z, zone, VIRTIO_BLK_ZS_EOPEN);
	return status;
}

uint8_t hzone_close(struct hzones *z, uint64_t sector)
{
	struct hzone *zone = hzone_target(z, sector);

	if (!zone || !hzone_is_active_state(zone->state))
		return INVALID_CMD;
	hzone_set(z, zone, zone->wp == zone->start ? VIRTIO_BLK_ZS_EMPTY :
						     VIRTIO_BLK_ZS_CLOSED);
	return OK;
}

uint8_t hzone_finish(struct hzones *z, uint64_t sector)
{
	struct hzone *zone = hzone_target(z, sector);

	if (!zone || zone->state == VIRTIO_BLK_ZS_RDONLY)
		return INVALID_CMD;
	zone->wp = zone->start + zone->sectors;
	hzone_set(z, zone, VIRTIO_BLK_ZS_FULL);
	return OK;
}

uint8_t hzone_reset(struct hzones *z, uint64_t sector)
{
	struct hzone *zone = hzone_target(z, sector);

	if (!zone || zone->state == VIRTIO_BLK_ZS_RDONLY)
		return INVALID_CMD;
	zone->wp = zone->start;
	hzone_set(z, zone, VIRTIO_BLK_ZS_EMPTY);
	return OK;
}

uint32_t hzone_reset_all(struct hzones *z, struct hstore_range *range)
{
	bool grow = false;
	uint32_t nr = 0;

	for (uint32_t i = z->config.conventional_nr; i < z->zones_nr; i++) {
		struct hzone *zone = &z->zone[i];

		if (zone->state == VIRTIO_BLK_ZS_RDONLY) {
			grow = false;
			continue;
		}
		hzone_reset(z, zone->start);
		if (!grow) {
			range[nr].sector = zone->start;
			range[nr++].sectors_nr = 0;
		}
		range[nr - 1].sectors_nr += zone->sectors;
		grow = true;
	}
	return nr;
}

int hzone_fail(struct hzones *z, uint64_t sector, uint8_t state)
{
	struct hzone *zone = hzone_at(z, sector);

	if (!zone || !hzone_sequential(zone) ||
	    (state != VIRTIO_BLK_ZS_RDONLY && state != VIRTIO_BLK_ZS_OFFLINE) ||
	    (zone->state == VIRTIO_BLK_ZS_OFFLINE && state != zone->state))
		return -EINVAL;
	if (state == VIRTIO_BLK_ZS_RDONLY && zone->state != state &&
	    z->rdonly_nr >= HZONE_RDONLY_MAX)
		return -ENOSPC;
	hzone_set(z, zone, state);
	return 0;
}

void hzone_describe(const struct hzone *zone,
		    struct virtio_blk_zone_descriptor *out)
{
	memset(out, 0, sizeof(*out));
	out->z_cap = zone->capacity;
	out->z_start = zone->start;
	out->z_wp = zone->wp;
	out->z_type = zone->type;
	out->z_state = zone->state;
}
