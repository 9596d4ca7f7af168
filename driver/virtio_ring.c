// SPDX-License-Identifier: GPL-2.0-only
/*
 * Driver side of the split virtqueue, virtio 1.2 clause 2.7.
 *
 * The split_* functions know the layout; the exported ones at the end only
 * pass on to them and are what a packed layout would share.
 *
 * In this file `seq` is a free-running 16-bit index as it stands in a ring,
 * `slot` is where that falls in the ring.
 */
#include <linux/cache.h>
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

#define SPLIT_NUM_MAX	32768		/* 2.7 */

/*
 * What the driver knows of descriptor i. Nothing here is read from memory
 * that the device can write, so a mad device cannot lead us astray.
 */
struct split_desc_state {
	void *data;		/* heads of chains in flight, else NULL */
	void *ctx;
	struct vring_desc *table; /* indirect table, or NULL */
	u16 next;		/* in the free list; a chain keeps its links */
	u16 last;		/* heads: end of the chain */
	u16 nr;			/* heads: descriptors in the chain */
};

static_assert(sizeof(struct split_desc_state) == 32, "two in a cache line");

/*
 * Submission and completion often run on different CPUs, one after the other
 * under the driver's lock, so what only one of them writes has a line to
 * itself. That is why the free list is first in, first out: submission takes
 * at the head, completion appends a whole chain at the tail. Only
 * vq.num_free is written by both, and the head if the list had run empty.
 *
 * Invariant between calls: num_free descriptors are linked from free_head to
 * free_tail; all others belong to a chain whose head has data.
 */
struct split_queue {
	struct virtqueue vq;

	/* Set up once */
	struct vring vring ____cacheline_aligned;
	struct split_desc_state *state;
	bool (*notify)(struct virtqueue *vq);
	u32 ring_bytes;		/* of ring memory to free; 0: not ours */
	bool weak_barriers;
	bool indirect;		/* VIRTIO_F_INDIRECT_DESC */
	bool event;		/* VIRTIO_F_EVENT_IDX */
	bool broken;		/* at most once, in the end */

	/* Written by submission */
	u16 avail_seq ____cacheline_aligned;	/* next entry made available */
	u16 num_added;		/* since the last kick_prepare */
	u16 free_head;

	/* Written by completion */
	u16 last_used_seq ____cacheline_aligned; /* next entry to reap */
	u16 free_tail;
	u16 used_event;		/* as the device sees it */
	u16 avail_flags;	/* as the device sees them */
	bool cb_enabled;
};

static_assert(sizeof(struct virtqueue) == L1_CACHE_BYTES, "public line");
static_assert(offsetof(struct split_queue, avail_seq) == 2 * L1_CACHE_BYTES,
	      "constants fill one line");
static_assert(offsetof(struct split_queue, last_used_seq) ==
	      3 * L1_CACHE_BYTES, "submission has a line to itself");
/* kmalloc() aligns sizes that are a power of two to themselves. */
static_assert(sizeof(struct split_queue) == 4 * L1_CACHE_BYTES,
	      "a power of two");

static struct split_queue *to_split(const struct virtqueue *vq)
{
	return (struct split_queue *)container_of(vq, struct split_queue, vq);
}

static void split_bad_ring(struct split_queue *q, u32 id, const char *why)
{
	dev_err(&q->vq.vdev->dev, "%s: used ring names descriptor %u, %s\n",
		q->vq.name ? q->vq.name : "virtqueue", id, why);
	WRITE_ONCE(q->broken, true);
}

static u16 split_used_seq(const struct split_queue *q)
{
	return virtio16_to_cpu(q->vq.vdev, READ_ONCE(q->vring.used->idx));
}

static bool split_more_used(const struct split_queue *q)
{
	/* vring_interrupt() asks while another CPU may be reaping */
	return READ_ONCE(q->last_used_seq) != split_used_seq(q);
}

static unsigned int split_count(struct scatterlist *sgs[], unsigned int lists)
{
	unsigned int i, nr = 0;
	struct scatterlist *sg;

	for (i = 0; i < lists; i++)
		for (sg = sgs[i]; sg; sg = sg_next(sg))
			nr++;
	return nr;
}

