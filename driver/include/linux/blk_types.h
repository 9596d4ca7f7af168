/* SPDX-License-Identifier: GPL-2.0-only */
/* Basic types of the block layer: bio, status, operation and flags. */
#ifndef PORT_LINUX_BLK_TYPES_H
#define PORT_LINUX_BLK_TYPES_H

#include <linux/bvec.h>
#include <linux/device.h>
#include <linux/ktime.h>
#include <linux/types.h>

struct bio;
struct bio_crypt_ctx;
struct bio_integrity_payload;
struct bio_set;
struct blkcg_gq;
struct gendisk;
struct request_queue;
typedef void (bio_end_io_t)(struct bio *bio);

#define SECTOR_SHIFT		9
#define SECTOR_SIZE		(1 << SECTOR_SHIFT)
#define PAGE_SECTORS_SHIFT	(PAGE_SHIFT - SECTOR_SHIFT)
#define PAGE_SECTORS		(1 << PAGE_SECTORS_SHIFT)
#define SECTOR_MASK		(PAGE_SECTORS - 1)

#define BD_PARTNO		255
#define BD_READ_ONLY		(1u << 8)
#define BD_WRITE_HOLDER		(1u << 9)
#define BD_HAS_SUBMIT_BIO	(1u << 10)
#define BD_RO_WARNED		(1u << 11)

/* The kernel's first cache line; less of the rest, which no I/O touches. */
struct block_device {
	sector_t bd_start_sect;
	sector_t bd_nr_sectors;
	struct gendisk *bd_disk;
	struct request_queue *bd_queue;
	struct disk_stats __percpu *bd_stats;
	unsigned long bd_stamp;
	atomic_t __bd_flags;		/* BD_* and the partition number */
	dev_t bd_dev;
	atomic_t bd_openers;
	spinlock_t bd_size_lock;
	void *bd_holder;
	struct mutex bd_holder_lock;
	int bd_holders;
	struct kobject *bd_holder_dir;
	struct device bd_device;
};

_Static_assert(offsetof(struct block_device, bd_openers) == 56,
	       "block_device");

#define bdev_whole(bdev)	((bdev)->bd_disk->part0)
#define dev_to_bdev(device) \
	container_of((device), struct block_device, bd_device)
#define bdev_kobj(bdev)		(&((bdev)->bd_device.kobj))

typedef u8 blk_status_t;
#define BLK_STS_OK			0
#define BLK_STS_NOTSUPP			((blk_status_t)1)
#define BLK_STS_TIMEOUT			((blk_status_t)2)
#define BLK_STS_NOSPC			((blk_status_t)3)
#define BLK_STS_TRANSPORT		((blk_status_t)4)
#define BLK_STS_TARGET			((blk_status_t)5)
#define BLK_STS_RESV_CONFLICT		((blk_status_t)6)
#define BLK_STS_MEDIUM			((blk_status_t)7)
#define BLK_STS_PROTECTION		((blk_status_t)8)
#define BLK_STS_RESOURCE		((blk_status_t)9)
#define BLK_STS_IOERR			((blk_status_t)10)
#define BLK_STS_DM_REQUEUE		((blk_status_t)11)
#define BLK_STS_AGAIN			((blk_status_t)12)
#define BLK_STS_DEV_RESOURCE		((blk_status_t)13)
#define BLK_STS_ZONE_OPEN_RESOURCE	((blk_status_t)14)
#define BLK_STS_ZONE_ACTIVE_RESOURCE	((blk_status_t)15)
#define BLK_STS_OFFLINE			((blk_status_t)16)
#define BLK_STS_DURATION_LIMIT		((blk_status_t)17)
#define BLK_STS_INVAL			((blk_status_t)19)

typedef u32 blk_opf_t;
typedef u32 blk_mq_req_flags_t;
typedef unsigned int blk_qc_t;
#define BLK_QC_T_NONE -1U

#define REQ_OP_BITS	8
#define REQ_OP_MASK	((blk_opf_t)((1 << REQ_OP_BITS) - 1))
#define REQ_FLAG_BITS	24

/* odd: data goes to the device */
enum req_op {
	REQ_OP_READ = 0,
	REQ_OP_WRITE = 1,
	REQ_OP_FLUSH = 2,
	REQ_OP_DISCARD = 3,
	REQ_OP_SECURE_ERASE = 5,
	REQ_OP_ZONE_APPEND = 7,
	REQ_OP_WRITE_ZEROES = 9,
	REQ_OP_ZONE_OPEN = 11,
	REQ_OP_ZONE_CLOSE = 13,
	REQ_OP_ZONE_FINISH = 15,
	REQ_OP_ZONE_RESET = 17,
	REQ_OP_ZONE_RESET_ALL = 19,
	REQ_OP_DRV_IN = 34,
	REQ_OP_DRV_OUT = 35,
	REQ_OP_LAST = 36,
};

enum req_flag_bits {
	__REQ_FAILFAST_DEV = REQ_OP_BITS,
	__REQ_FAILFAST_TRANSPORT,
	__REQ_FAILFAST_DRIVER,
	__REQ_SYNC,
	__REQ_META,
	__REQ_PRIO,
	__REQ_NOMERGE,
	__REQ_IDLE,
	__REQ_INTEGRITY,
	__REQ_FUA,
	__REQ_PREFLUSH,
	__REQ_RAHEAD,
	__REQ_BACKGROUND,
	__REQ_NOWAIT,
	__REQ_POLLED,
	__REQ_ALLOC_CACHE,
	__REQ_SWAP,
	__REQ_DRV,
	__REQ_FS_PRIVATE,
	__REQ_ATOMIC,
	__REQ_NOUNMAP,
	__REQ_NR_BITS,
};

