// SPDX-License-Identifier: GPL-2.0-only
#include "model/harness/observer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/guest/guest.h"
#include "model/harness/observer_ring.h"
#include "model/hw/lines.h"
#include "model/hw/ram.h"
#include "sim/sim.h"

#define OBSERVER_RINGS_MAX	64u
#define OBSERVER_VERDICTS_MAX	16u
/* So many trace hits at one time mean that it will never pass. */
#define OBSERVER_STILL_NR	(UINT64_C(1) << 20)

/*
 * One request slot (a tag of a hardware queue). @open: between submit and end.
 * @at_ps: times of the stamps in @seen.
 */
struct observed {
	bool open;
	uint32_t seen;
	uint64_t bytes;
	uint64_t at_ps[STAMP_NR];
};

struct observer {
	const struct hpci *hpci;
	struct observed *rq;
	uint32_t rqs_nr;
	struct observer_ring ring[OBSERVER_RINGS_MAX];
	uint32_t rings_nr;
	uint64_t resets_nr;		/* of the device, when they were found */
	bool counting;
	uint64_t still_ps;	/* time of the last hit, and hits at that time */
	uint64_t still_nr;
	struct sim_hist latency;
	uint64_t stage_sum_ps[RESULT_STAGES_NR];
	uint64_t bytes;
	uint64_t errors_nr;
	uint64_t published_nr;
	uint64_t rung_nr;		/* kicks that announced something */
	uint64_t unrung_nr[OBSERVER_RINGS_MAX];	/* published since the last kick */
	uint64_t kicks_nr;
	uint64_t irqs_nr;
	uint64_t irqs_skipped_nr;
	char *verdict[OBSERVER_VERDICTS_MAX];
	uint32_t verdicts_nr;
};

static void observer_say(struct observer *obs, const char *text)
{
	if (obs->verdicts_nr < OBSERVER_VERDICTS_MAX)
		obs->verdict[obs->verdicts_nr++] = strdup(text);
}

static void observer_verdict(struct observer *obs, uint32_t rq,
			     const char *what)
{
	char text[160];

	snprintf(text, sizeof(text),
		 "request %" PRIu32 " at %" PRIu64 " ns: %s", rq,
		 sim_now() / SIM_PS_PER_NS, what);
	observer_say(obs, text);
}

/* Slots appear when the disk does; their number never changes after that. */
static struct observed *observer_slot(struct observer *obs, uint32_t rq)
{
	uint32_t nr;

	if (rq < obs->rqs_nr)
		return &obs->rq[rq];
	if (rq == OBSERVER_NO_REQUEST)
		return NULL;
	nr = rq + 1 > guest_requests_nr() ? rq + 1 : guest_requests_nr();
	obs->rq = realloc(obs->rq, nr * sizeof(*obs->rq));
	memset(obs->rq + obs->rqs_nr, 0,
	       (nr - obs->rqs_nr) * sizeof(*obs->rq));
	obs->rqs_nr = nr;
	return &obs->rq[rq];
}

/* The rings' memory */

static void observer_access(void *arg, uint64_t addr, uint32_t bytes,
			    bool write)
{
	struct observer *obs = arg;
	uint64_t pa = addr - RAM_BASE;

	for (uint32_t i = 0; i < obs->rings_nr; i++) {
		uint32_t nr = observer_ring_access(&obs->ring[i], pa, bytes,
						   write);

		obs->unrung_nr[i] += nr;
		if (obs->counting)
			obs->published_nr += nr;
	}
}

/* After a reset the rings are elsewhere, and the old memory is somebody else's. */
static void observer_forget_rings(struct observer *obs)
{
	while (obs->rings_nr) {
		observer_ring_unwatch(&obs->ring[--obs->rings_nr]);
		observer_ring_fini(&obs->ring[obs->rings_nr]);
	}
	obs->resets_nr = obs->hpci->resets_nr;
}

/*
 * Queues are enabled from the probe on, in order, and again when the driver
 * comes back from suspend; a request on its way to one finds them all.
 */
