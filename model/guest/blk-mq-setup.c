// SPDX-License-Identifier: GPL-2.0-only
/* Tag sets, hardware and software queues, and the maps from CPU to queue. */
#include <linux/blk-mq-virtio.h>
#include <linux/errno.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/virtio_config.h>

#include "model/guest/blk.h"
#include "model/guest/unmodelled.h"

/* Neighbouring CPUs share a queue. */
void blk_mq_map_queues(struct blk_mq_queue_map *qmap)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		qmap->mq_map[cpu] = qmap->queue_offset +
				    cpu * qmap->nr_queues /
				    max(nr_cpu_ids, qmap->nr_queues);
}

void blk_mq_virtio_map_queues(struct blk_mq_queue_map *qmap,
			      struct virtio_device *vdev, int first_vec)
{
	const struct cpumask *mask;
	unsigned int queue, cpu;

	for (queue = 0; queue < qmap->nr_queues; queue++) {
		mask = vdev->config->get_vq_affinity ?
		       vdev->config->get_vq_affinity(vdev, first_vec + queue) :
		       NULL;
		if (!mask) {
			blk_mq_map_queues(qmap);
			return;
		}
		for_each_cpu(cpu, mask)
			qmap->mq_map[cpu] = qmap->queue_offset + queue;
	}
}

struct blk_mq_hw_ctx *blk_mq_map_queue(struct blk_mq_ctx *ctx, blk_opf_t opf)
{
	enum hctx_type type = HCTX_TYPE_DEFAULT;

	if (opf & REQ_POLLED)
		type = HCTX_TYPE_POLL;
	else if ((opf & REQ_OP_MASK) == REQ_OP_READ)
		type = HCTX_TYPE_READ;
	return ctx->hctxs[type];
}

static size_t blk_mq_rq_size(const struct blk_mq_tag_set *set)
{
	return ALIGN(sizeof(struct request) + set->cmd_size, SMP_CACHE_BYTES);
}

/* Only requests that are initialised are listed: they are what is undone. */
static int blk_mq_init_rqs(struct blk_mq_tag_set *set, unsigned int index,
			   char *area)
{
	struct blk_mq_tags *tags = set->tags[index];

	for (unsigned int i = 0; i < tags->nr_tags; i++) {
		struct request *rq =
			(struct request *)(area + i * blk_mq_rq_size(set));

		if (set->ops->init_request &&
		    set->ops->init_request(set, rq, index, NUMA_NO_NODE))
			return -ENOMEM;
		tags->static_rqs[i] = rq;
	}
	return 0;
}

/* Requests with the drivers' parts behind them, cache-line aligned, in one piece. */
static int blk_mq_alloc_rqs(struct blk_mq_tag_set *set, unsigned int index)
{
	struct blk_mq_tags *tags = set->tags[index];
	size_t bytes = blk_mq_rq_size(set) * tags->nr_tags;
	char *area = alloc_pages_exact(bytes, GFP_KERNEL | __GFP_ZERO);
	int err = -ENOMEM;

	tags->rqs = kcalloc(tags->nr_tags, sizeof(*tags->rqs), GFP_KERNEL);
	tags->static_rqs = kcalloc(tags->nr_tags, sizeof(*tags->static_rqs),
				   GFP_KERNEL);
	if (area && tags->rqs && tags->static_rqs)
		err = blk_mq_init_rqs(set, index, area);
	if (err && area && (!tags->static_rqs || !tags->static_rqs[0]))
		free_pages_exact(area, bytes);
	return err;
}

static void blk_mq_free_rqs(struct blk_mq_tag_set *set, unsigned int index)
{
	struct blk_mq_tags *tags = set->tags[index];

	if (tags->static_rqs && tags->static_rqs[0]) {
		for (unsigned int i = 0; set->ops->exit_request &&
		     i < tags->nr_tags && tags->static_rqs[i]; i++)
			set->ops->exit_request(set, tags->static_rqs[i], index);
		free_pages_exact(tags->static_rqs[0],
				 blk_mq_rq_size(set) * tags->nr_tags);
	}
	kfree(tags->rqs);
	kfree(tags->static_rqs);
	blk_mq_free_tags(tags);
	set->tags[index] = NULL;
}

static int blk_mq_alloc_maps(struct blk_mq_tag_set *set)
{
	for (unsigned int i = 0; i < set->nr_maps; i++) {
		set->map[i].mq_map = kcalloc(nr_cpu_ids, sizeof(unsigned int),
					     GFP_KERNEL);
		if (!set->map[i].mq_map)
			return -ENOMEM;
		set->map[i].nr_queues = set->nr_hw_queues;
	}
	if (set->ops->map_queues)
		set->ops->map_queues(set);
	else
		blk_mq_map_queues(&set->map[HCTX_TYPE_DEFAULT]);
	return 0;
}

