// SPDX-License-Identifier: GPL-2.0-only
#include "model/host/hblk_req.h"

#include <string.h>

#include "model/host/hblk_zone.h"

#define HEADER_BYTES		sizeof(struct virtio_blk_outhdr)
#define RANGE_BYTES		sizeof(struct virtio_blk_discard_write_zeroes)

_Static_assert(HEADER_BYTES == 16, "5.2.6");
_Static_assert(RANGE_BYTES == 16, "5.2.6");
_Static_assert(HBLK_SERIAL_BYTES == VIRTIO_BLK_ID_BYTES, "5.2.6");

/* A request being parsed. */
struct hblk_parse {
	struct hblk *blk;
	const struct hring_chain *chain;
	struct hblk_req *req;
	struct virtio_blk_outhdr header;
};

static enum hblk_parsed hblk_answer(struct hblk_req *req, uint8_t status)
{
	req->status = status;
	return HBLK_ANSWERED;
}

/* 5.2.6.1: the status byte is the last byte that the device may write. */
static void hblk_find_status(const struct hring_chain *chain,
			     struct hblk_req *req)
{
	const struct hiov *last = &chain->iov[chain->iovs_nr - 1];

	req->status_pa = last->pa + last->len - 1;
}

/* 2.7.4: descriptors do not show where parts of a request begin. */
static bool hblk_slice_data(struct hblk_parse *p, bool in)
{
	const struct hring_chain *chain = p->chain;
	struct hstore_req *s = &p->req->store;
	struct hiov *to = p->req->room;
	uint32_t room_nr = p->blk->seg_max;

	if (in) {
		s->bytes = chain->writable_bytes - 1;
		s->iovs_nr = hiov_slice(hblk_writables(chain),
					hblk_writables_nr(chain), 0, s->bytes,
					to, room_nr);
	} else {
		s->bytes = chain->readable_bytes - HEADER_BYTES;
		s->iovs_nr = hiov_slice(chain->iov, chain->readables_nr,
					HEADER_BYTES, s->bytes, to, room_nr);
	}
	return s->iovs_nr <= room_nr;
}

static bool hblk_segments_ok(const struct hblk_parse *p)
{
	uint32_t size_max = p->blk->space.size_max;
	const struct hstore_req *s = &p->req->store;

	for (uint32_t i = 0; size_max && i < s->iovs_nr; i++)
		if (s->iov[i].len > size_max)
			return false;
	return true;
}

/* Whole blocks that lie on the disk? */
static bool hblk_sectors_ok(const struct hblk *blk, uint64_t sector,
			    uint64_t sectors_nr)
{
	uint64_t block = blk->space.blk_size / HSTORE_SECTOR_BYTES;
	uint64_t capacity = blk->space.capacity;

	return !(sector % block) && !(sectors_nr % block) &&
	       sector <= capacity && sectors_nr <= capacity - sector;
}

static bool hblk_read_only(const struct hblk *blk)
{
	return blk->config.props.read_only;
}

/*
 * 5.2.5: CONFIG_WCE lets the driver choose; without it a driver that can flush
 * gets what we were configured for, another one gets write-through.
 */
static bool hblk_write_through(const struct hblk *blk)
{
	if (hpci_has_feature(&blk->hpci, VIRTIO_BLK_F_CONFIG_WCE))
		return !blk->space.wce;
	return !blk->config.props.write_cache ||
	       !hpci_has_feature(&blk->hpci, VIRTIO_BLK_F_FLUSH);
}

/* An append names its zone only; hzone_append says whether it fits. */
static bool hblk_place_ok(const struct hblk_parse *p)
{
	const struct hstore_req *s = &p->req->store;

	return p->req->type == HBLK_ZONE_APPEND ||
	       hblk_sectors_ok(p->blk, s->sector,
			       s->bytes / HSTORE_SECTOR_BYTES);
}

static enum hblk_parsed hblk_parse_data(struct hblk_parse *p, bool in)
{
	struct hstore_req *s = &p->req->store;
	uint8_t status;

	s->op = in ? HSTORE_READ : HSTORE_WRITE;
	s->sector = p->header.sector;
	s->fua = !in && hblk_write_through(p->blk);
	if (!in && hblk_read_only(p->blk))
		return hblk_answer(p->req, VIRTIO_BLK_S_IOERR);
	if (!hblk_slice_data(p, in) || !hblk_segments_ok(p) ||
	    s->bytes % HSTORE_SECTOR_BYTES || s->bytes > UINT32_MAX - 1 ||
	    !hblk_place_ok(p))
		return hblk_answer(p->req, VIRTIO_BLK_S_IOERR);
	p->req->data_bytes = in ? (uint32_t)s->bytes : 0;
	status = hblk_zone_data(p->blk, p->req);
	return status == VIRTIO_BLK_S_OK ? HBLK_TO_STORE :
					   hblk_answer(p->req, status);
}

