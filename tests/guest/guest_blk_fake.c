// SPDX-License-Identifier: GPL-2.0-only
#include "tests/guest/blk_fake.h"

#include <linux/interrupt.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "model/guest/irq.h"
#include "model/guest/task.h"

#define FAKE_REQUESTS_MAX	1024u

struct blk_fake blk_fake;
struct blk_test_result blk_test;
uint8_t blk_test_store[BLK_TEST_STORE_BYTES];

/* The device's side of a request; its own, so not in guest memory. */
struct fake_slot {
	struct sim_event event;
	struct request *rq;
	bool kicked;
	bool done;
};

static struct {
	spinlock_t lock;
	struct fake_slot slot[FAKE_REQUESTS_MAX];
	unsigned int inflight[4];
	bool stopped[4];
	unsigned int completions_nr;
} fake;

/* Interrupts of somebody else, on all vCPUs. */
static struct {
	struct sim_event event;
	int irq[MACHINE_VCPUS_MAX];
} noise;

struct fake_pdu {
	bool requeued;
	struct scatterlist sg[BLK_MAX_SEGMENTS];
};

static void fake_step(void)
{
	if (blk_fake.config.delay_ps)
		machine_delay(&blk_fake.random, blk_fake.config.delay_ps);
}

static struct fake_slot *fake_slot_of(struct request *rq)
{
	return &fake.slot[rq->mq_hctx->queue_num * blk_fake.config.depth +
			  rq->tag];
}

static void fake_request_done(struct sim_event *ev)
{
	struct fake_slot *slot = container_of(ev, struct fake_slot, event);

	slot->done = true;
	vcpu_raise(task_vcpu(blk_fake.config.irq_cpu), blk_fake.irq,
		   sim_now());
}

static void fake_kick(void)
{
	blk_test.kicks_nr++;
	for (unsigned int i = 0; i < FAKE_REQUESTS_MAX; i++) {
		struct fake_slot *slot = &fake.slot[i];
		u64 latency = blk_fake.config.latency_ps;

		if (!slot->rq || slot->kicked)
			continue;
		slot->kicked = true;
		if (latency)
			latency = sim_random_below(&blk_fake.random, latency);
		/* The clock moves on until the event is posted. */
		sim_event_post(&slot->event,
			       sim_now() + SIM_PS_PER_US + latency);
	}
}

/* Between the request's pages and the store. */
static void fake_transfer(struct request *rq, bool to_store)
{
	struct fake_pdu *pdu = blk_mq_rq_to_pdu(rq);
	u8 *store = blk_test_store + (blk_rq_pos(rq) << SECTOR_SHIFT);
	unsigned int bytes = 0;
	struct scatterlist *sg;
	int i, nr;

	sg_init_table(pdu->sg, BLK_MAX_SEGMENTS);
	nr = blk_rq_map_sg(rq->q, rq, pdu->sg);
	machine_check(nr == blk_rq_nr_phys_segments(rq));
	machine_check(nr <= queue_max_segments(rq->q));
	for_each_sg(pdu->sg, sg, nr, i) {
		machine_check(sg->length <= queue_max_segment_size(rq->q));
		machine_check(!!sg_is_last(sg) == (i == nr - 1));
		if (to_store)
			memcpy(store + bytes, sg_virt(sg), sg->length);
		else
			memcpy(sg_virt(sg), store + bytes, sg->length);
		bytes += sg->length;
	}
	machine_check(bytes == blk_rq_bytes(rq));
}

static blk_status_t fake_scripted(void)
{
	const struct blk_test_config *c = &blk_fake.config;
	unsigned int n = blk_test.calls_nr;

	bool at = c->fail_at && n >= c->fail_at &&
		  n < c->fail_at + (c->fail_nr ? : 1);

	if (!at && (!c->fail_every || n % c->fail_every))
		return BLK_STS_OK;
	if (c->fail == BLK_TEST_RESOURCE)
		return BLK_STS_RESOURCE;
	return c->fail == BLK_TEST_ERROR ? BLK_STS_IOERR : BLK_STS_DEV_RESOURCE;
}