static void observer_find_rings(struct observer *obs)
{
	if (obs->resets_nr != obs->hpci->resets_nr)
		observer_forget_rings(obs);
	while (obs->rings_nr < OBSERVER_RINGS_MAX &&
	       obs->rings_nr < obs->hpci->config.queues_nr &&
	       obs->hpci->queue[obs->rings_nr].enabled) {
		observer_ring_init(&obs->ring[obs->rings_nr], obs->rings_nr,
				   &obs->hpci->queue[obs->rings_nr]);
		obs->rings_nr++;
	}
}

/* Stamps */

static uint32_t observer_request_of_head(struct observer *obs, uint64_t vq,
					 uint64_t head)
{
	for (uint32_t i = 0; i < obs->rings_nr; i++)
		if (obs->ring[i].vq == vq)
			return observer_ring_request_of_head(&obs->ring[i],
							     head);
	return OBSERVER_NO_REQUEST;
}

static void observer_submit(struct observer *obs, uint32_t rq,
			    uint64_t bytes, uint64_t at_ps)
{
	struct observed *o = observer_slot(obs, rq);

	if (o->open)
		observer_verdict(obs, rq, "its tag is given out while it is in use");
	o->open = true;
	o->seen = 1u << STAMP_SUBMIT;
	o->bytes = bytes;
	o->at_ps[STAMP_SUBMIT] = at_ps;
}

static void observer_stamp(struct observer *obs, enum stamp stamp,
			   uint32_t rq, uint64_t at_ps)
{
	struct observed *o = observer_slot(obs, rq);

	if (!o || !o->open)
		return;
	/* The used element may be read twice; the first time counts. */
	if (stamp == STAMP_REAP && (o->seen & 1u << STAMP_REAP))
		return;
	o->seen |= 1u << stamp;
	o->at_ps[stamp] = at_ps;
}

static void observer_count(struct observer *obs, uint32_t rq,
			   const struct observed *o, uint64_t status)
{
	uint64_t latency_ps = o->at_ps[STAMP_END] - o->at_ps[STAMP_SUBMIT];

	for (uint32_t i = 0; i < RESULT_STAGES_NR; i++) {
		if (o->at_ps[i + 1] < o->at_ps[i])
			observer_verdict(obs, rq, "its stamps are out of order");
		obs->stage_sum_ps[i] += o->at_ps[i + 1] - o->at_ps[i];
	}
	sim_hist_record(&obs->latency, latency_ps);
	obs->bytes += o->bytes;
	obs->errors_nr += status != 0;
}

/* @o->bytes is 0 for requests of the driver's own, which are not the jobs'. */
static void observer_end(struct observer *obs, uint32_t rq, uint64_t status)
{
	struct observed *o = observer_slot(obs, rq);
	const uint32_t all = (1u << STAMP_NR) - 1;

	if (!o->open) {
		observer_verdict(obs, rq, "it ends twice");
		return;
	}
	o->open = false;
	o->seen |= 1u << STAMP_END;
	o->at_ps[STAMP_END] = sim_now();
	if (!status && o->seen != all)
		observer_verdict(obs, rq, "it ends with success although the device did not finish it");
	if (obs->counting && o->bytes && o->seen == all)
		observer_count(obs, rq, o, status);
}

static void observer_hit_stamp(struct observer *obs, enum stamp stamp,
			       const struct trace_hit *hit)
{
	const uint64_t *arg = hit->arg;

	switch (stamp) {
	case STAMP_SUBMIT:
		observer_find_rings(obs);
		observer_submit(obs, (uint32_t)arg[0], arg[1], arg[2]);
		break;
	case STAMP_QUEUE:
		observer_find_rings(obs);
		/* fall through */
	case STAMP_TAG:
		observer_stamp(obs, stamp, (uint32_t)arg[0], hit->time_ps);
		break;
	case STAMP_AVAIL:
	case STAMP_REAP:
		observer_stamp(obs, stamp, (uint32_t)arg[0], arg[2]);
		break;
	case STAMP_END:
		observer_end(obs, (uint32_t)arg[0], arg[1]);
		break;
	default:
		observer_stamp(obs, stamp,
			       observer_request_of_head(obs, arg[0], arg[1]),
			       hit->time_ps);
		break;
	}
}

