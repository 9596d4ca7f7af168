// SPDX-License-Identifier: GPL-2.0-only
/*
 * Driver side of the packed virtqueue, virtio 1.2 clause 2.8.
 *
 * In this file a `place` is a descriptor's slot in the ring and, in bit 15,
 * the wrap counter with which it is met: what the specification calls off_wrap.
 */
#include <linux/cache.h>
#include <linux/mm.h>
#include <linux/scatterlist.h>
#include <linux/virtio.h>
#include <linux/virtio_config.h>
#include <linux/virtio_ring.h>

#include "virtio_ring_impl.h"

#define PACKED_WRAP	(1u << VRING_PACKED_EVENT_F_WRAP_CTR)
#define PACKED_AVAIL	(1u << VRING_PACKED_DESC_F_AVAIL)
#define PACKED_USED	(1u << VRING_PACKED_DESC_F_USED)

/* An event suppression structure as one: off_wrap, then flags. */
typedef __le32 __attribute__((may_alias)) packed_event_t;

#define PACKED_EVENT(flags, place) ((u32)(flags) << 16 | (place))
#define PACKED_EVENT_FLAGS(event) ((event) >> 16 & 3)

/*
 * There are as many ids as descriptors and a buffer takes at least one of
 * either, so where descriptors are free, an id is.
 */
struct packed_queue {
	struct ring_queue q;
	struct vring_packed_desc *desc;
	packed_event_t *driver_event;	/* ours to write */
	packed_event_t *device_event;	/* the device's */

	/* Written by submission */
	u16 avail ____cacheline_aligned;	/* next place made available */
	u32 num_added;		/* descriptors since the last kick_prepare */

	/* Written by completion, the list by both */
	u16 used ____cacheline_aligned;	/* next place to reap */
	u16 free_id;
	u32 armed;		/* *driver_event */
	bool cb_enabled;
};

static_assert(offsetof(struct packed_queue, avail) == 2 * L1_CACHE_BYTES,
	      "constants fit in one line");
static_assert(offsetof(struct packed_queue, used) == 3 * L1_CACHE_BYTES,
	      "submission has a line to itself");
static_assert(sizeof(struct packed_queue) == RING_QUEUE_BYTES,
	      "a power of two, aligned by kmalloc()");

static struct packed_queue *to_packed(const struct ring_queue *q)
{
	return (struct packed_queue *)container_of(q, struct packed_queue, q);
}

static u16 packed_slot(u16 place)
{
	return place & ~PACKED_WRAP;
}

/* The place @nr, at most the ring's size, after @place (2.8.1). */
static u16 packed_step(const struct packed_queue *p, u16 place, u32 nr)
{
	u32 slot = packed_slot(place) + nr;
	u16 wrap = place & PACKED_WRAP;

	if (slot >= p->q.num) {
		slot -= p->q.num;
		wrap ^= PACKED_WRAP;
	}
	return slot | wrap;
}

/* Both bits are as the wrap counter. */
static bool packed_is_used(u16 flags, u16 place)
{
	u16 bits = flags & (PACKED_AVAIL | PACKED_USED);

	return bits == (place & PACKED_WRAP ? PACKED_AVAIL | PACKED_USED : 0);
}

static bool packed_used_at(const struct packed_queue *p, u16 place)
{
	const struct vring_packed_desc *desc = &p->desc[packed_slot(place)];

	return packed_is_used(le16_to_cpu(READ_ONCE(desc->flags)), place);
}

/* The used place moves in one store: another CPU may be asking. */
bool packed_more_used(const struct ring_queue *q)
{
	const struct packed_queue *p = to_packed(q);

	return packed_used_at(p, READ_ONCE(p->used));
}

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
			      const struct ring_buf *buf)
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
 * Fill descriptors from p->avail on. The flags of the first, which make the
 * chain available, are returned and not written (2.8.6).
 */
