// SPDX-License-Identifier: GPL-2.0-only
#include "model/harness/scenario.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <vblksim-config.h>

#include "model/harness/arena.h"
#include "model/harness/diag.h"
#include "model/harness/expect.h"
#include "model/harness/profile.h"
#include "model/harness/scenario_key.h"
#include "model/harness/scenario_resolve.h"
#include "model/harness/suggest.h"
#include "model/harness/yaml.h"
#include "sim/digest.h"

#define SCOPE_NONE	0u
#define SCOPE_FILE	1u
#define SCOPE_VARIANT	2u	/* and up */
#define SCOPE_SET	UINT32_MAX
#define PATH_BYTES	256u
#define WHY_BYTES	768u

struct scenario {
	struct arena arena;
	char *text;
	struct diag_source source;
	struct diag_source *sets;
	struct scenario_draft **drafts;
	uint32_t drafts_nr;
	struct expect *expect;
};

/*
 * Reading values into @draft.
 * @scope: what is being read; a key may be given once in it
 */
struct loader {
	struct scenario *s;
	struct diag *diag;
	struct scenario_draft *draft;
	uint32_t scope;
};

static bool loader_in_variant(const struct loader *l)
{
	return l->scope >= SCOPE_VARIANT && l->scope != SCOPE_SET;
}

/* Note that something is given at @pos; false, and reported, if it was before. */
static bool loader_claim(struct loader *l, struct scenario_origin *origin,
			 struct diag_pos pos, const char *path)
{
	if (origin->scope == l->scope && l->scope != SCOPE_SET) {
		diag_error(l->diag, pos, "'%s' is given twice, first in line %u",
			   path, origin->pos.line);
		return false;
	}
	origin->pos = pos;
	origin->scope = l->scope;
	return true;
}

/* A scalar that is there. */
static bool loader_scalar(struct loader *l, const char *path,
			  const struct yaml_value *value)
{
	if (value->kind != YAML_IS_SCALAR) {
		diag_error(l->diag, value->pos, "%s: a value is needed, not %s",
			   path, yaml_kind_name(value->kind));
		return false;
	}
	if (!*value->text && !value->quoted) {
		diag_error(l->diag, value->pos, "%s: the value is missing",
			   path);
		return false;
	}
	return true;
}

/* Driver parameters. */

static struct scenario_param *loader_param(struct loader *l, const char *name,
					   struct diag_pos pos,
					   struct scenario_origin **origin)
{
	struct scenario_draft *draft = l->draft;
	uint32_t *nr = &draft->config.driver.params_nr;
	uint32_t i;

	for (i = 0; i < *nr; i++)
		if (!strcmp(draft->params[i].name, name))
			break;
	if (i == SCENARIO_PARAMS_MAX) {
		diag_error(l->diag, pos, "more than %u driver parameters",
			   SCENARIO_PARAMS_MAX);
		return NULL;
	}
	if (i == *nr) {
		draft->params[i].name = arena_string(&l->s->arena, name);
		draft->params_given[i] = (struct scenario_origin){ 0 };
		++*nr;
	}
	*origin = &draft->params_given[i];
	return &draft->params[i];
}

static void loader_set_param(struct loader *l, const char *name,
			     struct diag_pos pos,
			     const struct yaml_value *value)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
		"0123456789_-.";
	struct scenario_origin *origin;
	struct scenario_param *param;

	if (!*name || strlen(name) > 64 || name[strspn(name, letters)]) {
		diag_error(l->diag, pos,
			   "'%.64s' is not the name of a parameter: letters, digits and . _ -",
			   name);
		return;
	}
	if (!loader_scalar(l, name, value))
		return;
	if (strlen(value->text) > 256) {
		diag_error(l->diag, value->pos,
			   "%s: the value is longer than 256 bytes", name);
		return;
	}
	param = loader_param(l, name, pos, &origin);
	if (!param || !loader_claim(l, origin, pos, name))
		return;
	param->value = arena_string(&l->s->arena, value->text);
	param->from_set = l->scope == SCOPE_SET;
}

static void loader_set_params(struct loader *l, const struct yaml_value *map)
{
	const struct yaml_value *item;

	if (map->kind != YAML_IS_MAP) {
		diag_error(l->diag, map->pos,
			   "driver.params: a map of names to values is needed, not %s",
			   yaml_kind_name(map->kind));
		return;
	}
	for (item = map->first; item && !diag_full(l->diag); item = item->next)
		loader_set_param(l, item->key, item->key_pos, item);
}

