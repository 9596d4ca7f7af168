// SPDX-License-Identifier: GPL-2.0-only
#include "model/guest/verify.h"

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

void verify_fill(void *buf, uint32_t bytes, uint64_t offset,
		 uint32_t generation)
{
	uint64_t *word = buf;

	for (uint32_t i = 0; i < bytes / sizeof(*word); i++)
		word[i] = verify_word(offset + i * sizeof(*word), generation);
}

bool verify_check(const void *buf, uint32_t bytes, uint64_t offset,
		  uint32_t generation)
{
	const uint64_t *word = buf;

	for (uint32_t i = 0; i < bytes / sizeof(*word); i++)
		if (word[i] != verify_word(offset + i * sizeof(*word),
					   generation))
			return false;
	return true;
}
