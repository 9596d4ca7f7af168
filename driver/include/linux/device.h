/* SPDX-License-Identifier: GPL-2.0-only */
/* Devices, drivers and their attributes. */
#ifndef PORT_LINUX_DEVICE_H
#define PORT_LINUX_DEVICE_H

#include <linux/container_of.h>
#include <linux/dev_printk.h>
#include <linux/gfp_types.h>
#include <linux/kobject.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/numa.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/sysfs.h>

struct device;
struct device_driver;
struct device_private;
struct driver_private;
struct module;

/* API 6.12 (const driver in match) */
struct bus_type {
	const char *name;
	const struct attribute_group **dev_groups;
	int (*match)(struct device *dev, const struct device_driver *drv);
	int (*probe)(struct device *dev);
	void (*remove)(struct device *dev);
};

struct device_type {
	const char *name;
	const struct attribute_group **groups;
	void (*release)(struct device *dev);
};

struct device_driver {
	const char *name;
	const struct bus_type *bus;
	struct module *owner;
	const char *mod_name;
	const struct attribute_group **groups;
	const struct attribute_group **dev_groups;
	struct driver_private *p;
};

struct device_dma_parameters {
	unsigned int max_segment_size;
	unsigned int min_align_mask;
	unsigned long segment_boundary_mask;
};

struct class {
	const char *name;
	const struct attribute_group **class_groups;
	const struct attribute_group **dev_groups;
};

/*
 * Fields in the kernel's order, without power management, firmware and IOMMU:
 * shorter than the kernel's, but never touched on the I/O path.
 */
struct device {
	struct kobject kobj;
	struct device *parent;
	struct device_private *p;
	const char *init_name;
	const struct device_type *type;
	const struct bus_type *bus;
	struct device_driver *driver;
	void *platform_data;
	void *driver_data;
	struct mutex mutex;
	u64 *dma_mask;
	u64 coherent_dma_mask;
	u64 bus_dma_limit;
	struct device_dma_parameters *dma_parms;
	int numa_node;
	dev_t devt;
	u32 id;
	spinlock_t devres_lock;
	struct list_head devres_head;
	const struct class *class;
	const struct attribute_group **groups;
	void (*release)(struct device *dev);
};

#define kobj_to_dev(k) container_of_const(k, struct device, kobj)

struct device_attribute {
	struct attribute attr;
	ssize_t (*show)(struct device *dev, struct device_attribute *attr,
			char *buf);
	ssize_t (*store)(struct device *dev, struct device_attribute *attr,
			 const char *buf, size_t count);
};

#define DEVICE_ATTR(_name, _mode, _show, _store) \
	struct device_attribute dev_attr_##_name = \
		__ATTR(_name, _mode, _show, _store)
#define DEVICE_ATTR_RO(_name) \
	struct device_attribute dev_attr_##_name = __ATTR_RO(_name)
#define DEVICE_ATTR_WO(_name) \
	struct device_attribute dev_attr_##_name = __ATTR_WO(_name)
#define DEVICE_ATTR_RW(_name) \
	struct device_attribute dev_attr_##_name = __ATTR_RW(_name)

static inline const char *dev_name(const struct device *dev)
{
	return dev->init_name ? dev->init_name : kobject_name(&dev->kobj);
}

__printf(2, 3) int dev_set_name(struct device *dev, const char *fmt, ...);

static inline int dev_to_node(struct device *dev)
{
	return dev->numa_node;
}

static inline void *dev_get_drvdata(const struct device *dev)
{
	return dev->driver_data;
}

static inline void dev_set_drvdata(struct device *dev, void *data)
{
	dev->driver_data = data;
}

struct device *get_device(struct device *dev);
void put_device(struct device *dev);
int __must_check device_register(struct device *dev);
void device_unregister(struct device *dev);
void device_initialize(struct device *dev);
int __must_check device_add(struct device *dev);
void device_del(struct device *dev);
int device_create_file(struct device *dev,
		       const struct device_attribute *attr);
void device_remove_file(struct device *dev,
			const struct device_attribute *attr);

#endif /* PORT_LINUX_DEVICE_H */
