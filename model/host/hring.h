/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The device's side of a virtqueue, written against virtio 1.2: the split
 * format of clause 2.7 and the packed format of clause 2.8.
 *
 * The ring reaches guest memory only through ram_read*, ram_write* and
 * ram_barrier: each access takes its turn in time order and is charged to the
 * running host thread (or vCPU). So every function below that touches the
 * ring may switch; calls on one ring must not overlap, which is the caller's
 * to ensure (one event loop, or one lock).
 *
 * x86 keeps loads in order and stores in order, so the only barrier that costs
 * anything is the full one between a store and a later load: in
 * hring_arm_kicks and hring_should_interrupt.
 *
 * Guest bytes never cause an assertion. What is wrong with them has a name
 * (enum hring_error); it sticks: the ring yields nothing more until it is
 * initialised again.
 */
#ifndef MODEL_HOST_HRING_H
#define MODEL_HOST_HRING_H

#include <stdbool.h>
#include <stdint.h>

#include "model/host/hiov.h"

/* Largest queue offered; the wire allows 32768 (2.7). */
#define HRING_SIZE_MAX	1024u
/*
 * Most buffers of one chain. A chain of queue-size descriptors always fits; so
 * does an indirect table of that many. Longer ones are refused.
 */
#define HRING_IOV_MAX	1024u

/* X(name, text): the text completes "the driver's ring is bad: ..." */
#define HRING_ERRORS(X)							\
	X(AVAIL_IDX, "available index moved by more than the queue size") \
	X(IN_USE, "more chains outstanding than the queue size")	\
	X(HEAD, "head of a chain beyond the descriptor table")		\
	X(HEAD_BUSY, "head of a chain that is still outstanding")	\
	X(ID, "buffer id beyond the queue size")			\
	X(ID_BUSY, "buffer id that is still outstanding")		\
	X(DESCS_IN_USE, "descriptor made available that is still in use") \
	X(CHAIN_AVAIL, "chain goes on with a descriptor that is not available") \
	X(NEXT, "next descriptor beyond the table")			\
	X(CHAIN_LONG, "chain longer than its table (a loop)")		\
	X(INDIRECT_OFF, "indirect descriptor, but not negotiated")	\
	X(INDIRECT_ZERO, "indirect table of length zero")		\
	X(INDIRECT_SIZE, "length of indirect table not a multiple of 16") \
	X(INDIRECT_LONG, "indirect table larger than the device takes")	\
	X(INDIRECT_RAM, "indirect table outside RAM")			\
	X(INDIRECT_NESTED, "indirect descriptor in an indirect table")	\
	X(INDIRECT_NEXT, "indirect descriptor that has a next one")	\
	X(INDIRECT_CHAINED, "indirect descriptor after another one")	\
	X(BUFFER_RAM, "buffer outside RAM")				\
	X(BUFFER_ZERO, "buffer of length zero")				\
	X(BUFFER_ORDER, "device-readable buffer after a writable one")	\
	X(BUFFERS, "more buffers in one chain than the device takes")	\
	X(CHAIN_BYTES, "more than 2^32 bytes in one chain")		\
	X(EVENT_FLAGS, "event suppression flags that were not negotiated") \
	X(EVENT_OFFSET, "event offset beyond the descriptor ring")	\
	X(RING_RAM, "the ring itself is outside RAM")

enum hring_error {
	HRING_ERR_NONE,
#define HRING_ERROR_ENUM(name, text) HRING_ERR_##name,
	HRING_ERRORS(HRING_ERROR_ENUM)
#undef HRING_ERROR_ENUM
	HRING_ERR_NR
};

/* Short stable name ("HEAD_BUSY", "NONE") and what it means. */
const char *hring_error_name(enum hring_error error);
const char *hring_error_text(enum hring_error error);

/*
 * One chain: readable buffers first, then writable ones.
 * @head: names it towards the driver: its first descriptor (split) or its
 * buffer id (packed), below the queue size; no two outstanding chains have the
 * same. @descs_nr: descriptors read, the indirect one included
 */
struct hring_chain {
	uint16_t head;
	uint32_t descs_nr;
	uint32_t iovs_nr;
	uint32_t readables_nr;		/* the first so many of iov */
	uint64_t readable_bytes;
	uint64_t writable_bytes;
	struct hiov iov[HRING_IOV_MAX];
};

/*
 * @pops_empty_nr:  pops that found nothing
 * @over_size_nr:   chains through an indirect table with more descriptors than
 *                  the queue has: 2.7.5.3.1 forbids them, devices take them
 * @interrupts_nr:  hring_should_interrupt said yes; _suppressed_nr: no
 * @arms_raced_nr:  arms that found buffers made available meanwhile
 */
struct hring_stats {
	uint64_t pops_nr;
	uint64_t pops_empty_nr;
	uint64_t descs_nr;
	uint64_t indirect_nr;
	uint64_t over_size_nr;
	uint64_t pushes_nr;
	uint64_t publishes_nr;
	uint64_t interrupts_nr;
	uint64_t interrupts_suppressed_nr;
	uint64_t suppresses_nr;
	uint64_t arms_nr;
	uint64_t arms_raced_nr;
};

/*
 * Where the driver put the queue and how it talks about it.
 * @size: descriptors, up to HRING_SIZE_MAX; a power of two unless packed
 * @desc_pa, @driver_pa, @device_pa: queue_desc, queue_driver (available ring,
 *           or driver event suppression), queue_device (used ring, or device
 *           event suppression) of clause 4.1.4.3
 * @event_idx, @indirect: negotiated VIRTIO_RING_F_EVENT_IDX, _INDIRECT_DESC
 */
