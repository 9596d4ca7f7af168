// SPDX-License-Identifier: GPL-2.0-only
#include "model/harness/report_format.h"

#include <math.h>
#include <string.h>

struct report_unit report_unit_of(double ns)
{
	if (ns < 1e4)
		return (struct report_unit){ 1, "ns", 1 };
	if (ns < 1e7)
		return (struct report_unit){ 1e3, "us", 2 };
	if (ns < 1e10)
		return (struct report_unit){ 1e6, "ms", 2 };
	return (struct report_unit){ 1e9, "s", 2 };
}

void report_format_ns(char *buf, size_t bytes, double ns)
{
	struct report_unit unit = report_unit_of(fabs(ns));

	if (ns == 0)
		unit.decimals = 0;
	snprintf(buf, bytes, "%.*f %s", unit.decimals, ns / unit.divisor,
		 unit.name);
}

void report_format_count(char *buf, size_t bytes, double count)
{
	double size = fabs(count);

	if (size == 0)
		snprintf(buf, bytes, "0");
	else if (size >= 1e9)
		snprintf(buf, bytes, "%.2f G", count / 1e9);
	else if (size >= 1e6)
		snprintf(buf, bytes, "%.2f M", count / 1e6);
	else if (size >= 1e4)
		snprintf(buf, bytes, "%.1f K", count / 1e3);
	else if (size == trunc(size) && size >= 100)
		snprintf(buf, bytes, "%.0f", count);
	else if (size >= 100)
		snprintf(buf, bytes, "%.1f", count);
	else if (size >= 1)
		snprintf(buf, bytes, "%.2f", count);
	else if (size < 5e-4)
		snprintf(buf, bytes, "%.1e", count);
	else
		snprintf(buf, bytes, "%.3f", count);
}

void report_format_rate(char *buf, size_t bytes, double bytes_per_s)
{
	static const char *const name[] = { "B/s", "KiB/s", "MiB/s", "GiB/s" };
	unsigned int i = 0;

	while (bytes_per_s >= 10000 && i < 3) {
		bytes_per_s /= 1024;
		i++;
	}
	snprintf(buf, bytes, "%.1f %s", bytes_per_s, name[i]);
}

void report_format_change(char *buf, size_t bytes, double from, double to)
{
	double percent;

	if (from == to) {
		snprintf(buf, bytes, "=");
		return;
	}
	if (from == 0) {
		snprintf(buf, bytes, "new");
		return;
	}
	percent = (to / from - 1) * 100;
	if (fabs(percent) >= 1000)
		snprintf(buf, bytes, "x%.1f", to / from);
	else
		snprintf(buf, bytes, "%+.*f %%", fabs(percent) < 1 ? 2 : 1,
			 percent);
}

void report_wrap(FILE *out, const char *text, unsigned int indent,
		 unsigned int width)
{
	unsigned int column = 0;

	while (*text) {
		unsigned int word = (unsigned int)strcspn(text, " \n");

		if (column && column + 1 + word > width) {
			fputc('\n', out);
			column = 0;
		}
		if (!column)
			column = (unsigned int)fprintf(out, "%*s",
						       (int)indent, "");
		else if (column > indent)
			column += (unsigned int)fprintf(out, " ");
		column += (unsigned int)fprintf(out, "%.*s", (int)word, text);
		text += word;
		text += strspn(text, " \n");
	}
	fputc('\n', out);
}
