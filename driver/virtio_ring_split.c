// SPDX-License-Identifier: GPL-2.0-only
/*
 * Driver side of the split virtqueue, virtio 1.2 clause 2.7.
 *
 * In this file `seq` is a free-running 16-bit index as it stands in a ring,
 * `slot` is where that falls in the ring.
 */
#include <linux/cache.h>
#include <linux/mm.h>
#include <linux/scatterlist.h>
#include <linux/virtio.h>
#include <linux/virtio_config.h>
#include <linux/virtio_ring.h>

#include "virtio_ring_impl.h"

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
	struct ring_queue q;
	struct vring vring;

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

static_assert(offsetof(struct split_queue, avail_seq) == 2 * L1_CACHE_BYTES,
	      "constants fill one line");
static_assert(offsetof(struct split_queue, last_used_seq) ==
	      3 * L1_CACHE_BYTES, "submission has a line to itself");
/* kmalloc() aligns sizes that are a power of two to themselves. */
static_assert(sizeof(struct split_queue) == RING_QUEUE_BYTES,
	      "a power of two");

static struct split_queue *to_split(const struct ring_queue *q)
{
	return (struct split_queue *)container_of(q, struct split_queue, q);
}

static u16 split_used_seq(const struct split_queue *s)
{
	return virtio16_to_cpu(s->q.vq.vdev, READ_ONCE(s->vring.used->idx));
}

bool split_more_used(const struct ring_queue *q)
{
	const struct split_queue *s = to_split(q);

	/* vring_interrupt() asks while another CPU may be reaping */
	return READ_ONCE(s->last_used_seq) != split_used_seq(s);
}

static void split_desc_set(const struct split_queue *s,
			   struct vring_desc *desc, u64 addr_pa, u32 len_bytes,
			   u16 flags, u16 next)
{
	const struct virtio_device *vdev = s->q.vq.vdev;

	desc->addr = cpu_to_virtio64(vdev, addr_pa);
	desc->len = cpu_to_virtio32(vdev, len_bytes);
	desc->flags = cpu_to_virtio16(vdev, flags);
	desc->next = cpu_to_virtio16(vdev, next);
}

