// SPDX-License-Identifier: GPL-2.0-only
/*
 * Driver side of virtqueues: what drivers call, and what does not depend on
 * the ring's format, which the device's and the driver's features decide.
 */
#include <linux/device.h>
#include <linux/list.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/scatterlist.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/virtio.h>
#include <linux/virtio_config.h>
#include <linux/virtio_ring.h>

#include "virtio_ring_impl.h"

static struct ring_queue *to_ring(const struct virtqueue *vq)
{
	return (struct ring_queue *)container_of(vq, struct ring_queue, vq);
}

static u8 ring_mode(const struct ring_queue *q)
{
	return READ_ONCE(q->mode);
}

static void ring_break(struct ring_queue *q)
{
	WRITE_ONCE(q->mode, q->mode | RING_BROKEN);
}

static void ring_bad(struct ring_queue *q, u32 id, const char *why)
{
	dev_err(&q->vq.vdev->dev, "%s: the device used buffer %u, %s\n",
		q->vq.name ? q->vq.name : "virtqueue", id, why);
	ring_break(q);
}

bool ring_id_ok(struct ring_queue *q, u32 id)
{
	if (unlikely(id >= q->num)) {
		ring_bad(q, id, "beyond the queue's size");
		return false;
	}
	if (unlikely(!q->state[id].data)) {
		ring_bad(q, id, "which is not in flight");
		return false;
	}
	return true;
}

void *ring_state_put(struct ring_state *state, void **ctx)
{
	void *data = state->data;

	if (ctx)
		*ctx = state->ctx;
	state->data = NULL;
	kfree(state->table);
	return data;
}

static_assert(sizeof(struct vring_desc) == sizeof(struct vring_packed_desc),
	      "a table of either");

void *ring_table_get(const struct ring_queue *q, u8 mode, unsigned int nr,
		     gfp_t gfp)
{
	if (!(mode & RING_INDIRECT) || nr < 2 || !q->vq.num_free)
		return NULL;
	return kmalloc_array(nr, sizeof(struct vring_desc), gfp);
}

/* Making and unmaking. */

struct ring_params {
	unsigned int index;
	unsigned int num;
	unsigned int align;
	struct virtio_device *vdev;
	bool weak_barriers;
	void *ring;		/* zeroed */
	bool owned;		/* to be freed with the queue */
	bool (*notify)(struct virtqueue *vq);
	void (*callback)(struct virtqueue *vq);
	const char *name;
};

static bool ring_is_packed(const struct virtio_device *vdev)
{
	return virtio_has_feature(vdev, VIRTIO_F_RING_PACKED);
}

static size_t ring_bytes(bool packed, unsigned int num, unsigned int align)
{
	return packed ? packed_ring_bytes(num) : vring_size(num, align);
}

/* Ring memory for p->num descriptors, or, if allowed, for fewer. */
static void *ring_pages_get(struct ring_params *p, bool may_reduce_num)
{
	bool packed = ring_is_packed(p->vdev);
	void *ring = NULL;

	for (; p->num; p->num /= 2) {
		ring = alloc_pages_exact(ring_bytes(packed, p->num, p->align),
					 GFP_KERNEL | __GFP_ZERO |
					 __GFP_NOWARN);
		if (ring || !may_reduce_num)
			break;
	}
	return ring;
}

static void ring_list_add(struct virtqueue *vq)
{
	struct virtio_device *vdev = vq->vdev;

	spin_lock(&vdev->vqs_list_lock);
	list_add_tail(&vq->list, &vdev->vqs);
	spin_unlock(&vdev->vqs_list_lock);
}

static void ring_list_del(struct virtqueue *vq)
{
	struct virtio_device *vdev = vq->vdev;

	spin_lock(&vdev->vqs_list_lock);
	list_del(&vq->list);
	spin_unlock(&vdev->vqs_list_lock);
}

