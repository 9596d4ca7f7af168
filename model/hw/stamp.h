/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ten stamps of a request, and the two signals beside them, as trace
 * points. Guest and host hit the ones they can see; avail and reap are seen
 * from outside by watching the ring's memory (model/harness). The listener
 * puts them together: guest code names a request by its number, host code by
 * (queue, head descriptor).
 */
#ifndef MODEL_HW_STAMP_H
#define MODEL_HW_STAMP_H

#include <stdint.h>

#include "sim/trace.h"

enum stamp {
	STAMP_SUBMIT,	/* guest: job hands the request to blk-mq */
	STAMP_TAG,	/* guest: a tag is owned */
	STAMP_QUEUE,	/* guest: driver's queue_rq(s) is entered; again on a retry */
	STAMP_AVAIL,	/* watch: available index moved over it */
	STAMP_POP,	/* host: chain taken */
	STAMP_START,	/* host: backing store begins */
	STAMP_DONE,	/* host: backing store has finished */
	STAMP_USED,	/* host: used index moved over it */
	STAMP_REAP,	/* watch: the driver reads the used element */
	STAMP_END,	/* guest: blk-mq completes, the job is told */
	STAMP_NR
};

extern const char *const stamp_name[STAMP_NR];

/*
 * A job handed a request of @bytes to blk-mq at @at_ps. Hit when the request
 * gets its number, which is with its tag, hence the time as an argument.
 */
void stamp_submit(uint32_t rq, uint64_t bytes, uint64_t at_ps);

/*
 * The other guest stamps. @rq: the request's number in its tag set. @data: for
 * QUEUE the "last" flag, for END the blk_status_t, else 0.
 */
void stamp_guest(enum stamp stamp, uint32_t rq, uint64_t data);

/* Host stamps: POP, START, DONE, USED of the chain that starts at @head of @vq. */
void stamp_host(enum stamp stamp, uint32_t vq, uint32_t head);

/*
 * AVAIL and REAP, hit by the observer itself. @at_ps: when it happened; a
 * published index is understood only after the store that publishes it.
 */
void stamp_watch(enum stamp stamp, uint32_t rq, uint32_t vq, uint64_t at_ps);

/* Which of the ten stamps @tp is, or STAMP_NR; and who named the request. */
enum stamp stamp_of_point(const struct trace_point *tp);

/*
 * Signals. kick: (vq, 1 sent or 0 suppressed by the driver is not visible
 * here, so only sent ones), irq: (vq, vector) raised; irq_skipped: (vq) used
 * buffers published without an interrupt.
 */
extern struct trace_point tp_merge;	/* (rq, bytes): another bio joins it */
extern struct trace_point tp_kick, tp_irq, tp_irq_skipped;

#endif
