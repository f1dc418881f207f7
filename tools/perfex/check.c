// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * --check: do the events fit the counters? perfex counts them on itself for a
 * moment, so the answer takes other users of the counters into account.
 */
#include <time.h>
#include "perfex.h"

static void spin(void)
{
	clock_t end = clock() + (clock_t)(TOOL_TRIAL * CLOCKS_PER_SEC);

	while (clock() < end)
		;
}

static int try_out(const struct perfex_choice *choice,
		   struct irixperf_count *count)
{
	struct irixperf_set *set;
	int ret = perfex_choice_open(&set, choice, 0, 0);

	if (ret < 0)
		return ret;
	spin();
	ret = perfex_choice_read(set, choice, count);
	irixperf_set_close(set);

	return ret;
}

static void tell(const struct perfex_choice *choice,
		 const struct irixperf_count *count)
{
	unsigned int i;

	for (i = 0; i < choice->nr; i++)
		printf("%2u %-34s %5.1f %%\n", choice->event[i],
		       irixperf_event_get(choice->chip, choice->event[i])->name,
		       tool_percent(perfex_share(&count[i])));
}

int perfex_check(const struct perfex_choice *choice,
		 const struct perfex_options *opt)
{
	struct irixperf_count count[IRIXPERF_EVENTS] = { { 0 } };
	bool fits;
	int ret;

	(void)opt;
	ret = try_out(choice, count);
	if (ret < 0)
		return perfex_fail_to_count(ret, choice);
	fits = !perfex_choice_multiplexed(choice, count);
	if (fits) {
		printf("fits: each event is counted all the time\n");
	} else {
		printf("does not fit: %s\n   %-34s share of the time\n", choice->apart ?
		       "others have a counter; events that need it are not counted, others take turns" :
		       "events take turns, and totals are projected", "event");
		tell(choice, count);
	}
	if (tool_flush_stdout())
		return TOOL_FAILED;

	return fits ? TOOL_OK : PERFEX_NO_FIT;
}