static enum hblk_parsed hblk_parse_append(struct hblk_parse *p)
{
	uint8_t status = hblk_zone_find_append(p->blk, p->chain, p->req);

	return status == VIRTIO_BLK_S_OK ? hblk_parse_data(p, false) :
					   hblk_answer(p->req, status);
}

static enum hblk_parsed hblk_parse_flush(struct hblk_parse *p)
{
	if (!hpci_has_feature(&p->blk->hpci, VIRTIO_BLK_F_FLUSH))
		return hblk_answer(p->req, VIRTIO_BLK_S_UNSUPP);
	p->req->store.op = HSTORE_FLUSH;
	return HBLK_TO_STORE;
}

/* 5.2.6.2: unknown flags, and unmap in a discard, are answered UNSUPP. */
static uint8_t hblk_parse_range(struct hblk_parse *p, uint32_t i,
				uint32_t flags_ok, uint32_t sectors_max)
{
	struct virtio_blk_discard_write_zeroes range;
	struct hstore_range *to = &p->req->store.range[i];

	if (!hiov_read(p->chain->iov, p->chain->readables_nr,
		       HEADER_BYTES + i * RANGE_BYTES, &range, RANGE_BYTES))
		return VIRTIO_BLK_S_IOERR;
	if (range.flags & ~flags_ok)
		return VIRTIO_BLK_S_UNSUPP;
	if (range.num_sectors > sectors_max ||
	    !hblk_sectors_ok(p->blk, range.sector, range.num_sectors))
		return VIRTIO_BLK_S_IOERR;
	to->sector = range.sector;
	to->sectors_nr = range.num_sectors;
	return VIRTIO_BLK_S_OK;
}

static enum hblk_parsed hblk_parse_ranges(struct hblk_parse *p,
					  uint32_t flags_ok,
					  uint32_t sectors_max,
					  uint32_t ranges_max)
{
	uint64_t bytes = p->chain->readable_bytes - HEADER_BYTES;
	uint32_t nr = (uint32_t)(bytes / RANGE_BYTES);
	uint8_t status;

	if (hblk_read_only(p->blk) || !nr || bytes % RANGE_BYTES ||
	    bytes / RANGE_BYTES > ranges_max)
		return hblk_answer(p->req, VIRTIO_BLK_S_IOERR);
	for (uint32_t i = 0; i < nr; i++) {
		status = hblk_parse_range(p, i, flags_ok, sectors_max);
		if (status != VIRTIO_BLK_S_OK)
			return hblk_answer(p->req, status);
	}
	p->req->store.ranges_nr = nr;
	status = hblk_zone_ranges(p->blk, p->req);
	return status == VIRTIO_BLK_S_OK ? HBLK_TO_STORE :
					   hblk_answer(p->req, status);
}

static enum hblk_parsed hblk_parse_discard(struct hblk_parse *p)
{
	const struct hblk_properties *props = &p->blk->config.props;

	if (!hpci_has_feature(&p->blk->hpci, VIRTIO_BLK_F_DISCARD))
		return hblk_answer(p->req, VIRTIO_BLK_S_UNSUPP);
	p->req->store.op = HSTORE_DISCARD;
	return hblk_parse_ranges(p, 0, props->max_discard_sectors,
				 props->max_discard_seg);
}

static enum hblk_parsed hblk_parse_write_zeroes(struct hblk_parse *p)
{
	const struct hblk_properties *props = &p->blk->config.props;

	if (!hpci_has_feature(&p->blk->hpci, VIRTIO_BLK_F_WRITE_ZEROES))
		return hblk_answer(p->req, VIRTIO_BLK_S_UNSUPP);
	p->req->store.op = HSTORE_WRITE_ZEROES;
	p->req->store.fua = hblk_write_through(p->blk);
	return hblk_parse_ranges(p, VIRTIO_BLK_WRITE_ZEROES_FLAG_UNMAP,
				 props->max_write_zeroes_sectors,
				 props->max_write_zeroes_seg);
}

static enum hblk_parsed hblk_parse_secure_erase(struct hblk_parse *p)
{
	const struct hblk_properties *props = &p->blk->config.props;

	if (!hpci_has_feature(&p->blk->hpci, VIRTIO_BLK_F_SECURE_ERASE))
		return hblk_answer(p->req, VIRTIO_BLK_S_UNSUPP);
	p->req->store.op = HSTORE_SECURE_ERASE;
	return hblk_parse_ranges(p, 0, props->max_secure_erase_sectors,
				 props->max_secure_erase_seg);
}

