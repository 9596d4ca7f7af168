// SPDX-License-Identifier: GPL-2.0-only
#include "model/host/hiov.h"

#include "model/hw/ram.h"

typedef bool (*hiov_move_fn)(uint64_t pa, void *buf, uint32_t bytes);

uint64_t hiov_bytes(const struct hiov *iov, uint32_t iovs_nr)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < iovs_nr; i++)
		bytes += iov[i].len;
	return bytes;
}

/* The entry that @from falls into; @from becomes the offset in it. */
static uint32_t hiov_seek(const struct hiov *iov, uint32_t iovs_nr,
			  uint64_t *from)
{
	uint32_t i = 0;

	while (i < iovs_nr && *from >= iov[i].len)
		*from -= iov[i++].len;
	return i;
}

static uint32_t hiov_part(const struct hiov *iov, uint64_t from,
			  uint64_t bytes)
{
	uint64_t rest = iov->len - from;

	return (uint32_t)(rest < bytes ? rest : bytes);
}

uint32_t hiov_slice(const struct hiov *iov, uint32_t iovs_nr, uint64_t from,
		    uint64_t bytes, struct hiov *to, uint32_t room_nr)
{
	uint32_t i = hiov_seek(iov, iovs_nr, &from);
	uint32_t nr = 0;

	for (; bytes && i < iovs_nr; i++, from = 0) {
		if (nr == room_nr)
			return room_nr + 1;
		to[nr].pa = iov[i].pa + from;
		to[nr].len = hiov_part(&iov[i], from, bytes);
		to[nr].writable = iov[i].writable;
		bytes -= to[nr++].len;
	}
	return nr;
}

static bool hiov_move(const struct hiov *iov, uint32_t iovs_nr, uint64_t from,
		      uint8_t *buf, uint32_t bytes, hiov_move_fn move)
{
	uint32_t i = hiov_seek(iov, iovs_nr, &from);

	for (; bytes && i < iovs_nr; i++, from = 0) {
		uint32_t part = hiov_part(&iov[i], from, bytes);

		if (!move(iov[i].pa + from, buf, part))
			return false;
		buf += part;
		bytes -= part;
	}
	return !bytes;
}

static bool hiov_move_in(uint64_t pa, void *buf, uint32_t bytes)
{
	return ram_read(pa, buf, bytes);
}

static bool hiov_move_out(uint64_t pa, void *buf, uint32_t bytes)
{
	return ram_write(pa, buf, bytes);
}

static bool hiov_dma_in(uint64_t pa, void *buf, uint32_t bytes)
{
	return ram_dma_read(pa, buf, bytes);
}

static bool hiov_dma_out(uint64_t pa, void *buf, uint32_t bytes)
{
	return ram_dma_write(pa, buf, bytes);
}

bool hiov_read(const struct hiov *iov, uint32_t iovs_nr, uint64_t from,
	       void *buf, uint32_t bytes)
{
	return hiov_move(iov, iovs_nr, from, buf, bytes, hiov_move_in);
}

bool hiov_write(const struct hiov *iov, uint32_t iovs_nr, uint64_t from,
		const void *buf, uint32_t bytes)
{
	return hiov_move(iov, iovs_nr, from, (uint8_t *)buf, bytes,
			 hiov_move_out);
}

bool hiov_dma_read(const struct hiov *iov, uint32_t iovs_nr, uint64_t from,
		   void *buf, uint32_t bytes)
{
	return hiov_move(iov, iovs_nr, from, buf, bytes, hiov_dma_in);
}

bool hiov_dma_write(const struct hiov *iov, uint32_t iovs_nr, uint64_t from,
		    const void *buf, uint32_t bytes)
{
	return hiov_move(iov, iovs_nr, from, (uint8_t *)buf, bytes,
			 hiov_dma_out);
}
