/* SPDX-License-Identifier: GPL-2.0-only */
/* Disks, request queues, their limits, plugs (API of Linux 6.1 and 6.12). */
#ifndef PORT_LINUX_BLKDEV_H
#define PORT_LINUX_BLKDEV_H

#include <linux/api.h>
#include <linux/bio.h>
#include <linux/blk_types.h>
#include <linux/blkzoned.h>
#include <linux/device.h>
#include <linux/hdreg.h>
#include <linux/kdev_t.h>
#include <linux/list.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/percpu-refcount.h>
#include <linux/rcupdate.h>
#include <linux/sbitmap.h>
#include <linux/sched.h>
#include <linux/timer.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>

struct blk_flush_queue;
struct blk_mq_ctx;
struct blk_mq_ops;
struct blk_mq_tag_set;
struct blk_mq_tags;
struct blk_queue_stats;
struct elevator_queue;
struct io_comp_batch;
struct module;
struct pr_ops;
struct request;
struct rq_qos;

#define DISK_MAX_PARTS	256
#define DISK_NAME_LEN	32

enum {
	GENHD_FL_REMOVABLE = 1 << 0,
	GENHD_FL_HIDDEN = 1 << 1,
	GENHD_FL_NO_PART = 1 << 2,
};

/* API 6.12 */
typedef unsigned int blk_mode_t;
#define BLK_OPEN_READ	((blk_mode_t)(1 << 0))
#define BLK_OPEN_WRITE	((blk_mode_t)(1 << 1))
#define BLK_OPEN_EXCL	((blk_mode_t)(1 << 2))
#define BLK_OPEN_NDELAY	((blk_mode_t)(1 << 3))

/* bits of gendisk.state */
#define GD_NEED_PART_SCAN	0
#define GD_READ_ONLY		1
#define GD_DEAD			2
#define GD_NATIVE_CAPACITY	3
#define GD_ADDED		4
#define GD_SUPPRESS_PART_SCAN	5
#define GD_OWNS_QUEUE		6

struct gendisk {
	int major;
	int first_minor;
	int minors;
	char disk_name[DISK_NAME_LEN];
	unsigned short events;
	unsigned short event_flags;
	struct xarray part_tbl;
	struct block_device *part0;
	const struct block_device_operations *fops;
	struct request_queue *queue;
	void *private_data;
	struct bio_set bio_split;
	int flags;
	unsigned long state;
	struct mutex open_mutex;
	unsigned int open_partitions;
	struct kobject queue_kobj;
#ifdef CONFIG_BLK_DEV_ZONED
	unsigned int nr_zones;
	unsigned int zone_capacity;
	unsigned int last_zone_capacity;
#endif
	int node_id;
	u64 diskseq;
	blk_mode_t open_mode;
};

#define dev_to_disk(device)	(dev_to_bdev(device)->bd_disk)
#define disk_to_dev(disk)	(&((disk)->part0->bd_device))

typedef unsigned int blk_features_t;
#define BLK_FEAT_WRITE_CACHE		((blk_features_t)(1u << 0))
#define BLK_FEAT_FUA			((blk_features_t)(1u << 1))
#define BLK_FEAT_ROTATIONAL		((blk_features_t)(1u << 2))
#define BLK_FEAT_ADD_RANDOM		((blk_features_t)(1u << 3))
#define BLK_FEAT_IO_STAT		((blk_features_t)(1u << 4))
#define BLK_FEAT_STABLE_WRITES		((blk_features_t)(1u << 5))
#define BLK_FEAT_SYNCHRONOUS		((blk_features_t)(1u << 6))
#define BLK_FEAT_NOWAIT			((blk_features_t)(1u << 7))
#define BLK_FEAT_DAX			((blk_features_t)(1u << 8))
#define BLK_FEAT_POLL			((blk_features_t)(1u << 9))
#define BLK_FEAT_ZONED			((blk_features_t)(1u << 10))
#define BLK_FEAT_PCI_P2PDMA		((blk_features_t)(1u << 12))
#define BLK_FEAT_SKIP_TAGSET_QUIESCE	((blk_features_t)(1u << 13))
#define BLK_FEAT_BOUNCE_HIGH		((blk_features_t)(1u << 14))

