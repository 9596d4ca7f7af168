/* SPDX-License-Identifier: GPL-2.0-only */
/* Device numbers: 12 bits major, 20 bits minor. */
#ifndef PORT_LINUX_KDEV_T_H
#define PORT_LINUX_KDEV_T_H

#include <linux/types.h>

#define MINORBITS	20
#define MINORMASK	((1U << MINORBITS) - 1)
#define MAJOR(dev)	((unsigned int)((dev) >> MINORBITS))
#define MINOR(dev)	((unsigned int)((dev) & MINORMASK))
#define MKDEV(ma, mi)	(((ma) << MINORBITS) | (mi))

#endif /* PORT_LINUX_KDEV_T_H */