struct hring_config {
	uint32_t size;
	uint64_t desc_pa;
	uint64_t driver_pa;
	uint64_t device_pa;
	bool event_idx;
	bool indirect;
};

struct hring;

/* A ring format: hring_split (2.7) or hring_packed (2.8). */
struct hring_ops {
	const char *name;
	enum hring_error (*check)(const struct hring_config *config);
	int (*pop)(struct hring *ring, struct hring_chain *chain);
	void (*push)(struct hring *ring, uint16_t head, uint32_t written_bytes);
	void (*publish)(struct hring *ring);
	bool (*should_interrupt)(struct hring *ring);
	void (*suppress_kicks)(struct hring *ring);
	bool (*arm_kicks)(struct hring *ring);
	void (*arm_ahead)(struct hring *ring);
	int (*look)(struct hring *ring);	/* as pop, but takes nothing */
};

extern const struct hring_ops hring_split;
extern const struct hring_ops hring_packed;

/*
 * What only the packed format remembers.
 * @slots_nr:      by buffer id: descriptors of its chain in the ring
 * @first_flags:   of the used descriptor at published_seq, kept back
 * @unnotified_nr: descriptors published since the last decision about an
 *                 interrupt; stays at 2 * size, where it means all
 * @kick_always:   the device event suppression structure says ENABLE
 */
struct hring_packed_state {
	uint16_t slots_nr[HRING_SIZE_MAX];
	uint16_t first_flags;
	uint32_t unnotified_nr;
	bool kick_always;
};

/*
 * Split: sequence numbers are free-running modulo 2^16, of entries. Packed:
 * they are of descriptors, modulo 2 * size: in the first half of that circle
 * the wrap counter is 1, in the second 0 (2.8.1).
 * @avail_seq:     the next entry to take
 * @avail_end_seq: how far the driver was when we last looked; split only
 * @used_seq:      the next entry to write for a chain that is done
 * @published_seq: how far the driver may look
 * @notified_seq:  published_seq at the last decision about an interrupt; split
 *                 only
 * @in_use_nr:     chains popped and not pushed
 * @busy:          bit per head that was popped and not pushed
 *
 * Invariant: popcount(busy) == in_use_nr <= size. Split: avail_end_seq -
 * avail_seq <= size; avail_seq - used_seq == in_use_nr. Packed: the distances
 * from published_seq to used_seq to avail_seq add up to at most size.
 */
struct hring {
	const struct hring_ops *ops;
	struct hring_config config;
	uint16_t avail_seq;
	uint16_t avail_end_seq;
	uint16_t used_seq;
	uint16_t published_seq;
	uint16_t notified_seq;
	bool armed;			/* kicks are wanted */
	enum hring_error error;
	uint32_t error_at;		/* descriptor or sequence number */
	uint32_t in_use_nr;
	uint64_t busy[HRING_SIZE_MAX / 64];
	struct hring_packed_state packed;
	struct hring_stats stats;
};

/*
 * A ring at its first entry, kicks wanted; touches no guest memory. @ring is
 * zeroed before its first use; its stats go on. @config is copied, its size
 * must be in range. 0, or -EINVAL with @ring->error when a part of the ring is
 * not in RAM or misaligned.
 */
int hring_init(struct hring *ring, const struct hring_ops *ops,
	       const struct hring_config *config);

/*
 * Take the next chain. 1: taken, the caller owes a push; 0: none there;
 * -EBADMSG: bad bytes, @ring->error says which, @ring is unusable from now on
 * and @chain undefined.
 */
static inline int hring_pop(struct hring *ring, struct hring_chain *chain)
{
	return ring->ops->pop(ring, chain);
}

/*
 * Give back the chain popped as @head, with @written_bytes written to its
 * writable buffers. The driver does not see it before hring_publish. A @head
 * that is not outstanding is a bug of the device (asserted).
 */
static inline void hring_push(struct hring *ring, uint16_t head,
			      uint32_t written_bytes)
{
	ring->ops->push(ring, head, written_bytes);
}

/* Let the driver see all pushes so far: a single store. */
static inline void hring_publish(struct hring *ring)
{
	ring->ops->publish(ring);
}

/*
 * After a publish: does the driver want an interrupt for what was published
 * since the last call? VRING_AVAIL_F_NO_INTERRUPT or used_event (2.7.7), or
 * the driver event suppression structure (2.8.10).
 */
static inline bool hring_should_interrupt(struct hring *ring)
{
	return ring->ops->should_interrupt(ring);
}

/* The driver need not kick for now. Advice only: kicks may still come. */
static inline void hring_suppress_kicks(struct hring *ring)
{
	ring->ops->suppress_kicks(ring);
}

/*
 * The driver must kick for what it adds from here on. True if something is
 * there to pop already (or the ring is bad, which a pop will say): then there
 * may be no kick for it.
 */
static inline bool hring_arm_kicks(struct hring *ring)
{
	return ring->ops->arm_kicks(ring);
}

/*
 * Ask for a kick with the next buffer that is made available, even if there
 * are some to take already. No re-check: the caller goes on taking. May switch.
 */
static inline void hring_arm_ahead(struct hring *ring)
{
	ring->ops->arm_ahead(ring);
}

/*
 * Would a pop find something? Also when the ring is bad, which a pop will say.
 * Asks for no kicks.
 */
static inline bool hring_has_avail(struct hring *ring)
{
	return ring->error || ring->ops->look(ring);
}

/* Chains popped and not pushed. */
uint32_t hring_in_use_nr(const struct hring *ring);

/*
 * Did an index, in moving from @old_seq to @new_seq, step over the entry
 * numbered @event_seq? (2.7.7.2, 2.7.10.2: modulo 2^16.)
 */
bool hring_need_event(uint16_t event_seq, uint16_t new_seq, uint16_t old_seq);

#endif
