// SPDX-License-Identifier: GPL-2.0-only
/* sscanf() of <linux/sprintf.h>: %d %i %u %x %o with h, l; %s %c %n, widths. */
#include <linux/kernel.h>
#include <linux/sprintf.h>
#include <linux/string.h>

struct scan {
	const char *s;
	int width;		/* characters a field may have */
	int bytes;
	bool skip;
};

static int scan_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
}

static void scan_store(const struct scan *scan, void *to, u64 value)
{
	switch (scan->bytes) {
	case 1:
		*(u8 *)to = value;
		break;
	case 2:
		*(u16 *)to = value;
		break;
	case 4:
		*(u32 *)to = value;
		break;
	default:
		*(u64 *)to = value;
	}
}

static int scan_base(struct scan *scan, char conversion)
{
	bool hex = scan->width > 2 && scan->s[0] == '0' &&
		   (scan->s[1] | 0x20) == 'x' && scan_digit(scan->s[2]) < 16;
	int base = conversion == 'x' ? 16 : conversion == 'o' ? 8 : 10;

	if (conversion == 'i')
		base = hex ? 16 : scan->s[0] == '0' ? 8 : 10;
	if (hex && base == 16) {
		scan->s += 2;
		scan->width -= 2;
	}
	return base;
}

static bool scan_number(struct scan *scan, char conversion, u64 *value)
{
	bool negative = *scan->s == '-' && conversion != 'u';
	int base;

	if (negative || *scan->s == '+') {
		scan->s++;
		scan->width--;
	}
	base = scan_base(scan, conversion);
	if (scan->width <= 0 || scan_digit(*scan->s) >= base)
		return false;
	*value = 0;
	for (; scan->width > 0 && scan_digit(*scan->s) < base; scan->width--)
		*value = *value * base + scan_digit(*scan->s++);
	if (negative)
		*value = -*value;
	return true;
}

static bool scan_is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool scan_string(struct scan *scan, char *to)
{
	if (!*scan->s)
		return false;
	for (; scan->width > 0 && *scan->s && !scan_is_space(*scan->s);
	     scan->width--, scan->s++)
		if (to)
			*to++ = *scan->s;
	if (to)
		*to = '\0';
	return true;
}

static const char *scan_spec(struct scan *scan, const char *fmt)
{
	scan->skip = *fmt == '*';
	fmt += scan->skip;
	scan->width = 0;
	for (; *fmt >= '0' && *fmt <= '9'; fmt++)
		scan->width = scan->width * 10 + (*fmt - '0');
	if (!scan->width)
		scan->width = INT_MAX;
	scan->bytes = 4;
	for (; *fmt == 'h'; fmt++)
		scan->bytes /= 2;
	for (; *fmt == 'l' || *fmt == 'z'; fmt++)
		scan->bytes = 8;
	return fmt;
}

/* One field into @to, which is NULL if it is to be dropped. */
static bool scan_field(struct scan *scan, char conversion, void *to)
{
	u64 value;

	if (conversion == 'c') {
		if (!*scan->s)
			return false;
		if (to)
			*(char *)to = *scan->s;
		scan->s++;
		return true;
	}
	scan->s = skip_spaces(scan->s);
	if (conversion == 's')
		return scan_string(scan, to);
	if (!scan_number(scan, conversion, &value))
		return false;
	if (to)
		scan_store(scan, to, value);
	return true;
}

int guest_sscanf(const char *buf, const char *fmt, ...)
{
	struct scan scan = { .s = buf };
	int fields = 0;
	va_list args;

	va_start(args, fmt);
	for (; *fmt; fmt++) {
		if (scan_is_space(*fmt)) {
			scan.s = skip_spaces(scan.s);
			continue;
		}
		if (*fmt != '%' || *++fmt == '%') {
			if (*scan.s++ != *fmt)
				break;
			continue;
		}
		fmt = scan_spec(&scan, fmt);
		if (*fmt == 'n') {
			*va_arg(args, int *) = scan.s - buf;
			continue;
		}
		if (!scan_field(&scan, *fmt,
				scan.skip ? NULL : va_arg(args, void *)))
			break;
		fields += !scan.skip;
	}
	va_end(args);
	return fields;
}
