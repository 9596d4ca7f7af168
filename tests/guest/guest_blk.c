// SPDX-License-Identifier: GPL-2.0-only
#include "tests/guest/blk_fake.h"

#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/interrupt.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "model/guest/irq.h"
#include "model/guest/slab.h"
#include "model/guest/task.h"

struct blk_test_load blk_test_load;

/* Bios of one scenario or job that have not ended. */
struct outstanding {
	int nr;
	unsigned int errors_nr;
	blk_status_t status;
	wait_queue_head_t wait;
};

static void outstanding_init(struct outstanding *o)
{
	o->nr = 0;
	o->errors_nr = 0;
	o->status = BLK_STS_OK;
	init_waitqueue_head(&o->wait);
}

static void outstanding_end(struct bio *bio)
{
	struct outstanding *o = bio->bi_private;

	o->status = bio->bi_status;
	if (bio->bi_status)
		__atomic_fetch_add(&o->errors_nr, 1, __ATOMIC_SEQ_CST);
	bio_put(bio);
	if (!__atomic_sub_fetch(&o->nr, 1, __ATOMIC_SEQ_CST))
		wake_up(&o->wait);
}

static void outstanding_wait(struct outstanding *o)
{
	wait_event(o->wait, !READ_ONCE(o->nr));
}

static struct bio *bio_make(struct outstanding *o, blk_opf_t opf, u64 sector)
{
	struct bio *bio = bio_alloc(blk_fake_bdev(), 16, opf, GFP_KERNEL);

	bio->bi_iter.bi_sector = sector;
	bio->bi_end_io = outstanding_end;
	bio->bi_private = o;
	__atomic_fetch_add(&o->nr, 1, __ATOMIC_SEQ_CST);
	return bio;
}

/* One sector with data of nobody's interest, as a request of its own. */
static u8 *scratch;

static void submit_sector(struct outstanding *o, blk_opf_t opf, u64 sector)
{
	struct bio *bio = bio_make(o, opf | REQ_NOMERGE, sector);

	__bio_add_page(bio, virt_to_page(scratch), SECTOR_SIZE, 0);
	submit_bio(bio);
}

/* Nothing may be left over. */
static void check_hctx(struct blk_mq_hw_ctx *hctx)
{
	struct sbitmap_queue *sbq = &hctx->tags->bitmap_tags;

	machine_check(!sbitmap_weight(&sbq->sb));
	machine_check(!atomic_read(&sbq->ws_active));
	machine_check(list_empty(&hctx->dispatch));
	machine_check(!sbitmap_any_set(&hctx->ctx_map));
	machine_check(!(hctx->state & BIT(BLK_MQ_S_STOPPED)));
	for (unsigned int i = 0; i < hctx->tags->nr_tags; i++)
		machine_check(hctx->tags->static_rqs[i]->state == MQ_RQ_IDLE);
}

static void check_idle(void)
{
	struct request_queue *q = blk_fake.disk->queue;
	struct blk_mq_hw_ctx *hctx;
	unsigned int i;
	long sum = 0;

	queue_for_each_hw_ctx(q, hctx, i)
		check_hctx(hctx);
	for (i = 0; i < nr_cpu_ids; i++)
		sum += q->q_usage_counter.data->cpu[i].count;
	machine_check(!sum);
	machine_check(list_empty(&q->requeue_list));
	machine_check(!q->mq_freeze_depth && !q->quiesce_depth);
}

static void run_scenario(void (*scenario)(void))
{
	if (blk_fake_probe()) {
		machine_check(!"probe failed");
		return;
	}
	scratch = alloc_pages_exact(PAGE_SIZE, GFP_KERNEL);
	scenario();
	check_idle();
	free_pages_exact(scratch, PAGE_SIZE);
	blk_fake_remove();
	machine_check(blk_fake.init_requests_nr == blk_fake.exit_requests_nr);
	machine_check(blk_fake.init_hctxs_nr == blk_fake.exit_hctxs_nr);
}