static int blk_mq_alloc_set_tags(struct blk_mq_tag_set *set)
{
	int err;

	set->tags = kcalloc(set->nr_hw_queues, sizeof(*set->tags), GFP_KERNEL);
	if (!set->tags)
		return -ENOMEM;
	for (unsigned int i = 0; i < set->nr_hw_queues; i++) {
		set->tags[i] = blk_mq_init_tags(set->queue_depth);
		if (!set->tags[i])
			return -ENOMEM;
		err = blk_mq_alloc_rqs(set, i);
		if (err)
			return err;
	}
	return 0;
}

int blk_mq_alloc_tag_set(struct blk_mq_tag_set *set)
{
	int err;

	if (!set->nr_hw_queues || !set->queue_depth || !set->ops->queue_rq ||
	    set->queue_depth < set->reserved_tags)
		return -EINVAL;
	if (set->queue_depth > BLK_MQ_MAX_DEPTH)
		set->queue_depth = BLK_MQ_MAX_DEPTH;
	if (!set->nr_maps)
		set->nr_maps = 1;
	if (set->nr_maps > HCTX_MAX_TYPES)
		return -EINVAL;
	if (set->nr_maps == 1 && set->nr_hw_queues > nr_cpu_ids)
		set->nr_hw_queues = nr_cpu_ids;
	unmodelled_check_set(set);
	mutex_init(&set->tag_list_lock);
	INIT_LIST_HEAD(&set->tag_list);
	err = blk_mq_alloc_maps(set);
	if (!err)
		err = blk_mq_alloc_set_tags(set);
	if (err)
		blk_mq_free_tag_set(set);
	else
		blk_stamp_tag_set(set, true);
	return err;
}

void blk_mq_free_tag_set(struct blk_mq_tag_set *set)
{
	blk_stamp_tag_set(set, false);
	for (unsigned int i = 0; set->tags && i < set->nr_hw_queues; i++)
		if (set->tags[i])
			blk_mq_free_rqs(set, i);
	kfree(set->tags);
	set->tags = NULL;
	for (unsigned int i = 0; i < set->nr_maps; i++) {
		kfree(set->map[i].mq_map);
		set->map[i].mq_map = NULL;
	}
}

/* Which of the queues of another type the driver did not set up: the default ones. */
static unsigned int blk_mq_queue_index(struct blk_mq_tag_set *set,
				       enum hctx_type type, unsigned int cpu)
{
	unsigned int index;

	if ((unsigned int)type >= set->nr_maps || !set->map[type].nr_queues)
		type = HCTX_TYPE_DEFAULT;
	index = set->map[type].mq_map[cpu];
	/* A driver's map can point beyond what it was granted. */
	return WARN_ON_ONCE(index >= set->nr_hw_queues) ? 0 : index;
}

static enum hctx_type blk_mq_queue_type(struct blk_mq_tag_set *set,
					unsigned int index)
{
	for (unsigned int t = set->nr_maps; t-- > 0;)
		if (set->map[t].nr_queues &&
		    index >= set->map[t].queue_offset &&
		    index < set->map[t].queue_offset + set->map[t].nr_queues)
			return t;
	return HCTX_TYPE_DEFAULT;
}

static void blk_mq_init_ctx(struct request_queue *q, unsigned int cpu)
{
	struct blk_mq_ctx *ctx = &q->queue_ctx[cpu];

	ctx->cpu = cpu;
	ctx->queue = q;
	spin_lock_init(&ctx->lock);
	for (int t = 0; t < HCTX_MAX_TYPES; t++)
		INIT_LIST_HEAD(&ctx->rq_lists[t]);
}

static void blk_mq_free_hctx(struct request_queue *q,
			     struct blk_mq_hw_ctx *hctx, bool initialised)
{
	if (!hctx)
		return;
	cancel_delayed_work_sync(&hctx->run_work);
	if (initialised && q->tag_set->ops->exit_hctx)
		q->tag_set->ops->exit_hctx(hctx, hctx->queue_num);
	sbitmap_free(&hctx->ctx_map);
	free_cpumask_var(hctx->cpumask);
	kfree(hctx->ctxs);
	kfree(hctx);
}

