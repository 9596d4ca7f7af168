/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A block driver for a made-up device, with a script, and what its tests do
 * with it. No kernel header is needed to include this.
 *
 * The device begins with a request when the driver kicks it, and ends it with
 * an interrupt to one vCPU after a random time.
 */
#ifndef TESTS_GUEST_BLK_TEST_H
#define TESTS_GUEST_BLK_TEST_H

#include <stdbool.h>
#include <stdint.h>

#define BLK_TEST_STORE_BYTES	(UINT64_C(4) << 20)
#define BLK_TEST_LOG_MAX	4096u

enum blk_test_fail {
	BLK_TEST_RESOURCE,
	BLK_TEST_DEV_RESOURCE,
	BLK_TEST_ERROR,
};

/*
 * @seed:        of all delays
 * @queues_nr:   hardware queues; with @read_queue the last one is for reads
 * @depth:       tags per hardware queue
 * @room:        requests that a queue of the device holds; when it is full the
 *               driver stops the queue. 0: as many as there are tags
 * @delay_ps:    each of the driver's steps takes up to this long
 * @latency_ps:  the device takes up to this long
 * @irq_cpu:     vCPU that gets the interrupts
 * @atomic_ps:   price of an atomic operation, 0: as machine_set_costs has it
 * @noise_ps:    interrupts of this length hit the vCPUs at random, 0: none
 * @fail_at:     the call of queue_rq that fails, from 1; 0: none
 * @fail_nr:     how many from there on, 0: one
 * @fail_every:  so does each call with a number that this divides; 0: none
 * @requeue_every: likewise, completions that lead to a requeue
 * @fail_init_request_at, @fail_init_hctx_at: the one that fails, from 1
 * @max_sectors, @max_segments, @max_segment_bytes, @block_bytes: limits, 0:
 *               the default
 */
struct blk_test_config {
	uint64_t seed;
	unsigned int queues_nr;
	bool read_queue;
	unsigned int depth;
	unsigned int room;
	uint64_t delay_ps;
	uint64_t latency_ps;
	unsigned int irq_cpu;
	uint64_t atomic_ps;
	uint64_t noise_ps;
	enum blk_test_fail fail;
	unsigned int fail_at;
	unsigned int fail_nr;
	unsigned int fail_every;
	unsigned int requeue_every;
	unsigned int fail_init_request_at;
	unsigned int fail_init_hctx_at;
	unsigned int max_sectors;
	unsigned int max_segments;
	unsigned int max_segment_bytes;
	unsigned int block_bytes;
	bool write_cache;
};

/* One call of queue_rq. */
struct blk_test_call {
	uint64_t sector;
	uint32_t bytes;
	uint8_t queue;
	bool write;
	bool last;
	uint8_t status;
};

struct blk_test_result {
	struct blk_test_call call[BLK_TEST_LOG_MAX];
	unsigned int calls_nr;
	unsigned int kicks_nr;
	unsigned int commits_nr;
	unsigned int commit_after;	/* calls before first commit_rqs */
	unsigned int completed_nr;
	unsigned int requeued_nr;
	unsigned int inflight_max;
	unsigned int stops_nr;
};
extern struct blk_test_result blk_test;

/* Where the data is: what a test may spoil. */
extern uint8_t blk_test_store[BLK_TEST_STORE_BYTES];

/* What the next disk is like. Call between machine_start and machine_run. */
void blk_test_configure(const struct blk_test_config *config);

/*
 * The task of a test: makes the disk, calls @scenario, checks that tags, queue
 * references and lists are empty, removes the disk, checks that no memory is
 * left over.
 */
void blk_test_main(void *scenario);

struct blk_test_load {
	unsigned int jobs_nr;	/* one after the other on the vCPUs */
	unsigned int ios_nr;	/* of each */
	unsigned int plug_max;
	bool wait_each;		/* after each plug, for its end */
	bool disturb;		/* freeze and quiesce meanwhile */
};
extern struct blk_test_load blk_test_load;

/* Scenarios. */
void blk_scenario_load(void);
void blk_scenario_plug(void);
void blk_scenario_plug_mixed(void);
void blk_scenario_plug_sleep(void);
void blk_scenario_completion_cpu(void);
void blk_scenario_freeze(void);
void blk_scenario_quiesce(void);
void blk_scenario_pauses(void);
void blk_scenario_split(void);
void blk_scenario_refused(void);
void blk_scenario_partial(void);
void blk_scenario_execute(void);
void blk_scenario_slow_driver(void);
void blk_scenario_probe_fails(void);
void aio_scenario_reap(void);
void aio_scenario_wake(void);
void aio_scenario_order(void);

/* Tasks without a disk. */
void blk_limits(void *unused);
void sbitmap_two_getters(void *rank);
void sbitmap_exclusive(void *rank);
void sbitmap_reset(unsigned int depth);
unsigned int sbitmap_in_use(void);

/*
 * The task of a test of jobs: makes the disk, starts them, removes the disk
 * when they are done. @blk_test_spoil: bits of the store change meanwhile.
 */
struct load_config;
extern const struct load_config *blk_test_load_config;
extern bool blk_test_spoil;
extern int blk_test_load_error;
void load_scenario_main(void *unused);

#endif
