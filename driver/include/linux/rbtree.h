/* SPDX-License-Identifier: GPL-2.0-only */
/* Only the size of a node; nothing here uses the trees. */
#ifndef PORT_LINUX_RBTREE_H
#define PORT_LINUX_RBTREE_H

#include <linux/types.h>

struct rb_node {
	unsigned long __rb_parent_color;
	struct rb_node *rb_right;
	struct rb_node *rb_left;
};

#endif /* PORT_LINUX_RBTREE_H */
