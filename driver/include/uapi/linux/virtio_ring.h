/* SPDX-License-Identifier: GPL-2.0-only */
/* Split and packed virtqueue layout, virtio 1.2 clauses 2.7 and 2.8. */
#ifndef _UAPI_LINUX_VIRTIO_RING_H
#define _UAPI_LINUX_VIRTIO_RING_H

#include "types.h"
#include "virtio_types.h"

/* Feature bits of queues, 6 */
#define VIRTIO_RING_F_INDIRECT_DESC	28
#define VIRTIO_RING_F_EVENT_IDX		29

/* vring_desc.flags, 2.7.5 */
#define VRING_DESC_F_NEXT		1	/* chain goes on at .next */
#define VRING_DESC_F_WRITE		2	/* device writes, else reads */
#define VRING_DESC_F_INDIRECT		4	/* .addr is a table (2.7.5.3) */

/* vring_avail.flags, 2.7.6 and 2.7.7: driver wants no interrupt */
#define VRING_AVAIL_F_NO_INTERRUPT	1
/* vring_used.flags, 2.7.8 and 2.7.10: device wants no notification */
#define VRING_USED_F_NO_NOTIFY		1

/* Alignment of the three parts in bytes, 2.7 */
#define VRING_DESC_ALIGN_SIZE		16
#define VRING_AVAIL_ALIGN_SIZE		2
#define VRING_USED_ALIGN_SIZE		4

struct vring_desc {
	__virtio64 addr;		/* guest-physical */
	__virtio32 len;			/* bytes */
	__virtio16 flags;
	__virtio16 next;		/* index, if VRING_DESC_F_NEXT */
};

struct vring_avail {
	__virtio16 flags;
	__virtio16 idx;			/* free-running */
	__virtio16 ring[];		/* chain heads; then used_event */
};

struct vring_used_elem {
	__virtio32 id;			/* chain head */
	__virtio32 len;			/* bytes written, at least */
};

typedef struct vring_used_elem __attribute__((aligned(VRING_USED_ALIGN_SIZE)))
	vring_used_elem_t;

struct vring_used {
	__virtio16 flags;
	__virtio16 idx;			/* free-running */
	vring_used_elem_t ring[];	/* then avail_event */
};

typedef struct vring_desc __attribute__((aligned(VRING_DESC_ALIGN_SIZE)))
	vring_desc_t;
typedef struct vring_avail __attribute__((aligned(VRING_AVAIL_ALIGN_SIZE)))
	vring_avail_t;
typedef struct vring_used __attribute__((aligned(VRING_USED_ALIGN_SIZE)))
	vring_used_t;

/* Where the three parts of one split virtqueue lie, as pointers. */
struct vring {
	unsigned int num;		/* entries, a power of two <= 32768 */
	vring_desc_t *desc;
	vring_avail_t *avail;
	vring_used_t *used;
};

_Static_assert(sizeof(struct vring_desc) == 16, "2.7.5");
_Static_assert(sizeof(struct vring_avail) == 4, "2.7.6");
_Static_assert(sizeof(struct vring_used_elem) == 8, "2.7.8");
_Static_assert(sizeof(struct vring_used) == 4, "2.7.8");

/* avail_event lies where an element of the used ring would be. */
typedef __virtio16 __attribute__((may_alias)) vring_event_t;

/* The event indexes follow the rings: 2.7.6, 2.7.8 (16-bit lvalues) */
#define vring_used_event(vr)	((vr)->avail->ring[(vr)->num])
#define vring_avail_event(vr) \
	(*(vring_event_t *)&(vr)->used->ring[(vr)->num])

/* Offset of the used ring in a contiguous layout; align is a power of two. */
static inline unsigned long __vring_used_offset(unsigned int num,
						unsigned long align)
{
	/* flags, idx, ring[num], used_event */
	unsigned long avail_end = sizeof(struct vring_desc) * num +
				  sizeof(__virtio16) * (3UL + num);

	return (avail_end + align - 1) & ~(align - 1);
}

/*
 * Bytes of a contiguous queue (layout of 2.7.2).
 * @num: entries; @align: of the used ring, bytes, a power of two.
 */
static inline unsigned vring_size(unsigned int num, unsigned long align)
{
	/* flags, idx, ring[num], avail_event */
	return __vring_used_offset(num, align) + sizeof(__virtio16) * 3 +
	       sizeof(struct vring_used_elem) * (unsigned long)num;
}

/*
 * Point @vr at the parts of a contiguous queue; touches no ring memory.
 * @p: first byte, aligned to VRING_DESC_ALIGN_SIZE; the caller keeps it.
 */
static inline void vring_init(struct vring *vr, unsigned int num, void *p,
			      unsigned long align)
{
	char *base = (char *)p;

	vr->num = num;
	vr->desc = (vring_desc_t *)p;
	vr->avail = (vring_avail_t *)(base + sizeof(struct vring_desc) * num);
	vr->used = (vring_used_t *)(base + __vring_used_offset(num, align));
}

/*
 * Did the index, in moving from @old to @new_idx, pass @event_idx (2.7.7,
 * 2.7.10)? That is: was an entry with index event_idx written? All three are
 * free-running, so only distances back from @new_idx mean anything.
 */
static inline int vring_need_event(__u16 event_idx, __u16 new_idx, __u16 old)
{
	__u16 since_event = new_idx - event_idx;	/* 0: not written yet */
	__u16 moved = new_idx - old;

	return since_event != 0 && since_event <= moved;
}

/* Packed virtqueue, 2.8 */

/* vring_packed_desc.flags: bit numbers, 2.8.1 */
#define VRING_PACKED_DESC_F_AVAIL	7
#define VRING_PACKED_DESC_F_USED	15

/* vring_packed_desc_event.flags, 2.8.10 */
#define VRING_PACKED_EVENT_FLAG_ENABLE	0x0
#define VRING_PACKED_EVENT_FLAG_DISABLE	0x1
#define VRING_PACKED_EVENT_FLAG_DESC	0x2	/* needs EVENT_IDX */
/* Bit number of the wrap counter in vring_packed_desc_event.off_wrap */
#define VRING_PACKED_EVENT_F_WRAP_CTR	15

struct vring_packed_desc_event {
	__le16 off_wrap;
	__le16 flags;
};

struct vring_packed_desc {
	__le64 addr;			/* guest-physical */
	__le32 len;			/* bytes */
	__le16 id;			/* buffer id */
	__le16 flags;
};

_Static_assert(sizeof(struct vring_packed_desc) == 16, "2.8.13");

#endif /* _UAPI_LINUX_VIRTIO_RING_H */
