/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's basic types; u64 is unsigned long long for %llu. */
#ifndef PORT_LINUX_TYPES_H
#define PORT_LINUX_TYPES_H

#ifdef __GLIBC__
#error "libc code finds <uapi/...> by -idirafter, see driver/include/README.md"
#endif

#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>
#include <linux/compiler.h>
#include <uapi/linux/types.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s8 s8;
typedef __s16 s16;
typedef __s32 s32;
typedef __s64 s64;

typedef unsigned int uint;
typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned short ushort;
typedef unsigned long u_long;
typedef unsigned long ulong;
typedef unsigned char unchar;

typedef long ssize_t;
typedef long long loff_t;
typedef long off_t;
typedef int pid_t;
typedef unsigned short umode_t;
typedef u32 dev_t;
typedef u64 sector_t;
typedef u64 blkcnt_t;
typedef u64 phys_addr_t;
typedef phys_addr_t resource_size_t;
typedef u64 dma_addr_t;
typedef unsigned int gfp_t;
typedef unsigned int slab_flags_t;
typedef unsigned int fmode_t;
typedef s64 ktime_t;
typedef unsigned long pgoff_t;
typedef unsigned long irq_hw_number_t;

typedef struct {
	int counter;
} atomic_t;

typedef struct {
	s64 counter;
} atomic64_t;

struct list_head {
	struct list_head *next, *prev;
};

struct hlist_node {
	struct hlist_node *next, **pprev;
};

struct hlist_head {
	struct hlist_node *first;
};

struct callback_head {
	struct callback_head *next;
	void (*func)(struct callback_head *head);
};
#define rcu_head callback_head

#define BITS_PER_BYTE		8
#define BITS_PER_LONG		64
#define BITS_PER_LONG_LONG	64
#define BITS_TO_LONGS(nr)	(((nr) + BITS_PER_LONG - 1) / BITS_PER_LONG)
#define DECLARE_BITMAP(name, bits) unsigned long name[BITS_TO_LONGS(bits)]

/* A lock class is named by string (see spinlock.h); the key has no content. */
struct lock_class_key { };

_Static_assert(sizeof(u64) == 8 && sizeof(long) == 8, "LP64");
_Static_assert(sizeof(atomic_t) == 4, "atomic_t");
_Static_assert(sizeof(struct list_head) == 16, "list_head");

#endif /* PORT_LINUX_TYPES_H */
