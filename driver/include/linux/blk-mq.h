/* SPDX-License-Identifier: GPL-2.0-only */
/* Multi-queue block drivers (API of Linux 6.1 and 6.12). */
#ifndef PORT_LINUX_BLK_MQ_H
#define PORT_LINUX_BLK_MQ_H

#include <linux/blkdev.h>
#include <linux/cpumask.h>
#include <linux/llist.h>
#include <linux/rbtree.h>
#include <linux/sbitmap.h>
#include <linux/scatterlist.h>

struct bio_crypt_ctx;
struct blk_crypto_keyslot;
struct io_cq;
struct srcu_struct;

#define BLKDEV_MIN_RQ		4
#define BLKDEV_DEFAULT_RQ	128

enum rq_end_io_ret {
	RQ_END_IO_NONE,
	RQ_END_IO_FREE,
};

typedef enum rq_end_io_ret (rq_end_io_fn)(struct request *rq,
					  blk_status_t status);

typedef u32 req_flags_t;

enum {
	__RQF_STARTED,
	__RQF_FLUSH_SEQ,
	__RQF_MIXED_MERGE,
	__RQF_DONTPREP,
	__RQF_SCHED_TAGS,
	__RQF_USE_SCHED,
	__RQF_FAILED,
	__RQF_QUIET,
	__RQF_IO_STAT,
	__RQF_PM,
	__RQF_HASHED,
	__RQF_STATS,
	__RQF_SPECIAL_PAYLOAD,
	__RQF_ZONE_WRITE_PLUGGING,
	__RQF_TIMED_OUT,
	__RQF_RESV,
	__RQF_BITS
};

#define __PORT_RQF(name)	((req_flags_t)(1 << __RQF_##name))
#define RQF_STARTED		__PORT_RQF(STARTED)
#define RQF_FLUSH_SEQ		__PORT_RQF(FLUSH_SEQ)
#define RQF_MIXED_MERGE		__PORT_RQF(MIXED_MERGE)
#define RQF_DONTPREP		__PORT_RQF(DONTPREP)
#define RQF_SCHED_TAGS		__PORT_RQF(SCHED_TAGS)
#define RQF_USE_SCHED		__PORT_RQF(USE_SCHED)
#define RQF_FAILED		__PORT_RQF(FAILED)
#define RQF_QUIET		__PORT_RQF(QUIET)
#define RQF_IO_STAT		__PORT_RQF(IO_STAT)
#define RQF_PM			__PORT_RQF(PM)
#define RQF_HASHED		__PORT_RQF(HASHED)
#define RQF_STATS		__PORT_RQF(STATS)
#define RQF_SPECIAL_PAYLOAD	__PORT_RQF(SPECIAL_PAYLOAD)
#define RQF_ZONE_WRITE_PLUGGING	__PORT_RQF(ZONE_WRITE_PLUGGING)
#define RQF_TIMED_OUT		__PORT_RQF(TIMED_OUT)
#define RQF_RESV		__PORT_RQF(RESV)

enum mq_rq_state {
	MQ_RQ_IDLE = 0,
	MQ_RQ_IN_FLIGHT = 1,
	MQ_RQ_COMPLETE = 2,
};

/*
 * Order and size are those of 6.12, since the driver's part (pdu) follows
 * directly: 248 bytes with Debian's options, 264 with inline encryption; 24
 * more in 6.1. The implementation's own state must fit into fields a driver
 * does not use.
 */
struct request {
	struct request_queue *q;
	struct blk_mq_ctx *mq_ctx;
	struct blk_mq_hw_ctx *mq_hctx;
	blk_opf_t cmd_flags;
	req_flags_t rq_flags;
	int tag;
	int internal_tag;
	unsigned int timeout;
	unsigned int __data_len;	/* bytes */
	sector_t __sector;
	struct bio *bio;
	struct bio *biotail;
	union {
		struct list_head queuelist;
		struct request *rq_next;
	};
	struct block_device *part;
#ifdef CONFIG_BLK_RQ_ALLOC_TIME
	u64 alloc_time_ns;
#endif
	u64 start_time_ns;
	u64 io_start_time_ns;
#ifdef CONFIG_BLK_WBT
	unsigned short wbt_flags;
#endif
	unsigned short stats_sectors;
	unsigned short nr_phys_segments;
	unsigned short nr_integrity_segments;
#ifdef CONFIG_BLK_INLINE_ENCRYPTION
	struct bio_crypt_ctx *crypt_ctx;
	struct blk_crypto_keyslot *crypt_keyslot;
#endif
	enum mq_rq_state state;
	atomic_t ref;
	unsigned long deadline;
	union {
		struct hlist_node hash;
		struct llist_node ipi_list;
	};
	union {
		struct rb_node rb_node;
		struct bio_vec special_vec;
	};
	struct {
		struct io_cq *icq;
		void *priv[2];
	} elv;
	struct {
		unsigned int seq;
		rq_end_io_fn *saved_end_io;
	} flush;
	u64 fifo_time;
	rq_end_io_fn *end_io;
	void *end_io_data;
	__API_REQUEST_TAIL
};

