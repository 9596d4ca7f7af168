// SPDX-License-Identifier: GPL-2.0-only
/*
 * Block driver for virtio devices (virtio 1.2, section 5.2), written against
 * the block layer of Linux 6.12.
 *
 * One virtqueue per blk-mq hardware queue, one lock per virtqueue. A vq's
 * lock covers everything the ring code keeps private: adding, taking back,
 * deciding on a kick, arming the interrupt. Ringing the doorbell needs no
 * lock and normally happens without it.
 *
 * There is no timeout handler on purpose: virtio has no abort, and memory of
 * a request that the device still owns must not be reused. Without a handler
 * blk-mq only re-arms the timer.
 */
#include <linux/blk-mq-virtio.h>
#include <linux/blk-mq.h>
#include <linux/blkdev.h>
#include <linux/cache.h>
#include <linux/cpumask.h>
#include <linux/idr.h>
#include <linux/interrupt.h>
#include <linux/log2.h>
#include <linux/module.h>
#include <linux/numa.h>
#include <linux/scatterlist.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include <linux/virtio.h>
#include <linux/virtio_blk.h>
#include <linux/virtio_config.h>
#include <linux/virtio_ring.h>
#include <linux/workqueue.h>

/* Segments a request holds without a further allocation. */
#ifdef CONFIG_ARCH_NO_SG_CHAIN
#define VBLK_INLINE_SEGS	0
#else
#define VBLK_INLINE_SEGS	2
#endif

/* Ranges in one discard; keeps the payload within 4 KiB. */
#define VBLK_MAX_RANGES		256

/* Descriptors that every request needs beside its data: header and status. */
#define VBLK_FRAME_DESCS	2

/* A value that no device writes; see vblk_fill_header(). */
#define VBLK_STATUS_UNSET	0xff

static unsigned int num_request_queues;
module_param(num_request_queues, uint, 0444);
MODULE_PARM_DESC(num_request_queues,
		 "Request virtqueues, at most the device's and one per CPU (0: that)");

static bool single_queue;
module_param(single_queue, bool, 0444);
MODULE_PARM_DESC(single_queue,
		 "One request virtqueue and one lock, whatever else is wanted");

static unsigned int queue_depth;
module_param(queue_depth, uint, 0444);
MODULE_PARM_DESC(queue_depth,
		 "Requests in flight per queue (0: from the ring size)");

static unsigned int poll_queues;
module_param(poll_queues, uint, 0444);
MODULE_PARM_DESC(poll_queues,
		 "How many of the queues are polled, the last ones; one never is");

static bool notify_locked;
module_param(notify_locked, bool, 0444);
MODULE_PARM_DESC(notify_locked,
		 "Ring the doorbell under the queue lock (0: outside)");

static bool queue_rqs = true;
module_param(queue_rqs, bool, 0444);
MODULE_PARM_DESC(queue_rqs,
		 "Take a plug's requests as one list (0: one by one)");

static bool packed_locks;
module_param(packed_locks, bool, 0444);
MODULE_PARM_DESC(packed_locks,
		 "Queues and their locks side by side (0: a cache line for each)");

static bool irq_batch;
module_param(irq_batch, bool, 0444);
MODULE_PARM_DESC(irq_batch,
		 "End an interrupt's requests as a batch, without the queue lock (0: one by one)");

/*
 * Padded to a cache line by vblk_queue(): neighbours are used by different
 * CPUs. The name lives here because the ring keeps a pointer to it for as
 * long as the virtqueue exists; it also fills what would be padding.
 */
struct vblk_queue {
	spinlock_t lock;		/* serialises all use of vq's ring */
	char name[20];
	struct virtqueue *vq;
	struct blk_mq_hw_ctx *hctx;	/* the one queue that feeds vq */
};

struct vblk {
	struct virtio_device *vdev;
	struct gendisk *disk;
	void *queues;			/* see vblk_queue() */
	size_t queue_stride;
	unsigned int nr_queues;
	unsigned int nr_poll;		/* of these, at the end of the array */
	unsigned int ring_size;		/* of the smallest ring */
	int index;			/* from vblk_ida, names the disk */
	struct work_struct resize_work;
	struct blk_mq_tag_set tag_set;
};

/* Driver part of a request. The device reads hdr and writes status. */
struct vblk_cmd {
	struct virtio_blk_outhdr hdr;
	u8 status;
	struct sg_table data;		/* nents is 0 without data */
	struct scatterlist inline_sg[VBLK_INLINE_SEGS];
};

static DEFINE_IDA(vblk_ida);
static struct workqueue_struct *vblk_wq;

/* Their distance is a parameter, so they are no array to the compiler. */
static struct vblk_queue *vblk_queue(struct vblk *vblk, unsigned int i)
{
	return vblk->queues + i * vblk->queue_stride;
}

/* Preparing a request */

static blk_status_t vblk_fill_header(struct virtio_device *vdev,
				     struct request *req)
{
	struct vblk_cmd *cmd = blk_mq_rq_to_pdu(req);
	u64 sector = 0;
	u32 type;

	switch (req_op(req)) {
	case REQ_OP_READ:
		type = VIRTIO_BLK_T_IN;
		sector = blk_rq_pos(req);
		break;
	case REQ_OP_WRITE:
		type = VIRTIO_BLK_T_OUT;
		sector = blk_rq_pos(req);
		break;
	case REQ_OP_FLUSH:
		type = VIRTIO_BLK_T_FLUSH;
		break;
	case REQ_OP_DISCARD:
		type = VIRTIO_BLK_T_DISCARD;
		break;
	case REQ_OP_WRITE_ZEROES:
		type = VIRTIO_BLK_T_WRITE_ZEROES;
		break;
	case REQ_OP_DRV_IN:
		/* The only command of our own. */
		type = VIRTIO_BLK_T_GET_ID;
		break;
	default:
		WARN_ON_ONCE(1);
		return BLK_STS_NOTSUPP;
	}

