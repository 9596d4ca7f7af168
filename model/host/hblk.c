// SPDX-License-Identifier: GPL-2.0-only
#include "model/host/hblk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/host/hblk_props.h"
#include "model/host/hblk_req.h"
#include "model/host/hblk_zone.h"
#include "model/hw/cost.h"
#include "model/hw/ram.h"
#include "model/hw/stamp.h"
#include "sim/assert.h"
#include <uapi/linux/virtio_config.h>
#include <uapi/linux/virtio_ids.h>

#define CLASS_STORAGE_SCSI	0x010000u

#define sink_to_queue(sink)						\
	((struct hblk_queue *)((char *)(sink) -				\
			       offsetof(struct hblk_queue, sink)))

const char *const hblk_type_name[HBLK_TYPE_NR] = {
	[HBLK_IN] = "in",
	[HBLK_OUT] = "out",
	[HBLK_FLUSH] = "flush",
	[HBLK_DISCARD] = "discard",
	[HBLK_WRITE_ZEROES] = "write zeroes",
	[HBLK_GET_ID] = "get id",
	[HBLK_SECURE_ERASE] = "secure erase",
	[HBLK_GET_LIFETIME] = "get lifetime",
	[HBLK_ZONE_APPEND] = "zone append",
	[HBLK_ZONE_REPORT] = "zone report",
	[HBLK_ZONE_OPEN] = "zone open",
	[HBLK_ZONE_CLOSE] = "zone close",
	[HBLK_ZONE_FINISH] = "zone finish",
	[HBLK_ZONE_RESET] = "zone reset",
	[HBLK_ZONE_RESET_ALL] = "zone reset all",
	[HBLK_OTHER] = "other",
};

static bool hblk_queue_live(const struct hblk_queue *queue)
{
	return hpci_queue_live(&queue->blk->hpci, queue->vq);
}

static bool hblk_may_take(const struct hblk_queue *queue)
{
	return hblk_queue_live(queue) && !queue->blk->paused;
}

static bool hblk_quiet(const struct hblk *blk)
{
	for (uint32_t i = 0; i < blk->config.props.num_queues; i++)
		if (blk->queue[i].active || blk->queue[i].in_flight_nr)
			return false;
	return true;
}

/* Until hblk_leave a reset waits. */
static void hblk_enter(struct hblk_queue *queue)
{
	sim_assert(!queue->active);
	queue->active = true;
}

/* Whoever ends the last activity completes a reset that waits for it. */
static void hblk_leave(struct hblk_queue *queue)
{
	struct hblk *blk = queue->blk;

	queue->active = false;
	if (blk->hpci.resetting && hblk_quiet(blk))
		hpci_reset_done(&blk->hpci);
}

static void hblk_append_done(struct hblk_queue *queue, struct hstore_req *req)
{
	req->next = NULL;
	*queue->done_last = req;
	queue->done_last = &req->next;
}

static struct hblk_req *hblk_take_done(struct hblk_queue *queue)
{
	struct hstore_req *req = queue->done_first;

	if (!req)
		return NULL;
	queue->done_first = req->next;
	if (!queue->done_first)
		queue->done_last = &queue->done_first;
	return (struct hblk_req *)req;
}

/* The store is done with @req: in an event, or inside hstore_submit. */
static void hblk_done(struct hstore_sink *sink, struct hstore_req *req)
{
	struct hblk_queue *queue = sink_to_queue(sink);

	hblk_append_done(queue, req);
	hloop_signal(&queue->done_source);
}

static void hblk_submit_batch(struct hblk_queue *queue)
{
	struct hblk_queue_stats *s = &queue->stats;
	uint32_t nr = queue->batch_nr;

	if (!nr)
		return;
	queue->batch_nr = 0;
	s->batches_nr++;
	s->submitted_nr += nr;
	if (nr > s->batch_max_nr)
		s->batch_max_nr = nr;
	hstore_submit(queue->blk->config.store, queue->batch, nr);
}

