// SPDX-License-Identifier: GPL-2.0-only
#include "model/harness/json.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include <vblksim-config.h>

#include "model/harness/output.h"

static void json_put_count(json_t *object, const char *key, uint64_t value)
{
	/* counters of a run stay far below 2^63 */
	json_object_set_new(object, key, json_integer((json_int_t)value));
}

static void json_put_real(json_t *object, const char *key, double value)
{
	json_object_set_new(object, key, json_real(value));
}

static void json_put_ns(json_t *object, const char *key, uint64_t ps)
{
	json_put_real(object, key, result_ns(ps));
}

json_t *json_text(const char *text)
{
	json_t *string = json_string(text ? text : "");
	char *safe;
	size_t i;

	if (string)
		return string;
	safe = strdup(text);
	if (!safe)
		return NULL;
	for (i = 0; safe[i]; i++)
		if ((unsigned char)safe[i] >= 0x80)
			safe[i] = '?';
	string = json_string(safe);
	free(safe);
	return string;
}

static void json_put_text(json_t *object, const char *key, const char *text)
{
	json_object_set_new(object, key, json_text(text));
}

static void json_put_hex(json_t *object, const char *key, uint64_t value)
{
	char hex[17];

	snprintf(hex, sizeof(hex), "%016" PRIx64, value);
	json_put_text(object, key, hex);
}

static json_t *json_latency(const struct result_latency *l)
{
	json_t *o = json_object();

	json_put_real(o, "mean", result_mean_ns(l));
	json_put_ns(o, "min", l->min_ps);
	json_put_ns(o, "max", l->max_ps);
	json_put_ns(o, "p50", l->p50_ps);
	json_put_ns(o, "p90", l->p90_ps);
	json_put_ns(o, "p95", l->p95_ps);
	json_put_ns(o, "p99", l->p99_ps);
	json_put_ns(o, "p99_9", l->p99_9_ps);
	json_put_ns(o, "p99_99", l->p99_99_ps);
	return o;
}

/* As fio's own JSON names them. */
static json_t *json_job(const struct result *r)
{
	json_t *o = json_object();

	json_object_set_new(o, "slat_ns", json_latency(&r->slat));
	json_object_set_new(o, "clat_ns", json_latency(&r->clat));
	json_object_set_new(o, "lat_ns", json_latency(&r->lat));
	return o;
}

static json_t *json_stages(const struct result *r)
{
	json_t *o = json_object();
	uint32_t i;

	for (i = 0; i < RESULT_STAGES_NR; i++)
		json_put_real(o, result_stage_name[i],
			      result_stage_mean_ns(r, i));
	return o;
}

static json_t *json_thread(const struct result_thread *t)
{
	json_t *o = json_object();
	json_t *modes = json_object();
	json_t *transfers = json_object();
	uint32_t i;

	json_put_text(o, "name", t->name);
	json_put_text(o, "kind", t->kind == RESULT_VCPU ? "vcpu" : "host");
	for (i = 0; i < HW_MODE_NR; i++)
		json_put_ns(modes, result_mode_name[i], t->stats.mode_ps[i]);
	json_object_set_new(o, "mode_ns", modes);
	json_put_count(o, "accesses", t->stats.accesses_nr);
	for (i = 0; i < HW_DISTANCE_NR; i++)
		json_put_count(transfers, result_distance_name[i],
			       t->stats.transfers_nr[i]);
	json_object_set_new(o, "transfers", transfers);
	json_put_ns(o, "transfer_ns", t->stats.line_ps);
	return o;
}

static json_t *json_lock(const struct result_lock *lock)
{
	json_t *o = json_object();

	json_put_text(o, "name", lock->name);
	json_put_count(o, "instances", lock->instances_nr);
	json_put_count(o, "acquired", lock->acquired_nr);
	json_put_count(o, "contended", lock->contended_nr);
	json_put_ns(o, "wait_ns", lock->wait_ps);
	json_put_ns(o, "wait_max_ns", lock->wait_max_ps);
	json_put_ns(o, "hold_ns", lock->hold_ps);
	json_put_ns(o, "hold_max_ns", lock->hold_max_ps);
	json_put_count(o, "exits", lock->exits_nr);
	return o;
}

