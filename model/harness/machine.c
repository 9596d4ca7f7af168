// SPDX-License-Identifier: GPL-2.0-only
#include "model/harness/machine.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/harness/device.h"
#include "model/harness/driver.h"
#include "model/host/hblk_event.h"
#include "model/hw/ram.h"
#include "sim/trace.h"

#define BIG_LOCK_NAME	"QEMU's big lock"

static uint32_t machine_loops_nr(const struct scenario_device *dev)
{
	return dev->iothread ? dev->iothread_vq_mapping : 1;
}

/* They begin in order on the CPUs they share, and do not stay. */
static int machine_share(struct machine *m, uint32_t threads_nr, FILE *err)
{
	const struct hw_topology *topo = &m->profile->topology;
	uint64_t mask = m->cfg->cpuset_mask;
	uint32_t nr = hw_topology_pcpus(topo);

	if (mask >> nr) {
		fprintf(err, "vblksim: host.cpuset: machine %s has CPUs 0..%u only\n",
			m->profile->name, nr - 1);
		return -EINVAL;
	}
	hcpu_init(&m->cpus, topo, mask);
	for (uint32_t i = 0; i < threads_nr; i++)
		m->pcpu[i] = m->cpus.cpu[i % m->cpus.cpus_nr].pcpu;
	return 0;
}

/* Each thread has a core for itself while there are cores, then a sibling. */
static int machine_place(struct machine *m, FILE *err)
{
	const struct hw_topology *topo = &m->profile->topology;
	uint32_t cores = topo->sockets * topo->cores;
	uint32_t loops_nr = machine_loops_nr(&m->cfg->device);
	uint32_t wanted = m->cfg->vcpus_nr + loops_nr;

	if (m->cfg->cpuset_mask)
		return machine_share(m, wanted, err);
	if (wanted > hw_topology_pcpus(topo)) {
		fprintf(err, "vblksim: machine %s has %u CPUs; %u vCPUs and %u host thread%s need %u\n",
			m->profile->name, hw_topology_pcpus(topo),
			m->cfg->vcpus_nr, loops_nr, loops_nr == 1 ? "" : "s",
			wanted);
		return -EINVAL;
	}
	for (uint32_t i = 0; i < wanted; i++)
		m->pcpu[i] = i % cores * topo->threads + i / cores;
	return 0;
}

static int machine_init_values(struct sim_dist *d,
			       const struct scenario_latency *lat)
{
	char *text, why[160];
	size_t bytes;
	FILE *f = open_memstream(&text, &bytes);
	int err;

	if (!f)
		return -ENOMEM;
	for (uint32_t i = 0; i < lat->values_nr; i++)
		fprintf(f, "%" PRIu64 "\n", lat->values_ps[i]);
	fclose(f);
	err = sim_dist_parse(d, "values", text, bytes, "ps", why, sizeof(why));
	free(text);
	return err;
}

/* A file that cannot be used is the user's error, whatever is wrong with it. */
static int machine_init_file(struct machine *m, const char *file, FILE *err)
{
	const char *slash = strrchr(m->cfg->path, '/');
	int folder = *file == '/' || !slash ? 0 : (int)(slash + 1 - m->cfg->path);
	char path[4096], why[4400];

	snprintf(path, sizeof(path), "%.*s%s", folder, m->cfg->path, file);
	if (!sim_dist_load(&m->service, path, "ns", why, sizeof(why)))
		return 0;
	fprintf(err, "%s\n", why);
	return -EINVAL;
}

