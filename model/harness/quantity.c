// SPDX-License-Identifier: GPL-2.0-only
#include "model/harness/quantity.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

struct quantity_unit {
	const char *name;
	uint64_t factor;
};

static const struct quantity_unit quantity_sizes[] = {
	{ "t", UINT64_C(1) << 40 },
	{ "g", UINT64_C(1) << 30 },
	{ "m", UINT64_C(1) << 20 },
	{ "k", UINT64_C(1) << 10 },
	{ "", 1 },
	{ NULL, 0 }
};

static const struct quantity_unit quantity_times[] = {
	{ "s", UINT64_C(1000000000000) },
	{ "ms", UINT64_C(1000000000) },
	{ "us", UINT64_C(1000000) },
	{ "ns", UINT64_C(1000) },
	{ "ps", 1 },
	{ NULL, 0 }
};

static const struct quantity_unit quantity_clocks[] = {
	{ "ghz", UINT64_C(1000000000) },
	{ "mhz", UINT64_C(1000000) },
	{ "khz", UINT64_C(1000) },
	{ "hz", 1 },
	{ NULL, 0 }
};

/* Add digits at *@p to *@value; returns how many, or -ERANGE. */
static int quantity_digits(const char **p, uint64_t *value)
{
	int digits = 0;

	for (; isdigit((unsigned char)**p); (*p)++, digits++) {
		uint64_t digit = (uint64_t)(**p - '0');

		if (__builtin_mul_overflow(*value, 10u, value) ||
		    __builtin_add_overflow(*value, digit, value))
			return -ERANGE;
	}
	return digits;
}

/* A number at *@p with a fraction: *@value / 10^*@places. */
static int quantity_fixed(const char **p, uint64_t *value, int *places)
{
	int digits;

	*value = 0;
	*places = 0;
	digits = quantity_digits(p, value);
	if (digits <= 0)
		return digits ? digits : -EINVAL;
	if (**p != '.')
		return 0;
	(*p)++;
	*places = quantity_digits(p, value);
	if (*places <= 0)
		return *places ? *places : -EINVAL;
	return 0;
}

/* *@value / 10^@places * @factor, exactly. */
static int quantity_scale(uint64_t *value, int places, uint64_t factor)
{
	unsigned __int128 wide = (unsigned __int128)*value * factor;

	for (; places; places--) {
		if (wide % 10)
			return -EDOM;
		wide /= 10;
	}
	if (wide > UINT64_MAX)
		return -ERANGE;
	*value = (uint64_t)wide;
	return 0;
}

static const struct quantity_unit *
quantity_unit_find(const struct quantity_unit *units, const char *name)
{
	for (; units->name; units++)
		if (!strcasecmp(units->name, name))
			return units;
	return NULL;
}

/* A number, fraction allowed or not, with one of @units. */
static int quantity_with_unit(const char *text,
			      const struct quantity_unit *units, bool fraction,
			      uint64_t *result)
{
	const struct quantity_unit *unit;
	uint64_t value;
	int places;
	int err;

	err = quantity_fixed(&text, &value, &places);
	if (err)
		return err;
	unit = quantity_unit_find(units, text);
	if (!unit || (places && !fraction))
		return -EINVAL;
	err = quantity_scale(&value, places, unit->factor);
	if (!err)
		*result = value;
	return err;
}

int quantity_number(const char *text, uint64_t *value)
{
	uint64_t n = 0;
	int digits = quantity_digits(&text, &n);

	if (digits < 0)
		return digits;
	if (!digits || *text)
		return -EINVAL;
	*value = n;
	return 0;
}

int quantity_size(const char *text, uint64_t *bytes)
{
	return quantity_with_unit(text, quantity_sizes, false, bytes);
}

int quantity_time(const char *text, uint64_t *ps)
{
	if (!strcmp(text, "0")) {
		*ps = 0;
		return 0;
	}
	return quantity_with_unit(text, quantity_times, true, ps);
}

int quantity_clock(const char *text, uint64_t *hz)
{
	return quantity_with_unit(text, quantity_clocks, true, hz);
}

int quantity_decimal(const char *text, unsigned int digits, uint64_t *value)
{
	uint64_t factor = 1;
	uint64_t n;
	int places;
	int err;

	err = quantity_fixed(&text, &n, &places);
	if (err)
		return err;
	if (*text)
		return -EINVAL;
	for (; digits; digits--)
		factor *= 10;
	err = quantity_scale(&n, places, factor);
	if (!err)
		*value = n;
	return err;
}

/* One "n" or "n-m" at *@p. */
static int quantity_range(const char **p, uint64_t *mask)
{
	uint64_t first = 0;
	uint64_t last;
	int digits;

	digits = quantity_digits(p, &first);
	if (digits <= 0)
		return digits ? digits : -EINVAL;
	last = first;
	if (**p == '-') {
		(*p)++;
		last = 0;
		digits = quantity_digits(p, &last);
		if (digits <= 0)
			return digits ? digits : -EINVAL;
	}
	if (last > 63)
		return -ERANGE;
	if (last < first)
		return -EINVAL;
	for (; first <= last; first++)
		*mask |= UINT64_C(1) << first;
	return 0;
}

int quantity_cpus(const char *text, uint64_t *mask)
{
	uint64_t m = 0;
	int err;

	for (;;) {
		err = quantity_range(&text, &m);
		if (err)
			return err;
		if (*text != ',')
			break;
		text++;
	}
	if (*text)
		return -EINVAL;
	*mask = m;
	return 0;
}

void quantity_print_size(char *buf, size_t size, uint64_t bytes)
{
	const struct quantity_unit *unit = quantity_sizes;

	while (unit->factor > 1 && (!bytes || bytes % unit->factor))
		unit++;
	snprintf(buf, size, "%" PRIu64 "%c", bytes / unit->factor,
		 toupper((unsigned char)unit->name[0]));
	if (unit->factor == 1024)
		buf[strlen(buf) - 1] = 'k';
}

void quantity_print_time(char *buf, size_t size, uint64_t ps)
{
	const struct quantity_unit *unit = quantity_times;

	if (!ps) {
		snprintf(buf, size, "0");
		return;
	}
	while (ps % unit->factor)
		unit++;
	snprintf(buf, size, "%" PRIu64 "%s", ps / unit->factor, unit->name);
}

void quantity_print_decimal(char *buf, size_t size, unsigned int digits,
			    uint64_t value)
{
	uint64_t factor = 1;
	unsigned int i;
	size_t end;

	for (i = 0; i < digits; i++)
		factor *= 10;
	if (value % factor == 0) {
		snprintf(buf, size, "%" PRIu64, value / factor);
		return;
	}
	snprintf(buf, size, "%" PRIu64 ".%0*" PRIu64, value / factor,
		 (int)digits, value % factor);
	for (end = strlen(buf); end && buf[end - 1] == '0'; end--)
		buf[end - 1] = '\0';
}

void quantity_print_cpus(char *buf, size_t size, uint64_t mask)
{
	size_t used = 0;
	unsigned int first;
	unsigned int last;

	buf[0] = '\0';
	for (first = 0; first < 64; first = last + 1) {
		last = first;
		if (!(mask >> first & 1))
			continue;
		while (last < 63 && mask >> (last + 1) & 1)
			last++;
		used += (size_t)snprintf(buf + used, size - used, "%s%u",
					 used ? "," : "", first);
		if (used < size && last > first)
			used += (size_t)snprintf(buf + used, size - used,
						 "-%u", last);
		if (used >= size)
			return;
	}
}