static void json_put_threads(json_t *variant, const struct result *r)
{
	json_t *list = json_array();
	uint32_t i;

	for (i = 0; i < r->threads_nr; i++)
		json_array_append_new(list, json_thread(&r->threads[i]));
	json_object_set_new(variant, "threads", list);
}

static void json_put_locks(json_t *variant, const struct result *r)
{
	json_t *list = json_array();
	uint32_t i;

	for (i = 0; i < r->locks_nr; i++)
		json_array_append_new(list, json_lock(&r->locks[i]));
	json_object_set_new(variant, "locks", list);
}

static void json_put_verdicts(json_t *variant, const struct result *r)
{
	json_t *list = json_array();
	uint32_t i;

	for (i = 0; i < r->verdicts_nr; i++)
		json_array_append_new(list, json_text(r->verdicts[i]));
	json_object_set_new(variant, "verdicts", list);
}

static void json_put_signals(json_t *variant, const struct result *r)
{
	json_t *o = json_object();

	json_put_count(o, "kernel", r->exits_kernel);
	json_put_count(o, "user", r->exits_user);
	json_put_count(o, "locked", r->exits_locked);
	json_object_set_new(variant, "exits", o);
	o = json_object();
	json_put_count(o, "sent", r->kicks_sent);
	json_put_count(o, "suppressed", r->kicks_suppressed);
	json_object_set_new(variant, "kicks", o);
	o = json_object();
	json_put_count(o, "delivered", r->interrupts_delivered);
	json_put_count(o, "skipped", r->interrupts_skipped);
	json_object_set_new(variant, "interrupts", o);
	json_put_count(variant, "ipis", r->ipis);
	json_put_count(variant, "halts", r->halts);
	o = json_object();
	json_put_count(o, "all", r->preemptions);
	json_put_count(o, "locked", r->preemptions_locked);
	json_object_set_new(variant, "preemptions", o);
}

static void json_put_driver(json_t *variant, const struct result *r)
{
	json_t *o = json_object();

	json_put_text(o, "source", r->driver.source);
	json_put_text(o, "hash", r->driver.hash);
	json_put_text(o, "source_hash", r->driver.source_hash);
	json_put_text(o, "profile", r->driver.profile);
	json_put_text(o, "ring", r->driver.ring);
	json_put_text(o, "ring_hash", r->driver.ring_hash);
	json_put_text(o, "ring_profile", r->driver.ring_profile);
	json_put_text(o, "compiler", r->driver.compiler);
	json_put_text(o, "flags", r->driver.flags);
	json_object_set_new(variant, "driver", o);
}

static json_t *json_config(const struct scenario_config *cfg)
{
	json_t *o = json_object();
	json_t *params = json_object();
	char text[4200];
	size_t i;

	for (i = 0; i < scenario_keys_nr(); i++) {
		const struct scenario_key *key = scenario_key(i);

		if (key->prose)
			continue;
		scenario_key_print(key, cfg, text, sizeof(text));
		json_put_text(o, key->path, text);
	}
	for (i = 0; i < cfg->driver.params_nr; i++)
		json_put_text(params, cfg->driver.params[i].name,
			      cfg->driver.params[i].value);
	json_object_set_new(o, "driver.params", params);
	return o;
}

static void json_put_measured(json_t *o, const struct result *r)
{
	json_put_hex(o, "digest", r->digest);
	json_put_real(o, "iops", result_iops(r));
	json_put_real(o, "bw_bytes_per_s", result_bytes_per_s(r));
	json_put_count(o, "ios", r->ios);
	json_put_count(o, "bytes", r->bytes);
	json_put_count(o, "errors", r->errors_nr);
	json_put_ns(o, "duration_ns", r->duration_ps);
	json_put_ns(o, "simulated_ns", r->time_ps);
	json_put_count(o, "events", r->events_nr);
	json_put_count(o, "switches", r->switches_nr);
	json_object_set_new(o, "lat_ns", json_latency(&r->latency));
	json_object_set_new(o, "job", json_job(r));
	json_object_set_new(o, "stages_ns", json_stages(r));
	json_put_threads(o, r);
	json_put_signals(o, r);
	json_put_locks(o, r);
	json_put_driver(o, r);
	json_put_verdicts(o, r);
}