static int machine_init_service(struct machine *m, FILE *err)
{
	const struct scenario_latency *lat = &m->cfg->device.store.latency;

	switch ((enum scenario_dist)lat->dist) {
	case SCENARIO_DIST_UNIFORM:
		return sim_dist_init_uniform(&m->service, lat->min_ps,
					     lat->max_ps);
	case SCENARIO_DIST_EXPONENTIAL:
		return sim_dist_init_exponential(&m->service, lat->mean_ps);
	case SCENARIO_DIST_LOGNORMAL:
		return sim_dist_init_lognormal(&m->service, lat->mean_ps,
					       lat->p99_ps);
	case SCENARIO_DIST_EMPIRICAL:
		return lat->file && *lat->file ?
		       machine_init_file(m, lat->file, err) :
		       machine_init_values(&m->service, lat);
	default:
		return sim_dist_init_constant(&m->service, lat->mean_ps);
	}
}

static int machine_init_queue_store(struct machine *m, uint64_t sectors,
				    FILE *err)
{
	const struct hstore_queue_config config = {
		.servers = m->cfg->device.store.parallelism,
		.service = &m->service,
		.seed = m->cfg->seed,
		.name = "store",
		.under = &m->under,
	};
	int error = machine_init_service(m, err);

	if (!error)
		error = hstore_init_ram(&m->under, sectors);
	return error ? error : hstore_init_queue(&m->disk, sectors, &config);
}

static int machine_init_store(struct machine *m, FILE *err)
{
	const struct scenario_store *store = &m->cfg->device.store;
	uint64_t sectors = store->size_bytes / HSTORE_SECTOR_BYTES;

	switch ((enum scenario_store_type)store->type) {
	case SCENARIO_STORE_RAM:
		return hstore_init_ram(&m->disk, sectors);
	case SCENARIO_STORE_QUEUE:
		return machine_init_queue_store(m, sectors, err);
	default:
		hstore_init_null(&m->disk, sectors);
		return 0;
	}
}

static enum hblk_placement machine_placement(const struct scenario_device *dev)
{
	if (dev->iothread)
		return HBLK_IOTHREAD;
	return dev->ioeventfd ? HBLK_MAIN_LOOP : HBLK_VCPU;
}

static void machine_set_poll(struct machine *m, struct hloop *loop)
{
	const struct scenario_device *dev = &m->cfg->device;
	struct hloop_poll_config poll = {
		.max_ps = dev->suppress_kicks ?
			  dev->poll_max_ns * SIM_PS_PER_NS : 0,
		.grow = dev->poll_grow,
		.shrink = dev->poll_shrink,
	};

	hloop_set_poll(loop, &poll);
}

static int machine_init_loop(struct machine *m, uint32_t i)
{
	bool iothread = m->cfg->device.iothread;
	char *name = m->loop_name[i];
	int error;

	snprintf(name, sizeof(m->loop_name[i]), "iothread%" PRIu32, i);
	m->loops[i] = &m->loop[i];
	error = hloop_init(&m->loop[i], HW_HOST_ID_BASE + i,
			   iothread ? name : "main loop",
			   &m->profile->topology,
			   m->pcpu[m->cfg->vcpus_nr + i],
			   iothread ? NULL : &m->big_lock);
	if (error)
		return error;
	if (iothread)
		machine_set_poll(m, &m->loop[i]);
	if (m->cfg->cpuset_mask)
		hcpu_add(&m->cpus, &m->loop[i].thread);
	return 0;
}

static int machine_init_loops(struct machine *m)
{
	int error = 0;

	sim_lock_init(&m->big_lock);
	m->loops_nr = machine_loops_nr(&m->cfg->device);
	for (uint32_t i = 0; i < m->loops_nr && !error; i++)
		error = machine_init_loop(m, i);
	return error;
}

static int machine_init_device(struct machine *m, FILE *err)
{
	struct hblk_config config = {
		.placement = machine_placement(&m->cfg->device),
		.loops = m->loops,
		.loops_nr = m->loops_nr,
		.big_lock = &m->big_lock,
		.store = &m->disk,
		.serial = "vblksim",
		.vcpus = m->vcpus,
		.vcpus_nr = m->cfg->vcpus_nr,
	};
	const char *wrong;
	char why[1024];

	device_properties(&m->cfg->device, &config.props);
	wrong = hblk_properties_check(&config.props);
	if (!wrong && !device_quirks(&m->cfg->device, &config.quirks, why,
				     sizeof(why)))
		wrong = why;
	if (wrong) {
		fprintf(err, "vblksim: device: %s\n", wrong);
		return -EINVAL;
	}
	return hblk_init(&m->blk, &config);
}

