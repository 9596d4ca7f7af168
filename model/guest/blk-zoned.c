// SPDX-License-Identifier: GPL-2.0-only
/* Zoned disks: what the block layer asks of a driver that reports zones. */
#include <linux/blkdev.h>
#include <linux/errno.h>
#include <linux/printk.h>

#include "model/guest/blk.h"

/* @next: where the next zone must begin; @nr: zones seen */
struct zone_walk {
	struct gendisk *disk;
	sector_t next;
	unsigned int nr;
	unsigned int capacity;
};

/* Zones follow each other and have one size, but for a shorter last one. */
static int zone_check(struct blk_zone *zone, unsigned int idx, void *data)
{
	struct zone_walk *walk = data;
	sector_t size = walk->disk->queue->limits.chunk_sectors;
	sector_t end = get_capacity(walk->disk);

	if (zone->start != walk->next || !zone->len ||
	    zone->capacity > zone->len || zone->len > size ||
	    (zone->len < size && zone->start + zone->len < end)) {
		pr_warn("%s: zone %u does not fit: start %llu, length %llu\n",
			walk->disk->disk_name, idx,
			(unsigned long long)zone->start,
			(unsigned long long)zone->len);
		return -ENODEV;
	}
	if (!walk->nr++)
		walk->capacity = zone->capacity;
	walk->next = zone->start + zone->len;
	return 0;
}

int blk_revalidate_disk_zones(struct gendisk *disk)
{
	struct zone_walk walk = { .disk = disk };
	int nr;

	if (!blk_queue_is_zoned(disk->queue) || !get_capacity(disk) ||
	    !disk->queue->limits.chunk_sectors)
		return -EIO;
	nr = disk->fops->report_zones(disk, 0, BLK_ALL_ZONES, zone_check,
				      &walk);
	if (nr < 0)
		return nr;
	if (walk.next != get_capacity(disk)) {
		pr_warn("%s: zones end at sector %llu\n", disk->disk_name,
			(unsigned long long)walk.next);
		return -ENODEV;
	}
	blk_mq_freeze_queue(disk->queue);
	disk->nr_zones = walk.nr;
	disk->zone_capacity = walk.capacity;
	blk_mq_unfreeze_queue(disk->queue);
	return 0;
}
