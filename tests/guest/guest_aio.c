// SPDX-License-Identifier: GPL-2.0-only
#include "tests/guest/blk_fake.h"

#include <linux/delay.h>
#include <linux/kernel.h>
#include <linux/slab.h>

#include "model/guest/aio.h"
#include "model/guest/load_job.h"
#include "model/guest/task.h"

#define OPS_MAX	16u

static struct {
	struct aio_context *ctx;
	struct aio_iocb iocb[OPS_MAX];
	struct aio_iocb *ptr[OPS_MAX];
	struct aio_iocb *reaped[OPS_MAX];
	u8 *buf;
} aio;

static void aio_set_up(void)
{
	aio.ctx = aio_create(OPS_MAX);
	aio.buf = alloc_pages_exact(PAGE_SIZE, GFP_KERNEL);
	for (unsigned int i = 0; i < OPS_MAX; i++) {
		aio.iocb[i] = (struct aio_iocb){
			.bdev = blk_fake_bdev(), .buf = aio.buf, .len = 512,
			.write = i & 1, .offset = 512 * i, .error = 1,
		};
		aio.ptr[i] = &aio.iocb[i];
	}
}

static void aio_clean_up(void)
{
	aio_destroy(aio.ctx);
	free_pages_exact(aio.buf, PAGE_SIZE);
}

/* Waits for all without reaping. */
static void aio_let_end(unsigned int nr)
{
	while (blk_test.completed_nr < nr)
		usleep_range(10, 10);
	usleep_range(50, 50);
}

void aio_scenario_reap(void)
{
	aio_set_up();
	machine_check(aio_getevents(aio.ctx, 0, 4, aio.reaped) == 0);
	for (int round = 0; round < 5; round++) {
		unsigned int nr, total = 0;

		blk_test.completed_nr = 0;
		aio_submit(aio.ctx, aio.ptr, OPS_MAX);
		nr = aio_getevents(aio.ctx, 3, 5, aio.reaped);
		machine_check(nr >= 3 && nr <= 5);
		total += nr;
		aio_let_end(OPS_MAX);
		nr = aio_getevents(aio.ctx, 1, 4, aio.reaped);
		machine_check(nr == 4);
		total += nr;
		nr = aio_getevents(aio.ctx, OPS_MAX - total, OPS_MAX,
				   aio.reaped);
		machine_check(total + nr == OPS_MAX);
		for (unsigned int i = 0; i < OPS_MAX; i++)
			machine_check(!aio.iocb[i].error);
	}
	aio_clean_up();
}

static unsigned int wakes_nr;

static int count_wake(struct wait_queue_entry *entry, unsigned int mode,
		      int flags, void *key)
{
	wakes_nr++;
	return 0;
}

/* One operation after the other ends; the reader wants four. */
void aio_scenario_wake(void)
{
	struct wait_queue_entry entry = { .func = count_wake };

	aio_set_up();
	list_add(&entry.entry, &aio.ctx->wait.head);
	wakes_nr = 0;
	for (unsigned int i = 0; i < 4; i++)
		aio_submit(aio.ctx, &aio.ptr[i], 1);
	machine_check(!blk_test.completed_nr);
	machine_check(aio_getevents(aio.ctx, 4, 4, aio.reaped) == 4);
	machine_check(wakes_nr == 1);
	list_del(&entry.entry);
	aio_clean_up();
}

/* Reaped in the order in which they ended, bad ones too. */
void aio_scenario_order(void)
{
	aio_set_up();
	for (unsigned int i = 0; i < 4; i++) {
		if (i == 2)
			aio.iocb[i].offset = BLK_TEST_STORE_BYTES;
		aio_submit(aio.ctx, &aio.ptr[i], 1);
		if (i != 2)
			aio_let_end(i - (i > 2) + 1);
	}
	machine_check(aio_getevents(aio.ctx, 4, OPS_MAX, aio.reaped) == 4);
	for (unsigned int i = 0; i < 4; i++) {
		machine_check(aio.reaped[i] == aio.ptr[i]);
		machine_check(aio.iocb[i].error == (i == 2 ? -EIO : 0));
	}
	aio_clean_up();
}

/* Jobs, on the disk of the made-up driver. */

const struct load_config *blk_test_load_config;
bool blk_test_spoil;
int blk_test_load_error;

/* What a job allocates stays: no leak check. */
void load_scenario_main(void *unused)
{
	machine_check(!blk_core_init() && !bio_init_all());
	machine_check(!blk_fake_probe());
	blk_test_load_error = load_start(blk_test_load_config,
					 blk_fake_bdev());
	if (blk_test_load_error)
		return;
	while (!load_is_done()) {
		usleep_range(200, 200);
		if (blk_test_spoil && blk_test.completed_nr > 100)
			blk_test_store[blk_test.completed_nr % 64 * 1024] ^= 1;
	}
	blk_fake_remove();
}