	cmd->hdr.type = cpu_to_virtio32(vdev, type);
	/* Named after its legacy use; virtio 1.2 reserves the field. */
	cmd->hdr.ioprio = 0;
	cmd->hdr.sector = cpu_to_virtio64(vdev, sector);
	/*
	 * The tag's previous request left its own result here. A device that
	 * forgets the status byte must not inherit an old success.
	 */
	cmd->status = VBLK_STATUS_UNSET;
	return BLK_STS_OK;
}

static bool vblk_needs_ranges(struct request *req)
{
	return req_op(req) == REQ_OP_DISCARD ||
	       req_op(req) == REQ_OP_WRITE_ZEROES;
}

static unsigned short vblk_nr_ranges(struct request *req)
{
	/*
	 * A disk that takes a single range merges only adjacent discards, so
	 * the request is one range however many bios it has.
	 */
	if (req_op(req) != REQ_OP_DISCARD ||
	    queue_max_discard_segments(req->q) == 1)
		return 1;
	return blk_rq_nr_discard_segments(req);
}

static void vblk_set_range(struct virtio_blk_discard_write_zeroes *range,
			   struct request *req, u64 sector, u32 nr_sectors)
{
	u32 flags = 0;

	/* Virtio 1.2, 5.2.6.1: the unmap flag must be clear in a discard. */
	if (req_op(req) == REQ_OP_WRITE_ZEROES &&
	    !(req->cmd_flags & REQ_NOUNMAP))
		flags = VIRTIO_BLK_WRITE_ZEROES_FLAG_UNMAP;

	range->sector = cpu_to_le64(sector);
	range->num_sectors = cpu_to_le32(nr_sectors);
	range->flags = cpu_to_le32(flags);
}

/* One range per bio. Returns how many; never writes more than @nr. */
static unsigned short
vblk_set_bio_ranges(struct virtio_blk_discard_write_zeroes *ranges,
		    struct request *req, unsigned short nr)
{
	unsigned short n = 0;
	struct bio *bio;

	__rq_for_each_bio(bio, req) {
		if (n < nr)
			vblk_set_range(&ranges[n], req, bio->bi_iter.bi_sector,
				       bio->bi_iter.bi_size >> SECTOR_SHIFT);
		n++;
	}
	return n;
}

/*
 * Discard and write zeroes carry a table of ranges instead of data. It goes
 * into the request's special payload, so that mapping treats it as data.
 */
static blk_status_t vblk_attach_ranges(struct request *req)
{
	struct virtio_blk_discard_write_zeroes *ranges;
	unsigned short nr = vblk_nr_ranges(req);

	ranges = kmalloc_array(nr, sizeof(*ranges), GFP_ATOMIC);
	if (!ranges)
		return BLK_STS_RESOURCE;

	if (nr == 1) {
		vblk_set_range(ranges, req, blk_rq_pos(req),
			       blk_rq_sectors(req));
	} else if (WARN_ON_ONCE(vblk_set_bio_ranges(ranges, req, nr) != nr)) {
		kfree(ranges);
		return BLK_STS_IOERR;
	}

	bvec_set_virt(&req->special_vec, ranges, nr * sizeof(*ranges));
	req->rq_flags |= RQF_SPECIAL_PAYLOAD;
	return BLK_STS_OK;
}

static void vblk_detach_ranges(struct request *req)
{
	if (!(req->rq_flags & RQF_SPECIAL_PAYLOAD))
		return;
	kfree(bvec_virt(&req->special_vec));
	req->rq_flags &= ~RQF_SPECIAL_PAYLOAD;
}

/* Returns the entries in use, 0 without data, or a negative errno. */
static int vblk_map_data(struct request *req)
{
	struct vblk_cmd *cmd = blk_mq_rq_to_pdu(req);
	unsigned int segs = blk_rq_nr_phys_segments(req);
	int err;

	if (!segs)
		return 0;
	/* Every time: a flush request's driver part starts as garbage. */
	cmd->data.sgl = cmd->inline_sg;
	err = sg_alloc_table_chained(&cmd->data, segs, cmd->inline_sg,
				     VBLK_INLINE_SEGS);
	if (err)
		return err;
	return blk_rq_map_sg(req->q, req, cmd->data.sgl);
}

static void vblk_unmap_data(struct request *req)
{
	struct vblk_cmd *cmd = blk_mq_rq_to_pdu(req);

	if (cmd->data.nents)
		sg_free_table_chained(&cmd->data, VBLK_INLINE_SEGS);
}

/* Undoes vblk_prepare() but for the start, which blk-mq itself undoes. */
static void vblk_release(struct request *req)
{
	vblk_unmap_data(req);
	vblk_detach_ranges(req);
}

/*
 * Everything that needs no lock. Starting is the last step: a request that
 * fails earlier was never in flight. It cannot wait until after the add
 * either, for then the completion may overtake it on another CPU.
 */
static blk_status_t vblk_prepare(struct virtio_device *vdev,
				 struct request *req)
{
	struct vblk_cmd *cmd = blk_mq_rq_to_pdu(req);
	blk_status_t status;
	int nents;		/* signed: it may carry an errno */

	status = vblk_fill_header(vdev, req);
	if (status)
		return status;

	if (vblk_needs_ranges(req)) {
		status = vblk_attach_ranges(req);
		if (status)
			return status;
	}

	nents = vblk_map_data(req);
	if (unlikely(nents < 0)) {
		vblk_detach_ranges(req);
		/* Only memory can be short here, and that passes. */
		return BLK_STS_RESOURCE;
	}
	cmd->data.nents = nents;