static void machine_set_load(struct machine *m)
{
	const struct scenario_job *job = &m->cfg->job;
	struct load_config *load = &m->load;

	load->rw = (enum load_rw)job->rw;
	load->rwmixread = job->rwmixread_pct;
	load->engine = (enum load_engine)job->ioengine;
	load->hipri = job->hipri;
	load->fixedbufs = job->fixedbufs;
	load->bs_min_bytes = (uint32_t)job->bs_min_bytes;
	load->bs_max_bytes = (uint32_t)job->bs_max_bytes;
	load->fsync = job->fsync;
	load->size_bytes = job->size_bytes;
	load->iodepth = job->iodepth;
	load->iodepth_batch = job->iodepth_batch;
	load->complete_min = job->iodepth_batch_complete_min;
	load->complete_max = job->iodepth_batch_complete_max;
	load->numjobs = job->numjobs;
	load->ramp_ps = job->ramp_time_ps;
	load->runtime_ps = job->runtime_ps;
	load->number_ios = job->number_ios;
	load->thinktime_ps = job->thinktime_ps;
	load->rate_iops = job->rate_iops;
	load->rate_process = (enum load_rate_process)job->rate_process;
	load->cpus_allowed = job->cpus_allowed_mask;
	load->verify = job->verify;
	load->seed = m->cfg->seed;
}

/* Warnings and worse; the rest would drown the report. */
static void machine_log(void *arg, int level, const char *text)
{
	FILE *err = arg;

	if (level <= 4)
		fprintf(err, "[%" PRIu64 ".%06" PRIu64 "] %s\n",
			sim_now() / SIM_PS_PER_S,
			sim_now() % SIM_PS_PER_S / SIM_PS_PER_US, text);
}

/* The host's part of the scenario's events. */

static void machine_event_do(struct sim_event *ev)
{
	struct machine_event *e = (struct machine_event *)ev;
	struct hblk *blk = &e->machine->blk;

	switch (e->what->kind) {
	case SCENARIO_EVENT_RESIZE:
		e->result = hblk_resize(blk, e->what->action.bytes /
					     HSTORE_SECTOR_BYTES);
		break;
	case SCENARIO_EVENT_PAUSE:
		hblk_pause(blk);
		break;
	default:
		hblk_unplug(blk);
		break;
	}
	e->done = true;
}

static void machine_event_resume(struct sim_event *ev)
{
	struct machine_event *e = (struct machine_event *)ev;

	hblk_resume(&e->machine->blk);
	e->done = true;
}

static void machine_event_post(struct machine *m,
			       const struct scenario_event *what,
			       sim_event_fn fn, uint64_t at_ps)
{
	struct machine_event *e = &m->event[m->events_nr++];

	e->machine = m;
	e->what = what;
	sim_event_init(&e->event, fn);
	sim_event_post(&e->event, at_ps);
}

/* The jobs have started: this is where the times of events count from. */
static void machine_post_events(void *arg)
{
	struct machine *m = arg;

	for (uint32_t i = 0; i < m->cfg->events_nr; i++) {
		const struct scenario_event *what = &m->cfg->events[i];
		uint64_t at_ps = sim_now() + what->action.at_ps;

		if (what->kind == SCENARIO_EVENT_GUEST)
			continue;
		machine_event_post(m, what, machine_event_do, at_ps);
		if (what->kind == SCENARIO_EVENT_PAUSE)
			machine_event_post(m, what, machine_event_resume,
					   at_ps + what->duration_ps);
	}
}

