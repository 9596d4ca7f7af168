// SPDX-License-Identifier: GPL-2.0-only
#include "model/host/hblk_quirk.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct hblk_quirk_name {
	const char *name;
	uint8_t place;			/* bit, or offset */
	uint8_t bytes;
};

#define FEATURE(name, NAME)	{ name, VIRTIO_BLK_F_##NAME, 0 }
#define FIELD(field)							\
	{ #field, offsetof(struct virtio_blk_config, field),		\
	  sizeof(((struct virtio_blk_config *)0)->field) }

static const struct hblk_quirk_name quirk_features[] = {
	FEATURE("size_max", SIZE_MAX), FEATURE("seg_max", SEG_MAX),
	FEATURE("geometry", GEOMETRY), FEATURE("ro", RO),
	FEATURE("blk_size", BLK_SIZE), FEATURE("flush", FLUSH),
	FEATURE("topology", TOPOLOGY), FEATURE("config_wce", CONFIG_WCE),
	FEATURE("mq", MQ), FEATURE("discard", DISCARD),
	FEATURE("write_zeroes", WRITE_ZEROES), FEATURE("lifetime", LIFETIME),
	FEATURE("secure_erase", SECURE_ERASE), FEATURE("zoned", ZONED),
	{ NULL, 0, 0 }
};

static const struct hblk_quirk_name quirk_fields[] = {
	FIELD(capacity), FIELD(size_max), FIELD(seg_max),
	FIELD(geometry.cylinders), FIELD(geometry.heads),
	FIELD(geometry.sectors), FIELD(blk_size), FIELD(physical_block_exp),
	FIELD(alignment_offset), FIELD(min_io_size), FIELD(opt_io_size),
	FIELD(wce), FIELD(num_queues), FIELD(max_discard_sectors),
	FIELD(max_discard_seg), FIELD(discard_sector_alignment),
	FIELD(max_write_zeroes_sectors), FIELD(max_write_zeroes_seg),
	FIELD(write_zeroes_may_unmap), FIELD(max_secure_erase_sectors),
	FIELD(max_secure_erase_seg), FIELD(secure_erase_sector_alignment),
	FIELD(zoned.zone_sectors), FIELD(zoned.max_open_zones),
	FIELD(zoned.max_active_zones), FIELD(zoned.max_append_sectors),
	FIELD(zoned.write_granularity), FIELD(zoned.model),
	{ NULL, 0, 0 }
};

static const struct hblk_quirk_name *
hblk_quirk_find(const struct hblk_quirk_name *list, const char *name,
		size_t length)
{
	for (; list->name; list++)
		if (strlen(list->name) == length &&
		    !strncmp(list->name, name, length))
			return list;
	return NULL;
}

/* "'x' is not known; known: a, b, c" */
static bool hblk_quirk_unknown(const struct hblk_quirk_name *list,
			       const char *name, size_t length, char *why,
			       size_t why_bytes)
{
	int used = snprintf(why, why_bytes, "'%.*s' is not known; known: ",
			    length > 64 ? 64 : (int)length, name);

	for (; list->name && (size_t)used < why_bytes; list++)
		used += snprintf(why + used, why_bytes - (size_t)used, "%s%s",
				 list->name, list[1].name ? ", " : "");
	return false;
}

/* The item that begins at @*text; moves behind it and its comma. */
static const char *hblk_quirk_item(const char **text, size_t *length)
{
	const char *item = *text + strspn(*text, " ");

	*length = strcspn(item, ",");
	*text = item + *length + (item[*length] == ',');
	while (*length && item[*length - 1] == ' ')
		--*length;
	return item;
}

bool hblk_quirk_features(struct hblk_quirks *quirks, const char *text,
			 char *why, size_t why_bytes)
{
	uint64_t off = 0;

	while (*text) {
		const struct hblk_quirk_name *found;
		size_t length;
		const char *item = hblk_quirk_item(&text, &length);

		found = hblk_quirk_find(quirk_features, item, length);
		if (!found)
			return hblk_quirk_unknown(quirk_features, item, length,
						  why, why_bytes);
		off |= UINT64_C(1) << found->place;
	}
	quirks->features_off |= off;
	return true;
}

/* @item[@at] is the '='; the number must end the item. */
static bool hblk_quirk_value(const char *item, size_t at, size_t length,
			     struct hblk_quirk *q)
{
	char *end;

	if (at + 1 >= length || !isdigit((unsigned char)item[at + 1]))
		return false;
	errno = 0;
	q->value = strtoull(item + at + 1, &end, 0);
	return !errno && end == item + length &&
	       (q->bytes == 8 || !(q->value >> 8 * q->bytes));
}

static bool hblk_quirk_field(struct hblk_quirks *quirks, const char *item,
			     size_t length, char *why, size_t why_bytes)
{
	size_t at = strcspn(item, "=,");
	struct hblk_quirk *q = &quirks->field[quirks->fields_nr];
	const struct hblk_quirk_name *found;

	if (at > length)
		at = length;
	found = hblk_quirk_find(quirk_fields, item, at);
	if (!found)
		return hblk_quirk_unknown(quirk_fields, item, at, why,
					  why_bytes);
	if (quirks->fields_nr == HBLK_QUIRKS_MAX) {
		snprintf(why, why_bytes, "more than %u fields",
			 HBLK_QUIRKS_MAX);
		return false;
	}
	q->offset = found->place;
	q->bytes = found->bytes;
	if (!hblk_quirk_value(item, at, length, q)) {
		snprintf(why, why_bytes,
			 "'%.*s' is not %s= and a number of %u bits",
			 length > 64 ? 64 : (int)length, item, found->name,
			 8u * found->bytes);
		return false;
	}
	quirks->fields_nr++;
	return true;
}

bool hblk_quirk_config(struct hblk_quirks *quirks, const char *text,
		       char *why, size_t why_bytes)
{
	struct hblk_quirks made = *quirks;

	while (*text) {
		size_t length;
		const char *item = hblk_quirk_item(&text, &length);

		if (!hblk_quirk_field(&made, item, length, why, why_bytes))
			return false;
	}
	*quirks = made;
	return true;
}

void hblk_quirk_apply(const struct hblk_quirks *quirks,
		      struct virtio_blk_config *space)
{
	for (uint32_t i = 0; i < quirks->fields_nr; i++)
		memcpy((uint8_t *)space + quirks->field[i].offset,
		       &quirks->field[i].value, quirks->field[i].bytes);
}