/*
 * Objects only: freed slabs keep their pages. A first disk makes what stays
 * for good, for instance the caches.
 */
void blk_test_main(void *scenario)
{
	u64 objects_nr;

	machine_check(!blk_core_init() && !bio_init_all());
	objects_nr = slab_used_nr();
	run_scenario((void (*)(void))scenario);
	machine_check(slab_used_nr() == objects_nr + blk_fake.tasks_nr);
}

/* Jobs that submit one-sector bios at random. */

static struct {
	unsigned int running;
	struct completion done;
} jobs;

static void job_plugged(struct outstanding *o, struct sim_random *random,
			unsigned int nr)
{
	struct blk_plug plug;

	blk_start_plug(&plug);
	while (nr--) {
		u64 sector = sim_random_below(random, 1024);

		submit_sector(o, sim_random_below(random, 2) ? REQ_OP_WRITE :
			      REQ_OP_READ, sector);
	}
	blk_finish_plug(&plug);
}

static void job_main(void *rank)
{
	struct blk_test_load load = blk_test_load;
	struct outstanding o;
	struct sim_random random;

	outstanding_init(&o);
	sim_random_init(&random, blk_fake.config.seed + (unsigned long)rank,
			"job");
	while (load.ios_nr) {
		unsigned int nr = 1 + sim_random_below(&random, load.plug_max);

		nr = min(nr, load.ios_nr);
		load.ios_nr -= nr;
		if (nr == 1)
			submit_sector(&o, REQ_OP_WRITE, 7);
		else
			job_plugged(&o, &random, nr);
		machine_delay(&random, 4 * SIM_PS_PER_US);
		if (load.wait_each)
			outstanding_wait(&o);
	}
	outstanding_wait(&o);
	if (blk_fake.config.fail != BLK_TEST_ERROR)
		machine_check(!o.errors_nr);
	if (!__atomic_sub_fetch(&jobs.running, 1, __ATOMIC_SEQ_CST))
		complete(&jobs.done);
}

static void disturb(void)
{
	struct request_queue *q = blk_fake.disk->queue;
	struct sim_random random;

	sim_random_init(&random, blk_fake.config.seed, "disturb");
	for (int i = 0; i < 8; i++) {
		usleep_range(1 + sim_random_below(&random, 40), 50);
		blk_mq_freeze_queue(q);
		for (unsigned int n = 0; n < q->nr_hw_queues; n++)
			machine_check(!sbitmap_weight(
				&blk_fake.set.tags[n]->bitmap_tags.sb));
		blk_mq_unfreeze_queue(q);
		usleep_range(1 + sim_random_below(&random, 40), 50);
		blk_mq_quiesce_queue(q);
		machine_check(!blk_fake.inside);
		machine_delay(&random, 4 * SIM_PS_PER_US);
		machine_check(!blk_fake.inside);
		blk_mq_unquiesce_queue(q);
	}
}

void blk_scenario_load(void)
{
	unsigned int nr = blk_test_load.jobs_nr;

	jobs.running = nr;
	init_completion(&jobs.done);
	for (unsigned long i = 0; i < nr; i++)
		blk_fake_task(i % nr_cpu_ids, job_main, (void *)i);
	if (blk_test_load.disturb)
		disturb();
	wait_for_completion(&jobs.done);
}

/* Eight writes in one plug. */
void blk_scenario_plug(void)
{
	struct outstanding o;
	struct blk_plug plug;

	outstanding_init(&o);
	blk_start_plug(&plug);
	for (u64 i = 0; i < 8; i++)
		submit_sector(&o, REQ_OP_WRITE, i);
	machine_check(!blk_test.calls_nr);
	blk_finish_plug(&plug);
	machine_check(!current->plug);
	outstanding_wait(&o);
	machine_check(o.errors_nr == (blk_fake.config.fail_at &&
				      blk_fake.config.fail == BLK_TEST_ERROR));
}

