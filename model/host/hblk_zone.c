// SPDX-License-Identifier: GPL-2.0-only
#include "model/host/hblk_zone.h"

#include <string.h>

#define APPEND_BYTES	((uint32_t)sizeof(uint64_t))
#define DESC_BYTES	((uint32_t)sizeof(struct virtio_blk_zone_descriptor))
#define REPORT_BYTES	((uint32_t)sizeof(struct virtio_blk_zone_report))

static bool hblk_zoned(const struct hblk *blk)
{
	return blk->zones.zone &&
	       hpci_has_feature(&blk->hpci, VIRTIO_BLK_F_ZONED);
}

enum hblk_type hblk_zone_type_of(uint32_t type)
{
	switch (type) {
	case VIRTIO_BLK_T_ZONE_APPEND:
		return HBLK_ZONE_APPEND;
	case VIRTIO_BLK_T_ZONE_REPORT:
		return HBLK_ZONE_REPORT;
	case VIRTIO_BLK_T_ZONE_OPEN:
		return HBLK_ZONE_OPEN;
	case VIRTIO_BLK_T_ZONE_CLOSE:
		return HBLK_ZONE_CLOSE;
	case VIRTIO_BLK_T_ZONE_FINISH:
		return HBLK_ZONE_FINISH;
	case VIRTIO_BLK_T_ZONE_RESET:
		return HBLK_ZONE_RESET;
	case VIRTIO_BLK_T_ZONE_RESET_ALL:
		return HBLK_ZONE_RESET_ALL;
	default:
		return HBLK_OTHER;
	}
}

uint8_t hblk_zone_data(struct hblk *blk, struct hblk_req *req)
{
	struct hstore_req *s = &req->store;
	uint64_t sectors_nr = s->bytes / HSTORE_SECTOR_BYTES;

	if (!hblk_zoned(blk))
		return VIRTIO_BLK_S_OK;
	switch (req->type) {
	case HBLK_IN:
		return hzone_read(&blk->zones, s->sector, sectors_nr);
	case HBLK_ZONE_APPEND:
		req->data_bytes = APPEND_BYTES;
		return hzone_append(&blk->zones, s->sector, sectors_nr,
				    &s->sector);
	default:
		return hzone_write(&blk->zones, s->sector, sectors_nr);
	}
}

static uint8_t hblk_zone_erase(struct hblk *blk,
			       const struct hstore_range *range)
{
	struct hzones *z = &blk->zones;
	uint64_t end = range->sector + range->sectors_nr;
	uint64_t sector = range->sector;

	while (sector < end) {
		struct hzone *zone = hzone_at(z, sector);
		uint8_t status;

		if (zone->start != sector || zone->sectors > end - sector)
			return VIRTIO_BLK_S_ZONE_INVALID_CMD;
		status = zone->type == VIRTIO_BLK_ZT_CONV ? VIRTIO_BLK_S_OK :
			 hzone_reset(z, sector);
		if (status != VIRTIO_BLK_S_OK)
			return status;
		sector += zone->sectors;
	}
	return VIRTIO_BLK_S_OK;
}

uint8_t hblk_zone_ranges(struct hblk *blk, struct hblk_req *req)
{
	uint8_t status = VIRTIO_BLK_S_OK;

	if (!hblk_zoned(blk))
		return status;
	for (uint32_t i = 0; i < req->store.ranges_nr && !status; i++) {
		const struct hstore_range *range = &req->store.range[i];

		if (req->type == HBLK_SECURE_ERASE)
			status = hblk_zone_erase(blk, range);
		else
			status = hzone_write(&blk->zones, range->sector,
					     range->sectors_nr);
	}
	return status;
}

/*
 * 5.2.6: append_sector comes before the status. A driver may leave a gap
 * between them: what it aligns, it pads.
 */
uint8_t hblk_zone_find_append(const struct hblk *blk,
			      const struct hring_chain *chain,
			      struct hblk_req *req)
{
	if (!hblk_zoned(blk))
		return VIRTIO_BLK_S_UNSUPP;
	if (chain->writable_bytes < APPEND_BYTES + 1)
		return VIRTIO_BLK_S_IOERR;
	req->append_nr = hiov_slice(hblk_writables(chain),
				    hblk_writables_nr(chain), 0, APPEND_BYTES,
				    req->append, APPEND_BYTES);
	return VIRTIO_BLK_S_OK;
}