/* A machine on which nothing costs time, or a guest that spins without cost. */
static void observer_watch_time(struct observer *obs,
				const struct trace_hit *hit)
{
	if (hit->time_ps != obs->still_ps) {
		obs->still_ps = hit->time_ps;
		obs->still_nr = 0;
		return;
	}
	if (++obs->still_nr != OBSERVER_STILL_NR)
		return;
	observer_say(obs, "simulated time does not pass: what goes on here costs nothing");
	sim_stop();
}

/* One chain of those that were waiting has this doorbell, the others none. */
static void observer_kick(struct observer *obs, uint64_t vq)
{
	for (uint32_t i = 0; i < obs->rings_nr; i++) {
		if (obs->ring[i].vq != vq)
			continue;
		obs->rung_nr += obs->counting && obs->unrung_nr[i];
		obs->unrung_nr[i] = 0;
	}
	obs->kicks_nr += obs->counting;
}

static void observer_hit(void *arg, const struct trace_hit *hit)
{
	struct observer *obs = arg;
	enum stamp stamp = stamp_of_point(hit->point);

	observer_watch_time(obs, hit);
	if (stamp != STAMP_NR)
		observer_hit_stamp(obs, stamp, hit);
	else if (hit->point == &tp_kick)
		observer_kick(obs, hit->arg[0]);
	else if (hit->point == &tp_merge)
		observer_slot(obs, (uint32_t)hit->arg[0])->bytes += hit->arg[1];
	else if (!obs->counting)
		return;
	else if (hit->point == &tp_irq)
		obs->irqs_nr++;
	else if (hit->point == &tp_irq_skipped)
		obs->irqs_skipped_nr++;
}

struct observer *observer_create(const struct hpci *hpci)
{
	struct observer *obs = calloc(1, sizeof(*obs));

	if (!obs)
		return NULL;
	obs->hpci = hpci;
	sim_hist_init(&obs->latency);
	trace_set_listener(observer_hit, obs);
	lines_set_watcher(observer_access, obs);
	return obs;
}

void observer_destroy(struct observer *obs)
{
	if (!obs)
		return;
	trace_set_listener(NULL, NULL);
	lines_set_watcher(NULL, NULL);
	for (uint32_t i = 0; i < obs->rings_nr; i++)
		observer_ring_fini(&obs->ring[i]);
	for (uint32_t i = 0; i < obs->verdicts_nr; i++)
		free(obs->verdict[i]);
	free(obs->rq);
	free(obs);
}

void observer_window(struct observer *obs, bool open)
{
	obs->counting = open;
}

uint64_t observer_ios(const struct observer *obs)
{
	return obs->latency.count;
}

void observer_report(const struct observer *obs, struct result *out)
{
	out->ios = obs->latency.count;
	out->bytes = obs->bytes;
	out->errors_nr = obs->errors_nr;
	result_set_latency(&out->latency, &obs->latency);
	memcpy(out->stage_sum_ps, obs->stage_sum_ps,
	       sizeof(out->stage_sum_ps));
	out->kicks_sent = obs->kicks_nr;
	out->kicks_suppressed = obs->published_nr > obs->rung_nr ?
				obs->published_nr - obs->rung_nr : 0;
	out->interrupts_delivered = obs->irqs_nr;
	out->interrupts_skipped = obs->irqs_skipped_nr;
}

static enum stamp observer_last_stamp(const struct observed *o)
{
	return (enum stamp)(31 - __builtin_clz(o->seen));
}

static void observer_judge_open(const struct observer *obs,
				struct result *out)
{
	uint32_t stuck_nr[STAMP_NR] = { 0 };

	for (uint32_t i = 0; i < obs->rqs_nr; i++)
		if (obs->rq[i].open)
			stuck_nr[observer_last_stamp(&obs->rq[i])]++;
	for (uint32_t s = 0; s < STAMP_NR; s++)
		if (stuck_nr[s])
			result_add_verdict(out, "hang: %" PRIu32 " request(s) got to '%s' and no further",
					   stuck_nr[s], stamp_name[s]);
}

void observer_judge(const struct observer *obs, bool quiet,
		    struct result *out)
{
	for (uint32_t i = 0; i < obs->verdicts_nr; i++)
		result_add_verdict(out, "%s", obs->verdict[i]);
	if (quiet)
		observer_judge_open(obs, out);
}