#ifdef CONFIG_BLK_INLINE_ENCRYPTION
_Static_assert(sizeof(struct request) == __API_REQUEST_BYTES + 16, "request");
#else
_Static_assert(sizeof(struct request) == __API_REQUEST_BYTES, "request");
#endif
_Static_assert(offsetof(struct request, biotail) == 64, "request: line 1");
_Static_assert(offsetof(struct request, part) == 88, "request: part");

static inline enum req_op req_op(const struct request *req)
{
	return req->cmd_flags & REQ_OP_MASK;
}

static inline bool blk_rq_is_passthrough(struct request *rq)
{
	return blk_op_is_passthrough(rq->cmd_flags);
}

static inline unsigned short req_get_ioprio(struct request *req)
{
	return req->bio ? req->bio->bi_ioprio : 0;
}

#define rq_data_dir(rq)	(op_is_write(req_op(rq)) ? WRITE : READ)
#define rq_dma_dir(rq) \
	(op_is_write(req_op(rq)) ? DMA_TO_DEVICE : DMA_FROM_DEVICE)

enum blk_eh_timer_return {
	BLK_EH_DONE,
	BLK_EH_RESET_TIMER,
};

/* A hardware queue; fields in the kernel's order. */
struct blk_mq_hw_ctx {
	struct {
		spinlock_t lock;
		struct list_head dispatch;
		unsigned long state;	/* BLK_MQ_S_* */
	} ____cacheline_aligned_in_smp;
	struct delayed_work run_work;
	cpumask_var_t cpumask;
	int next_cpu;
	int next_cpu_batch;
	unsigned long flags;
	void *sched_data;
	struct request_queue *queue;
	struct blk_flush_queue *fq;
	void *driver_data;
	struct sbitmap ctx_map;
	struct blk_mq_ctx *dispatch_from;
	unsigned int dispatch_busy;
	unsigned short type;		/* enum hctx_type */
	unsigned short nr_ctx;
	struct blk_mq_ctx **ctxs;
	spinlock_t dispatch_wait_lock;
	wait_queue_entry_t dispatch_wait;
	atomic_t wait_index;
	struct blk_mq_tags *tags;
	struct blk_mq_tags *sched_tags;
	unsigned int numa_node;
	unsigned int queue_num;
	atomic_t nr_active;
	struct hlist_node cpuhp_online;
	struct hlist_node cpuhp_dead;
	struct kobject kobj;
	struct list_head hctx_list;
};

_Static_assert(offsetof(struct blk_mq_hw_ctx, run_work) == 64, "hw_ctx");
_Static_assert(offsetof(struct blk_mq_hw_ctx, queue) == 184, "hw_ctx");
_Static_assert(offsetof(struct blk_mq_hw_ctx, tags) == 320, "hw_ctx");

struct blk_mq_queue_map {
	unsigned int *mq_map;		/* by CPU: hardware queue */
	unsigned int nr_queues;
	unsigned int queue_offset;
};

enum hctx_type {
	HCTX_TYPE_DEFAULT,
	HCTX_TYPE_READ,
	HCTX_TYPE_POLL,
	HCTX_MAX_TYPES,
};

struct blk_mq_tag_set {
	const struct blk_mq_ops *ops;
	struct blk_mq_queue_map map[HCTX_MAX_TYPES];
	unsigned int nr_maps;
	unsigned int nr_hw_queues;
	unsigned int queue_depth;
	unsigned int reserved_tags;
	unsigned int cmd_size;
	int numa_node;
	unsigned int timeout;
	unsigned int flags;
	void *driver_data;
	struct blk_mq_tags **tags;
	struct blk_mq_tags *shared_tags;
	struct mutex tag_list_lock;
	struct list_head tag_list;
	struct srcu_struct *srcu;
};

