/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Running 64-bit digest of a run: two runs with equal digests fed the same
 * values in the same order.
 *
 * Each step is a bijection of the state for a given value, and of the value
 * for a given state. So two runs of equal length that differ in exactly one
 * value always have different digests; runs that differ in more meet with
 * probability about 2^-64. Not for cryptography: a meeting can be built.
 *
 * The value is the same on every platform. Nothing parks or allocates.
 */
#ifndef SIM_DIGEST_H
#define SIM_DIGEST_H

#include <stdint.h>

struct sim_digest {
	uint64_t state;
	uint64_t values_nr;	/* values taken so far, modulo 2^64 */
};

/* Start an empty digest. @d: written, nothing to release, may be copied */
static inline void sim_digest_init(struct sim_digest *d)
{
	d->state = 0x243f6a8885a308d3u;	/* fraction of pi: any but a pattern */
	d->values_nr = 0;
}

static inline uint64_t sim_digest_rotl(uint64_t x, unsigned int n)
{
	return x << n | x >> (64 - n);
}

/*
 * Take one value. Cheap: of the three multiplications only one is on the path
 * from one state to the next. The value is spread before it meets the state,
 * for a difference in its top bits alone would survive one multiplication as
 * a single bit, and the next value could cancel it.
 */
static inline void sim_digest_u64(struct sim_digest *d, uint64_t v)
{
	v = sim_digest_rotl(v * 0x9e3779b97f4a7c15u, 32);
	v *= 0xd6e8feb86659fd93u;
	d->state = sim_digest_rotl(d->state ^ v, 29) * 0xc2b2ae3d27d4eb4fu +
		   0x13198a2e03707344u;
	d->values_nr++;
}

/*
 * Take a string: its length, then its bytes, so that "ab","c" and "a","bc"
 * differ.
 * @str: NUL-terminated, may be empty, not kept
 */
void sim_digest_str(struct sim_digest *d, const char *str);

/*
 * The digest of all values taken so far. Leaves @d unchanged: more values may
 * follow.
 */
uint64_t sim_digest_value(const struct sim_digest *d);

#endif