void hblk_zone_push(const struct hblk_req *req)
{
	if (req->type == HBLK_ZONE_APPEND)
		hiov_write(req->append, req->append_nr, 0, &req->store.sector,
			   APPEND_BYTES);
}

/* --- report --- */

static bool hblk_zone_put(const struct hring_chain *chain, uint32_t at,
			  const void *bytes, uint32_t nr)
{
	return hiov_write(hblk_writables(chain), hblk_writables_nr(chain), at,
			  bytes, nr);
}

static uint8_t hblk_zone_report(const struct hzones *z,
				const struct hring_chain *chain,
				uint64_t sector, struct hblk_req *req)
{
	struct virtio_blk_zone_report head = { 0 };
	struct virtio_blk_zone_descriptor desc;
	const struct hzone *zone = hzone_at(z, sector);
	uint64_t room = chain->writable_bytes - 1;
	uint32_t nr, at = REPORT_BYTES;

	if (!zone || room < REPORT_BYTES)
		return VIRTIO_BLK_S_ZONE_INVALID_CMD;
	nr = z->zones_nr - (uint32_t)(zone - z->zone);
	if (nr > (room - REPORT_BYTES) / DESC_BYTES)
		nr = (uint32_t)((room - REPORT_BYTES) / DESC_BYTES);
	head.nr_zones = nr;
	if (!hblk_zone_put(chain, 0, &head, REPORT_BYTES))
		return VIRTIO_BLK_S_IOERR;
	for (uint32_t i = 0; i < nr; i++, at += DESC_BYTES) {
		hzone_describe(&zone[i], &desc);
		if (!hblk_zone_put(chain, at, &desc, DESC_BYTES))
			return VIRTIO_BLK_S_IOERR;
	}
	req->data_bytes = at;
	return VIRTIO_BLK_S_OK;
}

/* --- management --- */

static uint8_t hblk_zone_reset(struct hzones *z, uint64_t sector,
			       struct hstore_req *s)
{
	const struct hzone *zone = hzone_at(z, sector);
	bool empty = zone && zone->state == VIRTIO_BLK_ZS_EMPTY;
	uint8_t status = hzone_reset(z, sector);

	if (status != VIRTIO_BLK_S_OK || empty)
		return status;
	s->op = HSTORE_DISCARD;
	s->range[0].sector = zone->start;
	s->range[0].sectors_nr = zone->sectors;
	s->ranges_nr = 1;
	return status;
}

static uint8_t hblk_zone_reset_all(struct hzones *z, struct hstore_req *s)
{
	s->op = HSTORE_DISCARD;
	s->ranges_nr = hzone_reset_all(z, s->range);
	return VIRTIO_BLK_S_OK;
}

static uint8_t hblk_zone_manage(struct hzones *z, uint64_t sector,
				struct hblk_req *req)
{
	switch (req->type) {
	case HBLK_ZONE_OPEN:
		return hzone_open(z, sector);
	case HBLK_ZONE_CLOSE:
		return hzone_close(z, sector);
	case HBLK_ZONE_FINISH:
		return hzone_finish(z, sector);
	case HBLK_ZONE_RESET:
		return hblk_zone_reset(z, sector, &req->store);
	default:
		return hblk_zone_reset_all(z, &req->store);
	}
}

uint8_t hblk_zone_ask(struct hblk *blk, const struct hring_chain *chain,
		      uint64_t sector, struct hblk_req *req)
{
	if (req->type == HBLK_OTHER || !hblk_zoned(blk))
		return VIRTIO_BLK_S_UNSUPP;
	if (req->type == HBLK_ZONE_REPORT)
		return hblk_zone_report(&blk->zones, chain, sector, req);
	if (blk->config.props.read_only)
		return VIRTIO_BLK_S_IOERR;
	return hblk_zone_manage(&blk->zones, sector, req);
}
