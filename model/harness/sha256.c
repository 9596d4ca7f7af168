// SPDX-License-Identifier: GPL-2.0-only
#include "model/harness/sha256.h"

#include <stdio.h>
#include <string.h>

#define BLOCK_BYTES	64u

/* Fractions of the cube roots of the first 64 primes. */
static const uint32_t sha256_round[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b,
	0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01,
	0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7,
	0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc,
	0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152,
	0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
	0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
	0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
	0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08,
	0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
	0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
	0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

/* Fractions of the square roots of the first 8 primes. */
static const uint32_t sha256_start[8] = {
	0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
	0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

static uint32_t sha256_rotr(uint32_t x, unsigned int n)
{
	return x >> n | x << (32 - n);
}

static void sha256_expand(uint32_t w[64], const unsigned char *block)
{
	unsigned int i;

	for (i = 0; i < 16; i++, block += 4)
		w[i] = (uint32_t)block[0] << 24 | (uint32_t)block[1] << 16 |
		       (uint32_t)block[2] << 8 | block[3];
	for (; i < 64; i++) {
		uint32_t a = w[i - 15];
		uint32_t b = w[i - 2];

		a = sha256_rotr(a, 7) ^ sha256_rotr(a, 18) ^ a >> 3;
		b = sha256_rotr(b, 17) ^ sha256_rotr(b, 19) ^ b >> 10;
		w[i] = w[i - 16] + a + w[i - 7] + b;
	}
}

/* One round; @v: a to h. */
static void sha256_step(uint32_t v[8], uint32_t added)
{
	uint32_t s1 = sha256_rotr(v[4], 6) ^ sha256_rotr(v[4], 11) ^
		      sha256_rotr(v[4], 25);
	uint32_t s0 = sha256_rotr(v[0], 2) ^ sha256_rotr(v[0], 13) ^
		      sha256_rotr(v[0], 22);
	uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
	uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
	uint32_t t = v[7] + s1 + choice + added;

	memmove(v + 1, v, 7 * sizeof(*v));
	v[4] += t;
	v[0] = t + s0 + majority;
}

static void sha256_take(struct sha256 *s)
{
	uint32_t w[64];
	uint32_t v[8];
	unsigned int i;

	sha256_expand(w, s->block);
	memcpy(v, s->state, sizeof(v));
	for (i = 0; i < 64; i++)
		sha256_step(v, sha256_round[i] + w[i]);
	for (i = 0; i < 8; i++)
		s->state[i] += v[i];
}

void sha256_init(struct sha256 *s)
{
	memcpy(s->state, sha256_start, sizeof(s->state));
	s->bytes = 0;
}

void sha256_add(struct sha256 *s, const void *data, size_t bytes)
{
	const unsigned char *p = data;

	while (bytes--) {
		s->block[s->bytes++ % BLOCK_BYTES] = *p++;
		if (s->bytes % BLOCK_BYTES == 0)
			sha256_take(s);
	}
}

static void sha256_add_u64(struct sha256 *s, uint64_t value)
{
	unsigned char big[8];
	unsigned int i;

	for (i = 0; i < 8; i++)
		big[i] = (unsigned char)(value >> (56 - 8 * i));
	sha256_add(s, big, sizeof(big));
}

void sha256_add_text(struct sha256 *s, const char *text)
{
	size_t bytes = strlen(text);

	sha256_add_u64(s, bytes);
	sha256_add(s, text, bytes);
}

void sha256_hex(struct sha256 *s, char hex[SHA256_HEX_BYTES])
{
	uint64_t bits = s->bytes * 8;
	unsigned int i;

	sha256_add(s, "\x80", 1);
	while (s->bytes % BLOCK_BYTES != BLOCK_BYTES - 8)
		sha256_add(s, "", 1);
	sha256_add_u64(s, bits);
	for (i = 0; i < 8; i++)
		snprintf(hex + 8 * i, 9, "%08x", s->state[i]);
}

void sha256_of(const void *data, size_t bytes, char hex[SHA256_HEX_BYTES])
{
	struct sha256 s;

	sha256_init(&s);
	sha256_add(&s, data, bytes);
	sha256_hex(&s, hex);
}
