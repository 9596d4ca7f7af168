/* SPDX-License-Identifier: GPL-2.0-only */
/* Attributes; plain data, so the simulator can list, show and store them. */
#ifndef PORT_LINUX_SYSFS_H
#define PORT_LINUX_SYSFS_H

#include <linux/stat.h>
#include <linux/string.h>
#include <linux/types.h>

struct kobject;
struct bin_attribute;

struct attribute {
	const char *name;
	umode_t mode;
};

struct attribute_group {
	const char *name;
	umode_t (*is_visible)(struct kobject *kobj, struct attribute *attr,
			      int index);
	umode_t (*is_bin_visible)(struct kobject *kobj,
				  struct bin_attribute *attr, int index);
	struct attribute **attrs;
	struct bin_attribute **bin_attrs;
};

struct sysfs_ops {
	ssize_t (*show)(struct kobject *kobj, struct attribute *attr,
			char *buf);
	ssize_t (*store)(struct kobject *kobj, struct attribute *attr,
			 const char *buf, size_t len);
};

#define __ATTR(_name, _mode, _show, _store) { \
	.attr = { .name = #_name, .mode = (_mode) }, \
	.show = _show, \
	.store = _store, \
}
#define __ATTR_RO(_name) __ATTR(_name, 0444, _name##_show, NULL)
#define __ATTR_WO(_name) __ATTR(_name, 0200, NULL, _name##_store)
#define __ATTR_RW(_name) __ATTR(_name, 0644, _name##_show, _name##_store)
#define __ATTR_NULL { .attr = { .name = NULL } }

#define ATTRIBUTE_GROUPS(_name) \
static const struct attribute_group _name##_group = { \
	.attrs = _name##_attrs, \
}; \
static const struct attribute_group *_name##_groups[] = { \
	&_name##_group, NULL, \
}

/* buf is one page; result: characters written */
__printf(2, 3) int sysfs_emit(char *buf, const char *fmt, ...);
__printf(3, 4) int sysfs_emit_at(char *buf, int at, const char *fmt, ...);
int __must_check sysfs_create_group(struct kobject *kobj,
				    const struct attribute_group *group);
void sysfs_remove_group(struct kobject *kobj,
			const struct attribute_group *group);
void sysfs_notify(struct kobject *kobj, const char *dir, const char *attr);

#endif /* PORT_LINUX_SYSFS_H */
