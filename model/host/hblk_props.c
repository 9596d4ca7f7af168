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

/* Effective values of properties whose 0 is a choice of ours, in bytes. */
static uint32_t hblk_props_zone_capacity(const struct hblk_properties *p)
{
	return p->zone_capacity ? p->zone_capacity : p->zone_size;
}

static uint32_t hblk_props_granularity(const struct hblk_properties *p)
{
	return p->write_granularity ? p->write_granularity :
				      p->physical_block_size;
}

/* 5.2.5.2 of 1.3, max_append_sectors. */
static bool hblk_props_append_ok(const struct hblk_properties *p)
{
	uint64_t segments = hblk_props_seg_max(p);

	return !p->size_max ||
	       p->max_append_sectors <=
	       segments * p->size_max / HSTORE_SECTOR_BYTES;
}

static const char *hblk_props_check_zones(const struct hblk_properties *p)
{
	uint32_t granularity = hblk_props_granularity(p);
	uint32_t capacity = hblk_props_zone_capacity(p);

	if (p->zoned != HBLK_HOST_MANAGED)
		return NULL;
	if (granularity % p->logical_block_size)
		return "write-granularity: not a multiple of logical_block_size";
	if (!is_power_of_two(p->zone_size))
		return "zone-size: not a power of two";
	if (p->zone_size % granularity)
		return "zone-size: not a multiple of write-granularity";
	if (capacity > p->zone_size)
		return "zone-capacity: more than zone-size";
	if (capacity % granularity)
		return "zone-capacity: not a multiple of write-granularity";
	if (p->max_active_zones && p->max_open_zones > p->max_active_zones)
		return "max-open-zones: more than max-active-zones";
	if (!hblk_props_append_ok(p))
		return "max-append-sectors: more than seg-max segments of size-max";
	if (p->secure_erase_sector_alignment %
	    (p->zone_size / HSTORE_SECTOR_BYTES))
		return "secure-erase-sector-alignment: not a multiple of a zone";
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
	wrong = hblk_props_check_blocks(props);
	return wrong ? wrong : hblk_props_check_zones(props);
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

/* 5.2.5.2 of 1.3: not for host-managed disks. */
static bool hblk_props_discard(const struct hblk_properties *p)
{
	return p->discard && p->zoned != HBLK_HOST_MANAGED;
}

uint64_t hblk_props_features(const struct hblk_properties *p)
{
	return BIT_64(VIRTIO_F_VERSION_1) | BIT_64(VIRTIO_BLK_F_SEG_MAX) |
	       BIT_64(VIRTIO_BLK_F_BLK_SIZE) | BIT_64(VIRTIO_BLK_F_TOPOLOGY) |
	       bit_if(p->event_idx, VIRTIO_RING_F_EVENT_IDX) |
	       bit_if(p->packed, VIRTIO_F_RING_PACKED) |
	       bit_if(p->indirect_desc, VIRTIO_RING_F_INDIRECT_DESC) |
	       bit_if(p->size_max, VIRTIO_BLK_F_SIZE_MAX) |
	       bit_if(p->read_only, VIRTIO_BLK_F_RO) |
	       bit_if(p->flush, VIRTIO_BLK_F_FLUSH) |
	       bit_if(p->config_wce, VIRTIO_BLK_F_CONFIG_WCE) |
	       bit_if(p->num_queues > 1, VIRTIO_BLK_F_MQ) |
	       bit_if(hblk_props_discard(p), VIRTIO_BLK_F_DISCARD) |
	       bit_if(p->write_zeroes, VIRTIO_BLK_F_WRITE_ZEROES) |
	       bit_if(p->secure_erase, VIRTIO_BLK_F_SECURE_ERASE) |
	       bit_if(p->lifetime, VIRTIO_BLK_F_LIFETIME) |
	       bit_if(p->cyls, VIRTIO_BLK_F_GEOMETRY) |
	       bit_if(p->zoned, VIRTIO_BLK_F_ZONED);
}

static uint8_t log2_of(uint32_t power_of_two)
{
	return (uint8_t)__builtin_ctz(power_of_two);
}

void hblk_props_zones(const struct hblk_properties *p,
		      struct hzone_config *zones)
{
	zones->zone_sectors = p->zone_size / HSTORE_SECTOR_BYTES;
	zones->capacity_sectors = hblk_props_zone_capacity(p) /
				  HSTORE_SECTOR_BYTES;
	zones->conventional_nr = p->conventional_zones;
	zones->max_open = p->max_open_zones;
	zones->max_active = p->max_active_zones;
	zones->max_append_sectors = p->max_append_sectors;
	zones->granularity_sectors = hblk_props_granularity(p) /
				     HSTORE_SECTOR_BYTES;
}

static void hblk_props_space_zoned(const struct hblk_properties *p,
				   struct virtio_blk_config *space)
{
	struct virtio_blk_zoned_characteristics *zoned = &space->zoned;

	zoned->zone_sectors = p->zone_size / HSTORE_SECTOR_BYTES;
	zoned->max_open_zones = p->max_open_zones;
	zoned->max_active_zones = p->max_active_zones;
	zoned->max_append_sectors = p->max_append_sectors;
	zoned->write_granularity = hblk_props_granularity(p);
	zoned->model = VIRTIO_BLK_Z_HM;
}

static void hblk_props_space_erase(const struct hblk_properties *p,
				   struct virtio_blk_config *space)
{
	uint32_t bytes = p->zoned == HBLK_HOST_MANAGED ? p->zone_size :
							 p->logical_block_size;

	space->max_secure_erase_sectors = p->max_secure_erase_sectors;
	space->max_secure_erase_seg = p->max_secure_erase_seg;
	space->secure_erase_sector_alignment =
		p->secure_erase_sector_alignment ?
		p->secure_erase_sector_alignment : bytes / HSTORE_SECTOR_BYTES;
}

static void hblk_props_space_geometry(const struct hblk_properties *p,
				      struct virtio_blk_config *space)
{
	space->geometry.cylinders = (uint16_t)p->cyls;
	space->geometry.heads = (uint8_t)p->heads;
	space->geometry.sectors = (uint8_t)p->secs;
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
	if (p->cyls)
		hblk_props_space_geometry(p, space);
	if (hblk_props_discard(p)) {
		space->max_discard_sectors = p->max_discard_sectors;
		space->max_discard_seg = p->max_discard_seg;
		space->discard_sector_alignment = block / HSTORE_SECTOR_BYTES;
	}
	if (p->write_zeroes) {
		space->max_write_zeroes_sectors = p->max_write_zeroes_sectors;
		space->max_write_zeroes_seg = p->max_write_zeroes_seg;
		space->write_zeroes_may_unmap = 1;
	}
	if (p->secure_erase)
		hblk_props_space_erase(p, space);
	if (p->zoned == HBLK_HOST_MANAGED)
		hblk_props_space_zoned(p, space);
}
