/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an administrator does to the disk while the jobs run: blkdiscard, sysfs,
 * suspend, hot removal, zone management. A guest task does one after another at
 * their times. No kernel header is needed to include this.
 */
#ifndef MODEL_GUEST_CONTROL_H
#define MODEL_GUEST_CONTROL_H

#include <stdbool.h>
#include <stdint.h>

enum control_verb {
	CONTROL_FLUSH,		/* fsync of the block device */
	CONTROL_DISCARD,	/* blkdiscard: offset, bytes */
	CONTROL_ZEROOUT,	/* blkdiscard --zeroout: offset, bytes */
	CONTROL_SECURE_ERASE,	/* blkdiscard --secure: offset, bytes */
	CONTROL_SYSFS_SHOW,	/* read attribute name */
	CONTROL_SYSFS_STORE,	/* write value to attribute name */
	CONTROL_SUSPEND,	/* freeze the device as system suspend does */
	CONTROL_RESUME,
	CONTROL_REMOVE,		/* orderly hot removal; the jobs' I/O fails then */
	CONTROL_RMMOD,		/* unload the driver, which removes the device */
	CONTROL_ZONE_REPORT,	/* blkzone report */
	CONTROL_ZONE_OPEN,	/* blkzone open and so on: offset of the zone */
	CONTROL_ZONE_CLOSE,
	CONTROL_ZONE_FINISH,
	CONTROL_ZONE_RESET,
	CONTROL_ZONE_RESET_ALL,
	CONTROL_ZONE_APPEND,	/* append one block to the zone at offset */
	CONTROL_VERBS_NR
};

/* @at_ps: from the start of the jobs. @name, @value stay the caller's. */
struct control_action {
	uint64_t at_ps;
	enum control_verb verb;
	uint64_t offset;	/* bytes */
	uint64_t bytes;
	const char *name;
	const char *value;
};

/*
 * Outcome of action @idx: false while it has not ended. @result: 0 or more is
 * success (zones reported, bytes read), else a negative errno.
 */
bool guest_control_result(uint32_t idx, int64_t *result);

#endif
