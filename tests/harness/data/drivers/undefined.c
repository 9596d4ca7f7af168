// SPDX-License-Identifier: GPL-2.0-only
/* Declares for itself what the guest kernel does not have. */
#include <linux/module.h>
#include <linux/virtio.h>

#undef strlen

int blk_mq_start_requst(void);
void sim_yield(void);
int puts(const char *text);
unsigned long strlen(const char *text);

static const char *volatile text = "y";

static int __init start(void)
{
	sim_yield();
	return blk_mq_start_requst() + puts("x") + (int)strlen(text) +
	       register_virtio_driver((struct virtio_driver *)NULL);
}
module_init(start);
