// SPDX-License-Identifier: GPL-2.0-only
/* Implements <linux/kstrtox.h>. */
#include <linux/kernel.h>
#include <linux/kstrtox.h>
#include <linux/limits.h>
#include <linux/string.h>

static unsigned int kstrto_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10u : 16u;
}

/* Base 0: by prefix. Base 16 may have its prefix. */
static const char *kstrto_prefix(const char *s, unsigned int *base)
{
	bool hex = s[0] == '0' && (s[1] | 0x20) == 'x' &&
		   kstrto_digit(s[2]) < 16;

	if (!*base)
		*base = hex ? 16 : s[0] == '0' ? 8 : 10;
	return hex && *base == 16 ? s + 2 : s;
}

/* All digits, at least one, then the end or one newline. */
static int kstrto_magnitude(const char *s, unsigned int base, u64 *res)
{
	u64 value = 0;
	bool over = false;

	s = kstrto_prefix(s, &base);
	if (kstrto_digit(*s) >= base)
		return -EINVAL;
	for (; kstrto_digit(*s) < base; s++) {
		over |= __builtin_mul_overflow(value, (u64)base, &value);
		over |= __builtin_add_overflow(value, (u64)kstrto_digit(*s),
					       &value);
	}
	if (*s == '\n')
		s++;
	if (*s)
		return -EINVAL;
	if (over)
		return -ERANGE;
	*res = value;
	return 0;
}

int kstrtoull(const char *s, unsigned int base, u64 *res)
{
	return kstrto_magnitude(*s == '+' ? s + 1 : s, base, res);
}

int kstrtoll(const char *s, unsigned int base, s64 *res)
{
	bool negative = *s == '-';
	u64 value;
	int err;

	err = negative ? kstrto_magnitude(s + 1, base, &value) :
	      kstrtoull(s, base, &value);
	if (err)
		return err;
	if (value > (u64)S64_MAX + negative)
		return -ERANGE;
	*res = negative ? -value : value;
	return 0;
}

int kstrtouint(const char *s, unsigned int base, unsigned int *res)
{
	u64 value;
	int err = kstrtoull(s, base, &value);

	if (err)
		return err;
	if (value > UINT_MAX)
		return -ERANGE;
	*res = value;
	return 0;
}

int kstrtoint(const char *s, unsigned int base, int *res)
{
	s64 value;
	int err = kstrtoll(s, base, &value);

	if (err)
		return err;
	if (value > INT_MAX || value < INT_MIN)
		return -ERANGE;
	*res = value;
	return 0;
}

/* "on" and "off" by the second letter, all else by the first. */
int kstrtobool(const char *s, bool *res)
{
	static const char yes[] = "yYtT1", no[] = "nNfF0";
	bool by_second;

	if (!s || !*s)
		return -EINVAL;
	by_second = *s == 'o' || *s == 'O';
	if (by_second)
		s++;
	if (*s && strchr(by_second ? "nN" : yes, *s))
		*res = true;
	else if (*s && strchr(by_second ? "fF" : no, *s))
		*res = false;
	else
		return -EINVAL;
	return 0;
}
