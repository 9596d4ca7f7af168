// SPDX-License-Identifier: GPL-2.0-only
/* Disks: from allocation by a driver to removal. */
#include <linux/blk-mq.h>
#include <linux/errno.h>
#include <linux/printk.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "model/guest/blk.h"
#include "model/guest/unmodelled.h"

static struct gendisk *first_disk;

struct gendisk *blk_first_disk(void)
{
	return first_disk;
}

static void blk_free_queue(struct request_queue *q)
{
	blk_mq_exit_queue(q);
	kfree(q);
}

struct request_queue *blk_mq_alloc_queue(struct blk_mq_tag_set *set,
					 struct queue_limits *lim,
					 void *queuedata)
{
	struct request_queue *q = kzalloc(sizeof(*q), GFP_KERNEL);
	int err;

	if (!q)
		return ERR_PTR(-ENOMEM);
	if (lim)
		q->limits = *lim;
	q->queuedata = queuedata;
	if (set->nr_maps > HCTX_TYPE_POLL && set->map[HCTX_TYPE_POLL].nr_queues)
		q->limits.features |= BLK_FEAT_POLL;
	err = blk_validate_limits(&q->limits);
	if (err) {
		kfree(q);
		return ERR_PTR(err);
	}
	err = blk_mq_init_queue(q, set);
	if (err) {
		blk_free_queue(q);
		return ERR_PTR(err);
	}
	return q;
}

void blk_put_queue(struct request_queue *q)
{
	blk_free_queue(q);
}

/*
 * Frozen means that all requests have ended. Whoever issued or ended the last
 * of them may still be inside the driver or use the queue, and a run may be
 * scheduled: those are waited for before the driver takes its parts away.
 */
void blk_mq_destroy_queue(struct request_queue *q)
{
	blk_queue_flag_set(QUEUE_FLAG_DYING, q);
	blk_freeze_queue_start(q);
	wake_up_all(&q->mq_freeze_wq);
	blk_mq_freeze_queue_wait(q);
	blk_mq_quiesce_queue(q);
	blk_mq_cancel_work_sync(q);
}

/* Runs when the last reference to the disk's device goes. */
static void disk_release(struct device *dev)
{
	struct gendisk *disk = dev_to_disk(dev);
	bool added = test_bit(GD_ADDED, &disk->state);

	blk_free_queue(disk->queue);
	if (added && disk->fops->free_disk)
		disk->fops->free_disk(disk);
	kfree(disk->part0);
	kfree(disk);
}

static const struct device_type disk_type = {
	.name = "disk",
	.release = disk_release,
};

static struct gendisk *disk_alloc(struct request_queue *q)
{
	struct gendisk *disk = kzalloc(sizeof(*disk), GFP_KERNEL);
	struct block_device *bdev = kzalloc(sizeof(*bdev), GFP_KERNEL);

	if (!disk || !bdev) {
		kfree(disk);
		kfree(bdev);
		return NULL;
	}
	disk->part0 = bdev;
	disk->queue = q;
	mutex_init(&disk->open_mutex);
	bdev->bd_disk = disk;
	bdev->bd_queue = q;
	spin_lock_init(&bdev->bd_size_lock);
	device_initialize(&bdev->bd_device);
	bdev->bd_device.type = &disk_type;
	q->disk = disk;
	return disk;
}

struct gendisk *__blk_mq_alloc_disk(struct blk_mq_tag_set *set,
				    struct queue_limits *lim, void *queuedata,
				    struct lock_class_key *lkclass)
{
	struct request_queue *q = blk_mq_alloc_queue(set, lim, queuedata);
	struct gendisk *disk;

	if (IS_ERR(q))
		return ERR_CAST(q);
	disk = disk_alloc(q);
	if (!disk) {
		blk_free_queue(q);
		return ERR_PTR(-ENOMEM);
	}
	set_bit(GD_OWNS_QUEUE, &disk->state);
	return disk;
}

int device_add_disk(struct device *parent, struct gendisk *disk,
		    const struct attribute_group **groups)
{
	struct device *dev = disk_to_dev(disk);
	int err;

	unmodelled_check_disk(disk);
	dev->parent = parent;
	dev->groups = groups;
	err = dev_set_name(dev, "%s", disk->disk_name);
	if (err)
		return err;
	err = device_add(dev);
	if (err)
		return err;
	set_bit(GD_ADDED, &disk->state);
	blk_queue_flag_set(QUEUE_FLAG_INIT_DONE, disk->queue);
	blk_queue_flag_set(QUEUE_FLAG_REGISTERED, disk->queue);
	if (!first_disk)
		first_disk = disk;
	return 0;
}

void del_gendisk(struct gendisk *disk)
{
	if (first_disk == disk)
		first_disk = NULL;
	set_bit(GD_DEAD, &disk->state);
	blk_mq_destroy_queue(disk->queue);
	set_capacity(disk, 0);
	device_del(disk_to_dev(disk));
}

void put_disk(struct gendisk *disk)
{
	if (disk)
		put_device(disk_to_dev(disk));
}

void set_disk_ro(struct gendisk *disk, bool read_only)
{
	if (read_only)
		set_bit(GD_READ_ONLY, &disk->state);
	else
		clear_bit(GD_READ_ONLY, &disk->state);
}

void set_capacity(struct gendisk *disk, sector_t size)
{
	spin_lock(&disk->part0->bd_size_lock);
	WRITE_ONCE(disk->part0->bd_nr_sectors, size);
	spin_unlock(&disk->part0->bd_size_lock);
}

bool set_capacity_and_notify(struct gendisk *disk, sector_t size)
{
	sector_t old = get_capacity(disk);

	set_capacity(disk, size);
	if (!old || old == size || !test_bit(GD_ADDED, &disk->state))
		return false;
	pr_info("%s: detected capacity change from %llu to %llu\n",
		disk->disk_name, (unsigned long long)old,
		(unsigned long long)size);
	return true;
}
