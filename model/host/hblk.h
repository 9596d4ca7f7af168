/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The virtio block device: virtio 1.2 clause 5.2 with the zones of 1.3, on hpci,
 * hring, hstore and hloop.
 *
 *	HBLK_IOTHREAD	ioeventfd; queue i belongs to iothread i modulo their
 *			number: it takes requests and completes them, no lock
 *	HBLK_MAIN_LOOP	ioeventfd, no iothread: the main loop does both, under
 *			the big lock
 *	HBLK_VCPU	ioeventfd=off: the vCPU that kicks takes requests
 *			inside its exit, the main loop completes them, both
 *			under the big lock
 *
 * Taking requests: suppress kicks, pop all there is into batches, submit each
 * batch, allow kicks, look again. Completing: for all that is finished write
 * status and used element, publish once, decide about the interrupt once.
 */
#ifndef MODEL_HOST_HBLK_H
#define MODEL_HOST_HBLK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/host/hblk_quirk.h"
#include "model/host/hloop.h"
#include "model/host/hpci.h"
#include "model/host/hring.h"
#include "model/host/hstore.h"
#include "model/host/hzone.h"
#include <uapi/linux/virtio_blk.h>

#define HBLK_SERIAL_BYTES	20u	/* VIRTIO_BLK_ID_BYTES, 5.2.6 */
#define HBLK_LOOPS_MAX		64u
#define HBLK_STATUS_NR		(VIRTIO_BLK_S_ZONE_ACTIVE_RESOURCE + 1)

enum hblk_placement {
	HBLK_IOTHREAD,
	HBLK_MAIN_LOOP,
	HBLK_VCPU,
};

/* Values of the property zoned. */
enum hblk_zoned {
	HBLK_NOT_ZONED,
	HBLK_HOST_MANAGED,
	HBLK_DRIVE_MANAGED,	/* offers ZONED, but works like any disk */
};

/*
 * Properties a user may set, with QEMU's names where QEMU has them; the
 * fields of struct hblk_properties are the names with '-' as '_'.
 * X(field, name, least, most, default, meaning). Booleans are 0 to 1.
 */
