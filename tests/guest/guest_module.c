// SPDX-License-Identifier: GPL-2.0-only
/* Two modules with parameters, as a driver made of two files has. */
#define KBUILD_MODNAME "test_blk"

#include "tests/guest/calls.h"

#include <linux/kernel.h>
#include <linux/module.h>

struct module_values module_values;
int module_second_error;

static unsigned int queue_depth = 64;
module_param(queue_depth, uint, 0444);
MODULE_PARM_DESC(queue_depth, "requests per queue");

static bool fast;
module_param(fast, bool, 0644);

static char *name_text = "none";
module_param_named(name, name_text, charp, 0444);

static unsigned short port;
module_param(port, ushort, 0444);

static long offset;
module_param(offset, long, 0444);

static int set_limited(const char *val, const struct kernel_param *kp)
{
	return param_set_uint_minmax(val, kp, 1, 8);
}

static const struct kernel_param_ops limited_ops = {
	.set = set_limited,
	.get = param_get_uint,
};
static unsigned int limited = 3;
module_param_cb(limited, &limited_ops, &limited, 0644);

static int __init first_init(void)
{
	module_values.depth = queue_depth;
	module_values.fast = fast;
	module_values.name = name_text;
	module_values.port = port;
	module_values.offset = offset;
	module_values.limited = limited;
	module_values.inits_nr++;
	return 0;
}

static void __exit first_exit(void)
{
	module_values.exits_nr++;
}

module_init(first_init);
module_exit(first_exit);