#define __PORT_REQ(name)	((blk_opf_t)(1ULL << __REQ_##name))
#define REQ_FAILFAST_DEV	__PORT_REQ(FAILFAST_DEV)
#define REQ_FAILFAST_TRANSPORT	__PORT_REQ(FAILFAST_TRANSPORT)
#define REQ_FAILFAST_DRIVER	__PORT_REQ(FAILFAST_DRIVER)
#define REQ_SYNC		__PORT_REQ(SYNC)
#define REQ_META		__PORT_REQ(META)
#define REQ_PRIO		__PORT_REQ(PRIO)
#define REQ_NOMERGE		__PORT_REQ(NOMERGE)
#define REQ_IDLE		__PORT_REQ(IDLE)
#define REQ_INTEGRITY		__PORT_REQ(INTEGRITY)
#define REQ_FUA			__PORT_REQ(FUA)
#define REQ_PREFLUSH		__PORT_REQ(PREFLUSH)
#define REQ_RAHEAD		__PORT_REQ(RAHEAD)
#define REQ_BACKGROUND		__PORT_REQ(BACKGROUND)
#define REQ_NOWAIT		__PORT_REQ(NOWAIT)
#define REQ_POLLED		__PORT_REQ(POLLED)
#define REQ_ALLOC_CACHE		__PORT_REQ(ALLOC_CACHE)
#define REQ_SWAP		__PORT_REQ(SWAP)
#define REQ_DRV			__PORT_REQ(DRV)
#define REQ_FS_PRIVATE		__PORT_REQ(FS_PRIVATE)
#define REQ_ATOMIC		__PORT_REQ(ATOMIC)
#define REQ_NOUNMAP		__PORT_REQ(NOUNMAP)
#define REQ_FAILFAST_MASK \
	(REQ_FAILFAST_DEV | REQ_FAILFAST_TRANSPORT | REQ_FAILFAST_DRIVER)
#define REQ_NOMERGE_FLAGS	(REQ_NOMERGE | REQ_PREFLUSH | REQ_FUA)

enum rw_hint {
	WRITE_LIFE_NOT_SET = 0,
	WRITE_LIFE_NONE = 1,
	WRITE_LIFE_SHORT = 2,
	WRITE_LIFE_MEDIUM = 3,
	WRITE_LIFE_LONG = 4,
	WRITE_LIFE_EXTREME = 5,
} __packed;

struct bio_issue {
	u64 value;
};

/* 128 bytes with cgroups and integrity, as Debian configures them */
struct bio {
	struct bio *bi_next;
	struct block_device *bi_bdev;
	blk_opf_t bi_opf;
	unsigned short bi_flags;
	unsigned short bi_ioprio;
	enum rw_hint bi_write_hint;
	blk_status_t bi_status;
	atomic_t __bi_remaining;
	struct bvec_iter bi_iter;
	union {
		blk_qc_t bi_cookie;
		unsigned int __bi_nr_segments;
	};
	bio_end_io_t *bi_end_io;
	void *bi_private;
	struct blkcg_gq *bi_blkg;
	struct bio_issue bi_issue;
	u64 bi_iocost_cost;
#ifdef CONFIG_BLK_INLINE_ENCRYPTION
	struct bio_crypt_ctx *bi_crypt_context;
#endif
	struct bio_integrity_payload *bi_integrity;
	unsigned short bi_vcnt;
	unsigned short bi_max_vecs;
	atomic_t __bi_cnt;
	struct bio_vec *bi_io_vec;
	struct bio_set *bi_pool;
	struct bio_vec bi_inline_vecs[];
};

#ifdef CONFIG_BLK_INLINE_ENCRYPTION
_Static_assert(sizeof(struct bio) == 136, "bio");
#else
_Static_assert(sizeof(struct bio) == 128, "bio");
#endif
_Static_assert(offsetof(struct bio, bi_private) == 64, "bio: first line");

/* numbers of the bits in bi_flags */
enum {
	BIO_PAGE_PINNED,
	BIO_CLONED,
	BIO_BOUNCED,
	BIO_QUIET,
	BIO_CHAIN,
	BIO_REFFED,
	BIO_BPS_THROTTLED,
	BIO_TRACE_COMPLETION,
	BIO_CGROUP_ACCT,
	BIO_QOS_THROTTLED,
	BIO_QOS_MERGED,
	BIO_REMAPPED,
	BIO_ZONE_WRITE_PLUGGING,
	BIO_EMULATES_ZONE_APPEND,
	BIO_FLAG_LAST
};

static inline enum req_op bio_op(const struct bio *bio)
{
	return bio->bi_opf & REQ_OP_MASK;
}

static inline bool op_is_write(blk_opf_t op)
{
	return op & 1;
}

static inline bool op_is_flush(blk_opf_t op)
{
	return op & (REQ_FUA | REQ_PREFLUSH);
}

static inline bool op_is_sync(blk_opf_t op)
{
	return (op & REQ_OP_MASK) == REQ_OP_READ ||
	       (op & (REQ_SYNC | REQ_FUA | REQ_PREFLUSH));
}

static inline bool op_is_discard(blk_opf_t op)
{
	return (op & REQ_OP_MASK) == REQ_OP_DISCARD;
}

static inline bool op_is_zone_mgmt(enum req_op op)
{
	enum req_op pure = op & REQ_OP_MASK;

	return pure >= REQ_OP_ZONE_OPEN && pure <= REQ_OP_ZONE_RESET_ALL;
}

#endif /* PORT_LINUX_BLK_TYPES_H */
