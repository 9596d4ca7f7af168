// SPDX-License-Identifier: GPL-2.0-only
/*
 * Driver side of the packed virtqueue, virtio 1.2 clause 2.8. It takes the
 * place of virtio_ring.c: same functions, the other layout.
 *
 * In this file a `place` is a descriptor's slot in the ring and, in bit 15,
 * the wrap counter with which it is met: what the specification calls off_wrap.
 */
#include <linux/cache.h>
#include <linux/device.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/scatterlist.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/virtio.h>
#include <linux/virtio_config.h>
#include <linux/virtio_ring.h>

#define PACKED_NUM_MAX	32768		/* 2.8 */
#define PACKED_WRAP	(1u << VRING_PACKED_EVENT_F_WRAP_CTR)
#define PACKED_AVAIL	(1u << VRING_PACKED_DESC_F_AVAIL)
#define PACKED_USED	(1u << VRING_PACKED_DESC_F_USED)

/* An event suppression structure as one: off_wrap, then flags. */
typedef __le32 __attribute__((may_alias)) packed_event_t;

#define PACKED_EVENT(flags, place) ((u32)(flags) << 16 | (place))
#define PACKED_EVENT_FLAGS(event) ((event) >> 16 & 3)

/*
 * What the driver knows of buffer id i. Nothing here is read from memory that
 * the device can write.
 */
struct packed_state {
	void *data;		/* buffers in flight, else NULL */
	void *ctx;
	struct vring_packed_desc *table; /* indirect table, or NULL */
	u16 next;		/* in the free list */
	u16 nr;			/* descriptors in the ring */
};

static_assert(sizeof(struct packed_state) == 32, "two in a cache line");

/*
 * There are as many ids as descriptors and a buffer takes at least one of
 * either, so where descriptors are free, an id is.
 */
struct packed_queue {
	struct virtqueue vq;

	/* Set up once */
	struct vring_packed_desc *desc ____cacheline_aligned;
	packed_event_t *driver_event;	/* ours to write */
	packed_event_t *device_event;	/* the device's */
	struct packed_state *state;
	bool (*notify)(struct virtqueue *vq);
	u32 num;
	bool weak_barriers;
	bool indirect;		/* VIRTIO_F_INDIRECT_DESC */
	bool event;		/* VIRTIO_F_EVENT_IDX */
	bool broken;		/* at most once, in the end */

	/* Written by submission */
	u16 avail ____cacheline_aligned;	/* next place made available */
	u32 num_added;		/* descriptors since the last kick_prepare */

	/* Written by completion, the list by both */
	u16 used ____cacheline_aligned;	/* next place to reap */
	u16 free_id;
	u32 armed;		/* *driver_event */
	bool cb_enabled;
};

static_assert(sizeof(struct virtqueue) == L1_CACHE_BYTES, "public line");
static_assert(sizeof(struct packed_queue) == 4 * L1_CACHE_BYTES,
	      "a power of two, aligned by kmalloc()");

static struct packed_queue *to_packed(const struct virtqueue *vq)
{
	return (struct packed_queue *)container_of(vq, struct packed_queue,
						   vq);
}

static u16 packed_slot(u16 place)
{
	return place & ~PACKED_WRAP;
}

/* The place @nr, at most the ring's size, after @place (2.8.1). */
static u16 packed_step(const struct packed_queue *q, u16 place, u32 nr)
{
	u32 slot = packed_slot(place) + nr;
	u16 wrap = place & PACKED_WRAP;

	if (slot >= q->num) {
		slot -= q->num;
		wrap ^= PACKED_WRAP;
	}
	return slot | wrap;
}

static void packed_bad_ring(struct packed_queue *q, u16 id, const char *why)
{
	dev_err(&q->vq.vdev->dev, "%s: used descriptor names buffer %u, %s\n",
		q->vq.name ? q->vq.name : "virtqueue", id, why);
	WRITE_ONCE(q->broken, true);
}

/* Both bits are as the wrap counter. */
static bool packed_is_used(u16 flags, u16 place)
{
	u16 bits = flags & (PACKED_AVAIL | PACKED_USED);

	return bits == (place & PACKED_WRAP ? PACKED_AVAIL | PACKED_USED : 0);
}