	blk_mq_start_request(req);
	return BLK_STS_OK;
}

/* Submission */

/* Called with the queue lock held. Returns 0 or a negative errno. */
static int vblk_add(struct vblk_queue *queue, struct request *req)
{
	struct vblk_cmd *cmd = blk_mq_rq_to_pdu(req);
	struct scatterlist hdr, status, *sgs[3];
	unsigned int out = 0, in = 0;

	sg_init_one(&hdr, &cmd->hdr, sizeof(cmd->hdr));
	sgs[out++] = &hdr;

	if (cmd->data.nents) {
		if (rq_data_dir(req) == WRITE)
			sgs[out++] = cmd->data.sgl;
		else
			sgs[out + in++] = cmd->data.sgl;
	}

	sg_init_one(&status, &cmd->status, sizeof(cmd->status));
	sgs[out + in++] = &status;

	return virtqueue_add_sgs(queue->vq, sgs, out, in, cmd, GFP_ATOMIC);
}

/* Called with the queue lock held. */
static bool vblk_ring_busy(struct vblk_queue *queue)
{
	struct virtqueue *vq = queue->vq;

	return vq->num_free < virtqueue_get_vring_size(vq);
}

/*
 * Called with the queue lock held, after a failed add.
 *
 * Only a completion of this ring restarts the hardware queue, so it may be
 * stopped only for want of ring space and only while the ring holds
 * something; any other shortage (memory, bounce buffers) can meet an empty
 * ring, and is left to blk-mq to try again later. The stop stays inside the
 * lock: the interrupt handler restarts inside it too, and so cannot slip in
 * between the full ring and the stop.
 */
static blk_status_t vblk_add_failed(struct vblk_queue *queue, int err)
{
	switch (err) {
	case -ENOSPC:
		if (!vblk_ring_busy(queue))
			return BLK_STS_RESOURCE;
		blk_mq_stop_hw_queue(queue->hctx);
		return BLK_STS_DEV_RESOURCE;
	case -ENOMEM:
		return BLK_STS_RESOURCE;
	default:
		return BLK_STS_IOERR;
	}
}

/*
 * Ends a locked section that added to the ring, with a doorbell if @kick and
 * if the device wants one.
 *
 * The question belongs inside the lock: it compares and resets the ring's
 * count of new entries, and two CPUs doing that at once both miss the
 * device's event index. The doorbell belongs outside: it traps into the
 * hypervisor, and every other CPU would spin for that long. notify_locked
 * brings that cost back for study.
 */
static void vblk_unlock_and_kick(struct vblk_queue *queue, bool kick,
				 unsigned long flags)
{
	bool notify = kick && virtqueue_kick_prepare(queue->vq);

	if (notify && notify_locked) {
		virtqueue_notify(queue->vq);
		notify = false;
	}
	spin_unlock_irqrestore(&queue->lock, flags);

	if (notify)
		virtqueue_notify(queue->vq);
}

static blk_status_t vblk_queue_rq(struct blk_mq_hw_ctx *hctx,
				  const struct blk_mq_queue_data *bd)
{
	struct vblk_queue *queue = hctx->driver_data;
	struct request *req = bd->rq;
	blk_status_t status;
	unsigned long flags;
	int err;

	/* Earlier requests without a kick: blk-mq calls commit_rqs for them. */
	status = vblk_prepare(queue->vq->vdev, req);
	if (unlikely(status))
		return status;

	spin_lock_irqsave(&queue->lock, flags);
	err = vblk_add(queue, req);
	if (unlikely(err))
		status = vblk_add_failed(queue, err);
	/*
	 * A failure may be the end of the batch, and space may come only from
	 * entries that the device has not been told about: kick then, too.
	 */
	vblk_unlock_and_kick(queue, bd->last || err, flags);

	if (unlikely(err))
		vblk_release(req);
	return status;
}

/*
 * Called with the queue lock held. Adds @batch from its head. What remains on
 * it after a failure starts with the request that failed.
 */
static int vblk_add_batch(struct vblk_queue *queue, struct rq_list *batch)
{
	struct request *req;
	int err;

	while ((req = rq_list_pop(batch))) {
		err = vblk_add(queue, req);
		if (unlikely(err)) {
			rq_list_add_head(batch, req);
			return err;
		}
	}
	return 0;
}

/*
 * These have been started, so blk-mq must not get them back as if they were
 * new. Whatever the failure was, vblk_queue_rq() meets and judges it again.
 */
static void vblk_requeue_batch(struct rq_list *batch)
{
	struct request *req;

	while ((req = rq_list_pop(batch))) {
		vblk_release(req);
		blk_mq_requeue_request(req, !rq_list_peek(batch));
	}
}

/* Empties @batch, whose requests are prepared and all for @queue. */
static void vblk_submit_batch(struct vblk_queue *queue, struct rq_list *batch)
{
	unsigned long flags;
	int err;

	if (rq_list_empty(batch))
		return;

	spin_lock_irqsave(&queue->lock, flags);
	err = vblk_add_batch(queue, batch);
	if (unlikely(err))
		vblk_add_failed(queue, err);
	vblk_unlock_and_kick(queue, true, flags);

	if (unlikely(err))
		vblk_requeue_batch(batch);
}

/*
 * One lock and one kick for each run of requests with the same queue, in the
 * order of submission. What cannot be prepared, and so was never started,
 * stays on @rqlist for blk-mq to bring one by one.
 */
static void vblk_queue_rqs(struct rq_list *rqlist)
{
	struct rq_list batch = { }, unprepared = { };
	struct vblk_queue *queue = NULL;
	struct request *req;

	while ((req = rq_list_pop(rqlist))) {
		struct vblk_queue *next = req->mq_hctx->driver_data;

		if (queue && queue != next)
			vblk_submit_batch(queue, &batch);
		queue = next;
		if (likely(!vblk_prepare(queue->vq->vdev, req)))
			rq_list_add_tail(&batch, req);
		else
			rq_list_add_tail(&unprepared, req);
	}
	if (queue)
		vblk_submit_batch(queue, &batch);
	*rqlist = unprepared;
}

