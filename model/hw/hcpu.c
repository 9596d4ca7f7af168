// SPDX-License-Identifier: GPL-2.0-only
#include "model/hw/hcpu.h"

#include <string.h>

#include "model/hw/cost.h"
#include "model/hw/vcpu.h"
#include "sim/assert.h"
#include "sim/trace.h"

#define HCPU_LATENCY_PS			(6 * SIM_PS_PER_MS)
#define HCPU_MIN_GRANULARITY_PS		(750 * SIM_PS_PER_US)
#define HCPU_WAKEUP_GRANULARITY_PS	(1 * SIM_PS_PER_MS)
#define HCPU_SCALE_CPUS			8u

static TRACE_POINT(tp_hcpu_run, "hcpu.run", "thread,pcpu");
static TRACE_POINT(tp_hcpu_preempt, "hcpu.preempt", "thread,pcpu");

static void hcpu_slice_over(struct sim_event *ev);

void hcpu_init(struct hcpu_set *set, const struct hw_topology *topo,
	       uint64_t mask)
{
	uint32_t scale = 1;

	memset(set, 0, sizeof(*set));
	set->topo = topo;
	for (uint32_t i = 0; i < hw_topology_pcpus(topo); i++) {
		struct hcpu *cpu = &set->cpu[set->cpus_nr];

		if (!(mask >> i & 1))
			continue;
		sim_event_init(&cpu->slice, hcpu_slice_over);
		cpu->set = set;
		cpu->pcpu = i;
		set->cpus_nr++;
	}
	sim_assert(set->cpus_nr);
	for (uint32_t n = 2; n <= set->cpus_nr && n <= HCPU_SCALE_CPUS; n *= 2)
		scale++;
	set->latency_ps = HCPU_LATENCY_PS * scale;
	set->min_granularity_ps = HCPU_MIN_GRANULARITY_PS * scale;
	set->wakeup_granularity_ps = HCPU_WAKEUP_GRANULARITY_PS * scale;
}

void hcpu_add(struct hcpu_set *set, struct hw_thread *t)
{
	t->cpus = set;
}

static void hcpu_account(struct hw_thread *t)
{
	uint64_t now_ps = sim_now();

	/* Granted in the future, after the switch. */
	if (now_ps <= t->on_cpu_since_ps)
		return;
	t->vruntime_ps += now_ps - t->on_cpu_since_ps;
	t->on_cpu_since_ps = now_ps;
}

static void hcpu_update_min(struct hcpu_set *set)
{
	uint64_t least_ps = UINT64_MAX;

	for (uint32_t i = 0; i < set->cpus_nr; i++) {
		struct hw_thread *t = set->cpu[i].running;

		if (!t)
			continue;
		hcpu_account(t);
		if (t->vruntime_ps < least_ps)
			least_ps = t->vruntime_ps;
	}
	for (uint32_t i = 0; i < set->waiting_nr; i++)
		if (set->waiting[i]->vruntime_ps < least_ps)
			least_ps = set->waiting[i]->vruntime_ps;
	if (least_ps != UINT64_MAX && least_ps > set->min_vruntime_ps)
		set->min_vruntime_ps = least_ps;
}

/* Slice of each of the threads that share a CPU, if they are spread evenly. */
static uint64_t hcpu_slice_ps(const struct hcpu_set *set)
{
	uint32_t per_cpu = 1 + (set->waiting_nr + set->cpus_nr - 1) /
				       set->cpus_nr;
	uint64_t slice_ps = set->latency_ps / per_cpu;

	return slice_ps > set->min_granularity_ps ? slice_ps :
						    set->min_granularity_ps;
}

static void hcpu_arm(struct hcpu *cpu)
{
	uint64_t at_ps;

	if (!cpu->running || !cpu->set->waiting_nr ||
	    sim_event_pending(&cpu->slice))
		return;
	at_ps = cpu->running->slice_since_ps + hcpu_slice_ps(cpu->set);
	sim_event_post(&cpu->slice, at_ps > sim_now() ? at_ps : sim_now());
}

static void hcpu_arm_all(struct hcpu_set *set)
{
	for (uint32_t i = 0; i < set->cpus_nr; i++)
		hcpu_arm(&set->cpu[i]);
}

static void hcpu_run(struct hcpu *cpu, struct hw_thread *t, uint64_t at_ps)
{
	cpu->running = t;
	t->cpu = cpu;
	t->on_cpu_since_ps = at_ps;
	t->slice_since_ps = at_ps;
	hw_thread_place(t, cpu->set->topo, cpu->pcpu);
	trace(&tp_hcpu_run, t->actor.id, cpu->pcpu, 0);
	hcpu_arm(cpu);
}

static void hcpu_enqueue(struct hcpu_set *set, struct hw_thread *t)
{
	sim_assert(set->waiting_nr < HCPU_THREADS_MAX);
	set->waiting[set->waiting_nr++] = t;
}

/* Index of who has run least. */
static uint32_t hcpu_first(const struct hcpu_set *set)
{
	uint32_t first = 0;

	for (uint32_t i = 1; i < set->waiting_nr; i++) {
		const struct hw_thread *a = set->waiting[first];
		const struct hw_thread *b = set->waiting[i];

		if (b->vruntime_ps < a->vruntime_ps ||
		    (b->vruntime_ps == a->vruntime_ps &&
		     b->actor.id < a->actor.id))
			first = i;
	}
	return first;
}