static bool packed_used_at(const struct packed_queue *q, u16 place)
{
	const struct vring_packed_desc *desc = &q->desc[packed_slot(place)];

	return packed_is_used(le16_to_cpu(READ_ONCE(desc->flags)), place);
}

/* The used place moves in one store: another CPU may be asking. */
static bool packed_more_used(const struct packed_queue *q)
{
	return packed_used_at(q, READ_ONCE(q->used));
}

static unsigned int packed_count(struct scatterlist *sgs[], unsigned int lists)
{
	unsigned int i, nr = 0;
	struct scatterlist *sg;

	for (i = 0; i < lists; i++)
		for (sg = sgs[i]; sg; sg = sg_next(sg))
			nr++;
	return nr;
}

/* One buffer on its way into descriptors. */
struct packed_buf {
	struct scatterlist **sgs;	/* readable lists, then writable */
	unsigned int out_sgs;
	unsigned int in_sgs;
	unsigned int nr;		/* entries of all lists */
	void *data;
	void *ctx;
};

static void packed_desc_set(struct vring_packed_desc *desc, u64 addr_pa,
			    u32 len_bytes, u16 id)
{
	desc->addr = cpu_to_le64(addr_pa);
	desc->len = cpu_to_le32(len_bytes);
	desc->id = cpu_to_le16(id);
}

static u16 packed_avail_bits(u16 place)
{
	return place & PACKED_WRAP ? PACKED_AVAIL : PACKED_USED;
}

/* Fill an indirect table: in order, no flag but WRITE, 2.8.7. */
static void packed_fill_table(struct vring_packed_desc *table,
			      const struct packed_buf *buf)
{
	unsigned int i, idx = 0;
	struct scatterlist *sg;

	for (i = 0; i < buf->out_sgs + buf->in_sgs; i++) {
		u16 write = i < buf->out_sgs ? 0 : VRING_DESC_F_WRITE;

		for (sg = buf->sgs[i]; sg; sg = sg_next(sg), idx++) {
			packed_desc_set(&table[idx], sg_phys(sg), sg->length,
					0);
			table[idx].flags = cpu_to_le16(write);
		}
	}
}

/*
 * Fill descriptors from q->avail on. The flags of the first, which make the
 * chain available, are returned and not written (2.8.6).
 */
static u16 packed_fill_chain(struct packed_queue *q,
			     const struct packed_buf *buf, u16 id)
{
	unsigned int i, nr = 0;
	u16 head_flags = 0, place = q->avail;
	struct scatterlist *sg;

	for (i = 0; i < buf->out_sgs + buf->in_sgs; i++) {
		u16 write = i < buf->out_sgs ? 0 : VRING_DESC_F_WRITE;

		for (sg = buf->sgs[i]; sg; sg = sg_next(sg)) {
			struct vring_packed_desc *desc =
				&q->desc[packed_slot(place)];
			u16 flags = packed_avail_bits(place) | write;

			if (nr + 1 < buf->nr)
				flags |= VRING_DESC_F_NEXT;
			packed_desc_set(desc, sg_phys(sg), sg->length, id);
			if (nr++)
				desc->flags = cpu_to_le16(flags);
			else
				head_flags = flags;
			place = packed_step(q, place, 1);
		}
	}
	return head_flags;
}

static u16 packed_fill(struct packed_queue *q, const struct packed_buf *buf,
		       struct vring_packed_desc *table, u16 id)
{
	if (!table)
		return packed_fill_chain(q, buf, id);
	packed_fill_table(table, buf);
	packed_desc_set(&q->desc[packed_slot(q->avail)], virt_to_phys(table),
			buf->nr * sizeof(*table), id);
	return packed_avail_bits(q->avail) | VRING_DESC_F_INDIRECT;
}

static void packed_place(struct packed_queue *q, const struct packed_buf *buf,
			 struct vring_packed_desc *table)
{
	struct vring_packed_desc *head = &q->desc[packed_slot(q->avail)];
	u16 id = q->free_id;
	struct packed_state *state = &q->state[id];
	u16 head_flags = packed_fill(q, buf, table, id);

