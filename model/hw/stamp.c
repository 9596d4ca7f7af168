// SPDX-License-Identifier: GPL-2.0-only
#include "model/hw/stamp.h"

#include "sim/assert.h"

const char *const stamp_name[STAMP_NR] = {
	[STAMP_SUBMIT] = "submit",
	[STAMP_TAG] = "tag",
	[STAMP_QUEUE] = "queue",
	[STAMP_AVAIL] = "avail",
	[STAMP_POP] = "pop",
	[STAMP_START] = "start",
	[STAMP_DONE] = "done",
	[STAMP_USED] = "used",
	[STAMP_REAP] = "reap",
	[STAMP_END] = "end",
};

/* Argument a is the request's number, or the queue; b by stamp. */
static struct trace_point stamp_point[STAMP_NR] = {
	[STAMP_SUBMIT] = { "rq.submit", "rq,bytes,at_ps", STAMP_SUBMIT, 0 },
	[STAMP_TAG] = { "rq.tag", "rq", STAMP_TAG, 0 },
	[STAMP_QUEUE] = { "rq.queue", "rq,last", STAMP_QUEUE, 0 },
	[STAMP_AVAIL] = { "rq.avail", "rq,vq,at_ps", STAMP_AVAIL, 0 },
	[STAMP_POP] = { "rq.pop", "vq,head", STAMP_POP, 0 },
	[STAMP_START] = { "rq.start", "vq,head", STAMP_START, 0 },
	[STAMP_DONE] = { "rq.done", "vq,head", STAMP_DONE, 0 },
	[STAMP_USED] = { "rq.used", "vq,head", STAMP_USED, 0 },
	[STAMP_REAP] = { "rq.reap", "rq,vq,at_ps", STAMP_REAP, 0 },
	[STAMP_END] = { "rq.end", "rq,status", STAMP_END, 0 },
};

TRACE_POINT(tp_merge, "rq.merge", "rq,bytes");
TRACE_POINT(tp_kick, "vq.kick", "vq");
TRACE_POINT(tp_irq, "vq.irq", "vq,vector");
TRACE_POINT(tp_irq_skipped, "vq.irq_skipped", "vq");

void stamp_submit(uint32_t rq, uint64_t bytes, uint64_t at_ps)
{
	trace(&stamp_point[STAMP_SUBMIT], rq, bytes, at_ps);
}

void stamp_guest(enum stamp stamp, uint32_t rq, uint64_t data)
{
	trace(&stamp_point[stamp], rq, data, 0);
}

void stamp_host(enum stamp stamp, uint32_t vq, uint32_t head)
{
	sim_assert(stamp >= STAMP_POP && stamp <= STAMP_USED);
	trace(&stamp_point[stamp], vq, head, 0);
}

void stamp_watch(enum stamp stamp, uint32_t rq, uint32_t vq, uint64_t at_ps)
{
	sim_assert(stamp == STAMP_AVAIL || stamp == STAMP_REAP);
	trace(&stamp_point[stamp], rq, vq, at_ps);
}

enum stamp stamp_of_point(const struct trace_point *tp)
{
	if (tp < stamp_point || tp >= stamp_point + STAMP_NR)
		return STAMP_NR;
	return (enum stamp)tp->id;
}