static void split_desc_set(const struct split_queue *q,
			   struct vring_desc *desc, u64 addr_pa, u32 len_bytes,
			   u16 flags, u16 next)
{
	const struct virtio_device *vdev = q->vq.vdev;

	desc->addr = cpu_to_virtio64(vdev, addr_pa);
	desc->len = cpu_to_virtio32(vdev, len_bytes);
	desc->flags = cpu_to_virtio16(vdev, flags);
	desc->next = cpu_to_virtio16(vdev, next);
}

/* One buffer on its way into descriptors. */
struct split_buf {
	struct scatterlist **sgs;	/* readable lists, then writable */
	unsigned int out_sgs;
	unsigned int in_sgs;
	unsigned int nr;		/* entries of all lists */
	void *data;
	void *ctx;
};

/* Fill an indirect table: index order, 2.7.5.3. */
static void split_fill_table(const struct split_queue *q,
			     struct vring_desc *table,
			     const struct split_buf *buf)
{
	unsigned int i, idx = 0;
	struct scatterlist *sg;

	for (i = 0; i < buf->out_sgs + buf->in_sgs; i++) {
		u16 write = i < buf->out_sgs ? 0 : VRING_DESC_F_WRITE;

		for (sg = buf->sgs[i]; sg; sg = sg_next(sg), idx++) {
			bool more = idx + 1 < buf->nr;

			split_desc_set(q, &table[idx], sg_phys(sg), sg->length,
				       write | (more ? VRING_DESC_F_NEXT : 0),
				       more ? idx + 1 : 0);
		}
	}
}

/*
 * Fill descriptors in the order of the free list, 2.7.13.1. The list's links
 * become the chain's and stay in place. Returns the descriptor after the
 * chain, *last the last one in it.
 */
static u16 split_fill_chain(const struct split_queue *q,
			    const struct split_buf *buf, u16 *last)
{
	unsigned int i, left = buf->nr;
	u16 idx = q->free_head;
	struct scatterlist *sg;

	for (i = 0; i < buf->out_sgs + buf->in_sgs; i++) {
		u16 write = i < buf->out_sgs ? 0 : VRING_DESC_F_WRITE;

		for (sg = buf->sgs[i]; sg; sg = sg_next(sg)) {
			u16 next = q->state[idx].next;
			u16 more = --left ? VRING_DESC_F_NEXT : 0;

			split_desc_set(q, &q->vring.desc[idx], sg_phys(sg),
				       sg->length, write | more,
				       more ? next : 0);
			*last = idx;
			idx = next;
		}
	}
	return idx;
}

/* Take the descriptors of @buf off the free list. Returns the head. */
static u16 split_take(struct split_queue *q, const struct split_buf *buf,
		      struct vring_desc *table)
{
	u16 head = q->free_head;
	struct split_desc_state *state = &q->state[head];
	u16 last = head, next;

	if (table) {
		split_fill_table(q, table, buf);
		split_desc_set(q, &q->vring.desc[head], virt_to_phys(table),
			       buf->nr * sizeof(*table),
			       VRING_DESC_F_INDIRECT, 0);
		next = state->next;
	} else {
		next = split_fill_chain(q, buf, &last);
	}
	state->data = buf->data;
	state->ctx = buf->ctx;
	state->table = table;
	state->last = last;
	state->nr = table ? 1 : buf->nr;
	q->free_head = next;
	q->vq.num_free -= state->nr;
	return head;
}

/* Let the device see the chain, 2.7.13.2 and 2.7.13.3. */
static void split_publish(struct split_queue *q, u16 head)
{
	struct vring_avail *avail = q->vring.avail;
	const struct virtio_device *vdev = q->vq.vdev;
	u16 slot = q->avail_seq & (q->vring.num - 1);

	avail->ring[slot] = cpu_to_virtio16(vdev, head);
	/* The index says that all of the chain is there: 2.7.13.3.1 */
	virtio_wmb(q->weak_barriers);
	q->avail_seq++;
	WRITE_ONCE(avail->idx, cpu_to_virtio16(vdev, q->avail_seq));
	q->num_added++;
}

/*
 * The table for @buf, or NULL: then the buffer goes into the ring's own
 * descriptors, as it does if memory is short.
 */
static struct vring_desc *split_table_get(const struct split_queue *q,
					  const struct split_buf *buf,
					  gfp_t gfp)
{
	if (!q->indirect || buf->nr < 2 || !q->vq.num_free)
		return NULL;
	return kmalloc_array(buf->nr, sizeof(struct vring_desc), gfp);
}