/* blk-mq promised a further request with !last, but could not deliver. */
static void vblk_commit_rqs(struct blk_mq_hw_ctx *hctx)
{
	struct vblk_queue *queue = hctx->driver_data;
	unsigned long flags;

	spin_lock_irqsave(&queue->lock, flags);
	vblk_unlock_and_kick(queue, true, flags);
}

/* Completion */

static blk_status_t vblk_status(const struct vblk_cmd *cmd)
{
	switch (cmd->status) {
	case VIRTIO_BLK_S_OK:
		return BLK_STS_OK;
	case VIRTIO_BLK_S_UNSUPP:
		return BLK_STS_NOTSUPP;
	default:
		return BLK_STS_IOERR;
	}
}

/* Runs on the CPU that blk-mq chose for the end of @req. */
static void vblk_complete_rq(struct request *req)
{
	blk_status_t status = vblk_status(blk_mq_rq_to_pdu(req));

	vblk_release(req);
	blk_mq_end_request(req, status);
}

/* Ends @iob's requests, all of which the device served. No lock is needed. */
static void vblk_complete_batch(struct io_comp_batch *iob)
{
	struct request *req;

	rq_list_for_each(&iob->req_list, req)
		vblk_release(req);
	blk_mq_end_request_batch(iob);
}

static void vblk_end_batch(struct io_comp_batch *iob)
{
	if (!rq_list_empty(&iob->req_list))
		vblk_complete_batch(iob);
}

/*
 * A batch ends with success whatever happened, so what failed stays out of it.
 * blk_mq_add_to_batch() would see to that for ordinary requests only.
 */
static void vblk_collect(struct request *req, struct io_comp_batch *iob)
{
	bool error = vblk_status(blk_mq_rq_to_pdu(req)) != BLK_STS_OK;

	/* Moves the request out of the in-flight state in any case. */
	if (blk_mq_complete_request_remote(req))
		return;
	if (error || !blk_mq_add_to_batch(req, iob, false, vblk_complete_batch))
		vblk_complete_rq(req);
}

/*
 * Called with the queue lock held. Takes back what the device has used and
 * returns how much that was. What can be ended on this CPU goes into @iob if
 * there is one.
 *
 * blk_mq_complete_request() moves the request out of the in-flight state, so
 * that nobody else ends it, and picks the CPU. It may end the request right
 * here, under the lock: ending runs hardware queues only asynchronously, so
 * it cannot come back for the lock.
 */
static unsigned int vblk_reap(struct vblk_queue *queue,
			      struct io_comp_batch *iob)
{
	struct vblk_cmd *cmd;
	unsigned int reaped = 0;
	unsigned int len;

	while ((cmd = virtqueue_get_buf(queue->vq, &len))) {
		struct request *req = blk_mq_rq_from_pdu(cmd);

		reaped++;
		if (unlikely(blk_should_fake_timeout(req->q)))
			continue;
		if (iob)
			vblk_collect(req, iob);
		else
			blk_mq_complete_request(req);
	}
	return reaped;
}

/* Called with the queue lock held. Takes back until the interrupt is armed. */
static void vblk_drain(struct vblk_queue *queue, struct io_comp_batch *iob)
{
	unsigned int reaped = 0;

	do {
		virtqueue_disable_cb(queue->vq);
		reaped += vblk_reap(queue, iob);
		/* False: the device used more while the interrupt was off. */
	} while (!virtqueue_enable_cb(queue->vq));

	/*
	 * Space came free in this ring only, so no other queue is touched.
	 * Asynchronously, because a direct run would dispatch and take the
	 * lock that is held here.
	 */
	if (reaped)
		blk_mq_start_stopped_hw_queue(queue->hctx, true);
}

static void vblk_interrupt(struct virtqueue *vq)
{
	struct vblk *vblk = vq->vdev->priv;
	struct vblk_queue *queue = vblk_queue(vblk, vq->index);
	unsigned long flags;

	spin_lock_irqsave(&queue->lock, flags);
	vblk_drain(queue, NULL);
	spin_unlock_irqrestore(&queue->lock, flags);
}

/* In place of vblk_interrupt() with irq_batch. */
static void vblk_interrupt_batch(struct virtqueue *vq)
{
	struct vblk *vblk = vq->vdev->priv;
	struct vblk_queue *queue = vblk_queue(vblk, vq->index);
	DEFINE_IO_COMP_BATCH(batch);
	unsigned long flags;

	spin_lock_irqsave(&queue->lock, flags);
	vblk_drain(queue, &batch);
	spin_unlock_irqrestore(&queue->lock, flags);

	vblk_end_batch(&batch);
}

/*
 * Stands in for the interrupt of a queue that has none, and so is what
 * restarts it, too. The caller ends @iob; without one there is a batch here.
 */
static int vblk_poll(struct blk_mq_hw_ctx *hctx, struct io_comp_batch *iob)
{
	struct vblk_queue *queue = hctx->driver_data;
	DEFINE_IO_COMP_BATCH(batch);
	unsigned long flags;
	unsigned int found;

	spin_lock_irqsave(&queue->lock, flags);
	found = vblk_reap(queue, iob ? : &batch);
	if (found)
		blk_mq_start_stopped_hw_queue(hctx, true);
	spin_unlock_irqrestore(&queue->lock, flags);

	vblk_end_batch(&batch);
	return found;
}

/* Queues */

