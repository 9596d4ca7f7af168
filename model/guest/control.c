// SPDX-License-Identifier: GPL-2.0-only
#include "model/guest/control_task.h"

#include <linux/blkdev.h>
#include <linux/bio.h>
#include <linux/gfp.h>
#include <linux/printk.h>
#include <linux/string.h>

#include "model/guest/blk.h"
#include "model/guest/module.h"
#include "model/guest/sysfs.h"
#include "model/guest/task.h"
#include "model/guest/virtio.h"
#include "model/guest/virtio_pci.h"
#include "sim/sim.h"

static struct {
	const struct control_action *action;
	u32 nr;
	u32 done_nr;
	u64 start_ps;
	struct gendisk *disk;
	int64_t result[CONTROL_ACTIONS_MAX];
} control;

/* One bio of @op over sectors; waits for its end. */
static int control_bio(enum req_op op, sector_t sector, u64 sectors)
{
	struct bio *bio = bio_alloc(control.disk->part0, 0, op, GFP_KERNEL);
	int err;

	if (!bio)
		return -ENOMEM;
	bio->bi_iter.bi_sector = sector;
	bio->bi_iter.bi_size = sectors << SECTOR_SHIFT;
	err = submit_bio_wait(bio);
	bio_put(bio);
	return err;
}

/* A bio's size is 32 bits: long ranges take several. */
static int control_range(enum req_op op, const struct control_action *a)
{
	sector_t sector = a->offset >> SECTOR_SHIFT;
	u64 left = a->bytes >> SECTOR_SHIFT;
	int err = 0;

	while (left && !err) {
		u64 part = min_t(u64, left, UINT_MAX >> SECTOR_SHIFT);

		part = part == left ? part : round_down(part, PAGE_SECTORS);
		err = control_bio(op, sector, part);
		sector += part;
		left -= part;
	}
	return err;
}

static int control_zone_append(const struct control_action *a)
{
	unsigned int len = queue_logical_block_size(control.disk->queue);
	struct page *page = alloc_page(GFP_KERNEL | __GFP_ZERO);
	struct bio *bio;
	int err = -ENOMEM;

	if (!page)
		return -ENOMEM;
	bio = bio_alloc(control.disk->part0, 1, REQ_OP_ZONE_APPEND,
			GFP_KERNEL);
	if (bio) {
		bio->bi_iter.bi_sector = a->offset >> SECTOR_SHIFT;
		__bio_add_page(bio, page, len, 0);
		err = submit_bio_wait(bio);
		bio_put(bio);
	}
	__free_page(page);
	return err;
}

static int control_count_zone(struct blk_zone *zone, unsigned int idx,
			      void *data)
{
	return 0;
}

static int control_zone_report(void)
{
	const struct block_device_operations *fops = control.disk->fops;

	if (!fops->report_zones)
		return -EOPNOTSUPP;
	return fops->report_zones(control.disk, 0, BLK_ALL_ZONES,
				  control_count_zone, NULL);
}

static int64_t control_sysfs_show(const struct control_action *a)
{
	char *page = (char *)__get_free_page(GFP_KERNEL);
	ssize_t len;

	if (!page)
		return -ENOMEM;
	len = sysfs_show(disk_to_dev(control.disk), a->name, page);
	if (len > 0)
		pr_info("%s: %s: %s", control.disk->disk_name, a->name, page);
	free_page((unsigned long)page);
	return len;
}

static int control_device(const struct control_action *a)
{
	struct virtio_device *vdev = virtio_device_nr(0);

	if (!vdev)
		return -ENODEV;
	switch (a->verb) {
	case CONTROL_SUSPEND:
		return virtio_device_freeze(vdev);
	case CONTROL_RESUME:
		return virtio_device_restore(vdev);
	case CONTROL_RMMOD:
		module_exit_all();
		return 0;
	default:
		virtio_pci_remove();
		return 0;
	}
}

static enum req_op control_op(enum control_verb verb)
{
	switch (verb) {
	case CONTROL_FLUSH:
		return REQ_OP_FLUSH;
	case CONTROL_DISCARD:
		return REQ_OP_DISCARD;
	case CONTROL_ZEROOUT:
		return REQ_OP_WRITE_ZEROES;
	case CONTROL_SECURE_ERASE:
		return REQ_OP_SECURE_ERASE;
	case CONTROL_ZONE_OPEN:
		return REQ_OP_ZONE_OPEN;
	case CONTROL_ZONE_CLOSE:
		return REQ_OP_ZONE_CLOSE;
	case CONTROL_ZONE_FINISH:
		return REQ_OP_ZONE_FINISH;
	case CONTROL_ZONE_RESET:
		return REQ_OP_ZONE_RESET;
	default:
		return REQ_OP_ZONE_RESET_ALL;
	}
}

static int64_t control_do(const struct control_action *a)
{
	switch (a->verb) {
	case CONTROL_DISCARD:
	case CONTROL_ZEROOUT:
	case CONTROL_SECURE_ERASE:
		return control_range(control_op(a->verb), a);
	case CONTROL_SYSFS_SHOW:
		return control_sysfs_show(a);
	case CONTROL_SYSFS_STORE:
		return sysfs_store(disk_to_dev(control.disk), a->name,
				   a->value, strlen(a->value));
	case CONTROL_SUSPEND:
	case CONTROL_RESUME:
	case CONTROL_REMOVE:
	case CONTROL_RMMOD:
		return control_device(a);
	case CONTROL_ZONE_REPORT:
		return control_zone_report();
	case CONTROL_ZONE_APPEND:
		return control_zone_append(a);
	default:
		return control_bio(control_op(a->verb),
				   a->offset >> SECTOR_SHIFT, 0);
	}
}

static void control_main(void *arg)
{
	for (u32 i = 0; i < control.nr; i++) {
		u64 at_ps = control.start_ps + control.action[i].at_ps;

		if (at_ps > sim_now())
			task_sleep(at_ps - sim_now());
		control.result[i] = control_do(&control.action[i]);
		WRITE_ONCE(control.done_nr, i + 1);
	}
}

void control_start(const struct control_action *actions, uint32_t nr,
		   struct gendisk *disk)
{
	control.action = actions;
	control.nr = nr;
	control.done_nr = 0;
	control.start_ps = sim_now();
	control.disk = disk;
	if (nr)
		task_create("control", 0, control_main, NULL);
}

/* The next two are asked from outside a vCPU: not charged. */
__attribute__((no_sanitize("thread")))
bool control_is_done(void)
{
	return control.done_nr == control.nr;
}

__attribute__((no_sanitize("thread")))
bool guest_control_result(uint32_t idx, int64_t *result)
{
	if (idx >= control.done_nr)
		return false;
	*result = control.result[idx];
	return true;
}