static int split_add(struct split_queue *q, const struct split_buf *buf,
		     gfp_t gfp)
{
	struct vring_desc *table;

	if (unlikely(q->broken))
		return -EIO;
	/* No chain longer than the queue, not even in a table: 2.7.5.3.1 */
	if (WARN_ON_ONCE(!buf->data || !buf->nr || buf->nr > q->vring.num))
		return -EINVAL;

	table = split_table_get(q, buf, gfp);
	if ((table ? 1 : buf->nr) > q->vq.num_free)
		return -ENOSPC;

	split_publish(q, split_take(q, buf, table));
	/* Before 65536 since the last kick look like none at all */
	if (unlikely(q->num_added == U16_MAX))
		virtqueue_kick(&q->vq);
	return 0;
}

static bool split_kick_prepare(struct split_queue *q)
{
	const struct virtio_device *vdev = q->vq.vdev;
	u16 seq = q->avail_seq, old_seq = seq - q->num_added;
	u16 raw;

	if (seq == old_seq)
		return false;
	q->num_added = 0;
	/*
	 * Our index must be visible before we look whether the device sleeps;
	 * it writes its wish, then looks at our index. Both sides may not
	 * miss each other: 2.7.13.4.1
	 */
	virtio_mb(q->weak_barriers);
	if (q->event) {
		raw = READ_ONCE(vring_avail_event(&q->vring));
		return vring_need_event(virtio16_to_cpu(vdev, raw), seq,
					old_seq);
	}
	raw = READ_ONCE(q->vring.used->flags);
	return !(virtio16_to_cpu(vdev, raw) & VRING_USED_F_NO_NOTIFY);
}

/* Give back the chain at @head; splices, walks nothing. */
static void *split_put(struct split_queue *q, u16 head, void **ctx)
{
	struct split_desc_state *state = &q->state[head];
	void *data = state->data;

	if (ctx)
		*ctx = state->ctx;
	state->data = NULL;
	kfree(state->table);

	if (q->vq.num_free)
		q->state[q->free_tail].next = head;
	else
		q->free_head = head;
	q->free_tail = state->last;
	q->vq.num_free += state->nr;
	return data;
}

static void split_set_used_event(struct split_queue *q, u16 seq)
{
	q->used_event = seq;
	WRITE_ONCE(vring_used_event(&q->vring),
		   cpu_to_virtio16(q->vq.vdev, seq));
}

static void split_set_avail_flags(struct split_queue *q, u16 flags)
{
	q->avail_flags = flags;
	WRITE_ONCE(q->vring.avail->flags, cpu_to_virtio16(q->vq.vdev, flags));
}

static bool split_id_ok(struct split_queue *q, u32 id)
{
	if (unlikely(id >= q->vring.num)) {
		split_bad_ring(q, id, "beyond the table");
		return false;
	}
	if (unlikely(!q->state[id].data)) {
		split_bad_ring(q, id, "not the head of a chain in flight");
		return false;
	}
	return true;
}

static void *split_get_buf(struct split_queue *q, unsigned int *len,
			   void **ctx)
{
	const struct virtio_device *vdev = q->vq.vdev;
	const struct vring_used_elem *elem;
	void *data;
	u32 id;

	if (unlikely(q->broken) || !split_more_used(q))
		return NULL;
	/* The device wrote the entry and the buffer, then the index: 2.7.8.2 */
	virtio_rmb(q->weak_barriers);

	elem = &q->vring.used->ring[q->last_used_seq & (q->vring.num - 1)];
	id = virtio32_to_cpu(vdev, READ_ONCE(elem->id));
	*len = virtio32_to_cpu(vdev, READ_ONCE(elem->len));
	if (!split_id_ok(q, id))
		return NULL;

	data = split_put(q, id, ctx);
	WRITE_ONCE(q->last_used_seq, q->last_used_seq + 1);
	if (q->cb_enabled && q->event) {
		split_set_used_event(q, q->last_used_seq);
		/* The next call reads the index: one of us two must notice */
		virtio_mb(q->weak_barriers);
	}
	return data;
}

