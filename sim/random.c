// SPDX-License-Identifier: GPL-2.0-only
#include "sim/random.h"

#include <stdio.h>
#include <stdlib.h>

/* 2^64 divided by the golden ratio, made odd: the SplitMix64 increment */
#define GOLDEN_GAMMA 0x9e3779b97f4a7c15u

static uint64_t rotl(uint64_t x, unsigned int n)
{
	return x << n | x >> (64 - n);
}

/* A bijection, so that different keys cannot meet */
static uint64_t mix(uint64_t x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

static uint64_t stream_key(uint64_t seed, const char *name)
{
	uint64_t key = mix(seed + GOLDEN_GAMMA);

	for (; *name; name++)
		key = mix((key ^ (unsigned char)*name) + GOLDEN_GAMMA);
	return key;
}

void sim_random_init(struct sim_random *r, uint64_t seed, const char *name)
{
	uint64_t key = stream_key(seed, name);

	/* mix() has one zero, and its four arguments here differ */
	for (int i = 0; i < 4; i++) {
		key += GOLDEN_GAMMA;
		r->s[i] = mix(key);
	}
}

uint64_t sim_random_u64(struct sim_random *r)
{
	uint64_t *s = r->s;
	uint64_t result = rotl(s[1] * 5, 7) * 9;
	uint64_t carried = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= carried;
	s[3] = rotl(s[3], 45);
	return result;
}

uint64_t sim_random_below(struct sim_random *r, uint64_t n)
{
	unsigned __int128 product;
	uint64_t unfair;

	if (n == 0) {
		fputs("sim_random_below: n is 0\n", stderr);
		abort();
	}
	product = (unsigned __int128)sim_random_u64(r) * n;
	if ((uint64_t)product >= n)
		return product >> 64;
	/* Of the 2^64 numbers, 2^64 mod n are too many for equal shares */
	unfair = -n % n;
	while ((uint64_t)product < unfair)
		product = (unsigned __int128)sim_random_u64(r) * n;
	return product >> 64;
}

double sim_random_unit(struct sim_random *r)
{
	return (double)(sim_random_u64(r) >> 11) * 0x1p-53;
}