/* Keys. */

static bool loader_set_list(struct loader *l, const struct scenario_key *key,
			    const struct yaml_value *list, char *why)
{
	const char *texts[SCENARIO_VALUES_MAX + 1];
	const struct yaml_value *item;
	size_t nr = 0;

	for (item = list->first; item; item = item->next) {
		if (!loader_scalar(l, key->path, item))
			return false;
		if (nr <= SCENARIO_VALUES_MAX)
			texts[nr++] = item->text;
	}
	if (scenario_key_parse_list(key, texts, nr, &l->draft->config,
				    &l->s->arena, why, WHY_BYTES))
		return true;
	diag_error(l->diag, list->pos, "%s", why);
	return false;
}

static bool loader_allows(struct loader *l, const struct scenario_key *key,
			  struct diag_pos pos)
{
	if (!loader_in_variant(l) ||
	    (strcmp(key->path, "name") && strcmp(key->path, "question")))
		return true;
	diag_error(l->diag, pos, "a variant cannot change '%s'", key->path);
	return false;
}

static void loader_set_key(struct loader *l, int i, struct diag_pos pos,
			   const struct yaml_value *value)
{
	const struct scenario_key *key = scenario_key((size_t)i);
	char why[WHY_BYTES];

	if (!loader_allows(l, key, pos) ||
	    !loader_claim(l, &l->draft->given[i], value->pos, key->path))
		return;
	if (scenario_key_is_list(key) && value->kind == YAML_IS_LIST) {
		loader_set_list(l, key, value, why);
		return;
	}
	if (loader_scalar(l, key->path, value) &&
	    !scenario_key_parse(key, value->text, &l->draft->config,
				&l->s->arena, why, sizeof(why)))
		diag_error(l->diag, value->pos, "%s", why);
}

static void loader_unknown(struct loader *l, const char *path,
			   struct diag_pos pos)
{
	const char *near = scenario_key_suggest(&l->s->arena, path);
	const char *dot = strrchr(path, '.');
	char known[2048];
	char *group;

	group = arena_text(&l->s->arena, path, dot ? (size_t)(dot - path) : 0);
	if (near) {
		diag_error(l->diag, pos,
			   "unknown key '%s'; did you mean '%s'?", path, near);
		return;
	}
	if (!scenario_key_is_group(group, strlen(group)))
		*group = '\0';
	scenario_key_siblings(group, known, sizeof(known));
	diag_error(l->diag, pos, "unknown key '%s'; known%s%s: %s", path,
		   *group ? " in " : "", group, known);
}

static void loader_apply_map(struct loader *l, const struct yaml_value *map,
			     const char *group);

/* Give @path (dotted) the value @value. */
static void loader_apply(struct loader *l, const char *path,
			 struct diag_pos pos, const struct yaml_value *value)
{
	static const char params[] = "driver.params.";
	int i = scenario_key_index(path);

	if (i >= 0)
		loader_set_key(l, i, pos, value);
	else if (!strcmp(path, "driver.params"))
		loader_set_params(l, value);
	else if (!strncmp(path, params, sizeof(params) - 1))
		loader_set_param(l, path + sizeof(params) - 1, pos, value);
	else if (!*path || !scenario_key_is_group(path, strlen(path)))
		loader_unknown(l, path, pos);
	else if (value->kind != YAML_IS_MAP)
		diag_error(l->diag, value->pos,
			   "%s: a map of keys is needed, not %s", path,
			   yaml_kind_name(value->kind));
	else
		loader_apply_map(l, value, path);
}

static void loader_apply_item(struct loader *l, const struct yaml_value *item,
			      const char *group)
{
	char path[PATH_BYTES];
	int length;

	length = snprintf(path, sizeof(path), "%s%s%s", group,
			  *group ? "." : "", item->key);
	if (length < 0 || (size_t)length >= sizeof(path))
		diag_error(l->diag, item->key_pos, "the key is too long");
	else
		loader_apply(l, path, item->key_pos, item);
}

static void loader_apply_map(struct loader *l, const struct yaml_value *map,
			     const char *group)
{
	const struct yaml_value *item;

	for (item = map->first; item && !diag_full(l->diag); item = item->next)
		loader_apply_item(l, item, group);
}

/* Variants. */

