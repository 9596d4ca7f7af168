/* SPDX-License-Identifier: GPL-2.0-only */
/* Lock-free singly linked lists. */
#ifndef PORT_LINUX_LLIST_H
#define PORT_LINUX_LLIST_H

#include <linux/atomic.h>
#include <linux/container_of.h>

struct llist_node {
	struct llist_node *next;
};

struct llist_head {
	struct llist_node *first;
};

#define LLIST_HEAD_INIT(name) { NULL }
#define LLIST_HEAD(name) struct llist_head name = LLIST_HEAD_INIT(name)

static inline void init_llist_head(struct llist_head *list)
{
	list->first = NULL;
}

static inline bool llist_empty(const struct llist_head *head)
{
	return !READ_ONCE(head->first);
}

/* True if the list was empty. */
static inline bool llist_add(struct llist_node *node, struct llist_head *head)
{
	struct llist_node *first = READ_ONCE(head->first);

	do {
		node->next = first;
	} while (!try_cmpxchg(&head->first, &first, node));
	return !first;
}

/* Takes all, newest first. */
static inline struct llist_node *llist_del_all(struct llist_head *head)
{
	return xchg(&head->first, NULL);
}

#define llist_entry(ptr, type, member) container_of(ptr, type, member)

#endif /* PORT_LINUX_LLIST_H */
