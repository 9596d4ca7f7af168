// SPDX-License-Identifier: GPL-2.0-only
#include <check.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/digest.h"
#include "sim/dist.h"
#include "sim/random.h"

#define DRAWS_NR 100000
#define ARRAY_NR(a) (sizeof(a) / sizeof(*(a)))

static uint64_t bits_of(double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits;
}

/* How many doubles apart; both of one sign */
static uint64_t ulps_apart(double a, double b)
{
	uint64_t x = bits_of(a), y = bits_of(b);

	return x > y ? x - y : y - x;
}

struct golden {
	double x;
	uint64_t bits;	/* of our result, which must be this everywhere */
	double exact;	/* correctly rounded, from 250-bit arithmetic */
};

static void assert_golden(double (*function)(double), const struct golden *g,
			  size_t nr, uint64_t ulps)
{
	for (size_t i = 0; i < nr; i++) {
		double y = function(g[i].x);

		ck_assert_msg(bits_of(y) == g[i].bits,
			      "of %a: %a, not the golden bits %#lx", g[i].x,
			      y, (unsigned long)g[i].bits);
		ck_assert_uint_le(ulps_apart(y, g[i].exact), ulps);
	}
}

START_TEST(log_has_its_golden_bits_within_one_ulp)
{
	static const struct golden golden[] = {
		{ 0x1p+0, 0x0000000000000000,
		  0x0p+0 },
		{ 0x1p+1, 0x3fe62e42fefa39ef,
		  0x1.62e42fefa39efp-1 },
		{ 0x1p-1, 0xbfe62e42fefa39ef,
		  -0x1.62e42fefa39efp-1 },
		{ 0x1.999999999999ap-4, 0xc0026bb1bbb55515,
		  -0x1.26bb1bbb55515p+1 },
		{ 0x1.5bf0a8b145769p+1, 0x3ff0000000000000,
		  0x1p+0 },
		{ 0x1.00000004p+0, 0x3e0fffffffc00000,
		  0x1.fffffffcp-31 },
		{ 0x1.fffffffffffffp-1, 0xbca0000000000000,
		  -0x1p-53 },
		{ 0x1p-53, 0xc0425e4f7b2737fa,
		  -0x1.25e4f7b2737fap+5 },
		{ 0x1.7e43c8800759cp+996, 0x4085963447f87fb5,
		  0x1.5963447f87fb5p+9 },
		{ 0x1p-1022, 0xc086232bdd7abcd2,
		  -0x1.6232bdd7abcd2p+9 },
		{ 0x1.6a09e667f3bccp-1, 0xbfd62e42fefa39f1,
		  -0x1.62e42fefa39f1p-2 },
		{ 0x1.6a09e667f3bcdp-1, 0xbfd62e42fefa39ee,
		  -0x1.62e42fefa39eep-2 },
		{ 0x1.48a1bee29e749p+0, 0x3fcff827ab234bfc,
		  0x1.ff827ab234bfdp-3 },
		{ 0x1.cp+3, 0x40051cca16d7bba7,
		  0x1.51cca16d7bba7p+1 },
	};

	assert_golden(sim_dist_log, golden, ARRAY_NR(golden), 1);
}
END_TEST

START_TEST(exp_has_its_golden_bits_within_one_ulp)
{
	static const struct golden golden[] = {
		{ 0x0p+0, 0x3ff0000000000000,
		  0x1p+0 },
		{ 0x1p+0, 0x4005bf0a8b14576a,
		  0x1.5bf0a8b145769p+1 },
		{ -0x1p+0, 0x3fd78b56362cef38,
		  0x1.78b56362cef38p-2 },
		{ 0x1.999999999999ap-4, 0x3ff1aec7b35a00d4,
		  0x1.1aec7b35a00d4p+0 },
		{ -0x1.4p+4, 0x3e21b48655f37267,
		  0x1.1b48655f37267p-29 },
		{ 0x1.62e42fefa39efp-2, 0x3ff6a09e667f3bcc,
		  0x1.6a09e667f3bccp+0 },
		{ 0x1.62e42fefa39f1p-2, 0x3ff6a09e667f3bcd,
		  0x1.6a09e667f3bcdp+0 },
		{ 0x1.c33ecbb0a7a4cp+7, 0x5446b36b947efb3a,
		  0x1.6b36b947efb3bp+325 },
		{ 0x1.5ep+9, 0x7f0d945df4f8ec8e,
		  0x1.d945df4f8ec8ep+1009 },
		{ 0x1.628p+9, 0x7fdd422d2be5dc9b,
		  0x1.d422d2be5dc9bp+1022 },
		{ -0x1.62p+9, 0x0017c8ab2288c9ab,
		  0x1.7c8ab2288c9abp-1022 },
		{ 0x1.70ef54646d497p-57, 0x3ff0000000000000,
		  0x1p+0 },
		{ 0x1.c5a9fbe76c8b4p+3, 0x4135e749ddc64b5d,
		  0x1.5e749ddc64b5dp+20 },
	};

	assert_golden(sim_dist_exp, golden, ARRAY_NR(golden), 1);
}
END_TEST

START_TEST(normal_quantile_has_its_golden_bits_within_8_ulp)
{
	static const struct golden golden[] = {
		{ 0x1p-1, 0x0000000000000000,
		  0x0p+0 },
		{ 0x1.fae147ae147aep-1, 0x40029c5c4630ff0c,
		  0x1.29c5c4630ff0ep+1 },
		{ 0x1.47ae147ae147bp-7, 0xc0029c5c4630ff0e,
		  -0x1.29c5c4630ff0fp+1 },
		{ 0x1.3333333333333p-4, 0xbff7085226d3e523,
		  -0x1.7085226d3e524p+0 },
		{ 0x1.32ca57a786c22p-4, 0xbff70b374817af50,
		  -0x1.70b374817af52p+0 },
		{ 0x1.d99999999999ap-1, 0x3ff7085226d3e524,
		  0x1.7085226d3e525p+0 },
		{ 0x1.d9a6b50b0f27cp-1, 0x3ff70b374817af50,
		  0x1.70b374817af53p+0 },
		{ 0x1p-2, 0xbfe5956b87528a49,
		  -0x1.5956b87528a49p-1 },
		{ 0x1p-53, 0xc0206b48528cea51,
		  -0x1.06b48528cea52p+3 },
		{ 0x1.fffffffffffffp-1, 0x40206b48528cea51,
		  0x1.06b48528cea52p+3 },
		{ 0x1p-30, 0xc0180993fb2838dd,
		  -0x1.80993fb2838dfp+2 },
		{ 0x1.5fd7fe1796495p-37, 0xc01ad2f7bbec4805,
		  -0x1.ad2f7bbec4805p+2 },
		{ 0x1.e8a37a45fc32ep-37, 0xc01aa1b1c13ee525,
		  -0x1.aa1b1c13ee526p+2 },
		{ 0x1.537c80a1492bfp-1, 0x3fdaeed3ea6b67b2,
		  0x1.aeed3ea6b67b7p-2 },
		{ 0x1.8p-1, 0x3fe5956b87528a49,
		  0x1.5956b87528a49p-1 },
		{ 1e-300, 0xc04286074064c26e,
		  -0x1.286074064c26ep+5 },
		{ 1e-100, 0xc03546010d75521f,
		  -0x1.546010d755221p+4 },
		{ 1e-30, 0xc026ed94a4dacdc9,
		  -0x1.6ed94a4dacdc8p+3 },
	};

	assert_golden(sim_dist_normal_quantile, golden, ARRAY_NR(golden), 8);
}
END_TEST

