/* SPDX-License-Identifier: GPL-2.0-only */
/* The driver of blk_test.h as the guest code of the tests sees it. */
#ifndef TESTS_GUEST_BLK_FAKE_H
#define TESTS_GUEST_BLK_FAKE_H

#include "tests/guest/blk_test.h"
#include "tests/guest/machine.h"

#include "model/guest/blk.h"

struct blk_fake {
	struct blk_test_config config;
	struct blk_mq_tag_set set;
	struct gendisk *disk;
	struct sim_random random;
	int irq;
	unsigned int init_requests_nr;
	unsigned int exit_requests_nr;
	unsigned int init_hctxs_nr;
	unsigned int exit_hctxs_nr;
	int inside;		/* calls of queue_rq not yet returned from */
	unsigned int tasks_nr;
	bool partial;		/* complete in parts */
	u64 linger_ps;		/* that queue_rq stays after the kick */
};
extern struct blk_fake blk_fake;

int blk_fake_probe(void);
void blk_fake_remove(void);
void blk_fake_task(unsigned int cpu, void (*fn)(void *arg), void *arg);
struct block_device *blk_fake_bdev(void);

#endif
