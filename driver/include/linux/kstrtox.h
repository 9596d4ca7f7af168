/* SPDX-License-Identifier: GPL-2.0-only */
/* Text to integers: 0, -EINVAL or -ERANGE. */
#ifndef PORT_LINUX_KSTRTOX_H
#define PORT_LINUX_KSTRTOX_H

#include <linux/types.h>

int __must_check kstrtoull(const char *s, unsigned int base, u64 *res);
int __must_check kstrtoll(const char *s, unsigned int base, s64 *res);
int __must_check kstrtouint(const char *s, unsigned int base,
			    unsigned int *res);
int __must_check kstrtoint(const char *s, unsigned int base, int *res);
int __must_check kstrtobool(const char *s, bool *res);

static inline int __must_check kstrtoul(const char *s, unsigned int base,
					unsigned long *res)
{
	return kstrtoull(s, base, (u64 *)res);
}

static inline int __must_check kstrtol(const char *s, unsigned int base,
				       long *res)
{
	return kstrtoll(s, base, (s64 *)res);
}

#endif /* PORT_LINUX_KSTRTOX_H */
