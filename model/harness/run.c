// SPDX-License-Identifier: GPL-2.0-only
#include "model/harness/run.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include <uapi/linux/virtio_config.h>

#include "model/guest/verdict.h"
#include "model/harness/job_times.h"
#include "model/harness/machine.h"
#include "model/harness/observer.h"
#include "model/harness/symbolize.h"
#include "sim/assert.h"
#include "sim/trace.h"

/* After the window has closed the jobs must have drained within this time. */
#define RUN_DRAIN_PS		(200 * SIM_PS_PER_MS)
/* With number_ios and no runtime: a run that takes longer is hung. */
#define RUN_LIMIT_PS		(3600 * SIM_PS_PER_S)
#define RUN_LAST_HITS		24u
#define RUN_PROGRESS_PS		(SIM_PS_PER_MS / 2)

/*
 * @opened_ps: when the window opened
 * @deadline: at which whatever still runs is declared hung
 */
struct run {
	const struct scenario_config *cfg;
	struct machine machine;
	struct observer *obs;
	struct job_times *times;
	struct result *out;
	struct progress *progress;
	uint64_t opened_ps;
	struct sim_event deadline;
	struct sim_event tick;
};

static struct run *run_of(void *ev, size_t offset)
{
	return (struct run *)((char *)ev - offset);
}

static void run_window(void *arg, bool open)
{
	struct run *run = arg;

	observer_window(run->obs, open);
	job_times_window(run->times, open);
	if (open) {
		run->opened_ps = sim_now();
		machine_reset_stats(&run->machine);
		return;
	}
	run->out->duration_ps = sim_now() - run->opened_ps;
	machine_report(&run->machine, run->out);
	observer_report(run->obs, run->out);
	job_times_report(run->times, run->out);
}

static void run_stamp(void *arg, uint32_t job, uint32_t unit,
		      enum load_stamp stamp)
{
	struct run *run = arg;

	job_times_stamp(run->times, job, unit, stamp, sim_now());
}

static void run_deadline(struct sim_event *ev)
{
	(void)ev;
	sim_stop();
}

static uint64_t run_end_ps(const struct run *run)
{
	const struct scenario_job *job = &run->cfg->job;

	return job->runtime_ps ? job->ramp_time_ps + job->runtime_ps : 0;
}

/* Looks in now and then; stops the simulation when the guest has finished. */
static void run_tick(struct sim_event *ev)
{
	struct run *run = run_of(ev, offsetof(struct run, tick));

	progress_update(run->progress, sim_now(), run_end_ps(run),
			observer_ios(run->obs),
			run->cfg->job.number_ios * run->cfg->job.numjobs);
	if (guest_state() == GUEST_DONE)
		sim_stop();
	else
		sim_event_post(ev, sim_now() + RUN_PROGRESS_PS);
}

static void run_print_context(void *arg)
{
	const struct run *run = arg;

	fprintf(stderr,
		"  scenario %s, variant %s, seed %" PRIu64 "\n"
		"  again with: vblksim run %s --variant %s --seed %" PRIu64 "\n",
		run->cfg->scenario, run->cfg->variant, run->cfg->seed,
		run->cfg->path, run->cfg->variant, run->cfg->seed);
}

static void run_post_events(struct run *run)
{
	uint64_t end_ps = run_end_ps(run);

	sim_event_init(&run->deadline, run_deadline);
	sim_event_init(&run->tick, run_tick);
	sim_event_post(&run->deadline, sim_now() +
		       (end_ps ? end_ps + RUN_DRAIN_PS : RUN_LIMIT_PS));
	sim_event_post(&run->tick, sim_now() + RUN_PROGRESS_PS);
}

static void run_judge_load(const struct run *run)
{
	struct load_counts counts;

	load_get_counts(&counts);
	if (counts.mismatches_nr)
		result_add_verdict(run->out, "verify: %" PRIu64 " block(s) did not hold what was written last",
				   counts.mismatches_nr);
}