/* Who was preempted goes on; who waits in hcpu_unblock is woken. */
static void hcpu_grant(struct hcpu *cpu)
{
	struct hcpu_set *set = cpu->set;
	uint32_t i = hcpu_first(set);
	struct hw_thread *t = set->waiting[i];
	uint64_t at_ps = sim_now() + hw_cost.host_switch_ps;

	set->waiting[i] = set->waiting[--set->waiting_nr];
	hcpu_run(cpu, t, at_ps);
	if (t->actor.suspended) {
		hw_thread_set_mode(t, t->stolen_mode, at_ps);
		sim_actor_resume(&t->actor, at_ps);
	} else {
		sim_wake(&t->actor, at_ps);
	}
}

static void hcpu_take_off(struct hcpu *cpu)
{
	struct hw_thread *t = cpu->running;

	hcpu_account(t);
	cpu->running = NULL;
	t->cpu = NULL;
	sim_event_cancel(&cpu->slice);
}

static void hcpu_count_preempted(struct hcpu_set *set,
				 const struct hw_thread *t)
{
	set->preempted_nr++;
	if (t->actor.id < HW_HOST_ID_BASE &&
	    ((const struct vcpu *)t)->locks_nr)
		set->preempted_locked_nr++;
}

static void hcpu_preempt(struct hcpu *cpu)
{
	struct hw_thread *t = cpu->running;

	trace(&tp_hcpu_preempt, t->actor.id, cpu->pcpu, 0);
	hcpu_count_preempted(cpu->set, t);
	hcpu_take_off(cpu);
	t->stolen_mode = t->mode;
	hw_thread_set_mode(t, HW_STEAL, sim_now());
	sim_actor_suspend(&t->actor);
	hcpu_enqueue(cpu->set, t);
}

static void hcpu_slice_over(struct sim_event *ev)
{
	struct hcpu *cpu = (struct hcpu *)ev;
	struct hcpu_set *set = cpu->set;
	uint64_t least_ps;

	if (!set->waiting_nr)
		return;
	hcpu_update_min(set);
	least_ps = set->waiting[hcpu_first(set)]->vruntime_ps;
	if (cpu->running->vruntime_ps < least_ps) {
		sim_event_post(&cpu->slice,
			       sim_now() + set->min_granularity_ps);
		return;
	}
	hcpu_preempt(cpu);
	hcpu_grant(cpu);
	hcpu_arm_all(set);
}

static struct hcpu *hcpu_free(struct hcpu_set *set, uint32_t pcpu)
{
	struct hcpu *found = NULL;

	for (uint32_t i = 0; i < set->cpus_nr; i++) {
		if (set->cpu[i].running)
			continue;
		if (set->cpu[i].pcpu == pcpu)
			return &set->cpu[i];
		if (!found)
			found = &set->cpu[i];
	}
	return found;
}

void hcpu_started(struct hw_thread *t)
{
	struct hcpu *cpu;

	if (!t->cpus)
		return;
	cpu = hcpu_free(t->cpus, t->pcpu);
	if (cpu) {
		hcpu_run(cpu, t, t->actor.node.time_ps);
		return;
	}
	t->stolen_mode = t->mode;
	hw_thread_set_mode(t, HW_STEAL, sim_now());
	sim_actor_suspend(&t->actor);
	hcpu_enqueue(t->cpus, t);
	hcpu_arm_all(t->cpus);
}

void hcpu_block(void)
{
	struct hw_thread *t = hw_self();
	struct hcpu *cpu = t->cpu;

	if (!cpu)
		return;
	hcpu_take_off(cpu);
	if (cpu->set->waiting_nr)
		hcpu_grant(cpu);
}

/* The CPU of who has run most, if @t, which has just woken, is far enough behind. */
static struct hcpu *hcpu_victim(struct hcpu_set *set,
				const struct hw_thread *t)
{
	struct hcpu *most = &set->cpu[0];

	for (uint32_t i = 1; i < set->cpus_nr; i++)
		if (set->cpu[i].running->vruntime_ps >
		    most->running->vruntime_ps)
			most = &set->cpu[i];
	return most->running->vruntime_ps >
	       t->vruntime_ps + set->wakeup_granularity_ps ? most : NULL;
}

/* Who slept long has a bonus, of half a period and no more. */
static void hcpu_place_sleeper(struct hw_thread *t)
{
	struct hcpu_set *set = t->cpus;
	uint64_t bonus_ps = set->latency_ps / 2;
	uint64_t least_ps;

	hcpu_update_min(set);
	least_ps = set->min_vruntime_ps > bonus_ps ?
		   set->min_vruntime_ps - bonus_ps : 0;
	if (t->vruntime_ps < least_ps)
		t->vruntime_ps = least_ps;
}

static void hcpu_wait(struct hw_thread *t)
{
	enum hw_mode mode = hw_mode_enter(HW_STEAL);

	hcpu_enqueue(t->cpus, t);
	hcpu_arm_all(t->cpus);
	while (!t->cpu)
		sim_park();
	hw_mode_enter(mode);
}

void hcpu_unblock(void)
{
	struct hw_thread *t = hw_self();
	struct hcpu *cpu;

	if (!t->cpus)
		return;
	hcpu_place_sleeper(t);
	cpu = hcpu_free(t->cpus, t->pcpu);
	if (cpu) {
		hcpu_run(cpu, t, sim_now());
		return;
	}
	cpu = hcpu_victim(t->cpus, t);
	if (!cpu) {
		hcpu_wait(t);
		return;
	}
	hcpu_preempt(cpu);
	hcpu_run(cpu, t, sim_now());
	hcpu_arm_all(t->cpus);
	sim_spend(hw_cost.host_switch_ps);
}

void hcpu_reset_stats(struct hcpu_set *set)
{
	set->preempted_nr = 0;
	set->preempted_locked_nr = 0;
}