static void split_disable_cb(struct split_queue *q)
{
	if (!q->cb_enabled)
		return;
	q->cb_enabled = false;
	if (!q->event) {
		split_set_avail_flags(q, VRING_AVAIL_F_NO_INTERRUPT);
		return;
	}
	/*
	 * With event indexes flags must stay 0 (2.7.7.1). If the device has
	 * passed the event, as it has when an interrupt brings us here, it
	 * will not interrupt again for 65536 buffers, and its copy of the
	 * line is left alone. Else put the event just out of its reach.
	 */
	if ((s16)(split_used_seq(q) - q->used_event) <= 0)
		split_set_used_event(q, q->last_used_seq - 1);
}

/* Arm for entry @seq. The caller orders this before reading used->idx. */
static void split_arm(struct split_queue *q, u16 seq)
{
	q->cb_enabled = true;
	if (q->event) {
		if (q->used_event != seq)
			split_set_used_event(q, seq);
	} else if (q->avail_flags) {
		split_set_avail_flags(q, 0);
	}
}

static bool split_poll(const struct split_queue *q, u16 last_used_seq)
{
	if (unlikely(q->broken))
		return false;
	/*
	 * Arming must be visible before we look: a buffer used in between
	 * is either announced by the device or seen here (2.7.14, note).
	 */
	virtio_mb(q->weak_barriers);
	return last_used_seq != split_used_seq(q);
}

static bool split_enable_cb_delayed(struct split_queue *q)
{
	u16 pending = q->avail_seq - q->last_used_seq;
	u16 wait_nr = pending - pending / 4;

	/* Entry seq + n is written when n + 1 are used */
	split_arm(q, q->last_used_seq + (wait_nr ? wait_nr - 1 : 0));
	virtio_mb(q->weak_barriers);		/* as in split_poll() */
	if (!q->event)
		return !split_more_used(q);
	return !wait_nr ||
	       (u16)(split_used_seq(q) - q->last_used_seq) < wait_nr;
}

static void *split_detach_unused(struct split_queue *q)
{
	unsigned int i;

	for (i = 0; i < q->vring.num; i++)
		if (q->state[i].data)
			return split_put(q, i, NULL);
	WARN_ON_ONCE(q->vq.num_free != q->vring.num);
	return NULL;
}

static void split_init_free_list(struct split_queue *q)
{
	unsigned int i;

	for (i = 0; i < q->vring.num; i++)
		q->state[i].next = i + 1;
	q->free_head = 0;
	q->free_tail = q->vring.num - 1;
	q->vq.num_free = q->vring.num;
}

/* A queue without ring memory; NULL if memory is short. */
static struct split_queue *split_alloc(unsigned int num)
{
	struct split_queue *q = kzalloc(sizeof(*q), GFP_KERNEL);

	if (!q)
		return NULL;
	q->state = kcalloc(num, sizeof(*q->state), GFP_KERNEL);
	if (!q->state) {
		kfree(q);
		return NULL;
	}
	return q;
}

/* Ring memory for *num entries, or, if allowed, for fewer. */
static void *split_ring_alloc(unsigned int *num, unsigned int align,
			      bool may_reduce_num)
{
	void *ring = NULL;

	for (; *num; *num /= 2) {
		ring = alloc_pages_exact(vring_size(*num, align),
					 GFP_KERNEL | __GFP_ZERO |
					 __GFP_NOWARN);
		if (ring || !may_reduce_num)
			break;
	}
	return ring;
}

static void vq_list_add(struct virtqueue *vq)
{
	struct virtio_device *vdev = vq->vdev;

	spin_lock(&vdev->vqs_list_lock);
	list_add_tail(&vq->list, &vdev->vqs);
	spin_unlock(&vdev->vqs_list_lock);
}

