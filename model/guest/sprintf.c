// SPDX-License-Identifier: GPL-2.0-only
/*
 * Implements <linux/sprintf.h>: what C and the kernel have in common, and of
 * the kernel's pointer formats %pe, %pa and %ps. Host addresses never appear.
 */
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/sprintf.h>
#include <linux/string.h>

#include "model/hw/ram.h"

#define POINTER_DIGITS	16

/* Counts all that would be written, keeps what fits. */
struct sprintf_out {
	char *buf;
	size_t size;
	size_t len;
};

struct sprintf_spec {
	bool left;
	bool plus;
	bool space;
	bool alternate;
	bool zero;
	int width;
	int precision;		/* -1: none */
	int bytes;		/* of an integer argument */
};

static void out_char(struct sprintf_out *out, char c)
{
	if (out->len < out->size)
		out->buf[out->len] = c;
	out->len++;
}

static void out_repeat(struct sprintf_out *out, char c, int nr)
{
	while (nr-- > 0)
		out_char(out, c);
}

static void out_bytes(struct sprintf_out *out, const char *s, int len)
{
	for (int i = 0; i < len; i++)
		out_char(out, s[i]);
}

static void out_string(struct sprintf_out *out,
		       const struct sprintf_spec *spec, const char *s)
{
	int len;

	if (!s)
		s = "(null)";
	else if (IS_ERR(s))
		s = "(efault)";
	len = strnlen(s, spec->precision < 0 ? INT_MAX : spec->precision);
	if (!spec->left)
		out_repeat(out, ' ', spec->width - len);
	out_bytes(out, s, len);
	if (spec->left)
		out_repeat(out, ' ', spec->width - len);
}

static const char *sprintf_prefix(const struct sprintf_spec *spec,
				  char conversion, bool negative, u64 value)
{
	switch (conversion) {
	case 'x':
		return spec->alternate && value ? "0x" : "";
	case 'X':
		return spec->alternate && value ? "0X" : "";
	case 'd':
	case 'i':
		return negative ? "-" : spec->plus ? "+" :
		       spec->space ? " " : "";
	default:
		return "";
	}
}

/* Digits of @value from the end of @digits backwards. Returns how many. */
static int sprintf_digits(char *digits, int size, u64 value, char conversion)
{
	unsigned int base = conversion == 'o' ? 8 :
			    (conversion | 0x20) == 'x' ? 16 : 10;
	const char *set = conversion == 'X' ? "0123456789ABCDEF" :
			  "0123456789abcdef";
	int nr = 0;

	for (; value; value /= base)
		digits[size - ++nr] = set[value % base];
	return nr;
}

static void out_number(struct sprintf_out *out,
		       const struct sprintf_spec *spec, char conversion,
		       bool negative, u64 value)
{
	const char *prefix = sprintf_prefix(spec, conversion, negative, value);
	char digits[24];
	int nr = sprintf_digits(digits, sizeof(digits), value, conversion);
	int zeros = (spec->precision < 0 ? 1 : spec->precision) - nr;
	int prefix_len = strlen(prefix);
	int pad;

	if (conversion == 'o' && spec->alternate && zeros <= 0)
		zeros = nr || spec->precision == 0 ? 1 : 0;
	zeros = max(zeros, 0);
	pad = spec->width - prefix_len - zeros - nr;
	if (spec->zero && !spec->left && spec->precision < 0 && pad > 0) {
		zeros += pad;
		pad = 0;
	}
	if (!spec->left)
		out_repeat(out, ' ', pad);
	out_bytes(out, prefix, prefix_len);
	out_repeat(out, '0', zeros);
	out_bytes(out, digits + sizeof(digits) - nr, nr);
	if (spec->left)
		out_repeat(out, ' ', pad);
}

static void out_hex_address(struct sprintf_out *out,
			    struct sprintf_spec spec, u64 value, bool prefix)
{
	spec.alternate = prefix;
	spec.precision = POINTER_DIGITS;
	out_number(out, &spec, 'x', false, value);
}

static const char *sprintf_errname(long err)
{
	static const char *const names[] = {
		[EPERM] = "-EPERM", [ENOENT] = "-ENOENT", [EIO] = "-EIO",
		[ENXIO] = "-ENXIO", [EAGAIN] = "-EAGAIN",
		[ENOMEM] = "-ENOMEM", [EFAULT] = "-EFAULT",
		[EBUSY] = "-EBUSY", [EEXIST] = "-EEXIST",
		[ENODEV] = "-ENODEV", [EINVAL] = "-EINVAL",
		[ENOTTY] = "-ENOTTY", [ENOSPC] = "-ENOSPC",
		[ERANGE] = "-ERANGE", [ETIMEDOUT] = "-ETIMEDOUT",
		[EOPNOTSUPP] = "-EOPNOTSUPP",
	};

	return -err < (long)ARRAY_SIZE(names) ? names[-err] : NULL;
}