static void fake_log(const struct blk_mq_queue_data *bd, blk_status_t status)
{
	struct request *rq = bd->rq;

	if (blk_test.calls_nr > BLK_TEST_LOG_MAX)
		return;
	blk_test.call[blk_test.calls_nr - 1] = (struct blk_test_call){
		.sector = blk_rq_pos(rq), .bytes = blk_rq_bytes(rq),
		.queue = rq->mq_hctx->queue_num, .last = bd->last,
		.write = op_is_write(req_op(rq)), .status = status,
	};
}

/* The queue is stopped under the lock that its restart takes too. */
static blk_status_t fake_add(struct request *rq)
{
	struct blk_mq_hw_ctx *hctx = rq->mq_hctx;
	const struct blk_test_config *c = &blk_fake.config;
	unsigned int *inflight = &fake.inflight[hctx->queue_num];
	blk_status_t status = fake_scripted();

	if (status == BLK_STS_OK && c->room && *inflight == c->room) {
		blk_test.stops_nr++;
		fake_kick();
		fake.stopped[hctx->queue_num] = true;
		blk_mq_stop_hw_queue(hctx);
		status = BLK_STS_DEV_RESOURCE;
	}
	if (status != BLK_STS_OK)
		return status;
	fake_slot_of(rq)->rq = rq;
	fake_slot_of(rq)->kicked = false;
	fake_slot_of(rq)->done = false;
	++*inflight;
	blk_test.inflight_max = max(blk_test.inflight_max, *inflight);
	return BLK_STS_OK;
}

static blk_status_t fake_queue_rq(struct blk_mq_hw_ctx *hctx,
				  const struct blk_mq_queue_data *bd)
{
	struct request *rq = bd->rq;
	blk_status_t status;
	unsigned long flags;

	__atomic_fetch_add(&blk_fake.inside, 1, __ATOMIC_SEQ_CST);
	machine_check(blk_mq_rq_state(rq) == MQ_RQ_IDLE);
	machine_check(rq->mq_hctx == hctx);
	machine_check(blk_rq_sectors(rq) <= queue_max_sectors(rq->q));
	fake_step();
	if (op_is_write(req_op(rq)) && rq->bio)
		fake_transfer(rq, true);
	blk_mq_start_request(rq);
	machine_check(blk_mq_tag_to_rq(hctx->tags, rq->tag) == rq);
	spin_lock_irqsave(&fake.lock, flags);
	blk_test.calls_nr++;
	status = fake_add(rq);
	fake_log(bd, status);
	if (status == BLK_STS_OK && bd->last)
		fake_kick();
	spin_unlock_irqrestore(&fake.lock, flags);
	fake_step();
	if (blk_fake.linger_ps) {
		sim_spend(blk_fake.linger_ps);
		sim_sync();
	}
	__atomic_fetch_sub(&blk_fake.inside, 1, __ATOMIC_SEQ_CST);
	return status;
}

static void fake_commit_rqs(struct blk_mq_hw_ctx *hctx)
{
	unsigned long flags;

	spin_lock_irqsave(&fake.lock, flags);
	if (!blk_test.commits_nr++)
		blk_test.commit_after = blk_test.calls_nr;
	fake_kick();
	spin_unlock_irqrestore(&fake.lock, flags);
}

/* In two parts, the first being one sector. */
static void fake_end_in_parts(struct request *rq)
{
	unsigned int bytes = blk_rq_bytes(rq), nr = rq->nr_phys_segments;
	sector_t sector = blk_rq_pos(rq);

	machine_check(blk_update_request(rq, BLK_STS_OK, SECTOR_SIZE));
	machine_check(blk_rq_bytes(rq) == bytes - SECTOR_SIZE);
	machine_check(blk_rq_pos(rq) == sector + 1);
	machine_check(rq->nr_phys_segments == nr - 1);
	machine_check(!blk_update_request(rq, BLK_STS_OK, blk_rq_bytes(rq)));
	machine_check(!blk_rq_bytes(rq));
	__blk_mq_end_request(rq, BLK_STS_OK);
}

