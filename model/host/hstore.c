// SPDX-License-Identifier: GPL-2.0-only
#include "model/host/hstore.h"

#include <errno.h>
#include <string.h>

#include "model/hw/cost.h"
#include "model/hw/stamp.h"

const char *const hstore_op_name[HSTORE_OP_NR] = {
	[HSTORE_READ] = "read",
	[HSTORE_WRITE] = "write",
	[HSTORE_FLUSH] = "flush",
	[HSTORE_DISCARD] = "discard",
	[HSTORE_WRITE_ZEROES] = "write zeroes",
	[HSTORE_SECURE_ERASE] = "secure erase",
};

void hstore_settle(struct hstore *store)
{
	struct hstore_stats *s = &store->stats;

	s->in_store_ps += (sim_now() - s->changed_ps) * s->in_store_nr;
	s->changed_ps = sim_now();
}

static void hstore_enter(struct hstore *store)
{
	struct hstore_stats *s = &store->stats;

	hstore_settle(store);
	if (++s->in_store_nr > s->in_store_max_nr)
		s->in_store_max_nr = s->in_store_nr;
}

static void hstore_leave(struct hstore *store)
{
	hstore_settle(store);
	store->stats.in_store_nr--;
}

void hstore_reset_stats(struct hstore *store)
{
	uint32_t in_store_nr = store->stats.in_store_nr;

	memset(&store->stats, 0, sizeof(store->stats));
	store->stats.in_store_nr = in_store_nr;
	store->stats.in_store_max_nr = in_store_nr;
	store->stats.changed_ps = sim_now();
}

void hstore_begin(struct hstore_req *req)
{
	struct hstore_stats *s = &req->store->stats;
	uint64_t wait_ps = sim_now() - req->submitted_ps;

	req->started_ps = sim_now();
	s->started_nr++;
	s->wait_ps += wait_ps;
	if (wait_ps > s->wait_max_ps)
		s->wait_max_ps = wait_ps;
	stamp_host(STAMP_START, req->vq, req->head);
}

static uint64_t hstore_req_bytes(const struct hstore_req *req)
{
	uint64_t sectors = 0;

	if (req->op == HSTORE_READ || req->op == HSTORE_WRITE)
		return req->bytes;
	for (uint32_t i = 0; i < req->ranges_nr; i++)
		sectors += req->range[i].sectors_nr;
	return sectors * HSTORE_SECTOR_BYTES;
}

/* 5.2.6.2: a flush covers what completed before it was submitted. */
static void hstore_count_stable(struct hstore *store,
				const struct hstore_req *req)
{
	if (req->op == HSTORE_WRITE || req->op == HSTORE_WRITE_ZEROES)
		store->volatile_nr += !req->fua;
	else if (req->op == HSTORE_FLUSH && req->covers_nr > store->flushed_nr)
		store->flushed_nr = req->covers_nr;
}

static void hstore_count(struct hstore *store, const struct hstore_req *req)
{
	struct hstore_stats *s = &store->stats;

	s->ops_nr[req->op]++;
	s->service_ps += sim_now() - req->started_ps;
	if (req->result) {
		s->errors_nr++;
		return;
	}
	s->bytes[req->op] += hstore_req_bytes(req);
	hstore_count_stable(store, req);
}

void hstore_finish(struct hstore_req *req, int result)
{
	struct hstore *store = req->store;

	req->result = result;
	hstore_count(store, req);
	hstore_leave(store);
	stamp_host(STAMP_DONE, req->vq, req->head);
	req->sink->done(req->sink, req);
}

static bool hstore_in_bounds(const struct hstore *store, uint64_t sector,
			     uint64_t sectors_nr)
{
	return sector <= store->sectors &&
	       sectors_nr <= store->sectors - sector;
}

bool hstore_allows(const struct hstore *store, const struct hstore_req *req)
{
	if (req->aborted)
		return false;
	if (req->op == HSTORE_READ || req->op == HSTORE_WRITE)
		return !(req->bytes % HSTORE_SECTOR_BYTES) &&
		       hstore_in_bounds(store, req->sector, req->bytes /
						HSTORE_SECTOR_BYTES);
	if (req->op == HSTORE_FLUSH)
		return true;
	if (req->ranges_nr > HSTORE_RANGES_MAX)
		return false;
	for (uint32_t i = 0; i < req->ranges_nr; i++)
		if (!hstore_in_bounds(store, req->range[i].sector,
				      req->range[i].sectors_nr))
			return false;
	return true;
}

static void hstore_submit_one(struct hstore *store, struct hstore_req *req)
{
	req->store = store;
	req->submitted_ps = sim_now();
	req->covers_nr = store->volatile_nr;
	hstore_enter(store);
	if (hstore_allows(store, req)) {
		store->ops->submit(store, req);
		return;
	}
	hstore_begin(req);
	hstore_finish(req, -EIO);
}

static uint64_t hstore_submit_io_ps(const struct hstore_req *req)
{
	bool data = req->op == HSTORE_READ || req->op == HSTORE_WRITE;

	return hw_cost.dev_submit_io_ps +
	       (data ? req->bytes * hw_cost.dev_submit_kib_ps / 1024 : 0);
}

void hstore_submit(struct hstore *store, struct hstore_req *const *batch,
		   uint32_t batch_nr)
{
	bool charged = sim.actor;

	store->stats.submits_nr++;
	if (charged)
		hw_spend_varying(hw_cost.dev_submit_ps);
	for (uint32_t i = 0; i < batch_nr; i++) {
		if (charged) {
			hw_spend_varying(hstore_submit_io_ps(batch[i]));
			sim_sync();
		}
		hstore_submit_one(store, batch[i]);
	}
}

int hstore_resize(struct hstore *store, uint64_t sectors)
{
	struct hstore *under = store->queue.under;
	int err = 0;

	if (under)
		err = hstore_resize(under, sectors);
	else if (store->ram.chunk)
		err = hstore_ram_resize(store, sectors);
	if (!err)
		store->sectors = sectors;
	return err;
}

void hstore_fini(struct hstore *store)
{
	store->ops->fini(store);
}

static void hstore_null_submit(struct hstore *store, struct hstore_req *req)
{
	(void)store;
	hstore_begin(req);
	hstore_finish(req, 0);
}

static void hstore_null_fini(struct hstore *store)
{
	(void)store;
}

void hstore_init_null(struct hstore *store, uint64_t sectors)
{
	static const struct hstore_ops ops = {
		.name = "null",
		.submit = hstore_null_submit,
		.fini = hstore_null_fini,
	};

	memset(store, 0, sizeof(*store));
	store->ops = &ops;
	store->sectors = sectors;
}
