/* SPDX-License-Identifier: GPL-2.0-only */
/* offsetof and friends. */
#ifndef PORT_LINUX_STDDEF_H
#define PORT_LINUX_STDDEF_H

#include <linux/types.h>

#define sizeof_field(type, member) sizeof(((type *)0)->member)
#define offsetofend(type, member) \
	(offsetof(type, member) + sizeof_field(type, member))
#define struct_group(name, members...) \
	union { \
		struct { members }; \
		struct { members } name; \
	}

#endif /* PORT_LINUX_STDDEF_H */
