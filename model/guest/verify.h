/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Contents of sectors for load_config.verify: what was written last is what a
 * read must bring. Works on guest memory without being charged for it: the
 * comparison is the harness's, not the guest's.
 *
 * @generation arrays count the writes to each sector (0: never written,
 * zeroes); @busy arrays have a byte for each sector. Lengths and offsets are
 * multiples of a sector.
 */
#ifndef MODEL_GUEST_VERIFY_H
#define MODEL_GUEST_VERIFY_H

#include <stdbool.h>
#include <stdint.h>

/* Take the sectors at @offset of the array if all are free. */
bool verify_claim(uint8_t *busy, uint64_t offset, uint32_t bytes);
void verify_release(uint8_t *busy, uint64_t offset, uint32_t bytes);

/*
 * Fill @buf for one more write at disk offset @offset; @generation is the
 * entry of its first sector.
 */
void verify_write(void *buf, uint32_t bytes, uint64_t offset,
		  uint32_t *generation);

/* Does @buf hold what was written there last? */
bool verify_read(const void *buf, uint32_t bytes, uint64_t offset,
		 const uint32_t *generation);

#endif
