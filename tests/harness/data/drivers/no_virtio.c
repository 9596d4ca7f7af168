// SPDX-License-Identifier: GPL-2.0-only
#include <linux/module.h>

static int __init start(void)
{
	return 0;
}
module_init(start);
