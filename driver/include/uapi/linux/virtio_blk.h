/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Block device, virtio 1.2 clause 5.2; the zoned parts are in 5.2 of 1.3.
 * Sectors are 512 bytes everywhere, whatever the block size.
 */
#ifndef _UAPI_LINUX_VIRTIO_BLK_H
#define _UAPI_LINUX_VIRTIO_BLK_H

#include "types.h"
#include "virtio_ids.h"
#include "virtio_config.h"
#include "virtio_types.h"

/* Feature bits, 5.2.3: which fields of virtio_blk_config and which requests */
#define VIRTIO_BLK_F_SIZE_MAX		1
#define VIRTIO_BLK_F_SEG_MAX		2
#define VIRTIO_BLK_F_GEOMETRY		4
#define VIRTIO_BLK_F_RO			5
#define VIRTIO_BLK_F_BLK_SIZE		6
#define VIRTIO_BLK_F_TOPOLOGY		10
#define VIRTIO_BLK_F_MQ			12
#define VIRTIO_BLK_F_DISCARD		13
#define VIRTIO_BLK_F_WRITE_ZEROES	14
#define VIRTIO_BLK_F_LIFETIME		15
#define VIRTIO_BLK_F_SECURE_ERASE	16
#define VIRTIO_BLK_F_ZONED		17

#define VIRTIO_BLK_F_FLUSH		9
#define VIRTIO_BLK_F_CONFIG_WCE		11
#ifndef VIRTIO_BLK_NO_LEGACY
/* Legacy interface, 5.2.3.1 */
#define VIRTIO_BLK_F_BARRIER		0
#define VIRTIO_BLK_F_SCSI		7
#define VIRTIO_BLK_F_WCE		VIRTIO_BLK_F_FLUSH
#endif

/* Bytes of the reply to VIRTIO_BLK_T_GET_ID, NUL-padded, 5.2.6 */
#define VIRTIO_BLK_ID_BYTES		20

/* Zoned characteristics, 5.2.4: sectors; write_granularity in bytes */
struct virtio_blk_zoned_characteristics {
	__virtio32 zone_sectors;
	__virtio32 max_open_zones;	/* 0: no limit */
	__virtio32 max_active_zones;	/* 0: no limit */
	__virtio32 max_append_sectors;
	__virtio32 write_granularity;
	__u8 model;			/* VIRTIO_BLK_Z_* */
	__u8 unused2[3];
} __attribute__((packed));

/* Device configuration space, 5.2.4 */
struct virtio_blk_config {
	__virtio64 capacity;		/* sectors */
	__virtio32 size_max;		/* bytes of a segment */
	__virtio32 seg_max;		/* segments of a request */
	struct virtio_blk_geometry {
		__virtio16 cylinders;
		__u8 heads;
		__u8 sectors;
	} geometry;
	__virtio32 blk_size;		/* bytes */
	/* VIRTIO_BLK_F_TOPOLOGY, in blocks of blk_size */
	__u8 physical_block_exp;	/* log2 of blocks per physical block */
	__u8 alignment_offset;
	__virtio16 min_io_size;
	__virtio32 opt_io_size;
	/* VIRTIO_BLK_F_CONFIG_WCE: 0 write-through, 1 write-back */
	__u8 wce;
	__u8 unused;
	/* VIRTIO_BLK_F_MQ */
	__virtio16 num_queues;
	/* VIRTIO_BLK_F_DISCARD */
	__virtio32 max_discard_sectors;
	__virtio32 max_discard_seg;
	__virtio32 discard_sector_alignment;
	/* VIRTIO_BLK_F_WRITE_ZEROES */
	__virtio32 max_write_zeroes_sectors;
	__virtio32 max_write_zeroes_seg;
	__u8 write_zeroes_may_unmap;
	__u8 unused1[3];
	/* VIRTIO_BLK_F_SECURE_ERASE */
	__virtio32 max_secure_erase_sectors;
	__virtio32 max_secure_erase_seg;
	__virtio32 secure_erase_sector_alignment;
	/* VIRTIO_BLK_F_ZONED */
	struct virtio_blk_zoned_characteristics zoned;
} __attribute__((packed));

_Static_assert(__builtin_offsetof(struct virtio_blk_config, num_queues) == 34,
	       "5.2.4");
_Static_assert(__builtin_offsetof(struct virtio_blk_config, zoned) == 72,
	       "5.2.4");
_Static_assert(sizeof(struct virtio_blk_config) == 96, "5.2.4");

/* Request types, 5.2.6 */
#define VIRTIO_BLK_T_IN			0
#define VIRTIO_BLK_T_OUT		1
#ifndef VIRTIO_BLK_NO_LEGACY
#define VIRTIO_BLK_T_SCSI_CMD		2
#endif
#define VIRTIO_BLK_T_FLUSH		4
#define VIRTIO_BLK_T_GET_ID		8
#define VIRTIO_BLK_T_GET_LIFETIME	10
#define VIRTIO_BLK_T_DISCARD		11
#define VIRTIO_BLK_T_WRITE_ZEROES	13
#define VIRTIO_BLK_T_SECURE_ERASE	14
#define VIRTIO_BLK_T_ZONE_APPEND	15
#define VIRTIO_BLK_T_ZONE_REPORT	16
#define VIRTIO_BLK_T_ZONE_OPEN		18
#define VIRTIO_BLK_T_ZONE_CLOSE		20
#define VIRTIO_BLK_T_ZONE_FINISH	22
#define VIRTIO_BLK_T_ZONE_RESET		24
#define VIRTIO_BLK_T_ZONE_RESET_ALL	26
#ifndef VIRTIO_BLK_NO_LEGACY
/* Flag in the type: order against other requests */
#define VIRTIO_BLK_T_BARRIER		0x80000000
#endif