/* %pe of an ERR_PTR: its name, or its number if it has none here. */
static void out_error(struct sprintf_out *out, const struct sprintf_spec *spec,
		      const void *p)
{
	const char *name = sprintf_errname(PTR_ERR(p));

	if (name)
		out_string(out, spec, name);
	else
		out_number(out, spec, 'd', true, -PTR_ERR(p));
}

/* An address in RAM is the same in each run; others are not shown. */
static void out_address(struct sprintf_out *out,
			const struct sprintf_spec *spec, const void *p)
{
	if (!p)
		out_string(out, spec, "(null)");
	else if (ram_pa(p) < ram_bytes())
		out_hex_address(out, *spec, (u64)(unsigned long)p, false);
	else
		out_string(out, spec, "(____ptrval____)");
}

/* Returns how many letters of @fmt belong to the pointer format. */
static int out_pointer(struct sprintf_out *out,
		       const struct sprintf_spec *spec, const char *fmt,
		       const void *p)
{
	switch (*fmt) {
	case 'e':
		if (IS_ERR(p))
			out_error(out, spec, p);
		else
			out_address(out, spec, p);
		return 1;
	case 'a':
		out_hex_address(out, *spec, *(const phys_addr_t *)p, true);
		return fmt[1] == 'p' || fmt[1] == 'd' ? 2 : 1;
	case 's':
	case 'S':
	case 'x':
	case 'K':
		out_address(out, spec, p);
		return 1;
	default:
		out_address(out, spec, p);
		return 0;
	}
}

static const char *sprintf_flags(const char *fmt, struct sprintf_spec *spec)
{
	for (;; fmt++) {
		switch (*fmt) {
		case '-':
			spec->left = true;
			break;
		case '+':
			spec->plus = true;
			break;
		case ' ':
			spec->space = true;
			break;
		case '#':
			spec->alternate = true;
			break;
		case '0':
			spec->zero = true;
			break;
		default:
			return fmt;
		}
	}
}

static const char *sprintf_int(const char *fmt, int *value)
{
	*value = 0;
	for (; *fmt >= '0' && *fmt <= '9'; fmt++)
		*value = *value * 10 + (*fmt - '0');
	return fmt;
}

static const char *sprintf_length(const char *fmt, struct sprintf_spec *spec)
{
	spec->bytes = sizeof(int);
	switch (*fmt) {
	case 'h':
		spec->bytes = fmt[1] == 'h' ? sizeof(char) : sizeof(short);
		return fmt + (fmt[1] == 'h' ? 2 : 1);
	case 'l':
		spec->bytes = sizeof(long);
		return fmt + (fmt[1] == 'l' ? 2 : 1);
	case 'L':
	case 'z':
	case 't':
	case 'j':
		spec->bytes = sizeof(long);
		return fmt + 1;
	default:
		return fmt;
	}
}

static u64 sprintf_cut(u64 value, int bytes, bool is_signed)
{
	int shift = 64 - 8 * bytes;

	value <<= shift;
	return is_signed ? (u64)((s64)value >> shift) : value >> shift;
}

static void out_integer(struct sprintf_out *out,
			const struct sprintf_spec *spec, char conversion,
			u64 raw)
{
	bool is_signed = conversion == 'd' || conversion == 'i';
	u64 value = sprintf_cut(raw, spec->bytes, is_signed);
	bool negative = is_signed && (s64)value < 0;

	out_number(out, spec, conversion, negative, negative ? -value : value);
}

static void out_one_char(struct sprintf_out *out,
			 const struct sprintf_spec *spec, char c)
{
	if (!spec->left)
		out_repeat(out, ' ', spec->width - 1);
	out_char(out, c);
	if (spec->left)
		out_repeat(out, ' ', spec->width - 1);
}

/* A va_list that can be handed on by reference. */
struct sprintf_args {
	va_list list;
};

