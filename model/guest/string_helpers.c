// SPDX-License-Identifier: GPL-2.0-only
/* Implements <linux/string_helpers.h>. */
#include <linux/kernel.h>
#include <linux/string_helpers.h>

typedef unsigned __int128 u128;

/* Three significant digits: 999, 99.9, 9.99, rounded to nearest. */
static int size_digits(u128 value, u128 unit)
{
	int decimals = value < 10 * unit ? 2 : value < 100 * unit ? 1 : 0;

	return unit == 1 ? 0 : decimals;
}

static u64 size_scaled(u128 value, u128 unit, int decimals)
{
	for (int i = 0; i < decimals; i++)
		value *= 10;
	return (value + unit / 2) / unit;
}

static const char *size_unit(unsigned int index, bool binary)
{
	static const char *const decimal_units[] = {
		"", "k", "M", "G", "T", "P", "E", "Z", "Y",
	};
	static const char *const binary_units[] = {
		"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "Zi", "Yi",
	};

	return binary ? binary_units[index] : decimal_units[index];
}

int string_get_size(u64 size, u64 blk_size, const enum string_size_units units,
		    char *buf, int len)
{
	bool binary = units & STRING_UNITS_MASK;
	u128 step = binary ? 1024 : 1000;
	u128 value = (u128)size * blk_size;
	unsigned int index = 0, scale = 1;
	u128 unit = 1;
	int decimals;
	u64 scaled;

	while (index < 8 && value >= unit * step) {
		unit *= step;
		index++;
	}
	decimals = size_digits(value, unit);
	scaled = size_scaled(value, unit, decimals);
	if (decimals && scaled >= 1000)
		scaled = size_scaled(value, unit, --decimals);
	for (int i = 0; i < decimals; i++)
		scale *= 10;
	if (!decimals)
		return snprintf(buf, len, "%llu%s%s%s", (unsigned long long)scaled,
				units & STRING_UNITS_NO_SPACE ? "" : " ",
				size_unit(index, binary),
				units & STRING_UNITS_NO_BYTES ? "" : "B");
	return snprintf(buf, len, "%llu.%0*llu%s%s%s",
			(unsigned long long)(scaled / scale), decimals,
			(unsigned long long)(scaled % scale),
			units & STRING_UNITS_NO_SPACE ? "" : " ",
			size_unit(index, binary),
			units & STRING_UNITS_NO_BYTES ? "" : "B");
}