/* Without the store: begins and ends at once, completed like all others. */
static void hblk_answer_now(struct hblk_queue *queue, struct hblk_req *req)
{
	sim_sync();
	stamp_host(STAMP_START, queue->vq, req->store.head);
	stamp_host(STAMP_DONE, queue->vq, req->store.head);
	req->store.result = 0;
	hblk_done(&queue->sink, &req->store);
}

static void hblk_break(struct hblk_queue *queue, const char *reason)
{
	hpci_break(&queue->blk->hpci, queue->vq, reason);
}

/* False: the device is broken now. */
static bool hblk_start(struct hblk_queue *queue)
{
	struct hblk_req *req = &queue->reqs[queue->chain->head];
	const char *reason;

	switch (hblk_req_parse(queue->blk, queue->chain, req, &reason)) {
	case HBLK_TO_STORE:
		queue->batch[queue->batch_nr++] = &req->store;
		break;
	case HBLK_ANSWERED:
		hblk_answer_now(queue, req);
		break;
	case HBLK_BROKEN:
		queue->in_flight_nr--;
		hblk_break(queue, reason);
		return false;
	}
	if (queue->batch_nr == queue->blk->batch_max)
		hblk_submit_batch(queue);
	return true;
}

/* 1, 0 or -EBADMSG as hring_pop. */
static int hblk_pop(struct hblk_queue *queue)
{
	int got = hring_pop(queue->ring, queue->chain);

	if (got <= 0)
		return got;
	if (!queue->blk->config.props.suppress_kicks)
		hring_arm_ahead(queue->ring);
	queue->in_flight_nr++;
	queue->stats.taken_nr++;
	sim_sync();
	stamp_host(STAMP_POP, queue->vq, queue->chain->head);
	hw_spend_varying(hw_cost.dev_pop_ps);
	return got;
}

/* Take all there is. What was good before something bad is still submitted. */
static void hblk_pop_all(struct hblk_queue *queue)
{
	int got = 0;

	while (hblk_may_take(queue)) {
		got = hblk_pop(queue);
		if (got <= 0 || !hblk_start(queue))
			break;
	}
	hblk_submit_batch(queue);
	if (got < 0)
		hblk_break(queue, hring_error_text(queue->ring->error));
}

/* A loop that polls comes back by itself and wants no kicks. */
static bool hblk_look_again(struct hblk_queue *queue)
{
	return hblk_may_take(queue) && !queue->kick_source.loop->polling &&
	       hring_arm_kicks(queue->ring);
}

static void hblk_take(struct hblk_queue *queue)
{
	struct hblk_queue_stats *s = &queue->stats;
	uint64_t taken_nr = s->taken_nr;

	hblk_enter(queue);
	s->passes_nr++;
	do {
		s->rounds_nr++;
		if (queue->blk->config.props.suppress_kicks)
			hring_suppress_kicks(queue->ring);
		hblk_pop_all(queue);
	} while (hblk_look_again(queue));
	if (s->taken_nr == taken_nr)
		s->passes_empty_nr++;
	hblk_leave(queue);
}

static void hblk_kicked(struct hloop_source *source)
{
	struct hblk_queue *queue = source->owner;

	if (hblk_may_take(queue))
		hblk_take(queue);
}

static void hblk_count_completed(struct hblk_queue *queue,
				 const struct hblk_req *req)
{
	struct hblk_queue_stats *s = &queue->stats;

	s->completed_nr++;
	s->types_nr[req->type]++;
	s->status_nr[req->status]++;
}

/* What the driver is told. */
static uint8_t hblk_judge(const struct hblk_req *req)
{
	return req->store.result ? VIRTIO_BLK_S_IOERR : req->status;
}

/* Write the answer; the driver sees it after the next publish. */
static void hblk_push(struct hblk_queue *queue, struct hblk_req *req)
{
	req->status = hblk_judge(req);
	hw_spend_varying(hw_cost.dev_complete_ps);
	if (req->status == VIRTIO_BLK_S_OK)
		hblk_zone_push(req);
	ram_write8(req->status_pa, req->status);
	hring_push(queue->ring, (uint16_t)req->store.head,
		   hblk_req_written_bytes(req));
	hblk_count_completed(queue, req);
}

