// SPDX-License-Identifier: GPL-2.0-only
/* Block major numbers: who has which. Implements a part of <linux/blkdev.h>. */
#include <linux/blkdev.h>
#include <linux/bug.h>
#include <linux/errno.h>
#include <linux/mutex.h>
#include <linux/string.h>

/* Majors for disks: 1 to 511. Free ones are handed out from 254 down. */
#define MAJOR_NR		512u
#define MAJOR_DYNAMIC_LAST	254u
#define MAJOR_NAME_BYTES	16u

static DEFINE_MUTEX(major_lock);
static char major_name[MAJOR_NR][MAJOR_NAME_BYTES];

static bool major_free(unsigned int major)
{
	return !major_name[major][0];
}

static unsigned int major_find_free(void)
{
	unsigned int major = MAJOR_DYNAMIC_LAST;

	while (major && !major_free(major))
		major--;
	return major;
}

/* Called with the lock held. The major or a negative errno. */
static int major_take(unsigned int major, const char *name)
{
	if (!major)
		major = major_find_free();
	if (!major || !major_free(major))
		return -EBUSY;
	strscpy(major_name[major], name, MAJOR_NAME_BYTES);
	return major;
}

/* A probe for device numbers without a disk: nobody opens any here. */
int __register_blkdev(unsigned int major, const char *name,
		      void (*probe)(dev_t devt) __always_unused)
{
	int ret;

	if (major >= MAJOR_NR || !name[0])
		return -EINVAL;
	mutex_lock(&major_lock);
	ret = major_take(major, name);
	mutex_unlock(&major_lock);
	return ret < 0 || !major ? ret : 0;
}

void unregister_blkdev(unsigned int major, const char *name)
{
	mutex_lock(&major_lock);
	if (!WARN_ON(!major || major >= MAJOR_NR ||
		     strncmp(major_name[major], name, MAJOR_NAME_BYTES - 1)))
		major_name[major][0] = '\0';
	mutex_unlock(&major_lock);
}
