// SPDX-License-Identifier: GPL-2.0-only
#include "sim/digest.h"

#include <string.h>

/* Up to 8 bytes, the first one lowest whatever the machine's byte order */
static uint64_t load_bytes(const unsigned char *bytes, size_t bytes_nr)
{
	uint64_t v = 0;

	for (size_t i = 0; i < bytes_nr; i++)
		v |= (uint64_t)bytes[i] << (8 * i);
	return v;
}

void sim_digest_str(struct sim_digest *d, const char *str)
{
	const unsigned char *bytes = (const unsigned char *)str;
	size_t left = strlen(str);

	sim_digest_u64(d, left);
	while (left) {
		size_t n = left < 8 ? left : 8;

		sim_digest_u64(d, load_bytes(bytes, n));
		bytes += n;
		left -= n;
	}
}

uint64_t sim_digest_value(const struct sim_digest *d)
{
	uint64_t x = d->state ^ d->values_nr * 0x9e3779b97f4a7c15u;

	/* Two rounds of shift and multiply reach every output bit */
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}
