// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The lines of -p: for each event, the seconds since counting started and the count
 * of this period, with its share if that is not all of the time. With --csv, rows that
 * say the same.
 */
#include <inttypes.h>
#include "perfex.h"

static void text_line(FILE *out, const struct perfex_choice *choice,
		      const struct perfex_sample *from,
		      const struct perfex_sample *to)
{
	struct irixperf_count count[IRIXPERF_EVENTS];
	unsigned int i;

	perfex_sample_between(count, from, to, choice->nr);
	for (i = 0; i < choice->nr; i++) {
		char value[32] = "not counted";

		if (perfex_counted(&count[i]))
			snprintf(value, sizeof(value), "%" PRIu64,
				 irixperf_count_scale(&count[i]));
		fprintf(out, "%10.3f ", to->time);
		event_line(out, irixperf_event_get(choice->chip, choice->event[i]),
			   value);
		if (count[i].running > 0 && count[i].running < count[i].enabled)
			fprintf(out, "  %.1f %%", tool_percent(perfex_share(&count[i])));
		fputc('\n', out);
	}
}

void perfex_series_line(FILE *out, const struct perfex_report *report,
			const struct perfex_sample *from,
			const struct perfex_sample *to)
{
	if (report->opt->csv)
		perfex_csv_interval(out, report, from, to);
	else
		text_line(out, report->choice, from, to);
	fflush(out);
}
