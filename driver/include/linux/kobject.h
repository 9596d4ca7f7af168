/* SPDX-License-Identifier: GPL-2.0-only */
/* Objects of the device model; a name, a parent and a count. */
#ifndef PORT_LINUX_KOBJECT_H
#define PORT_LINUX_KOBJECT_H

#include <linux/kref.h>
#include <linux/list.h>
#include <linux/sysfs.h>

struct kset;
struct kernfs_node;
struct kobject;

struct kobj_type {
	void (*release)(struct kobject *kobj);
	const struct sysfs_ops *sysfs_ops;
	const struct attribute_group **default_groups;
};

struct kobject {
	const char *name;
	struct list_head entry;
	struct kobject *parent;
	struct kset *kset;
	const struct kobj_type *ktype;
	struct kernfs_node *sd;
	struct kref kref;
	unsigned int state_initialized : 1;
	unsigned int state_in_sysfs : 1;
	unsigned int state_add_uevent_sent : 1;
	unsigned int state_remove_uevent_sent : 1;
	unsigned int uevent_suppress : 1;
};

_Static_assert(sizeof(struct kobject) == 64, "kobject");

enum kobject_action {
	KOBJ_ADD,
	KOBJ_REMOVE,
	KOBJ_CHANGE,
};

static inline const char *kobject_name(const struct kobject *kobj)
{
	return kobj->name;
}

struct kobject *kobject_get(struct kobject *kobj);
void kobject_put(struct kobject *kobj);
int kobject_uevent(struct kobject *kobj, enum kobject_action action);
int kobject_uevent_env(struct kobject *kobj, enum kobject_action action,
		       char *envp[]);

#endif /* PORT_LINUX_KOBJECT_H */