/* Runs of two, three and one for two queues. */
void blk_scenario_plug_mixed(void)
{
	static const blk_opf_t op[] = {
		REQ_OP_WRITE, REQ_OP_WRITE, REQ_OP_READ, REQ_OP_READ,
		REQ_OP_READ, REQ_OP_WRITE,
	};
	struct outstanding o;
	struct blk_plug plug;

	outstanding_init(&o);
	blk_start_plug(&plug);
	for (u64 i = 0; i < ARRAY_SIZE(op); i++)
		submit_sector(&o, op[i], i);
	blk_finish_plug(&plug);
	outstanding_wait(&o);
	machine_check(!o.errors_nr);
}

/* Who sleeps with a plug does not keep its requests from the device. */
void blk_scenario_plug_sleep(void)
{
	struct outstanding o;
	struct blk_plug plug;

	outstanding_init(&o);
	blk_start_plug(&plug);
	for (u64 i = 0; i < 3; i++)
		submit_sector(&o, REQ_OP_WRITE, i);
	outstanding_wait(&o);
	machine_check(blk_test.calls_nr >= 3);
	blk_finish_plug(&plug);
}

static void submit_elsewhere(void *outstanding)
{
	struct blk_plug plug;

	blk_start_plug(&plug);
	for (u64 i = 0; i < 8; i++)
		submit_sector(outstanding, REQ_OP_READ, i);
	blk_finish_plug(&plug);
	complete(&jobs.done);
}

/*
 * Submitted on 1, interrupt on 0. fake_complete checks the CPU. The device
 * has ended all of them before the interrupt is handled.
 */
void blk_scenario_completion_cpu(void)
{
	struct vcpu *v = task_vcpu(1);
	struct outstanding o;
	u64 ipis_nr;

	outstanding_init(&o);
	init_completion(&jobs.done);
	blk_fake_task(1, submit_elsewhere, &o);
	wait_for_completion(&jobs.done);
	ipis_nr = v->stats.ipis_nr;
	local_irq_disable();
	udelay(100);
	local_irq_enable();
	outstanding_wait(&o);
	machine_check(v->stats.ipis_nr == ipis_nr + 1);
}

static struct outstanding late;

static void submit_late(void *unused)
{
	submit_sector(&late, REQ_OP_WRITE, 1);
	machine_check(!blk_fake.disk->queue->mq_freeze_depth);
	outstanding_wait(&late);
	complete(&jobs.done);
}

void blk_scenario_freeze(void)
{
	struct request_queue *q = blk_fake.disk->queue;
	struct outstanding o;
	struct request *rq;

	outstanding_init(&o);
	outstanding_init(&late);
	init_completion(&jobs.done);
	for (u64 i = 0; i < 4; i++)
		submit_sector(&o, REQ_OP_WRITE, i);
	machine_check(o.nr == 4);
	blk_mq_freeze_queue(q);
	machine_check(!o.nr);
	blk_fake_task(1, submit_late, NULL);
	usleep_range(100, 100);
	machine_check(late.nr == 1 && blk_test.calls_nr == 4);
	submit_sector(&o, REQ_OP_WRITE | REQ_NOWAIT, 1);
	machine_check(!o.nr && o.status == BLK_STS_AGAIN);
	rq = blk_mq_alloc_request(q, REQ_OP_DRV_IN, BLK_MQ_REQ_NOWAIT);
	machine_check(IS_ERR(rq) && PTR_ERR(rq) == -EAGAIN);
	blk_mq_unfreeze_queue(q);
	wait_for_completion(&jobs.done);
	machine_check(!late.errors_nr);
}

void blk_scenario_quiesce(void)
{
	struct request_queue *q = blk_fake.disk->queue;
	struct outstanding o;

	outstanding_init(&o);
	for (int i = 0; i < 20; i++) {
		unsigned int calls_nr;

		blk_mq_quiesce_queue(q);
		blk_mq_quiesce_queue(q);
		calls_nr = blk_test.calls_nr;
		submit_sector(&o, REQ_OP_WRITE, i);
		submit_sector(&o, REQ_OP_READ, i);
		blk_mq_unquiesce_queue(q);
		usleep_range(20, 20);
		machine_check(o.nr == 2 && blk_test.calls_nr == calls_nr);
		blk_mq_unquiesce_queue(q);
		outstanding_wait(&o);
		machine_check(blk_test.calls_nr == calls_nr + 2);
	}
}