/* Returns the requests pushed, as a list, @most at most; @nr: how many. */
static struct hstore_req *hblk_push_some(struct hblk_queue *queue,
					 uint32_t most, uint32_t *nr)
{
	struct hstore_req *pushed = NULL, **last = &pushed;
	struct hblk_req *req;

	*nr = 0;
	while (*nr < most && (req = hblk_take_done(queue))) {
		if (!hblk_queue_live(queue)) {
			queue->in_flight_nr--;
			queue->stats.dropped_nr++;
			continue;
		}
		hblk_push(queue, req);
		req->store.next = NULL;
		*last = &req->store;
		last = &req->store.next;
		++*nr;
		sim_sync();
	}
	return pushed;
}

/*
 * The stamps are taken in the same turn as the store to the used index, so that
 * no driver can be seen to be faster.
 */
static void hblk_publish(struct hblk_queue *queue,
			 const struct hstore_req *pushed, uint32_t nr)
{
	struct hblk_queue_stats *s = &queue->stats;

	sim_sync();
	for (; pushed; pushed = pushed->next)
		stamp_host(STAMP_USED, queue->vq, pushed->head);
	hring_publish(queue->ring);
	queue->in_flight_nr -= nr;
	s->publishes_nr++;
	if (nr > s->publish_max_nr)
		s->publish_max_nr = nr;
}

static void hblk_notify(struct hblk_queue *queue)
{
	if (hring_should_interrupt(queue->ring)) {
		queue->stats.irqs_nr++;
		hpci_interrupt_queue(&queue->blk->hpci, queue->vq);
		return;
	}
	queue->stats.irqs_skipped_nr++;
	trace(&tp_irq_skipped, queue->vq, 0, 0);
}

static void hblk_complete(struct hloop_source *source)
{
	struct hblk_queue *queue = source->owner;
	bool batch = queue->blk->config.props.batch_notify;
	struct hstore_req *pushed;
	uint32_t nr;

	hblk_enter(queue);
	do {
		pushed = hblk_push_some(queue, batch ? UINT32_MAX : 1, &nr);
		if (nr) {
			hblk_publish(queue, pushed, nr);
			hblk_notify(queue);
		}
	} while (nr && !batch);
	hblk_leave(queue);
}

static void hblk_poll_begin(struct hloop_source *source)
{
	struct hblk_queue *queue = source->owner;

	if (!hblk_may_take(queue))
		return;
	hblk_enter(queue);
	hring_suppress_kicks(queue->ring);
	hblk_leave(queue);
}

/* A queue that is paused or dead has nothing; it signals when that is over. */
static bool hblk_ask(struct hblk_queue *queue, bool (*ask)(struct hring *ring))
{
	bool found;

	if (!hblk_may_take(queue))
		return false;
	hblk_enter(queue);
	found = ask(queue->ring);
	hblk_leave(queue);
	return found;
}

static bool hblk_poll_look(struct hloop_source *source)
{
	return hblk_ask(source->owner, hring_has_avail);
}

static bool hblk_poll_end(struct hloop_source *source)
{
	return hblk_ask(source->owner, hring_arm_kicks);
}

static void hblk_config_read(void *owner, uint32_t offset, void *buf,
			     uint32_t bytes)
{
	struct hblk *blk = owner;
	struct virtio_blk_config shown = blk->space;

	hblk_quirk_apply(&blk->config.quirks, &shown);
	memcpy(buf, (uint8_t *)&shown + offset, bytes);
}

/* 5.2.4: writeback is the one field that a driver may write. */
static void hblk_config_write(void *owner, uint32_t offset, const void *buf,
			      uint32_t bytes)
{
	struct hblk *blk = owner;
	uint8_t value;

	if (offset != offsetof(struct virtio_blk_config, wce) || bytes != 1 ||
	    !hpci_has_feature(&blk->hpci, VIRTIO_BLK_F_CONFIG_WCE))
		return;
	memcpy(&value, buf, 1);
	blk->space.wce = value & 1;
}