static void fake_complete(struct request *rq)
{
	struct fake_pdu *pdu = blk_mq_rq_to_pdu(rq);
	unsigned int every = blk_fake.config.requeue_every;
	unsigned int n = __atomic_add_fetch(&fake.completions_nr, 1,
					    __ATOMIC_SEQ_CST);

	machine_check(blk_mq_rq_state(rq) == MQ_RQ_COMPLETE);
	machine_check(smp_processor_id() == rq->mq_ctx->cpu);
	if (every && !(n % every) && !pdu->requeued) {
		pdu->requeued = true;
		blk_test.requeued_nr++;
		blk_mq_requeue_request(rq, true);
		return;
	}
	pdu->requeued = false;
	__atomic_fetch_add(&blk_test.completed_nr, 1, __ATOMIC_SEQ_CST);
	if (blk_fake.partial)
		fake_end_in_parts(rq);
	else
		blk_mq_end_request(rq, BLK_STS_OK);
}

static void fake_restart(void)
{
	struct blk_mq_hw_ctx *hctx;
	unsigned int i;

	queue_for_each_hw_ctx(blk_fake.disk->queue, hctx, i) {
		if (!fake.stopped[i])
			continue;
		fake.stopped[i] = false;
		blk_mq_start_stopped_hw_queue(hctx, true);
	}
}

static irqreturn_t fake_interrupt(int irq, void *dev)
{
	unsigned long flags;

	spin_lock_irqsave(&fake.lock, flags);
	for (unsigned int i = 0; i < FAKE_REQUESTS_MAX; i++) {
		struct request *rq = fake.slot[i].rq;

		if (!fake.slot[i].done)
			continue;
		fake.slot[i].done = false;
		fake.slot[i].rq = NULL;
		fake.inflight[rq->mq_hctx->queue_num]--;
		if (!op_is_write(req_op(rq)) && rq->bio)
			fake_transfer(rq, false);
		blk_mq_complete_request(rq);
	}
	fake_restart();
	spin_unlock_irqrestore(&fake.lock, flags);
	return IRQ_HANDLED;
}

static int fake_init_request(struct blk_mq_tag_set *set, struct request *rq,
			     unsigned int index, unsigned int node)
{
	if (blk_fake.init_requests_nr + 1 ==
	    blk_fake.config.fail_init_request_at)
		return -EINVAL;
	blk_fake.init_requests_nr++;
	return 0;
}

static void fake_exit_request(struct blk_mq_tag_set *set, struct request *rq,
			      unsigned int index)
{
	machine_check(rq);
	blk_fake.exit_requests_nr++;
}

static int fake_init_hctx(struct blk_mq_hw_ctx *hctx, void *data,
			  unsigned int index)
{
	if (index + 1 == blk_fake.config.fail_init_hctx_at)
		return -EINVAL;
	blk_fake.init_hctxs_nr++;
	return 0;
}

static void fake_exit_hctx(struct blk_mq_hw_ctx *hctx, unsigned int index)
{
	blk_fake.exit_hctxs_nr++;
}

static void fake_map_queues(struct blk_mq_tag_set *set)
{
	bool reads = blk_fake.config.read_queue;

	set->map[HCTX_TYPE_DEFAULT].nr_queues = set->nr_hw_queues - reads;
	blk_mq_map_queues(&set->map[HCTX_TYPE_DEFAULT]);
	if (!reads)
		return;
	set->map[HCTX_TYPE_READ].queue_offset = set->nr_hw_queues - 1;
	set->map[HCTX_TYPE_READ].nr_queues = 1;
	blk_mq_map_queues(&set->map[HCTX_TYPE_READ]);
}

static const struct blk_mq_ops fake_ops = {
	.queue_rq = fake_queue_rq,
	.commit_rqs = fake_commit_rqs,
	.complete = fake_complete,
	.init_request = fake_init_request,
	.exit_request = fake_exit_request,
	.init_hctx = fake_init_hctx,
	.exit_hctx = fake_exit_hctx,
	.map_queues = fake_map_queues,
};

static const struct block_device_operations fake_fops;

