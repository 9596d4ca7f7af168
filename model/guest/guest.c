// SPDX-License-Identifier: GPL-2.0-only
/* Boots the guest: memory, vCPUs, driver, disk, jobs. */
#include "model/guest/guest.h"

#include <linux/blkdev.h>
#include <linux/errno.h>
#include <linux/printk.h>

#include "model/guest/blk.h"
#include "model/guest/control_task.h"
#include "model/guest/irq.h"
#include "model/guest/load_job.h"
#include "model/guest/module.h"
#include "model/guest/page.h"
#include "model/guest/printk.h"
#include "model/guest/sg.h"
#include "model/guest/slab.h"
#include "model/guest/spinlock.h"
#include "model/guest/sysfs.h"
#include "model/guest/task.h"
#include "model/guest/timer.h"
#include "model/guest/verdict.h"
#include "model/guest/virtio.h"
#include "model/guest/virtio_pci.h"
#include "model/guest/workqueue.h"

static struct {
	const struct guest_config *config;
	enum guest_state state;
} guest;

/* The steps of a boot that need a task; the first error ends it. */
static int guest_bring_up(void)
{
	struct gendisk *disk;
	int err;

	err = blk_core_init();
	if (!err)
		err = bio_init_all();
	if (!err)
		err = module_init_all();
	if (!err)
		err = virtio_pci_probe(guest.config->pci);
	if (err)
		return err;
	disk = blk_first_disk();
	if (!disk)
		return -ENODEV;
	blk_mq_set_rq_affinity(disk->queue, guest.config->rq_affinity);
	err = load_start(guest.config->load, disk->part0);
	if (err)
		return err;
	control_start(guest.config->action, guest.config->actions_nr, disk);
	if (guest.config->started)
		guest.config->started(guest.config->started_arg);
	return 0;
}

static void guest_boot(void *arg)
{
	int err = guest_bring_up();

	if (!err) {
		guest.state = GUEST_RUNNING;
		return;
	}
	pr_err("boot: no disk to work on (error %d)\n", err);
	guest.state = GUEST_NO_DISK;
	sim_stop();
}

static int guest_set_params(const struct guest_config *config)
{
	for (uint32_t i = 0; i < config->params_nr; i++) {
		int err = module_param_set(config->param[i].name,
					   config->param[i].value);

		if (err)
			return err;
	}
	return 0;
}

int guest_init(const struct guest_config *config)
{
	int err;

	guest.config = config;
	guest.state = GUEST_BOOTING;
	guest_verdict_reset();
	printk_set_sink(config->log, config->log_arg);
	spinlock_init_all();
	page_init();
	slab_init();
	sg_init();
	sysfs_init();
	virtio_init();
	virtio_pci_init();
	blk_mq_complete_init();
	err = guest_set_params(config);
	if (!err)
		err = irq_init(config->vcpus_nr, config->vcpus_per_socket);
	if (!err)
		err = task_init(config);
	if (err)
		return err;
	timer_init();
	workqueue_init();
	task_create("boot", 0, guest_boot, NULL);
	task_start();
	return 0;
}

void guest_fini(void)
{
	timer_fini();
	task_fini();
	irq_fini();
}

enum guest_state guest_state(void)
{
	if (guest.state == GUEST_RUNNING && load_is_done() &&
	    control_is_done())
		return GUEST_DONE;
	return guest.state;
}

void guest_reset_stats(void)
{
	spinlock_reset_stats();
}