/* 5.2.5.2: a driver that may choose but cannot flush starts write-through. */
static bool hblk_features_ok(void *owner, uint64_t features)
{
	struct hblk *blk = owner;

	if (features & UINT64_C(1) << VIRTIO_BLK_F_CONFIG_WCE &&
	    !(features & UINT64_C(1) << VIRTIO_BLK_F_FLUSH))
		blk->space.wce = 0;
	/* 5.2.5.2 of 1.3: nobody may mistake zones for a disk. */
	return !blk->zones.zone || features & UINT64_C(1) << VIRTIO_BLK_F_ZONED;
}

static bool hblk_reset(void *owner)
{
	struct hblk *blk = owner;

	blk->space.wce = (uint8_t)blk->config.props.write_cache;
	return hblk_quiet(blk);
}

static void hblk_kick(void *owner, uint32_t vq)
{
	struct hblk *blk = owner;

	if (blk->paused)
		return;
	if (blk->config.placement == HBLK_VCPU)
		hblk_take(&blk->queue[vq]);
	else
		hloop_signal(&blk->queue[vq].kick_source);
}

static void hblk_init_reqs(struct hblk_queue *queue)
{
	struct hblk *blk = queue->blk;

	for (uint32_t head = 0; head < blk->config.props.queue_size; head++) {
		struct hblk_req *req = &queue->reqs[head];

		req->room = &queue->iov_pool[head * blk->seg_max];
		req->store.vq = queue->vq;
		req->store.head = head;
		req->store.sink = &queue->sink;
	}
}

static int hblk_init_queue(struct hblk *blk, uint32_t vq)
{
	static const struct hloop_poll_ops poll = {
		.begin = hblk_poll_begin,
		.look = hblk_poll_look,
		.end = hblk_poll_end,
	};
	struct hblk_queue *queue = &blk->queue[vq];
	uint32_t size = blk->config.props.queue_size;
	struct hloop *loop = blk->config.loops[vq % blk->config.loops_nr];

	queue->blk = blk;
	queue->vq = vq;
	queue->ring = &blk->hpci.queue[vq].ring;
	queue->sink.done = hblk_done;
	queue->done_last = &queue->done_first;
	queue->reqs = calloc(size, sizeof(*queue->reqs));
	queue->iov_pool = calloc((size_t)size * blk->seg_max,
				 sizeof(*queue->iov_pool));
	queue->chain = calloc(1, sizeof(*queue->chain));
	queue->batch = calloc(size, sizeof(*queue->batch));
	if (!queue->reqs || !queue->iov_pool || !queue->chain || !queue->batch)
		return -ENOMEM;
	hblk_init_reqs(queue);
	hloop_add(loop, &queue->kick_source, hblk_kicked, queue, vq);
	queue->kick_source.poll = &poll;
	hloop_add(loop, &queue->done_source, hblk_complete, queue, vq);
	return 0;
}

static void hblk_fini_queue(struct hblk_queue *queue)
{
	free(queue->reqs);
	free(queue->iov_pool);
	free(queue->chain);
	free(queue->batch);
}

static int hblk_init_hpci(struct hblk *blk)
{
	static const struct hpci_device device = {
		.features_ok = hblk_features_ok,
		.config_read = hblk_config_read,
		.config_write = hblk_config_write,
		.reset = hblk_reset,
		.kick = hblk_kick,
	};
	const struct hblk_config *c = &blk->config;
	struct hpci_config config = {
		.device = &device,
		.owner = blk,
		.device_type = VIRTIO_ID_BLOCK,
		.class_code = CLASS_STORAGE_SCSI,
		.features = hblk_props_features(&c->props) &
			    ~c->quirks.features_off,
		.config_bytes = sizeof(blk->space),
		.queues_nr = c->props.num_queues,
		.queue_size = c->props.queue_size,
		.vectors_nr = hblk_props_vectors(&c->props),
		.doorbell = c->placement == HBLK_VCPU ? PCI_DOORBELL_USER :
							PCI_DOORBELL_KERNEL,
		.big_lock = c->big_lock,
		.vcpus = c->vcpus,
		.vcpus_nr = c->vcpus_nr,
	};

	return hpci_init(&blk->hpci, &config);
}

