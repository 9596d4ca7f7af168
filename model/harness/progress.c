// SPDX-License-Identifier: GPL-2.0-only
#include "model/harness/progress.h"

#include <inttypes.h>
#include <time.h>
#include <unistd.h>

#define PROGRESS_PERIOD_NS	UINT64_C(100000000)

static uint64_t progress_clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void progress_init(struct progress *p, FILE *out, const char *label,
		   bool quiet)
{
	p->out = out;
	p->label = label;
	p->on = !quiet && isatty(fileno(out));
	p->shown = false;
	p->start_ns = p->on ? progress_clock_ns() : 0;
	p->next_ns = p->start_ns + PROGRESS_PERIOD_NS;
}

/* How much of @end is done, in percent; 0 if the end is not known. */
static unsigned int progress_share(uint64_t now, uint64_t end)
{
	if (!end)
		return 0;
	return now >= end ? 100 : (unsigned int)((double)now * 100 /
						 (double)end);
}

static void progress_print(struct progress *p, uint64_t wall_ns,
			   uint64_t now_ps, unsigned int percent, uint64_t ios)
{
	double seconds = (double)(wall_ns - p->start_ns) / 1e9;

	fprintf(p->out,
		"\r%s: %3u %%  %.3f ms simulated  %" PRIu64
		" I/Os  %.0f I/Os per second\033[K",
		p->label, percent, (double)now_ps / 1e9, ios,
		(double)ios / seconds);
	fflush(p->out);
	p->shown = true;
}

void progress_update(struct progress *p, uint64_t now_ps, uint64_t end_ps,
		     uint64_t ios, uint64_t ios_end)
{
	unsigned int percent;
	unsigned int by_ios;
	uint64_t wall_ns;

	if (!p || !p->on)
		return;
	wall_ns = progress_clock_ns();
	if (wall_ns < p->next_ns)
		return;
	p->next_ns = wall_ns + PROGRESS_PERIOD_NS;
	percent = progress_share(now_ps, end_ps);
	by_ios = progress_share(ios, ios_end);
	progress_print(p, wall_ns, now_ps,
		       by_ios > percent ? by_ios : percent, ios);
}

void progress_fini(struct progress *p)
{
	if (!p->shown)
		return;
	fputs("\r\033[K", p->out);
	fflush(p->out);
	p->shown = false;
}
