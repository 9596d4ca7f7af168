// SPDX-License-Identifier: GPL-2.0-only
#include "model/host/hstore.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#define event_to_req(ev)						\
	((struct hstore_req *)((char *)(ev) -				\
			       offsetof(struct hstore_req, event)))

static uint64_t hstore_queue_flush_ps(struct hstore_queue *q)
{
	return q->flush_service ?
	       sim_dist_draw(q->flush_service, &q->random) : 0;
}

static uint64_t hstore_queue_service_ps(struct hstore_queue *q,
					const struct hstore_req *req)
{
	uint64_t service_ps;

	if (req->op == HSTORE_FLUSH)
		return hstore_queue_flush_ps(q);
	service_ps = sim_dist_draw(q->service, &q->random);
	if (req->fua)
		service_ps += hstore_queue_flush_ps(q);
	return service_ps;
}

static void hstore_queue_start(struct hstore_queue *q, struct hstore_req *req)
{
	q->busy_nr++;
	hstore_begin(req);
	sim_event_post(&req->event,
		       sim_now() + hstore_queue_service_ps(q, req));
}

static void hstore_queue_append(struct hstore_queue *q,
				struct hstore_req *req)
{
	req->next = NULL;
	*q->last = req;
	q->last = &req->next;
}

static struct hstore_req *hstore_queue_take(struct hstore_queue *q)
{
	struct hstore_req *req = q->first;

	if (!req)
		return NULL;
	q->first = req->next;
	if (!q->first)
		q->last = &q->first;
	return req;
}

/* Data moves at the end of service: both are seen then, not before. */
static int hstore_queue_apply(struct hstore_queue *q,
			      const struct hstore_req *req)
{
	if (!hstore_allows(req->store, req))
		return -EIO;
	return q->under ? hstore_ram_apply(q->under, req) : 0;
}

static void hstore_queue_served(struct sim_event *ev)
{
	struct hstore_req *req = event_to_req(ev);
	struct hstore_queue *q = &req->store->queue;
	struct hstore_req *next = hstore_queue_take(q);

	q->busy_nr--;
	hstore_finish(req, hstore_queue_apply(q, req));
	if (next)
		hstore_queue_start(q, next);
}

static void hstore_queue_submit(struct hstore *store, struct hstore_req *req)
{
	struct hstore_queue *q = &store->queue;

	sim_event_init(&req->event, hstore_queue_served);
	if (q->busy_nr < q->servers)
		hstore_queue_start(q, req);
	else
		hstore_queue_append(q, req);
}

static void hstore_queue_fini(struct hstore *store)
{
	memset(&store->queue, 0, sizeof(store->queue));
}

int hstore_init_queue(struct hstore *store, uint64_t sectors,
		      const struct hstore_queue_config *config)
{
	static const struct hstore_ops ops = {
		.name = "queue",
		.submit = hstore_queue_submit,
		.fini = hstore_queue_fini,
	};
	struct hstore_queue *q = &store->queue;

	if (!config->servers || config->servers > HSTORE_SERVERS_MAX ||
	    !config->service || (config->under &&
				 (!config->under->ram.chunk ||
				  config->under->sectors != sectors)))
		return -EINVAL;
	hstore_init_null(store, sectors);
	store->ops = &ops;
	q->servers = config->servers;
	q->service = config->service;
	q->flush_service = config->flush_service;
	q->under = config->under;
	q->last = &q->first;
	sim_random_init(&q->random, config->seed, config->name);
	return 0;
}