static void machine_set_actions(struct machine *m)
{
	for (uint32_t i = 0; i < m->cfg->events_nr; i++)
		if (m->cfg->events[i].kind == SCENARIO_EVENT_GUEST)
			m->action[m->actions_nr++] = m->cfg->events[i].action;
	m->guest.action = m->action;
	m->guest.actions_nr = m->actions_nr;
	m->guest.started = machine_post_events;
	m->guest.started_arg = m;
}

static const char *machine_action_text(const struct machine *m, uint32_t idx)
{
	for (uint32_t i = 0; i < m->cfg->events_nr; i++)
		if (m->cfg->events[i].kind == SCENARIO_EVENT_GUEST && !idx--)
			return m->cfg->events[i].text;
	return "";
}

void machine_judge_events(const struct machine *m, struct result *out)
{
	int64_t result;

	for (uint32_t i = 0; i < m->actions_nr; i++)
		if (guest_control_result(i, &result) && result < 0)
			result_add_verdict(out, "event '%s' failed: %s",
					   machine_action_text(m, i),
					   strerror((int)-result));
	for (uint32_t i = 0; i < m->events_nr; i++)
		if (m->event[i].done && m->event[i].result)
			result_add_verdict(out, "event '%s' failed: %s",
					   m->event[i].what->text,
					   strerror(-m->event[i].result));
}

/* driver_load has refused what is wrong; what is left unknown does not count. */
static void machine_set_params(struct machine *m)
{
	for (uint32_t i = 0; i < m->cfg->driver.params_nr; i++) {
		const struct scenario_param *p = &m->cfg->driver.params[i];
		struct guest_param *to = &m->param[m->guest.params_nr];

		if (guest_param_check(p->name, p->value))
			continue;
		to->name = p->name;
		to->value = p->value;
		m->guest.params_nr++;
	}
}

static int machine_boot(struct machine *m, FILE *err)
{
	struct guest_config *g = &m->guest;

	machine_set_params(m);
	machine_set_load(m);
	machine_set_actions(m);
	g->vcpu = m->vcpu;
	g->pcpu = m->pcpu;
	g->vcpus_nr = m->cfg->vcpus_nr;
	g->vcpus_per_socket = m->cfg->vcpus_nr / m->cfg->sockets_nr;
	g->rq_affinity = m->cfg->rq_affinity;
	g->topo = &m->profile->topology;
	g->cpus = m->cfg->cpuset_mask ? &m->cpus : NULL;
	g->pci = &m->blk.hpci.fn;
	g->param = m->param;
	g->load = &m->load;
	g->log = machine_log;
	g->log_arg = err;
	return guest_init(g);
}

static int machine_init_memory(struct machine *m, FILE *err)
{
	int error = ram_init(m->cfg->memory_bytes);

	if (error)
		fprintf(err, "vblksim: cannot map %" PRIu64 " bytes of guest memory: %s\n",
			m->cfg->memory_bytes, strerror(-error));
	return error;
}

int machine_init(struct machine *m, const struct scenario_config *cfg,
		 const struct profile *profile, struct result *out, FILE *err)
{
	int error;

	m->cfg = cfg;
	m->profile = profile;
	hw_cost = profile->cost;
	hw_set_jitter(profile->jitter_percent, cfg->seed);
	for (uint32_t i = 0; i < cfg->vcpus_nr; i++)
		m->vcpus[i] = &m->vcpu[i];
	error = machine_place(m, err);
	if (!error)
		error = machine_init_memory(m, err);
	if (!error)
		error = driver_load(cfg, out, err);
	if (!error)
		error = machine_init_store(m, err);
	if (!error)
		error = machine_init_loops(m);
	if (!error)
		error = machine_init_device(m, err);
	if (!error)
		error = machine_boot(m, err);
	for (uint32_t i = 0; i < m->loops_nr && !error; i++)
		hloop_start(&m->loop[i], sim_now());
	return error;
}

