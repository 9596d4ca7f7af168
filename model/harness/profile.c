// SPDX-License-Identifier: GPL-2.0-only
#include "model/harness/profile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "model/harness/arena.h"
#include "model/harness/diag.h"
#include "model/harness/quantity.h"
#include "model/harness/suggest.h"
#include "model/harness/yaml.h"
#include "sim/digest.h"
#include "sim/sim.h"

#define PROFILE_ERRORS_MAX	20u
/* Decimals of a constant: values are kept in millionths of their unit. */
#define VALUE_DIGITS		6u
#define VALUE_ONE		UINT64_C(1000000)
#define VALUE_MAX_PS		SIM_PS_PER_S
#define CLOCK_MIN_HZ		UINT64_C(1000000)
#define CLOCK_MAX_HZ		UINT64_C(20000000000)
#define IPC_MAX_MILLI		UINT64_C(20000)

#define PROFILE_NAME(name_, group_, meaning_)				\
	{ .name = #name_, .group = #group_, .meaning = meaning_ },
static const struct profile_cost profile_table[PROFILE_COSTS_NR] = {
	HW_COSTS(PROFILE_NAME)
};

static const char *const profile_units[] = {
	"cycles", "ns", "us", "instructions", NULL
};

enum profile_unit {
	UNIT_CYCLES,
	UNIT_NS,
	UNIT_US,
	UNIT_INSTRUCTIONS,
};

/* Where each constant of the profile in force was written. */
struct profile_written {
	struct diag_pos pos;
	uint64_t micro;
	enum profile_unit unit;
};

struct profile_file {
	struct diag_source source;
	struct diag_pos pos;	/* of its first key */
	char *text;
	const char *path;
	const char *name;
};

/* A profile and what it takes to build it. @files: the chain, ancestor last. */
struct profile_build {
	struct profile profile;
	struct arena arena;
	struct diag *diag;
	struct profile_written written[PROFILE_COSTS_NR];
	bool has_clock;
	bool has_ipc;
	bool has_topology;
	struct profile_file files[PROFILE_INHERIT_MAX];
	unsigned int files_nr;
};

/* Scalars. */

static const char *profile_scalar(struct profile_build *b,
				  const struct yaml_value *value)
{
	if (value->kind != YAML_IS_SCALAR)
		diag_error(b->diag, value->pos,
			   "%s: a value is needed, not %s", value->key,
			   yaml_kind_name(value->kind));
	else if (!*value->text)
		diag_error(b->diag, value->pos, "%s: the value is missing",
			   value->key);
	else
		return value->text;
	return NULL;
}

static void profile_unknown(struct profile_build *b,
			    const struct yaml_value *item,
			    const char *const *known)
{
	const char *near = suggest_from(item->key, known);
	char list[512] = "";
	size_t used = 0;

	if (near) {
		diag_error(b->diag, item->key_pos,
			   "unknown key '%s'; did you mean '%s'?", item->key,
			   near);
		return;
	}
	for (; *known && used < sizeof(list); known++)
		used += (size_t)snprintf(list + used, sizeof(list) - used,
					 "%s%s", used ? ", " : "", *known);
	diag_error(b->diag, item->key_pos, "unknown key '%s'; known: %s",
		   item->key, list);
}

static bool profile_is_map(struct profile_build *b,
			   const struct yaml_value *value)
{
	if (value->kind == YAML_IS_MAP)
		return true;
	diag_error(b->diag, value->pos, "%s: a map is needed, not %s",
		   value->key ? value->key : "a profile",
		   yaml_kind_name(value->kind));
	return false;
}

/* cpu and topology. */

static void profile_read_clock(struct profile_build *b,
			       const struct yaml_value *value)
{
	const char *text = profile_scalar(b, value);
	uint64_t hz;

	if (!text)
		return;
	if (quantity_clock(text, &hz) || hz < CLOCK_MIN_HZ ||
	    hz > CLOCK_MAX_HZ) {
		diag_error(b->diag, value->pos,
			   "clock: '%.64s' is not a frequency; allowed: 1MHz..20GHz",
			   text);
		return;
	}
	b->profile.clock_hz = hz;
	b->has_clock = true;
}

static void profile_read_ipc(struct profile_build *b,
			     const struct yaml_value *value)
{
	const char *text = profile_scalar(b, value);
	uint64_t ipc;

	if (!text)
		return;
	if (quantity_decimal(text, 3, &ipc) || !ipc || ipc > IPC_MAX_MILLI) {
		diag_error(b->diag, value->pos,
			   "ipc: '%.64s' is not a number of instructions per cycle; allowed: 0.001..20, up to three decimals",
			   text);
		return;
	}
	b->profile.ipc_milli = ipc;
	b->has_ipc = true;
}

static void profile_read_cpu(struct profile_build *b,
			     const struct yaml_value *map)
{
	static const char *const known[] = { "clock", "ipc", NULL };
	const struct yaml_value *item;

	if (!profile_is_map(b, map))
		return;
	for (item = map->first; item && !diag_full(b->diag); item = item->next)
		if (!strcmp(item->key, "clock"))
			profile_read_clock(b, item);
		else if (!strcmp(item->key, "ipc"))
			profile_read_ipc(b, item);
		else
			profile_unknown(b, item, known);
}

static void profile_read_count(struct profile_build *b,
			       const struct yaml_value *value, uint32_t *count)
{
	const char *text = profile_scalar(b, value);
	uint64_t n;

	if (!text)
		return;
	if (quantity_number(text, &n) || !n || n > HW_PCPU_MAX)
		diag_error(b->diag, value->pos,
			   "%s: '%.64s' is not a count; allowed: 1..%u",
			   value->key, text, HW_PCPU_MAX);
	else
		*count = (uint32_t)n;
}

static void profile_read_topology(struct profile_build *b,
				  const struct yaml_value *map)
{
	static const char *const known[] = {
		"sockets", "cores", "threads", NULL
	};
	struct hw_topology topo = { 1, 1, 1 };
	const struct yaml_value *item;

	if (!profile_is_map(b, map))
		return;
	for (item = map->first; item && !diag_full(b->diag); item = item->next)
		if (!strcmp(item->key, "sockets"))
			profile_read_count(b, item, &topo.sockets);
		else if (!strcmp(item->key, "cores"))
			profile_read_count(b, item, &topo.cores);
		else if (!strcmp(item->key, "threads"))
			profile_read_count(b, item, &topo.threads);
		else
			profile_unknown(b, item, known);
	if (topo.sockets * topo.cores * topo.threads > HW_PCPU_MAX)
		diag_error(b->diag, map->pos,
			   "topology: %u sockets x %u cores x %u threads are more than %u CPUs",
			   topo.sockets, topo.cores, topo.threads,
			   HW_PCPU_MAX);
	b->profile.topology = topo;
	b->has_topology = true;
}

/* "20 %" */
static void profile_read_jitter(struct profile_build *b,
				const struct yaml_value *value)
{
	const char *text = profile_scalar(b, value);
	char number[8];
	size_t digits;
	uint64_t percent;

	if (!text)
		return;
	digits = strspn(text, "0123456789");
	snprintf(number, sizeof(number), "%.*s", (int)digits, text);
	text += digits + strspn(text + digits, " ");
	if (digits >= sizeof(number) || quantity_number(number, &percent) ||
	    percent > 100 || strcmp(text, "%"))
		diag_error(b->diag, value->pos,
			   "jitter: '%.64s' is not a share; allowed: 0 %%..100 %%, whole",
			   value->text);
	else
		b->profile.jitter_percent = (uint32_t)percent;
}

/* Constants. */

static bool profile_read_value(struct profile_build *b,
			       const struct yaml_value *value,
			       struct profile_cost *cost,
			       struct profile_written *written)
{
	const char *text = profile_scalar(b, value);

	if (!text)
		return false;
	if (*text == '-') {
		diag_error(b->diag, value->pos,
			   "value: %.64s is negative; a cost is 0 or more",
			   text);
		return false;
	}
	if (quantity_decimal(text, VALUE_DIGITS, &written->micro)) {
		diag_error(b->diag, value->pos,
			   "value: '%.64s' is not a number with up to %u decimals below 10^13",
			   text, VALUE_DIGITS);
		return false;
	}
	cost->value_text = arena_string(&b->arena, text);
	return true;
}

static bool profile_read_unit(struct profile_build *b,
			      const struct yaml_value *value,
			      struct profile_cost *cost,
			      struct profile_written *written)
{
	const char *text = profile_scalar(b, value);
	const char *near;
	unsigned int i;

	if (!text)
		return false;
	for (i = 0; profile_units[i]; i++)
		if (!strcmp(profile_units[i], text)) {
			cost->unit = profile_units[i];
			written->unit = (enum profile_unit)i;
			return true;
		}
	near = suggest_from(text, profile_units);
	diag_error(b->diag, value->pos,
		   "unit: '%.64s' is not known; allowed: cycles, ns, us, instructions%s%s%s",
		   text, near ? "; did you mean '" : "", near ? near : "",
		   near ? "'?" : "");
	return false;
}

static bool profile_read_source(struct profile_build *b,
				const struct yaml_value *value,
				struct profile_cost *cost)
{
	const char *text = profile_scalar(b, value);

	if (!text)
		return false;
	if (!text[strspn(text, " \t\n")]) {
		diag_error(b->diag, value->pos, "source: the text is missing");
		return false;
	}
	cost->source = arena_string(&b->arena, text);
	return true;
}

/* Fill @cost from @map; true if it is complete and without errors. */
static bool profile_read_fields(struct profile_build *b,
				const struct yaml_value *map,
				struct profile_cost *cost,
				struct profile_written *written)
{
	static const char *const known[] = { "value", "unit", "source", NULL };
	const struct yaml_value *item;
	bool ok = true;
	unsigned int i;

	for (item = map->first; item && !diag_full(b->diag);
	     item = item->next) {
		bool read = false;

		if (!strcmp(item->key, "value"))
			read = profile_read_value(b, item, cost, written);
		else if (!strcmp(item->key, "unit"))
			read = profile_read_unit(b, item, cost, written);
		else if (!strcmp(item->key, "source"))
			read = profile_read_source(b, item, cost);
		else
			profile_unknown(b, item, known);
		ok = ok && read;
	}
	for (i = 0; known[i]; i++)
		if (!yaml_tree_get(map, known[i])) {
			diag_error(b->diag, map->key_pos,
				   "%s: %s is missing", map->key, known[i]);
			ok = false;
		}
	return ok;
}

static void profile_read_cost(struct profile_build *b,
			      const struct yaml_value *map, unsigned int i)
{
	struct profile_cost cost = profile_table[i];
	struct profile_written written = { .pos = map->key_pos };

	if (!profile_is_map(b, map))
		return;
	/* what is wrong counts as given, or it would be reported as missing */
	b->written[i].pos = map->key_pos;
	if (!profile_read_fields(b, map, &cost, &written))
		return;
	cost.profile = b->profile.name;
	b->profile.costs[i] = cost;
	b->written[i] = written;
}

static int profile_find_cost(const char *name)
{
	unsigned int i;

	for (i = 0; i < PROFILE_COSTS_NR; i++)
		if (!strcmp(profile_table[i].name, name))
			return (int)i;
	return -1;
}

/* The constant that somebody may have meant, NULL: none is like it. */
static const char *profile_near_cost(const char *name)
{
	struct suggest s;
	unsigned int i;

	suggest_init(&s, name);
	for (i = 0; i < PROFILE_COSTS_NR; i++)
		suggest_offer(&s, profile_table[i].name);
	return suggest_result(&s);
}

static void profile_unknown_cost(struct profile_build *b,
				 const struct yaml_value *item)
{
	const char *near = profile_near_cost(item->key);
	unsigned int nr = 0;
	unsigned int i;

	if (near) {
		diag_error(b->diag, item->key_pos,
			   "unknown constant '%s'; did you mean '%s'?",
			   item->key, near);
		/* nor report it as missing */
		b->written[profile_find_cost(near)].pos = item->key_pos;
		return;
	}
	for (i = 0; i < PROFILE_COSTS_NR; i++)
		if (!b->written[i].pos.line)
			nr++;
	diag_error(b->diag, item->key_pos,
		   "unknown constant '%s' (%u are still missing; see `vblksim help machine`)",
		   item->key, nr);
}

static void profile_read_group(struct profile_build *b,
			       const struct yaml_value *group)
{
	const struct yaml_value *item;

	if (!profile_is_map(b, group))
		return;
	for (item = group->first; item && !diag_full(b->diag);
	     item = item->next) {
		int i = profile_find_cost(item->key);

		if (i < 0)
			profile_unknown_cost(b, item);
		else if (strcmp(profile_table[i].group, group->key))
			diag_error(b->diag, item->key_pos,
				   "'%s' belongs in costs.%s, not costs.%s",
				   item->key, profile_table[i].group,
				   group->key);
		else
			profile_read_cost(b, item, (unsigned int)i);
	}
}

/* Names of the groups, each once, in table order. */
static void profile_groups(const char *groups[PROFILE_COSTS_NR + 1])
{
	unsigned int nr = 0;
	unsigned int i;

	for (i = 0; i < PROFILE_COSTS_NR; i++)
		if (!nr || strcmp(groups[nr - 1], profile_table[i].group))
			groups[nr++] = profile_table[i].group;
	groups[nr] = NULL;
}

static bool profile_in(const char *word, const char *const *list)
{
	for (; *list; list++)
		if (!strcmp(*list, word))
			return true;
	return false;
}

static void profile_read_costs(struct profile_build *b,
			       const struct yaml_value *map)
{
	const char *groups[PROFILE_COSTS_NR + 1];
	const struct yaml_value *item;

	profile_groups(groups);
	if (!profile_is_map(b, map))
		return;
	for (item = map->first; item && !diag_full(b->diag); item = item->next)
		if (profile_in(item->key, groups))
			profile_read_group(b, item);
		else
			profile_unknown(b, item, groups);
}

/* Files. */

/* Read all of @top but `inherit`. */
static void profile_read_top(struct profile_build *b,
			     const struct yaml_value *top)
{
	static const char *const known[] = {
		"description", "inherit", "cpu", "topology", "jitter", "costs",
		NULL
	};
	const struct yaml_value *item;
	const char *text;

	for (item = top->first; item && !diag_full(b->diag);
	     item = item->next) {
		if (!strcmp(item->key, "description")) {
			text = profile_scalar(b, item);
			b->profile.description =
				arena_string(&b->arena, text ? text : "");
		} else if (!strcmp(item->key, "cpu")) {
			profile_read_cpu(b, item);
		} else if (!strcmp(item->key, "topology")) {
			profile_read_topology(b, item);
		} else if (!strcmp(item->key, "jitter")) {
			profile_read_jitter(b, item);
		} else if (!strcmp(item->key, "costs")) {
			profile_read_costs(b, item);
		} else if (strcmp(item->key, "inherit")) {
			profile_unknown(b, item, known);
		}
	}
}

static const char *profile_stem(struct profile_build *b, const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *start = slash ? slash + 1 : path;
	size_t length = strlen(start);

	if (length > 5 && !strcmp(start + length - 5, ".yaml"))
		length -= 5;
	return arena_text(&b->arena, start, length);
}

/* Path of the profile that @value names, beside @file; NULL after an error. */
static const char *profile_parent_path(struct profile_build *b,
				       const struct profile_file *file,
				       const struct yaml_value *value)
{
	const char *name = profile_scalar(b, value);
	const char *slash = strrchr(file->path, '/');
	unsigned int i;

	if (!name)
		return NULL;
	if (strchr(name, '/') || *name == '.' || strlen(name) > 64) {
		diag_error(b->diag, value->pos,
			   "inherit: '%.64s' is not the name of a profile",
			   name);
		return NULL;
	}
	for (i = 0; i < b->files_nr; i++)
		if (!strcmp(b->files[i].name, name)) {
			diag_error(b->diag, value->pos,
				   "inherit: '%s' inherits from itself", name);
			return NULL;
		}
	return arena_format(&b->arena, "%.*s%s.yaml",
			    slash ? (int)(slash + 1 - file->path) : 0,
			    file->path, name);
}

static int profile_read_file(struct profile_build *b, const char *path);

static int profile_read_parent(struct profile_build *b,
			       const struct profile_file *file,
			       const struct yaml_value *value)
{
	const char *path = profile_parent_path(b, file, value);
	int err;

	if (!path)
		return -EINVAL;
	if (b->files_nr == PROFILE_INHERIT_MAX) {
		diag_error(b->diag, value->pos,
			   "inherit: more than %u profiles in a row",
			   PROFILE_INHERIT_MAX);
		return -EINVAL;
	}
	err = profile_read_file(b, path);
	if (err == -ENOENT)
		diag_error(b->diag, value->pos, "inherit: there is no %s",
			   path);
	return err ? -EINVAL : 0;
}

/* Ancestors first, so that a profile overrides what they say. */
static int profile_read_file(struct profile_build *b, const char *path)
{
	struct profile_file *file = &b->files[b->files_nr++];
	const struct yaml_value *parent;
	struct yaml_value *top;
	int err;

	file->path = arena_string(&b->arena, path);
	file->name = profile_stem(b, path);
	err = diag_read_file(b->diag, file->path, &file->source, &file->text);
	if (err)
		return err;
	top = yaml_tree_parse(&b->arena, &file->source, b->diag);
	if (!top || !profile_is_map(b, top))
		return -EINVAL;
	file->pos = top->pos;
	parent = yaml_tree_get(top, "inherit");
	if (parent)
		err = profile_read_parent(b, file, parent);
	b->profile.name = file->name;
	b->profile.path = file->path;
	b->profile.description = "";
	profile_read_top(b, top);
	return err;
}

/* The end. */

/* @num / @den to the nearest, half up; false if it is beyond VALUE_MAX_PS. */
static bool profile_divide(unsigned __int128 num, unsigned __int128 den,
			   uint64_t *ps)
{
	num = (num + den / 2) / den;
	*ps = num > VALUE_MAX_PS ? 0 : (uint64_t)num;
	return num <= VALUE_MAX_PS;
}

static bool profile_convert(const struct profile *p,
			    const struct profile_written *w, uint64_t *ps)
{
	unsigned __int128 value = w->micro;
	unsigned __int128 cycles_den =
		(unsigned __int128)VALUE_ONE * p->clock_hz;

	switch (w->unit) {
	case UNIT_NS:
		return profile_divide(value * SIM_PS_PER_NS, VALUE_ONE, ps);
	case UNIT_US:
		return profile_divide(value * SIM_PS_PER_US, VALUE_ONE, ps);
	case UNIT_CYCLES:
		return profile_divide(value * SIM_PS_PER_S, cycles_den, ps);
	default:
		return profile_divide(value * SIM_PS_PER_S * 1000,
				      cycles_den * p->ipc_milli, ps);
	}
}

static void profile_complete(struct profile_build *b)
{
	struct diag_pos whole = b->files[0].pos;
	unsigned int i;

	if (!b->has_clock)
		diag_error(b->diag, whole, "cpu.clock is missing");
	if (!b->has_ipc)
		diag_error(b->diag, whole, "cpu.ipc is missing");
	if (!b->has_topology)
		diag_error(b->diag, whole, "topology is missing");
	for (i = 0; i < PROFILE_COSTS_NR; i++)
		if (!b->written[i].pos.line)
			diag_error(b->diag, whole,
				   "constant costs.%s.%s is missing",
				   profile_table[i].group,
				   profile_table[i].name);
}

/* To the table that the model reads. */
static void profile_spread(struct profile *p)
{
#define PROFILE_SET(name, group, meaning)				\
	p->cost.name##_ps = p->costs[PROFILE_##name].ps;
	HW_COSTS(PROFILE_SET)
#undef PROFILE_SET
}

static void profile_set_costs(struct profile_build *b)
{
	struct profile *p = &b->profile;
	unsigned int i;

	for (i = 0; i < PROFILE_COSTS_NR; i++)
		if (!profile_convert(p, &b->written[i], &p->costs[i].ps))
			diag_error(b->diag, b->written[i].pos,
				   "%s: %s %s are more than a second",
				   p->costs[i].name, p->costs[i].value_text,
				   p->costs[i].unit);
	profile_spread(p);
}

static uint64_t profile_hash(const struct profile *p)
{
	struct sim_digest d;
	unsigned int i;

	sim_digest_init(&d);
	sim_digest_u64(&d, p->clock_hz);
	sim_digest_u64(&d, p->ipc_milli);
	sim_digest_u64(&d, p->topology.sockets);
	sim_digest_u64(&d, p->topology.cores);
	sim_digest_u64(&d, p->topology.threads);
	sim_digest_u64(&d, p->jitter_percent);
	for (i = 0; i < PROFILE_COSTS_NR; i++) {
		sim_digest_str(&d, p->costs[i].name);
		sim_digest_u64(&d, p->costs[i].ps);
	}
	return sim_digest_value(&d);
}

static int profile_build(struct profile_build *b, const char *path)
{
	int err = profile_read_file(b, path);

	/* an unreadable ancestor would make everything else look missing */
	if (err)
		return err;
	profile_complete(b);
	if (!b->diag->errors_nr)
		profile_set_costs(b);
	if (b->diag->errors_nr)
		return -EINVAL;
	b->profile.hash = profile_hash(&b->profile);
	return 0;
}

static void profile_drop(struct profile_build *b)
{
	unsigned int i;

	for (i = 0; i < b->files_nr; i++)
		free(b->files[i].text);
	arena_fini(&b->arena);
	free(b);
}

int profile_load(const char *path, struct profile **out, FILE *err)
{
	struct profile_build *b = calloc(1, sizeof(*b));
	struct diag d;
	int ret;

	*out = NULL;
	if (!b)
		return -ENOMEM;
	arena_init(&b->arena);
	diag_init(&d, err, PROFILE_ERRORS_MAX);
	b->diag = &d;
	ret = profile_build(b, path);
	diag_fini(&d);
	b->diag = NULL;
	if (ret)
		profile_drop(b);
	else
		*out = &b->profile;
	return ret;
}

void profile_destroy(struct profile *p)
{
	/* the profile is the first member of its build */
	if (p)
		profile_drop((struct profile_build *)p);
}

_Static_assert(offsetof(struct profile_build, profile) == 0,
	       "profile_destroy and profile_change cast");

/* Changes. */

/* The constant that @text of "NAME=..." names, -1 after an error. */
static int profile_change_find(struct profile_build *b,
			       const struct diag_source *source)
{
	const char *equals = strchr(source->text, '=');
	const char *near;
	char *name;
	int i;

	if (!equals) {
		diag_error(b->diag, diag_pos_of(source, 0),
			   "not of the form NAME=VALUE UNIT, as exit_user='45 us'");
		return -1;
	}
	name = arena_text(&b->arena, source->text,
			  (size_t)(equals - source->text));
	i = profile_find_cost(name);
	if (i >= 0)
		return i;
	near = profile_near_cost(name);
	diag_error(b->diag, diag_pos_of(source, 0),
		   "unknown constant '%.64s'; %s%s%s", name,
		   near ? "did you mean '" : "see `vblksim help machine`",
		   near ? near : "", near ? "'?" : "");
	return -1;
}

/* Read "VALUE UNIT", which is at the end of @source. */
static bool profile_change_read(struct profile_build *b,
				const struct diag_source *source,
				struct profile_cost *cost,
				struct profile_written *written)
{
	size_t at = (size_t)(strchr(source->text, '=') + 1 - source->text);
	size_t length = strcspn(source->text + at, " abcdefghijklmnopqrstuvwxyz");
	const char *unit = source->text + at + length;
	struct yaml_value value = {
		.kind = YAML_IS_SCALAR,
		.key = "value",
		.pos = diag_pos_of(source, at),
		.text = arena_text(&b->arena, source->text + at, length),
	};

	if (!profile_read_value(b, &value, cost, written))
		return false;
	unit += strspn(unit, " ");
	value.key = "unit";
	value.pos = diag_pos_of(source, (size_t)(unit - source->text));
	value.text = *unit ? unit : cost->unit;
	return profile_read_unit(b, &value, cost, written);
}

static void profile_change_one(struct profile_build *b,
			       const struct diag_source *source)
{
	struct profile *p = &b->profile;
	int i = profile_change_find(b, source);
	struct profile_written written = { .pos = diag_pos_of(source, 0) };
	struct profile_cost cost;

	if (i < 0)
		return;
	cost = p->costs[i];
	if (!profile_change_read(b, source, &cost, &written))
		return;
	if (!profile_convert(p, &written, &cost.ps)) {
		diag_error(b->diag, written.pos,
			   "%s: %s %s are more than a second", cost.name,
			   cost.value_text, cost.unit);
		return;
	}
	cost.source = "changed for this run by --cost";
	cost.profile = "--cost";
	cost.changed = true;
	p->costs[i] = cost;
}

int profile_change(struct profile *p, const char *text, FILE *err)
{
	struct profile_build *b = (struct profile_build *)p;
	struct diag_source source = {
		.name = "--cost", .text = text, .bytes = strlen(text),
	};
	struct diag d;
	int ret;

	diag_init(&d, err, PROFILE_ERRORS_MAX);
	b->diag = &d;
	profile_change_one(b, &source);
	ret = d.errors_nr ? -EINVAL : 0;
	diag_fini(&d);
	b->diag = NULL;
	profile_spread(p);
	p->hash = profile_hash(p);
	return ret;
}

bool profile_is_changed(const struct profile *p)
{
	unsigned int i;

	for (i = 0; i < PROFILE_COSTS_NR; i++)
		if (p->costs[i].changed)
			return true;
	return false;
}

/* For people. */

void profile_print_changes(const struct profile *p, FILE *out)
{
	const char *comma = "";
	unsigned int i;

	for (i = 0; i < PROFILE_COSTS_NR; i++) {
		const struct profile_cost *c = &p->costs[i];

		if (!c->changed)
			continue;
		fprintf(out, "%s%s %s %s", comma, c->name, c->value_text,
			c->unit);
		comma = ", ";
	}
}

void profile_print(const struct profile *p, FILE *out)
{
	char clock[32];
	char ipc[32];
	char ps[32];
	unsigned int i;

	quantity_print_decimal(clock, sizeof(clock), 9, p->clock_hz);
	quantity_print_decimal(ipc, sizeof(ipc), 3, p->ipc_milli);
	fprintf(out, "%s (%s)\n", p->name, p->path);
	if (*p->description)
		fprintf(out, "  %s\n", p->description);
	fprintf(out,
		"  %s GHz, %s instructions per cycle, %u x %u x %u (sockets, cores, threads)\n",
		clock, ipc, p->topology.sockets, p->topology.cores,
		p->topology.threads);
	if (p->jitter_percent)
		fprintf(out, "  jitter %u %% of the device's work\n",
			p->jitter_percent);
	for (i = 0; i < PROFILE_COSTS_NR; i++) {
		const struct profile_cost *c = &p->costs[i];

		if (!i || strcmp(c->group, p->costs[i - 1].group))
			fprintf(out, "\n%s\n", c->group);
		quantity_print_decimal(ps, sizeof(ps), 3, c->ps);
		fprintf(out, "  %-18s %10s ns = %s %s", c->name, ps,
			c->value_text, c->unit);
		if (strcmp(c->profile, p->name))
			fprintf(out, ", by %s", c->profile);
		fprintf(out, "\n      %s\n", c->source);
	}
}

void profile_help(FILE *out)
{
	unsigned int i;

	fputs("A machine profile is a YAML file machines/NAME.yaml:\n\n"
	      "  description: text\n"
	      "  inherit: NAME                 # optional; everything below overrides\n"
	      "  cpu: {clock: 2.4GHz, ipc: 1.0}\n"
	      "  topology: {sockets: 1, cores: 8, threads: 2}\n"
	      "  jitter: 20 %                  # optional; the device's work per request and\n"
	      "                                # raising interrupts vary evenly by so much\n"
	      "  costs:\n"
	      "    GROUP:\n"
	      "      CONSTANT: {value: 12.5, unit: cycles|ns|us|instructions, source: text}\n"
	      "\n"
	      "Instructions become cycles by ipc, cycles become time by clock. All constants\n"
	      "are needed; what a constant does not name costs no time.\n", out);
	for (i = 0; i < PROFILE_COSTS_NR; i++) {
		const struct profile_cost *c = &profile_table[i];

		if (!i || strcmp(c->group, profile_table[i - 1].group))
			fprintf(out, "\n%s\n", c->group);
		fprintf(out, "  %-18s %s\n", c->name, c->meaning);
	}
}