/* A submitter is interrupted at each point while the queue is let go. */

#define PAUSES_NR	800u

static struct {
	unsigned int round;
	unsigned int done;
	bool inside;
	int irq;
} pause;

static irqreturn_t pause_interrupt(int irq, void *dev)
{
	WRITE_ONCE(pause.inside, true);
	udelay(50);
	WRITE_ONCE(pause.inside, false);
	return IRQ_HANDLED;
}

static void pause_submitter(void *unused)
{
	for (unsigned int i = 1; i <= PAUSES_NR; i++) {
		while (READ_ONCE(pause.round) < i) {
			cond_resched();
			cpu_relax();
		}
		if (pause.round > PAUSES_NR)
			return;
		vcpu_raise(task_vcpu(1), pause.irq,
			   sim_now() + SIM_PS_PER_US + i * 40 * SIM_PS_PER_NS);
		submit_sector(&late, REQ_OP_WRITE, i);
		WRITE_ONCE(pause.done, i);
	}
}

static bool pause_round(unsigned int i, void (*let_go)(void))
{
	u64 begin = sim_now();

	WRITE_ONCE(pause.round, i);
	while (!READ_ONCE(pause.inside))
		cpu_relax();
	udelay(1);
	let_go();
	while (READ_ONCE(pause.done) != i || READ_ONCE(late.nr) ||
	       READ_ONCE(pause.inside)) {
		if (sim_now() - begin > SIM_PS_PER_MS)
			return false;
		usleep_range(5, 5);
	}
	return true;
}

static void pause_run(void (*hold)(void), void (*let_go)(void))
{
	memset(&pause, 0, sizeof(pause));
	outstanding_init(&late);
	pause.irq = irq_alloc(1);
	machine_check(!request_irq(pause.irq, pause_interrupt, 0, "pause",
				   NULL));
	blk_fake_task(1, pause_submitter, NULL);
	for (unsigned int i = 1; i <= PAUSES_NR; i++) {
		hold();
		if (!pause_round(i, let_go)) {
			machine_check(!"a request is held for ever");
			WRITE_ONCE(pause.round, PAUSES_NR + 1);
			break;
		}
	}
	free_irq(pause.irq, NULL);
	irq_free(pause.irq);
}

static void pause_stop(void)
{
	blk_mq_stop_hw_queues(blk_fake.disk->queue);
}

static void pause_start(void)
{
	blk_mq_start_stopped_hw_queues(blk_fake.disk->queue, true);
}

static void pause_quiesce(void)
{
	blk_mq_quiesce_queue(blk_fake.disk->queue);
}

static void pause_unquiesce(void)
{
	blk_mq_unquiesce_queue(blk_fake.disk->queue);
}

void blk_scenario_pauses(void)
{
	pause_run(pause_stop, pause_start);
	pause_run(pause_quiesce, pause_unquiesce);
}

/* Splitting */

#define SPLIT_BYTES_MAX	(1u << 20)
#define SPLIT_VECS_MAX	8u

static void fill_words(u8 *buf, unsigned int bytes, u64 offset)
{
	for (unsigned int i = 0; i < bytes; i += sizeof(u64))
		*(u64 *)(buf + i) = offset + i + 1;
}

static bool words_match(const u8 *buf, unsigned int bytes, u64 offset)
{
	for (unsigned int i = 0; i < bytes; i += sizeof(u64))
		if (*(const u64 *)(buf + i) != offset + i + 1)
			return false;
	return true;
}

/* @bytes in up to SPLIT_VECS_MAX pieces with a gap before each. */
static void split_pieces(struct bio *bio, u8 *buf, unsigned int bytes,
			 struct sim_random *random)
{
	unsigned int vecs_nr = 1 + sim_random_below(random, SPLIT_VECS_MAX);
	unsigned int at = 0;

