// SPDX-License-Identifier: GPL-2.0-only
/*
 * Implements <linux/device.h> and <linux/kobject.h>. Drivers are matched by
 * their bus (virtio.c), user events go nowhere.
 */
#include <linux/device.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "model/guest/sysfs.h"
#include "model/guest/verdict.h"

void kobject_init(struct kobject *kobj, const struct kobj_type *ktype)
{
	kref_init(&kobj->kref);
	INIT_LIST_HEAD(&kobj->entry);
	kobj->ktype = ktype;
	kobj->state_initialized = 1;
}

struct kobject *kobject_get(struct kobject *kobj)
{
	if (kobj)
		kref_get(&kobj->kref);
	return kobj;
}

/* The release function frees what @kref is part of, but not the name. */
static void kobject_release(struct kref *kref)
{
	struct kobject *kobj = container_of(kref, struct kobject, kref);
	const char *name = kobj->name;

	if (kobj->ktype && kobj->ktype->release)
		kobj->ktype->release(kobj);
	kfree(name);
}

void kobject_put(struct kobject *kobj)
{
	if (kobj)
		kref_put(&kobj->kref, kobject_release);
}

int kobject_uevent(struct kobject *kobj, enum kobject_action action)
{
	return 0;
}

int kobject_uevent_env(struct kobject *kobj, enum kobject_action action,
		       char *envp[])
{
	return 0;
}

static void device_release(struct kobject *kobj)
{
	struct device *dev = kobj_to_dev(kobj);

	if (dev->release)
		dev->release(dev);
	else if (dev->type && dev->type->release)
		dev->type->release(dev);
	else
		guest_verdict("a device has no release function",
			      verdict_address(dev));
}

static const struct kobj_type device_ktype = {
	.release = device_release,
};

void device_initialize(struct device *dev)
{
	kobject_init(&dev->kobj, &device_ktype);
	mutex_init(&dev->mutex);
	spin_lock_init(&dev->devres_lock);
	INIT_LIST_HEAD(&dev->devres_head);
	dev->numa_node = NUMA_NO_NODE;
}

int dev_set_name(struct device *dev, const char *fmt, ...)
{
	const char *old = dev->kobj.name;
	char text[64];
	char *name;
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	name = kstrdup(text, GFP_KERNEL);
	if (!name)
		return -ENOMEM;
	dev->kobj.name = name;
	kfree(old);
	return 0;
}

struct device *get_device(struct device *dev)
{
	if (dev)
		kobject_get(&dev->kobj);
	return dev;
}

void put_device(struct device *dev)
{
	if (dev)
		kobject_put(&dev->kobj);
}

/* The sources of a device's attribute groups, in the kernel's order. */
static const struct attribute_group **device_groups(struct device *dev, int i)
{
	switch (i) {
	case 0:
		return dev->class ? dev->class->dev_groups : NULL;
	case 1:
		return dev->type ? dev->type->groups : NULL;
	case 2:
		return dev->groups;
	default:
		return dev->bus ? dev->bus->dev_groups : NULL;
	}
}
#define DEVICE_GROUPS_NR 4

static int device_add_groups(struct device *dev)
{
	for (int i = 0; i < DEVICE_GROUPS_NR; i++) {
		int err = sysfs_create_groups(&dev->kobj,
					      device_groups(dev, i));

		if (err) {
			while (i--)
				sysfs_remove_groups(&dev->kobj,
						    device_groups(dev, i));
			return err;
		}
	}
	return 0;
}

int device_add(struct device *dev)
{
	int err;

	if (dev->init_name) {
		err = dev_set_name(dev, "%s", dev->init_name);
		if (err)
			return err;
		dev->init_name = NULL;
	}
	if (!dev->kobj.name)
		return -EINVAL;
	err = device_add_groups(dev);
	if (err)
		return err;
	get_device(dev);
	get_device(dev->parent);
	dev->kobj.state_in_sysfs = 1;
	return 0;
}

void device_del(struct device *dev)
{
	for (int i = DEVICE_GROUPS_NR; i--;)
		sysfs_remove_groups(&dev->kobj, device_groups(dev, i));
	dev->kobj.state_in_sysfs = 0;
	put_device(dev->parent);
	put_device(dev);
}

int device_register(struct device *dev)
{
	device_initialize(dev);
	return device_add(dev);
}

void device_unregister(struct device *dev)
{
	device_del(dev);
	put_device(dev);
}