void machine_reset_stats(struct machine *m)
{
	for (uint32_t i = 0; i < m->cfg->vcpus_nr; i++)
		vcpu_reset_stats(&m->vcpu[i], sim_now());
	for (uint32_t i = 0; i < m->loops_nr; i++) {
		hw_thread_reset_stats(&m->loop[i].thread, sim_now());
		hloop_reset_stats(&m->loop[i]);
	}
	hblk_reset_stats(&m->blk);
	hstore_reset_stats(&m->disk);
	sim_lock_reset_stats(&m->big_lock);
	hcpu_reset_stats(&m->cpus);
	guest_reset_stats();
}

static void machine_report_thread(struct hw_thread *t, const char *name,
				  enum result_thread_kind kind,
				  struct result *out)
{
	hw_thread_settle(t, sim_now());
	result_add_thread(out, name, kind)->stats = t->stats;
}

static void machine_report_vcpus(struct machine *m, struct result *out)
{
	for (uint32_t i = 0; i < m->cfg->vcpus_nr; i++) {
		struct vcpu *v = &m->vcpu[i];
		char name[16];

		snprintf(name, sizeof(name), "vcpu%" PRIu32, i);
		machine_report_thread(&v->thread, name, RESULT_VCPU, out);
		out->exits_kernel += v->stats.exits_kernel_nr;
		out->exits_user += v->stats.exits_user_nr;
		out->exits_locked += v->stats.exits_locked_nr;
		out->ipis += v->stats.ipis_nr;
		out->halts += v->stats.halts_nr;
	}
}

/* Locks with the same name are one class. */
static void machine_report_lock(struct result *out, const char *name,
				const struct sim_lock_stats *s,
				uint64_t exits_nr)
{
	struct result_lock *l = NULL;

	if (!s->acquired_nr)
		return;
	for (uint32_t i = 0; i < out->locks_nr && !l; i++)
		if (!strcmp(out->locks[i].name, name))
			l = &out->locks[i];
	if (!l)
		l = result_add_lock(out, name);
	l->instances_nr++;
	l->acquired_nr += s->acquired_nr;
	l->contended_nr += s->contended_nr;
	l->wait_ps += s->wait_ps;
	l->hold_ps += s->hold_ps;
	l->exits_nr += exits_nr;
	if (s->wait_max_ps > l->wait_max_ps)
		l->wait_max_ps = s->wait_max_ps;
	if (s->hold_max_ps > l->hold_max_ps)
		l->hold_max_ps = s->hold_max_ps;
}

void machine_report(struct machine *m, struct result *out)
{
	struct guest_lock_info info;

	machine_report_vcpus(m, out);
	for (uint32_t i = 0; i < m->loops_nr; i++)
		machine_report_thread(&m->loop[i].thread,
				      m->loop[i].thread.actor.name,
				      RESULT_HOST, out);
	for (uint32_t i = 0; guest_lock_info(i, &info); i++)
		machine_report_lock(out, info.name, info.stats, info.exits_nr);
	machine_report_lock(out, BIG_LOCK_NAME, &m->big_lock.stats, 0);
	out->preemptions = m->cpus.preempted_nr;
	out->preemptions_locked = m->cpus.preempted_locked_nr;
}

/* Each part may be missing: an init that failed half-way left it zero. */
void machine_fini(struct machine *m)
{
	if (m->guest.vcpu)
		guest_fini();
	if (m->blk.config.store)
		hblk_fini(&m->blk);
	for (uint32_t i = 0; i < m->loops_nr; i++)
		if (m->loop[i].fiber.fn)
			hloop_fini(&m->loop[i]);
	if (m->disk.ops)
		hstore_fini(&m->disk);
	if (m->under.ops)
		hstore_fini(&m->under);
	if (ram_bytes())
		ram_fini();
}