static u8 ring_make_mode(const struct ring_params *p)
{
	const struct virtio_device *vdev = p->vdev;
	u8 mode = 0;

	if (ring_is_packed(vdev))
		mode |= RING_PACKED;
	if (virtio_has_feature(vdev, VIRTIO_RING_F_INDIRECT_DESC))
		mode |= RING_INDIRECT;
	if (virtio_has_feature(vdev, VIRTIO_RING_F_EVENT_IDX))
		mode |= RING_EVENT;
	if (p->weak_barriers)
		mode |= RING_WEAK;
	if (p->owned)
		mode |= RING_OWNED;
	return mode;
}

/* A queue of no format yet; NULL if memory is short. */
static struct ring_queue *ring_alloc(const struct ring_params *p)
{
	struct ring_queue *q = kzalloc(RING_QUEUE_BYTES, GFP_KERNEL);
	unsigned int i;

	if (!q)
		return NULL;
	q->state = kcalloc(p->num, sizeof(*q->state), GFP_KERNEL);
	if (!q->state) {
		kfree(q);
		return NULL;
	}
	for (i = 0; i < p->num; i++)
		q->state[i].next = i + 1;
	q->vq.callback = p->callback;
	q->vq.name = p->name;
	q->vq.vdev = p->vdev;
	q->vq.index = p->index;
	q->vq.num_max = p->num;
	q->vq.num_free = p->num;
	q->notify = p->notify;
	q->ring = p->ring;
	q->num = p->num;
	q->align_shift = ilog2(p->align);
	q->mode = ring_make_mode(p);
	return q;
}

static struct virtqueue *ring_create(const struct ring_params *p)
{
	struct ring_queue *q = ring_alloc(p);

	if (!q)
		return NULL;
	if (q->mode & RING_PACKED)
		packed_init(q);
	else
		split_init(q);
	if (!p->callback)
		virtqueue_disable_cb(&q->vq);
	ring_list_add(&q->vq);
	return &q->vq;
}

/* Split rings have a power of two, 2.7; packed ones need not, 2.8. */
static bool ring_num_ok(const struct ring_params *p)
{
	return p->num && p->num <= RING_NUM_MAX &&
	       (is_power_of_2(p->num) || ring_is_packed(p->vdev));
}

struct virtqueue *vring_new_virtqueue(unsigned int index, unsigned int num,
				      unsigned int vring_align,
				      struct virtio_device *vdev,
				      bool weak_barriers, bool context,
				      void *pages,
				      bool (*notify)(struct virtqueue *vq),
				      void (*callback)(struct virtqueue *vq),
				      const char *name)
{
	const struct ring_params p = {
		.index = index,
		.num = num,
		.align = vring_align,
		.vdev = vdev,
		.weak_barriers = weak_barriers,
		.ring = pages,
		.notify = notify,
		.callback = callback,
		.name = name,
	};

	/* A second token costs nothing here, so tables serve it as well */
	(void)context;
	/* Memory that others provide is laid out for a split ring */
	if (ring_is_packed(vdev) || !ring_num_ok(&p))
		return NULL;
	return ring_create(&p);
}
EXPORT_SYMBOL_GPL(vring_new_virtqueue);

struct virtqueue *vring_create_virtqueue(unsigned int index, unsigned int num,
					 unsigned int vring_align,
					 struct virtio_device *vdev,
					 bool weak_barriers,
					 bool may_reduce_num, bool context,
					 bool (*notify)(struct virtqueue *vq),
					 void (*callback)(struct virtqueue *vq),
					 const char *name)
{
	struct ring_params p = {
		.index = index,
		.num = num,
		.align = vring_align,
		.vdev = vdev,
		.weak_barriers = weak_barriers,
		.owned = true,
		.notify = notify,
		.callback = callback,
		.name = name,
	};
	struct virtqueue *vq;

	(void)context;
	if (!ring_num_ok(&p))
		return NULL;
	p.ring = ring_pages_get(&p, may_reduce_num);
	if (!p.ring)
		return NULL;
	vq = ring_create(&p);
	if (!vq)
		free_pages_exact(p.ring, ring_bytes(ring_is_packed(vdev),
						    p.num, p.align));
	return vq;
}
EXPORT_SYMBOL_GPL(vring_create_virtqueue);

