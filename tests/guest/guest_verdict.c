// SPDX-License-Identifier: GPL-2.0-only
#include "tests/guest/calls.h"
#include "tests/guest/machine.h"

#include <linux/bug.h>
#include <linux/device.h>
#include <linux/kernel.h>
#include <linux/printk.h>
#include <linux/slab.h>

#include "model/guest/slab.h"

bool verdict_went_on;

void verdict_bug(void *unused)
{
	verdict_went_on = false;
	BUG_ON(machine_vcpu(0));
	verdict_went_on = true;
}

void verdict_warn(void *unused)
{
	machine_check(!WARN_ON(0));
	machine_check(WARN(1, "queue %d is odd", 3));
	for (int i = 0; i < 3; i++)
		machine_check(WARN_ON_ONCE(1));
}

void verdict_messages(void *unused)
{
	static struct device dev = { .init_name = "virtio0" };
	static struct device_driver driver = { .name = "virtio_blk" };

	pr_err("%d errors\n", 2);
	dev.driver = &driver;
	dev_info(&dev, "[vda] %u sectors", 8);
}

void verdict_poison(void *unused)
{
	u8 *p = kmalloc(64, GFP_KERNEL);

	slab_set_poison(true);
	p[63] = 1;
	kfree(p);
	machine_check(p[63] == 0x6b);
	slab_set_poison(false);
	p = kmalloc(64, GFP_KERNEL);
	p[63] = 1;
	kfree(p);
	machine_check(p[63] == 1);
}
