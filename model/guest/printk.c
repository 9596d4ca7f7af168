// SPDX-License-Identifier: GPL-2.0-only
/* Implements <linux/printk.h> and <linux/dev_printk.h>. */
#include "model/guest/printk.h"

#include <linux/device.h>
#include <linux/printk.h>
#include <linux/sprintf.h>
#include <linux/string.h>

#define PRINTK_BYTES	512
/* The level of a message that names none. */
#define PRINTK_DEFAULT	4

static struct {
	void (*fn)(void *arg, int level, const char *text);
	void *arg;
} sink;

void printk_set_sink(void (*fn)(void *arg, int level, const char *text),
		     void *arg)
{
	sink.fn = fn;
	sink.arg = arg;
}

/* Level of a format or level string; *text moves behind the mark. */
static int printk_level(const char **text)
{
	const char *s = *text;

	if (s[0] != KERN_SOH[0] || !s[1])
		return PRINTK_DEFAULT;
	*text = s + 2;
	return s[1] >= '0' && s[1] <= '7' ? s[1] - '0' : PRINTK_DEFAULT;
}

static void printk_emit(int level, char *text, int len)
{
	if (len && text[len - 1] == '\n')
		text[len - 1] = '\0';
	if (sink.fn)
		sink.fn(sink.arg, level, text);
}

static int __printf(3, 0) printk_format(char *buf, int at, const char *fmt,
					va_list args)
{
	int len = vsnprintf(buf + at, PRINTK_BYTES - at, fmt, args);

	return len < PRINTK_BYTES - at ? at + len : PRINTK_BYTES - 1;
}

int _printk(const char *fmt, ...)
{
	int level = printk_level(&fmt);
	char text[PRINTK_BYTES];
	va_list args;
	int len;

	va_start(args, fmt);
	len = printk_format(text, 0, fmt, args);
	va_end(args);
	printk_emit(level, text, len);
	return len;
}

static const char *printk_driver_name(const struct device *dev)
{
	if (dev->driver)
		return dev->driver->name;
	return dev->bus ? dev->bus->name : "";
}

void _dev_printk(const char *level_mark, const struct device *dev,
		 const char *fmt, ...)
{
	int level = printk_level(&level_mark);
	char text[PRINTK_BYTES];
	va_list args;
	int len;

	if (dev)
		len = scnprintf(text, sizeof(text), "%s %s: ",
				printk_driver_name(dev), dev_name(dev));
	else
		len = scnprintf(text, sizeof(text), "(NULL device *): ");
	va_start(args, fmt);
	len = printk_format(text, len, fmt, args);
	va_end(args);
	printk_emit(level, text, len);
}