void vring_del_virtqueue(struct virtqueue *vq)
{
	struct ring_queue *q = to_ring(vq);

	ring_list_del(vq);
	if (q->mode & RING_OWNED)
		free_pages_exact(q->ring, ring_bytes(q->mode & RING_PACKED,
						     q->num,
						     1u << q->align_shift));
	kfree(q->state);
	kfree(q);
}
EXPORT_SYMBOL_GPL(vring_del_virtqueue);

/*
 * Of the bits that concern queues only these are ours: no in-order use, no
 * address translation.
 */
void vring_transport_features(struct virtio_device *vdev)
{
	const u64 ring_bits = (1ULL << VIRTIO_TRANSPORT_F_END) -
			      (1ULL << VIRTIO_TRANSPORT_F_START);
	const u64 known = 1ULL << VIRTIO_RING_F_INDIRECT_DESC |
			  1ULL << VIRTIO_RING_F_EVENT_IDX |
			  1ULL << VIRTIO_F_VERSION_1 |
			  1ULL << VIRTIO_F_RING_PACKED |
			  1ULL << VIRTIO_F_ORDER_PLATFORM |
			  1ULL << VIRTIO_F_NOTIFICATION_DATA;

	vdev->features &= ~ring_bits | known;
}
EXPORT_SYMBOL_GPL(vring_transport_features);

/* Submission. */

static unsigned int ring_count(struct scatterlist *sgs[], unsigned int lists)
{
	unsigned int i, nr = 0;
	struct scatterlist *sg;

	for (i = 0; i < lists; i++)
		for (sg = sgs[i]; sg; sg = sg_next(sg))
			nr++;
	return nr;
}

static int ring_add(struct virtqueue *vq, struct ring_buf buf, gfp_t gfp)
{
	struct ring_queue *q = to_ring(vq);
	u8 mode = ring_mode(q);

	if (unlikely(mode & RING_BROKEN))
		return -EIO;
	return mode & RING_PACKED ? packed_add(q, mode, buf, gfp) :
				    split_add(q, mode, buf, gfp);
}

int virtqueue_add_sgs(struct virtqueue *vq, struct scatterlist *sgs[],
		      unsigned int out_sgs, unsigned int in_sgs,
		      void *data, gfp_t gfp)
{
	const struct ring_buf buf = {
		.sgs = sgs,
		.out_sgs = out_sgs,
		.in_sgs = in_sgs,
		.nr = ring_count(sgs, out_sgs + in_sgs),
		.data = data,
	};

	return ring_add(vq, buf, gfp);
}
EXPORT_SYMBOL_GPL(virtqueue_add_sgs);

int virtqueue_add_outbuf(struct virtqueue *vq, struct scatterlist sg[],
			 unsigned int num, void *data, gfp_t gfp)
{
	const struct ring_buf buf = {
		.sgs = &sg, .out_sgs = 1, .nr = num, .data = data,
	};

	return ring_add(vq, buf, gfp);
}
EXPORT_SYMBOL_GPL(virtqueue_add_outbuf);

int virtqueue_add_inbuf_ctx(struct virtqueue *vq, struct scatterlist sg[],
			    unsigned int num, void *data, void *ctx, gfp_t gfp)
{
	const struct ring_buf buf = {
		.sgs = &sg, .in_sgs = 1, .nr = num, .data = data, .ctx = ctx,
	};

	return ring_add(vq, buf, gfp);
}
EXPORT_SYMBOL_GPL(virtqueue_add_inbuf_ctx);

int virtqueue_add_inbuf(struct virtqueue *vq, struct scatterlist sg[],
			unsigned int num, void *data, gfp_t gfp)
{
	return virtqueue_add_inbuf_ctx(vq, sg, num, data, NULL, gfp);
}
EXPORT_SYMBOL_GPL(virtqueue_add_inbuf);

bool virtqueue_kick_prepare(struct virtqueue *vq)
{
	struct ring_queue *q = to_ring(vq);
	u8 mode = ring_mode(q);

	return mode & RING_PACKED ? packed_kick_prepare(q, mode) :
				    split_kick_prepare(q, mode);
}
EXPORT_SYMBOL_GPL(virtqueue_kick_prepare);

