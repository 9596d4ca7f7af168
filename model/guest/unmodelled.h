/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a driver may ask for by setting a field, and the guest kernel does not
 * do: driver/UNMODELLED.md. Guest code.
 */
#ifndef MODEL_GUEST_UNMODELLED_H
#define MODEL_GUEST_UNMODELLED_H

#include <linux/blk-mq.h>

/*
 * Once for each set and each disk, before it is used. A field without which
 * the driver cannot be right is a verdict that names it; one that is only
 * never looked at gets a kernel message.
 */
void unmodelled_check_set(const struct blk_mq_tag_set *set);
void unmodelled_check_disk(const struct gendisk *disk);

#endif