static void vq_list_del(struct virtqueue *vq)
{
	struct virtio_device *vdev = vq->vdev;

	spin_lock(&vdev->vqs_list_lock);
	list_del(&vq->list);
	spin_unlock(&vdev->vqs_list_lock);
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
	struct split_queue *q;

	if (!is_power_of_2(num) || num > SPLIT_NUM_MAX)
		return NULL;
	q = split_alloc(num);
	if (!q)
		return NULL;

	q->vq.callback = callback;
	q->vq.name = name;
	q->vq.vdev = vdev;
	q->vq.index = index;
	q->vq.num_max = num;
	vring_init(&q->vring, num, pages, vring_align);
	q->notify = notify;
	q->weak_barriers = weak_barriers;
	/* A second token costs nothing here, so tables serve it as well */
	(void)context;
	q->indirect = virtio_has_feature(vdev, VIRTIO_RING_F_INDIRECT_DESC);
	q->event = virtio_has_feature(vdev, VIRTIO_RING_F_EVENT_IDX);
	split_init_free_list(q);
	q->cb_enabled = true;	/* what zeroed ring memory says */
	if (!callback)
		split_disable_cb(q);
	vq_list_add(&q->vq);
	return &q->vq;
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
	struct virtqueue *vq;
	void *ring;

	if (!is_power_of_2(num) || num > SPLIT_NUM_MAX)
		return NULL;
	ring = split_ring_alloc(&num, vring_align, may_reduce_num);
	if (!ring)
		return NULL;
	vq = vring_new_virtqueue(index, num, vring_align, vdev, weak_barriers,
				 context, ring, notify, callback, name);
	if (!vq) {
		free_pages_exact(ring, vring_size(num, vring_align));
		return NULL;
	}
	to_split(vq)->ring_bytes = vring_size(num, vring_align);
	return vq;
}
EXPORT_SYMBOL_GPL(vring_create_virtqueue);

void vring_del_virtqueue(struct virtqueue *vq)
{
	struct split_queue *q = to_split(vq);

	vq_list_del(vq);
	if (q->ring_bytes)
		free_pages_exact(q->vring.desc, q->ring_bytes);
	kfree(q->state);
	kfree(q);
}
EXPORT_SYMBOL_GPL(vring_del_virtqueue);

/*
 * Of the bits that concern queues only these are ours: no packed layout, no
 * in-order use, no address translation.
 */
void vring_transport_features(struct virtio_device *vdev)
{
	const u64 ring_bits = (1ULL << VIRTIO_TRANSPORT_F_END) -
			      (1ULL << VIRTIO_TRANSPORT_F_START);
	const u64 known = 1ULL << VIRTIO_RING_F_INDIRECT_DESC |
			  1ULL << VIRTIO_RING_F_EVENT_IDX |
			  1ULL << VIRTIO_F_VERSION_1 |
			  1ULL << VIRTIO_F_ORDER_PLATFORM |
			  1ULL << VIRTIO_F_NOTIFICATION_DATA;

	vdev->features &= ~ring_bits | known;
}
EXPORT_SYMBOL_GPL(vring_transport_features);

int virtqueue_add_sgs(struct virtqueue *vq, struct scatterlist *sgs[],
		      unsigned int out_sgs, unsigned int in_sgs,
		      void *data, gfp_t gfp)
{
	const struct split_buf buf = {
		.sgs = sgs,
		.out_sgs = out_sgs,
		.in_sgs = in_sgs,
		.nr = split_count(sgs, out_sgs + in_sgs),
		.data = data,
	};

	return split_add(to_split(vq), &buf, gfp);
}
EXPORT_SYMBOL_GPL(virtqueue_add_sgs);

int virtqueue_add_outbuf(struct virtqueue *vq, struct scatterlist sg[],
			 unsigned int num, void *data, gfp_t gfp)
{
	const struct split_buf buf = {
		.sgs = &sg, .out_sgs = 1, .nr = num, .data = data,
	};

	return split_add(to_split(vq), &buf, gfp);
}
EXPORT_SYMBOL_GPL(virtqueue_add_outbuf);

int virtqueue_add_inbuf_ctx(struct virtqueue *vq, struct scatterlist sg[],
			    unsigned int num, void *data, void *ctx, gfp_t gfp)
{
	const struct split_buf buf = {
		.sgs = &sg, .in_sgs = 1, .nr = num, .data = data, .ctx = ctx,
	};

	return split_add(to_split(vq), &buf, gfp);
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
	return split_kick_prepare(to_split(vq));
}
EXPORT_SYMBOL_GPL(virtqueue_kick_prepare);