#define HBLK_PROPERTIES(X)						\
	X(num_queues, "num-queues", 1, HPCI_QUEUES_MAX, 1, "virtqueues") \
	X(queue_size, "queue-size", 4, HRING_SIZE_MAX, 256, "descriptors of each virtqueue, a power of two") \
	X(vectors, "vectors", 0, PCI_MSIX_MAX, 0, "MSI-X vectors; 0: one per virtqueue and one for configuration") \
	X(event_idx, "event_idx", 0, 1, 1, "offer VIRTIO_RING_F_EVENT_IDX") \
	X(packed, "packed", 0, 1, 0, "offer VIRTIO_F_RING_PACKED")	\
	X(indirect_desc, "indirect_desc", 0, 1, 1, "offer VIRTIO_RING_F_INDIRECT_DESC") \
	X(seg_max, "seg-max", 0, HRING_IOV_MAX - 2, 0, "data segments of a request; 0: queue-size - 2") \
	X(size_max, "size-max", 0, UINT32_MAX, 0, "bytes of a segment; 0: no limit offered") \
	X(logical_block_size, "logical_block_size", 512, 32768, 512, "bytes, a power of two") \
	X(physical_block_size, "physical_block_size", 512, 1048576, 512, "bytes, a power of two") \
	X(min_io_size, "min_io_size", 0, 33553920, 0, "bytes, a multiple of logical_block_size") \
	X(opt_io_size, "opt_io_size", 0, UINT32_MAX, 0, "bytes, a multiple of logical_block_size") \
	X(read_only, "read-only", 0, 1, 0, "offer VIRTIO_BLK_F_RO")	\
	X(flush, "flush", 0, 1, 1, "offer VIRTIO_BLK_F_FLUSH")		\
	X(write_cache, "write-cache", 0, 1, 1, "write-back at start; off: every write is stable when it completes") \
	X(config_wce, "config-wce", 0, 1, 1, "offer VIRTIO_BLK_F_CONFIG_WCE: the driver may switch the write cache") \
	X(discard, "discard", 0, 1, 1, "offer VIRTIO_BLK_F_DISCARD")	\
	X(max_discard_sectors, "max-discard-sectors", 1, UINT32_MAX, 4194303, "sectors of a discard range") \
	X(max_discard_seg, "max-discard-seg", 1, HSTORE_RANGES_MAX, 1, "ranges of a discard request") \
	X(write_zeroes, "write-zeroes", 0, 1, 1, "offer VIRTIO_BLK_F_WRITE_ZEROES") \
	X(max_write_zeroes_sectors, "max-write-zeroes-sectors", 1, UINT32_MAX, 4194303, "sectors of a write-zeroes range") \
	X(max_write_zeroes_seg, "max-write-zeroes-seg", 1, HSTORE_RANGES_MAX, 1, "ranges of a write-zeroes request") \
	X(secure_erase, "secure-erase", 0, 1, 0, "offer VIRTIO_BLK_F_SECURE_ERASE") \
	X(max_secure_erase_sectors, "max-secure-erase-sectors", 1, UINT32_MAX, 4194303, "sectors of a secure-erase range") \
	X(max_secure_erase_seg, "max-secure-erase-seg", 1, HSTORE_RANGES_MAX, 1, "ranges of a secure-erase request") \
	X(secure_erase_sector_alignment, "secure-erase-sector-alignment", 0, UINT32_MAX, 0, "sectors; 0: a block, or a zone of a zoned disk") \
	X(zoned, "zoned", 0, 2, 0, "enum hblk_zoned")			\
	X(zone_size, "zone-size", 512, 2147483648, 268435456, "bytes, a power of two") \
	X(zone_capacity, "zone-capacity", 0, 2147483648, 0, "bytes that can be written to a zone; 0: zone-size") \
	X(conventional_zones, "conventional-zones", 0, HZONE_NR_MAX, 0, "zones at the start of the disk that are conventional") \
	X(max_open_zones, "max-open-zones", 0, HZONE_NR_MAX, 0, "open zones; 0: no limit") \
	X(max_active_zones, "max-active-zones", 0, HZONE_NR_MAX, 0, "open and closed zones; 0: no limit") \
	X(max_append_sectors, "max-append-sectors", 0, UINT32_MAX, 1024, "sectors of a zone append; 0: none is supported") \
	X(write_granularity, "write-granularity", 0, 1048576, 0, "bytes that writes to sequential zones are multiples of; 0: physical_block_size") \
	X(lifetime, "lifetime", 0, 1, 0, "offer VIRTIO_BLK_F_LIFETIME")	\
	X(pre_eol_info, "pre-eol-info", 0, 3, 1, "VIRTIO_BLK_PRE_EOL_INFO_* of the lifetime") \
	X(lifetime_est_a, "lifetime-est-a", 0, 11, 1, "tenths of the life of SLC cells; 0: unknown") \
	X(lifetime_est_b, "lifetime-est-b", 0, 11, 1, "tenths of the life of MLC cells; 0: unknown") \
	X(cyls, "cyls", 0, 65535, 0, "cylinders; 0: VIRTIO_BLK_F_GEOMETRY is not offered") \
	X(heads, "heads", 0, 255, 16, "heads of the geometry")		\
	X(secs, "secs", 0, 255, 63, "sectors of a track of the geometry") \
	X(suppress_kicks, "suppress-kicks", 0, 1, 1, "no notifications wanted while the queue is processed (QEMU since 2.9); off: wanted after each request that is taken") \
	X(batch_notify, "batch-notify", 0, 1, 1, "publish and notify once for all requests found finished; off: for each") \
	X(submit_batch, "submit-batch", 0, HRING_SIZE_MAX, 0, "requests of one submission call at most; 0: no limit")

struct hblk_properties {
#define HBLK_PROPERTY_FIELD(field, name, least, most, def, meaning)	\
	uint32_t field;
	HBLK_PROPERTIES(HBLK_PROPERTY_FIELD)
#undef HBLK_PROPERTY_FIELD
};

/* The same as a table, for parsing and help. @offset is in hblk_properties. */
struct hblk_property {
	const char *name;
	uint32_t least;
	uint32_t most;
	uint32_t value;			/* default */
	const char *meaning;
	size_t offset;
};

extern const struct hblk_property hblk_property[];
extern const uint32_t hblk_properties_nr;

/* All properties at their defaults. */
void hblk_properties_init(struct hblk_properties *props);

/*
 * Are @props consistent? NULL, or what is wrong, a static string that begins
 * with the name of the property ("queue-size: not a power of two").
 */
const char *hblk_properties_check(const struct hblk_properties *props);

/*
 * @loops:    iothreads, or the main loop alone; initialised, stay the caller's
 * @big_lock: the main loop's lock (loops[0]->lock without iothreads); MMIO
 *            exits take it too. NULL: none, not with HBLK_VCPU
 * @store:    stays the caller's; its capacity is the disk's
 * @serial:   up to HBLK_SERIAL_BYTES characters, NULL for none; not kept
 * @quirks:   what a broken device says of itself; all 0 for none
 */
