// SPDX-License-Identifier: GPL-2.0-only
#include <linux/printk.h>

#include "model/guest/unmodelled.h"
#include "model/guest/verdict.h"

static void unmodelled_wrong(bool asked, const char *what)
{
	if (asked)
		guest_verdict(what, 0);
}

static void unmodelled_idle(bool asked, const char *what)
{
	if (asked)
		pr_warn("%s is never called: not modelled\n", what);
}

void unmodelled_check_set(const struct blk_mq_tag_set *set)
{
	const struct blk_mq_ops *ops = set->ops;

	unmodelled_wrong(ops->get_budget || ops->put_budget ||
			 ops->set_rq_budget_token || ops->get_rq_budget_token,
			 "blk_mq_ops.get_budget is not modelled");
	unmodelled_wrong(ops->cleanup_rq,
			 "blk_mq_ops.cleanup_rq is not modelled");
	unmodelled_wrong(set->flags & BLK_MQ_F_BLOCKING,
			 "BLK_MQ_F_BLOCKING is not modelled");
	unmodelled_wrong(set->flags & BLK_MQ_F_TAG_HCTX_SHARED,
			 "BLK_MQ_F_TAG_HCTX_SHARED is not modelled");
	unmodelled_wrong(set->reserved_tags,
			 "blk_mq_tag_set.reserved_tags is not modelled");
	unmodelled_idle(ops->timeout, "blk_mq_ops.timeout");
	unmodelled_idle(ops->busy, "blk_mq_ops.busy");
}

void unmodelled_check_disk(const struct gendisk *disk)
{
	const struct block_device_operations *fops = disk->fops;

	unmodelled_wrong(fops->submit_bio || fops->poll_bio,
			 "block_device_operations.submit_bio is not modelled");
	unmodelled_idle(fops->open || fops->release,
			"block_device_operations.open");
}