static int vblk_init_hctx(struct blk_mq_hw_ctx *hctx, void *data,
			  unsigned int hctx_idx)
{
	struct vblk *vblk = data;
	struct vblk_queue *queue = vblk_queue(vblk, hctx_idx);

	queue->hctx = hctx;
	hctx->driver_data = queue;
	return 0;
}

static void vblk_map_queues(struct blk_mq_tag_set *set)
{
	struct blk_mq_queue_map *irq = &set->map[HCTX_TYPE_DEFAULT];
	struct blk_mq_queue_map *poll = &set->map[HCTX_TYPE_POLL];
	struct vblk *vblk = set->driver_data;

	irq->queue_offset = 0;
	irq->nr_queues = vblk->nr_queues - vblk->nr_poll;
	/* Follow the interrupts: submit where the completion will arrive. */
	blk_mq_virtio_map_queues(irq, vblk->vdev, 0);
	if (!vblk->nr_poll)
		return;

	/* None for reads alone: these use the default queues. */
	set->map[HCTX_TYPE_READ].nr_queues = 0;
	poll->queue_offset = irq->nr_queues;
	poll->nr_queues = vblk->nr_poll;
	blk_mq_map_queues(poll);
}

/* vblk_init() adds queue_rqs: only then are the parameters known. */
static struct blk_mq_ops vblk_mq_ops __ro_after_init = {
	.queue_rq	= vblk_queue_rq,
	.commit_rqs	= vblk_commit_rqs,
	.poll		= vblk_poll,
	.complete	= vblk_complete_rq,
	.init_hctx	= vblk_init_hctx,
	.map_queues	= vblk_map_queues,
};

/*
 * The one count for virtqueues set up, interrupts asked for and hardware
 * queues announced; they must never differ. Returns it or a negative errno.
 */
static int vblk_count_queues(struct virtio_device *vdev)
{
	unsigned int wanted = num_request_queues ? : nr_cpu_ids;
	u16 offered;

	/* A driver of one queue does not ask how many there are. */
	if (single_queue)
		return 1;
	if (virtio_cread_feature(vdev, VIRTIO_BLK_F_MQ,
				 struct virtio_blk_config, num_queues,
				 &offered))
		offered = 1;
	if (!offered) {
		dev_err(&vdev->dev, "device offers no request queue\n");
		return -EINVAL;
	}
	/* More than one per CPU would leave some without any. */
	return min3(wanted, (unsigned int)offered, nr_cpu_ids);
}

static bool vblk_is_polled(struct vblk *vblk, unsigned int i)
{
	return i >= vblk->nr_queues - vblk->nr_poll;
}

static int vblk_find_vqs(struct vblk *vblk)
{
	/* Without it no vector is bound to the CPUs of its queue. */
	struct irq_affinity spread = { };
	struct virtqueue_info *info;
	struct virtqueue **vqs;
	int err = -ENOMEM;
	unsigned int i;

	info = kcalloc(vblk->nr_queues, sizeof(*info), GFP_KERNEL);
	if (!info)
		return err;
	vqs = kcalloc(vblk->nr_queues, sizeof(*vqs), GFP_KERNEL);
	if (!vqs)
		goto out_free_info;

	for (i = 0; i < vblk->nr_queues; i++) {
		if (!vblk_is_polled(vblk, i))
			info[i].callback = irq_batch ? vblk_interrupt_batch :
						       vblk_interrupt;
		info[i].name = vblk_queue(vblk, i)->name;
	}

	err = virtio_find_vqs(vblk->vdev, vblk->nr_queues, vqs, info, &spread);
	if (err)
		goto out_free_vqs;

	for (i = 0; i < vblk->nr_queues; i++)
		vblk_queue(vblk, i)->vq = vqs[i];

out_free_vqs:
	kfree(vqs);
out_free_info:
	kfree(info);
	return err;
}

static unsigned int vblk_smallest_ring(struct vblk *vblk)
{
	unsigned int size = UINT_MAX;
	unsigned int i;

	for (i = 0; i < vblk->nr_queues; i++)
		size = min(size,
			   virtqueue_get_vring_size(vblk_queue(vblk, i)->vq));
	return size;
}

/* After the reset: the rings still point to the names in the array. */
static void vblk_del_queues(struct vblk *vblk)
{
	vblk->vdev->config->del_vqs(vblk->vdev);
	kfree(vblk->queues);
}

static bool vblk_has_indirect(struct vblk *vblk)
{
	return virtio_has_feature(vblk->vdev, VIRTIO_RING_F_INDIRECT_DESC);
}

static int vblk_alloc_queues(struct vblk *vblk)
{
	unsigned int i;

	vblk->queue_stride = sizeof(struct vblk_queue);
	if (!packed_locks)
		vblk->queue_stride = L1_CACHE_ALIGN(vblk->queue_stride);
	vblk->queues = kcalloc(vblk->nr_queues, vblk->queue_stride, GFP_KERNEL);
	if (!vblk->queues)
		return -ENOMEM;

	for (i = 0; i < vblk->nr_queues; i++) {
		struct vblk_queue *queue = vblk_queue(vblk, i);

		spin_lock_init(&queue->lock);
		snprintf(queue->name, sizeof(queue->name),
			 vblk_is_polled(vblk, i) ? "poll.%u" : "requests.%u",
			 i);
	}
	return 0;
}

static int vblk_init_queues(struct vblk *vblk)
{
	int nr = vblk_count_queues(vblk->vdev);
	int err;

	if (nr < 0)
		return nr;
	vblk->nr_queues = nr;
	/* What is not polled, as flushes, needs a queue with an interrupt. */
	vblk->nr_poll = min(poll_queues, vblk->nr_queues - 1);
	/* Before the virtqueues exist: a stray interrupt finds a good lock. */
	err = vblk_alloc_queues(vblk);
	if (err)
		return err;

	err = vblk_find_vqs(vblk);
	if (err) {
		kfree(vblk->queues);
		return err;
	}

	vblk->ring_size = vblk_smallest_ring(vblk);
	if (vblk->ring_size <= VBLK_FRAME_DESCS && !vblk_has_indirect(vblk)) {
		dev_err(&vblk->vdev->dev,
			"a ring of %u descriptors holds no data request\n",
			vblk->ring_size);
		vblk_del_queues(vblk);
		return -EINVAL;
	}
	return 0;
}

