// SPDX-License-Identifier: GPL-2.0-only
/* Entry to a queue, freezing and quiescing it, plugs, status codes. */
#include <linux/errno.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/wait.h>

#include "model/guest/blk.h"
#include "model/hw/lines.h"
#include "sim/sim.h"

/*
 * A per-CPU count is changed by one instruction, so nothing may come between
 * its load and store, nor between the test for a freeze and the count.
 */
__attribute__((no_sanitize("thread")))
static bool blk_usage_add(struct percpu_ref_data *ref, unsigned int cpu,
			  long delta, bool unless_dead)
{
	lines_access((unsigned long)&ref->cpu[cpu].count, sizeof(long), true);
	if (unless_dead && ref->dead)
		return false;
	ref->cpu[cpu].count += delta;
	return true;
}

static long blk_usage_sum(struct percpu_ref_data *ref)
{
	long sum = 0;

	for (unsigned int i = 0; i < nr_cpu_ids; i++)
		sum += READ_ONCE(ref->cpu[i].count);
	return sum;
}

__attribute__((no_sanitize("thread")))
bool blk_queue_tryget(struct request_queue *q)
{
	struct percpu_ref_data *ref = q->q_usage_counter.data;
	long *count = &ref->cpu[smp_processor_id()].count;
	long sum = 0;

	lines_access((unsigned long)count, sizeof(*count), true);
	for (unsigned int i = 0; i < nr_cpu_ids; i++)
		sum += ref->cpu[i].count;
	if (ref->dead && !sum)
		return false;
	++*count;
	return true;
}

int blk_queue_enter(struct request_queue *q, bool nowait)
{
	struct percpu_ref_data *ref = q->q_usage_counter.data;

	while (!blk_usage_add(ref, smp_processor_id(), 1, true)) {
		if (blk_queue_dying(q))
			return -ENODEV;
		if (nowait)
			return -EAGAIN;
		wait_event(q->mq_freeze_wq,
			   !READ_ONCE(ref->dead) || blk_queue_dying(q));
	}
	return 0;
}

void blk_queue_exit(struct request_queue *q)
{
	struct percpu_ref_data *ref = q->q_usage_counter.data;

	blk_usage_add(ref, smp_processor_id(), -1, false);
	if (unlikely(READ_ONCE(ref->dead)) && !blk_usage_sum(ref))
		wake_up_all(&q->mq_freeze_wq);
}

void blk_freeze_queue_start(struct request_queue *q)
{
	mutex_lock(&q->mq_freeze_lock);
	if (++q->mq_freeze_depth == 1) {
		WRITE_ONCE(q->q_usage_counter.data->dead, true);
		smp_mb();
		mutex_unlock(&q->mq_freeze_lock);
		blk_mq_run_hw_queues(q, false);
		return;
	}
	mutex_unlock(&q->mq_freeze_lock);
}

void blk_mq_freeze_queue_wait(struct request_queue *q)
{
	wait_event(q->mq_freeze_wq, !blk_usage_sum(q->q_usage_counter.data));
}

void blk_mq_freeze_queue(struct request_queue *q)
{
	blk_freeze_queue_start(q);
	blk_mq_freeze_queue_wait(q);
}

void blk_mq_unfreeze_queue(struct request_queue *q)
{
	mutex_lock(&q->mq_freeze_lock);
	if (!--q->mq_freeze_depth) {
		WRITE_ONCE(q->q_usage_counter.data->dead, false);
		wake_up_all(&q->mq_freeze_wq);
	}
	mutex_unlock(&q->mq_freeze_lock);
}

static struct workqueue_struct *kblockd;

int blk_core_init(void)
{
	kblockd = alloc_workqueue("kblockd", WQ_MEM_RECLAIM | WQ_HIGHPRI, 0);
	return kblockd ? 0 : -ENOMEM;
}

int kblockd_schedule_work(struct work_struct *work)
{
	return queue_work(kblockd, work);
}

int kblockd_mod_delayed_work_on(int cpu, struct delayed_work *dwork,
				unsigned long delay)
{
	return mod_delayed_work_on(cpu, kblockd, dwork, delay);
}

void blk_queue_flag_set(unsigned int flag, struct request_queue *q)
{
	set_bit(flag, &q->queue_flags);
}

void blk_queue_flag_clear(unsigned int flag, struct request_queue *q)
{
	clear_bit(flag, &q->queue_flags);
}

void blk_mq_quiesce_queue_nowait(struct request_queue *q)
{
	unsigned long flags;

	spin_lock_irqsave(&q->queue_lock, flags);
	if (!q->quiesce_depth++)
		blk_queue_flag_set(QUEUE_FLAG_QUIESCED, q);
	spin_unlock_irqrestore(&q->queue_lock, flags);
}