static int fake_add_disk(void)
{
	const struct blk_test_config *c = &blk_fake.config;
	struct queue_limits lim = {
		.max_hw_sectors = c->max_sectors ? : 2048,
		.max_segments = c->max_segments,
		.max_segment_size = c->max_segment_bytes,
		.logical_block_size = c->block_bytes,
		.max_hw_discard_sectors = 64,
		.features = c->write_cache ? BLK_FEAT_WRITE_CACHE : 0,
	};
	struct gendisk *disk = blk_mq_alloc_disk(&blk_fake.set, &lim, NULL);

	if (IS_ERR(disk))
		return PTR_ERR(disk);
	blk_fake.disk = disk;
	disk->fops = &fake_fops;
	strscpy(disk->disk_name, "fake", sizeof(disk->disk_name));
	set_capacity(disk, BLK_TEST_STORE_BYTES >> SECTOR_SHIFT);
	return add_disk(disk);
}

static irqreturn_t noise_interrupt(int irq, void *dev)
{
	sim_spend(blk_fake.config.noise_ps);
	sim_sync();
	return IRQ_HANDLED;
}

static void noise_raise(struct sim_event *ev)
{
	unsigned int cpu = sim_random_below(&blk_fake.random, nr_cpu_ids);
	u64 pause_ps = sim_random_below(&blk_fake.random,
					blk_fake.config.noise_ps);

	vcpu_raise(task_vcpu(cpu), noise.irq[cpu], sim_now());
	sim_event_post(ev, sim_now() + pause_ps);
}

static int noise_start(void)
{
	int err = 0;

	if (!blk_fake.config.noise_ps)
		return 0;
	for (unsigned int i = 0; i < nr_cpu_ids && !err; i++) {
		noise.irq[i] = irq_alloc(i);
		err = request_irq(noise.irq[i], noise_interrupt, 0, "noise",
				  NULL);
	}
	sim_event_init(&noise.event, noise_raise);
	sim_event_post(&noise.event, sim_now() + SIM_PS_PER_US);
	return err;
}

int blk_fake_probe(void)
{
	struct blk_mq_tag_set *set = &blk_fake.set;
	int err;

	memset(set, 0, sizeof(*set));
	set->ops = &fake_ops;
	set->nr_hw_queues = blk_fake.config.queues_nr;
	set->nr_maps = blk_fake.config.read_queue ? 2 : 1;
	set->queue_depth = blk_fake.config.depth;
	set->cmd_size = sizeof(struct fake_pdu);
	set->flags = BLK_MQ_F_SHOULD_MERGE;
	err = blk_mq_alloc_tag_set(set);
	if (err)
		return err;
	err = fake_add_disk();
	if (err) {
		blk_mq_free_tag_set(set);
		return err;
	}
	blk_fake.irq = irq_alloc(blk_fake.config.irq_cpu);
	err = request_irq(blk_fake.irq, fake_interrupt, 0, "fake", NULL);
	return err ? : noise_start();
}

/* In the order in which virtio_blk does it. */
void blk_fake_remove(void)
{
	sim_event_cancel(&noise.event);
	del_gendisk(blk_fake.disk);
	machine_check(!blk_fake.inside);
	blk_mq_free_tag_set(&blk_fake.set);
	free_irq(blk_fake.irq, NULL);
	irq_free(blk_fake.irq);
	put_disk(blk_fake.disk);
	blk_fake.disk = NULL;
}

struct block_device *blk_fake_bdev(void)
{
	return blk_fake.disk->part0;
}

/* A task's memory is never given back: leak checks must know of it. */
void blk_fake_task(unsigned int cpu, void (*fn)(void *arg), void *arg)
{
	blk_fake.tasks_nr++;
	machine_task(cpu, fn, arg);
}

void blk_test_configure(const struct blk_test_config *config)
{
	memset(&blk_fake, 0, sizeof(blk_fake));
	memset(&blk_test, 0, sizeof(blk_test));
	memset(&fake, 0, sizeof(fake));
	memset(&noise, 0, sizeof(noise));
	memset(blk_test_store, 0, sizeof(blk_test_store));
	blk_fake.config = *config;
	sim_random_init(&blk_fake.random, config->seed, "fake");
	spin_lock_init(&fake.lock);
	for (unsigned int i = 0; i < FAKE_REQUESTS_MAX; i++)
		sim_event_init(&fake.slot[i].event, fake_request_done);
	blk_mq_complete_init();
}
