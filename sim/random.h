/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Named streams of random numbers.
 *
 * A stream is a function of (seed, name) and of nothing else, so adding,
 * removing or reordering streams never changes what another one yields. The
 * numbers are the same on every platform and compiler with a 64-bit
 * __int128: only integer arithmetic is used, and one exact multiplication in
 * sim_random_unit().
 *
 * Generator: xoshiro256** 1.0, period 2^256 - 1. D. Blackman, S. Vigna,
 * "Scrambled Linear Pseudorandom Number Generators", ACM Transactions on
 * Mathematical Software 47(4), 2021.
 * Seeding: SplitMix64. G. Steele, D. Lea, C. Flood, "Fast Splittable
 * Pseudorandom Number Generators", OOPSLA 2014, with the mixing constants
 * called variant 13 by D. Stafford.
 *
 * C leaves the order of two calls in one expression to the compiler: draw
 * into a variable before drawing again.
 *
 * Not for cryptography. No function here parks or allocates.
 */
#ifndef SIM_RANDOM_H
#define SIM_RANDOM_H

#include <stdint.h>

/* Invariant: not all four words are 0. May be copied; a copy continues alone */
struct sim_random {
	uint64_t s[4];
};

/*
 * Start the stream @name of @seed.
 * @r: written, owned by the caller, nothing to release
 * @seed: any value
 * @name: NUL-terminated, may be empty; only its bytes count, it is not kept
 * For one name, different seeds always give different states. Different names
 * of one seed collide with probability 2^-64 per pair.
 */
void sim_random_init(struct sim_random *r, uint64_t seed, const char *name);

/* The next number of @r, uniform in 0..2^64-1 */
uint64_t sim_random_u64(struct sim_random *r);

/*
 * A number in 0..n-1, each with exactly the same probability.
 * @n: 1..2^64-1; 0 is a caller's bug and aborts with a message
 * Takes one number of the stream, and another with probability < n/2^64.
 * D. Lemire, "Fast Random Integer Generation in an Interval", ACM
 * Transactions on Modeling and Computer Simulation 29(1), 2019.
 */
uint64_t sim_random_below(struct sim_random *r, uint64_t n);

/* A multiple of 2^-53 in [0, 1), uniform; takes one number of the stream */
double sim_random_unit(struct sim_random *r);

#endif
