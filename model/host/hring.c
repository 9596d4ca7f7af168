// SPDX-License-Identifier: GPL-2.0-only
#include "model/host/hring.h"

#include <errno.h>
#include <string.h>

#include "model/host/hring_format.h"
#include "model/hw/ram.h"
#include "sim/assert.h"

#define HRING_CHAIN_BYTES_MAX	(UINT64_C(1) << 32)

const char *hring_error_name(enum hring_error error)
{
	static const char *const name[HRING_ERR_NR] = {
		"NONE",
#define HRING_ERROR_NAME(name, text) #name,
		HRING_ERRORS(HRING_ERROR_NAME)
#undef HRING_ERROR_NAME
	};

	return name[error];
}

const char *hring_error_text(enum hring_error error)
{
	static const char *const text[HRING_ERR_NR] = {
		"nothing",
#define HRING_ERROR_TEXT(name, text) text,
		HRING_ERRORS(HRING_ERROR_TEXT)
#undef HRING_ERROR_TEXT
	};

	return text[error];
}

int hring_init(struct hring *ring, const struct hring_ops *ops,
	       const struct hring_config *config)
{
	struct hring_stats stats = ring->stats;

	memset(ring, 0, sizeof(*ring));
	ring->stats = stats;
	ring->ops = ops;
	ring->config = *config;
	ring->armed = true;
	ring->error = ops->check(config);
	return ring->error ? -EINVAL : 0;
}

uint32_t hring_in_use_nr(const struct hring *ring)
{
	return ring->in_use_nr;
}

bool hring_need_event(uint16_t event_seq, uint16_t new_seq, uint16_t old_seq)
{
	/* Both are distances back from the last entry that was written. */
	uint16_t event_back = (uint16_t)(new_seq - 1 - event_seq);
	uint16_t moved = (uint16_t)(new_seq - old_seq);

	return event_back < moved;
}

int hring_fail(struct hring *ring, enum hring_error error, uint32_t at)
{
	ring->error = error;
	ring->error_at = at;
	return -EBADMSG;
}

bool hring_part_ok(uint64_t pa, uint64_t bytes, uint64_t align)
{
	return !(pa % align) && ram_valid(pa, bytes);
}

bool hring_is_busy(const struct hring *ring, uint16_t head)
{
	return ring->busy[head / 64] >> head % 64 & 1;
}

void hring_take(struct hring *ring, const struct hring_chain *chain)
{
	ring->busy[chain->head / 64] |= UINT64_C(1) << chain->head % 64;
	ring->in_use_nr++;
	ring->stats.pops_nr++;
	ring->stats.descs_nr += chain->descs_nr;
	if (chain->iovs_nr > ring->config.size)
		ring->stats.over_size_nr++;
}

void hring_give_back(struct hring *ring, uint16_t head)
{
	sim_assert(head < ring->config.size && hring_is_busy(ring, head));
	ring->busy[head / 64] &= ~(UINT64_C(1) << head % 64);
	ring->in_use_nr--;
	ring->stats.pushes_nr++;
}

bool hring_count_interrupt(struct hring *ring, bool wanted)
{
	if (wanted)
		ring->stats.interrupts_nr++;
	else
		ring->stats.interrupts_suppressed_nr++;
	return wanted;
}

static enum hring_error hring_check_buffer(const struct hring_chain *chain,
					   uint64_t pa, uint32_t len,
					   bool writable)
{
	if (!len)
		return HRING_ERR_BUFFER_ZERO;
	if (!ram_valid(pa, len))
		return HRING_ERR_BUFFER_RAM;
	if (!writable && chain->writable_bytes)
		return HRING_ERR_BUFFER_ORDER;
	if (chain->iovs_nr == HRING_IOV_MAX)
		return HRING_ERR_BUFFERS;
	if (chain->readable_bytes + chain->writable_bytes + len >
	    HRING_CHAIN_BYTES_MAX)
		return HRING_ERR_CHAIN_BYTES;
	return HRING_ERR_NONE;
}

enum hring_error hring_add_buffer(struct hring_chain *chain, uint64_t pa,
				  uint32_t len, bool writable)
{
	enum hring_error error = hring_check_buffer(chain, pa, len, writable);
	struct hiov *iov;

	if (error)
		return error;
	iov = &chain->iov[chain->iovs_nr++];
	iov->pa = pa;
	iov->len = len;
	iov->writable = writable;
	if (writable) {
		chain->writable_bytes += len;
	} else {
		chain->readable_bytes += len;
		chain->readables_nr++;
	}
	return HRING_ERR_NONE;
}

enum hring_error hring_check_table(uint64_t pa, uint32_t len)
{
	if (!len)
		return HRING_ERR_INDIRECT_ZERO;
	if (len % HRING_DESC_BYTES)
		return HRING_ERR_INDIRECT_SIZE;
	if (len / HRING_DESC_BYTES > HRING_IOV_MAX)
		return HRING_ERR_INDIRECT_LONG;
	if (!ram_valid(pa, len))
		return HRING_ERR_INDIRECT_RAM;
	return HRING_ERR_NONE;
}