static const char *loader_prose(struct loader *l, const char *path,
				const struct yaml_value *value)
{
	return loader_scalar(l, path, value) ? value->text : "";
}

static void loader_variant_item(struct loader *l,
				const struct yaml_value *item)
{
	struct scenario_config *config = &l->draft->config;
	const struct scenario_key *name = scenario_key_find("name");
	struct scenario_config scratch;
	char why[WHY_BYTES];

	if (!strcmp(item->key, "note")) {
		config->note = loader_prose(l, "note", item);
	} else if (!strcmp(item->key, "set")) {
		if (item->kind == YAML_IS_MAP)
			loader_apply_map(l, item, "");
		else
			diag_error(l->diag, item->pos,
				   "set: a map of keys is needed, not %s",
				   yaml_kind_name(item->kind));
	} else if (strcmp(item->key, "name")) {
		loader_apply_item(l, item, "");
	} else if (loader_scalar(l, "name", item)) {
		if (scenario_key_parse(name, item->text, &scratch,
				       &l->s->arena, why, sizeof(why)))
			config->variant = scratch.scenario;
		else
			diag_error(l->diag, item->pos, "%s", why);
	}
}

static void loader_variant(struct loader *l, const struct yaml_value *map)
{
	struct scenario *s = l->s;
	const struct yaml_value *item;
	uint32_t i;

	if (map->kind != YAML_IS_MAP || !yaml_tree_get(map, "name")) {
		diag_error(l->diag, map->pos,
			   "a variant is a map with a name: {name: ..., set: {key: value}}");
		return;
	}
	for (item = map->first; item && !diag_full(l->diag); item = item->next)
		loader_variant_item(l, item);
	for (i = 0; i + 1 < s->drafts_nr; i++)
		if (!strcmp(s->drafts[i]->config.variant,
			    l->draft->config.variant))
			diag_error(l->diag, yaml_tree_get(map, "name")->pos,
				   "a second variant called '%s'",
				   l->draft->config.variant);
}

static struct scenario_draft *scenario_add_draft(struct scenario *s,
						 const struct scenario_draft *base)
{
	struct scenario_draft *draft = arena_alloc(&s->arena, sizeof(*draft));

	*draft = *base;
	s->drafts[s->drafts_nr++] = draft;
	return draft;
}

static void loader_variants(struct loader *l, const struct scenario_draft *base,
			    const struct yaml_value *list)
{
	const struct yaml_value *item;

	if (list->kind != YAML_IS_LIST || !list->first) {
		diag_error(l->diag, list->pos,
			   "variants: a list with at least one variant is needed");
		return;
	}
	for (item = list->first; item && !diag_full(l->diag);
	     item = item->next) {
		if (l->s->drafts_nr == SCENARIO_VARIANTS_MAX) {
			diag_error(l->diag, item->pos,
				   "more than %u variants",
				   SCENARIO_VARIANTS_MAX);
			return;
		}
		l->draft = scenario_add_draft(l->s, base);
		l->draft->whole = item->pos;
		l->scope = SCOPE_VARIANT + l->s->drafts_nr;
		loader_variant(l, item);
	}
}

/* The command line. */

static void loader_set(struct loader *l, struct diag_source *source)
{
	const char *equals = strchr(source->text, '=');
	struct diag_pos pos = { .source = source, .line = 1, .column = 1 };
	struct yaml_value value = { .kind = YAML_IS_SCALAR, .quoted = true };
	char *path;

	if (!equals || equals == source->text) {
		diag_error(l->diag, pos, "--set needs key=value");
		return;
	}
	path = arena_text(&l->s->arena, source->text,
			  (size_t)(equals - source->text));
	value.text = equals + 1;
	value.pos = diag_pos_of(source, (size_t)(equals + 1 - source->text));
	if (scenario_key_is_group(path, strlen(path)) &&
	    scenario_key_index(path) < 0)
		diag_error(l->diag, pos,
			   "'%s' is a group: set one of its keys", path);
	else
		loader_apply(l, path, pos, &value);
}

static void loader_sets(struct loader *l, size_t sets_nr)
{
	uint32_t i;
	size_t k;

	l->scope = SCOPE_SET;
	for (i = 0; i < l->s->drafts_nr; i++) {
		l->draft = l->s->drafts[i];
		for (k = 0; k < sets_nr; k++)
			loader_set(l, &l->s->sets[k]);
	}
}

/* The whole. */