/* Fill an indirect table: index order, 2.7.5.3. */
static void split_fill_table(const struct split_queue *s,
			     struct vring_desc *table,
			     const struct ring_buf *buf)
{
	unsigned int i, idx = 0;
	struct scatterlist *sg;

	for (i = 0; i < buf->out_sgs + buf->in_sgs; i++) {
		u16 write = i < buf->out_sgs ? 0 : VRING_DESC_F_WRITE;

		for (sg = buf->sgs[i]; sg; sg = sg_next(sg), idx++) {
			bool more = idx + 1 < buf->nr;

			split_desc_set(s, &table[idx], sg_phys(sg), sg->length,
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
static u16 split_fill_chain(const struct split_queue *s,
			    const struct ring_buf *buf, u16 *last)
{
	unsigned int i, left = buf->nr;
	u16 idx = s->free_head;
	struct scatterlist *sg;

	for (i = 0; i < buf->out_sgs + buf->in_sgs; i++) {
		u16 write = i < buf->out_sgs ? 0 : VRING_DESC_F_WRITE;

		for (sg = buf->sgs[i]; sg; sg = sg_next(sg)) {
			u16 next = s->q.state[idx].next;
			u16 more = --left ? VRING_DESC_F_NEXT : 0;

			split_desc_set(s, &s->vring.desc[idx], sg_phys(sg),
				       sg->length, write | more,
				       more ? next : 0);
			*last = idx;
			idx = next;
		}
	}
	return idx;
}

/* Take the descriptors of @buf off the free list. Returns the head. */
static u16 split_take(struct split_queue *s, const struct ring_buf *buf,
		      struct vring_desc *table)
{
	u16 head = s->free_head;
	struct ring_state *state = &s->q.state[head];
	u16 last = head, next;

	if (table) {
		split_fill_table(s, table, buf);
		split_desc_set(s, &s->vring.desc[head], virt_to_phys(table),
			       buf->nr * sizeof(*table),
			       VRING_DESC_F_INDIRECT, 0);
		next = state->next;
	} else {
		next = split_fill_chain(s, buf, &last);
	}
	state->data = buf->data;
	state->ctx = buf->ctx;
	state->table = table;
	state->last = last;
	state->nr = table ? 1 : buf->nr;
	s->free_head = next;
	s->q.vq.num_free -= state->nr;
	return head;
}

/* Let the device see the chain, 2.7.13.2 and 2.7.13.3. */
static void split_publish(struct split_queue *s, u8 mode, u16 head)
{
	struct vring_avail *avail = s->vring.avail;
	const struct virtio_device *vdev = s->q.vq.vdev;
	u16 slot = s->avail_seq & (s->q.num - 1);

	avail->ring[slot] = cpu_to_virtio16(vdev, head);
	/* The index says that all of the chain is there: 2.7.13.3.1 */
	virtio_wmb(mode & RING_WEAK);
	s->avail_seq++;
	WRITE_ONCE(avail->idx, cpu_to_virtio16(vdev, s->avail_seq));
	s->num_added++;
}

int split_add(struct ring_queue *q, u8 mode, struct ring_buf buf, gfp_t gfp)
{
	struct split_queue *s = to_split(q);
	struct vring_desc *table;

	/* No chain longer than the queue, not even in a table: 2.7.5.3.1 */
	if (WARN_ON_ONCE(!buf.data || !buf.nr || buf.nr > q->num))
		return -EINVAL;

	table = ring_table_get(q, mode, buf.nr, gfp);
	if ((table ? 1 : buf.nr) > q->vq.num_free)
		return -ENOSPC;

	split_publish(s, mode, split_take(s, &buf, table));
	/* Before 65536 since the last kick look like none at all */
	if (unlikely(s->num_added == U16_MAX))
		virtqueue_kick(&q->vq);
	return 0;
}

bool split_kick_prepare(struct ring_queue *q, u8 mode)
{
	struct split_queue *s = to_split(q);
	const struct virtio_device *vdev = q->vq.vdev;
	u16 seq = s->avail_seq, old_seq = seq - s->num_added;
	u16 raw;

	if (seq == old_seq)
		return false;
	s->num_added = 0;
	/*
	 * Our index must be visible before we look whether the device sleeps;
	 * it writes its wish, then looks at our index. Both sides may not
	 * miss each other: 2.7.13.4.1
	 */
	virtio_mb(mode & RING_WEAK);
	if (mode & RING_EVENT) {
		raw = READ_ONCE(vring_avail_event(&s->vring));
		return vring_need_event(virtio16_to_cpu(vdev, raw), seq,
					old_seq);
	}
	raw = READ_ONCE(s->vring.used->flags);
	return !(virtio16_to_cpu(vdev, raw) & VRING_USED_F_NO_NOTIFY);
}

/* Give back the chain at @id; splices, walks nothing. */
void *split_put(struct ring_queue *q, u32 id, void **ctx)
{
	struct split_queue *s = to_split(q);
	struct ring_state *state = &q->state[id];
	void *data = ring_state_put(state, ctx);

	if (q->vq.num_free)
		q->state[s->free_tail].next = id;
	else
		s->free_head = id;
	s->free_tail = state->last;
	q->vq.num_free += state->nr;
	return data;
}

static void split_set_used_event(struct split_queue *s, u16 seq)
{
	s->used_event = seq;
	WRITE_ONCE(vring_used_event(&s->vring),
		   cpu_to_virtio16(s->q.vq.vdev, seq));
}

static void split_set_avail_flags(struct split_queue *s, u16 flags)
{
	s->avail_flags = flags;
	WRITE_ONCE(s->vring.avail->flags,
		   cpu_to_virtio16(s->q.vq.vdev, flags));
}

void *split_get_buf(struct ring_queue *q, u8 mode, unsigned int *len,
		    void **ctx)
{
	struct split_queue *s = to_split(q);
	const struct virtio_device *vdev = q->vq.vdev;
	const struct vring_used_elem *elem;
	void *data;
	u32 id;

	if (!split_more_used(q))
		return NULL;
	/* The device wrote the entry and the buffer, then the index: 2.7.8.2 */
	virtio_rmb(mode & RING_WEAK);

	elem = &s->vring.used->ring[s->last_used_seq & (q->num - 1)];
	id = virtio32_to_cpu(vdev, READ_ONCE(elem->id));
	*len = virtio32_to_cpu(vdev, READ_ONCE(elem->len));
	if (!ring_id_ok(q, id))
		return NULL;

	data = split_put(q, id, ctx);
	WRITE_ONCE(s->last_used_seq, s->last_used_seq + 1);
	if (s->cb_enabled && mode & RING_EVENT) {
		split_set_used_event(s, s->last_used_seq);
		/* The next call reads the index: one of us two must notice */
		virtio_mb(mode & RING_WEAK);
	}
	return data;
}

void split_disable_cb(struct ring_queue *q, u8 mode)
{
	struct split_queue *s = to_split(q);

	if (!s->cb_enabled)
		return;
	s->cb_enabled = false;
	if (!(mode & RING_EVENT)) {
		split_set_avail_flags(s, VRING_AVAIL_F_NO_INTERRUPT);
		return;
	}
	/*
	 * With event indexes flags must stay 0 (2.7.7.1). If the device has
	 * passed the event, as it has when an interrupt brings us here, it
	 * will not interrupt again for 65536 buffers, and its copy of the
	 * line is left alone. Else put the event just out of its reach.
	 */
	if ((s16)(split_used_seq(s) - s->used_event) <= 0)
		split_set_used_event(s, s->last_used_seq - 1);
}

/* Arm for entry @seq. The caller orders this before reading used->idx. */
static void split_arm(struct split_queue *s, u8 mode, u16 seq)
{
	s->cb_enabled = true;
	if (mode & RING_EVENT) {
		if (s->used_event != seq)
			split_set_used_event(s, seq);
	} else if (s->avail_flags) {
		split_set_avail_flags(s, 0);
	}
}

unsigned int split_enable_cb(struct ring_queue *q, u8 mode)
{
	struct split_queue *s = to_split(q);

	split_arm(s, mode, s->last_used_seq);
	return s->last_used_seq;
}

bool split_poll(const struct ring_queue *q, u8 mode, u16 last_used_seq)
{
	/*
	 * Arming must be visible before we look: a buffer used in between
	 * is either announced by the device or seen here (2.7.14, note).
	 */
	virtio_mb(mode & RING_WEAK);
	return last_used_seq != split_used_seq(to_split(q));
}

bool split_enable_cb_delayed(struct ring_queue *q, u8 mode)
{
	struct split_queue *s = to_split(q);
	u16 pending = s->avail_seq - s->last_used_seq;
	u16 wait_nr = pending - pending / 4;

	/* Entry seq + n is written when n + 1 are used */
	split_arm(s, mode, s->last_used_seq + (wait_nr ? wait_nr - 1 : 0));
	virtio_mb(mode & RING_WEAK);		/* as in split_poll() */
	if (!(mode & RING_EVENT))
		return !split_more_used(q);
	return !wait_nr ||
	       (u16)(split_used_seq(s) - s->last_used_seq) < wait_nr;
}

void split_init(struct ring_queue *q)
{
	struct split_queue *s = to_split(q);

	vring_init(&s->vring, q->num, q->ring, 1ul << q->align_shift);
	s->free_tail = q->num - 1;
	s->cb_enabled = true;	/* what zeroed ring memory says */
}

u16 split_next_avail(const struct ring_queue *q)
{
	return to_split(q)->avail_seq;
}

const struct vring *split_vring(const struct ring_queue *q)
{
	return &to_split(q)->vring;
}