static json_t *json_repeat_figure(const struct repeat *repeat,
				  const struct repeat_figure *figure)
{
	json_t *o = json_object();

	json_put_real(o, "mean", figure->mean);
	json_put_real(o, "half_width_95", repeat_half_width(repeat, figure));
	return o;
}

static json_t *json_repeat(const struct repeat *repeat)
{
	json_t *o = json_object();

	json_put_count(o, "runs", repeat->nr);
	json_object_set_new(o, "iops",
			    json_repeat_figure(repeat, &repeat->iops));
	json_object_set_new(o, "lat_mean_ns",
			    json_repeat_figure(repeat, &repeat->lat_ns));
	json_object_set_new(o, "job_lat_mean_ns",
			    json_repeat_figure(repeat, &repeat->job_lat_ns));
	return o;
}

/* What --cost changed, as --cost takes it. */
static void json_put_changes(json_t *variant, const struct profile *p)
{
	json_t *o = json_object();
	char text[128];
	uint32_t i;

	for (i = 0; i < PROFILE_COSTS_NR; i++) {
		const struct profile_cost *c = &p->costs[i];

		if (!c->changed)
			continue;
		snprintf(text, sizeof(text), "%s %s", c->value_text, c->unit);
		json_put_text(o, c->name, text);
	}
	json_object_set_new(variant, "changed_costs", o);
}

static json_t *json_variant(const struct report_run *run)
{
	const struct result *r = run->result;
	json_t *o = json_object();

	json_put_text(o, "name", run->config->variant);
	json_put_text(o, "note", run->config->note);
	json_put_text(o, "machine", run->config->machine);
	json_put_count(o, "seed", run->config->seed);
	json_put_hex(o, "config_hash", scenario_hash(run->config));
	if (run->profile)
		json_put_hex(o, "machine_hash", run->profile->hash);
	if (run->profile && profile_is_changed(run->profile))
		json_put_changes(o, run->profile);
	json_object_set_new(o, "config", json_config(run->config));
	if (report_is_repeated(run))
		json_object_set_new(o, "repeat", json_repeat(run->repeat));
	if (r->failure)
		json_put_text(o, "failure", r->failure);
	else
		json_put_measured(o, r);
	return o;
}

json_t *json_document(const struct report *rep)
{
	const struct scenario_config *first = rep->runs[0].config;
	json_t *o = json_object();
	json_t *list = json_array();
	uint32_t i;

	json_put_text(o, "vblksim", VBLKSIM_VERSION);
	json_put_text(o, "scenario", first->scenario);
	json_put_text(o, "question", first->question);
	json_put_text(o, "machine", first->machine);
	json_put_count(o, "seed", first->seed);
	for (i = 0; i < rep->runs_nr; i++)
		json_array_append_new(list, json_variant(&rep->runs[i]));
	json_object_set_new(o, "variants", list);
	return o;
}

static int json_print(const void *document, FILE *out)
{
	errno = 0;
	if (json_dumpf(document, out, JSON_INDENT(2) | JSON_REAL_PRECISION(15)) ||
	    fputc('\n', out) == EOF || fflush(out) || ferror(out))
		return errno ? -errno : -EIO;
	return 0;
}

int json_write_document(const json_t *document, const char *path, FILE *out)
{
	return strcmp(path, "-") ? output_write(path, json_print, document) :
				   json_print(document, out);
}

int json_write(const struct report *rep, const char *path, FILE *out)
{
	json_t *document = json_document(rep);
	int err;

	if (!document)
		return -ENOMEM;
	err = json_write_document(document, path, out);
	json_decref(document);
	return err;
}
