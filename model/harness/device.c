// SPDX-License-Identifier: GPL-2.0-only
#include "model/harness/device.h"

#include <stdio.h>
#include <string.h>

void device_properties(const struct scenario_device *dev,
		       struct hblk_properties *props)
{
	*props = dev->more;
	props->num_queues = dev->num_queues;
	props->queue_size = dev->queue_size;
	props->vectors = dev->vectors;
	props->event_idx = dev->event_idx;
	props->packed = dev->packed;
	props->indirect_desc = dev->indirect_desc;
	props->seg_max = dev->seg_max;
	props->discard = dev->discard;
	props->write_zeroes = dev->write_zeroes;
	props->config_wce = dev->config_wce;
	props->suppress_kicks = dev->suppress_kicks;
	props->batch_notify = dev->batch_notify;
	props->submit_batch = dev->max_batch;
}

bool device_quirks(const struct scenario_device *dev,
		   struct hblk_quirks *quirks, char *why, size_t why_bytes)
{
	static const char features[] = "device.x-features-off: ";
	static const char config[] = "device.x-config: ";
	size_t used;

	memset(quirks, 0, sizeof(*quirks));
	used = (size_t)snprintf(why, why_bytes, "%s", features);
	if (!hblk_quirk_features(quirks, dev->x_features_off, why + used,
				 why_bytes - used))
		return false;
	used = (size_t)snprintf(why, why_bytes, "%s", config);
	return hblk_quirk_config(quirks, dev->x_config, why + used,
				 why_bytes - used);
}

uint64_t device_zones_nr(const struct scenario_device *dev, uint64_t bytes)
{
	uint64_t size = dev->more.zone_size;

	return dev->more.zoned == HBLK_HOST_MANAGED ?
	       bytes / size + !!(bytes % size) : 0;
}