_Static_assert(sizeof(struct blk_mq_tag_set) == 168, "tag_set");

struct blk_mq_tags {
	unsigned int nr_tags;
	unsigned int nr_reserved_tags;
	unsigned int active_queues;
	struct sbitmap_queue bitmap_tags;
	struct sbitmap_queue breserved_tags;
	struct request **rqs;
	struct request **static_rqs;
	struct list_head page_list;
	spinlock_t lock;
};

struct blk_mq_queue_data {
	struct request *rq;
	bool last;			/* no more to follow at once */
};

typedef bool (busy_tag_iter_fn)(struct request *rq, void *data);

struct blk_mq_ops {
	blk_status_t (*queue_rq)(struct blk_mq_hw_ctx *hctx,
				 const struct blk_mq_queue_data *bd);
	void (*commit_rqs)(struct blk_mq_hw_ctx *hctx);
	void (*queue_rqs)(__api_rq_list *rqlist);
	int (*get_budget)(struct request_queue *q);
	void (*put_budget)(struct request_queue *q, int token);
	void (*set_rq_budget_token)(struct request *rq, int token);
	int (*get_rq_budget_token)(struct request *rq);
	enum blk_eh_timer_return (*timeout)(struct request *rq);
	int (*poll)(struct blk_mq_hw_ctx *hctx, struct io_comp_batch *iob);
	void (*complete)(struct request *rq);
	int (*init_hctx)(struct blk_mq_hw_ctx *hctx, void *driver_data,
			 unsigned int hctx_idx);
	void (*exit_hctx)(struct blk_mq_hw_ctx *hctx, unsigned int hctx_idx);
	int (*init_request)(struct blk_mq_tag_set *set, struct request *rq,
			    unsigned int hctx_idx, unsigned int numa_node);
	void (*exit_request)(struct blk_mq_tag_set *set, struct request *rq,
			     unsigned int hctx_idx);
	void (*cleanup_rq)(struct request *rq);
	bool (*busy)(struct request_queue *q);
	void (*map_queues)(struct blk_mq_tag_set *set);
};

enum {
	BLK_MQ_F_SHOULD_MERGE = 1 << 0,
	BLK_MQ_F_TAG_QUEUE_SHARED = 1 << 1,
	BLK_MQ_F_STACKING = 1 << 2,
	BLK_MQ_F_TAG_HCTX_SHARED = 1 << 3,
	BLK_MQ_F_BLOCKING = 1 << 4,
	BLK_MQ_F_NO_SCHED = 1 << 5,
	BLK_MQ_F_NO_SCHED_BY_DEFAULT = 1 << 6,
	/* not the kernel's: queue_rqs expects the newest request first */
	__API_BLK_MQ_F_NEWEST_FIRST = 1 << 30,
};

#define BLK_MQ_MAX_DEPTH	10240
#define BLK_MQ_NO_HCTX_IDX	(-1U)
#define BLK_MQ_NO_TAG		(-1U)

/* bits of blk_mq_hw_ctx.state */
enum {
	BLK_MQ_S_STOPPED,
	BLK_MQ_S_TAG_ACTIVE,
	BLK_MQ_S_SCHED_RESTART,
	BLK_MQ_S_INACTIVE,
	BLK_MQ_S_MAX
};

enum {
	BLK_MQ_REQ_NOWAIT = 1 << 0,
	BLK_MQ_REQ_RESERVED = 1 << 1,
	BLK_MQ_REQ_PM = 1 << 2,
};

/* set-up; functions with an int result give 0 or a negative errno */
int blk_mq_alloc_tag_set(struct blk_mq_tag_set *set);
void blk_mq_free_tag_set(struct blk_mq_tag_set *set);
/* lim may be NULL; ERR_PTR() on failure */
struct gendisk *__blk_mq_alloc_disk(struct blk_mq_tag_set *set,
				    struct queue_limits *lim, void *queuedata,
				    struct lock_class_key *lkclass);
struct request_queue *blk_mq_alloc_queue(struct blk_mq_tag_set *set,
					 struct queue_limits *lim,
					 void *queuedata);