/* Dispatch never sleeps, so a grace period sees every one that had begun end. */
void blk_mq_quiesce_queue(struct request_queue *q)
{
	blk_mq_quiesce_queue_nowait(q);
	synchronize_rcu();
}

void blk_mq_unquiesce_queue(struct request_queue *q)
{
	bool run = false;
	unsigned long flags;

	spin_lock_irqsave(&q->queue_lock, flags);
	if (!WARN_ON_ONCE(!q->quiesce_depth) && !--q->quiesce_depth) {
		blk_queue_flag_clear(QUEUE_FLAG_QUIESCED, q);
		run = true;
	}
	spin_unlock_irqrestore(&q->queue_lock, flags);
	if (run)
		blk_mq_run_hw_queues(q, true);
}

struct blk_plug *blk_current_plug(void)
{
	struct task_struct *task = current;

	return task && in_task() ? task->plug : NULL;
}

void blk_start_plug_nr_ios(struct blk_plug *plug, unsigned short nr_ios)
{
	/* Only the outermost plug counts. */
	if (current->plug)
		return;
	rq_list_init(&plug->mq_list);
	rq_list_init(&plug->cached_rqs);
	plug->cur_ktime = 0;
	plug->nr_ios = min_t(unsigned short, nr_ios, BLK_PLUG_MAX);
	plug->rq_count = 0;
	plug->multiple_queues = false;
	plug->has_elevator = false;
	INIT_LIST_HEAD(&plug->cb_list);
	current->plug = plug;
}

void blk_start_plug(struct blk_plug *plug)
{
	blk_start_plug_nr_ios(plug, 1);
}

void __blk_flush_plug(struct blk_plug *plug, bool from_schedule)
{
	if (!rq_list_empty(&plug->mq_list))
		blk_mq_flush_plug_list(plug, from_schedule);
}

void blk_finish_plug(struct blk_plug *plug)
{
	if (current->plug != plug)
		return;
	__blk_flush_plug(plug, false);
	current->plug = NULL;
}

struct blk_errno {
	blk_status_t status;
	int error;
};

static const struct blk_errno blk_errnos[] = {
	{ BLK_STS_OK, 0 },
	{ BLK_STS_NOTSUPP, -EOPNOTSUPP },
	{ BLK_STS_TIMEOUT, -ETIMEDOUT },
	{ BLK_STS_NOSPC, -ENOSPC },
	{ BLK_STS_TRANSPORT, -ENOLINK },
	{ BLK_STS_TARGET, -EREMOTEIO },
	{ BLK_STS_RESV_CONFLICT, -EBADE },
	{ BLK_STS_MEDIUM, -ENODATA },
	{ BLK_STS_PROTECTION, -EILSEQ },
	{ BLK_STS_RESOURCE, -ENOMEM },
	{ BLK_STS_AGAIN, -EAGAIN },
	{ BLK_STS_DEV_RESOURCE, -EBUSY },
	{ BLK_STS_OFFLINE, -ENODEV },
	{ BLK_STS_INVAL, -EINVAL },
	{ BLK_STS_ZONE_OPEN_RESOURCE, -ETOOMANYREFS },
	{ BLK_STS_ZONE_ACTIVE_RESOURCE, -EOVERFLOW },
	{ BLK_STS_IOERR, -EIO },
};

int blk_status_to_errno(blk_status_t status)
{
	for (size_t i = 0; i < ARRAY_SIZE(blk_errnos); i++)
		if (blk_errnos[i].status == status)
			return blk_errnos[i].error;
	return -EIO;
}

blk_status_t errno_to_blk_status(int error)
{
	for (size_t i = 0; i < ARRAY_SIZE(blk_errnos); i++)
		if (blk_errnos[i].error == error)
			return blk_errnos[i].status;
	return BLK_STS_IOERR;
}

const char *blk_op_str(enum req_op op)
{
	switch (op) {
	case REQ_OP_READ:
		return "READ";
	case REQ_OP_WRITE:
		return "WRITE";
	case REQ_OP_FLUSH:
		return "FLUSH";
	case REQ_OP_DISCARD:
		return "DISCARD";
	case REQ_OP_WRITE_ZEROES:
		return "WRITE_ZEROES";
	case REQ_OP_DRV_IN:
		return "DRV_IN";
	case REQ_OP_DRV_OUT:
		return "DRV_OUT";
	default:
		return "UNKNOWN";
	}
}
