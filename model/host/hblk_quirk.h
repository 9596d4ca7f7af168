/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Devices that say the wrong thing: feature bits not offered and fields of the
 * configuration space that show another value than is true. What the device
 * does is not changed by it. For paths of a driver that no good device reaches.
 */
#ifndef MODEL_HOST_HBLK_QUIRK_H
#define MODEL_HOST_HBLK_QUIRK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uapi/linux/virtio_blk.h>

#define HBLK_QUIRKS_MAX		16u

struct hblk_quirk {
	uint8_t offset;			/* in struct virtio_blk_config */
	uint8_t bytes;
	uint64_t value;
};

struct hblk_quirks {
	uint64_t features_off;
	struct hblk_quirk field[HBLK_QUIRKS_MAX];
	uint32_t fields_nr;
};

/*
 * Feature bits by name, separated by commas: "seg_max,topology". Names are
 * those of VIRTIO_BLK_F_* in small letters. Adds to @quirks->features_off.
 * False: @why says what is wrong; @quirks is unchanged. @text "": nothing.
 */
bool hblk_quirk_features(struct hblk_quirks *quirks, const char *text,
			 char *why, size_t why_bytes);

/*
 * Fields by name: "blk_size=256,zoned.model=7", numbers as in C. Names are
 * those of struct virtio_blk_config. Result as above.
 */
bool hblk_quirk_config(struct hblk_quirks *quirks, const char *text,
		       char *why, size_t why_bytes);

/* @space: the truth; becomes what the driver is to see. */
void hblk_quirk_apply(const struct hblk_quirks *quirks,
		      struct virtio_blk_config *space);

#endif