/*
 * As many requests as a ring can hold: one descriptor each with indirect
 * tables, two without data and without tables. Larger ones fill the ring
 * earlier, which stops the queue. The module parameter is only read, for it
 * applies to every disk and their rings may differ.
 */
static unsigned int vblk_depth(struct vblk *vblk)
{
	if (queue_depth)
		return queue_depth;
	if (vblk_has_indirect(vblk))
		return vblk->ring_size;
	return vblk->ring_size / VBLK_FRAME_DESCS;
}

static int vblk_init_tag_set(struct vblk *vblk)
{
	struct blk_mq_tag_set *set = &vblk->tag_set;

	set->ops = &vblk_mq_ops;
	set->nr_hw_queues = vblk->nr_queues;
	set->nr_maps = vblk->nr_poll ? HCTX_MAX_TYPES : 1;
	set->queue_depth = vblk_depth(vblk);
	set->numa_node = NUMA_NO_NODE;
	set->flags = BLK_MQ_F_SHOULD_MERGE;
	set->cmd_size = sizeof(struct vblk_cmd);
	set->driver_data = vblk;
	return blk_mq_alloc_tag_set(set);
}

/* Limits */

static unsigned int vblk_max_segments(struct vblk *vblk)
{
	unsigned int room = 1;
	u32 seg_max;

	if (virtio_cread_feature(vblk->vdev, VIRTIO_BLK_F_SEG_MAX,
				 struct virtio_blk_config, seg_max, &seg_max))
		return 1;
	/*
	 * Virtio 1.2, 2.7.5.3.1: no chain, direct or indirect, is longer than
	 * the ring. Thus an empty ring takes every request even when there is
	 * no memory for an indirect table.
	 */
	if (vblk->ring_size > VBLK_FRAME_DESCS)
		room = vblk->ring_size - VBLK_FRAME_DESCS;
	return min_t(unsigned int, seg_max ? : 1, room);
}

static unsigned int vblk_max_segment_size(struct virtio_device *vdev)
{
	size_t limit = min_t(size_t, virtio_max_dma_size(vdev), UINT_MAX);
	u32 size_max;

	if (virtio_cread_feature(vdev, VIRTIO_BLK_F_SIZE_MAX,
				 struct virtio_blk_config, size_max,
				 &size_max))
		return limit;
	return min_t(size_t, limit, size_max);
}

static int vblk_read_block_size(struct virtio_device *vdev,
				struct queue_limits *lim)
{
	u32 size;

	lim->logical_block_size = SECTOR_SIZE;
	if (virtio_cread_feature(vdev, VIRTIO_BLK_F_BLK_SIZE,
				 struct virtio_blk_config, blk_size, &size))
		return 0;
	if (size < SECTOR_SIZE || size > PAGE_SIZE || !is_power_of_2(size)) {
		dev_err(&vdev->dev, "block size %u is not usable\n", size);
		return -EINVAL;
	}
	lim->logical_block_size = size;
	return 0;
}

/* The configuration counts in logical blocks, the block layer in bytes. */
static void vblk_read_topology(struct virtio_device *vdev,
			       struct queue_limits *lim)
{
	u32 block = lim->logical_block_size;
	u8 exp, offset;
	u16 min_io;
	u32 opt_io;

	if (!virtio_has_feature(vdev, VIRTIO_BLK_F_TOPOLOGY))
		return;
	virtio_cread(vdev, struct virtio_blk_config, physical_block_exp, &exp);
	virtio_cread(vdev, struct virtio_blk_config, alignment_offset, &offset);
	virtio_cread(vdev, struct virtio_blk_config, min_io_size, &min_io);
	virtio_cread(vdev, struct virtio_blk_config, opt_io_size, &opt_io);

	/* A shift beyond the type is undefined; such a device says nothing. */
	if (exp < 32 - ilog2(block))
		lim->physical_block_size = block << exp;
	lim->alignment_offset = block * offset;
	lim->io_min = block * min_io;
	lim->io_opt = block * opt_io;
}

static void vblk_read_discard(struct virtio_device *vdev,
			      struct queue_limits *lim)
{
	u32 sectors, align, segs;

	if (!virtio_has_feature(vdev, VIRTIO_BLK_F_DISCARD))
		return;
	virtio_cread(vdev, struct virtio_blk_config, max_discard_sectors,
		     &sectors);
	virtio_cread(vdev, struct virtio_blk_config, discard_sector_alignment,
		     &align);
	virtio_cread(vdev, struct virtio_blk_config, max_discard_seg, &segs);

	lim->max_hw_discard_sectors = sectors ? : UINT_MAX;
	lim->max_discard_segments = clamp_t(u32, segs, 1, VBLK_MAX_RANGES);
	lim->discard_granularity = align ? align << SECTOR_SHIFT :
					   lim->logical_block_size;
}

static void vblk_read_write_zeroes(struct virtio_device *vdev,
				   struct queue_limits *lim)
{
	u32 sectors;

	if (virtio_cread_feature(vdev, VIRTIO_BLK_F_WRITE_ZEROES,
				 struct virtio_blk_config,
				 max_write_zeroes_sectors, &sectors))
		return;
	lim->max_write_zeroes_sectors = sectors ? : UINT_MAX;
}

