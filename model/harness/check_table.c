// SPDX-License-Identifier: GPL-2.0-only
#include "model/harness/check_table.h"

#include <math.h>
#include <string.h>

#include "model/harness/quantity.h"
#include "model/harness/report_format.h"

static void check_figure_name(const struct check_scenario *s,
			      const struct expect_figure *f, char *buf)
{
	static const char *const name[EXPECT_KINDS_NR] = {
		[EXPECT_IOPS] = "iops",
		[EXPECT_LAT] = "lat",
		[EXPECT_IRQ_PER_IO] = "interrupts per I/O",
	};

	if (f->kind == EXPECT_CHANGE)
		snprintf(buf, CHECK_TEXT_BYTES, "iops against %s",
			 check_variant(s, f->against));
	else
		snprintf(buf, CHECK_TEXT_BYTES, "%s", name[f->kind]);
}

static void check_value(const struct expect_figure *f, double value, char *buf)
{
	if (isnan(value))
		snprintf(buf, CHECK_TEXT_BYTES, "-");
	else if (f->kind == EXPECT_LAT)
		snprintf(buf, CHECK_TEXT_BYTES, "%.2f us", value);
	else if (f->kind == EXPECT_IOPS)
		snprintf(buf, CHECK_TEXT_BYTES, "%.0f", value);
	else if (f->kind == EXPECT_IRQ_PER_IO)
		snprintf(buf, CHECK_TEXT_BYTES, "%.4f", value);
	else if (f->points)
		snprintf(buf, CHECK_TEXT_BYTES, "%+.1f %%", (value - 1) * 100);
	else
		snprintf(buf, CHECK_TEXT_BYTES, "x%.3f", value);
}

static void check_deviation(const struct expect_figure *f, double got,
			    char *buf)
{
	if (isnan(got))
		snprintf(buf, CHECK_TEXT_BYTES, "-");
	else
		snprintf(buf, CHECK_TEXT_BYTES, "%+.2f %s",
			 expect_deviation(f, got), f->points ? "points" : "%");
}

static void check_tolerance(const struct expect_figure *f, char *buf)
{
	char number[32];

	quantity_print_decimal(number, sizeof(number), 3, f->tolerance);
	snprintf(buf, CHECK_TEXT_BYTES, "%s %s", number, f->points ? "points" : "%");
}

static enum check_outcome check_outcome(const struct expect_figure *f,
					double got)
{
	if (expect_holds(f, got))
		return f->xfail ? CHECK_XPASS : CHECK_OK;
	/* without a number nobody knows by how much */
	return f->xfail && !isnan(got) ? CHECK_XFAIL : CHECK_MISSED;
}

void check_table_fill(const struct check_scenario *s,
		      const struct expect_figure *f, struct check_line *line)
{
	double got = expect_got(f, s->run->runs, s->run->nr);

	check_figure_name(s, f, line->figure);
	check_value(f, f->recorded, line->expected);
	check_value(f, got, line->got);
	check_deviation(f, got, line->deviation);
	check_tolerance(f, line->tolerance);
	line->outcome = check_outcome(f, got);
}

struct check_widths {
	int variant;
	int figure;
};

static int check_wider(int width, const char *text)
{
	int length = (int)strlen(text);

	return length > width ? length : width;
}

static struct check_widths check_widths_of(const struct check_scenario *s)
{
	struct check_widths w = {
		.variant = (int)strlen("variant"),
		.figure = (int)strlen("figure"),
	};
	char figure[CHECK_TEXT_BYTES];
	uint32_t i;

	for (i = 0; i < s->figures_nr; i++) {
		const struct expect_figure *f = &s->figures[i];

		check_figure_name(s, f, figure);
		w.variant = check_wider(w.variant, check_variant(s, f->variant));
		w.figure = check_wider(w.figure, figure);
	}
	return w;
}

static void check_print_line(FILE *out, struct check_widths w,
			     const char *variant,
			     const struct check_line *line,
			     const char *outcome)
{
	fprintf(out, "  %-*s  %-*s  %10s  %10s  %13s  %11s  %s\n", w.variant,
		variant, w.figure, line->figure, line->expected, line->got,
		line->deviation, line->tolerance, outcome);
}

/* Figure @i has a reason, and it is the first with this one. */
static bool check_reason_is_new(const struct check_scenario *s, uint32_t i)
{
	uint32_t k;

	if (!s->figures[i].xfail)
		return false;
	for (k = 0; k < i; k++)
		if (s->figures[k].xfail &&
		    !strcmp(s->figures[k].xfail, s->figures[i].xfail))
			return false;
	return true;
}

/* A paragraph for each reason, with all the figures that have it. */
static void check_print_reason(const struct check_scenario *s, uint32_t first,
			       FILE *out)
{
	const char *why = s->figures[first].xfail;
	char figure[CHECK_TEXT_BYTES];
	struct arena a;
	const char *text = "xfail";
	uint32_t i;

	arena_init(&a);
	for (i = first; i < s->figures_nr; i++) {
		const struct expect_figure *f = &s->figures[i];

		if (!f->xfail || strcmp(f->xfail, why))
			continue;
		check_figure_name(s, f, figure);
		text = arena_format(&a, "%s%s %s %s", text,
				    i == first ? "" : ",",
				    check_variant(s, f->variant), figure);
	}
	report_wrap(out, arena_format(&a, "%s: %s", text, why), 2, 90);
	arena_fini(&a);
}

void check_table_print(const struct check_scenario *s, FILE *out)
{
	static const struct check_line head = {
		"figure", "expected", "got", "deviation", "tolerance", CHECK_OK
	};
	static const char *const outcome[] = {
		[CHECK_OK] = "ok",
		[CHECK_MISSED] = "MISSED",
		[CHECK_XFAIL] = "xfail",
		[CHECK_XPASS] = "ok, not xfail",
	};
	struct check_widths w = check_widths_of(s);
	struct check_line line;
	uint32_t i;

	check_print_line(out, w, "variant", &head, "outcome");
	for (i = 0; i < s->figures_nr; i++) {
		check_table_fill(s, &s->figures[i], &line);
		check_print_line(out, w,
				 check_variant(s, s->figures[i].variant),
				 &line, outcome[line.outcome]);
	}
	for (i = 0; i < s->figures_nr; i++)
		if (check_reason_is_new(s, i))
			check_print_reason(s, i, out);
}
