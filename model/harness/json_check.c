// SPDX-License-Identifier: GPL-2.0-only
#include "model/harness/json_check.h"

#include <math.h>
#include <string.h>

#include <vblksim-config.h>

#include "model/harness/json.h"

/* Names of figures; those that are compared with a column have its name. */
static const char *const json_check_kind[EXPECT_KINDS_NR] = {
	[EXPECT_IOPS] = "iops",
	[EXPECT_LAT] = "lat_us",
	[EXPECT_IRQ_PER_IO] = "irq_per_io",
	[EXPECT_CHANGE] = "change",
};

static void json_check_put(json_t *o, const char *key, const char *text)
{
	json_object_set_new(o, key, json_text(text));
}

/* JSON has no NAN. */
static json_t *json_check_number(double value)
{
	return isnan(value) ? json_null() : json_real(value);
}

json_t *json_check_new(void)
{
	json_t *document = json_object();

	json_check_put(document, "vblksim", VBLKSIM_VERSION);
	json_object_set_new(document, "machines", json_object());
	json_object_set_new(document, "scenarios", json_array());
	return document;
}

static json_t *json_check_cost(const struct profile_cost *c)
{
	json_t *o = json_object();

	json_check_put(o, "group", c->group);
	json_check_put(o, "value", c->value_text);
	json_check_put(o, "unit", c->unit);
	json_object_set_new(o, "ns", json_real(result_ns(c->ps)));
	json_check_put(o, "source", c->source);
	json_check_put(o, "profile", c->profile);
	return o;
}

/* Variants of all scenarios may have the same machine: it is written once. */
static void json_check_machine(json_t *document, const struct profile *p)
{
	json_t *machines = json_object_get(document, "machines");
	json_t *o = json_object();
	json_t *costs = json_object();
	uint32_t i;

	for (i = 0; i < PROFILE_COSTS_NR; i++)
		json_object_set_new(costs, p->costs[i].name,
				    json_check_cost(&p->costs[i]));
	json_check_put(o, "path", p->path);
	json_object_set_new(o, "changed", json_boolean(profile_is_changed(p)));
	json_object_set_new(o, "costs", costs);
	json_object_set_new(machines, p->name, o);
}

static json_t *json_check_variant(const struct report_run *run)
{
	const struct result *r = run->result;
	json_t *o = json_object();
	json_t *verdicts = json_array();
	uint32_t i;

	json_check_put(o, "name", run->config->variant);
	json_check_put(o, "machine", run->config->machine);
	if (r->failure)
		json_check_put(o, "failure", r->failure);
	for (i = 0; i < r->verdicts_nr; i++)
		json_array_append_new(verdicts, json_text(r->verdicts[i]));
	json_object_set_new(o, "verdicts", verdicts);
	return o;
}

static json_t *json_check_record(const struct yaml_value *record)
{
	const struct yaml_value *item;
	json_t *o = json_object();

	for (item = record->first; item; item = item->next)
		json_check_put(o, item->key, item->text);
	return o;
}

static json_t *json_check_figure(const struct cli_scenario *run,
				 const struct expect_figure *f)
{
	double got = expect_got(f, run->runs, run->nr);
	json_t *o = json_object();

	json_check_put(o, "variant",
		       scenario_variant(run->scenario, f->variant)->variant);
	json_check_put(o, "figure", json_check_kind[f->kind]);
	if (f->kind == EXPECT_CHANGE)
		json_check_put(o, "against",
			       scenario_variant(run->scenario,
						f->against)->variant);
	json_object_set_new(o, "record", json_check_record(f->record));
	json_object_set_new(o, "expected", json_real(f->recorded));
	json_object_set_new(o, "got", json_check_number(got));
	json_object_set_new(o, "deviation",
			    json_check_number(expect_deviation(f, got)));
	json_object_set_new(o, "tolerance",
			    json_real((double)f->tolerance / 1e3));
	json_check_put(o, "unit", f->points ? "points" : "%");
	json_object_set_new(o, "ok", json_boolean(expect_holds(f, got)));
	if (f->xfail)
		json_check_put(o, "xfail", f->xfail);
	return o;
}

static json_t *json_check_scenario(json_t *document, const char *path,
				   bool refused)
{
	json_t *o = json_object();

	json_check_put(o, "path", path);
	json_object_set_new(o, "refused", json_boolean(refused));
	json_object_set_new(o, "variants", json_array());
	json_object_set_new(o, "figures", json_array());
	json_array_append_new(json_object_get(document, "scenarios"), o);
	return o;
}

void json_check_add_refused(json_t *document, const char *path)
{
	json_check_scenario(document, path, true);
}

void json_check_add(json_t *document, const char *path,
		    const struct cli_scenario *run,
		    const struct expect_figure *figures, uint32_t nr)
{
	json_t *o = json_check_scenario(document, path,
					cli_scenario_refused(run));
	uint32_t i;

	for (i = 0; i < run->nr; i++) {
		json_array_append_new(json_object_get(o, "variants"),
				      json_check_variant(&run->runs[i]));
		json_check_machine(document, run->runs[i].profile);
	}
	for (i = 0; i < nr; i++)
		json_array_append_new(json_object_get(o, "figures"),
				      json_check_figure(run, &figures[i]));
}