	for (unsigned int i = 0; i < vecs_nr && bytes; i++) {
		unsigned int len = i == vecs_nr - 1 ? bytes :
			SECTOR_SIZE * (1 + sim_random_below(random, bytes /
							    SECTOR_SIZE));

		at += SECTOR_SIZE * sim_random_below(random, 2);
		__bio_add_page(bio, virt_to_page(buf + at), len,
			       offset_in_page(buf + at));
		at += len;
		bytes -= len;
	}
}

static void split_fill(struct bio *bio)
{
	u64 offset = bio->bi_iter.bi_sector << SECTOR_SHIFT;

	for (unsigned int i = 0; i < bio->bi_vcnt; i++) {
		fill_words(bvec_virt(&bio->bi_io_vec[i]),
			   bio->bi_io_vec[i].bv_len, offset);
		offset += bio->bi_io_vec[i].bv_len;
	}
}

static void split_check_calls(unsigned int first, u64 sector,
			      unsigned int bytes)
{
	for (unsigned int i = first; i < blk_test.calls_nr; i++) {
		const struct blk_test_call *call = &blk_test.call[i];

		machine_check(call->sector == sector && call->bytes);
		sector += call->bytes >> SECTOR_SHIFT;
		bytes -= min(bytes, call->bytes);
	}
	machine_check(!bytes);
}

static void split_once(struct outstanding *o, u8 *buf,
		       struct sim_random *random)
{
	unsigned int block = queue_logical_block_size(blk_fake.disk->queue);
	unsigned int bytes = block * (1 + sim_random_below(random,
						SPLIT_BYTES_MAX / block));
	u64 sector = sim_random_below(random, SPLIT_BYTES_MAX / block) *
		     (block >> SECTOR_SHIFT);
	unsigned int first = blk_test.calls_nr;
	struct bio *bio = bio_make(o, REQ_OP_WRITE, sector);

	split_pieces(bio, buf, bytes, random);
	split_fill(bio);
	submit_bio(bio);
	outstanding_wait(o);
	machine_check(!o->errors_nr);
	machine_check(words_match(blk_test_store + (sector << SECTOR_SHIFT),
				  bytes, sector << SECTOR_SHIFT));
	split_check_calls(first, sector, bytes);
}

void blk_scenario_split(void)
{
	size_t buf_bytes = SPLIT_BYTES_MAX + 2 * PAGE_SIZE;
	u8 *buf = alloc_pages_exact(buf_bytes, GFP_KERNEL);
	struct outstanding o;
	struct sim_random random;

	outstanding_init(&o);
	sim_random_init(&random, blk_fake.config.seed, "split");
	for (int i = 0; i < 6; i++)
		split_once(&o, buf, &random);
	free_pages_exact(buf, buf_bytes);
}

static blk_status_t status_of(struct outstanding *o, blk_opf_t opf, u64 sector,
			      unsigned int bytes)
{
	struct bio *bio = bio_make(o, opf, sector);

	if (bytes)
		__bio_add_page(bio, virt_to_page(scratch), bytes, 0);
	submit_bio(bio);
	outstanding_wait(o);
	return o->status;
}

