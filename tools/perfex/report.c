// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The report: one line an event, "%2d label....  count", counts in a column
 * that ends at LINE_WIDTH. Two labels are so long that their dots give way, and
 * their counts as far as they must.
 */
#include <inttypes.h>
#include "perfex.h"

#define DOTS_END	62
#define DOTS_MIN	2
#define LINE_WIDTH	79

static void report_line(FILE *out, const struct irixperf_event *event,
			const char *value)
{
	int at = fprintf(out, "%2u %s", event->num, event->label);
	int dots = at + DOTS_MIN > DOTS_END ? DOTS_MIN : DOTS_END - at;

	for (at += dots; dots > 0; dots--)
		fputc('.', out);
	fprintf(out, " %*s\n", LINE_WIDTH - at - 1, value);
}

static void report_event(FILE *out, const struct irixperf_event *event,
			 const struct irixperf_count *count)
{
	char value[32] = "not counted";

	if (count->running > 0)
		snprintf(value, sizeof(value), "%" PRIu64,
			 irixperf_count_scale(count));
	report_line(out, event, value);
}

static bool any_projected(const struct perfex_choice *choice,
			  const struct irixperf_count *count)
{
	unsigned int i;

	for (i = 0; i < choice->nr; i++)
		if (count[i].running < count[i].enabled)
			return true;

	return choice->project;
}

static unsigned int nr_not_counted(const struct perfex_choice *choice,
				   const struct irixperf_count *count)
{
	unsigned int i, nr = 0;

	for (i = 0; i < choice->nr; i++)
		nr += count[i].running == 0;

	return nr;
}

void perfex_report(FILE *out, const struct perfex_choice *choice,
		   const struct irixperf_count *count)
{
	unsigned int missing = nr_not_counted(choice, count);
	unsigned int i;

	if (choice->chip == IRIXPERF_MAPPED)
		fprintf(out, "NOTE: no R10000: another CPU's events, by %s\n",
			irixperf_map_file());
	if (any_projected(choice, count))
		fprintf(out, "WARNING: Multiplexing events to project totals"
			     "--inaccuracy possible.\n");

	for (i = 0; i < choice->nr; i++)
		report_event(out, irixperf_event_get(choice->chip,
						     choice->event[i]),
			     &count[i]);

	if (missing > 0)
		fprintf(out, "WARNING: the command ended before %u of %u events "
			     "had their turn.\n", missing, choice->nr);
}