/* Without iothreads one loop does the work, under the lock that vCPUs take. */
static bool hblk_placement_ok(const struct hblk_config *c)
{
	if (c->placement == HBLK_IOTHREAD)
		return true;
	return c->loops_nr == 1 && c->loops[0]->lock == c->big_lock &&
	       (c->placement == HBLK_MAIN_LOOP || c->big_lock);
}

static bool hblk_config_ok(const struct hblk_config *c)
{
	if (!c->store || !c->loops || !c->loops_nr ||
	    c->loops_nr > HBLK_LOOPS_MAX || hblk_properties_check(&c->props))
		return false;
	return hblk_placement_ok(c);
}

static void hblk_init_space(struct hblk *blk)
{
	const struct hblk_config *c = &blk->config;

	hblk_props_space(&c->props, c->store->sectors, &blk->space);
	blk->seg_max = hblk_props_seg_max(&c->props);
	blk->batch_max = c->props.submit_batch;
	if (!blk->batch_max || blk->batch_max > c->props.queue_size)
		blk->batch_max = c->props.queue_size;
	if (c->serial)
		memcpy(blk->serial, c->serial,
		       strnlen(c->serial, HBLK_SERIAL_BYTES));
}

static int hblk_init_zones(struct hblk *blk)
{
	struct hzone_config config;

	if (blk->config.props.zoned != HBLK_HOST_MANAGED)
		return 0;
	hblk_props_zones(&blk->config.props, &config);
	return hzone_init(&blk->zones, &config, blk->space.capacity);
}

static int hblk_init_queues(struct hblk *blk)
{
	int err = 0;

	blk->queue = calloc(blk->config.props.num_queues, sizeof(*blk->queue));
	if (!blk->queue)
		return -ENOMEM;
	for (uint32_t vq = 0; vq < blk->config.props.num_queues && !err; vq++)
		err = hblk_init_queue(blk, vq);
	return err;
}

int hblk_init(struct hblk *blk, const struct hblk_config *config)
{
	int err;

	memset(blk, 0, sizeof(*blk));
	if (!hblk_config_ok(config))
		return -EINVAL;
	blk->config = *config;
	hblk_init_space(blk);
	blk->config.serial = NULL;
	err = hblk_init_hpci(blk);
	if (err)
		return err;
	err = hblk_init_zones(blk);
	if (!err)
		err = hblk_init_queues(blk);
	if (err)
		hblk_fini(blk);
	return err;
}

void hblk_fini(struct hblk *blk)
{
	for (uint32_t vq = 0; blk->queue && vq < blk->config.props.num_queues;
	     vq++)
		hblk_fini_queue(&blk->queue[vq]);
	free(blk->queue);
	blk->queue = NULL;
	hzone_fini(&blk->zones);
	hpci_fini(&blk->hpci);
}

uint32_t hblk_in_flight_nr(const struct hblk *blk)
{
	uint32_t nr = 0;

	for (uint32_t vq = 0; vq < blk->config.props.num_queues; vq++)
		nr += blk->queue[vq].in_flight_nr;
	return nr;
}

static void hblk_reset_queue_stats(struct hblk *blk, uint32_t vq)
{
	struct hpci_queue *q = &blk->hpci.queue[vq];

	memset(&blk->queue[vq].stats, 0, sizeof(blk->queue[vq].stats));
	memset(&q->ring.stats, 0, sizeof(q->ring.stats));
	q->kicks_nr = 0;
	q->kicks_early_nr = 0;
	q->interrupts_nr = 0;
	q->interrupts_lost_nr = 0;
	q->doorbell.rings_nr = 0;
}

void hblk_reset_stats(struct hblk *blk)
{
	for (uint32_t vq = 0; vq < blk->config.props.num_queues; vq++)
		hblk_reset_queue_stats(blk, vq);
}
