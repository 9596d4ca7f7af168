// SPDX-License-Identifier: GPL-2.0-only
#include <linux/blk-mq.h>
#include <linux/module.h>

static int __init start(void)
{
	blk_mq_start_requests(NULL);
	return blk_mq_no_such_thing_at_all(1);
}
module_init(start);
