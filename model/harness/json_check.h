/* SPDX-License-Identifier: GPL-2.0-only */
/* The outcome of `vblksim check` as JSON; the form is documented in README.md. */
#ifndef MODEL_HARNESS_JSON_CHECK_H
#define MODEL_HARNESS_JSON_CHECK_H

#include <jansson.h>

#include "model/harness/cli_scenario.h"
#include "model/harness/expect.h"

/* A document without scenarios: a new reference. */
json_t *json_check_new(void);

/*
 * Add a scenario that was refused. @path: as the user wrote it
 */
void json_check_add_refused(json_t *document, const char *path);

/*
 * Add a scenario that was run, with the machines that it ran on.
 * @run: its variants, what it ran and with which constants
 * @figures: @nr of them, [] for a scenario that expects nothing and was not run
 */
void json_check_add(json_t *document, const char *path,
		    const struct cli_scenario *run,
		    const struct expect_figure *figures, uint32_t nr);

#endif
