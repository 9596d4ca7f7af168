/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A machine profile: every constant of model/hw/cost.h with value, unit and
 * source, the clock of a CPU, and the shape of the host.
 */
#ifndef MODEL_HARNESS_PROFILE_H
#define MODEL_HARNESS_PROFILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "model/hw/cost.h"
#include "model/hw/thread.h"

#define PROFILE_INHERIT_MAX	8u

/* Index of a constant in struct profile: PROFILE_access, PROFILE_call... */
#define PROFILE_INDEX(name, group, meaning) PROFILE_##name,
enum profile_index {
	HW_COSTS(PROFILE_INDEX)
	PROFILE_COSTS_NR
};
#undef PROFILE_INDEX

/*
 * One constant as it was written, and what became of it.
 * @value_text: the number as in the file
 * @unit: "cycles", "ns", "us" or "instructions"
 * @profile: name of the profile that gave it (an inherited one, maybe)
 * @changed: by profile_change(); @profile and @source then say so
 */
struct profile_cost {
	const char *name;
	const char *group;
	const char *meaning;
	const char *value_text;
	const char *unit;
	const char *source;
	const char *profile;
	bool changed;
	uint64_t ps;
};

/*
 * Complete and checked. All strings are the profile's own.
 * Invariant: costs[i].ps is the i-th field of `cost`.
 */
struct profile {
	const char *name;
	const char *path;
	const char *description;	/* "" */
	uint64_t clock_hz;
	uint64_t ipc_milli;		/* instructions per 1000 cycles */
	struct hw_topology topology;
	uint32_t jitter_percent;	/* of the device's work, hw_spend_varying */
	struct hw_cost cost;
	struct profile_cost costs[PROFILE_COSTS_NR];
	uint64_t hash;			/* of values, clock, ipc, topology, jitter */
};

/*
 * Read the profile at @path and those it inherits from (beside it).
 * Constants in cycles or instructions are converted with the clock and ipc in
 * force at the end: those of @path, if it gives any. Rounded once, to nearest.
 * @out: on success for profile_destroy, else NULL
 * Returns 0 or -errno after all errors on @err, as scenario_load does.
 */
int profile_load(const char *path, struct profile **out, FILE *err);

/*
 * Give one constant another value, for a trial that the file is left alone by.
 * @text: "NAME=VALUE UNIT"; without UNIT that of the profile; not kept
 * Returns 0 or -EINVAL after errors on @err; @p is then as before.
 */
int profile_change(struct profile *p, const char *text, FILE *err);

/* "exit_user 45 us, ...": what profile_change() changed, in order of the table. */
void profile_print_changes(const struct profile *p, FILE *out);

/* Did profile_change() change anything? */
bool profile_is_changed(const struct profile *p);

/* @p may be NULL. */
void profile_destroy(struct profile *p);

/* Each constant in force with unit and source. */
void profile_print(const struct profile *p, FILE *out);

/* `vblksim help machine`: form of a profile, table of the constants. */
void profile_help(FILE *out);

#endif
