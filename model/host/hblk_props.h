/* SPDX-License-Identifier: GPL-2.0-only */
/* What follows from the properties of a virtio block device (hblk.h). */
#ifndef MODEL_HOST_HBLK_PROPS_H
#define MODEL_HOST_HBLK_PROPS_H

#include <stdint.h>

#include "model/host/hblk.h"

/* Effective values of properties whose 0 means a choice of ours. */
uint32_t hblk_props_seg_max(const struct hblk_properties *props);
uint32_t hblk_props_vectors(const struct hblk_properties *props);

/* Feature bits to offer, 5.2.3 and 6. */
uint64_t hblk_props_features(const struct hblk_properties *props);

/* @props->zoned is HBLK_HOST_MANAGED. */
void hblk_props_zones(const struct hblk_properties *props,
		      struct hzone_config *zones);

/* Device configuration after reset, 5.2.4. @sectors: capacity */
void hblk_props_space(const struct hblk_properties *props, uint64_t sectors,
		      struct virtio_blk_config *space);

#endif
