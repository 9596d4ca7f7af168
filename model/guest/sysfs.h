/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Attributes of objects: implements <linux/sysfs.h> and the device model
 * (<linux/kobject.h>, <linux/device.h>). Guest code.
 *
 * An attribute is named "name", or "group/name" when its group has a name.
 */
#ifndef MODEL_GUEST_SYSFS_H
#define MODEL_GUEST_SYSFS_H

#include <linux/device.h>

/* Forget all attributes (before a guest starts). */
void sysfs_init(void);

/*
 * Groups of a NULL-terminated array (NULL: none), all or nothing. 0 or -errno.
 */
int sysfs_create_groups(struct kobject *kobj,
			const struct attribute_group **groups);
void sysfs_remove_groups(struct kobject *kobj,
			 const struct attribute_group **groups);

/*
 * Read attribute @name of @dev into @buf, a page. In task context, may park.
 * Characters, -ENOENT, -EACCES (mode), or what the driver says.
 */
ssize_t sysfs_show(struct device *dev, const char *name, char *buf);

/* Write @len bytes of @buf, NUL-terminated. Bytes taken, or as above. */
ssize_t sysfs_store(struct device *dev, const char *name, const char *buf,
		    size_t len);

/* Name of attribute @idx of @dev in the order of creation; NULL ends. */
const char *sysfs_name(struct device *dev, u32 idx);

/* Prepare @kobj with one reference, which kobject_put gives back. */
void kobject_init(struct kobject *kobj, const struct kobj_type *ktype);

#endif