typedef unsigned int blk_flags_t;
#define BLK_FLAG_WRITE_CACHE_DISABLED	((blk_flags_t)(1u << 0))
#define BLK_FLAG_MISALIGNED		((blk_flags_t)(1u << 1))

struct blk_integrity {
	unsigned char flags;
	unsigned char csum_type;
	unsigned char tuple_size;
	unsigned char pi_offset;
	unsigned char interval_exp;
	unsigned char tag_size;
};

/*
 * Layout of 6.12. Sizes in bytes, or in sectors of 512 where the name says so.
 */
struct queue_limits {
	blk_features_t features;
	blk_flags_t flags;
	unsigned long seg_boundary_mask;
	unsigned long virt_boundary_mask;
	unsigned int max_hw_sectors;
	unsigned int max_dev_sectors;
	unsigned int chunk_sectors;
	unsigned int max_sectors;
	unsigned int max_user_sectors;
	unsigned int max_segment_size;
	unsigned int physical_block_size;
	unsigned int logical_block_size;
	unsigned int alignment_offset;
	unsigned int io_min;
	unsigned int io_opt;
	unsigned int max_discard_sectors;
	unsigned int max_hw_discard_sectors;
	unsigned int max_user_discard_sectors;
	unsigned int max_secure_erase_sectors;
	unsigned int max_write_zeroes_sectors;
	unsigned int max_zone_append_sectors;
	unsigned int discard_granularity;
	unsigned int discard_alignment;
	unsigned int zone_write_granularity;
	unsigned int atomic_write_hw_max;
	unsigned int atomic_write_max_sectors;
	unsigned int atomic_write_hw_boundary;
	unsigned int atomic_write_boundary_sectors;
	unsigned int atomic_write_hw_unit_min;
	unsigned int atomic_write_unit_min;
	unsigned int atomic_write_hw_unit_max;
	unsigned int atomic_write_unit_max;
	unsigned short max_segments;
	unsigned short max_integrity_segments;
	unsigned short max_discard_segments;
	unsigned int max_open_zones;
	unsigned int max_active_zones;
	unsigned int dma_alignment;
	unsigned int dma_pad_mask;
	struct blk_integrity integrity;
};

enum blk_default_limits {
	BLK_MAX_SEGMENTS = 128,
	BLK_SAFE_MAX_SECTORS = 255,
	BLK_MAX_SEGMENT_SIZE = 65536,
	BLK_SEG_BOUNDARY_MASK = 0xffffffffU,
};

/*
 * Fields in the kernel's order. hctx_table.xa_head is not a radix tree but an
 * array of nr_hw_queues pointers, see queue_for_each_hw_ctx().
 */
struct request_queue {
	void *queuedata;
	struct elevator_queue *elevator;
	const struct blk_mq_ops *mq_ops;
	struct blk_mq_ctx __percpu *queue_ctx;
	unsigned long queue_flags;
	unsigned int rq_timeout;
	unsigned int queue_depth;
	refcount_t refs;
	unsigned int nr_hw_queues;
	struct xarray hctx_table;
	struct percpu_ref q_usage_counter;
	struct request *last_merge;
	spinlock_t queue_lock;
	int quiesce_depth;
	struct gendisk *disk;
	struct kobject *mq_kobj;
	struct queue_limits limits;
	struct device *dev;
	unsigned int rpm_status;
	atomic_t pm_only;
	struct blk_queue_stats *stats;
	struct rq_qos *rq_qos;
	struct mutex rq_qos_mutex;
	int id;
	unsigned long nr_requests;
	struct timer_list timeout;
	struct work_struct timeout_work;
	atomic_t nr_active_requests_shared_tags;
	struct blk_mq_tags *sched_shared_tags;
	struct list_head icq_list;
	int node;
	spinlock_t requeue_lock;
	struct list_head requeue_list;
	struct delayed_work requeue_work;
	struct blk_flush_queue *fq;
	struct list_head flush_list;
	struct mutex sysfs_lock;
	struct mutex sysfs_dir_lock;
	struct mutex limits_lock;
	struct list_head unused_hctx_list;
	spinlock_t unused_hctx_lock;
	int mq_freeze_depth;
	struct rcu_head rcu_head;
	wait_queue_head_t mq_freeze_wq;
	struct mutex mq_freeze_lock;
	struct blk_mq_tag_set *tag_set;
	struct list_head tag_set_list;
	bool mq_sysfs_init_done;
};

