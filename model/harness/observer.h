/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Watches requests from outside: collects the ten stamps of each, sums the
 * nine stages and the latency, and says when what it sees cannot be right.
 *
 * Guest and host stamps come as trace points. avail and reap are seen in the
 * ring's memory: the lines of each ring are watched, so the driver carries no
 * code of ours. A descriptor chain is tied to its request by the address of
 * its first buffer, which lies in the request's driver data.
 */
#ifndef MODEL_HARNESS_OBSERVER_H
#define MODEL_HARNESS_OBSERVER_H

#include <stdbool.h>
#include <stdint.h>

#include "model/harness/result.h"
#include "model/hw/stamp.h"
#include "sim/hist.h"

struct observer;

/*
 * Start watching; sets the trace listener and the line watcher. @hpci: whose
 * registers say where the rings are; initialised later, stays the caller's.
 * After trace_init. NULL without memory.
 */
struct hpci;
struct observer *observer_create(const struct hpci *hpci);
void observer_destroy(struct observer *obs);

/* Count what ends from now on (true), or stop counting (false). */
void observer_window(struct observer *obs, bool open);

/* Requests ended in the window so far. */
uint64_t observer_ios(const struct observer *obs);

/* Latency, stages, I/Os, kicks and interrupts of the window. */
void observer_report(const struct observer *obs, struct result *out);

/*
 * Verdicts: what was seen on the way, and, with @quiet (nothing can happen any
 * more), every request that has not ended, with the stamp it got to.
 */
void observer_judge(const struct observer *obs, bool quiet,
		    struct result *out);

#endif
