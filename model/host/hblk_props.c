// SPDX-License-Identifier: GPL-2.0-only
#include "model/host/hblk_props.h"

#include <string.h>

#include <uapi/linux/virtio_config.h>
#include <uapi/linux/virtio_ring.h>

#define BIT_64(bit) (UINT64_C(1) << (bit))

const struct hblk_property hblk_property[] = {
#define HBLK_PROPERTY_ROW(field, name, least, most, def, meaning)	\
	{ name, least, most, def, meaning,				\
	  offsetof(struct hblk_properties, field) },
	HBLK_PROPERTIES(HBLK_PROPERTY_ROW)
#undef HBLK_PROPERTY_ROW
};

const uint32_t hblk_properties_nr =
	sizeof(hblk_property) / sizeof(hblk_property[0]);

void hblk_properties_init(struct hblk_properties *props)
{
#define HBLK_PROPERTY_INIT(field, name, least, most, def, meaning)	\
	props->field = def;
	HBLK_PROPERTIES(HBLK_PROPERTY_INIT)
#undef HBLK_PROPERTY_INIT
}

static bool is_power_of_two(uint32_t n)
{
	return n && !(n & (n - 1));
}

/* The first property that is out of its range. */
static const char *hblk_props_check_ranges(const struct hblk_properties *props)
{
	/* Wide and signed, so that 0 and UINT32_MAX are limits like others. */
#define HBLK_PROPERTY_RANGE(field, name, least, most, def, meaning)	\
	if ((int64_t)props->field < (int64_t)(least) ||			\
	    (int64_t)props->field > (int64_t)(most))			\
		return name ": must be from " #least " to " #most;
	HBLK_PROPERTIES(HBLK_PROPERTY_RANGE)
#undef HBLK_PROPERTY_RANGE
	return NULL;
}

static const char *hblk_props_check_blocks(const struct hblk_properties *p)
{
	if (!is_power_of_two(p->logical_block_size))
		return "logical_block_size: not a power of two";
	if (!is_power_of_two(p->physical_block_size))
		return "physical_block_size: not a power of two";
	if (p->physical_block_size < p->logical_block_size)
		return "physical_block_size: less than logical_block_size";
	if (p->min_io_size % p->logical_block_size)
		return "min_io_size: not a multiple of logical_block_size";
	if (p->min_io_size / p->logical_block_size > UINT16_MAX)
		return "min_io_size: more than 65535 blocks";
	if (p->opt_io_size % p->logical_block_size)
		return "opt_io_size: not a multiple of logical_block_size";
	return NULL;
}

const char *hblk_properties_check(const struct hblk_properties *props)
{
	const char *wrong = hblk_props_check_ranges(props);

	if (wrong)
		return wrong;
	if (!is_power_of_two(props->queue_size))
		return "queue-size: not a power of two";
	if (!props->indirect_desc && props->seg_max > props->queue_size - 2)
		return "seg-max: above queue-size - 2 without indirect_desc";
	/* 5.2.5.2: whoever offers CONFIG_WCE must offer FLUSH. */
	if (props->config_wce && !props->flush)
		return "config-wce: needs flush";
	return hblk_props_check_blocks(props);
}

uint32_t hblk_props_seg_max(const struct hblk_properties *props)
{
	return props->seg_max ? props->seg_max : props->queue_size - 2;
}

uint32_t hblk_props_vectors(const struct hblk_properties *props)
{
	if (props->vectors)
		return props->vectors;
	return props->num_queues < PCI_MSIX_MAX ? props->num_queues + 1 :
						  PCI_MSIX_MAX;
}

static uint64_t bit_if(uint32_t on, unsigned int bit)
{
	return on ? BIT_64(bit) : 0;
}

uint64_t hblk_props_features(const struct hblk_properties *p)
{
	return BIT_64(VIRTIO_F_VERSION_1) | BIT_64(VIRTIO_BLK_F_SEG_MAX) |
	       BIT_64(VIRTIO_BLK_F_BLK_SIZE) | BIT_64(VIRTIO_BLK_F_TOPOLOGY) |
	       bit_if(p->event_idx, VIRTIO_RING_F_EVENT_IDX) |
	       bit_if(p->indirect_desc, VIRTIO_RING_F_INDIRECT_DESC) |
	       bit_if(p->size_max, VIRTIO_BLK_F_SIZE_MAX) |
	       bit_if(p->read_only, VIRTIO_BLK_F_RO) |
	       bit_if(p->flush, VIRTIO_BLK_F_FLUSH) |
	       bit_if(p->config_wce, VIRTIO_BLK_F_CONFIG_WCE) |
	       bit_if(p->num_queues > 1, VIRTIO_BLK_F_MQ) |
	       bit_if(p->discard, VIRTIO_BLK_F_DISCARD) |
	       bit_if(p->write_zeroes, VIRTIO_BLK_F_WRITE_ZEROES);
}

static uint8_t log2_of(uint32_t power_of_two)
{
	return (uint8_t)__builtin_ctz(power_of_two);
}

void hblk_props_space(const struct hblk_properties *p, uint64_t sectors,
		      struct virtio_blk_config *space)
{
	uint32_t block = p->logical_block_size;

	memset(space, 0, sizeof(*space));
	space->capacity = sectors;
	space->size_max = p->size_max;
	space->seg_max = hblk_props_seg_max(p);
	space->blk_size = block;
	space->physical_block_exp = log2_of(p->physical_block_size / block);
	space->min_io_size = (uint16_t)(p->min_io_size / block);
	space->opt_io_size = p->opt_io_size / block;
	space->wce = (uint8_t)p->write_cache;
	space->num_queues = (uint16_t)p->num_queues;
	if (p->discard) {
		space->max_discard_sectors = p->max_discard_sectors;
		space->max_discard_seg = p->max_discard_seg;
		space->discard_sector_alignment = block / HSTORE_SECTOR_BYTES;
	}
	if (p->write_zeroes) {
		space->max_write_zeroes_sectors = p->max_write_zeroes_sectors;
		space->max_write_zeroes_seg = p->max_write_zeroes_seg;
		space->write_zeroes_may_unmap = 1;
	}
}
