// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sentences that point at what explains a difference: always the largest
 * change of its kind, whatever it is.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/harness/report.h"
#include "model/harness/report_format.h"

#define WHY_CELL_BYTES	64u
/* Relative changes below this are not worth a word. */
#define WHY_WORTH	0.005

/* What is compared, one I/O of each; @from NULL: @to alone is described. */
struct why {
	const char *from_name;
	const struct result *from;
	const char *to_name;
	const struct result *to;
	FILE *out;
};

static void why_ns(struct why *w, double ns)
{
	char cell[WHY_CELL_BYTES];

	report_format_ns(cell, sizeof(cell), ns);
	fputs(cell, w->out);
}

static void why_count(struct why *w, double count)
{
	char cell[WHY_CELL_BYTES];

	report_format_count(cell, sizeof(cell), count);
	fputs(cell, w->out);
}

/* "a -> b", or "b" alone. */
static void why_ns_change(struct why *w, double from, double to)
{
	if (w->from) {
		why_ns(w, from);
		fputs(" -> ", w->out);
	}
	why_ns(w, to);
}

static void why_count_change(struct why *w, double from, double to)
{
	if (w->from) {
		why_count(w, from);
		fputs(" -> ", w->out);
	}
	why_count(w, to);
}

static bool why_worth(double from, double to)
{
	double larger = fabs(from) > fabs(to) ? fabs(from) : fabs(to);

	return larger > 0 && fabs(to - from) >= WHY_WORTH * larger;
}

static void why_outcome(struct why *w)
{
	char change[WHY_CELL_BYTES];
	double from = result_iops(w->from);
	double to = result_iops(w->to);

	report_format_change(change, sizeof(change), from, to);
	fprintf(w->out, "%s against %s: IOPS %s (", w->to_name, w->from_name,
		change);
	why_count_change(w, from, to);
	fputs("), mean latency ", w->out);
	from = result_latency_mean_ns(w->from);
	to = result_latency_mean_ns(w->to);
	report_format_change(change, sizeof(change), from, to);
	fprintf(w->out, "%s (", change);
	why_ns_change(w, from, to);
	fputs("). ", w->out);
}

/* Stages. */

static double why_stage(const struct result *r, uint32_t stage)
{
	return r ? result_stage_mean_ns(r, stage) : 0;
}

static uint32_t why_largest_stage(const struct why *w)
{
	uint32_t best = 0;
	double most = -1;
	uint32_t i;

	for (i = 0; i < RESULT_STAGES_NR; i++) {
		double change = fabs(why_stage(w->to, i) -
				     why_stage(w->from, i));

		if (change > most) {
			most = change;
			best = i;
		}
	}
	return best;
}

/* Say which part of the latency, or of its change, @change is. */
static void why_part(struct why *w, double change)
{
	double whole = result_latency_mean_ns(w->to);

	if (w->from)
		whole -= result_latency_mean_ns(w->from);
	if (whole != 0 && change / whole > 0 && change / whole <= 1.0001)
		fprintf(w->out, ", %.0f %% of the %slatency",
			change / whole * 100,
			w->from ? "change in " : "mean ");
	fputs(". ", w->out);
}

static void why_stages(struct why *w)
{
	uint32_t stage = why_largest_stage(w);
	const char *name = result_stage_name[stage];
	int first = (int)strcspn(name, "_");
	double from = why_stage(w->from, stage);
	double to = why_stage(w->to, stage);

	if (!why_worth(from, to))
		return;
	fprintf(w->out, "%s '%.*s - %s': ",
		w->from ? "Of a request's stages the largest change is in" :
			  "The longest of a request's stages is",
		first, name, name + first + 1);
	why_ns_change(w, from, to);
	why_part(w, to - from);
}

/* CPU time. */

static double why_mode(const struct result *r, enum result_thread_kind kind,
		       int mode)
{
	if (!r)
		return 0;
	return result_per_io(r, result_mode_ps(r, kind, mode)) / 1e3;
}