bool virtqueue_notify(struct virtqueue *vq)
{
	struct ring_queue *q = to_ring(vq);

	if (unlikely(ring_mode(q) & RING_BROKEN))
		return false;
	if (unlikely(!q->notify(vq))) {
		ring_break(q);
		return false;
	}
	return true;
}
EXPORT_SYMBOL_GPL(virtqueue_notify);

bool virtqueue_kick(struct virtqueue *vq)
{
	if (virtqueue_kick_prepare(vq))
		return virtqueue_notify(vq);
	return !virtqueue_is_broken(vq);
}
EXPORT_SYMBOL_GPL(virtqueue_kick);

u32 vring_notification_data(struct virtqueue *vq)
{
	const struct ring_queue *q = to_ring(vq);
	u32 next = ring_mode(q) & RING_PACKED ? packed_next_avail(q) :
						split_next_avail(q);

	return next << 16 | vq->index;
}
EXPORT_SYMBOL_GPL(vring_notification_data);

/* Completion. */

void *virtqueue_get_buf_ctx(struct virtqueue *vq, unsigned int *len,
			    void **ctx)
{
	struct ring_queue *q = to_ring(vq);
	u8 mode = ring_mode(q);

	if (unlikely(mode & RING_BROKEN))
		return NULL;
	return mode & RING_PACKED ? packed_get_buf(q, mode, len, ctx) :
				    split_get_buf(q, mode, len, ctx);
}
EXPORT_SYMBOL_GPL(virtqueue_get_buf_ctx);

void *virtqueue_get_buf(struct virtqueue *vq, unsigned int *len)
{
	return virtqueue_get_buf_ctx(vq, len, NULL);
}
EXPORT_SYMBOL_GPL(virtqueue_get_buf);

void virtqueue_disable_cb(struct virtqueue *vq)
{
	struct ring_queue *q = to_ring(vq);
	u8 mode = ring_mode(q);

	if (mode & RING_PACKED)
		packed_disable_cb(q);
	else
		split_disable_cb(q, mode);
}
EXPORT_SYMBOL_GPL(virtqueue_disable_cb);

unsigned int virtqueue_enable_cb_prepare(struct virtqueue *vq)
{
	struct ring_queue *q = to_ring(vq);
	u8 mode = ring_mode(q);

	return mode & RING_PACKED ? packed_enable_cb(q, mode) :
				    split_enable_cb(q, mode);
}
EXPORT_SYMBOL_GPL(virtqueue_enable_cb_prepare);

bool virtqueue_poll(struct virtqueue *vq, unsigned int last_used_idx)
{
	struct ring_queue *q = to_ring(vq);
	u8 mode = ring_mode(q);

	if (unlikely(mode & RING_BROKEN))
		return false;
	return mode & RING_PACKED ? packed_poll(q, mode, last_used_idx) :
				    split_poll(q, mode, last_used_idx);
}
EXPORT_SYMBOL_GPL(virtqueue_poll);

bool virtqueue_enable_cb(struct virtqueue *vq)
{
	return !virtqueue_poll(vq, virtqueue_enable_cb_prepare(vq));
}
EXPORT_SYMBOL_GPL(virtqueue_enable_cb);

bool virtqueue_enable_cb_delayed(struct virtqueue *vq)
{
	struct ring_queue *q = to_ring(vq);
	u8 mode = ring_mode(q);

	return mode & RING_PACKED ? packed_enable_cb_delayed(q, mode) :
				    split_enable_cb_delayed(q, mode);
}
EXPORT_SYMBOL_GPL(virtqueue_enable_cb_delayed);

void *virtqueue_detach_unused_buf(struct virtqueue *vq)
{
	struct ring_queue *q = to_ring(vq);
	unsigned int i;

	for (i = 0; i < q->num; i++)
		if (q->state[i].data)
			return ring_mode(q) & RING_PACKED ?
			       packed_put(q, i, NULL) : split_put(q, i, NULL);
	WARN_ON_ONCE(vq->num_free != q->num);
	return NULL;
}
EXPORT_SYMBOL_GPL(virtqueue_detach_unused_buf);

