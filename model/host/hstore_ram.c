// SPDX-License-Identifier: GPL-2.0-only
#include "model/host/hstore.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/hw/ram.h"

#define CHUNK_BYTES	UINT64_C(65536)

/* A stretch of the disk that lies in one chunk. */
struct hstore_span {
	uint64_t chunk;
	uint64_t offset;
	uint32_t bytes;
};

static struct hstore_span hstore_span_at(uint64_t at, uint64_t bytes)
{
	struct hstore_span span = {
		.chunk = at / CHUNK_BYTES,
		.offset = at % CHUNK_BYTES,
	};
	uint64_t rest = CHUNK_BYTES - span.offset;

	span.bytes = (uint32_t)(bytes < rest ? bytes : rest);
	return span;
}

/* Memory of a span, NULL if it was never written. */
static uint8_t *hstore_span_get(const struct hstore_ram *ram,
				const struct hstore_span *span)
{
	uint8_t *chunk = ram->chunk[span->chunk];

	return chunk ? chunk + span->offset : NULL;
}

static uint8_t *hstore_span_make(struct hstore_ram *ram,
				 const struct hstore_span *span)
{
	uint8_t **chunk = &ram->chunk[span->chunk];

	if (!*chunk) {
		*chunk = calloc(1, CHUNK_BYTES);
		if (!*chunk)
			return NULL;
		ram->allocated_nr++;
	}
	return *chunk + span->offset;
}

static void hstore_span_zero(struct hstore_ram *ram,
			     const struct hstore_span *span)
{
	uint8_t *data = hstore_span_get(ram, span);

	if (!data)
		return;
	if (span->bytes < CHUNK_BYTES) {
		memset(data, 0, span->bytes);
		return;
	}
	free(ram->chunk[span->chunk]);
	ram->chunk[span->chunk] = NULL;
	ram->allocated_nr--;
}

/* Disk bytes at @at go to guest memory at @pa. */
static int hstore_ram_read(struct hstore_ram *ram, uint64_t at, uint64_t pa,
			   uint64_t bytes)
{
	static const uint8_t zeroes[CHUNK_BYTES];

	while (bytes) {
		struct hstore_span span = hstore_span_at(at, bytes);
		const uint8_t *data = hstore_span_get(ram, &span);

		if (!ram_dma_write(pa, data ? data : zeroes, span.bytes))
			return -EIO;
		at += span.bytes;
		pa += span.bytes;
		bytes -= span.bytes;
	}
	return 0;
}

static int hstore_ram_write(struct hstore_ram *ram, uint64_t at, uint64_t pa,
			    uint64_t bytes)
{
	while (bytes) {
		struct hstore_span span = hstore_span_at(at, bytes);
		uint8_t *data = hstore_span_make(ram, &span);

		if (!data)
			return -ENOMEM;
		if (!ram_dma_read(pa, data, span.bytes))
			return -EIO;
		at += span.bytes;
		pa += span.bytes;
		bytes -= span.bytes;
	}
	return 0;
}

static void hstore_ram_zero(struct hstore_ram *ram, uint64_t at,
			    uint64_t bytes)
{
	while (bytes) {
		struct hstore_span span = hstore_span_at(at, bytes);

		hstore_span_zero(ram, &span);
		at += span.bytes;
		bytes -= span.bytes;
	}
}

static int hstore_ram_move(struct hstore_ram *ram,
			   const struct hstore_req *req)
{
	uint64_t at = req->sector * HSTORE_SECTOR_BYTES;
	int err = 0;

	for (uint32_t i = 0; i < req->iovs_nr && !err; i++) {
		const struct hiov *iov = &req->iov[i];

		if (req->op == HSTORE_READ)
			err = hstore_ram_read(ram, at, iov->pa, iov->len);
		else
			err = hstore_ram_write(ram, at, iov->pa, iov->len);
		at += iov->len;
	}
	return err;
}

int hstore_ram_apply(struct hstore *store, const struct hstore_req *req)
{
	struct hstore_ram *ram = &store->ram;

	if (req->op == HSTORE_READ || req->op == HSTORE_WRITE)
		return hstore_ram_move(ram, req);
	if (req->op == HSTORE_FLUSH)
		return 0;
	for (uint32_t i = 0; i < req->ranges_nr; i++)
		hstore_ram_zero(ram, req->range[i].sector *
				     HSTORE_SECTOR_BYTES,
				req->range[i].sectors_nr *
				HSTORE_SECTOR_BYTES);
	return 0;
}

