/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Distributions of a duration in integer picoseconds.
 *
 * The draws are the same on every platform. libm's log() and exp() differ
 * between C libraries in the last bit, so this file has its own, made of IEEE
 * 754 double + - * / and sqrt, each of which is correctly rounded. That holds
 * only if the compiler neither fuses a * b + c into one rounding nor computes
 * in a wider format: dist.c switches contraction off by pragma, refuses
 * -ffast-math and x87 arithmetic, and is to be built with -ffp-contract=off
 * (CMake: set_source_files_properties(sim/dist.c PROPERTIES COMPILE_OPTIONS
 * -ffp-contract=off)). Link with libm: sqrt() may be a call.
 *
 * Every draw is the inverse of the cumulative distribution at one number of
 * the stream: a larger number never gives a shorter duration, and two runs
 * that differ in a parameter stay in step (common random numbers). A constant
 * takes none; uniform and empirical take another with probability < n/2^64,
 * n being the width or the total weight (see sim_random_below()).
 */
#ifndef SIM_DIST_H
#define SIM_DIST_H

#include <stddef.h>
#include <stdint.h>

struct sim_random;

/* Longest parameter: 1000 s */
#define SIM_DIST_PS_MAX 1000000000000000u
/* No draw is longer (53 days), so that clocks cannot wrap */
#define SIM_DIST_DRAW_PS_MAX ((uint64_t)1 << 62)
/* Heaviest tail of a lognormal: p99 / mean. e^(z99^2 / 2) = 14.97 bounds it */
#define SIM_DIST_P99_PER_MEAN_MAX 14
/* An empirical file has at most that many lines with a value, and bytes */
#define SIM_DIST_POINTS_MAX (1u << 20)
#define SIM_DIST_FILE_BYTES_MAX (64u << 20)

enum sim_dist_kind {
	SIM_DIST_CONSTANT,
	SIM_DIST_UNIFORM,
	SIM_DIST_EXPONENTIAL,
	SIM_DIST_LOGNORMAL,
	SIM_DIST_EMPIRICAL,
};

struct sim_dist_point {
	uint64_t value_ps;
	uint64_t weight_to;	/* sum of weights up to and with this point */
};

/*
 * One distribution; read-only once initialised, so any number of streams may
 * draw from it. All zero bytes are the constant 0. Invariant of points:
 * value_ps and weight_to both ascend strictly.
 */
struct sim_dist {
	enum sim_dist_kind kind;
	uint64_t mean_ps;
	uint64_t low_ps;		/* uniform */
	uint64_t high_ps;		/* uniform */
	double sigma;			/* lognormal: of the logarithm */
	struct sim_dist_point *points;	/* empirical: owned, else NULL */
	size_t points_nr;
};

/*
 * The initialisers below return 0, or -ERANGE if a parameter exceeds
 * SIM_DIST_PS_MAX, or -EINVAL as said; on error @d is left untouched.
 * @d: written; must not hold an empirical distribution not yet finalised
 */

/* Always @value_ps */
int sim_dist_init_constant(struct sim_dist *d, uint64_t value_ps);

/*
 * Each of @low_ps..@high_ps, both included, with the same probability.
 * -EINVAL if low_ps > high_ps.
 */
int sim_dist_init_uniform(struct sim_dist *d, uint64_t low_ps,
			  uint64_t high_ps);

/* Exponential with mean @mean_ps. The longest draw is 36.8 means */
int sim_dist_init_exponential(struct sim_dist *d, uint64_t mean_ps);

/*
 * Lognormal with mean @mean_ps and 99th percentile @p99_ps: the two numbers
 * that are measured and published, unlike the sigma of the logarithm. Of the
 * two lognormals with that pair it is the one with the smaller sigma,
 *
 *	sigma = z - sqrt(z^2 - 2 ln(p99 / mean)),  z = 2.3263... (99 % of the
 *	normal distribution), mu = ln(mean) - sigma^2 / 2.
 *
 * -EINVAL if p99_ps < mean_ps or p99_ps > SIM_DIST_P99_PER_MEAN_MAX * mean_ps.
 */
int sim_dist_init_lognormal(struct sim_dist *d, uint64_t mean_ps,
			    uint64_t p99_ps);

/*
 * The values of a text, in proportion to their weights, and no others.
 *
 *	# latency of one disk, 4 KiB random reads
 *	unit us
 *	81.25 4
 *	93.5		# weight 1
 *
 * One `value` or `value weight` a line; `#` starts a comment; blank lines,
 * blanks around fields and CR before LF are ignored. A value is a decimal
 * number without sign or exponent, a whole number of ps, and at most
 * SIM_DIST_PS_MAX. A weight is a whole number 0..2^64-1; the sum of weights is
 * 1..2^64-1. `unit ps|ns|us|ms|s`, once and before the first value, says what
 * the values are in. Values may come in any order and repeat.
 *
 * @name: of the text, for messages
 * @text, @text_bytes: any bytes, need not be terminated, not kept
 * @unit: for a text that has no `unit` line; NULL means "ns"
 * @err, @err_bytes: receives `name:line: message` on error (`name: message`
 *	where no line is to blame), terminated and cut to fit; may be NULL, 0
 * Returns 0, then @d is to be released with sim_dist_fini(); -EINVAL for bad
 * text or unit, -ERANGE for a number beyond its limit, -E2BIG for too many
 * values or bytes, -ENOMEM.
 */
int sim_dist_parse(struct sim_dist *d, const char *name, const char *text,
		   size_t text_bytes, const char *unit, char *err,
		   size_t err_bytes);

/*
 * sim_dist_parse() of the file @path.
 * Returns as that, or the -errno of opening or reading the file.
 */
int sim_dist_load(struct sim_dist *d, const char *path, const char *unit,
		  char *err, size_t err_bytes);

/* Release what @d owns and make it the constant 0. For any kind */
void sim_dist_fini(struct sim_dist *d);

/*
 * One duration in ps, 0..SIM_DIST_DRAW_PS_MAX, rounded to nearest. Only a
 * lognormal with a mean beyond 3 s and a heavy tail can reach that limit; what
 * exceeds it is cut to it.
 * @r: the stream to take the number from
 */
uint64_t sim_dist_draw(const struct sim_dist *d, struct sim_random *r);

/* The exact mean in ps, rounded to nearest, half up */
uint64_t sim_dist_mean_ps(const struct sim_dist *d);

/*
 * The arithmetic underneath, for tests and for others who need the same bits
 * everywhere. The error bounds are against the exact result.
 */

/* ln x, within 1 ulp. @x: normal and finite, > 0 */
double sim_dist_log(double x);

/* e^x, within 1 ulp. @x: -708..709, others are cut to that range */
double sim_dist_exp(double x);

/*
 * The normal quantile: z such that a standard normal variable is < z with
 * probability p. Relative error below 1e-15.
 * @p: 2^-1022 <= p < 1
 * M. Wichura, "Algorithm AS 241: The Percentage Points of the Normal
 * Distribution", Applied Statistics 37(3), 1988, routine PPND16.
 */
double sim_dist_normal_quantile(double p);

#endif