static void run_judge_guest(const struct run *run)
{
	uint64_t time_ps;
	unsigned long value;
	const char *what = guest_verdict_first(&value, &time_ps);

	if (what)
		result_add_verdict(run->out, "guest kernel at %" PRIu64 " ns: %s (%lu); %" PRIu64 " in all",
				   time_ps / SIM_PS_PER_NS, what, value,
				   guest_verdicts_nr());
	if (run->machine.blk.hpci.reason)
		result_add_verdict(run->out, "the device needs a reset: queue %" PRIu32 ", %s",
				   run->machine.blk.hpci.reason_vq,
				   run->machine.blk.hpci.reason);
}

/* What happened last tells more about a verdict than the verdict does. */
static void run_print_last(const struct run *run)
{
	const struct vcpu *v = run->machine.vcpu;

	fprintf(stderr, "%s: last trace points before the end (time, actor, point):\n",
		run->cfg->variant);
	trace_print_last(stderr, RUN_LAST_HITS);
	for (uint32_t i = 0; i < run->cfg->vcpus_nr; i++) {
		const struct fiber *f = v[i].thread.actor.fiber;

		fprintf(stderr, "  vcpu%" PRIu32 "%s, interrupts %s, in:\n", i,
			v[i].halted ? " halted" : "",
			v[i].irqs_on ? "on" : "off");
		if (f)
			symbolize_calls(stderr, f, "    ");
	}
}

/* Whoever matches a device says so to it before anything else (3.1.1). */
static bool run_is_claimed(const struct run *run)
{
	return run->machine.blk.hpci.status & VIRTIO_CONFIG_S_DRIVER;
}

static void run_judge_no_disk(struct run *run)
{
	result_set(&run->out->failure, run_is_claimed(run) ?
		   "the driver brought up no disk" :
		   "this is no virtio-blk driver: it registered none for a block device (VIRTIO_ID_BLOCK)");
}

static void run_judge(struct run *run)
{
	enum guest_state state = guest_state();

	observer_judge(run->obs, state != GUEST_DONE, run->out);
	run_judge_load(run);
	machine_judge_events(&run->machine, run->out);
	run_judge_guest(run);
	if (state == GUEST_NO_DISK)
		run_judge_no_disk(run);
	else if (state != GUEST_DONE && !run->out->verdicts_nr)
		result_add_verdict(run->out, "hang: the jobs did not end and no request is open");
	if (run->out->verdicts_nr)
		run_print_last(run);
}

static int run_simulate(struct run *run, const struct profile *profile)
{
	int error;

	run->obs = observer_create(&run->machine.blk.hpci);
	run->times = job_times_create(run->cfg->job.numjobs,
				      run->cfg->job.iodepth);
	if (!run->obs || !run->times)
		return -ENOMEM;
	run->machine.load.window = run_window;
	run->machine.load.stamp = run_stamp;
	run->machine.load.arg = run;
	error = machine_init(&run->machine, run->cfg, profile, run->out,
			     stderr);
	if (error)
		return error;
	run_post_events(run);
	sim_run();
	run->out->digest = trace_digest();
	run->out->time_ps = sim_now();
	run->out->events_nr = sim.events_nr;
	run->out->switches_nr = sim.switches_nr;
	run_judge(run);
	return guest_state() == GUEST_NO_DISK && !run_is_claimed(run) ?
	       -EINVAL : 0;
}

int run_variant(const struct scenario_config *cfg,
		const struct profile *profile, struct result *out,
		struct progress *progress)
{
	struct run *run = calloc(1, sizeof(*run));
	int error;

	if (!run)
		return -ENOMEM;
	run->cfg = cfg;
	run->out = out;
	run->progress = progress;
	sim_init();
	trace_init();
	sim_panic_set_context(run_print_context, run);
	error = run_simulate(run, profile);
	sim_panic_set_context(NULL, NULL);
	machine_fini(&run->machine);
	observer_destroy(run->obs);
	job_times_destroy(run->times);
	sim_fini();
	free(run);
	return error;
}