static double any_positive(struct sim_random *r)
{
	double mantissa = 1 + sim_random_unit(r);

	return ldexp(mantissa, (int)sim_random_below(r, 2046) - 1022);
}

static double within_exp_range(struct sim_random *r)
{
	double mantissa = 2 * sim_random_unit(r) - 1;

	return ldexp(mantissa, (int)sim_random_below(r, 20) - 10);
}

static double any_probability(struct sim_random *r)
{
	double mantissa = 0.5 + sim_random_unit(r) / 2;
	double p = ldexp(mantissa, -(int)sim_random_below(r, 53));

	return sim_random_below(r, 2) && p > 0x1p-52 ? 1 - p : p;
}

static uint64_t digest_of_results(double (*function)(double),
				  double (*argument)(struct sim_random *))
{
	struct sim_digest d;
	struct sim_random r;

	sim_digest_init(&d);
	sim_random_init(&r, 1, "results");
	for (int i = 0; i < 100000; i++)
		sim_digest_u64(&d, bits_of(function(argument(&r))));
	return sim_digest_value(&d);
}

/* One bit off in one of them, on any platform, is seen */
START_TEST(results_of_100000_arguments_have_their_golden_digest)
{
	ck_assert_uint_eq(digest_of_results(sim_dist_log, any_positive),
			  0xc7f8a0f878ba5e15);
	ck_assert_uint_eq(digest_of_results(sim_dist_exp, within_exp_range),
			  0x0f257468fa15b1ac);
	ck_assert_uint_eq(digest_of_results(sim_dist_normal_quantile,
					    any_probability),
			  0x4290a827b1623f44);
}
END_TEST

/* libm's own error is below 1 ulp, and so is ours */
START_TEST(log_is_within_2_ulp_of_libm)
{
	struct sim_random r;

	sim_random_init(&r, 1, "log");
	for (int i = 0; i < 200000; i++) {
		double m = 1 + sim_random_unit(&r);
		double any = ldexp(m, (int)sim_random_below(&r, 2046) - 1022);
		double near = ldexp(m, -(int)sim_random_below(&r, 3));
		double unit = 1 - sim_random_unit(&r);

		ck_assert_uint_le(ulps_apart(sim_dist_log(any), log(any)), 2);
		ck_assert_uint_le(ulps_apart(sim_dist_log(near), log(near)),
				  2);
		ck_assert_uint_le(ulps_apart(sim_dist_log(unit), log(unit)),
				  2);
	}
}
END_TEST

START_TEST(exp_is_within_2_ulp_of_libm)
{
	struct sim_random r;

	sim_random_init(&r, 1, "exp");
	for (int i = 0; i < 200000; i++) {
		double unit = 2 * sim_random_unit(&r) - 1;
		double any = unit * 708;

		ck_assert_uint_le(ulps_apart(sim_dist_exp(any), exp(any)), 2);
		ck_assert_uint_le(ulps_apart(sim_dist_exp(unit), exp(unit)),
				  2);
	}
}
END_TEST

START_TEST(exp_is_cut_beyond_its_range)
{
	ck_assert(sim_dist_exp(1e300) == sim_dist_exp(709));
	ck_assert(sim_dist_exp(-1e300) == sim_dist_exp(-708));
	ck_assert(sim_dist_exp(708.5) < sim_dist_exp(709));
}
END_TEST

/*
 * Back through erfc() of libm. An error e of z is one of about (1 + z^2) e
 * relative to p, hence 70 times the bound 1e-15 and libm's own.
 */
START_TEST(normal_quantile_inverts_erfc)
{
	struct sim_random r;

	sim_random_init(&r, 1, "quantile");
	for (int i = 0; i < 200000; i++) {
		double p = any_probability(&r) / 2;
		double z = sim_dist_normal_quantile(p);
		double back = erfc(-z * M_SQRT1_2) / 2;

		ck_assert_double_le(fabs(back - p), 1e-13 * p);
		ck_assert(z < 0);
	}
}
END_TEST

START_TEST(normal_quantile_is_odd_and_ascends)
{
	double before = sim_dist_normal_quantile(0x1p-40);

	for (int i = 1; i < 4096; i++) {
		double z = sim_dist_normal_quantile(i / 4096.0);

		ck_assert_double_gt(z, before);
		ck_assert(z == -sim_dist_normal_quantile(1 - i / 4096.0));
		before = z;
	}
}
END_TEST

static void assert_draws(const struct sim_dist *d, const char *name,
			 const uint64_t *expected, size_t nr)
{
	struct sim_random r;

	sim_random_init(&r, 42, name);
	for (size_t i = 0; i < nr; i++)
		ck_assert_uint_eq(sim_dist_draw(d, &r), expected[i]);
}

/* Computed from the formulas in 250-bit arithmetic by a Python program */
START_TEST(draws_equal_those_of_exact_arithmetic)
{
	static const uint64_t exponential[] = {
		13447954, 4225258, 1486408, 3968525, 475668, 18065269,
	};
	static const uint64_t lognormal[] = {
		86311611, 30387159, 43051592, 31132893, 45722783, 202111894,
	};
	static const uint64_t uniform[] = {
		1525, 4979, 1596, 1950, 3131, 3655,
	};
	struct sim_dist d;

	ck_assert_int_eq(sim_dist_init_exponential(&d, 10000000), 0);
	assert_draws(&d, "exp", exponential, ARRAY_NR(exponential));
	ck_assert_int_eq(sim_dist_init_lognormal(&d, 80000000, 300000000), 0);
	assert_draws(&d, "logn", lognormal, ARRAY_NR(lognormal));
	ck_assert_int_eq(sim_dist_init_uniform(&d, 1000, 5000), 0);
	assert_draws(&d, "uni", uniform, ARRAY_NR(uniform));
}
END_TEST