static const char *sprintf_spec(const char *fmt, struct sprintf_spec *spec,
				struct sprintf_args *args)
{
	*spec = (struct sprintf_spec){ .precision = -1 };
	fmt = sprintf_flags(fmt, spec);
	if (*fmt == '*') {
		spec->width = va_arg(args->list, int);
		fmt++;
	} else {
		fmt = sprintf_int(fmt, &spec->width);
	}
	if (spec->width < 0) {
		spec->left = true;
		spec->width = -spec->width;
	}
	if (*fmt == '.' && fmt[1] == '*') {
		spec->precision = max(va_arg(args->list, int), -1);
		fmt += 2;
	} else if (*fmt == '.') {
		fmt = sprintf_int(fmt + 1, &spec->precision);
	}
	return sprintf_length(fmt, spec);
}

/* One conversion; @fmt is behind its percent sign. Returns what follows. */
static const char *sprintf_one(struct sprintf_out *out, const char *fmt,
			       struct sprintf_args *args)
{
	struct sprintf_spec spec;
	u64 raw;

	fmt = sprintf_spec(fmt, &spec, args);
	switch (*fmt) {
	case 'd':
	case 'i':
	case 'u':
	case 'x':
	case 'X':
	case 'o':
		raw = spec.bytes == sizeof(long) ?
		      va_arg(args->list, unsigned long) :
		      va_arg(args->list, unsigned int);
		out_integer(out, &spec, *fmt, raw);
		return fmt + 1;
	case 'c':
		out_one_char(out, &spec, va_arg(args->list, int));
		return fmt + 1;
	case 's':
		out_string(out, &spec, va_arg(args->list, const char *));
		return fmt + 1;
	case 'p':
		return fmt + 1 + out_pointer(out, &spec, fmt + 1,
					     va_arg(args->list, const void *));
	case '%':
		out_char(out, '%');
		return fmt + 1;
	default:
		out_char(out, '%');
		return fmt;
	}
}

int guest_vsnprintf(char *buf, size_t size, const char *fmt, va_list list)
{
	struct sprintf_out out = { .buf = buf, .size = size };
	struct sprintf_args args;

	va_copy(args.list, list);
	while (*fmt) {
		if (*fmt == '%')
			fmt = sprintf_one(&out, fmt + 1, &args);
		else
			out_char(&out, *fmt++);
	}
	va_end(args.list);
	if (size)
		buf[min(out.len, size - 1)] = '\0';
	return out.len;
}

int guest_snprintf(char *buf, size_t size, const char *fmt, ...)
{
	va_list args;
	int len;

	va_start(args, fmt);
	len = vsnprintf(buf, size, fmt, args);
	va_end(args);
	return len;
}

int guest_sprintf(char *buf, const char *fmt, ...)
{
	va_list args;
	int len;

	va_start(args, fmt);
	len = vsnprintf(buf, INT_MAX, fmt, args);
	va_end(args);
	return len;
}

static int __printf(3, 0) sprintf_cut_len(char *buf, size_t size,
					  const char *fmt, va_list args)
{
	size_t len = vsnprintf(buf, size, fmt, args);

	return len < size ? len : size ? size - 1 : 0;
}

int scnprintf(char *buf, size_t size, const char *fmt, ...)
{
	va_list args;
	int len;

	va_start(args, fmt);
	len = sprintf_cut_len(buf, size, fmt, args);
	va_end(args);
	return len;
}

char *kasprintf(gfp_t gfp, const char *fmt, ...)
{
	va_list args;
	char *text;
	int len;

	va_start(args, fmt);
	len = vsnprintf(NULL, 0, fmt, args);
	va_end(args);
	text = kmalloc(len + 1, gfp);
	if (!text)
		return NULL;
	va_start(args, fmt);
	vsnprintf(text, len + 1, fmt, args);
	va_end(args);
	return text;
}

/* The page a sysfs buffer is, from any place in it. */
static size_t sysfs_room(const char *buf, int at)
{
	return at < 0 || at >= (int)PAGE_SIZE || offset_in_page(buf) ? 0 :
	       PAGE_SIZE - at;
}

int sysfs_emit(char *buf, const char *fmt, ...)
{
	va_list args;
	int len;

	if (WARN_ON(!sysfs_room(buf, 0)))
		return 0;
	va_start(args, fmt);
	len = sprintf_cut_len(buf, PAGE_SIZE, fmt, args);
	va_end(args);
	return len;
}

int sysfs_emit_at(char *buf, int at, const char *fmt, ...)
{
	size_t room = sysfs_room(buf, at);
	va_list args;
	int len;

	if (WARN_ON(!room))
		return 0;
	va_start(args, fmt);
	len = sprintf_cut_len(buf + at, room, fmt, args);
	va_end(args);
	return len;
}