void blk_mq_destroy_queue(struct request_queue *q);
void blk_put_queue(struct request_queue *q);
void blk_mq_map_queues(struct blk_mq_queue_map *qmap);
void blk_mq_update_nr_hw_queues(struct blk_mq_tag_set *set, int nr_hw_queues);

/* ERR_PTR() on failure */
struct request *blk_mq_alloc_request(struct request_queue *q, blk_opf_t opf,
				     blk_mq_req_flags_t flags);
void blk_mq_free_request(struct request *rq);

/* life of a request */
void blk_mq_start_request(struct request *rq);
void blk_mq_complete_request(struct request *rq);
/* true: the completion was sent to another CPU */
bool blk_mq_complete_request_remote(struct request *rq);
void blk_mq_end_request(struct request *rq, blk_status_t error);
void __blk_mq_end_request(struct request *rq, blk_status_t error);
void blk_mq_end_request_batch(struct io_comp_batch *iob);
/* true: parts of the request are still to be done */
bool blk_update_request(struct request *rq, blk_status_t error,
			unsigned int nr_bytes);
void blk_mq_requeue_request(struct request *rq, bool kick_requeue_list);
void blk_mq_kick_requeue_list(struct request_queue *q);
void blk_mq_delay_kick_requeue_list(struct request_queue *q,
				    unsigned long msecs);
void blk_abort_request(struct request *rq);
blk_status_t blk_execute_rq(struct request *rq, bool at_head);
void blk_execute_rq_nowait(struct request *rq, bool at_head);
int blk_rq_poll(struct request *rq, struct io_comp_batch *iob,
		unsigned int poll_flags);

/* queues on and off */
void blk_mq_stop_hw_queue(struct blk_mq_hw_ctx *hctx);
void blk_mq_start_hw_queue(struct blk_mq_hw_ctx *hctx);
void blk_mq_stop_hw_queues(struct request_queue *q);
void blk_mq_start_hw_queues(struct request_queue *q);
void blk_mq_start_stopped_hw_queue(struct blk_mq_hw_ctx *hctx, bool async);
void blk_mq_start_stopped_hw_queues(struct request_queue *q, bool async);
void blk_mq_run_hw_queue(struct blk_mq_hw_ctx *hctx, bool async);
void blk_mq_run_hw_queues(struct request_queue *q, bool async);
void blk_mq_delay_run_hw_queue(struct blk_mq_hw_ctx *hctx,
			       unsigned long msecs);
void blk_mq_quiesce_queue(struct request_queue *q);
void blk_mq_quiesce_queue_nowait(struct request_queue *q);
void blk_mq_unquiesce_queue(struct request_queue *q);
void blk_mq_freeze_queue(struct request_queue *q);
void blk_mq_unfreeze_queue(struct request_queue *q);
void blk_freeze_queue_start(struct request_queue *q);
void blk_mq_freeze_queue_wait(struct request_queue *q);
void blk_mq_tagset_busy_iter(struct blk_mq_tag_set *tagset,
			     busy_tag_iter_fn *fn, void *priv);
void blk_mq_tagset_wait_completed_request(struct blk_mq_tag_set *tagset);

static inline enum mq_rq_state blk_mq_rq_state(struct request *rq)
{
	return READ_ONCE(rq->state);
}

static inline int blk_mq_request_started(struct request *rq)
{
	return blk_mq_rq_state(rq) != MQ_RQ_IDLE;
}

static inline int blk_mq_request_completed(struct request *rq)
{
	return blk_mq_rq_state(rq) == MQ_RQ_COMPLETE;
}

static inline void blk_mq_set_request_complete(struct request *rq)
{
	WRITE_ONCE(rq->state, MQ_RQ_COMPLETE);
}

static inline bool blk_mq_is_reserved_rq(struct request *rq)
{
	return rq->rq_flags & RQF_RESV;
}

static inline bool blk_mq_need_time_stamp(struct request *rq)
{
	return !blk_rq_is_passthrough(rq) &&
	       (rq->rq_flags & (RQF_IO_STAT | RQF_STATS | RQF_USE_SCHED));
}

#include <linux/api-blk-mq.h>

static inline struct request *blk_mq_tag_to_rq(struct blk_mq_tags *tags,
					       unsigned int tag)
{
	return tag < tags->nr_tags ? tags->rqs[tag] : NULL;
}

