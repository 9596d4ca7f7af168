/* SPDX-License-Identifier: GPL-2.0-only */
/* Lock validation is off. */
#ifndef PORT_LINUX_LOCKDEP_H
#define PORT_LINUX_LOCKDEP_H

#include <linux/types.h>

#define lockdep_assert_held(lock)	((void)(lock))
#define lockdep_assert_irqs_disabled()	((void)0)
#define might_sleep()			((void)0)
#define lockdep_set_class(lock, key)	((void)(key))

#endif /* PORT_LINUX_LOCKDEP_H */