/* First device-readable bytes of every request, 5.2.6 */
struct virtio_blk_outhdr {
	__virtio32 type;		/* VIRTIO_BLK_T_* */
	__virtio32 ioprio;		/* reserved in 1.2 */
	__virtio64 sector;
};

_Static_assert(sizeof(struct virtio_blk_outhdr) == 16, "5.2.6");

/* virtio_blk_zoned_characteristics.model, 5.2.4 */
#define VIRTIO_BLK_Z_NONE		0
#define VIRTIO_BLK_Z_HM			1	/* host-managed */
#define VIRTIO_BLK_Z_HA			2	/* host-aware */

/* Reply to VIRTIO_BLK_T_ZONE_REPORT, 5.2.6 */
struct virtio_blk_zone_descriptor {
	__virtio64 z_cap;		/* sectors */
	__virtio64 z_start;
	__virtio64 z_wp;
	__u8 z_type;			/* VIRTIO_BLK_ZT_* */
	__u8 z_state;			/* VIRTIO_BLK_ZS_* */
	__u8 reserved[38];
};

struct virtio_blk_zone_report {
	__virtio64 nr_zones;		/* in this reply */
	__u8 reserved[56];
	struct virtio_blk_zone_descriptor zones[];
};

_Static_assert(sizeof(struct virtio_blk_zone_descriptor) == 64, "5.2.6");
_Static_assert(sizeof(struct virtio_blk_zone_report) == 64, "5.2.6");

/* virtio_blk_zone_descriptor.z_type */
#define VIRTIO_BLK_ZT_CONV		1	/* conventional */
#define VIRTIO_BLK_ZT_SWR		2	/* sequential write required */
#define VIRTIO_BLK_ZT_SWP		3	/* sequential write preferred */

/* virtio_blk_zone_descriptor.z_state */
#define VIRTIO_BLK_ZS_NOT_WP		0
#define VIRTIO_BLK_ZS_EMPTY		1
#define VIRTIO_BLK_ZS_IOPEN		2	/* implicitly open */
#define VIRTIO_BLK_ZS_EOPEN		3	/* explicitly open */
#define VIRTIO_BLK_ZS_CLOSED		4
#define VIRTIO_BLK_ZS_RDONLY		13
#define VIRTIO_BLK_ZS_FULL		14
#define VIRTIO_BLK_ZS_OFFLINE		15

/* A range of a discard, secure erase or write zeroes request, 5.2.6 */
struct virtio_blk_discard_write_zeroes {
	__le64 sector;
	__le32 num_sectors;
	__le32 flags;			/* VIRTIO_BLK_WRITE_ZEROES_FLAG_* */
};

/* Write zeroes may deallocate the range */
#define VIRTIO_BLK_WRITE_ZEROES_FLAG_UNMAP	0x00000001

_Static_assert(sizeof(struct virtio_blk_discard_write_zeroes) == 16, "5.2.6");

/* Reply to VIRTIO_BLK_T_GET_LIFETIME, 5.2.6: steps of 10 %, 0 undefined */
struct virtio_blk_lifetime {
	__le16 pre_eol_info;		/* VIRTIO_BLK_PRE_EOL_INFO_* */
	__le16 device_lifetime_est_typ_a;
	__le16 device_lifetime_est_typ_b;
};

#define VIRTIO_BLK_PRE_EOL_INFO_UNDEFINED	0
#define VIRTIO_BLK_PRE_EOL_INFO_NORMAL		1
#define VIRTIO_BLK_PRE_EOL_INFO_WARNING		2
#define VIRTIO_BLK_PRE_EOL_INFO_URGENT		3

#ifndef VIRTIO_BLK_NO_LEGACY
/* Device-writable trailer of VIRTIO_BLK_T_SCSI_CMD, legacy 5.2.6.3 */
struct virtio_scsi_inhdr {
	__virtio32 errors;
	__virtio32 data_len;
	__virtio32 sense_len;
	__virtio32 residual;
};
#endif

/* Status: the last device-writable byte of every request, 5.2.6 */
#define VIRTIO_BLK_S_OK				0
#define VIRTIO_BLK_S_IOERR			1
#define VIRTIO_BLK_S_UNSUPP			2
#define VIRTIO_BLK_S_ZONE_INVALID_CMD		3
#define VIRTIO_BLK_S_ZONE_UNALIGNED_WP		4
#define VIRTIO_BLK_S_ZONE_OPEN_RESOURCE		5
#define VIRTIO_BLK_S_ZONE_ACTIVE_RESOURCE	6

#endif /* _UAPI_LINUX_VIRTIO_BLK_H */
