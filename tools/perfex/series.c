// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The lines of -p: for each event the seconds since counting began, and what was
 * counted since the line before.
 */
#include <inttypes.h>
#include "perfex.h"

void perfex_series_line(FILE *out, const struct perfex_target *target,
			const struct perfex_sample *from,
			const struct perfex_sample *to)
{
	const struct perfex_choice *choice = target->choice;
	struct irixperf_count count[IRIXPERF_EVENTS];
	unsigned int i;

	perfex_sample_between(count, from, to, choice->nr);
	for (i = 0; i < choice->nr; i++) {
		char value[32] = "not counted";

		if (count[i].running > 0)
			snprintf(value, sizeof(value), "%" PRIu64,
				 irixperf_count_scale(&count[i]));
		fprintf(out, "%10.3f ", to->time);
		perfex_report_line(out, irixperf_event_get(choice->chip,
							   choice->event[i]),
				   value);
	}
	fflush(out);
}