static uint64_t hstore_chunks_nr(uint64_t sectors)
{
	uint64_t per_chunk = CHUNK_BYTES / HSTORE_SECTOR_BYTES;

	return sectors / per_chunk + !!(sectors % per_chunk);
}

/* One more than there are chunks, so that an empty disk has a table too. */
int hstore_ram_resize(struct hstore *store, uint64_t sectors)
{
	struct hstore_ram *ram = &store->ram;
	uint64_t nr = hstore_chunks_nr(sectors);
	uint64_t kept_nr = nr < ram->chunks_nr ? nr : ram->chunks_nr;
	uint8_t **chunk = calloc(nr + 1, sizeof(*chunk));

	if (!chunk)
		return -ENOMEM;
	if (sectors < store->sectors)
		hstore_ram_zero(ram, sectors * HSTORE_SECTOR_BYTES,
				(store->sectors - sectors) *
				HSTORE_SECTOR_BYTES);
	memcpy(chunk, ram->chunk, kept_nr * sizeof(*chunk));
	for (uint64_t i = kept_nr; i < ram->chunks_nr; i++) {
		if (!ram->chunk[i])
			continue;
		free(ram->chunk[i]);
		ram->allocated_nr--;
	}
	free(ram->chunk);
	ram->chunk = chunk;
	ram->chunks_nr = nr;
	return 0;
}

static void hstore_ram_submit(struct hstore *store, struct hstore_req *req)
{
	hstore_begin(req);
	hstore_finish(req, hstore_ram_apply(store, req));
}

static void hstore_ram_fini(struct hstore *store)
{
	struct hstore_ram *ram = &store->ram;

	for (uint64_t i = 0; ram->allocated_nr; i++) {
		if (!ram->chunk[i])
			continue;
		free(ram->chunk[i]);
		ram->allocated_nr--;
	}
	free(ram->chunk);
	memset(ram, 0, sizeof(*ram));
}

int hstore_init_ram(struct hstore *store, uint64_t sectors)
{
	static const struct hstore_ops ops = {
		.name = "ram",
		.submit = hstore_ram_submit,
		.fini = hstore_ram_fini,
	};
	uint64_t chunks_nr = hstore_chunks_nr(sectors);

	hstore_init_null(store, sectors);
	store->ops = &ops;
	store->ram.chunk = calloc(chunks_nr + 1, sizeof(*store->ram.chunk));
	if (!store->ram.chunk)
		return -ENOMEM;
	store->ram.chunks_nr = chunks_nr;
	return 0;
}

static const struct hstore *hstore_data(const struct hstore *store)
{
	return store->queue.under ? store->queue.under : store;
}

static bool hstore_has(const struct hstore *store, uint64_t sector,
		       uint32_t sectors_nr)
{
	return store->ram.chunk && sector <= store->sectors &&
	       sectors_nr <= store->sectors - sector;
}

int hstore_peek(const struct hstore *store, uint64_t sector, void *buf,
		uint32_t sectors_nr)
{
	uint64_t at = sector * HSTORE_SECTOR_BYTES;
	uint64_t bytes = (uint64_t)sectors_nr * HSTORE_SECTOR_BYTES;
	uint8_t *to = buf;

	store = hstore_data(store);
	if (!hstore_has(store, sector, sectors_nr))
		return -EINVAL;
	while (bytes) {
		struct hstore_span span = hstore_span_at(at, bytes);
		const uint8_t *data = hstore_span_get(&store->ram, &span);

		if (data)
			memcpy(to, data, span.bytes);
		else
			memset(to, 0, span.bytes);
		at += span.bytes;
		to += span.bytes;
		bytes -= span.bytes;
	}
	return 0;
}

int hstore_poke(struct hstore *store, uint64_t sector, const void *buf,
		uint32_t sectors_nr)
{
	uint64_t at = sector * HSTORE_SECTOR_BYTES;
	uint64_t bytes = (uint64_t)sectors_nr * HSTORE_SECTOR_BYTES;
	const uint8_t *from = buf;

	store = store->queue.under ? store->queue.under : store;
	if (!hstore_has(store, sector, sectors_nr))
		return -EINVAL;
	while (bytes) {
		struct hstore_span span = hstore_span_at(at, bytes);
		uint8_t *data = hstore_span_make(&store->ram, &span);

		if (!data)
			return -ENOMEM;
		memcpy(data, from, span.bytes);
		at += span.bytes;
		from += span.bytes;
		bytes -= span.bytes;
	}
	return 0;
}
