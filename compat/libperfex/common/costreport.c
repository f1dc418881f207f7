// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The report of counts and the times that they cost. The event that costs most comes
 * first. If the costs of an event are not known, its time is "-", and it comes last. The
 * same holds for costs in clock cycles if the clock rate is not known, and for events
 * from whose counts nothing is computed.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "costs.h"

#define DOTS_MIN	2
#define TIME_WIDTH	13
#define LINE_WIDTH	(EVENT_LINE_WIDTH + COST_KINDS * TIME_WIDTH)

int event_line_label(FILE *out, const struct irixperf_event *event)
{
	int at = fprintf(out, "%2u %s", event->num, event->label);
	int end = at + DOTS_MIN > EVENT_LINE_LABEL ? at + DOTS_MIN :
						     EVENT_LINE_LABEL;

	for (; at < end; at++)
		fputc('.', out);

	return end;
}

void event_line(FILE *out, const struct irixperf_event *event, const char *value)
{
	int at = event_line_label(out, event);

	fprintf(out, " %*s", EVENT_LINE_WIDTH - at - 1, value);
}

static void centred(FILE *out, const char *text)
{
	fprintf(out, "%*s%s\n", (LINE_WIDTH - (int)strlen(text)) / 2, "", text);
}

/* Say on which clock rate and which costs the times are based */
static void print_base(FILE *out, const struct cost_table *table)
{
	const struct cost_machine *machine = &table->machine;
	bool own = strcmp(machine->board, table->board) == 0;
	char clock[16] = "unknown", text[80];

	if (machine->mhz > 0)
		snprintf(clock, sizeof(clock), "%.0f", machine->mhz);
	snprintf(text, sizeof(text), "Based on %s MHz%s%s%s%s", clock,
		 machine->board[0] ? " " : "", machine->board,
		 own ? "" : ", costs of ", own ? "" : table->board);
	centred(out, text);
	if (machine->model[0]) {
		snprintf(text, sizeof(text), "MIPS %s CPU", machine->model);
		centred(out, text);
	}
	if (machine->major) {
		snprintf(text, sizeof(text), "CPU revision %u.%u",
			 machine->major, machine->minor);
		centred(out, text);
	}
}

static void print_heads(FILE *out)
{
	const char *unit = irixperf_time_note() ? "Clocks" : "Time (sec)";
	int i;

	fprintf(out, "%*s%*s%*s%*s\n", EVENT_LINE_WIDTH, "", TIME_WIDTH, "Typical",
		TIME_WIDTH, "Minimum", TIME_WIDTH, "Maximum");
	fprintf(out, "   %-*s%*s%*s%*s%*s\n", EVENT_LINE_LABEL - 3,
		"Event Counter Name", EVENT_LINE_WIDTH - EVENT_LINE_LABEL, "Counter Value",
		TIME_WIDTH, unit, TIME_WIDTH, unit, TIME_WIDTH, unit);
	for (i = 0; i < LINE_WIDTH; i++)
		fputc('=', out);
	fputc('\n', out);
}

/* The time that the occurrences cost; negative if it is not known */
static double weight(const struct cost_table *table,
		     const struct cost_count *row, enum cost_kind kind)
{
	return row->counted ? costs_shown(table, row->event, kind,
					  (double)row->count) : -1;
}

static void print_times(FILE *out, const struct cost_table *table,
			const struct cost_count *row)
{
	int i;

	for (i = 0; i < COST_KINDS; i++) {
		double time = weight(table, row, i);

		if (time < 0)
			fprintf(out, "%*s", TIME_WIDTH, "-");
		else
			fprintf(out, "%*.*f", TIME_WIDTH,
				irixperf_time_note() ? 0 : 6, time);
	}
}

static void print_row(FILE *out, const struct cost_table *table,
		      const struct cost_count *row)
{
	const struct irixperf_event *event =
		irixperf_event_get(table->machine.chip, row->event);
	char value[32] = "not counted";

	if (row->counted)
		snprintf(value, sizeof(value), "%" PRIu64, row->count);
	event_line(out, event, value);
	print_times(out, table, row);
	fputc('\n', out);
}

/* Sort by typical time, then by maximum time, then by number */
static bool before(const struct cost_table *table, const struct cost_count *a,
		   const struct cost_count *b)
{
	static const enum cost_kind kinds[] = { COST_TYPICAL, COST_MAXIMUM };
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		double x = weight(table, a, kinds[i]);
		double y = weight(table, b, kinds[i]);

		if (x > y || x < y)
			return x > y;
	}

	return a->event < b->event;
}

void costs_sort(const struct cost_table *table, struct cost_count *row,
		unsigned int nr)
{
	unsigned int i, j;

	for (i = 1; i < nr; i++) {
		struct cost_count one = row[i];

		for (j = i; j > 0 && before(table, &one, &row[j - 1]); j--)
			row[j] = row[j - 1];
		row[j] = one;
	}
}

void costs_report(FILE *out, const struct cost_table *table,
		  struct cost_count *row, unsigned int nr)
{
	unsigned int i;

	costs_sort(table, row, nr);
	print_base(out, table);
	print_heads(out);
	for (i = 0; i < nr; i++)
		print_row(out, table, &row[i]);
}
