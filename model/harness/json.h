/* SPDX-License-Identifier: GPL-2.0-only */
/* Results as JSON; the form is documented in README.md. */
#ifndef MODEL_HARNESS_JSON_H
#define MODEL_HARNESS_JSON_H

#include <jansson.h>

#include "model/harness/report.h"

/* The document for @rep: a new reference, NULL without memory. */
json_t *json_document(const struct report *rep);

/*
 * @text as a JSON string, NULL as ""; it may come from outside: what is not UTF-8
 * is replaced. A new reference.
 */
json_t *json_text(const char *text);

/* The same as json_write() for a document that is there. */
int json_write_document(const json_t *document, const char *path, FILE *out);

/*
 * Write the document to @path, "-": to @out. A regular file is replaced in one
 * step: whoever reads it sees the old or the new one.
 * Returns 0 or -errno.
 */
int json_write(const struct report *rep, const char *path, FILE *out);

#endif