static struct blk_mq_hw_ctx *blk_mq_alloc_hctx(struct request_queue *q,
					       unsigned int index)
{
	struct blk_mq_tag_set *set = q->tag_set;
	struct blk_mq_hw_ctx *hctx = kzalloc(ALIGN(sizeof(*hctx),
						   SMP_CACHE_BYTES),
					     GFP_KERNEL);

	if (!hctx)
		return NULL;
	spin_lock_init(&hctx->lock);
	INIT_LIST_HEAD(&hctx->dispatch);
	INIT_DELAYED_WORK(&hctx->run_work, blk_mq_run_work_fn);
	hctx->queue = q;
	hctx->queue_num = index;
	hctx->type = blk_mq_queue_type(set, index);
	hctx->tags = set->tags[index];
	hctx->flags = set->flags;
	hctx->numa_node = 0;
	hctx->next_cpu = -1;
	hctx->ctxs = kcalloc(nr_cpu_ids, sizeof(*hctx->ctxs), GFP_KERNEL);
	if (!hctx->ctxs || !zalloc_cpumask_var(&hctx->cpumask, GFP_KERNEL) ||
	    sbitmap_init(&hctx->ctx_map, nr_cpu_ids, ilog2(8))) {
		blk_mq_free_hctx(q, hctx, false);
		return NULL;
	}
	return hctx;
}

/* Tell hctx and ctx of each other for each type of request. */
static void blk_mq_link_ctx(struct request_queue *q, unsigned int cpu)
{
	struct blk_mq_hw_ctx **table = q->hctx_table.xa_head;
	struct blk_mq_ctx *ctx = &q->queue_ctx[cpu];

	for (int t = 0; t < HCTX_MAX_TYPES; t++) {
		struct blk_mq_hw_ctx *hctx =
			table[blk_mq_queue_index(q->tag_set, t, cpu)];

		ctx->hctxs[t] = hctx;
		if (cpumask_test_cpu(cpu, hctx->cpumask))
			continue;
		cpumask_set_cpu(cpu, hctx->cpumask);
		ctx->index_hw[hctx->type] = hctx->nr_ctx;
		hctx->ctxs[hctx->nr_ctx++] = ctx;
	}
}

static int blk_mq_init_hctxs(struct request_queue *q)
{
	struct blk_mq_tag_set *set = q->tag_set;
	struct blk_mq_hw_ctx **table;
	int err;

	table = kcalloc(set->nr_hw_queues, sizeof(*table), GFP_KERNEL);
	q->hctx_table.xa_head = table;
	if (!table)
		return -ENOMEM;
	for (unsigned int i = 0; i < set->nr_hw_queues; i++) {
		table[i] = blk_mq_alloc_hctx(q, i);
		if (!table[i])
			return -ENOMEM;
		err = set->ops->init_hctx ?
		      set->ops->init_hctx(table[i], set->driver_data, i) : 0;
		if (err)
			return err;
		q->nr_hw_queues++;
	}
	return 0;
}

int blk_mq_init_queue(struct request_queue *q, struct blk_mq_tag_set *set)
{
	unsigned int cpu;
	int err;

	q->tag_set = set;
	q->mq_ops = set->ops;
	q->queue_flags = QUEUE_FLAG_MQ_DEFAULT;
	q->nr_requests = set->queue_depth;
	INIT_LIST_HEAD(&q->requeue_list);
	spin_lock_init(&q->requeue_lock);
	spin_lock_init(&q->queue_lock);
	INIT_DELAYED_WORK(&q->requeue_work, blk_mq_requeue_work);
	init_waitqueue_head(&q->mq_freeze_wq);
	mutex_init(&q->mq_freeze_lock);
	mutex_init(&q->limits_lock);
	q->q_usage_counter.data = kzalloc(sizeof(struct percpu_ref_data),
					  GFP_KERNEL);
	q->queue_ctx = kcalloc(nr_cpu_ids, sizeof(*q->queue_ctx), GFP_KERNEL);
	if (!q->queue_ctx || !q->q_usage_counter.data)
		return -ENOMEM;
	for_each_possible_cpu(cpu)
		blk_mq_init_ctx(q, cpu);
	err = blk_mq_init_hctxs(q);
	if (err)
		return err;
	for_each_possible_cpu(cpu)
		blk_mq_link_ctx(q, cpu);
	return 0;
}

void blk_mq_cancel_work_sync(struct request_queue *q)
{
	struct blk_mq_hw_ctx *hctx;
	unsigned int i;

	cancel_delayed_work_sync(&q->requeue_work);
	queue_for_each_hw_ctx(q, hctx, i)
		cancel_delayed_work_sync(&hctx->run_work);
}

void blk_mq_exit_queue(struct request_queue *q)
{
	struct blk_mq_hw_ctx **table = q->hctx_table.xa_head;

	blk_mq_cancel_work_sync(q);
	for (unsigned int i = 0; table && i < q->tag_set->nr_hw_queues; i++)
		blk_mq_free_hctx(q, table[i], i < q->nr_hw_queues);
	q->nr_hw_queues = 0;
	kfree(table);
	kfree(q->queue_ctx);
	kfree(q->q_usage_counter.data);
}
