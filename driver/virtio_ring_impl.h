/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Between virtio_ring.c, which has the functions that drivers call and all
 * that does not depend on the format, and the two formats: virtio_ring_split.c
 * (virtio 1.2 clause 2.7) and virtio_ring_packed.c (2.8).
 */
#ifndef DRIVER_VIRTIO_RING_IMPL_H
#define DRIVER_VIRTIO_RING_IMPL_H

#include <linux/cache.h>
#include <linux/virtio.h>
#include <linux/virtio_config.h>
#include <linux/virtio_ring.h>

#define RING_NUM_MAX	32768		/* 2.7, 2.8 */
#define RING_QUEUE_BYTES (4 * L1_CACHE_BYTES)

/*
 * What a queue is, in one byte: each function looks once and hands it down,
 * so that asking for the format costs nothing. Only RING_BROKEN ever changes,
 * and then in the end.
 */
#define RING_PACKED	0x01		/* VIRTIO_F_RING_PACKED */
#define RING_INDIRECT	0x02		/* VIRTIO_F_INDIRECT_DESC */
#define RING_EVENT	0x04		/* VIRTIO_F_EVENT_IDX */
#define RING_WEAK	0x08		/* the device is as near as a CPU */
#define RING_OWNED	0x10		/* ring memory is ours to free */
#define RING_BROKEN	0x80

/*
 * What the driver knows of descriptor i (split) or buffer id i (packed).
 * Nothing here is read from memory that the device can write, so a mad device
 * cannot lead us astray.
 */
struct ring_state {
	void *data;		/* buffers in flight, else NULL */
	void *ctx;
	void *table;		/* indirect table, or NULL */
	u16 next;		/* in the free list; a split chain's links */
	u16 last;		/* split: end of the chain */
	u16 nr;			/* descriptors in the ring */
};

static_assert(sizeof(struct ring_state) == 32, "two in a cache line");

/*
 * The beginning of a queue of either format. The public line is first; the
 * rest is set up once and, with the format's own constants, fills the second.
 */
struct ring_queue {
	struct virtqueue vq;
	bool (*notify)(struct virtqueue *vq);
	void *ring;		/* descriptors first */
	struct ring_state *state;
	u32 num;
	u8 align_shift;		/* of the used ring */
	u8 mode;		/* RING_* */
};

static_assert(sizeof(struct virtqueue) == L1_CACHE_BYTES, "public line");

/* One buffer on its way into descriptors. */
struct ring_buf {
	struct scatterlist **sgs;	/* readable lists, then writable */
	unsigned int out_sgs;
	unsigned int in_sgs;
	unsigned int nr;		/* entries of all lists */
	void *data;
	void *ctx;
};

/* In virtio_ring.c. */

/*
 * A table for @buf's @nr descriptors of either format, or NULL: then the
 * buffer goes into the ring itself, as it does if memory is short.
 */
void *ring_table_get(const struct ring_queue *q, u8 mode, unsigned int nr,
		     gfp_t gfp);

/* Has the device named a buffer in flight? If not, the queue is broken. */
bool ring_id_ok(struct ring_queue *q, u32 id);

/* Empty @state. Returns data. The caller takes it back into its free list. */
void *ring_state_put(struct ring_state *state, void **ctx);

/*
 * The formats. @q is RING_QUEUE_BYTES of zeroes but for what struct ring_queue
 * holds; states are linked in order, num_free is num. @mode is q->mode, not
 * broken where it matters. @buf comes by value, so that its parts need not be
 * in memory.
 */
void split_init(struct ring_queue *q);
int split_add(struct ring_queue *q, u8 mode, struct ring_buf buf, gfp_t gfp);
bool split_kick_prepare(struct ring_queue *q, u8 mode);
bool split_more_used(const struct ring_queue *q);
void *split_get_buf(struct ring_queue *q, u8 mode, unsigned int *len,
		    void **ctx);
void *split_put(struct ring_queue *q, u32 id, void **ctx);
void split_disable_cb(struct ring_queue *q, u8 mode);
unsigned int split_enable_cb(struct ring_queue *q, u8 mode);
bool split_enable_cb_delayed(struct ring_queue *q, u8 mode);
bool split_poll(const struct ring_queue *q, u8 mode, u16 last_used_seq);
u16 split_next_avail(const struct ring_queue *q);
const struct vring *split_vring(const struct ring_queue *q);

size_t packed_ring_bytes(u32 num);
void packed_init(struct ring_queue *q);
int packed_add(struct ring_queue *q, u8 mode, struct ring_buf buf, gfp_t gfp);
bool packed_kick_prepare(struct ring_queue *q, u8 mode);
bool packed_more_used(const struct ring_queue *q);
void *packed_get_buf(struct ring_queue *q, u8 mode, unsigned int *len,
		     void **ctx);
void *packed_put(struct ring_queue *q, u32 id, void **ctx);
void packed_disable_cb(struct ring_queue *q);
unsigned int packed_enable_cb(struct ring_queue *q, u8 mode);
bool packed_enable_cb_delayed(struct ring_queue *q, u8 mode);
bool packed_poll(const struct ring_queue *q, u8 mode, u16 place);
u16 packed_next_avail(const struct ring_queue *q);
void *packed_driver_event(const struct ring_queue *q);
void *packed_device_event(const struct ring_queue *q);

#endif /* DRIVER_VIRTIO_RING_IMPL_H */
