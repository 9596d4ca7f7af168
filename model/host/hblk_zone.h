/* SPDX-License-Identifier: GPL-2.0-only */
/* Requests and zones (hzone.h): what a host-managed disk adds to hblk_req.c. */
#ifndef MODEL_HOST_HBLK_ZONE_H
#define MODEL_HOST_HBLK_ZONE_H

#include <stdint.h>

#include "model/host/hblk_req.h"

/* HBLK_ZONE_* of VIRTIO_BLK_T_ZONE_*; everything else is HBLK_OTHER. */
enum hblk_type hblk_zone_type_of(uint32_t type);

/*
 * May READ or WRITE @req, complete and within the disk, go to the store? Moves
 * the write pointer; an append learns its sector. Without zones: yes.
 * VIRTIO_BLK_S_*, as all below.
 */
uint8_t hblk_zone_data(struct hblk *blk, struct hblk_req *req);

/*
 * The same for the ranges of a WRITE_ZEROES (each a write) or a SECURE_ERASE
 * (whole zones, each is reset). Those before a refused one have happened.
 */
uint8_t hblk_zone_ranges(struct hblk *blk, struct hblk_req *req);

/* Has an append room for its sector? Remembers where. */
uint8_t hblk_zone_find_append(const struct hblk *blk,
			      const struct hring_chain *chain,
			      struct hblk_req *req);

/*
 * All other zone requests, and those that nobody knows. A report is written to
 * the chain, which may switch: each descriptor is of one moment, but not all of
 * the same. A reset, which has to erase, makes @req->store a DISCARD with
 * ranges; with none the status is the answer.
 */
uint8_t hblk_zone_ask(struct hblk *blk, const struct hring_chain *chain,
		      uint64_t sector, struct hblk_req *req);

/* @req succeeds: an append's sector goes to the driver. May switch. */
void hblk_zone_push(const struct hblk_req *req);

#endif