	state->data = buf->data;
	state->ctx = buf->ctx;
	state->table = table;
	state->nr = table ? 1 : buf->nr;
	q->free_id = state->next;
	q->vq.num_free -= state->nr;
	q->num_added += state->nr;
	q->avail = packed_step(q, q->avail, state->nr);
	/* The flags say that all of the chain is there: 2.8.21.1 */
	virtio_wmb(q->weak_barriers);
	WRITE_ONCE(head->flags, cpu_to_le16(head_flags));
}

/* The table for @buf, or NULL: then it goes into the ring itself. */
static struct vring_packed_desc *
packed_table_get(const struct packed_queue *q, const struct packed_buf *buf,
		 gfp_t gfp)
{
	if (!q->indirect || buf->nr < 2 || !q->vq.num_free)
		return NULL;
	return kmalloc_array(buf->nr, sizeof(struct vring_packed_desc), gfp);
}

static int packed_add(struct packed_queue *q, const struct packed_buf *buf,
		      gfp_t gfp)
{
	struct vring_packed_desc *table;

	if (unlikely(q->broken))
		return -EIO;
	/* No list longer than the queue: 2.8.17 */
	if (WARN_ON_ONCE(!buf->data || !buf->nr || buf->nr > q->num))
		return -EINVAL;

	table = packed_table_get(q, buf, gfp);
	if ((table ? 1 : buf->nr) > q->vq.num_free)
		return -ENOSPC;

	packed_place(q, buf, table);
	return 0;
}

/* Is @event among the @nr descriptors before @end? More than a ring: yes. */
static bool packed_passed(const struct packed_queue *q, u16 event, u16 end,
			  u32 nr)
{
	u32 back = packed_slot(end) - packed_slot(event);

	if (nr > q->num)
		return true;
	if ((event ^ end) & PACKED_WRAP)
		back += q->num;
	/* Ahead of us it is 0 or, unsigned, very large */
	return back - 1 < nr;
}

static bool packed_kick_prepare(struct packed_queue *q)
{
	u32 nr = q->num_added;
	u32 event;

	if (!nr)
		return false;
	q->num_added = 0;
	/*
	 * The device writes its wish, then looks at the next descriptor; we
	 * the other way round. Both may not miss each other: 2.8.21.3.1
	 */
	virtio_mb(q->weak_barriers);
	event = le32_to_cpu(READ_ONCE(*q->device_event));
	if (PACKED_EVENT_FLAGS(event) == VRING_PACKED_EVENT_FLAG_DESC)
		return packed_passed(q, event, q->avail, nr);
	return PACKED_EVENT_FLAGS(event) != VRING_PACKED_EVENT_FLAG_DISABLE;
}

static void *packed_put(struct packed_queue *q, u16 id, void **ctx)
{
	struct packed_state *state = &q->state[id];
	void *data = state->data;

	if (ctx)
		*ctx = state->ctx;
	state->data = NULL;
	kfree(state->table);
	state->next = q->free_id;
	q->free_id = id;
	q->vq.num_free += state->nr;
	return data;
}

static void packed_set_event(struct packed_queue *q, u32 event)
{
	q->armed = event;
	WRITE_ONCE(*q->driver_event, cpu_to_le32(event));
}

/* Arm for the descriptor at @place; the caller orders what it reads then. */
static void packed_arm(struct packed_queue *q, u16 place)
{
	u32 event = q->event ?
		PACKED_EVENT(VRING_PACKED_EVENT_FLAG_DESC, place) :
		PACKED_EVENT(VRING_PACKED_EVENT_FLAG_ENABLE, 0);

	q->cb_enabled = true;
	if (q->armed != event)
		packed_set_event(q, event);
}

static bool packed_id_ok(struct packed_queue *q, u16 id)
{
	if (unlikely(id >= q->num)) {
		packed_bad_ring(q, id, "beyond the queue size");
		return false;
	}
	if (unlikely(!q->state[id].data)) {
		packed_bad_ring(q, id, "not in flight");
		return false;
	}
	return true;
}