/* A small answer that is known at once. */
static enum hblk_parsed hblk_reply(struct hblk_parse *p, const void *reply,
				   uint32_t bytes)
{
	const struct hring_chain *chain = p->chain;

	if (chain->writable_bytes - 1 < bytes ||
	    !hiov_write(hblk_writables(chain), hblk_writables_nr(chain), 0,
			reply, bytes))
		return hblk_answer(p->req, VIRTIO_BLK_S_IOERR);
	p->req->data_bytes = bytes;
	return hblk_answer(p->req, VIRTIO_BLK_S_OK);
}

static enum hblk_parsed hblk_parse_lifetime(struct hblk_parse *p)
{
	const struct hblk_properties *props = &p->blk->config.props;
	struct virtio_blk_lifetime reply = {
		.pre_eol_info = (uint16_t)props->pre_eol_info,
		.device_lifetime_est_typ_a = (uint16_t)props->lifetime_est_a,
		.device_lifetime_est_typ_b = (uint16_t)props->lifetime_est_b,
	};

	if (!hpci_has_feature(&p->blk->hpci, VIRTIO_BLK_F_LIFETIME))
		return hblk_answer(p->req, VIRTIO_BLK_S_UNSUPP);
	return hblk_reply(p, &reply, sizeof(reply));
}

static enum hblk_parsed hblk_parse_zone(struct hblk_parse *p)
{
	uint8_t status = hblk_zone_ask(p->blk, p->chain, p->header.sector,
				       p->req);

	return status == VIRTIO_BLK_S_OK && p->req->store.ranges_nr ?
	       HBLK_TO_STORE : hblk_answer(p->req, status);
}

static enum hblk_type hblk_type_of(uint32_t type)
{
	switch (type) {
	case VIRTIO_BLK_T_IN:
		return HBLK_IN;
	case VIRTIO_BLK_T_OUT:
		return HBLK_OUT;
	case VIRTIO_BLK_T_FLUSH:
		return HBLK_FLUSH;
	case VIRTIO_BLK_T_DISCARD:
		return HBLK_DISCARD;
	case VIRTIO_BLK_T_WRITE_ZEROES:
		return HBLK_WRITE_ZEROES;
	case VIRTIO_BLK_T_GET_ID:
		return HBLK_GET_ID;
	case VIRTIO_BLK_T_SECURE_ERASE:
		return HBLK_SECURE_ERASE;
	case VIRTIO_BLK_T_GET_LIFETIME:
		return HBLK_GET_LIFETIME;
	default:
		return hblk_zone_type_of(type);
	}
}

static enum hblk_parsed hblk_parse_type(struct hblk_parse *p)
{
	switch (p->req->type) {
	case HBLK_IN:
		return hblk_parse_data(p, true);
	case HBLK_OUT:
		return hblk_parse_data(p, false);
	case HBLK_FLUSH:
		return hblk_parse_flush(p);
	case HBLK_DISCARD:
		return hblk_parse_discard(p);
	case HBLK_WRITE_ZEROES:
		return hblk_parse_write_zeroes(p);
	case HBLK_GET_ID:
		return hblk_reply(p, p->blk->serial, HBLK_SERIAL_BYTES);
	case HBLK_SECURE_ERASE:
		return hblk_parse_secure_erase(p);
	case HBLK_GET_LIFETIME:
		return hblk_parse_lifetime(p);
	case HBLK_ZONE_APPEND:
		return hblk_parse_append(p);
	default:
		return hblk_parse_zone(p);
	}
}

static enum hblk_parsed hblk_break(const char **reason, const char *why)
{
	*reason = why;
	return HBLK_BROKEN;
}

enum hblk_parsed hblk_req_parse(struct hblk *blk,
				const struct hring_chain *chain,
				struct hblk_req *req, const char **reason)
{
	struct hblk_parse p = {
		.blk = blk,
		.chain = chain,
		.req = req,
	};

	if (!chain->writable_bytes)
		return hblk_break(reason, "request has no status byte");
	if (chain->readable_bytes < HEADER_BYTES)
		return hblk_break(reason, "request header is too short");
	if (!hiov_read(chain->iov, chain->readables_nr, 0, &p.header,
		       HEADER_BYTES))
		return hblk_break(reason, "request header is not in RAM");
	hblk_find_status(chain, req);
	req->status = VIRTIO_BLK_S_OK;
	req->data_bytes = 0;
	req->type = hblk_type_of(p.header.type);
	req->store.fua = false;
	req->store.iov = req->room;
	req->store.iovs_nr = 0;
	req->store.ranges_nr = 0;
	req->store.bytes = 0;
	req->store.aborted = blk->hpci.gone;
	req->append_nr = 0;
	return hblk_parse_type(&p);
}

uint32_t hblk_req_written_bytes(const struct hblk_req *req)
{
	return req->status == VIRTIO_BLK_S_OK ? req->data_bytes + 1 : 1;
}