_Static_assert(offsetof(struct request_queue, hctx_table) == 56,
	       "request_queue");

/* bits of request_queue.queue_flags */
enum {
	QUEUE_FLAG_DYING,
	QUEUE_FLAG_NOMERGES,
	QUEUE_FLAG_SAME_COMP,
	QUEUE_FLAG_FAIL_IO,
	QUEUE_FLAG_NOXMERGES,
	QUEUE_FLAG_SAME_FORCE,
	QUEUE_FLAG_INIT_DONE,
	QUEUE_FLAG_STATS,
	QUEUE_FLAG_REGISTERED,
	QUEUE_FLAG_QUIESCED,
	QUEUE_FLAG_RQ_ALLOC_TIME,
	QUEUE_FLAG_HCTX_ACTIVE,
	QUEUE_FLAG_SQ_SCHED,
	QUEUE_FLAG_MAX
};

#define QUEUE_FLAG_MQ_DEFAULT	(1UL << QUEUE_FLAG_SAME_COMP)
#define __port_queue_flag(q, name) \
	test_bit(QUEUE_FLAG_##name, &(q)->queue_flags)
#define blk_queue_dying(q)	__port_queue_flag(q, DYING)
#define blk_queue_init_done(q)	__port_queue_flag(q, INIT_DONE)
#define blk_queue_nomerges(q)	__port_queue_flag(q, NOMERGES)
#define blk_queue_quiesced(q)	__port_queue_flag(q, QUIESCED)
#define blk_queue_registered(q)	__port_queue_flag(q, REGISTERED)
#define blk_queue_nonrot(q) \
	(!((q)->limits.features & BLK_FEAT_ROTATIONAL))
#define blk_queue_io_stat(q)	((q)->limits.features & BLK_FEAT_IO_STAT)
void blk_queue_flag_set(unsigned int flag, struct request_queue *q);
void blk_queue_flag_clear(unsigned int flag, struct request_queue *q);

static inline bool blk_queue_is_zoned(struct request_queue *q)
{
	return IS_ENABLED(CONFIG_BLK_DEV_ZONED) &&
	       (q->limits.features & BLK_FEAT_ZONED);
}

static inline bool blk_op_is_passthrough(blk_opf_t op)
{
	return (op & REQ_OP_MASK) == REQ_OP_DRV_IN ||
	       (op & REQ_OP_MASK) == REQ_OP_DRV_OUT;
}

/* 0 or -EINVAL */
static inline int blk_validate_block_size(unsigned long bsize)
{
	return bsize >= SECTOR_SIZE && bsize <= PAGE_SIZE &&
	       is_power_of_2(bsize) ? 0 : -EINVAL;
}

#define __PORT_QUEUE_LIMIT(ctype, name, field) \
static inline ctype queue_##name(const struct request_queue *q) \
{ \
	return q->limits.field; \
}

__PORT_QUEUE_LIMIT(unsigned long, segment_boundary, seg_boundary_mask)
__PORT_QUEUE_LIMIT(unsigned long, virt_boundary, virt_boundary_mask)
__PORT_QUEUE_LIMIT(unsigned int, max_sectors, max_sectors)
__PORT_QUEUE_LIMIT(unsigned int, max_hw_sectors, max_hw_sectors)
__PORT_QUEUE_LIMIT(unsigned short, max_segments, max_segments)
__PORT_QUEUE_LIMIT(unsigned short, max_discard_segments, max_discard_segments)
__PORT_QUEUE_LIMIT(unsigned int, max_segment_size, max_segment_size)
__PORT_QUEUE_LIMIT(unsigned int, logical_block_size, logical_block_size)
__PORT_QUEUE_LIMIT(unsigned int, physical_block_size, physical_block_size)
__PORT_QUEUE_LIMIT(unsigned int, io_min, io_min)
__PORT_QUEUE_LIMIT(unsigned int, io_opt, io_opt)
__PORT_QUEUE_LIMIT(unsigned int, dma_alignment, dma_alignment)

/*
 * Changing limits of a live queue (6.1 has setters instead): start takes
 * limits_lock and returns a copy, commit (or cancel) releases it. 0 or
 * -EINVAL.
 */
static inline struct queue_limits
queue_limits_start_update(struct request_queue *q)
{
	mutex_lock(&q->limits_lock);
	return q->limits;
}

int queue_limits_commit_update(struct request_queue *q,
			       struct queue_limits *lim);
/* the same with the queue frozen around it */
int queue_limits_commit_update_frozen(struct request_queue *q,
				      struct queue_limits *lim);
int queue_limits_set(struct request_queue *q, struct queue_limits *lim);

static inline void queue_limits_cancel_update(struct request_queue *q)
{
	mutex_unlock(&q->limits_lock);
}

void blk_set_stacking_limits(struct queue_limits *lim);
void blk_queue_rq_timeout(struct request_queue *q, unsigned int timeout);

/* zones */
typedef int (*report_zones_cb)(struct blk_zone *zone, unsigned int idx,
			       void *data);
#define BLK_ALL_ZONES ((unsigned int)-1)
/* declared always: callers ask IS_ENABLED(CONFIG_BLK_DEV_ZONED) */
int blk_revalidate_disk_zones(struct gendisk *disk);

#ifdef CONFIG_BLK_DEV_ZONED
#define disk_nr_zones(disk) ((disk)->nr_zones)
#else
#define disk_nr_zones(disk) ((void)(disk), 0U)
#endif

/* disks */
enum blk_unique_id {
	BLK_UID_T10 = 1,
	BLK_UID_EUI64 = 2,
	BLK_UID_NAA = 3,
};

struct block_device_operations {
	void (*submit_bio)(struct bio *bio);
	int (*poll_bio)(struct bio *bio, struct io_comp_batch *iob,
			unsigned int flags);
	int (*open)(struct gendisk *disk, blk_mode_t mode);
	void (*release)(struct gendisk *disk);
	int (*ioctl)(struct block_device *bdev, blk_mode_t mode,
		     unsigned int cmd, unsigned long arg);
	int (*compat_ioctl)(struct block_device *bdev, blk_mode_t mode,
			    unsigned int cmd, unsigned long arg);
	unsigned int (*check_events)(struct gendisk *disk,
				     unsigned int clearing);
	void (*unlock_native_capacity)(struct gendisk *disk);
	int (*getgeo)(struct block_device *bdev, struct hd_geometry *geo);
	int (*set_read_only)(struct block_device *bdev, bool ro);
	void (*free_disk)(struct gendisk *disk);
	void (*swap_slot_free_notify)(struct block_device *bdev,
				      unsigned long offset);
	int (*report_zones)(struct gendisk *disk, sector_t sector,
			    unsigned int nr_zones, report_zones_cb cb,
			    void *data);
	char *(*devnode)(struct gendisk *disk, umode_t *mode);
	int (*get_unique_id)(struct gendisk *disk, u8 id[16],
			     enum blk_unique_id id_type);
	struct module *owner;
	const struct pr_ops *pr_ops;
	int (*alternative_gpt_sector)(struct gendisk *disk, sector_t *sector);
};

#define blkdev_compat_ptr_ioctl NULL

int __must_check device_add_disk(struct device *parent, struct gendisk *disk,
				 const struct attribute_group **groups);
void del_gendisk(struct gendisk *disk);
void put_disk(struct gendisk *disk);
void set_disk_ro(struct gendisk *disk, bool read_only);
void set_capacity(struct gendisk *disk, sector_t size);
/* true: user space was told of a change */
bool set_capacity_and_notify(struct gendisk *disk, sector_t size);
void blk_mark_disk_dead(struct gendisk *disk);

static inline int __must_check add_disk(struct gendisk *disk)
{
	return device_add_disk(NULL, disk, NULL);
}

static inline dev_t disk_devt(struct gendisk *disk)
{
	return MKDEV(disk->major, disk->first_minor);
}

static inline sector_t bdev_nr_sectors(struct block_device *bdev)
{
	return bdev->bd_nr_sectors;
}

static inline sector_t get_capacity(struct gendisk *disk)
{
	return bdev_nr_sectors(disk->part0);
}

static inline bool bdev_test_flag(const struct block_device *bdev,
				  unsigned int flag)
{
	return atomic_read(&bdev->__bd_flags) & flag;
}

static inline int get_disk_ro(struct gendisk *disk)
{
	return bdev_test_flag(disk->part0, BD_READ_ONLY) ||
	       test_bit(GD_READ_ONLY, &disk->state);
}

static inline struct request_queue *bdev_get_queue(struct block_device *bdev)
{
	return bdev->bd_queue;
}

/* The major chosen if 0 was asked for, else 0; or a negative errno. */
int __register_blkdev(unsigned int major, const char *name,
		      void (*probe)(dev_t devt));
#define register_blkdev(major, name) __register_blkdev(major, name, NULL)
void unregister_blkdev(unsigned int major, const char *name);

int blk_status_to_errno(blk_status_t status);
blk_status_t errno_to_blk_status(int errno);
const char *blk_op_str(enum req_op op);
#define BLK_POLL_ONESHOT (1 << 0)
int bio_poll(struct bio *bio, struct io_comp_batch *iob, unsigned int flags);

#include <linux/api-blkdev.h>

struct blk_plug {
	__API_RQ_LIST(mq_list);		/* waiting for the unplug */
	__API_RQ_LIST(cached_rqs);	/* allocated ahead */
	u64 cur_ktime;
	unsigned short nr_ios;
	unsigned short rq_count;
	bool multiple_queues;
	bool has_elevator;
	struct list_head cb_list;
};

_Static_assert(sizeof(struct blk_plug) == 64, "blk_plug");

void blk_start_plug(struct blk_plug *plug);
void blk_start_plug_nr_ios(struct blk_plug *plug, unsigned short nr_ios);
void blk_finish_plug(struct blk_plug *plug);
void __blk_flush_plug(struct blk_plug *plug, bool from_schedule);

static inline void blk_flush_plug(struct blk_plug *plug, bool async)
{
	if (plug)
		__blk_flush_plug(plug, async);
}

/* Completions gathered in a poll or an interrupt. */
struct io_comp_batch {
	__API_RQ_LIST(req_list);
	bool need_ts;
	void (*complete)(struct io_comp_batch *iob);
};

_Static_assert(offsetof(struct io_comp_batch, need_ts) == 16, "io_comp_batch");

#define DEFINE_IO_COMP_BATCH(name) struct io_comp_batch name = { }
int kblockd_schedule_work(struct work_struct *work);
int kblockd_mod_delayed_work_on(int cpu, struct delayed_work *dwork,
				unsigned long delay);

#endif /* PORT_LINUX_BLKDEV_H */