/* Virtio 1.2, 5.2.5: without a switch, flush support tells of a cache. */
static bool vblk_writeback(struct virtio_device *vdev)
{
	u8 wce;

	if (virtio_cread_feature(vdev, VIRTIO_BLK_F_CONFIG_WCE,
				 struct virtio_blk_config, wce, &wce))
		return virtio_has_feature(vdev, VIRTIO_BLK_F_FLUSH);
	return wce;
}

static void vblk_set_cache_feature(struct virtio_device *vdev,
				   struct queue_limits *lim)
{
	if (vblk_writeback(vdev))
		lim->features |= BLK_FEAT_WRITE_CACHE;
	else
		lim->features &= ~BLK_FEAT_WRITE_CACHE;
}

static int vblk_read_limits(struct vblk *vblk, struct queue_limits *lim)
{
	struct virtio_device *vdev = vblk->vdev;
	int err;

	err = vblk_read_block_size(vdev, lim);
	if (err)
		return err;
	lim->max_hw_sectors = UINT_MAX;
	lim->max_segments = vblk_max_segments(vblk);
	lim->max_segment_size = vblk_max_segment_size(vdev);
	vblk_read_topology(vdev, lim);
	vblk_read_discard(vdev, lim);
	vblk_read_write_zeroes(vdev, lim);
	vblk_set_cache_feature(vdev, lim);
	return 0;
}

/* Attributes of the disk */

static int vblk_get_id(struct vblk *vblk, void *buf)
{
	struct request_queue *q = vblk->disk->queue;
	struct request *req;
	int err;

	req = blk_mq_alloc_request(q, REQ_OP_DRV_IN, 0);
	if (IS_ERR(req))
		return PTR_ERR(req);

	err = blk_rq_map_kern(q, req, buf, VIRTIO_BLK_ID_BYTES, GFP_KERNEL);
	if (!err)
		err = blk_status_to_errno(blk_execute_rq(req, false));
	blk_mq_free_request(req);
	return err;
}

static ssize_t serial_show(struct device *dev, struct device_attribute *attr,
			   char *buf)
{
	struct vblk *vblk = dev_to_disk(dev)->private_data;
	int err;

	/* sysfs hands over a whole page, which the device may write to. */
	err = vblk_get_id(vblk, buf);
	if (err)
		return err;
	/* An identifier of full length comes without a terminator. */
	buf[VIRTIO_BLK_ID_BYTES] = '\0';
	return strlen(buf);
}
static DEVICE_ATTR_RO(serial);

/* Indexed by the configuration's wce field. */
static const char *const vblk_cache_types[] = {
	"write through", "write back"
};

static ssize_t cache_type_show(struct device *dev,
			       struct device_attribute *attr, char *buf)
{
	struct vblk *vblk = dev_to_disk(dev)->private_data;
	bool writeback = vblk_writeback(vblk->vdev);

	return sysfs_emit(buf, "%s\n", vblk_cache_types[writeback]);
}

static ssize_t cache_type_store(struct device *dev,
				struct device_attribute *attr,
				const char *buf, size_t count)
{
	struct vblk *vblk = dev_to_disk(dev)->private_data;
	struct request_queue *q = vblk->disk->queue;
	struct queue_limits lim;
	int type, err;

	type = sysfs_match_string(vblk_cache_types, buf);
	if (type < 0)
		return type;

	virtio_cwrite8(vblk->vdev, offsetof(struct virtio_blk_config, wce),
		       type);
	/* The device may refuse: what it says now counts, not the wish. */
	lim = queue_limits_start_update(q);
	vblk_set_cache_feature(vblk->vdev, &lim);
	err = queue_limits_commit_update_frozen(q, &lim);
	return err ? err : (ssize_t)count;
}
static DEVICE_ATTR_RW(cache_type);

static struct attribute *vblk_attrs[] = {
	&dev_attr_serial.attr,
	&dev_attr_cache_type.attr,
	NULL
};

static umode_t vblk_attr_mode(struct kobject *kobj, struct attribute *attr,
			      int n)
{
	struct vblk *vblk = dev_to_disk(kobj_to_dev(kobj))->private_data;

	if (attr == &dev_attr_cache_type.attr &&
	    !virtio_has_feature(vblk->vdev, VIRTIO_BLK_F_CONFIG_WCE))
		return 0444;
	return attr->mode;
}

static const struct attribute_group vblk_attr_group = {
	.attrs		= vblk_attrs,
	.is_visible	= vblk_attr_mode,
};

static const struct attribute_group *vblk_attr_groups[] = {
	&vblk_attr_group,
	NULL
};

/* Disk */

static u64 vblk_capacity(struct virtio_device *vdev)
{
	u64 capacity;

	virtio_cread(vdev, struct virtio_blk_config, capacity, &capacity);
	return capacity;
}

static void vblk_resize(struct work_struct *work)
{
	struct vblk *vblk = container_of(work, struct vblk, resize_work);
	u64 capacity = vblk_capacity(vblk->vdev);

	if (set_capacity_and_notify(vblk->disk, capacity))
		dev_info(&vblk->vdev->dev, "[%s] now %llu sectors\n",
			 vblk->disk->disk_name, capacity);
}

/* Interrupt context, and a resize may sleep. */
static void vblk_config_changed(struct virtio_device *vdev)
{
	struct vblk *vblk = vdev->priv;

	queue_work(vblk_wq, &vblk->resize_work);
}

/* Last user of the disk, possibly long after the device went away. */
static void vblk_free_disk(struct gendisk *disk)
{
	struct vblk *vblk = disk->private_data;

	ida_free(&vblk_ida, vblk->index);
	kfree(vblk);
}

static const struct block_device_operations vblk_fops = {
	.owner		= THIS_MODULE,
	.free_disk	= vblk_free_disk,
};

