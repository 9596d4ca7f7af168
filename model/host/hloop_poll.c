// SPDX-License-Identifier: GPL-2.0-only
/* The time a loop looks for work before it sleeps, adapted as QEMU's aio_poll does. */
#include "model/host/hloop.h"

#include "model/hw/cost.h"

/* What the first wait that was too long for it makes of no time at all. */
#define HLOOP_POLL_FIRST_PS	(4000 * SIM_PS_PER_NS)
/* A look that took no time would be repeated for ever. */
#define HLOOP_LOOK_LEAST_PS	(20 * SIM_PS_PER_NS)

void hloop_set_poll(struct hloop *loop, const struct hloop_poll_config *config)
{
	loop->poll = *config;
}

static uint64_t hloop_look_ps(void)
{
	return hw_cost.loop_look_ps > HLOOP_LOOK_LEAST_PS ?
	       hw_cost.loop_look_ps : HLOOP_LOOK_LEAST_PS;
}

static void hloop_poll_begin(struct hloop *loop)
{
	if (loop->polling)
		return;
	loop->polling = true;
	for (uint32_t i = 0; i < loop->sources_nr; i++) {
		if (!loop->source[i]->poll)
			continue;
		sim_sync();
		loop->source[i]->poll->begin(loop->source[i]);
	}
}

static void hloop_poll_end(struct hloop *loop)
{
	loop->polling = false;
	for (uint32_t i = 0; i < loop->sources_nr; i++) {
		if (!loop->source[i]->poll)
			continue;
		sim_sync();
		if (loop->source[i]->poll->end(loop->source[i]))
			hloop_mark_ready(loop->source[i]);
	}
}

static void hloop_look(struct hloop *loop)
{
	sim_spend(hloop_look_ps());
	for (uint32_t i = 0; i < loop->sources_nr; i++) {
		struct hloop_source *source = loop->source[i];

		sim_sync();
		if (source->poll && !source->ready && source->poll->look(source))
			hloop_mark_ready(source);
	}
	sim_sync();
}

static void hloop_look_until(struct hloop *loop, uint64_t end_ps)
{
	enum hw_mode mode = hw_mode_enter(HW_POLL);

	loop->stats.polls_nr++;
	do
		hloop_look(loop);
	while (!loop->ready_nr && sim_now() < end_ps);
	hw_mode_enter(mode);
	if (loop->ready_nr)
		loop->stats.polls_found_nr++;
}

bool hloop_poll(struct hloop *loop)
{
	if (!loop->poll_ps)
		return loop->ready_nr;
	hloop_poll_begin(loop);
	if (loop->ready_nr) {
		hloop_look(loop);
		return true;
	}
	hloop_look_until(loop, sim_now() + loop->poll_ps);
	if (!loop->ready_nr)
		hloop_poll_end(loop);
	return loop->ready_nr;
}

static uint64_t hloop_longer_ps(const struct hloop *loop)
{
	uint64_t grow = loop->poll.grow ? loop->poll.grow : 2;
	uint64_t ps = loop->poll_ps ? loop->poll_ps * grow : HLOOP_POLL_FIRST_PS;

	return ps < loop->poll.max_ps ? ps : loop->poll.max_ps;
}

static uint64_t hloop_shorter_ps(const struct hloop *loop)
{
	return loop->poll.shrink ? loop->poll_ps / loop->poll.shrink : 0;
}

/* No wait is too short to begin with: even QEMU's clock reads take time. */
void hloop_adapt(struct hloop *loop, uint64_t waited_ps)
{
	if (!loop->poll.max_ps ||
	    (loop->poll_ps && waited_ps <= loop->poll_ps))
		return;
	loop->poll_ps = waited_ps > loop->poll.max_ps ?
			hloop_shorter_ps(loop) : hloop_longer_ps(loop);
}
