/* SPDX-License-Identifier: GPL-2.0-only */
/* Kernel messages about a device. */
#ifndef PORT_LINUX_DEV_PRINTK_H
#define PORT_LINUX_DEV_PRINTK_H

#include <linux/printk.h>

struct device;

/* level: "\001" and the digit */
__cold __printf(3, 4)
void _dev_printk(const char *level, const struct device *dev,
		 const char *fmt, ...);

#ifndef dev_fmt
#define dev_fmt(fmt) fmt
#endif
#define dev_printk(level, dev, fmt, ...) \
	_dev_printk(level, dev, dev_fmt(fmt), ##__VA_ARGS__)
#define dev_emerg(dev, fmt, ...) \
	dev_printk(KERN_EMERG, dev, fmt, ##__VA_ARGS__)
#define dev_crit(dev, fmt, ...) dev_printk(KERN_CRIT, dev, fmt, ##__VA_ARGS__)
#define dev_alert(dev, fmt, ...) \
	dev_printk(KERN_ALERT, dev, fmt, ##__VA_ARGS__)
#define dev_err(dev, fmt, ...) dev_printk(KERN_ERR, dev, fmt, ##__VA_ARGS__)
#define dev_warn(dev, fmt, ...) \
	dev_printk(KERN_WARNING, dev, fmt, ##__VA_ARGS__)
#define dev_notice(dev, fmt, ...) \
	dev_printk(KERN_NOTICE, dev, fmt, ##__VA_ARGS__)
#define dev_info(dev, fmt, ...) dev_printk(KERN_INFO, dev, fmt, ##__VA_ARGS__)
#ifdef DEBUG
#define dev_dbg(dev, fmt, ...) dev_printk(KERN_DEBUG, dev, fmt, ##__VA_ARGS__)
#else
#define dev_dbg(dev, fmt, ...) \
do { \
	if (0) \
		dev_printk(KERN_DEBUG, dev, fmt, ##__VA_ARGS__); \
} while (0)
#endif
#define dev_warn_once(dev, args...) __port_once(dev_warn, dev, args)
#define dev_warn_ratelimited(dev, args...) dev_warn(dev, args)
#define dev_err_ratelimited(dev, args...) dev_err(dev, args)

#endif /* PORT_LINUX_DEV_PRINTK_H */
