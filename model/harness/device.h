/* SPDX-License-Identifier: GPL-2.0-only */
/* The device that a scenario describes, in the terms of model/host. */
#ifndef MODEL_HARNESS_DEVICE_H
#define MODEL_HARNESS_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

#include "model/harness/scenario.h"
#include "model/host/hblk.h"

/* @dev: resolved */
void device_properties(const struct scenario_device *dev,
		       struct hblk_properties *props);

/*
 * What device.x-features-off and device.x-config ask for. False: @why says what
 * is wrong, beginning with the key; @quirks is not to be used.
 */
bool device_quirks(const struct scenario_device *dev,
		   struct hblk_quirks *quirks, char *why, size_t why_bytes);

/* Zones of a disk of @bytes, 0 if it is not host-managed. */
uint64_t device_zones_nr(const struct scenario_device *dev, uint64_t bytes);

#endif
