// SPDX-License-Identifier: GPL-2.0-only
#include "model/guest/verify.h"

#define SECTOR_BYTES	512u
#define SECTOR_WORDS	(SECTOR_BYTES / sizeof(uint64_t))

/* Every word differs, so data in the wrong place is noticed, not only old data. */
static uint64_t verify_word(uint64_t offset, uint32_t generation)
{
	uint64_t x = offset ^ (uint64_t)generation << 40;

	if (!generation)
		return 0;
	x = (x ^ x >> 31) * 0x7fb5d329728ea185u;
	x = (x ^ x >> 27) * 0x81dadef4bc2dd44du;
	return x ^ x >> 33;
}

bool verify_claim(uint8_t *busy, uint64_t offset, uint32_t bytes)
{
	uint8_t *sector = &busy[offset / SECTOR_BYTES];
	uint32_t nr = bytes / SECTOR_BYTES;

	for (uint32_t i = 0; i < nr; i++)
		if (sector[i])
			return false;
	for (uint32_t i = 0; i < nr; i++)
		sector[i] = 1;
	return true;
}

void verify_release(uint8_t *busy, uint64_t offset, uint32_t bytes)
{
	for (uint32_t i = 0; i < bytes / SECTOR_BYTES; i++)
		busy[offset / SECTOR_BYTES + i] = 0;
}

void verify_write(void *buf, uint32_t bytes, uint64_t offset,
		  uint32_t *generation)
{
	uint64_t *word = buf;

	for (uint32_t s = 0; s < bytes / SECTOR_BYTES; s++) {
		generation[s]++;
		for (uint32_t i = 0; i < SECTOR_WORDS; i++) {
			*word++ = verify_word(offset, generation[s]);
			offset += sizeof(*word);
		}
	}
}

bool verify_read(const void *buf, uint32_t bytes, uint64_t offset,
		 const uint32_t *generation)
{
	const uint64_t *word = buf;

	for (uint32_t s = 0; s < bytes / SECTOR_BYTES; s++)
		for (uint32_t i = 0; i < SECTOR_WORDS; i++) {
			if (*word++ != verify_word(offset, generation[s]))
				return false;
			offset += sizeof(*word);
		}
	return true;
}