/* Name of the file without folder and extension. */
static const char *scenario_stem(struct scenario *s, const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *start = slash ? slash + 1 : path;
	char *stem = arena_text(&s->arena, start,
				*start == '.' ? 0 : strcspn(start, "."));

	return *stem ? stem : "scenario";
}

static void loader_apply_top(struct loader *l, const struct yaml_value *top)
{
	const struct yaml_value *item;

	for (item = top->first; item && !diag_full(l->diag); item = item->next)
		if (strcmp(item->key, "variants") &&
		    strcmp(item->key, "expect"))
			loader_apply_item(l, item, "");
}

static void loader_expect(struct loader *l, const struct yaml_value *list)
{
	const char *variants[SCENARIO_VARIANTS_MAX];
	uint32_t i;

	for (i = 0; i < l->s->drafts_nr; i++)
		variants[i] = l->s->drafts[i]->config.variant;
	l->s->expect = expect_read(&l->s->arena, list, variants,
				   l->s->drafts_nr, l->diag);
}

static void loader_read(struct loader *l, const struct yaml_value *top)
{
	struct scenario *s = l->s;
	struct scenario_draft *base = arena_alloc(&s->arena, sizeof(*base));
	const struct yaml_value *variants;
	const struct yaml_value *expect;

	if (top->kind != YAML_IS_MAP) {
		diag_error(l->diag, top->pos,
			   "a scenario is a map of keys, not %s",
			   yaml_kind_name(top->kind));
		return;
	}
	scenario_key_presets(&base->config, &s->arena);
	base->config.path = s->source.name;
	base->config.scenario = scenario_stem(s, s->source.name);
	base->whole = top->pos;
	l->draft = base;
	l->scope = SCOPE_FILE;
	loader_apply_top(l, top);
	variants = yaml_tree_get(top, "variants");
	if (variants)
		loader_variants(l, base, variants);
	else
		scenario_add_draft(s, base);
	expect = yaml_tree_get(top, "expect");
	if (expect)
		loader_expect(l, expect);
}

static void scenario_finish(struct scenario *s, struct diag *d)
{
	uint32_t i;

	for (i = 0; i < s->drafts_nr; i++) {
		struct scenario_draft *draft = s->drafts[i];
		int source = scenario_key_index("driver.source");

		draft->config.driver.source_from_set =
			draft->given[source].scope == SCOPE_SET;
		scenario_resolve(draft, d);
	}
}

static void scenario_name_sets(struct scenario *s, const char *const *sets,
			       size_t sets_nr)
{
	size_t i;

	s->sets = arena_alloc(&s->arena, (sets_nr + 1) * sizeof(*s->sets));
	for (i = 0; i < sets_nr; i++) {
		s->sets[i].name = "--set";
		s->sets[i].text = arena_string(&s->arena, sets[i]);
		s->sets[i].bytes = strlen(sets[i]);
	}
}

static int scenario_read(struct scenario *s, const char *path, size_t sets_nr,
			 struct diag *d)
{
	struct loader l = { .s = s, .diag = d };
	struct yaml_value *top;
	int err;

	path = arena_string(&s->arena, path);
	err = diag_read_file(d, path, &s->source, &s->text);
	if (err)
		return err;
	top = yaml_tree_parse(&s->arena, &s->source, d);
	if (top)
		loader_read(&l, top);
	loader_sets(&l, sets_nr);
	if (!d->errors_nr)
		scenario_finish(s, d);
	return d->errors_nr ? -EINVAL : 0;
}

int scenario_load(const char *path, const char *const *sets, size_t sets_nr,
		  struct scenario **out, FILE *err)
{
	struct scenario *s = calloc(1, sizeof(*s));
	struct diag d;
	int ret;

	*out = NULL;
	if (!s)
		return -ENOMEM;
	arena_init(&s->arena);
	s->drafts = arena_alloc(&s->arena, SCENARIO_VARIANTS_MAX *
					   sizeof(struct scenario_draft *));
	scenario_name_sets(s, sets, sets_nr);
	diag_init(&d, err, SCENARIO_ERRORS_MAX);
	ret = scenario_read(s, path, sets_nr, &d);
	diag_fini(&d);
	if (ret)
		scenario_destroy(s);
	else
		*out = s;
	return ret;
}

void scenario_destroy(struct scenario *s)
{
	if (!s)
		return;
	free(s->text);
	arena_fini(&s->arena);
	free(s);
}