/* Blocks of 1024 bytes, one segment per request, a write cache. */
void blk_scenario_refused(void)
{
	u64 end = BLK_TEST_STORE_BYTES >> SECTOR_SHIFT;
	struct outstanding o;
	struct bio *bio;

	outstanding_init(&o);
	machine_check(status_of(&o, REQ_OP_READ, 1, 1024) == BLK_STS_IOERR);
	machine_check(status_of(&o, REQ_OP_READ, 0, 512) == BLK_STS_IOERR);
	machine_check(status_of(&o, REQ_OP_READ, end, 1024) == BLK_STS_IOERR);
	machine_check(status_of(&o, REQ_OP_READ, ~0ull - 1, 1024) ==
		      BLK_STS_IOERR);
	machine_check(status_of(&o, REQ_OP_WRITE | REQ_FUA, 0, 1024) ==
		      BLK_STS_NOTSUPP);
	machine_check(status_of(&o, REQ_OP_WRITE | REQ_PREFLUSH, 0, 0) ==
		      BLK_STS_NOTSUPP);
	machine_check(status_of(&o, REQ_OP_WRITE_ZEROES, 0, 1024) ==
		      BLK_STS_NOTSUPP);
	machine_check(!blk_test.calls_nr);
	/* A block of two segments cannot be cut. */
	bio = bio_make(&o, REQ_OP_WRITE, 0);
	__bio_add_page(bio, virt_to_page(scratch), 512, 0);
	__bio_add_page(bio, virt_to_page(scratch), 512, 1024);
	submit_bio(bio);
	outstanding_wait(&o);
	machine_check(o.status == BLK_STS_IOERR && !blk_test.calls_nr);
	machine_check(!status_of(&o, REQ_OP_READ, end - 2, 1024));
}

void blk_scenario_partial(void)
{
	struct outstanding o;
	struct bio *bio;

	outstanding_init(&o);
	blk_fake.partial = true;
	bio = bio_make(&o, REQ_OP_WRITE, 8);
	for (unsigned int i = 0; i < 3; i++)
		__bio_add_page(bio, virt_to_page(scratch), 512, 1024 * i);
	submit_bio(bio);
	outstanding_wait(&o);
	machine_check(!o.errors_nr && blk_test.completed_nr == 1);
}

/* A driver's own request with a buffer. */
void blk_scenario_execute(void)
{
	struct request_queue *q = blk_fake.disk->queue;
	struct request *rq;

	for (int i = 0; i < 3; i++) {
		rq = blk_mq_alloc_request(q, REQ_OP_DRV_IN, 0);
		machine_check(!IS_ERR(rq));
		rq->__sector = i;
		machine_check(blk_rq_map_kern(q, rq, scratch, 0, GFP_KERNEL) ==
			      -EINVAL);
		machine_check(blk_rq_map_kern(q, rq, scratch,
					      (queue_max_hw_sectors(q) + 1) *
					      SECTOR_SIZE, GFP_KERNEL) ==
			      -EINVAL);
		machine_check(!blk_rq_map_kern(q, rq, scratch, 512,
					       GFP_KERNEL));
		blk_test_store[i * SECTOR_SIZE] = 'a' + i;
		machine_check(!blk_execute_rq(rq, i & 1));
		blk_mq_free_request(rq);
		machine_check(scratch[0] == 'a' + i);
	}
}

static void submit_one(void *unused)
{
	submit_sector(&late, REQ_OP_WRITE, 1);
	complete(&jobs.done);
}

/* The request ends while queue_rq still runs on another vCPU; then removal. */
void blk_scenario_slow_driver(void)
{
	outstanding_init(&late);
	init_completion(&jobs.done);
	blk_fake.linger_ps = 500 * SIM_PS_PER_US;
	blk_fake_task(1, submit_one, NULL);
	while (!READ_ONCE(blk_fake.inside))
		cpu_relax();
	outstanding_wait(&late);
	machine_check(blk_fake.inside == 1);
	blk_fake_remove();
	wait_for_completion(&jobs.done);
	machine_check(!blk_fake_probe());
}

/* Each place where setting up may fail undoes what was done. */
void blk_scenario_probe_fails(void)
{
	struct blk_test_config *c = &blk_fake.config;
	unsigned int depth = c->depth, queues_nr = c->queues_nr;

	blk_fake_remove();
	for (unsigned int i = 1; i <= depth * queues_nr; i++) {
		c->fail_init_request_at = blk_fake.init_requests_nr + i;
		machine_check(blk_fake_probe() == -ENOMEM);
		machine_check(blk_fake.init_requests_nr ==
			      blk_fake.exit_requests_nr);
	}
	c->fail_init_request_at = 0;
	for (unsigned int i = 1; i <= queues_nr; i++) {
		c->fail_init_hctx_at = i;
		machine_check(blk_fake_probe() == -EINVAL);
		machine_check(blk_fake.init_hctxs_nr ==
			      blk_fake.exit_hctxs_nr);
	}
	c->fail_init_hctx_at = 0;
	machine_check(!blk_fake_probe());
}

