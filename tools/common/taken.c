// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Do others hold the counters: system mode, which ecadmin(1) and pctr(1)
 * start, a program with a claim, or another user of perf?
 */
#include <time.h>
#include "tool.h"

static int has_run(const struct irixperf_set *set,
		   const struct irixperf_attr *attr)
{
	struct irixperf_count count;
	unsigned int i;

	for (i = 0; i < IRIXPERF_EVENTS; i++)
		if (attr->mode[i] &&
		    irixperf_set_read(set, i, &count) == 0 && count.running)
			return 1;

	return 0;
}

/* False if the set cannot be opened: the caller will open it, and report why not */
static int is_starved(const struct irixperf_attr *attr)
{
	clock_t end = clock() + (clock_t)(TOOL_TRIAL * CLOCKS_PER_SEC);
	struct irixperf_set *set;
	int ran;

	if (irixperf_set_open(&set, attr) < 0)
		return 0;
	do
		ran = has_run(set, attr);
	while (!ran && clock() < end);
	irixperf_set_close(set);

	return !ran;
}

int tool_counters_taken(const struct irixperf_attr *attr)
{
	return is_starved(attr);
}

int tool_taken_error(void)
{
	char text[1024];

	tool_error("cannot count: %s", tool_system_is_on() ?
		   tool_system_explain(-EBUSY, text, sizeof(text)) :
		   tool_neighbours_explain(text, sizeof(text)));

	return TOOL_FAILED;
}