const char *scenario_name(const struct scenario *s)
{
	return s->drafts[0]->config.scenario;
}

const struct expect *scenario_expect(const struct scenario *s)
{
	return s->expect;
}

const char *scenario_path(const struct scenario *s)
{
	return s->source.name;
}

uint32_t scenario_variants_nr(const struct scenario *s)
{
	return s->drafts_nr;
}

const struct scenario_config *scenario_variant(const struct scenario *s,
					       uint32_t i)
{
	return &s->drafts[i]->config;
}

int scenario_variant_find(const struct scenario *s, const char *name,
			  FILE *err)
{
	struct suggest near;
	uint32_t i;

	suggest_init(&near, name);
	for (i = 0; i < s->drafts_nr; i++) {
		if (!strcmp(s->drafts[i]->config.variant, name))
			return (int)i;
		suggest_offer(&near, s->drafts[i]->config.variant);
	}
	fprintf(err, "%s: no variant '%s'", s->source.name, name);
	if (suggest_result(&near))
		fprintf(err, "; did you mean '%s'?", suggest_result(&near));
	fputs("\nvariants:", err);
	for (i = 0; i < s->drafts_nr; i++)
		fprintf(err, " %s", s->drafts[i]->config.variant);
	fputc('\n', err);
	return -1;
}

/* Machine profiles. */

static const char *scenario_machine_path(const struct scenario *s,
					 struct arena *a, const char *machine,
					 unsigned int place)
{
	const char *slash = strrchr(s->source.name, '/');
	const char *folder = slash ? arena_text(a, s->source.name,
					(size_t)(slash + 1 - s->source.name)) :
				     "";

	switch (place) {
	case 0:
		return arena_format(a, "%smachines/%s.yaml", folder, machine);
	case 1:
		return arena_format(a, "%s../machines/%s.yaml", folder,
				    machine);
	case 2:
		return arena_format(a, "%s/scenarios/machines/%s.yaml",
				    VBLKSIM_SOURCE_DIR, machine);
	default:
		return NULL;
	}
}

static void scenario_no_machine(const struct scenario *s, struct arena *a,
				const struct scenario_draft *draft, FILE *err)
{
	int key = scenario_key_index("machine");
	const char *path;
	unsigned int i;
	struct diag d;

	diag_init(&d, err, SCENARIO_ERRORS_MAX);
	diag_error(&d, draft->given[key].pos, "no machine profile '%s'",
		   draft->config.machine);
	diag_fini(&d);
	for (i = 0;
	     (path = scenario_machine_path(s, a, draft->config.machine, i));
	     i++)
		fprintf(err, "  looked for %s\n", path);
}

int scenario_load_profile(const struct scenario *s, uint32_t i,
			  struct profile **out, FILE *err)
{
	const struct scenario_draft *draft = s->drafts[i];
	int ret = -ENOENT;
	const char *path;
	struct arena a;
	unsigned int k;

	*out = NULL;
	arena_init(&a);
	for (k = 0;
	     (path = scenario_machine_path(s, &a, draft->config.machine, k));
	     k++)
		if (!access(path, F_OK))
			break;
	if (path)
		ret = profile_load(path, out, err);
	else
		scenario_no_machine(s, &a, draft, err);
	arena_fini(&a);
	return ret;
}

/* Hash. */

static void scenario_hash_times(struct sim_digest *d,
				const struct scenario_latency *latency)
{
	uint32_t i;

	sim_digest_u64(d, latency->values_nr);
	for (i = 0; i < latency->values_nr; i++)
		sim_digest_u64(d, latency->values_ps[i]);
}

uint64_t scenario_hash(const struct scenario_config *cfg)
{
	struct sim_digest d;
	char text[4200];
	size_t i;

	sim_digest_init(&d);
	for (i = 0; i < scenario_keys_nr(); i++) {
		const struct scenario_key *key = scenario_key(i);

		if (key->prose)
			continue;
		sim_digest_str(&d, key->path);
		if (key->type == SCENARIO_TIMES) {
			scenario_hash_times(&d, &cfg->device.store.latency);
			continue;
		}
		scenario_key_print(key, cfg, text, sizeof(text));
		sim_digest_str(&d, text);
	}
	for (i = 0; i < cfg->driver.params_nr; i++) {
		sim_digest_str(&d, cfg->driver.params[i].name);
		sim_digest_str(&d, cfg->driver.params[i].value);
	}
	return sim_digest_value(&d);
}
