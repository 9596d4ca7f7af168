// SPDX-License-Identifier: GPL-2.0-only
#include <linux/module.h>

static int __init start(void)
{
	struct no_such_struct s;

	return s.field + undeclared_name;
}
module_init(start);