struct hblk_config {
	struct hblk_properties props;
	enum hblk_placement placement;
	struct hloop *const *loops;
	uint32_t loops_nr;
	struct sim_lock *big_lock;
	struct hstore *store;
	const char *serial;
	struct hblk_quirks quirks;
	struct vcpu **vcpus;
	uint32_t vcpus_nr;
};

/* What was asked; HBLK_OTHER is answered with VIRTIO_BLK_S_UNSUPP. */
enum hblk_type {
	HBLK_IN,
	HBLK_OUT,
	HBLK_FLUSH,
	HBLK_DISCARD,
	HBLK_WRITE_ZEROES,
	HBLK_GET_ID,
	HBLK_SECURE_ERASE,
	HBLK_GET_LIFETIME,
	HBLK_ZONE_APPEND,
	HBLK_ZONE_REPORT,
	HBLK_ZONE_OPEN,
	HBLK_ZONE_CLOSE,
	HBLK_ZONE_FINISH,
	HBLK_ZONE_RESET,
	HBLK_ZONE_RESET_ALL,
	HBLK_OTHER,
	HBLK_TYPE_NR
};

extern const char *const hblk_type_name[HBLK_TYPE_NR];

/*
 * Batches: requests per submission call = submitted_nr / batches_nr; chains
 * per publish = completed_nr / publishes_nr.
 * @passes_nr:      times the queue was processed (kicks, merged)
 * @passes_empty_nr: of these, found nothing to take
 * @rounds_nr:      suppress-pop-arm rounds; more than passes when arms raced
 * @dropped_nr:     finished after a reset or breakage: nothing was written
 */
struct hblk_queue_stats {
	uint64_t passes_nr;
	uint64_t passes_empty_nr;
	uint64_t rounds_nr;
	uint64_t taken_nr;
	uint64_t submitted_nr;
	uint64_t batches_nr;
	uint32_t batch_max_nr;
	uint64_t completed_nr;
	uint64_t publishes_nr;
	uint32_t publish_max_nr;
	uint64_t irqs_nr;
	uint64_t irqs_skipped_nr;
	uint64_t types_nr[HBLK_TYPE_NR];
	uint64_t status_nr[HBLK_STATUS_NR];	/* by VIRTIO_BLK_S_* */
	uint64_t dropped_nr;
};

struct hblk;
struct hblk_req;

/*
 * @active:       somebody is in the middle of taking or completing requests
 * @in_flight_nr: taken and not completed; each has its place in @reqs, by head
 * @iov_pool:     seg_max buffers for each of @reqs
 */
struct hblk_queue {
	struct hblk *blk;
	uint32_t vq;
	struct hring *ring;
	struct hloop_source kick_source;
	struct hloop_source done_source;
	struct hstore_sink sink;
	struct hstore_req *done_first;
	struct hstore_req **done_last;
	bool active;
	uint32_t in_flight_nr;
	struct hblk_req *reqs;		/* by head */
	struct hiov *iov_pool;
	struct hring_chain *chain;
	struct hstore_req **batch;
	uint32_t batch_nr;
	struct hblk_queue_stats stats;
};

/*
 * @hpci.fn is the PCI function to give to the guest's bus. @hpci.reason: what
 * was wrong with the driver's bytes, NULL if nothing ever was.
 * @zones: zone is NULL if the disk is not host-managed
 * @paused: between hblk_pause and hblk_resume
 */
struct hblk {
	struct hpci hpci;
	struct hblk_config config;
	struct virtio_blk_config space;
	struct hzones zones;
	bool paused;
	uint8_t serial[HBLK_SERIAL_BYTES];
	uint32_t seg_max;
	uint32_t batch_max;
	struct hblk_queue *queue;
};

/*
 * A device ready to be probed. All memory it will ever need is allocated here.
 * 0, -EINVAL (see hblk_properties_check, struct hblk_config), -ENOMEM.
 */
int hblk_init(struct hblk *blk, const struct hblk_config *config);

/* Free everything. The simulation must be over: no event may come any more. */
void hblk_fini(struct hblk *blk);

/* Requests taken and not completed, over all queues. */
uint32_t hblk_in_flight_nr(const struct hblk *blk);

/* Forget the statistics of queues, rings and doorbells (end of the ramp). */
void hblk_reset_stats(struct hblk *blk);

#endif
