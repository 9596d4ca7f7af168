/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Backing stores: what stands behind the virtual disk.
 *
 *	null    completes everything at once, holds nothing (reads leave the
 *	        guest's buffers as they were)
 *	ram     completes everything at once, holds data, sparsely
 *	queue   @servers identical servers behind one first-in-first-out queue,
 *	        each request served for a random time: G/G/c. Holds data if it
 *	        has a ram store beneath.
 *
 * A request is the caller's until hstore_submit, then the store's, and the
 * caller's again when its sink is called. In the steady state nothing is
 * allocated, except that a ram store allocates a chunk of 64 KiB the first
 * time a place is written.
 */
#ifndef MODEL_HOST_HSTORE_H
#define MODEL_HOST_HSTORE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/host/hiov.h"
#include "sim/dist.h"
#include "sim/random.h"
#include "sim/sim.h"

#define HSTORE_SECTOR_BYTES	512u
#define HSTORE_RANGES_MAX	16u
#define HSTORE_SERVERS_MAX	4096u

enum hstore_op {
	HSTORE_READ,
	HSTORE_WRITE,
	HSTORE_FLUSH,
	HSTORE_DISCARD,
	HSTORE_WRITE_ZEROES,
	HSTORE_SECURE_ERASE,
	HSTORE_OP_NR
};

extern const char *const hstore_op_name[HSTORE_OP_NR];

struct hstore_range {
	uint64_t sector;
	uint64_t sectors_nr;
};

struct hstore_req;

/*
 * Where finished requests go. @done runs at the time of completion: in an
 * event callback, or inside hstore_submit. It must not spend or park; it may
 * append the request to a list and signal an event loop.
 */
struct hstore_sink {
	void (*done)(struct hstore_sink *sink, struct hstore_req *req);
};

/*
 * Filled by the caller:
 * @op, @sector, @iov, @iovs_nr, @bytes: READ and WRITE; @bytes is a multiple of
 *          HSTORE_SECTOR_BYTES and the sum of @iov, which stays until done
 * @range, @ranges_nr: DISCARD, WRITE_ZEROES, SECURE_ERASE
 * @fua:    a WRITE or WRITE_ZEROES that is stable when it completes
 * @vq, @head: names for the stamps
 * @aborted: may be set while the store has it: no guest memory is touched any
 *          more, the result is -EIO
 * By the store:
 * @result: 0 or -EIO (out of bounds, guest memory gone, aborted), -ENOMEM
 * @next:   free for the caller while the request is his
 * @covers_nr: a FLUSH covers that many of the writes completed so far
 */
struct hstore_req {
	enum hstore_op op;
	uint64_t sector;
	const struct hiov *iov;
	uint32_t iovs_nr;
	uint64_t bytes;
	struct hstore_range range[HSTORE_RANGES_MAX];
	uint32_t ranges_nr;
	bool fua;
	bool aborted;
	uint32_t vq;
	uint32_t head;
	struct hstore_sink *sink;

	int result;
	struct hstore_req *next;
	struct hstore *store;
	struct sim_event event;
	uint64_t submitted_ps;
	uint64_t started_ps;
	uint64_t covers_nr;
};

/*
 * @wait_ps:     submit to start, summed over started requests
 * @service_ps:  start to done, summed over finished requests
 * @in_store_ps: integral of requests in the store over time, up to changed_ps
 *               (divide by time for the mean number: Little's law)
 */
struct hstore_stats {
	uint64_t submits_nr;		/* calls */
	uint64_t ops_nr[HSTORE_OP_NR];	/* finished, by kind */
	uint64_t bytes[HSTORE_OP_NR];
	uint64_t errors_nr;
	uint64_t started_nr;
	uint64_t wait_ps;
	uint64_t wait_max_ps;
	uint64_t service_ps;
	uint64_t in_store_ps;
	uint64_t changed_ps;
	uint32_t in_store_nr;
	uint32_t in_store_max_nr;
};

struct hstore_ops {
	const char *name;
	/* Start or enqueue one request; its turn has come. */
	void (*submit)(struct hstore *store, struct hstore_req *req);
	void (*fini)(struct hstore *store);
};

/* Chunks of a ram store, by number; NULL reads as zeroes. */
struct hstore_ram {
	uint8_t **chunk;
	uint64_t chunks_nr;
	uint64_t allocated_nr;
};

/*
 * @service: of reads and writes; @flush_service: of flushes, and what a fua
 * write takes on top. Discards and write zeroes take @service.
 */
struct hstore_queue {
	uint32_t servers;
	uint32_t busy_nr;
	const struct sim_dist *service;
	const struct sim_dist *flush_service;
	struct sim_random random;
	struct hstore *under;
	struct hstore_req *first;
	struct hstore_req **last;
};

/*
 * @sectors:     capacity, in 512-byte sectors
 * @volatile_nr: writes completed that were not fua; @flushed_nr: of these, made
 *               stable by a flush that was submitted after they completed
 */
struct hstore {
	const struct hstore_ops *ops;
	uint64_t sectors;
	uint64_t volatile_nr;
	uint64_t flushed_nr;
	struct hstore_stats stats;
	struct hstore_ram ram;
	struct hstore_queue queue;
};

/* null. Nothing to release, but hstore_fini may be called. */
void hstore_init_null(struct hstore *store, uint64_t sectors);

/* ram. 0 or -ENOMEM; release with hstore_fini. */
int hstore_init_ram(struct hstore *store, uint64_t sectors);

/*
 * @servers:       1 to HSTORE_SERVERS_MAX, requests served at the same time
 * @service, @flush_service: stay the caller's; @flush_service NULL: flushes
 *                 take no time
 * @seed, @name:   of the random stream for service times
 * @under:         a ram store of the same capacity that holds the data, or
 *                 NULL; stays the caller's
 */
struct hstore_queue_config {
	uint32_t servers;
	const struct sim_dist *service;
	const struct sim_dist *flush_service;
	uint64_t seed;
	const char *name;
	struct hstore *under;
};

/* queue. 0, or -EINVAL for a parameter out of range. */
int hstore_init_queue(struct hstore *store, uint64_t sectors,
		      const struct hstore_queue_config *config);

void hstore_fini(struct hstore *store);

/*
 * Submit a batch in one call. On an actor it charges hw_cost.dev_submit once
 * and before each request dev_submit_io and, if it has data, dev_submit_kib for
 * each KiB; the request begins at its own turn: may switch. In an event nothing is charged. Stamps START when service begins
 * and DONE when it ends; sinks may be called before it returns.
 */
void hstore_submit(struct hstore *store, struct hstore_req *const *batch,
		   uint32_t batch_nr);

/*
 * New capacity, from now on; the one beneath a queueing store follows. What lay
 * beyond a smaller one is forgotten: it reads as zeroes if the store grows
 * again. Requests that have been submitted are judged when their service ends:
 * -EIO if any part lies beyond the end of that time. From an event or an actor
 * in its turn. 0, or -ENOMEM with nothing changed.
 */
int hstore_resize(struct hstore *store, uint64_t sectors);

/* Forget the statistics up to now (end of the ramp), but not who is inside. */
void hstore_reset_stats(struct hstore *store);

/* Bring in_store_ps up to now (before reading it). */
void hstore_settle(struct hstore *store);

/*
 * Straight access to the data of a ram store (or the one under a queue), for
 * set-up and judging; uncharged. 0, -EINVAL if it holds no data or beyond the
 * end, -ENOMEM.
 */
int hstore_peek(const struct hstore *store, uint64_t sector, void *buf,
		uint32_t sectors_nr);
int hstore_poke(struct hstore *store, uint64_t sector, const void *buf,
		uint32_t sectors_nr);

/*
 * For the stores. hstore_begin: service of @req starts now. hstore_finish: it
 * has ended with @result; hands @req back. hstore_allows: within bounds, and not
 * aborted. hstore_ram_apply: do to @ram what @req asks for, by DMA; 0 or -errno.
 * hstore_ram_resize: the data's part of hstore_resize.
 */
void hstore_begin(struct hstore_req *req);
void hstore_finish(struct hstore_req *req, int result);
bool hstore_allows(const struct hstore *store, const struct hstore_req *req);
int hstore_ram_apply(struct hstore *ram, const struct hstore_req *req);
int hstore_ram_resize(struct hstore *ram, uint64_t sectors);

#endif