static void *packed_get_buf(struct packed_queue *q, unsigned int *len,
			    void **ctx)
{
	const struct vring_packed_desc *desc = &q->desc[packed_slot(q->used)];
	void *data;
	u16 flags, id;

	if (unlikely(q->broken))
		return NULL;
	flags = le16_to_cpu(READ_ONCE(desc->flags));
	if (!packed_is_used(flags, q->used))
		return NULL;
	/* The device wrote the rest and the buffer, then the flags */
	virtio_rmb(q->weak_barriers);

	id = le16_to_cpu(READ_ONCE(desc->id));
	/* 2.8.4: without WRITE the length means nothing */
	*len = flags & VRING_DESC_F_WRITE ?
	       le32_to_cpu(READ_ONCE(desc->len)) : 0;
	if (!packed_id_ok(q, id))
		return NULL;

	data = packed_put(q, id, ctx);
	WRITE_ONCE(q->used, packed_step(q, q->used, q->state[id].nr));
	if (q->cb_enabled && q->event) {
		packed_arm(q, q->used);
		/* The next call reads flags: one of us two must notice */
		virtio_mb(q->weak_barriers);
	}
	return data;
}

static void packed_disable_cb(struct packed_queue *q)
{
	if (!q->cb_enabled)
		return;
	q->cb_enabled = false;
	packed_set_event(q, PACKED_EVENT(VRING_PACKED_EVENT_FLAG_DISABLE, 0));
}

static bool packed_poll(const struct packed_queue *q, u16 place)
{
	if (unlikely(q->broken))
		return false;
	/*
	 * Arming must be visible before we look: a buffer used in between
	 * is either announced by the device or seen here (2.8.22, note).
	 */
	virtio_mb(q->weak_barriers);
	return packed_used_at(q, place);
}

/*
 * How far the device is can be seen only one used descriptor after the other,
 * so whatever is used already makes the caller come back.
 */
static bool packed_enable_cb_delayed(struct packed_queue *q)
{
	u32 pending = q->num - q->vq.num_free;
	u32 wait_nr = pending - pending / 4;

	packed_arm(q, packed_step(q, q->used, wait_nr ? wait_nr - 1 : 0));
	return !packed_poll(q, q->used);
}

static void *packed_detach_unused(struct packed_queue *q)
{
	unsigned int i;

	for (i = 0; i < q->num; i++)
		if (q->state[i].data)
			return packed_put(q, i, NULL);
	WARN_ON_ONCE(q->vq.num_free != q->num);
	return NULL;
}

/* The ring, then the two event structures, on a cache line each. */
static size_t packed_ring_bytes(u32 num)
{
	return ALIGN(num * sizeof(struct vring_packed_desc), L1_CACHE_BYTES) +
	       2 * L1_CACHE_BYTES;
}

static void packed_lay_out(struct packed_queue *q, void *ring)
{
	char *events = (char *)ring + packed_ring_bytes(q->num) -
		       2 * L1_CACHE_BYTES;

	q->desc = ring;
	q->driver_event = (packed_event_t *)events;
	q->device_event = (packed_event_t *)(events + L1_CACHE_BYTES);
}

static void *packed_ring_alloc(unsigned int *num, bool may_reduce_num)
{
	void *ring = NULL;

	for (; *num; *num /= 2) {
		ring = alloc_pages_exact(packed_ring_bytes(*num),
					 GFP_KERNEL | __GFP_ZERO |
					 __GFP_NOWARN);
		if (ring || !may_reduce_num)
			break;
	}
	return ring;
}

static void packed_init_ids(struct packed_queue *q)
{
	unsigned int i;

	for (i = 0; i < q->num; i++)
		q->state[i].next = i + 1;
	q->free_id = 0;
	q->vq.num_free = q->num;
	q->avail = PACKED_WRAP;
	q->used = PACKED_WRAP;
}

/* A queue without ring memory; NULL if memory is short. */
static struct packed_queue *packed_alloc(unsigned int num)
{
	struct packed_queue *q = kzalloc(sizeof(*q), GFP_KERNEL);

