/* SPDX-License-Identifier: GPL-2.0-only */
/* Zones of a zoned block device as user space sees them. */
#ifndef PORT_UAPI_LINUX_BLKZONED_H
#define PORT_UAPI_LINUX_BLKZONED_H

#include "types.h"

enum blk_zone_type {
	BLK_ZONE_TYPE_CONVENTIONAL = 1,
	BLK_ZONE_TYPE_SEQWRITE_REQ = 2,
	BLK_ZONE_TYPE_SEQWRITE_PREF = 3,
};

enum blk_zone_cond {
	BLK_ZONE_COND_NOT_WP = 0x0,
	BLK_ZONE_COND_EMPTY = 0x1,
	BLK_ZONE_COND_IMP_OPEN = 0x2,
	BLK_ZONE_COND_EXP_OPEN = 0x3,
	BLK_ZONE_COND_CLOSED = 0x4,
	BLK_ZONE_COND_READONLY = 0xd,
	BLK_ZONE_COND_FULL = 0xe,
	BLK_ZONE_COND_OFFLINE = 0xf,
};

enum blk_zone_report_flags {
	BLK_ZONE_REP_CAPACITY = 1 << 0,
};

/* all in sectors of 512 bytes */
struct blk_zone {
	__u64 start;
	__u64 len;
	__u64 wp;
	__u8 type;
	__u8 cond;
	__u8 non_seq;
	__u8 reset;
	__u8 resv[4];
	__u64 capacity;
	__u8 reserved[24];
};

_Static_assert(sizeof(struct blk_zone) == 64, "blk_zone");

#endif /* PORT_UAPI_LINUX_BLKZONED_H */