irqreturn_t vring_interrupt(int irq, void *_vq)
{
	struct ring_queue *q = to_ring(_vq);
	u8 mode = ring_mode(q);

	(void)irq;
	if (!(mode & RING_PACKED ? packed_more_used(q) : split_more_used(q)))
		return IRQ_NONE;
	/* Nothing would be reaped, but the interrupt was this queue's */
	if (unlikely(mode & RING_BROKEN))
		return IRQ_HANDLED;
	if (q->vq.callback)
		q->vq.callback(&q->vq);
	return IRQ_HANDLED;
}
EXPORT_SYMBOL_GPL(vring_interrupt);

/* Breaking. */

bool virtqueue_is_broken(const struct virtqueue *vq)
{
	return ring_mode(to_ring(vq)) & RING_BROKEN;
}
EXPORT_SYMBOL_GPL(virtqueue_is_broken);

void __virtqueue_break(struct virtqueue *vq)
{
	ring_break(to_ring(vq));
}
EXPORT_SYMBOL_GPL(__virtqueue_break);

void __virtqueue_unbreak(struct virtqueue *vq)
{
	struct ring_queue *q = to_ring(vq);

	WRITE_ONCE(q->mode, q->mode & ~RING_BROKEN);
}
EXPORT_SYMBOL_GPL(__virtqueue_unbreak);

void virtio_break_device(struct virtio_device *dev)
{
	struct virtqueue *vq;

	spin_lock(&dev->vqs_list_lock);
	virtio_device_for_each_vq(dev, vq)
		__virtqueue_break(vq);
	spin_unlock(&dev->vqs_list_lock);
}
EXPORT_SYMBOL_GPL(virtio_break_device);

void __virtio_unbreak_device(struct virtio_device *dev)
{
	struct virtqueue *vq;

	spin_lock(&dev->vqs_list_lock);
	virtio_device_for_each_vq(dev, vq)
		__virtqueue_unbreak(vq);
	spin_unlock(&dev->vqs_list_lock);
}
EXPORT_SYMBOL_GPL(__virtio_unbreak_device);

/* Where things are. */

unsigned int virtqueue_get_vring_size(const struct virtqueue *vq)
{
	return to_ring(vq)->num;
}
EXPORT_SYMBOL_GPL(virtqueue_get_vring_size);

/* The split layout; NULL if this queue has the other. */
const struct vring *virtqueue_get_vring(const struct virtqueue *vq)
{
	const struct ring_queue *q = to_ring(vq);

	return ring_mode(q) & RING_PACKED ? NULL : split_vring(q);
}
EXPORT_SYMBOL_GPL(virtqueue_get_vring);

dma_addr_t virtqueue_get_desc_addr(const struct virtqueue *vq)
{
	return virt_to_phys(to_ring(vq)->ring);
}
EXPORT_SYMBOL_GPL(virtqueue_get_desc_addr);

dma_addr_t virtqueue_get_avail_addr(const struct virtqueue *vq)
{
	const struct ring_queue *q = to_ring(vq);

	return virt_to_phys(ring_mode(q) & RING_PACKED ?
			    packed_driver_event(q) :
			    (void *)split_vring(q)->avail);
}
EXPORT_SYMBOL_GPL(virtqueue_get_avail_addr);

dma_addr_t virtqueue_get_used_addr(const struct virtqueue *vq)
{
	const struct ring_queue *q = to_ring(vq);

	return virt_to_phys(ring_mode(q) & RING_PACKED ?
			    packed_device_event(q) :
			    (void *)split_vring(q)->used);
}
EXPORT_SYMBOL_GPL(virtqueue_get_used_addr);

/* Addresses go to the device as they are, so there is nothing to map for. */
struct device *virtqueue_dma_dev(struct virtqueue *vq)
{
	(void)vq;
	return NULL;
}
EXPORT_SYMBOL_GPL(virtqueue_dma_dev);

MODULE_DESCRIPTION("Virtqueues, split and packed, driver side");
MODULE_LICENSE("GPL");