static void why_modes(struct why *w)
{
	static const char *const kinds[] = { "vCPUs", "host threads" };
	double most = -1;
	int best_kind = 0;
	int best = 0;
	int kind;
	int mode;

	for (kind = 0; kind < RESULT_THREAD_KINDS_NR; kind++)
		for (mode = 0; mode < HW_MODE_NR; mode++) {
			double change = fabs(why_mode(w->to, kind, mode) -
					     why_mode(w->from, kind, mode));

			if (mode == HW_IDLE || change <= most)
				continue;
			most = change;
			best_kind = kind;
			best = mode;
		}
	if (!why_worth(why_mode(w->from, best_kind, best),
		       why_mode(w->to, best_kind, best)))
		return;
	fprintf(w->out, "%s, the time of %s in '%s' %s: ",
		w->from ? "Of the CPU time per I/O" : "Per I/O",
		kinds[best_kind], result_mode_name[best],
		w->from ? "changes most" : "is the largest");
	why_ns_change(w, why_mode(w->from, best_kind, best),
		      why_mode(w->to, best_kind, best));
	fputs(". ", w->out);
}

/* Busiest thread, busy as a share of the window: who polls has nothing to do. */
static const struct result_thread *why_busiest(const struct result *r,
					       double *share)
{
	const struct result_thread *best = NULL;
	uint64_t most_ps = 0;
	uint32_t i;

	for (i = 0; i < r->threads_nr; i++) {
		const struct hw_thread_stats *s = &r->threads[i].stats;
		uint64_t busy_ps = 0;
		int mode;

		for (mode = 0; mode < HW_MODE_NR; mode++)
			if (mode != HW_IDLE && mode != HW_BLOCKED &&
			    mode != HW_STEAL && mode != HW_POLL)
				busy_ps += s->mode_ps[mode];
		if (busy_ps > most_ps) {
			most_ps = busy_ps;
			best = &r->threads[i];
		}
	}
	*share = r->duration_ps ? (double)most_ps * 100 /
				  (double)r->duration_ps : 0;
	return best;
}

static void why_threads(struct why *w)
{
	const struct result_thread *from = NULL;
	const struct result_thread *to;
	double from_share = 0;
	double to_share;

	to = why_busiest(w->to, &to_share);
	if (w->from)
		from = why_busiest(w->from, &from_share);
	if (!to)
		return;
	fprintf(w->out, "The busiest thread is %s, %.1f %% of the time",
		to->name ? to->name : "", to_share);
	if (from)
		fprintf(w->out, "; in %s it is %s, %.1f %%", w->from_name,
			from->name ? from->name : "", from_share);
	fputs(". ", w->out);
}

/* Locks. */

static const struct result_lock *why_lock(const struct result *r,
					  const char *name)
{
	uint32_t i;

	for (i = 0; r && name && i < r->locks_nr; i++)
		if (r->locks[i].name && !strcmp(r->locks[i].name, name))
			return &r->locks[i];
	return NULL;
}

static double why_lock_wait(const struct result *r,
			    const struct result_lock *lock)
{
	return lock ? result_per_io(r, lock->wait_ps) / 1e3 : 0;
}

static double why_lock_exits(const struct result *r,
			     const struct result_lock *lock)
{
	return lock ? result_per_io(r, lock->exits_nr) : 0;
}

static double why_lock_hold(const struct result_lock *lock)
{
	return lock && lock->acquired_nr ?
	       (double)lock->hold_ps / (double)lock->acquired_nr / 1e3 : 0;
}

/*
 * How much a lock matters: change of its waiting; where that is the same, of
 * its holding; then of exits while it is held.
 */
static double why_lock_weight(const struct why *w,
			      const struct result_lock *from,
			      const struct result_lock *to)
{
	double wait = fabs(why_lock_wait(w->to, to) -
			   why_lock_wait(w->from, from));
	double hold = fabs(why_lock_hold(to) - why_lock_hold(from));

	double exits = fabs(why_lock_exits(w->to, to) -
			    why_lock_exits(w->from, from));

	return wait * 1e6 + hold + exits * 1e-3;
}

