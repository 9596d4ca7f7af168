// SPDX-License-Identifier: GPL-2.0-only
#include "model/harness/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/harness/quantity.h"
#include "model/harness/report_format.h"
#include "model/harness/report_table.h"

bool report_wants_colour(FILE *out)
{
	const char *no = getenv("NO_COLOR");

	return isatty(fileno(out)) && !(no && *no);
}

static void report_machine(const struct report_run *run, FILE *out)
{
	const struct profile *p = run->profile;
	char clock[32];

	fprintf(out, "  machine   %s", run->config->machine);
	if (p) {
		quantity_print_decimal(clock, sizeof(clock), 9, p->clock_hz);
		fprintf(out, ": %s GHz, %u socket%s x %u cores x %u thread%s",
			clock, p->topology.sockets,
			p->topology.sockets == 1 ? "" : "s",
			p->topology.cores, p->topology.threads,
			p->topology.threads == 1 ? "" : "s");
	}
	fputc('\n', out);
	if (!p || !profile_is_changed(p))
		return;
	fputs("  --cost    not the machine's own: ", out);
	profile_print_changes(p, out);
	fputc('\n', out);
}

/* @name: of the variant, NULL: it holds for all. */
static void report_driver(const char *name, const struct result_driver *d,
			  FILE *out)
{
	fprintf(out, "  driver    ");
	if (name)
		fprintf(out, "%s: ", name);
	fprintf(out, "%s", d->source ? d->source : "");
	if (d->hash)
		fprintf(out, " %.16s", d->hash);
	/* the usual needs no words */
	if (d->ring && *d->ring && strcmp(d->ring, "bundled"))
		fprintf(out, ", ring %s", d->ring);
	if (d->profile && d->source && strcmp(d->source, "bundled"))
		fprintf(out, ", profile %s", d->profile);
	if (d->compiler)
		fprintf(out, ", %s", d->compiler);
	fputc('\n', out);
}

static bool report_same_text(const char *a, const char *b)
{
	return !strcmp(a ? a : "", b ? b : "");
}

static bool report_same_driver(const struct result_driver *a,
			       const struct result_driver *b)
{
	return report_same_text(a->source, b->source) &&
	       report_same_text(a->hash, b->hash) &&
	       report_same_text(a->ring, b->ring) &&
	       report_same_text(a->compiler, b->compiler) &&
	       report_same_text(a->flags, b->flags);
}

static bool report_one_driver(const struct report *rep)
{
	uint32_t first = report_reference(rep);
	uint32_t i;

	for (i = first; i < rep->runs_nr; i++)
		if (report_ok(&rep->runs[i]) &&
		    !report_same_driver(&rep->runs[first].result->driver,
					&rep->runs[i].result->driver))
			return false;
	return true;
}

static void report_drivers(const struct report *rep, FILE *out)
{
	bool one = report_one_driver(rep);
	uint32_t i;

	for (i = 0; i < rep->runs_nr; i++) {
		const struct report_run *run = &rep->runs[i];

		if (!report_ok(run))
			continue;
		report_driver(one ? NULL : run->config->variant,
			      &run->result->driver, out);
		if (one)
			return;
	}
}

static void report_notes(const struct report *rep, FILE *out)
{
	uint32_t i;

	for (i = 0; i < rep->runs_nr; i++)
		if (*rep->runs[i].config->note)
			fprintf(out, "  %-9s %s\n",
				rep->runs[i].config->variant,
				rep->runs[i].config->note);
}

void report_header(const struct report *rep, FILE *out)
{
	const struct scenario_config *c = rep->runs[0].config;

	report_paint(rep, out, PAINT_BOLD);
	fputs(c->scenario, out);
	report_paint(rep, out, PAINT_OFF);
	fputc('\n', out);
	if (*c->question)
		report_wrap(out, c->question, 2, 90);
	report_machine(&rep->runs[0], out);
	fprintf(out, "  seed      %" PRIu64 "\n", c->seed);
	report_drivers(rep, out);
	report_notes(rep, out);
}

void report_print(const struct report *rep, FILE *out)
{
	report_header(rep, out);
	report_numbers(rep, out);
	if (report_reference(rep) < rep->runs_nr) {
		report_repeats(rep, out);
		report_cpu(rep, out);
		report_locks(rep, out);
		report_stages(rep, out);
		report_changes(rep, out);
		report_why(rep, out);
	}
	fflush(out);
}
