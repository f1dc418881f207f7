// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Machines with processors of several kinds, on which the same number may stand for
 * different events. As on IRIX, perfex does not count on such a machine without -T;
 * with -T it counts only events that mean the same on all processors.
 */
#include "perfex.h"

/* -a leaves out the events that differ; an event that the user chose is refused */
static int common_events(struct perfex_choice *choice, unsigned int chips)
{
	unsigned int i, nr = 0;

	for (i = 0; i < choice->nr; i++) {
		unsigned int num = choice->event[i];

		if (tool_event_is_same(chips, choice->chip, num)) {
			choice->event[nr++] = num;
			continue;
		}
		if (choice->project)
			continue;
		tool_error("event %u (%s) does not mean the same on all processors of this machine",
			   num, irixperf_event_get(choice->chip, num)->name);
		return TOOL_FAILED;
	}
	choice->nr = nr;

	return 0;
}

/* With -T, keep only the events that all @chips have in common; else refuse */
int perfex_mixed_apply(struct perfex_choice *choice,
		       const struct perfex_options *opt, unsigned int chips)
{
	if ((chips & (chips - 1)) == 0)
		return 0;
	if (opt->mixed)
		return common_events(choice, chips);
	tool_error("this machine has processors of several kinds, whose events differ\n"
		   "use -T to count the events that they have in common");

	return TOOL_FAILED;
}
