/* SPDX-License-Identifier: GPL-2.0-only */
/* From what was written to what is run: one variant under construction. */
#ifndef MODEL_HARNESS_SCENARIO_RESOLVE_H
#define MODEL_HARNESS_SCENARIO_RESOLVE_H

#include "model/harness/diag.h"
#include "model/harness/scenario.h"
#include "model/harness/scenario_key.h"

/*
 * Where a value came from. @scope: the file, a variant or the command line; a
 * key may be given once per scope.
 */
struct scenario_origin {
	struct diag_pos pos;	/* line 0: default */
	uint32_t scope;
};

/*
 * @config: its params points into @params once it is resolved
 * @whole: where to point for what is missing: the file, or the variant
 */
struct scenario_draft {
	struct scenario_config config;
	struct scenario_origin given[SCENARIO_KEYS_MAX];
	struct scenario_param params[SCENARIO_PARAMS_MAX];
	struct scenario_origin params_given[SCENARIO_PARAMS_MAX];
	struct diag_pos whole;
};

/*
 * Give automatic values, apply fio's adjustments, clear what has no effect,
 * and report what cannot be together.
 */
void scenario_resolve(struct scenario_draft *draft, struct diag *d);

#endif