static u16 packed_fill_chain(struct packed_queue *p,
			     const struct ring_buf *buf, u16 id)
{
	unsigned int i, nr = 0;
	u16 head_flags = 0, place = p->avail;
	struct scatterlist *sg;

	for (i = 0; i < buf->out_sgs + buf->in_sgs; i++) {
		u16 write = i < buf->out_sgs ? 0 : VRING_DESC_F_WRITE;

		for (sg = buf->sgs[i]; sg; sg = sg_next(sg)) {
			struct vring_packed_desc *desc =
				&p->desc[packed_slot(place)];
			u16 flags = packed_avail_bits(place) | write;

			if (nr + 1 < buf->nr)
				flags |= VRING_DESC_F_NEXT;
			packed_desc_set(desc, sg_phys(sg), sg->length, id);
			if (nr++)
				desc->flags = cpu_to_le16(flags);
			else
				head_flags = flags;
			place = packed_step(p, place, 1);
		}
	}
	return head_flags;
}

static u16 packed_fill(struct packed_queue *p, const struct ring_buf *buf,
		       struct vring_packed_desc *table, u16 id)
{
	if (!table)
		return packed_fill_chain(p, buf, id);
	packed_fill_table(table, buf);
	packed_desc_set(&p->desc[packed_slot(p->avail)], virt_to_phys(table),
			buf->nr * sizeof(*table), id);
	return packed_avail_bits(p->avail) | VRING_DESC_F_INDIRECT;
}

static void packed_place(struct packed_queue *p, u8 mode,
			 const struct ring_buf *buf,
			 struct vring_packed_desc *table)
{
	struct vring_packed_desc *head = &p->desc[packed_slot(p->avail)];
	u16 id = p->free_id;
	struct ring_state *state = &p->q.state[id];
	u16 head_flags = packed_fill(p, buf, table, id);

	state->data = buf->data;
	state->ctx = buf->ctx;
	state->table = table;
	state->nr = table ? 1 : buf->nr;
	p->free_id = state->next;
	p->q.vq.num_free -= state->nr;
	p->num_added += state->nr;
	p->avail = packed_step(p, p->avail, state->nr);
	/* The flags say that all of the chain is there: 2.8.21.1 */
	virtio_wmb(mode & RING_WEAK);
	WRITE_ONCE(head->flags, cpu_to_le16(head_flags));
}

int packed_add(struct ring_queue *q, u8 mode, struct ring_buf buf, gfp_t gfp)
{
	struct vring_packed_desc *table;

	/* No list longer than the queue: 2.8.17 */
	if (WARN_ON_ONCE(!buf.data || !buf.nr || buf.nr > q->num))
		return -EINVAL;

	table = ring_table_get(q, mode, buf.nr, gfp);
	if ((table ? 1 : buf.nr) > q->vq.num_free)
		return -ENOSPC;

	packed_place(to_packed(q), mode, &buf, table);
	return 0;
}

/* Is @event among the @nr descriptors before @end? More than a ring: yes. */
static bool packed_passed(const struct packed_queue *p, u16 event, u16 end,
			  u32 nr)
{
	u32 back = packed_slot(end) - packed_slot(event);

	if (nr > p->q.num)
		return true;
	if ((event ^ end) & PACKED_WRAP)
		back += p->q.num;
	/* Ahead of us it is 0 or, unsigned, very large */
	return back - 1 < nr;
}

bool packed_kick_prepare(struct ring_queue *q, u8 mode)
{
	struct packed_queue *p = to_packed(q);
	u32 nr = p->num_added;
	u32 event;

	if (!nr)
		return false;
	p->num_added = 0;
	/*
	 * The device writes its wish, then looks at the next descriptor; we
	 * the other way round. Both may not miss each other: 2.8.21.3.1
	 */
	virtio_mb(mode & RING_WEAK);
	event = le32_to_cpu(READ_ONCE(*p->device_event));
	if (PACKED_EVENT_FLAGS(event) == VRING_PACKED_EVENT_FLAG_DESC)
		return packed_passed(p, event, p->avail, nr);
	return PACKED_EVENT_FLAGS(event) != VRING_PACKED_EVENT_FLAG_DISABLE;
}

void *packed_put(struct ring_queue *q, u32 id, void **ctx)
{
	struct packed_queue *p = to_packed(q);
	struct ring_state *state = &q->state[id];
	void *data = ring_state_put(state, ctx);

	state->next = p->free_id;
	p->free_id = id;
	q->vq.num_free += state->nr;
	return data;
}

static void packed_set_event(struct packed_queue *p, u32 event)
{
	p->armed = event;
	WRITE_ONCE(*p->driver_event, cpu_to_le32(event));
}