static const char *why_largest_lock(const struct why *w)
{
	const struct result *sides[2] = { w->to, w->from };
	const char *best = NULL;
	double most = 0;
	uint32_t i;
	int side;

	for (side = 0; side < 2; side++)
		for (i = 0; sides[side] && i < sides[side]->locks_nr; i++) {
			const char *name = sides[side]->locks[i].name;
			double weight = why_lock_weight(w,
						why_lock(w->from, name),
						why_lock(w->to, name));

			if (name && weight > most) {
				most = weight;
				best = name;
			}
		}
	return best;
}

static void why_locks(struct why *w)
{
	const char *name = why_largest_lock(w);
	const struct result_lock *from = why_lock(w->from, name);
	const struct result_lock *to = why_lock(w->to, name);

	if (!name)
		return;
	fprintf(w->out, "Lock %s: waited for ", name);
	why_ns_change(w, why_lock_wait(w->from, from),
		      why_lock_wait(w->to, to));
	fputs(" per I/O, held for ", w->out);
	why_ns_change(w, why_lock_hold(from), why_lock_hold(to));
	fputs(" at a time, exits while held ", w->out);
	why_count_change(w, why_lock_exits(w->from, from),
			 why_lock_exits(w->to, to));
	fputs(" per I/O. ", w->out);
}

/* Signals. */

struct why_signal {
	const char *name;
	uint64_t from;
	uint64_t to;
};

static void why_signals(struct why *w)
{
	static const struct result none;
	const struct result *f = w->from ? w->from : &none;
	const struct why_signal signals[] = {
		{ "exits", result_exits(f), result_exits(w->to) },
		{ "exits with a lock held", f->exits_locked,
		  w->to->exits_locked },
		{ "kicks", f->kicks_sent, w->to->kicks_sent },
		{ "interrupts", f->interrupts_delivered,
		  w->to->interrupts_delivered },
		{ "IPIs", f->ipis, w->to->ipis },
	};
	bool any = false;
	size_t i;

	for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		double from = result_per_io(f, signals[i].from);
		double to = result_per_io(w->to, signals[i].to);

		if (!why_worth(from, to))
			continue;
		fprintf(w->out, "%s %s ", any ? "," : "Per I/O:",
			signals[i].name);
		why_count_change(w, from, to);
		any = true;
	}
	if (any)
		fputs(". ", w->out);
}

static void why_describe(struct why *w)
{
	if (w->from && w->from->digest == w->to->digest) {
		fprintf(w->out,
			"%s and %s have the same digest: nothing that happened differs.",
			w->to_name, w->from_name);
		return;
	}
	if (w->from)
		why_outcome(w);
	if (!w->to->ios || (w->from && !w->from->ios)) {
		fputs("Without I/Os there is nothing to compare.", w->out);
		return;
	}
	why_stages(w);
	why_modes(w);
	why_threads(w);
	why_locks(w);
	why_signals(w);
}

static void why_print(struct why *w, FILE *out)
{
	char *text = NULL;
	size_t bytes = 0;

	w->out = open_memstream(&text, &bytes);
	if (!w->out)
		return;
	why_describe(w);
	if (!fclose(w->out))
		report_wrap(out, text, 2, 90);
	free(text);
}

static bool why_has_numbers(const struct report_run *run)
{
	return !run->result->failure;
}

static uint32_t why_numbers_nr(const struct report *rep)
{
	uint32_t nr = 0;
	uint32_t i;

	for (i = 0; i < rep->runs_nr; i++)
		nr += why_has_numbers(&rep->runs[i]);
	return nr;
}

void report_why(const struct report *rep, FILE *out)
{
	const struct report_run *ref = NULL;
	uint32_t i;

	fprintf(out, "\n%sWhy%s\n", rep->colour ? "\033[1m" : "",
		rep->colour ? "\033[0m" : "");
	for (i = 0; i < rep->runs_nr; i++) {
		const struct report_run *run = &rep->runs[i];
		struct why w = { .to_name = run->config->variant,
				 .to = run->result };

		if (!why_has_numbers(run))
			continue;
		if (ref) {
			w.from_name = ref->config->variant;
			w.from = ref->result;
		} else {
			ref = run;
			if (why_numbers_nr(rep) > 1)
				continue;
		}
		why_print(&w, out);
	}
}
