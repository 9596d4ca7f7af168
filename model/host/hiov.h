/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A list of guest-physical buffers, and moving bytes in and out of it.
 *
 * Positions are byte offsets from the start of the list. All buffers lie in
 * RAM: hring_pop checked them. Nothing here allocates.
 */
#ifndef MODEL_HOST_HIOV_H
#define MODEL_HOST_HIOV_H

#include <stdbool.h>
#include <stdint.h>

struct hiov {
	uint64_t pa;
	uint32_t len;		/* bytes, not 0 */
	bool writable;		/* by the device */
};

/* Sum of the lengths. */
uint64_t hiov_bytes(const struct hiov *iov, uint32_t iovs_nr);

/*
 * The part [@from, @from + @bytes) of a list as a list of its own.
 * @to: room for @room_nr entries
 * Returns the number of entries written, or @room_nr + 1 if there is no room.
 * The part must lie within the list.
 */
uint32_t hiov_slice(const struct hiov *iov, uint32_t iovs_nr, uint64_t from,
		    uint64_t bytes, struct hiov *to, uint32_t room_nr);

/*
 * The CPU that runs us copies out of or into guest memory, a charge per line.
 * May switch. False if the list is too short or leaves RAM.
 */
bool hiov_read(const struct hiov *iov, uint32_t iovs_nr, uint64_t from,
	       void *buf, uint32_t bytes);
bool hiov_write(const struct hiov *iov, uint32_t iovs_nr, uint64_t from,
		const void *buf, uint32_t bytes);

/* The same by DMA: nothing is charged, never switches. */
bool hiov_dma_read(const struct hiov *iov, uint32_t iovs_nr, uint64_t from,
		   void *buf, uint32_t bytes);
bool hiov_dma_write(const struct hiov *iov, uint32_t iovs_nr, uint64_t from,
		    const void *buf, uint32_t bytes);

#endif
