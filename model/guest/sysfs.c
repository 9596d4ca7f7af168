// SPDX-License-Identifier: GPL-2.0-only
#include "model/guest/sysfs.h"

#include <linux/kernel.h>
#include <linux/mm_types.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>

/* One attribute that can be seen. @path: owned */
struct sysfs_entry {
	struct list_head list;
	struct kobject *kobj;
	const struct attribute_group *group;
	struct attribute *attr;
	umode_t mode;
	char *path;
};

static LIST_HEAD(sysfs_entries);
static DEFINE_SPINLOCK(sysfs_lock);

void sysfs_init(void)
{
	INIT_LIST_HEAD(&sysfs_entries);
	spin_lock_init(&sysfs_lock);
}

static int sysfs_add(struct kobject *kobj, const struct attribute_group *group,
		     struct attribute *attr, umode_t mode)
{
	struct sysfs_entry *e = kzalloc(sizeof(*e), GFP_KERNEL);
	unsigned long flags;

	if (!e)
		return -ENOMEM;
	e->path = group && group->name ?
		  kasprintf(GFP_KERNEL, "%s/%s", group->name, attr->name) :
		  kstrdup(attr->name, GFP_KERNEL);
	if (!e->path) {
		kfree(e);
		return -ENOMEM;
	}
	e->kobj = kobj;
	e->group = group;
	e->attr = attr;
	e->mode = mode;
	spin_lock_irqsave(&sysfs_lock, flags);
	list_add_tail(&e->list, &sysfs_entries);
	spin_unlock_irqrestore(&sysfs_lock, flags);
	return 0;
}

static struct sysfs_entry *sysfs_take_first(struct kobject *kobj,
					    const struct attribute_group *group,
					    const struct attribute *attr)
{
	struct sysfs_entry *e, *found = NULL;
	unsigned long flags;

	spin_lock_irqsave(&sysfs_lock, flags);
	list_for_each_entry(e, &sysfs_entries, list) {
		if (e->kobj == kobj && e->group == group &&
		    (!attr || e->attr == attr)) {
			list_del(&e->list);
			found = e;
			break;
		}
	}
	spin_unlock_irqrestore(&sysfs_lock, flags);
	return found;
}

static void sysfs_remove(struct kobject *kobj,
			 const struct attribute_group *group,
			 const struct attribute *attr)
{
	struct sysfs_entry *e;

	while ((e = sysfs_take_first(kobj, group, attr))) {
		kfree(e->path);
		kfree(e);
	}
}

int sysfs_create_group(struct kobject *kobj,
		       const struct attribute_group *group)
{
	for (int i = 0; group->attrs && group->attrs[i]; i++) {
		struct attribute *attr = group->attrs[i];
		umode_t mode = group->is_visible ?
			       group->is_visible(kobj, attr, i) : attr->mode;
		int err = mode ? sysfs_add(kobj, group, attr, mode) : 0;

		if (err) {
			sysfs_remove(kobj, group, NULL);
			return err;
		}
	}
	return 0;
}

void sysfs_remove_group(struct kobject *kobj,
			const struct attribute_group *group)
{
	sysfs_remove(kobj, group, NULL);
}

void sysfs_remove_groups(struct kobject *kobj,
			 const struct attribute_group **groups)
{
	for (; groups && *groups; groups++)
		sysfs_remove_group(kobj, *groups);
}

int sysfs_create_groups(struct kobject *kobj,
			const struct attribute_group **groups)
{
	for (int i = 0; groups && groups[i]; i++) {
		int err = sysfs_create_group(kobj, groups[i]);

		if (err) {
			while (i--)
				sysfs_remove_group(kobj, groups[i]);
			return err;
		}
	}
	return 0;
}

void sysfs_notify(struct kobject *kobj, const char *dir, const char *attr)
{
}

int device_create_file(struct device *dev, const struct device_attribute *attr)
{
	return sysfs_add(&dev->kobj, NULL, (struct attribute *)&attr->attr,
			 attr->attr.mode);
}

void device_remove_file(struct device *dev, const struct device_attribute *attr)
{
	sysfs_remove(&dev->kobj, NULL, &attr->attr);
}

/* The attribute called @name, with its mode; NULL if there is none. */
static struct device_attribute *sysfs_find(struct device *dev,
					   const char *name, umode_t *mode)
{
	struct sysfs_entry *e;
	struct device_attribute *found = NULL;
	unsigned long flags;

	spin_lock_irqsave(&sysfs_lock, flags);
	list_for_each_entry(e, &sysfs_entries, list) {
		if (e->kobj != &dev->kobj || strcmp(e->path, name))
			continue;
		found = container_of(e->attr, struct device_attribute, attr);
		*mode = e->mode;
		break;
	}
	spin_unlock_irqrestore(&sysfs_lock, flags);
	return found;
}

ssize_t sysfs_show(struct device *dev, const char *name, char *buf)
{
	umode_t mode;
	struct device_attribute *attr = sysfs_find(dev, name, &mode);

	if (!attr)
		return -ENOENT;
	if (!(mode & 0444))
		return -EACCES;
	return attr->show ? attr->show(dev, attr, buf) : -EIO;
}

ssize_t sysfs_store(struct device *dev, const char *name, const char *buf,
		    size_t len)
{
	umode_t mode;
	struct device_attribute *attr = sysfs_find(dev, name, &mode);

	if (!attr)
		return -ENOENT;
	if (!(mode & 0222))
		return -EACCES;
	return attr->store ? attr->store(dev, attr, buf, len) : -EIO;
}

const char *sysfs_name(struct device *dev, u32 idx)
{
	struct sysfs_entry *e;
	const char *name = NULL;
	unsigned long flags;

	spin_lock_irqsave(&sysfs_lock, flags);
	list_for_each_entry(e, &sysfs_entries, list) {
		if (e->kobj == &dev->kobj && !idx--) {
			name = e->path;
			break;
		}
	}
	spin_unlock_irqrestore(&sysfs_lock, flags);
	return name;
}