	if (!q)
		return NULL;
	q->state = kcalloc(num, sizeof(*q->state), GFP_KERNEL);
	if (!q->state) {
		kfree(q);
		return NULL;
	}
	q->num = num;
	packed_init_ids(q);
	return q;
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

static bool packed_can(const struct virtio_device *vdev, unsigned int num)
{
	if (!virtio_has_feature(vdev, VIRTIO_F_RING_PACKED)) {
		dev_err(&vdev->dev, "no packed rings offered\n");
		return false;
	}
	return num && num <= PACKED_NUM_MAX;
}

struct virtqueue *vring_create_virtqueue(unsigned int index, unsigned int num,
					 unsigned int vring_align,
					 struct virtio_device *vdev,
					 bool weak_barriers,
					 bool may_reduce_num, bool context,
					 bool (*notify)(struct virtqueue *vq),
					 void (*callback)(struct virtqueue *vq),
					 const char *name)
{
	struct packed_queue *q;
	void *ring;

	/* There is no used ring to align; a second token costs nothing */
	(void)vring_align;
	(void)context;
	if (!packed_can(vdev, num))
		return NULL;
	ring = packed_ring_alloc(&num, may_reduce_num);
	if (!ring)
		return NULL;
	q = packed_alloc(num);
	if (!q) {
		free_pages_exact(ring, packed_ring_bytes(num));
		return NULL;
	}
	packed_lay_out(q, ring);

	q->vq.callback = callback;
	q->vq.name = name;
	q->vq.vdev = vdev;
	q->vq.index = index;
	q->vq.num_max = num;
	q->notify = notify;
	q->weak_barriers = weak_barriers;
	q->indirect = virtio_has_feature(vdev, VIRTIO_RING_F_INDIRECT_DESC);
	q->event = virtio_has_feature(vdev, VIRTIO_RING_F_EVENT_IDX);
	q->cb_enabled = true;	/* what zeroed ring memory says */
	if (!callback)
		packed_disable_cb(q);
	vq_list_add(&q->vq);
	return &q->vq;
}
EXPORT_SYMBOL_GPL(vring_create_virtqueue);

/* Memory laid out for a split ring is of no use here. */
struct virtqueue *vring_new_virtqueue(unsigned int index, unsigned int num,
				      unsigned int vring_align,
				      struct virtio_device *vdev,
				      bool weak_barriers, bool context,
				      void *pages,
				      bool (*notify)(struct virtqueue *vq),
				      void (*callback)(struct virtqueue *vq),
				      const char *name)
{
	return NULL;
}
EXPORT_SYMBOL_GPL(vring_new_virtqueue);

void vring_del_virtqueue(struct virtqueue *vq)
{
	struct packed_queue *q = to_packed(vq);

	vq_list_del(vq);
	free_pages_exact(q->desc, packed_ring_bytes(q->num));
	kfree(q->state);
	kfree(q);
}
EXPORT_SYMBOL_GPL(vring_del_virtqueue);

/* Of the bits that concern queues only these are ours. */
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

int virtqueue_add_sgs(struct virtqueue *vq, struct scatterlist *sgs[],
		      unsigned int out_sgs, unsigned int in_sgs,
		      void *data, gfp_t gfp)
{
	const struct packed_buf buf = {
		.sgs = sgs,
		.out_sgs = out_sgs,
		.in_sgs = in_sgs,
		.nr = packed_count(sgs, out_sgs + in_sgs),
		.data = data,
	};

	return packed_add(to_packed(vq), &buf, gfp);
}
EXPORT_SYMBOL_GPL(virtqueue_add_sgs);

int virtqueue_add_outbuf(struct virtqueue *vq, struct scatterlist sg[],
			 unsigned int num, void *data, gfp_t gfp)
{
	const struct packed_buf buf = {
		.sgs = &sg, .out_sgs = 1, .nr = num, .data = data,
	};

	return packed_add(to_packed(vq), &buf, gfp);
}
EXPORT_SYMBOL_GPL(virtqueue_add_outbuf);

int virtqueue_add_inbuf_ctx(struct virtqueue *vq, struct scatterlist sg[],
			    unsigned int num, void *data, void *ctx, gfp_t gfp)
{
	const struct packed_buf buf = {
		.sgs = &sg, .in_sgs = 1, .nr = num, .data = data, .ctx = ctx,
	};

	return packed_add(to_packed(vq), &buf, gfp);
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
	return packed_kick_prepare(to_packed(vq));
}
EXPORT_SYMBOL_GPL(virtqueue_kick_prepare);

bool virtqueue_notify(struct virtqueue *vq)
{
	struct packed_queue *q = to_packed(vq);

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
	return packed_get_buf(to_packed(vq), len, ctx);
}
EXPORT_SYMBOL_GPL(virtqueue_get_buf_ctx);

void *virtqueue_get_buf(struct virtqueue *vq, unsigned int *len)
{
	return packed_get_buf(to_packed(vq), len, NULL);
}
EXPORT_SYMBOL_GPL(virtqueue_get_buf);

void virtqueue_disable_cb(struct virtqueue *vq)
{
	packed_disable_cb(to_packed(vq));
}
EXPORT_SYMBOL_GPL(virtqueue_disable_cb);

unsigned int virtqueue_enable_cb_prepare(struct virtqueue *vq)
{
	struct packed_queue *q = to_packed(vq);

	packed_arm(q, q->used);
	return q->used;
}
EXPORT_SYMBOL_GPL(virtqueue_enable_cb_prepare);

bool virtqueue_poll(struct virtqueue *vq, unsigned int last_used_idx)
{
	return packed_poll(to_packed(vq), last_used_idx);
}
EXPORT_SYMBOL_GPL(virtqueue_poll);

bool virtqueue_enable_cb(struct virtqueue *vq)
{
	return !virtqueue_poll(vq, virtqueue_enable_cb_prepare(vq));
}
EXPORT_SYMBOL_GPL(virtqueue_enable_cb);

bool virtqueue_enable_cb_delayed(struct virtqueue *vq)
{
	return packed_enable_cb_delayed(to_packed(vq));
}
EXPORT_SYMBOL_GPL(virtqueue_enable_cb_delayed);

void *virtqueue_detach_unused_buf(struct virtqueue *vq)
{
	return packed_detach_unused(to_packed(vq));
}
EXPORT_SYMBOL_GPL(virtqueue_detach_unused_buf);

irqreturn_t vring_interrupt(int irq, void *_vq)
{
	struct packed_queue *q = to_packed(_vq);

	(void)irq;
	if (!packed_more_used(q))
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
	return (u32)to_packed(vq)->avail << 16 | vq->index;
}
EXPORT_SYMBOL_GPL(vring_notification_data);

bool virtqueue_is_broken(const struct virtqueue *vq)
{
	return READ_ONCE(to_packed(vq)->broken);
}
EXPORT_SYMBOL_GPL(virtqueue_is_broken);

void __virtqueue_break(struct virtqueue *vq)
{
	WRITE_ONCE(to_packed(vq)->broken, true);
}
EXPORT_SYMBOL_GPL(__virtqueue_break);

void __virtqueue_unbreak(struct virtqueue *vq)
{
	WRITE_ONCE(to_packed(vq)->broken, false);
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
	return to_packed(vq)->num;
}
EXPORT_SYMBOL_GPL(virtqueue_get_vring_size);

/* The split layout, which this is not. */
const struct vring *virtqueue_get_vring(const struct virtqueue *vq)
{
	(void)vq;
	return NULL;
}
EXPORT_SYMBOL_GPL(virtqueue_get_vring);

dma_addr_t virtqueue_get_desc_addr(const struct virtqueue *vq)
{
	return virt_to_phys(to_packed(vq)->desc);
}
EXPORT_SYMBOL_GPL(virtqueue_get_desc_addr);

dma_addr_t virtqueue_get_avail_addr(const struct virtqueue *vq)
{
	return virt_to_phys(to_packed(vq)->driver_event);
}
EXPORT_SYMBOL_GPL(virtqueue_get_avail_addr);

dma_addr_t virtqueue_get_used_addr(const struct virtqueue *vq)
{
	return virt_to_phys(to_packed(vq)->device_event);
}
EXPORT_SYMBOL_GPL(virtqueue_get_used_addr);

/* Addresses go to the device as they are, so there is nothing to map for. */
struct device *virtqueue_dma_dev(struct virtqueue *vq)
{
	(void)vq;
	return NULL;
}
EXPORT_SYMBOL_GPL(virtqueue_dma_dev);

MODULE_DESCRIPTION("Packed virtqueue, driver side");
MODULE_LICENSE("GPL");