bool virtqueue_notify(struct virtqueue *vq)
{
	struct split_queue *q = to_split(vq);

	if (unlikely(READ_ONCE(q->broken)))
		return false;
	if (unlikely(!q->notify(vq))) {
		WRITE_ONCE(q->broken, true);
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

void *virtqueue_get_buf_ctx(struct virtqueue *vq, unsigned int *len,
			    void **ctx)
{
	return split_get_buf(to_split(vq), len, ctx);
}
EXPORT_SYMBOL_GPL(virtqueue_get_buf_ctx);

void *virtqueue_get_buf(struct virtqueue *vq, unsigned int *len)
{
	return split_get_buf(to_split(vq), len, NULL);
}
EXPORT_SYMBOL_GPL(virtqueue_get_buf);

void virtqueue_disable_cb(struct virtqueue *vq)
{
	split_disable_cb(to_split(vq));
}
EXPORT_SYMBOL_GPL(virtqueue_disable_cb);

unsigned int virtqueue_enable_cb_prepare(struct virtqueue *vq)
{
	struct split_queue *q = to_split(vq);

	split_arm(q, q->last_used_seq);
	return q->last_used_seq;
}
EXPORT_SYMBOL_GPL(virtqueue_enable_cb_prepare);

bool virtqueue_poll(struct virtqueue *vq, unsigned int last_used_idx)
{
	return split_poll(to_split(vq), last_used_idx);
}
EXPORT_SYMBOL_GPL(virtqueue_poll);

bool virtqueue_enable_cb(struct virtqueue *vq)
{
	return !virtqueue_poll(vq, virtqueue_enable_cb_prepare(vq));
}
EXPORT_SYMBOL_GPL(virtqueue_enable_cb);

bool virtqueue_enable_cb_delayed(struct virtqueue *vq)
{
	return split_enable_cb_delayed(to_split(vq));
}
EXPORT_SYMBOL_GPL(virtqueue_enable_cb_delayed);

void *virtqueue_detach_unused_buf(struct virtqueue *vq)
{
	return split_detach_unused(to_split(vq));
}
EXPORT_SYMBOL_GPL(virtqueue_detach_unused_buf);

irqreturn_t vring_interrupt(int irq, void *_vq)
{
	struct split_queue *q = to_split(_vq);

	(void)irq;
	if (!split_more_used(q))
		return IRQ_NONE;
	/* Nothing would be reaped, but the interrupt was this queue's */
	if (unlikely(READ_ONCE(q->broken)))
		return IRQ_HANDLED;
	if (q->vq.callback)
		q->vq.callback(&q->vq);
	return IRQ_HANDLED;
}
EXPORT_SYMBOL_GPL(vring_interrupt);

u32 vring_notification_data(struct virtqueue *vq)
{
	return (u32)to_split(vq)->avail_seq << 16 | vq->index;
}
EXPORT_SYMBOL_GPL(vring_notification_data);

bool virtqueue_is_broken(const struct virtqueue *vq)
{
	return READ_ONCE(to_split(vq)->broken);
}
EXPORT_SYMBOL_GPL(virtqueue_is_broken);

void __virtqueue_break(struct virtqueue *vq)
{
	WRITE_ONCE(to_split(vq)->broken, true);
}
EXPORT_SYMBOL_GPL(__virtqueue_break);

void __virtqueue_unbreak(struct virtqueue *vq)
{
	WRITE_ONCE(to_split(vq)->broken, false);
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

unsigned int virtqueue_get_vring_size(const struct virtqueue *vq)
{
	return to_split(vq)->vring.num;
}
EXPORT_SYMBOL_GPL(virtqueue_get_vring_size);

const struct vring *virtqueue_get_vring(const struct virtqueue *vq)
{
	return &to_split(vq)->vring;
}
EXPORT_SYMBOL_GPL(virtqueue_get_vring);

dma_addr_t virtqueue_get_desc_addr(const struct virtqueue *vq)
{
	return virt_to_phys(to_split(vq)->vring.desc);
}
EXPORT_SYMBOL_GPL(virtqueue_get_desc_addr);

dma_addr_t virtqueue_get_avail_addr(const struct virtqueue *vq)
{
	return virt_to_phys(to_split(vq)->vring.avail);
}
EXPORT_SYMBOL_GPL(virtqueue_get_avail_addr);

dma_addr_t virtqueue_get_used_addr(const struct virtqueue *vq)
{
	return virt_to_phys(to_split(vq)->vring.used);
}
EXPORT_SYMBOL_GPL(virtqueue_get_used_addr);

/* Addresses go to the device as they are, so there is nothing to map for. */
struct device *virtqueue_dma_dev(struct virtqueue *vq)
{
	(void)vq;
	return NULL;
}
EXPORT_SYMBOL_GPL(virtqueue_dma_dev);

MODULE_DESCRIPTION("Split virtqueue, driver side");
MODULE_LICENSE("GPL");