static uint64_t digest_of_draws(const struct sim_dist *d)
{
	struct sim_digest digest;
	struct sim_random r;

	sim_digest_init(&digest);
	sim_random_init(&r, 1, "draws");
	for (int i = 0; i < DRAWS_NR; i++)
		sim_digest_u64(&digest, sim_dist_draw(d, &r));
	return sim_digest_value(&digest);
}

START_TEST(draws_of_100000_numbers_have_their_golden_digest)
{
	struct sim_dist d;

	ck_assert_int_eq(sim_dist_init_uniform(&d, 1000, 85000000), 0);
	ck_assert_uint_eq(digest_of_draws(&d), 0x11ae13dd92683928);
	ck_assert_int_eq(sim_dist_init_exponential(&d, 85000000), 0);
	ck_assert_uint_eq(digest_of_draws(&d), 0xb5abce419bfaed8e);
	ck_assert_int_eq(sim_dist_init_lognormal(&d, 85000000, 250000000), 0);
	ck_assert_uint_eq(digest_of_draws(&d), 0x4c27696341b45570);
}
END_TEST

static uint64_t draws[DRAWS_NR];

static int compare_u64(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void draw_sorted(const struct sim_dist *d)
{
	struct sim_random r;

	sim_random_init(&r, 1, "moments");
	for (size_t i = 0; i < DRAWS_NR; i++)
		draws[i] = sim_dist_draw(d, &r);
	qsort(draws, DRAWS_NR, sizeof(*draws), compare_u64);
}

/* Mean within 5 standard errors; @sigma is that of one draw */
static void assert_mean(double mean, double sigma)
{
	double sum = 0;

	for (size_t i = 0; i < DRAWS_NR; i++)
		sum += draws[i];
	ck_assert_double_eq_tol(sum / DRAWS_NR, mean,
				5 * sigma / sqrt(DRAWS_NR));
}

/* Variance within @relative of @sigma squared */
static void assert_sigma(double mean, double sigma, double relative)
{
	double sum = 0;

	for (size_t i = 0; i < DRAWS_NR; i++)
		sum += (draws[i] - mean) * (draws[i] - mean);
	ck_assert_double_eq_tol(sum / DRAWS_NR / (sigma * sigma), 1,
				relative);
}

/*
 * Kolmogorov and Smirnov: the largest distance between the distribution and
 * that of the draws, below the 0.1 % point
 */
static void assert_distribution(double (*cdf)(double, const double *),
				const double *parameters)
{
	double worst = 0;

	for (size_t i = 0; i < DRAWS_NR; i++) {
		double p = cdf(draws[i], parameters);

		worst = fmax(worst, fabs(p - i / (double)DRAWS_NR));
		worst = fmax(worst, fabs(p - (i + 1) / (double)DRAWS_NR));
	}
	ck_assert_double_lt(worst, 1.95 / sqrt(DRAWS_NR));
}

static double exponential_cdf(double x, const double *mean)
{
	return -expm1(-x / *mean);
}

static double uniform_cdf(double x, const double *limits)
{
	return (x - limits[0]) / (limits[1] - limits[0]);
}

/* Parameters: mu, sigma */
static double lognormal_cdf(double x, const double *parameters)
{
	return erfc((parameters[0] - log(x)) / parameters[1] * M_SQRT1_2) / 2;
}

START_TEST(constant_draws_its_value_and_takes_no_number)
{
	struct sim_random r, untouched;
	struct sim_dist d;

	sim_random_init(&r, 1, "constant");
	untouched = r;
	ck_assert_int_eq(sim_dist_init_constant(&d, 12345), 0);
	for (int i = 0; i < 10; i++)
		ck_assert_uint_eq(sim_dist_draw(&d, &r), 12345);
	ck_assert_uint_eq(sim_dist_mean_ps(&d), 12345);
	ck_assert_uint_eq(sim_random_u64(&r), sim_random_u64(&untouched));
}
END_TEST

START_TEST(uniform_has_its_moments_and_shape)
{
	const double limits[] = { 1000000, 9000000 };
	const double sigma = 8000000 / sqrt(12);
	struct sim_dist d;

	ck_assert_int_eq(sim_dist_init_uniform(&d, 1000000, 9000000), 0);
	ck_assert_uint_eq(sim_dist_mean_ps(&d), 5000000);
	draw_sorted(&d);
	ck_assert_uint_ge(draws[0], 1000000);
	ck_assert_uint_le(draws[DRAWS_NR - 1], 9000000);
	assert_mean(5000000, sigma);
	assert_sigma(5000000, sigma, 0.02);
	assert_distribution(uniform_cdf, limits);
}
END_TEST

START_TEST(uniform_reaches_both_limits)
{
	struct sim_dist d;

	ck_assert_int_eq(sim_dist_init_uniform(&d, 5, 8), 0);
	ck_assert_uint_eq(sim_dist_mean_ps(&d), 7);
	draw_sorted(&d);
	for (size_t i = 0; i < 4; i++)
		ck_assert_uint_eq(draws[DRAWS_NR / 8 * (2 * i + 1)], 5 + i);
	ck_assert_uint_eq(draws[0], 5);
	ck_assert_uint_eq(draws[DRAWS_NR - 1], 8);
}
END_TEST

/* The fourth moment is 9 sigma^4: variance to 2.8 / sqrt(n) per sigma */
START_TEST(exponential_has_its_moments_and_shape)
{
	const double mean = 80000000;
	struct sim_dist d;

	ck_assert_int_eq(sim_dist_init_exponential(&d, 80000000), 0);
	ck_assert_uint_eq(sim_dist_mean_ps(&d), 80000000);
	draw_sorted(&d);
	assert_mean(mean, mean);
	assert_sigma(mean, mean, 5 * 2.83 / sqrt(DRAWS_NR));
	assert_distribution(exponential_cdf, &mean);
}
END_TEST

static void assert_lognormal(double mean, double p99)
{
	const double z = 2.3263478740408408;
	double sigma = z - sqrt(z * z - 2 * log(p99 / mean));
	double parameters[] = { log(mean) - sigma * sigma / 2, sigma };
	struct sim_dist d;
	size_t above = 0;

	ck_assert_int_eq(sim_dist_init_lognormal(&d, mean, p99), 0);
	ck_assert_double_eq_tol(d.sigma, sigma, 1e-12);
	ck_assert_uint_eq(sim_dist_mean_ps(&d), (uint64_t)mean);
	draw_sorted(&d);
	assert_mean(mean, mean * sqrt(expm1(sigma * sigma)));
	for (size_t i = 0; i < DRAWS_NR; i++)
		above += draws[i] > p99;
	/* 1 %, within 5 standard deviations */
	ck_assert_uint_ge(above, 843);
	ck_assert_uint_le(above, 1157);
	assert_distribution(lognormal_cdf, parameters);
}

START_TEST(lognormal_has_the_mean_and_p99_it_was_given)
{
	assert_lognormal(80000000, 82000000);
	assert_lognormal(80000000, 300000000);
	assert_lognormal(80000000, 1120000000);
}
END_TEST

/* The fourth moment of a lognormal is wild unless sigma is small */
START_TEST(lognormal_has_its_variance)
{
	const double mean = 80000000;
	struct sim_dist d;
	double sigma;

	ck_assert_int_eq(sim_dist_init_lognormal(&d, mean, 160000000), 0);
	sigma = mean * sqrt(expm1(d.sigma * d.sigma));
	draw_sorted(&d);
	assert_sigma(mean, sigma, 0.05);
}
END_TEST

START_TEST(lognormal_with_p99_equal_to_mean_is_constant)
{
	struct sim_random r;
	struct sim_dist d;

	sim_random_init(&r, 1, "lognormal");
	ck_assert_int_eq(sim_dist_init_lognormal(&d, 777, 777), 0);
	for (int i = 0; i < 1000; i++)
		ck_assert_uint_eq(sim_dist_draw(&d, &r), 777);
}
END_TEST

START_TEST(mean_of_zero_draws_zero)
{
	struct sim_random r;
	struct sim_dist d;

	sim_random_init(&r, 1, "zero");
	ck_assert_int_eq(sim_dist_init_exponential(&d, 0), 0);
	ck_assert_uint_eq(sim_dist_draw(&d, &r), 0);
	ck_assert_int_eq(sim_dist_init_lognormal(&d, 0, 0), 0);
	ck_assert_uint_eq(sim_dist_draw(&d, &r), 0);
	ck_assert_int_eq(sim_dist_init_uniform(&d, 0, 0), 0);
	ck_assert_uint_eq(sim_dist_draw(&d, &r), 0);
	d = (struct sim_dist){ 0 };
	ck_assert_uint_eq(sim_dist_draw(&d, &r), 0);
}
END_TEST

START_TEST(parameters_are_accepted_up_to_their_limits_only)
{
	const uint64_t max = SIM_DIST_PS_MAX;
	struct sim_dist d;

	ck_assert_int_eq(sim_dist_init_constant(&d, max), 0);
	ck_assert_int_eq(sim_dist_init_constant(&d, max + 1), -ERANGE);
	ck_assert_int_eq(sim_dist_init_uniform(&d, max, max), 0);
	ck_assert_int_eq(sim_dist_init_uniform(&d, 0, max + 1), -ERANGE);
	ck_assert_int_eq(sim_dist_init_uniform(&d, max + 1, 0), -ERANGE);
	ck_assert_int_eq(sim_dist_init_uniform(&d, 8, 7), -EINVAL);
	ck_assert_int_eq(sim_dist_init_exponential(&d, max), 0);
	ck_assert_int_eq(sim_dist_init_exponential(&d, max + 1), -ERANGE);
	ck_assert_int_eq(sim_dist_init_lognormal(&d, max, max), 0);
	ck_assert_int_eq(sim_dist_init_lognormal(&d, max, max + 1), -ERANGE);
	ck_assert_int_eq(sim_dist_init_lognormal(&d, max + 1, max), -ERANGE);
	ck_assert_int_eq(sim_dist_init_lognormal(&d, 100, 1400), 0);
	ck_assert_int_eq(sim_dist_init_lognormal(&d, 100, 1401), -EINVAL);
	ck_assert_int_eq(sim_dist_init_lognormal(&d, 100, 99), -EINVAL);
	ck_assert_int_eq(sim_dist_init_lognormal(&d, 0, 1), -EINVAL);
}
END_TEST

START_TEST(refused_parameters_leave_the_distribution_untouched)
{
	struct sim_dist d, before;

	memset(&d, 0x5a, sizeof(d));
	before = d;
	sim_dist_init_constant(&d, UINT64_MAX);
	sim_dist_init_uniform(&d, 2, 1);
	sim_dist_init_exponential(&d, UINT64_MAX);
	sim_dist_init_lognormal(&d, 2, 1);
	sim_dist_parse(&d, "x", "1 2 3", 5, NULL, NULL, 0);
	sim_dist_load(&d, "/nonexistent", NULL, NULL, 0);
	ck_assert_int_eq(memcmp(&d, &before, sizeof(d)), 0);
}
END_TEST

/* A state whose next number is @v: the output function inverted */
static struct sim_random about_to_yield(uint64_t v)
{
	uint64_t x = v * 0x8e38e38e38e38e39u;	/* 1/9 modulo 2^64 */

	x = x >> 7 | x << 57;
	return (struct sim_random){ { 1, x * 0xcccccccccccccccdu, 2, 3 } };
}

static uint64_t draw_at(const struct sim_dist *d, uint64_t number)
{
	struct sim_random r = about_to_yield(number);

	return sim_dist_draw(d, &r);
}

START_TEST(longest_and_shortest_draws_are_as_stated)
{
	struct sim_dist d;

	ck_assert_int_eq(sim_dist_init_exponential(&d, 1000000), 0);
	ck_assert_uint_eq(draw_at(&d, 0), 0);
	/* 53 ln 2 means */
	ck_assert_uint_eq(draw_at(&d, UINT64_MAX), 36736801);
	/* A lognormal with mean 3 s stays below the cut, one with 4 s not */
	ck_assert_int_eq(sim_dist_init_lognormal(&d, 3000000000000,
						 42000000000000), 0);
	ck_assert_uint_eq(draw_at(&d, 0), 44898);
	ck_assert_uint_lt(draw_at(&d, UINT64_MAX), SIM_DIST_DRAW_PS_MAX);
	ck_assert_int_eq(sim_dist_init_lognormal(&d, 4000000000000,
						 56000000000000), 0);
	ck_assert_uint_eq(draw_at(&d, UINT64_MAX), SIM_DIST_DRAW_PS_MAX);
}
END_TEST

static const char sample[] =
	"# latency of one disk\n"
	"unit us\r\n"
	"\n"
	"  93.5\t# weight 1\n"
	"0.120 0\n"
	"81.25 3\n"
	"120.000000 5   # twice below\n"
	"81.25\n";

static int parse(struct sim_dist *d, const char *text, const char *unit,
		 char *err, size_t err_bytes)
{
	return sim_dist_parse(d, "a.txt", text, strlen(text), unit, err,
			      err_bytes);
}

static void assert_sample(const struct sim_dist *d)
{
	static const struct sim_dist_point points[] = {
		{ 81250000, 4 }, { 93500000, 5 }, { 120000000, 10 },
	};

	ck_assert_int_eq(d->kind, SIM_DIST_EMPIRICAL);
	ck_assert_uint_eq(d->points_nr, 3);
	for (int i = 0; i < 3; i++) {
		ck_assert_uint_eq(d->points[i].value_ps, points[i].value_ps);
		ck_assert_uint_eq(d->points[i].weight_to,
				  points[i].weight_to);
	}
	ck_assert_uint_eq(sim_dist_mean_ps(d), 101850000);
}

START_TEST(empirical_text_is_sorted_joined_and_averaged)
{
	struct sim_dist d;

	ck_assert_int_eq(parse(&d, sample, NULL, NULL, 0), 0);
	assert_sample(&d);
	sim_dist_fini(&d);
	ck_assert_ptr_null(d.points);
	sim_dist_fini(&d);
}
END_TEST

START_TEST(empirical_draws_come_in_proportion_to_weights)
{
	static const uint64_t expected[] = {
		81250000, 81250000, 120000000, 120000000,
		93500000, 81250000, 120000000, 120000000,
	};
	unsigned int seen[3] = { 0 };
	struct sim_dist d;

	ck_assert_int_eq(parse(&d, sample, NULL, NULL, 0), 0);
	assert_draws(&d, "emp", expected, ARRAY_NR(expected));
	draw_sorted(&d);
	for (size_t i = 0; i < DRAWS_NR; i++)
		seen[draws[i] == 81250000 ? 0 : draws[i] == 93500000 ? 1 : 2]++;
	/* 5 standard deviations of at most 158 */
	ck_assert_uint_le(abs((int)seen[0] - 40000), 790);
	ck_assert_uint_le(abs((int)seen[1] - 10000), 475);
	ck_assert_uint_le(abs((int)seen[2] - 50000), 790);
	sim_dist_fini(&d);
}
END_TEST

START_TEST(empirical_reaches_first_and_last_value_and_no_other)
{
	struct sim_dist d;

	ck_assert_int_eq(parse(&d, sample, NULL, NULL, 0), 0);
	ck_assert_uint_eq(draw_at(&d, (uint64_t)1 << 32), 81250000);
	ck_assert_uint_eq(draw_at(&d, UINT64_MAX), 120000000);
	sim_dist_fini(&d);
	ck_assert_int_eq(parse(&d, "7", NULL, NULL, 0), 0);
	ck_assert_uint_eq(draw_at(&d, UINT64_MAX), 7000);
	sim_dist_fini(&d);
}
END_TEST

START_TEST(larger_number_never_draws_a_shorter_duration)
{
	struct sim_dist d[4];

	ck_assert_int_eq(sim_dist_init_uniform(&d[0], 10, 10000000), 0);
	ck_assert_int_eq(sim_dist_init_exponential(&d[1], 10000000), 0);
	ck_assert_int_eq(sim_dist_init_lognormal(&d[2], 10000, 50000), 0);
	ck_assert_int_eq(parse(&d[3], sample, NULL, NULL, 0), 0);
	for (int i = 0; i < 4; i++) {
		uint64_t before = 0;

		/* n << 48 alone may be one of those that below() rejects */
		for (uint64_t n = 0; n < 65536; n++) {
			uint64_t number = n << 48 | (uint64_t)1 << 40;
			uint64_t now = draw_at(&d[i], number);

			ck_assert_uint_ge(now, before);
			before = now;
		}
	}
	sim_dist_fini(&d[3]);
}
END_TEST

START_TEST(unit_is_ns_unless_argument_or_text_says_otherwise)
{
	static const struct {
		const char *text, *unit;
		uint64_t expected_ps;
	} cases[] = {
		{ "5", NULL, 5000 }, { "5", "ps", 5 }, { "5", "ns", 5000 },
		{ "5", "us", 5000000 }, { "5", "ms", 5000000000 },
		{ "5", "s", 5000000000000 }, { "unit us\n5", "ps", 5000000 },
		{ "unit ps\n5", NULL, 5 }, { "unit s\n5", NULL, 5000000000000 },
	};

	for (size_t i = 0; i < ARRAY_NR(cases); i++) {
		struct sim_dist d;

		ck_assert_int_eq(parse(&d, cases[i].text, cases[i].unit, NULL,
				       0), 0);
		ck_assert_uint_eq(sim_dist_mean_ps(&d), cases[i].expected_ps);
		sim_dist_fini(&d);
	}
}
END_TEST

/* NULL message: the text is good, and its mean is @mean_ps */
static const struct {
	const char *text;
	int ret;
	const char *message;
	uint64_t mean_ps;
} texts[] = {
	/* values: both sides of each limit */
	{ "0", 0, NULL, 0 },
	{ "0.001", 0, NULL, 1 },
	{ "0.0010000", 0, NULL, 1 },
	{ "0.0001", -EINVAL, "a.txt:1: '0.0001' is finer than 1 ps", 0 },
	{ "unit ps\n5.0", 0, NULL, 5 },
	{ "unit ps\n5.5", -EINVAL, "a.txt:2: '5.5' is finer than 1 ps", 0 },
	{ "1000000000000", 0, NULL, 1000000000000000 },
	{ "1000000000000.000", 0, NULL, 1000000000000000 },
	{ "1000000000000.001", -ERANGE,
	  "a.txt:1: '1000000000000.001' exceeds 1000 s", 0 },
	{ "1000000000001", -ERANGE, "a.txt:1: '1000000000001' exceeds 1000 s",
	  0 },
	{ "unit s\n1000", 0, NULL, 1000000000000000 },
	{ "unit s\n999.999999999999", 0, NULL, 999999999999999 },
	{ "unit s\n1000.000000000001", -ERANGE,
	  "a.txt:2: '1000.000000000001' exceeds 1000 s", 0 },
	{ "18446744073709551616", -ERANGE,
	  "a.txt:1: '18446744073709551616' exceeds 1000 s", 0 },
	/* 384 ps modulo 2^64 */
	{ "18446744073709552", -ERANGE,
	  "a.txt:1: '18446744073709552' exceeds 1000 s", 0 },
	{ "00000000000000000000000007", 0, NULL, 7000 },
	/* the form of a value */
	{ "1\n2\nx", -EINVAL, "a.txt:3: 'x' is not a decimal number", 0 },
	{ "-1", -EINVAL, "a.txt:1: '-1' is not a decimal number", 0 },
	{ "+1", -EINVAL, "a.txt:1: '+1' is not a decimal number", 0 },
	{ "1e3", -EINVAL, "a.txt:1: '1e3' is not a decimal number", 0 },
	{ "1.", -EINVAL, "a.txt:1: '1.' is not a decimal number", 0 },
	{ ".5", -EINVAL, "a.txt:1: '.5' is not a decimal number", 0 },
	{ "1.2.3", -EINVAL, "a.txt:1: '1.2.3' is not a decimal number", 0 },
	{ "1,5", -EINVAL, "a.txt:1: '1,5' is not a decimal number", 0 },
	{ "0x10", -EINVAL, "a.txt:1: '0x10' is not a decimal number", 0 },
	{ "\x01\xffz", -EINVAL, "a.txt:1: '??z' is not a decimal number", 0 },
	{ "a23456789012345678901234567890123", -EINVAL,
	  "a.txt:1: 'a2345678901234567890123456789012...' "
	  "is not a decimal number", 0 },
	{ "a2345678901234567890123456789012", -EINVAL,
	  "a.txt:1: 'a2345678901234567890123456789012' "
	  "is not a decimal number", 0 },
	/* weights */
	{ "1 0\n2 1", 0, NULL, 2000 },
	{ "5 18446744073709551615", 0, NULL, 5000 },
	{ "5 18446744073709551616", -ERANGE,
	  "a.txt:1: '18446744073709551616' exceeds the largest weight, 2^64-1",
	  0 },
	{ "5 18446744073709551614\n5 1", 0, NULL, 5000 },
	{ "5 18446744073709551614\n5 2", -ERANGE,
	  "a.txt:2: the sum of weights exceeds 2^64-1", 0 },
	{ "1 -1", -EINVAL, "a.txt:1: '-1' is not a weight: a whole number",
	  0 },
	{ "1 0.5", -EINVAL, "a.txt:1: '0.5' is not a weight: a whole number",
	  0 },
	{ "1 2 3", -EINVAL, "a.txt:1: '3' is one field too many", 0 },
	{ "1 2 # 3", 0, NULL, 1000 },
	{ "1 2#3", 0, NULL, 1000 },
	{ "1\n2 1", 0, NULL, 1500 },
	{ "0.001\n0.002", 0, NULL, 2 },
	/* nothing to draw */
	{ "", -EINVAL, "a.txt: no value with a weight above 0", 0 },
	{ "# 1\n\n \t\r\n", -EINVAL, "a.txt: no value with a weight above 0",
	  0 },
	{ "1 0\n2 0\n", -EINVAL, "a.txt: no value with a weight above 0", 0 },
	{ "unit ns\n", -EINVAL, "a.txt: no value with a weight above 0", 0 },
	/* the unit */
	{ "unit", -EINVAL,
	  "a.txt:1: '' is no unit; allowed: ps, ns, us, ms, s", 0 },
	{ "unit sec\n1", -EINVAL,
	  "a.txt:1: 'sec' is no unit; allowed: ps, ns, us, ms, s", 0 },
	{ "unit ns ns\n1", -EINVAL, "a.txt:1: 'ns' is one field too many",
	  0 },
	{ "unit ns\nunit ns\n1", -EINVAL, "a.txt:2: a second 'unit' line", 0 },
	{ "1\nunit ns\n", -EINVAL,
	  "a.txt:2: the 'unit' line must precede the first value", 0 },
	{ "units ns\n1", -EINVAL, "a.txt:1: 'units' is not a decimal number",
	  0 },
};

START_TEST(text_is_accepted_or_refused_with_the_line_and_the_reason)
{
	char err[200] = "";
	struct sim_dist d;
	int ret = parse(&d, texts[_i].text, NULL, err, sizeof(err));

	ck_assert_msg(ret == texts[_i].ret, "'%s': %d, '%s'", texts[_i].text,
		      ret, err);
	if (texts[_i].message) {
		ck_assert_str_eq(err, texts[_i].message);
		return;
	}
	ck_assert_uint_eq(sim_dist_mean_ps(&d), texts[_i].mean_ps);
	sim_dist_fini(&d);
}
END_TEST

START_TEST(nul_byte_in_text_is_refused)
{
	char err[100];
	struct sim_dist d;

	ck_assert_int_eq(sim_dist_parse(&d, "a.txt", "1\n2\0003\n", 6, NULL,
					err, sizeof(err)), -EINVAL);
	ck_assert_str_eq(err, "a.txt:2: '2?3' is not a decimal number");
}
END_TEST

START_TEST(unknown_unit_argument_is_refused)
{
	char err[100];
	struct sim_dist d;

	ck_assert_int_eq(parse(&d, "1", "hours", err, sizeof(err)), -EINVAL);
	ck_assert_str_eq(err, "a.txt: 'hours' is no unit; "
			      "allowed: ps, ns, us, ms, s");
	ck_assert_int_eq(parse(&d, "1", "", err, sizeof(err)), -EINVAL);
}
END_TEST

START_TEST(message_is_cut_to_the_buffer)
{
	const char whole[] = "a.txt:1: 'x' is not a decimal number";
	struct sim_dist d;

	for (size_t room = 0; room <= sizeof(whole) + 1; room++) {
		char *err = malloc(room ? room : 1);
		size_t kept = room < sizeof(whole) ? room : sizeof(whole);

		ck_assert_int_eq(parse(&d, "x", NULL, err, room), -EINVAL);
		if (room) {
			ck_assert_uint_eq(strlen(err), kept - 1);
			ck_assert_int_eq(memcmp(err, whole, kept - 1), 0);
		}
		free(err);
	}
}
END_TEST

static char *repeated_lines(const char *line, size_t nr, size_t *text_bytes)
{
	size_t length = strlen(line);
	char *text = malloc(nr * length);

	ck_assert_ptr_nonnull(text);
	for (size_t i = 0; i < nr; i++)
		memcpy(text + i * length, line, length);
	*text_bytes = nr * length;
	return text;
}

START_TEST(number_of_values_is_limited)
{
	size_t bytes;
	char *text = repeated_lines("3\n", SIM_DIST_POINTS_MAX + 1, &bytes);
	struct sim_dist d;
	char err[100];

	ck_assert_int_eq(sim_dist_parse(&d, "a.txt", text, bytes - 2, NULL,
					err, sizeof(err)), 0);
	ck_assert_uint_eq(d.points_nr, 1);
	ck_assert_uint_eq(d.points[0].weight_to, SIM_DIST_POINTS_MAX);
	sim_dist_fini(&d);
	ck_assert_int_eq(sim_dist_parse(&d, "a.txt", text, bytes, NULL, err,
					sizeof(err)), -E2BIG);
	ck_assert_str_eq(err, "a.txt:1048577: more than 1048576 values");
	free(text);
}
END_TEST

START_TEST(number_of_bytes_is_limited)
{
	size_t bytes = SIM_DIST_FILE_BYTES_MAX + (size_t)1;
	char *text = malloc(bytes);
	struct sim_dist d;
	char err[100];

	ck_assert_ptr_nonnull(text);
	memset(text, '#', bytes);
	memcpy(text, "3\n", 2);
	ck_assert_int_eq(sim_dist_parse(&d, "a.txt", text, bytes - 1, NULL,
					err, sizeof(err)), 0);
	sim_dist_fini(&d);
	ck_assert_int_eq(sim_dist_parse(&d, "a.txt", text, bytes, NULL, err,
					sizeof(err)), -E2BIG);
	ck_assert_str_eq(err, "a.txt: more than 67108864 bytes");
	free(text);
}
END_TEST

static char path[] = "/tmp/test_dist.XXXXXX";

static FILE *open_scratch(void)
{
	int fd;

	strcpy(path + sizeof(path) - 7, "XXXXXX");
	fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	return fdopen(fd, "w");
}

START_TEST(file_is_read_like_a_text)
{
	FILE *file = open_scratch();
	struct sim_dist d;
	char err[100] = "";
	int ret;

	ck_assert_int_ge(fputs(sample, file), 0);
	ck_assert_int_eq(fclose(file), 0);
	ret = sim_dist_load(&d, path, NULL, err, sizeof(err));
	unlink(path);
	ck_assert_msg(ret == 0, "%s", err);
	assert_sample(&d);
	sim_dist_fini(&d);
}
END_TEST

/* Larger than one read, so that the pieces must be joined */
START_TEST(long_file_is_read_whole)
{
	FILE *file = open_scratch();
	struct sim_dist d;
	int ret;

	for (int i = 0; i < 100000; i++)
		fprintf(file, "%d\n", i);
	ck_assert_int_eq(fclose(file), 0);
	ret = sim_dist_load(&d, path, "ps", NULL, 0);
	unlink(path);
	ck_assert_int_eq(ret, 0);
	ck_assert_uint_eq(d.points_nr, 100000);
	for (uint64_t i = 0; i < 100000; i++) {
		ck_assert_uint_eq(d.points[i].value_ps, i);
		ck_assert_uint_eq(d.points[i].weight_to, i + 1);
	}
	sim_dist_fini(&d);
}
END_TEST

/* A sparse file: nothing but NUL bytes */
static int load_file_of_size(size_t bytes, char *err, size_t err_bytes)
{
	FILE *file = open_scratch();
	struct sim_dist d;
	int ret;

	ck_assert_int_eq(ftruncate(fileno(file), bytes), 0);
	ck_assert_int_eq(fclose(file), 0);
	ret = sim_dist_load(&d, path, NULL, err, err_bytes);
	unlink(path);
	return ret;
}

START_TEST(size_of_a_file_is_limited)
{
	const size_t max = SIM_DIST_FILE_BYTES_MAX;
	char err[200];

	ck_assert_int_eq(load_file_of_size(max, err, sizeof(err)), -EINVAL);
	ck_assert_ptr_nonnull(strstr(err, ":1: '????"));
	ck_assert_int_eq(load_file_of_size(max + 1, err, sizeof(err)),
			 -E2BIG);
	ck_assert_int_eq(load_file_of_size(2 * max, err, sizeof(err)),
			 -E2BIG);
	ck_assert_int_eq(load_file_of_size(0, err, sizeof(err)), -EINVAL);
}
END_TEST

START_TEST(unreadable_files_are_reported)
{
	struct sim_dist d;
	char err[200];

	ck_assert_int_eq(sim_dist_load(&d, "/nonexistent/x", NULL, err,
				       sizeof(err)), -ENOENT);
	ck_assert_str_eq(err, "/nonexistent/x: cannot open: "
			      "No such file or directory");
	ck_assert_int_eq(sim_dist_load(&d, "/", NULL, err, sizeof(err)),
			 -EISDIR);
	ck_assert_str_eq(err, "/: cannot read: Is a directory");
}
END_TEST

static void assert_valid_empirical(const struct sim_dist *d,
				   struct sim_random *r)
{
	uint64_t v;

	ck_assert_int_eq(d->kind, SIM_DIST_EMPIRICAL);
	ck_assert_uint_ge(d->points_nr, 1);
	ck_assert_uint_ge(d->points[0].weight_to, 1);
	for (size_t i = 1; i < d->points_nr; i++) {
		ck_assert_uint_gt(d->points[i].value_ps,
				  d->points[i - 1].value_ps);
		ck_assert_uint_gt(d->points[i].weight_to,
				  d->points[i - 1].weight_to);
	}
	ck_assert_uint_le(d->points[d->points_nr - 1].value_ps,
			  SIM_DIST_PS_MAX);
	v = sim_dist_draw(d, r);
	ck_assert_uint_ge(v, d->points[0].value_ps);
	ck_assert_uint_le(v, d->points[d->points_nr - 1].value_ps);
	ck_assert_uint_ge(d->mean_ps, d->points[0].value_ps);
	ck_assert_uint_le(d->mean_ps, d->points[d->points_nr - 1].value_ps);
}

/* Exactly as many bytes as announced, so that a sanitizer sees one more */
static bool parse_succeeds(const char *bytes, size_t nr, struct sim_random *r)
{
	char *text = malloc(nr ? nr : 1), err[80];
	struct sim_dist d, before;
	int ret;

	memcpy(text, bytes, nr);
	memset(&d, 0x5a, sizeof(d));
	before = d;
	memset(err, 'x', sizeof(err));
	ret = sim_dist_parse(&d, "fuzz", text, nr, NULL, err, sizeof(err));
	free(text);
	if (ret == 0) {
		assert_valid_empirical(&d, r);
		sim_dist_fini(&d);
		return true;
	}
	ck_assert(ret == -EINVAL || ret == -ERANGE);
	ck_assert_int_eq(memcmp(&d, &before, sizeof(d)), 0);
	ck_assert_ptr_nonnull(memchr(err, '\0', sizeof(err)));
	ck_assert_int_eq(strncmp(err, "fuzz:", 5), 0);
	return false;
}

START_TEST(random_bytes_never_break_the_parser)
{
	struct sim_random r;
	char bytes[64];

	sim_random_init(&r, 1, "fuzz bytes");
	for (int n = 0; n < 10000; n++) {
		size_t nr = sim_random_below(&r, sizeof(bytes) + 1);

		for (size_t i = 0; i < nr; i++)
			bytes[i] = sim_random_u64(&r) >> 56;
		parse_succeeds(bytes, nr, &r);
	}
}
END_TEST

/* Bytes that get further: both outcomes must be frequent */
START_TEST(random_lines_never_break_the_parser)
{
	static const char *const pieces[] = {
		"1", "20", "9", "0.001", ".5", "\n", "\n", "\n", " ", " ",
		"\t", "#", "\r\n", "unit ", "unit us\n", "s", "-", "0",
		"18446744073709551615", "1000000000000", "7\n", "8 3\n",
	};
	unsigned int good = 0;
	struct sim_random r;
	char text[256];

	sim_random_init(&r, 1, "fuzz lines");
	for (int n = 0; n < 10000; n++) {
		size_t nr = sim_random_below(&r, 10);

		text[0] = '\0';
		for (size_t i = 0; i < nr; i++)
			strcat(text, pieces[sim_random_below(
				       &r, ARRAY_NR(pieces))]);
		good += parse_succeeds(text, strlen(text), &r);
	}
	ck_assert_uint_gt(good, 1000);
	ck_assert_uint_lt(good, 9000);
}
END_TEST

static bool mutated_sample_parses(struct sim_random *r)
{
	char text[sizeof(sample)];

	memcpy(text, sample, sizeof(sample));
	for (uint64_t i = sim_random_below(r, 3) + 1; i > 0; i--) {
		uint64_t at = sim_random_below(r, sizeof(sample) - 1);

		text[at] = sim_random_u64(r) >> 56;
	}
	return parse_succeeds(text, sizeof(sample) - 1, r);
}

START_TEST(damaged_text_never_breaks_the_parser)
{
	unsigned int good = 0;
	struct sim_random r;

	sim_random_init(&r, 1, "fuzz damage");
	for (int n = 0; n < 10000; n++)
		good += mutated_sample_parses(&r);
	ck_assert_uint_gt(good, 1000);
	ck_assert_uint_lt(good, 9000);
}
END_TEST

static TCase *arithmetic_case(void)
{
	TCase *t = tcase_create("arithmetic");

	tcase_set_timeout(t, 60);
	tcase_add_test(t, log_has_its_golden_bits_within_one_ulp);
	tcase_add_test(t, exp_has_its_golden_bits_within_one_ulp);
	tcase_add_test(t, normal_quantile_has_its_golden_bits_within_8_ulp);
	tcase_add_test(
		t, results_of_100000_arguments_have_their_golden_digest);
	tcase_add_test(t, log_is_within_2_ulp_of_libm);
	tcase_add_test(t, exp_is_within_2_ulp_of_libm);
	tcase_add_test(t, exp_is_cut_beyond_its_range);
	tcase_add_test(t, normal_quantile_inverts_erfc);
	tcase_add_test(t, normal_quantile_is_odd_and_ascends);
	return t;
}

static TCase *draw_case(void)
{
	TCase *t = tcase_create("draw");

	tcase_set_timeout(t, 60);
	tcase_add_test(t, draws_equal_those_of_exact_arithmetic);
	tcase_add_test(t, draws_of_100000_numbers_have_their_golden_digest);
	tcase_add_test(t, constant_draws_its_value_and_takes_no_number);
	tcase_add_test(t, uniform_has_its_moments_and_shape);
	tcase_add_test(t, uniform_reaches_both_limits);
	tcase_add_test(t, exponential_has_its_moments_and_shape);
	tcase_add_test(t, lognormal_has_the_mean_and_p99_it_was_given);
	tcase_add_test(t, lognormal_has_its_variance);
	tcase_add_test(t, lognormal_with_p99_equal_to_mean_is_constant);
	tcase_add_test(t, mean_of_zero_draws_zero);
	tcase_add_test(t, parameters_are_accepted_up_to_their_limits_only);
	tcase_add_test(t,
		       refused_parameters_leave_the_distribution_untouched);
	tcase_add_test(t, longest_and_shortest_draws_are_as_stated);
	tcase_add_test(t, larger_number_never_draws_a_shorter_duration);
	return t;
}

static TCase *empirical_case(void)
{
	TCase *t = tcase_create("empirical");

	tcase_set_timeout(t, 60);
	tcase_add_test(t, empirical_text_is_sorted_joined_and_averaged);
	tcase_add_test(t, empirical_draws_come_in_proportion_to_weights);
	tcase_add_test(t, empirical_reaches_first_and_last_value_and_no_other);
	tcase_add_test(t, unit_is_ns_unless_argument_or_text_says_otherwise);
	tcase_add_loop_test(
		t, text_is_accepted_or_refused_with_the_line_and_the_reason,
		0, ARRAY_NR(texts));
	tcase_add_test(t, nul_byte_in_text_is_refused);
	tcase_add_test(t, unknown_unit_argument_is_refused);
	tcase_add_test(t, message_is_cut_to_the_buffer);
	tcase_add_test(t, number_of_values_is_limited);
	tcase_add_test(t, number_of_bytes_is_limited);
	tcase_add_test(t, file_is_read_like_a_text);
	tcase_add_test(t, long_file_is_read_whole);
	tcase_add_test(t, size_of_a_file_is_limited);
	tcase_add_test(t, unreadable_files_are_reported);
	tcase_add_test(t, random_bytes_never_break_the_parser);
	tcase_add_test(t, random_lines_never_break_the_parser);
	tcase_add_test(t, damaged_text_never_breaks_the_parser);
	return t;
}

int main(void)
{
	Suite *s = suite_create("dist");
	SRunner *runner;
	int failed;

	suite_add_tcase(s, arithmetic_case());
	suite_add_tcase(s, draw_case());
	suite_add_tcase(s, empirical_case());
	runner = srunner_create(s);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
