// SPDX-License-Identifier: GPL-2.0-only
#include "sim/dist.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/random.h"

/*
 * gcc does not know the standard pragma. clang obeys it unless told
 * -ffp-contract=fast, which is not its default.
 */
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#else
#pragma GCC optimize("fp-contract=off")
#endif

/* 1 widens float alone, 16 keeps even _Float16 as it is; 2 is the x87 */
#if (FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 1 && \
     FLT_EVAL_METHOD != 16) || defined(__FAST_MATH__)
#error "draws must be the same everywhere: needs plain IEEE 754 doubles"
#endif

/*
 * ln 2 in two parts. The high part ends in 21 zero bits, so that its product
 * with any exponent is exact.
 */
#define LN2_HIGH 0x1.62e42fee00000p-1
#define LN2_LOW 0x1.a39ef35793c76p-33
#define ONE_OVER_LN2 0x1.71547652b82fep+0
#define SQRT_HALF 0x1.6a09e667f3bcdp-1

static uint64_t double_to_bits(double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits;
}

static double bits_to_double(uint64_t bits)
{
	double x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

static double power_of_2(int exponent)
{
	return bits_to_double((uint64_t)(exponent + 1023) << 52);
}

/* c[nr-1] x^(nr-1) + ... + c[0], by Horner's rule */
static double polynomial(const double *c, size_t nr, double x)
{
	double sum = c[nr - 1];

	for (size_t i = nr - 1; i-- > 0;)
		sum = sum * x + c[i];
	return sum;
}

/*
 * x = 2^k (1 + f) with 1 + f within sqrt(1/2)..sqrt(2). With s = f / (2 + f),
 * ln(1 + f) = 2 artanh s = 2s + s R, R = 2/3 s^2 + 2/5 s^4 + ..., and because
 * of 2s = f - s f that is f - s (f - R): f is exact, and the rest is small.
 * |s| <= 0.1716, so that the first term left out is below 2^-60 of the sum.
 */
double sim_dist_log(double x)
{
	static const double series[] = {
		2.0 / 3, 2.0 / 5, 2.0 / 7, 2.0 / 9, 2.0 / 11, 2.0 / 13,
		2.0 / 15, 2.0 / 17, 2.0 / 19, 2.0 / 21,
	};
	uint64_t bits = double_to_bits(x);
	int k = (int)(bits >> 52) - 1022;
	double f, s, rest;

	x = bits_to_double((bits & 0xfffffffffffffu) | (uint64_t)1022 << 52);
	if (x < SQRT_HALF) {
		x = x * 2;
		k--;
	}
	f = x - 1;
	s = f / (2 + f);
	rest = s * s * polynomial(series, sizeof(series) / sizeof(*series),
				  s * s);
	rest = s * (f - rest);
	return k * LN2_HIGH - ((rest - k * LN2_LOW) - f);
}

/*
 * x = k ln 2 + r with |r| <= ln(2) / 2, and the Taylor series of e^r, of
 * which the first term left out is below 2^-57.
 */
double sim_dist_exp(double x)
{
	static const double series[] = {
		1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040,
		1.0 / 40320, 1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800,
		1.0 / 479001600, 1.0 / 6227020800,
	};
	double high, low, r, tail;
	int k;

	if (x < -708)
		x = -708;
	if (x > 709)
		x = 709;
	k = (int)(x * ONE_OVER_LN2 + (x < 0 ? -0.5 : 0.5));
	high = x - k * LN2_HIGH;
	low = k * LN2_LOW;
	r = high - low;
	tail = r * r * polynomial(series, sizeof(series) / sizeof(*series), r);
	/* high - low instead of r: what rounding r has lost */
	tail = tail + ((high - r) - low);
	/* 2^1024 is no double */
	return (1 + (r + tail)) * 2 * power_of_2(k - 1);
}

static double rational(const double *above, const double *below, double x)
{
	return polynomial(above, 8, x) / polynomial(below, 8, x);
}

static double quantile_centre(double q)
{
	static const double above[] = {
		3.3871328727963666080e0, 1.3314166789178437745e+2,
		1.9715909503065514427e+3, 1.3731693765509461125e+4,
		4.5921953931549871457e+4, 6.7265770927008700853e+4,
		3.3430575583588128105e+4, 2.5090809287301226727e+3,
	};
	static const double below[] = {
		1.0, 4.2313330701600911252e+1,
		6.8718700749205790830e+2, 5.3941960214247511077e+3,
		2.1213794301586595867e+4, 3.9307895800092710610e+4,
		2.8729085735721942674e+4, 5.2264952788528545610e+3,
	};

	return q * rational(above, below, 0.180625 - q * q);
}

static double quantile_flank(double r)
{
	static const double above[] = {
		1.42343711074968357734e0, 4.63033784615654529590e0,
		5.76949722146069140550e0, 3.64784832476320460504e0,
		1.27045825245236838258e0, 2.41780725177450611770e-1,
		2.27238449892691845833e-2, 7.74545014278341407640e-4,
	};
	static const double below[] = {
		1.0, 2.05319162663775882187e0,
		1.67638483018380384940e0, 6.89767334985100004550e-1,
		1.48103976427480074590e-1, 1.51986665636164571966e-2,
		5.47593808499534494600e-4, 1.05075007164441684324e-9,
	};

	return rational(above, below, r - 1.6);
}

static double quantile_tail(double r)
{
	static const double above[] = {
		6.65790464350110377720e0, 5.46378491116411436990e0,
		1.78482653991729133580e0, 2.96560571828504891230e-1,
		2.65321895265761230930e-2, 1.24266094738807843860e-3,
		2.71155556874348757815e-5, 2.01033439929228813265e-7,
	};
	static const double below[] = {
		1.0, 5.99832206555887937690e-1,
		1.36929880922735805310e-1, 1.48753612908506148525e-2,
		7.86869131145613259100e-4, 1.84631831751005468180e-5,
		1.42151175831644588870e-7, 2.04426310338993978564e-15,
	};

	return rational(above, below, r - 5);
}

double sim_dist_normal_quantile(double p)
{
	double q = p - 0.5;
	double r, z;

	if (q >= -0.425 && q <= 0.425)
		return quantile_centre(q);
	r = sqrt(-sim_dist_log(q < 0 ? p : 1 - p));
	z = r <= 5 ? quantile_flank(r) : quantile_tail(r);
	return q < 0 ? -z : z;
}

int sim_dist_init_constant(struct sim_dist *d, uint64_t value_ps)
{
	if (value_ps > SIM_DIST_PS_MAX)
		return -ERANGE;
	*d = (struct sim_dist){
		.kind = SIM_DIST_CONSTANT,
		.mean_ps = value_ps,
	};
	return 0;
}

int sim_dist_init_uniform(struct sim_dist *d, uint64_t low_ps,
			  uint64_t high_ps)
{
	if (low_ps > SIM_DIST_PS_MAX || high_ps > SIM_DIST_PS_MAX)
		return -ERANGE;
	if (low_ps > high_ps)
		return -EINVAL;
	*d = (struct sim_dist){
		.kind = SIM_DIST_UNIFORM,
		.mean_ps = (low_ps + high_ps + 1) / 2,
		.low_ps = low_ps,
		.high_ps = high_ps,
	};
	return 0;
}

int sim_dist_init_exponential(struct sim_dist *d, uint64_t mean_ps)
{
	if (mean_ps > SIM_DIST_PS_MAX)
		return -ERANGE;
	*d = (struct sim_dist){
		.kind = SIM_DIST_EXPONENTIAL,
		.mean_ps = mean_ps,
	};
	return 0;
}

static double lognormal_sigma(uint64_t mean_ps, uint64_t p99_ps)
{
	double z = sim_dist_normal_quantile(0.99);
	double log_ratio;

	if (p99_ps == mean_ps)
		return 0;
	log_ratio = sim_dist_log((double)p99_ps / (double)mean_ps);
	/* z - sqrt(z^2 - 2 l), without cancellation where l is small */
	return 2 * log_ratio / (z + sqrt(z * z - 2 * log_ratio));
}

int sim_dist_init_lognormal(struct sim_dist *d, uint64_t mean_ps,
			    uint64_t p99_ps)
{
	if (mean_ps > SIM_DIST_PS_MAX || p99_ps > SIM_DIST_PS_MAX)
		return -ERANGE;
	if (p99_ps < mean_ps || p99_ps > SIM_DIST_P99_PER_MEAN_MAX * mean_ps)
		return -EINVAL;
	*d = (struct sim_dist){
		.kind = SIM_DIST_LOGNORMAL,
		.mean_ps = mean_ps,
		.sigma = lognormal_sigma(mean_ps, p99_ps),
	};
	return 0;
}

struct parser {
	const char *name;
	unsigned long line;	/* 0: no line is to blame */
	uint64_t unit_ps;
	bool unit_given;
	struct sim_dist_point *points;	/* weight_to is a plain weight here */
	size_t points_nr;
	size_t points_room;
	size_t values_nr;	/* with those of weight 0 */
	uint64_t weight_sum;
	char *err;
	size_t err_bytes;
};

/* A piece of the text; not terminated */
struct field {
	const char *at;
	size_t bytes_nr;
};

__attribute__((format(printf, 3, 4)))
static int fail(struct parser *p, int code, const char *format, ...)
{
	va_list args;
	int used;

	if (p->err_bytes == 0)
		return code;
	if (p->line)
		used = snprintf(p->err, p->err_bytes, "%s:%lu: ", p->name,
				p->line);
	else
		used = snprintf(p->err, p->err_bytes, "%s: ", p->name);
	if (used < 0 || (size_t)used >= p->err_bytes)
		return code;
	va_start(args, format);
	vsnprintf(p->err + used, p->err_bytes - used, format, args);
	va_end(args);
	return code;
}

static int fail_field(struct parser *p, int code, struct field f,
		      const char *why)
{
	char shown[33];
	size_t nr = f.bytes_nr < 32 ? f.bytes_nr : 32;

	for (size_t i = 0; i < nr; i++)
		shown[i] = f.at[i] > ' ' && f.at[i] < 127 ? f.at[i] : '?';
	shown[nr] = '\0';
	return fail(p, code, "'%s%s' %s", shown, nr < f.bytes_nr ? "..." : "",
		    why);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* Cut the first field off @line; empty if there is none */
static struct field take_field(struct field *line)
{
	const char *at = line->at, *end = line->at + line->bytes_nr;
	struct field f;

	while (at < end && is_blank(*at))
		at++;
	f.at = at;
	while (at < end && !is_blank(*at))
		at++;
	f.bytes_nr = at - f.at;
	line->at = at;
	line->bytes_nr = end - at;
	return f;
}

static bool field_is(struct field f, const char *word)
{
	return f.bytes_nr == strlen(word) &&
	       memcmp(f.at, word, f.bytes_nr) == 0;
}

/* The length of one unit in ps, 0 if there is no such unit */
static uint64_t unit_to_ps(struct field f)
{
	static const char *const names[] = { "ps", "ns", "us", "ms", "s" };
	uint64_t unit_ps = 1;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (field_is(f, names[i]))
			return unit_ps;
		unit_ps *= 1000;
	}
	return 0;
}

static int set_unit(struct parser *p, struct field f)
{
	p->unit_ps = unit_to_ps(f);
	if (p->unit_ps == 0)
		return fail_field(p, -EINVAL, f,
				  "is no unit; allowed: ps, ns, us, ms, s");
	return 0;
}

static size_t count_digits(const char *at, const char *end)
{
	size_t nr = 0;

	while (at + nr < end && at[nr] >= '0' && at[nr] <= '9')
		nr++;
	return nr;
}

/* Digits to a number; false if it exceeds 2^64-1 */
static bool digits_to_u64(struct field f, uint64_t *v)
{
	*v = 0;
	for (size_t i = 0; i < f.bytes_nr; i++) {
		if (__builtin_mul_overflow(*v, 10, v) ||
		    __builtin_add_overflow(*v, f.at[i] - '0', v))
			return false;
	}
	return true;
}

/* Digits after the point to ps; false if they go below 1 ps */
static bool fraction_to_ps(struct field f, uint64_t unit_ps,
			   uint64_t *fraction_ps)
{
	*fraction_ps = 0;
	for (size_t i = 0; i < f.bytes_nr; i++) {
		unit_ps /= 10;
		if (unit_ps == 0 && f.at[i] != '0')
			return false;
		*fraction_ps += (f.at[i] - '0') * unit_ps;
	}
	return true;
}

/* `digits` or `digits.digits`, and nothing else */
static bool split_decimal(struct field f, struct field *whole,
			  struct field *fraction)
{
	const char *end = f.at + f.bytes_nr;

	*whole = (struct field){ f.at, count_digits(f.at, end) };
	*fraction = (struct field){ end, 0 };
	if (whole->bytes_nr == 0 || whole->bytes_nr == f.bytes_nr)
		return whole->bytes_nr != 0;
	if (f.at[whole->bytes_nr] != '.')
		return false;
	fraction->at = f.at + whole->bytes_nr + 1;
	fraction->bytes_nr = count_digits(fraction->at, end);
	return fraction->bytes_nr && fraction->at + fraction->bytes_nr == end;
}

static int parse_value(struct parser *p, struct field f, uint64_t *value_ps)
{
	struct field whole, fraction;
	uint64_t units, fraction_ps;

	if (!split_decimal(f, &whole, &fraction))
		return fail_field(p, -EINVAL, f, "is not a decimal number");
	if (!digits_to_u64(whole, &units) ||
	    units > SIM_DIST_PS_MAX / p->unit_ps)
		return fail_field(p, -ERANGE, f, "exceeds 1000 s");
	if (!fraction_to_ps(fraction, p->unit_ps, &fraction_ps))
		return fail_field(p, -EINVAL, f, "is finer than 1 ps");
	*value_ps = units * p->unit_ps + fraction_ps;
	if (*value_ps > SIM_DIST_PS_MAX)
		return fail_field(p, -ERANGE, f, "exceeds 1000 s");
	return 0;
}

/* An empty field leaves *@weight alone */
static int parse_weight(struct parser *p, struct field f, uint64_t *weight)
{
	if (f.bytes_nr == 0)
		return 0;
	if (count_digits(f.at, f.at + f.bytes_nr) != f.bytes_nr)
		return fail_field(p, -EINVAL, f,
				  "is not a weight: a whole number");
	if (!digits_to_u64(f, weight))
		return fail_field(p, -ERANGE, f,
				  "exceeds the largest weight, 2^64-1");
	return 0;
}

static int make_room(struct parser *p)
{
	size_t room = p->points_room ? 2 * p->points_room : 64;
	struct sim_dist_point *points;

	if (p->points_nr < p->points_room)
		return 0;
	points = realloc(p->points, room * sizeof(*points));
	if (!points)
		return fail(p, -ENOMEM, "out of memory");
	p->points = points;
	p->points_room = room;
	return 0;
}

static int add_point(struct parser *p, uint64_t value_ps, uint64_t weight)
{
	int ret;

	if (p->values_nr == SIM_DIST_POINTS_MAX)
		return fail(p, -E2BIG, "more than %u values",
			    SIM_DIST_POINTS_MAX);
	p->values_nr++;
	if (__builtin_add_overflow(p->weight_sum, weight, &p->weight_sum))
		return fail(p, -ERANGE, "the sum of weights exceeds 2^64-1");
	if (weight == 0)
		return 0;
	ret = make_room(p);
	if (ret)
		return ret;
	p->points[p->points_nr++] = (struct sim_dist_point){
		.value_ps = value_ps,
		.weight_to = weight,
	};
	return 0;
}

static int parse_unit_line(struct parser *p, struct field f)
{
	if (p->unit_given)
		return fail(p, -EINVAL, "a second 'unit' line");
	if (p->values_nr)
		return fail(p, -EINVAL,
			    "the 'unit' line must precede the first value");
	p->unit_given = true;
	return set_unit(p, f);
}

static int parse_line(struct parser *p, struct field line)
{
	const char *comment = memchr(line.at, '#', line.bytes_nr);
	struct field first, second, third;
	uint64_t value_ps = 0, weight = 1;
	int ret;

	if (comment)
		line.bytes_nr = comment - line.at;
	first = take_field(&line);
	second = take_field(&line);
	third = take_field(&line);
	if (first.bytes_nr == 0)
		return 0;
	if (third.bytes_nr)
		return fail_field(p, -EINVAL, third,
				  "is one field too many");
	if (field_is(first, "unit"))
		return parse_unit_line(p, second);
	ret = parse_value(p, first, &value_ps);
	if (!ret)
		ret = parse_weight(p, second, &weight);
	return ret ? ret : add_point(p, value_ps, weight);
}

static int parse_lines(struct parser *p, const char *text, size_t text_bytes)
{
	const char *end = text + text_bytes;
	int ret = 0;

	while (text < end && !ret) {
		const char *eol = memchr(text, '\n', end - text);

		if (!eol)
			eol = end;
		p->line++;
		ret = parse_line(p, (struct field){ text, eol - text });
		text = eol < end ? eol + 1 : end;
	}
	return ret;
}

static int compare_points(const void *a, const void *b)
{
	const struct sim_dist_point *x = a, *y = b;

	return (x->value_ps > y->value_ps) - (x->value_ps < y->value_ps);
}

/* Sort, join equal values, and turn weights into sums of weights */
static void order_points(struct parser *p)
{
	struct sim_dist_point *points = p->points;
	uint64_t weight_to = 0;
	size_t last = 0;

	qsort(points, p->points_nr, sizeof(*points), compare_points);
	for (size_t i = 0; i < p->points_nr; i++) {
		weight_to += points[i].weight_to;
		if (points[last].value_ps != points[i].value_ps)
			last++;
		points[last].value_ps = points[i].value_ps;
		points[last].weight_to = weight_to;
	}
	p->points_nr = last + 1;
}

/* No overflow: every value is < 2^64, and so is the sum of weights */
static uint64_t points_mean_ps(const struct sim_dist_point *points, size_t nr)
{
	unsigned __int128 sum = 0;
	uint64_t weight_to = 0;

	for (size_t i = 0; i < nr; i++) {
		sum += (unsigned __int128)points[i].value_ps *
		       (points[i].weight_to - weight_to);
		weight_to = points[i].weight_to;
	}
	return (sum + weight_to / 2) / weight_to;
}

static int parse_text(struct parser *p, const char *text, size_t text_bytes,
		      const char *unit)
{
	int ret = set_unit(p, (struct field){ unit, strlen(unit) });

	if (!ret && text_bytes > SIM_DIST_FILE_BYTES_MAX)
		ret = fail(p, -E2BIG, "more than %u bytes",
			   SIM_DIST_FILE_BYTES_MAX);
	if (!ret)
		ret = parse_lines(p, text, text_bytes);
	p->line = 0;
	if (!ret && p->points_nr == 0)
		ret = fail(p, -EINVAL, "no value with a weight above 0");
	return ret;
}

int sim_dist_parse(struct sim_dist *d, const char *name, const char *text,
		   size_t text_bytes, const char *unit, char *err,
		   size_t err_bytes)
{
	struct parser p = {
		.name = name,
		.err = err,
		.err_bytes = err_bytes,
	};
	int ret = parse_text(&p, text, text_bytes, unit ? unit : "ns");

	if (ret) {
		free(p.points);
		return ret;
	}
	order_points(&p);
	*d = (struct sim_dist){
		.kind = SIM_DIST_EMPIRICAL,
		.mean_ps = points_mean_ps(p.points, p.points_nr),
		.points = p.points,
		.points_nr = p.points_nr,
	};
	return 0;
}

/* Read up to one byte more than is allowed, so that the excess is noticed */
static int read_all(FILE *file, char **text, size_t *text_bytes)
{
	size_t limit = SIM_DIST_FILE_BYTES_MAX + (size_t)1;
	size_t room = 4096;

	*text = NULL;
	*text_bytes = 0;
	for (;;) {
		char *grown = realloc(*text, room);

		if (!grown)
			return -ENOMEM;
		*text = grown;
		errno = 0;
		*text_bytes += fread(grown + *text_bytes, 1,
				     room - *text_bytes, file);
		if (ferror(file))
			return errno ? -errno : -EIO;
		if (*text_bytes < room || room == limit)
			return 0;
		room = 4 * room < limit ? 4 * room : limit;
	}
}

int sim_dist_load(struct sim_dist *d, const char *path, const char *unit,
		  char *err, size_t err_bytes)
{
	struct parser p = { .name = path, .err = err, .err_bytes = err_bytes };
	FILE *file = fopen(path, "rb");
	size_t text_bytes;
	char *text;
	int ret;

	if (!file) {
		ret = -errno;
		return fail(&p, ret, "cannot open: %s", strerror(-ret));
	}
	ret = read_all(file, &text, &text_bytes);
	fclose(file);
	if (ret)
		ret = fail(&p, ret, "cannot read: %s", strerror(-ret));
	else
		ret = sim_dist_parse(d, path, text, text_bytes, unit, err,
				     err_bytes);
	free(text);
	return ret;
}

void sim_dist_fini(struct sim_dist *d)
{
	free(d->points);
	*d = (struct sim_dist){ .kind = SIM_DIST_CONSTANT };
}

static uint64_t round_to_ps(double ps)
{
	uint64_t whole_ps;

	if (ps >= (double)SIM_DIST_DRAW_PS_MAX)
		return SIM_DIST_DRAW_PS_MAX;
	/* Not ps + 0.5, which is itself rounded from 2^52 on */
	whole_ps = (uint64_t)ps;
	return whole_ps + (ps - (double)whole_ps >= 0.5);
}

/* -ln of 1 - unit, which is 2^-53..1; unit itself can be 0 */
static uint64_t draw_exponential(const struct sim_dist *d,
				 struct sim_random *r)
{
	double u = 1 - sim_random_unit(r);

	return round_to_ps((double)d->mean_ps * -sim_dist_log(u));
}

/* The middles of 2^52 equal steps of 0..1: never 0 or 1, and symmetric */
static uint64_t draw_lognormal(const struct sim_dist *d, struct sim_random *r)
{
	uint64_t step = sim_random_u64(r) >> 12;
	double p = (double)(2 * step + 1) * 0x1p-53;
	double x = d->sigma * (sim_dist_normal_quantile(p) - d->sigma / 2);

	return round_to_ps((double)d->mean_ps * sim_dist_exp(x));
}

static uint64_t draw_empirical(const struct sim_dist *d, struct sim_random *r)
{
	size_t low = 0, high = d->points_nr - 1;
	uint64_t ticket = sim_random_below(r, d->points[high].weight_to);

	/* The first point with weight_to > ticket is in low..high */
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (d->points[middle].weight_to > ticket)
			high = middle;
		else
			low = middle + 1;
	}
	return d->points[low].value_ps;
}

uint64_t sim_dist_draw(const struct sim_dist *d, struct sim_random *r)
{
	switch (d->kind) {
	case SIM_DIST_CONSTANT:
		return d->mean_ps;
	case SIM_DIST_UNIFORM:
		return d->low_ps +
		       sim_random_below(r, d->high_ps - d->low_ps + 1);
	case SIM_DIST_EXPONENTIAL:
		return draw_exponential(d, r);
	case SIM_DIST_LOGNORMAL:
		return draw_lognormal(d, r);
	case SIM_DIST_EMPIRICAL:
		return draw_empirical(d, r);
	}
	fprintf(stderr, "sim_dist_draw: no kind %d\n", (int)d->kind);
	abort();
}

uint64_t sim_dist_mean_ps(const struct sim_dist *d)
{
	return d->mean_ps;
}
