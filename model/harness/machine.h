/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A simulated machine: everything that one variant of a scenario needs, put
 * together. There is one per process.
 */
#ifndef MODEL_HARNESS_MACHINE_H
#define MODEL_HARNESS_MACHINE_H

#include <stdio.h>

#include "model/guest/guest.h"
#include "model/harness/profile.h"
#include "model/harness/result.h"
#include "model/harness/scenario.h"
#include "model/host/hblk.h"

/*
 * @big_lock: QEMU's, of the main loop
 * @pcpu:     host CPUs of the vCPUs, then of the loops
 * @loop:     the iothreads, or the main loop
 * @disk:     what the device uses; @under: data beneath a queueing store
 */
struct machine {
	const struct scenario_config *cfg;
	const struct profile *profile;
	struct vcpu vcpu[VCPU_MAX];
	struct vcpu *vcpus[VCPU_MAX];
	uint32_t pcpu[VCPU_MAX + HBLK_LOOPS_MAX];
	struct sim_lock big_lock;
	struct hloop loop[HBLK_LOOPS_MAX];
	struct hloop *loops[HBLK_LOOPS_MAX];
	struct hcpu_set cpus;		/* with host.cpuset */
	char loop_name[HBLK_LOOPS_MAX][24];
	uint32_t loops_nr;
	struct hstore disk;
	struct hstore under;
	struct sim_dist service;
	struct hblk blk;
	struct load_config load;
	struct guest_param param[SCENARIO_PARAMS_MAX];
	struct control_action action[SCENARIO_EVENTS_MAX];
	uint32_t actions_nr;
	struct machine_event {
		struct sim_event event;	/* first: converted by a cast */
		struct machine *machine;
		const struct scenario_event *what;
		int result;
		bool done;
	} event[2 * SCENARIO_EVENTS_MAX];
	uint32_t events_nr;
	struct guest_config guest;
};

/*
 * Build @m for @cfg on @profile, load the driver, boot the guest; nothing runs
 * until sim_run. @m->load.window must be set by the caller before.
 * Returns 0, or -errno after messages on @err; machine_fini is needed either way.
 */
int machine_init(struct machine *m, const struct scenario_config *cfg,
		 const struct profile *profile, struct result *out, FILE *err);
void machine_fini(struct machine *m);

/* Forget all statistics up to now (end of the ramp). */
void machine_reset_stats(struct machine *m);

/* Verdicts on events that failed. */
void machine_judge_events(const struct machine *m, struct result *out);

/* Write threads, locks, exits of the window into @out. */
void machine_report(struct machine *m, struct result *out);

#endif
