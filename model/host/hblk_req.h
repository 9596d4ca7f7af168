/* SPDX-License-Identifier: GPL-2.0-only */
/* One request of the driver: from chain to store and back, 5.2.6. */
#ifndef MODEL_HOST_HBLK_REQ_H
#define MODEL_HOST_HBLK_REQ_H

#include <stdint.h>

#include "model/host/hblk.h"

/*
 * @store:       first, so that it converts with a cast
 * @room:        of blk->seg_max buffers, for store.iov
 * @status_pa:   where the status byte goes
 * @status:      VIRTIO_BLK_S_*
 * @data_bytes:  bytes the device writes before the status byte if all goes well
 * @append:      where append_sector goes, which is store.sector; a driver may
 *               cut even these 8 bytes into pieces
 */
struct hblk_req {
	struct hstore_req store;
	struct hiov *room;
	enum hblk_type type;
	uint64_t status_pa;
	uint8_t status;
	uint32_t data_bytes;
	struct hiov append[sizeof(uint64_t)];
	uint32_t append_nr;
};

/* What the device may write to. */
static inline const struct hiov *hblk_writables(const struct hring_chain *chain)
{
	return chain->iov + chain->readables_nr;
}

static inline uint32_t hblk_writables_nr(const struct hring_chain *chain)
{
	return chain->iovs_nr - chain->readables_nr;
}

enum hblk_parsed {
	HBLK_TO_STORE,		/* submit @req->store */
	HBLK_ANSWERED,		/* @req->status is the answer */
	HBLK_BROKEN,		/* no place for an answer: the device breaks */
};

/*
 * Understand @chain. Fills @req but for its names, sink and room. Reads the
 * header, and the ranges of a discard, from guest memory: may switch. @reason
 * is set for HBLK_BROKEN: a static string.
 */
enum hblk_parsed hblk_req_parse(struct hblk *blk,
				const struct hring_chain *chain,
				struct hblk_req *req, const char **reason);

/* Bytes written to the chain, for the used element (2.7.8.2). */
uint32_t hblk_req_written_bytes(const struct hblk_req *req);

#endif