/* vda to vdz, vdaa, ...: base 26 without a zero. */
static void vblk_name_disk(struct gendisk *disk, unsigned int index)
{
	char letters[8] = "";
	char *p = letters + sizeof(letters) - 1;
	unsigned int n;

	for (n = index + 1; n; n /= 26)
		*--p = 'a' + --n % 26;
	snprintf(disk->disk_name, DISK_NAME_LEN, "vd%s", p);
}

static int vblk_alloc_disk(struct vblk *vblk)
{
	struct queue_limits lim = { };
	struct gendisk *disk;
	int err;

	err = vblk_read_limits(vblk, &lim);
	if (err)
		return err;
	disk = blk_mq_alloc_disk(&vblk->tag_set, &lim, vblk);
	if (IS_ERR(disk))
		return PTR_ERR(disk);

	vblk_name_disk(disk, vblk->index);
	disk->fops = &vblk_fops;
	disk->private_data = vblk;
	vblk->disk = disk;
	set_capacity(disk, vblk_capacity(vblk->vdev));
	if (virtio_has_feature(vblk->vdev, VIRTIO_BLK_F_RO))
		set_disk_ro(disk, true);
	return 0;
}

/* Device */

static struct vblk *vblk_alloc(struct virtio_device *vdev)
{
	struct vblk *vblk = kzalloc(sizeof(*vblk), GFP_KERNEL);

	if (!vblk)
		return ERR_PTR(-ENOMEM);
	vblk->index = ida_alloc_range(&vblk_ida, 0, INT_MAX, GFP_KERNEL);
	if (vblk->index < 0) {
		int err = vblk->index;

		kfree(vblk);
		return ERR_PTR(err);
	}
	vblk->vdev = vdev;
	INIT_WORK(&vblk->resize_work, vblk_resize);
	/* The interrupt handler finds the queues by way of priv. */
	vdev->priv = vblk;
	return vblk;
}

static int vblk_probe(struct virtio_device *vdev)
{
	struct vblk *vblk;
	int err;

	if (!vdev->config->get) {
		dev_err(&vdev->dev, "no access to the configuration\n");
		return -EINVAL;
	}

	vblk = vblk_alloc(vdev);
	if (IS_ERR(vblk))
		return PTR_ERR(vblk);
	err = vblk_init_queues(vblk);
	if (err)
		goto err_free;
	err = vblk_init_tag_set(vblk);
	if (err)
		goto err_del_queues;
	err = vblk_alloc_disk(vblk);
	if (err)
		goto err_free_tags;

	/*
	 * Adding the disk reads its partition table. A device that is not yet
	 * live may ignore that kick, and no second one would come.
	 */
	virtio_device_ready(vdev);
	err = device_add_disk(&vdev->dev, vblk->disk, vblk_attr_groups);
	if (err)
		goto err_reset;
	return 0;

err_reset:
	/* First: afterwards no interrupt looks at queues, tags or disk. */
	virtio_reset_device(vdev);
	flush_work(&vblk->resize_work);
	put_disk(vblk->disk);
err_free_tags:
	blk_mq_free_tag_set(&vblk->tag_set);
err_del_queues:
	vblk_del_queues(vblk);
err_free:
	/* A disk that was never added does not call free_disk. */
	ida_free(&vblk_ida, vblk->index);
	kfree(vblk);
	return err;
}

static void vblk_remove(struct virtio_device *vdev)
{
	struct vblk *vblk = vdev->priv;

	/* Returns when the last request has ended, so the rings are empty. */
	del_gendisk(vblk->disk);
	blk_mq_free_tag_set(&vblk->tag_set);
	/* The reset ends all interrupts; what they queued may still run. */
	virtio_reset_device(vdev);
	flush_work(&vblk->resize_work);
	vblk_del_queues(vblk);
	/* May be the last reference, then vblk is gone. */
	put_disk(vblk->disk);
}

static const struct virtio_device_id vblk_ids[] = {
	{ VIRTIO_ID_BLOCK, VIRTIO_DEV_ANY_ID },
	{ 0, 0 },
};
MODULE_DEVICE_TABLE(virtio, vblk_ids);

static const unsigned int vblk_features[] = {
	VIRTIO_BLK_F_SIZE_MAX,
	VIRTIO_BLK_F_SEG_MAX,
	VIRTIO_BLK_F_RO,
	VIRTIO_BLK_F_BLK_SIZE,
	VIRTIO_BLK_F_FLUSH,
	VIRTIO_BLK_F_TOPOLOGY,
	VIRTIO_BLK_F_CONFIG_WCE,
	VIRTIO_BLK_F_MQ,
	VIRTIO_BLK_F_DISCARD,
	VIRTIO_BLK_F_WRITE_ZEROES,
};

static struct virtio_driver vblk_driver = {
	.driver.name		= KBUILD_MODNAME,
	.id_table		= vblk_ids,
	.feature_table		= vblk_features,
	.feature_table_size	= ARRAY_SIZE(vblk_features),
	.probe			= vblk_probe,
	.remove			= vblk_remove,
	.config_changed		= vblk_config_changed,
};

static int __init vblk_init(void)
{
	int err;

	if (queue_rqs)
		vblk_mq_ops.queue_rqs = vblk_queue_rqs;

	vblk_wq = alloc_workqueue("virtio-blk", 0, 0);
	if (!vblk_wq)
		return -ENOMEM;
	err = register_virtio_driver(&vblk_driver);
	if (err)
		destroy_workqueue(vblk_wq);
	return err;
}
module_init(vblk_init);

static void __exit vblk_exit(void)
{
	unregister_virtio_driver(&vblk_driver);
	destroy_workqueue(vblk_wq);
}
module_exit(vblk_exit);

MODULE_DESCRIPTION("Virtio block driver");
MODULE_LICENSE("GPL");