/* hardware queue in the upper, tag in the lower 16 bits */
static inline u32 blk_mq_unique_tag(struct request *rq)
{
	return rq->mq_hctx->queue_num << 16 | (rq->tag & 0xffff);
}

static inline u16 blk_mq_unique_tag_to_hwq(u32 unique_tag)
{
	return unique_tag >> 16;
}

static inline u16 blk_mq_unique_tag_to_tag(u32 unique_tag)
{
	return unique_tag & 0xffff;
}

/* CONFIG_FAIL_IO_TIMEOUT is off */
static inline bool
blk_should_fake_timeout(struct request_queue *q __always_unused)
{
	return false;
}

/* the driver's part of a request lies behind it */
static inline struct request *blk_mq_rq_from_pdu(void *pdu)
{
	return pdu - sizeof(struct request);
}

static inline void *blk_mq_rq_to_pdu(struct request *rq)
{
	return rq + 1;
}

#define queue_for_each_hw_ctx(q, hctx, i) \
	for ((i) = 0; (i) < (q)->nr_hw_queues && \
	     ((hctx = ((struct blk_mq_hw_ctx **) \
		       (q)->hctx_table.xa_head)[i]), 1); (i)++)
#define hctx_for_each_ctx(hctx, ctx, i) \
	for ((i) = 0; (i) < (hctx)->nr_ctx && \
	     ((ctx = (hctx)->ctxs[i]), 1); (i)++)

/* place and size of a request */
static inline sector_t blk_rq_pos(const struct request *rq)
{
	return rq->__sector;
}

static inline unsigned int blk_rq_bytes(const struct request *rq)
{
	return rq->__data_len;
}

static inline unsigned int blk_rq_sectors(const struct request *rq)
{
	return blk_rq_bytes(rq) >> SECTOR_SHIFT;
}

static inline unsigned int blk_rq_stats_sectors(const struct request *rq)
{
	return rq->stats_sectors;
}

static inline unsigned int blk_rq_payload_bytes(struct request *rq)
{
	return rq->rq_flags & RQF_SPECIAL_PAYLOAD ? rq->special_vec.bv_len :
						    blk_rq_bytes(rq);
}

static inline unsigned short blk_rq_nr_phys_segments(struct request *rq)
{
	return rq->rq_flags & RQF_SPECIAL_PAYLOAD ? 1 : rq->nr_phys_segments;
}

static inline unsigned short blk_rq_nr_discard_segments(struct request *rq)
{
	return max_t(unsigned short, rq->nr_phys_segments, 1);
}

static inline bool rq_is_sync(struct request *rq)
{
	return op_is_sync(rq->cmd_flags);
}

static inline void blk_rq_bio_prep(struct request *rq, struct bio *bio,
				   unsigned int nr_segs)
{
	rq->bio = bio;
	rq->biotail = bio;
	rq->__data_len = bio->bi_iter.bi_size;
	rq->nr_phys_segments = nr_segs;
}

struct req_iterator {
	struct bvec_iter iter;
	struct bio *bio;
};

#define __rq_for_each_bio(_bio, rq) \
	for (_bio = (rq)->bio; _bio; _bio = _bio->bi_next)
#define rq_for_each_bvec(bvl, rq, rq_iter) \
	__rq_for_each_bio(rq_iter.bio, rq) \
		bio_for_each_bvec(bvl, rq_iter.bio, rq_iter.iter)

int blk_rq_map_kern(struct request_queue *q, struct request *rq, void *kbuf,
		    unsigned int len, gfp_t gfp);
int blk_rq_unmap_user(struct bio *bio);
int blk_rq_append_bio(struct request *rq, struct bio *bio);

/*
 * Fills sglist, which has blk_rq_nr_phys_segments() entries. Result: entries
 * used. *last_sg: the last one.
 */
int __blk_rq_map_sg(struct request_queue *q, struct request *rq,
		    struct scatterlist *sglist, struct scatterlist **last_sg);

static inline int blk_rq_map_sg(struct request_queue *q, struct request *rq,
				struct scatterlist *sglist)
{
	struct scatterlist *last_sg = NULL;

	return __blk_rq_map_sg(q, rq, sglist, &last_sg);
}

#endif /* PORT_LINUX_BLK_MQ_H */
