/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events: what happens to the disk or the guest while the jobs run, written as
 * "TIME VERB [ARGUMENTS]", the time counted from the start of the jobs.
 *
 *	20ms resize 2G			the host changes the capacity
 *	30ms pause 5ms			the device does nothing for a time
 *	40ms unplug			the device is gone, without a word
 *	10ms flush
 *	10ms discard 0 64M		blkdiscard: offset, length
 *	10ms zeroout 0 64M		blkdiscard --zeroout
 *	10ms secure-erase 0 64M		blkdiscard --secure
 *	10ms sysfs serial		read an attribute of the disk
 *	10ms sysfs cache_type=write through
 *	10ms suspend			and later "resume"
 *	10ms remove			orderly hot removal
 *	10ms rmmod			unload the driver
 *	10ms zone report		blkzone; also open, close, finish, reset,
 *					append OFFSET, and reset-all
 */
#ifndef MODEL_HARNESS_SCENARIO_EVENT_H
#define MODEL_HARNESS_SCENARIO_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "model/guest/control.h"

#define SCENARIO_EVENTS_MAX	64u

struct arena;

enum scenario_event_kind {
	SCENARIO_EVENT_GUEST,	/* @action is the guest's to do */
	SCENARIO_EVENT_RESIZE,	/* action.bytes */
	SCENARIO_EVENT_PAUSE,	/* @duration_ps */
	SCENARIO_EVENT_UNPLUG,
};

/* @text: as it was written, for messages and hash */
struct scenario_event {
	enum scenario_event_kind kind;
	struct control_action action;
	uint64_t duration_ps;
	const char *text;
};

/*
 * Read one event. Strings go to @a. False with the reason in @why.
 */
bool scenario_event_parse(const char *text, struct scenario_event *event,
			  struct arena *a, char *why, size_t why_bytes);

/* The forms above, for `vblksim help scenario`. */
void scenario_event_help(FILE *out);

#endif