/* Limits */

static int limits_check(struct queue_limits lim)
{
	return blk_validate_limits(&lim);
}

void blk_limits(void *unused)
{
	struct queue_limits lim = { 0 };

	machine_check(!blk_validate_limits(&lim));
	machine_check(lim.logical_block_size == 512 && lim.max_segments == 128);
	machine_check(lim.max_segment_size == 65536 &&
		      lim.max_hw_sectors == 255 && lim.max_sectors == 255);
	lim = (struct queue_limits){
		.max_hw_sectors = 4095, .logical_block_size = 4096,
	};
	machine_check(!blk_validate_limits(&lim));
	machine_check(lim.max_hw_sectors == 4088 && lim.max_sectors == 2560 &&
		      lim.physical_block_size == 4096);
	lim.max_user_sectors = 4000;
	machine_check(!blk_validate_limits(&lim) && lim.max_sectors == 4000);
	lim.max_user_sectors = 5000;
	machine_check(!blk_validate_limits(&lim) && lim.max_sectors == 4088);
#define REFUSED(...) \
	machine_check(limits_check((struct queue_limits){ __VA_ARGS__ }) == \
		      -EINVAL)
	REFUSED(.logical_block_size = 256);
	REFUSED(.logical_block_size = 1000);
	REFUSED(.logical_block_size = 8192);
	REFUSED(.max_hw_sectors = 7);
	REFUSED(.max_user_sectors = 7);
	REFUSED(.max_segment_size = 2048);
	REFUSED(.seg_boundary_mask = 1023);
	REFUSED(.dma_alignment = 8191);
#undef REFUSED
}

/* Bits */

static struct sbitmap bits;
static unsigned int meeting, round_nr;
static u8 bit_owner[128];

void sbitmap_reset(unsigned int depth)
{
	machine_check(!sbitmap_init(&bits, depth, -1));
	meeting = round_nr = 0;
	memset(bit_owner, 0, sizeof(bit_owner));
}

unsigned int sbitmap_in_use(void)
{
	return sbitmap_weight(&bits);
}

/* All vCPUs come here before one goes on. */
static void meet(unsigned int parties)
{
	unsigned int before = READ_ONCE(round_nr);

	if (__atomic_add_fetch(&meeting, 1, __ATOMIC_SEQ_CST) == parties) {
		meeting = 0;
		WRITE_ONCE(round_nr, before + 1);
	}
	while (READ_ONCE(round_nr) == before)
		cpu_relax();
}

/* Two bits were returned and two want one: nobody may go away empty. */
void sbitmap_two_getters(void *rank)
{
	struct sim_random random;

	sim_random_init(&random, (unsigned long)rank, "getter");
	for (int i = 0; i < 1000; i++) {
		int nr;

		meet(2);
		machine_delay(&random, SIM_PS_PER_US);
		nr = sbitmap_get(&bits);
		machine_check(nr >= 0);
		meet(2);
		if (nr >= 0)
			sbitmap_clear(&bits, nr, smp_processor_id());
	}
}

void sbitmap_exclusive(void *rank)
{
	struct sim_random random;

	sim_random_init(&random, (unsigned long)rank, "exclusive");
	for (int i = 0; i < 500; i++) {
		int nr = sbitmap_get(&bits);

		machine_delay(&random, SIM_PS_PER_US);
		if (nr < 0)
			continue;
		machine_check(nr < (int)bits.depth && !bit_owner[nr]);
		bit_owner[nr] = 1;
		machine_delay(&random, SIM_PS_PER_US);
		bit_owner[nr] = 0;
		sbitmap_clear(&bits, nr, smp_processor_id());
	}
}