/* Arm for the descriptor at @place; the caller orders what it reads then. */
static void packed_arm(struct packed_queue *p, u8 mode, u16 place)
{
	u32 event = mode & RING_EVENT ?
		PACKED_EVENT(VRING_PACKED_EVENT_FLAG_DESC, place) :
		PACKED_EVENT(VRING_PACKED_EVENT_FLAG_ENABLE, 0);

	p->cb_enabled = true;
	if (p->armed != event)
		packed_set_event(p, event);
}

void *packed_get_buf(struct ring_queue *q, u8 mode, unsigned int *len,
		     void **ctx)
{
	struct packed_queue *p = to_packed(q);
	const struct vring_packed_desc *desc = &p->desc[packed_slot(p->used)];
	void *data;
	u16 flags, id;

	flags = le16_to_cpu(READ_ONCE(desc->flags));
	if (!packed_is_used(flags, p->used))
		return NULL;
	/* The device wrote the rest and the buffer, then the flags */
	virtio_rmb(mode & RING_WEAK);

	id = le16_to_cpu(READ_ONCE(desc->id));
	/* 2.8.4: without WRITE the length means nothing */
	*len = flags & VRING_DESC_F_WRITE ?
	       le32_to_cpu(READ_ONCE(desc->len)) : 0;
	if (!ring_id_ok(q, id))
		return NULL;

	data = packed_put(q, id, ctx);
	WRITE_ONCE(p->used, packed_step(p, p->used, q->state[id].nr));
	if (p->cb_enabled && mode & RING_EVENT) {
		packed_arm(p, mode, p->used);
		/* The next call reads flags: one of us two must notice */
		virtio_mb(mode & RING_WEAK);
	}
	return data;
}

void packed_disable_cb(struct ring_queue *q)
{
	struct packed_queue *p = to_packed(q);

	if (!p->cb_enabled)
		return;
	p->cb_enabled = false;
	packed_set_event(p, PACKED_EVENT(VRING_PACKED_EVENT_FLAG_DISABLE, 0));
}

unsigned int packed_enable_cb(struct ring_queue *q, u8 mode)
{
	struct packed_queue *p = to_packed(q);

	packed_arm(p, mode, p->used);
	return p->used;
}

bool packed_poll(const struct ring_queue *q, u8 mode, u16 place)
{
	/*
	 * Arming must be visible before we look: a buffer used in between
	 * is either announced by the device or seen here (2.8.22, note).
	 */
	virtio_mb(mode & RING_WEAK);
	return packed_used_at(to_packed(q), place);
}

/*
 * How far the device is can be seen only one used descriptor after the other,
 * so whatever is used already makes the caller come back.
 */
bool packed_enable_cb_delayed(struct ring_queue *q, u8 mode)
{
	struct packed_queue *p = to_packed(q);
	u32 pending = q->num - q->vq.num_free;
	u32 wait_nr = pending - pending / 4;

	packed_arm(p, mode, packed_step(p, p->used, wait_nr ? wait_nr - 1 : 0));
	return !packed_poll(q, mode, p->used);
}

/* The ring, then the two event structures, on a cache line each. */
size_t packed_ring_bytes(u32 num)
{
	return ALIGN(num * sizeof(struct vring_packed_desc), L1_CACHE_BYTES) +
	       2 * L1_CACHE_BYTES;
}

void packed_init(struct ring_queue *q)
{
	struct packed_queue *p = to_packed(q);
	char *end = (char *)q->ring + packed_ring_bytes(q->num);

	p->desc = q->ring;
	p->driver_event = (packed_event_t *)(end - 2 * L1_CACHE_BYTES);
	p->device_event = (packed_event_t *)(end - L1_CACHE_BYTES);
	p->avail = PACKED_WRAP;
	p->used = PACKED_WRAP;
	p->cb_enabled = true;	/* what zeroed ring memory says */
}

u16 packed_next_avail(const struct ring_queue *q)
{
	return to_packed(q)->avail;
}

void *packed_driver_event(const struct ring_queue *q)
{
	return to_packed(q)->driver_event;
}

void *packed_device_event(const struct ring_queue *q)
{
	return to_packed(q)->device_event;
}
