// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Machines with processors of several kinds, on which the same number may stand for
 * different events. As on IRIX, perfex does not count on such a machine without -T;
 * with -T it counts only events that mean the same on all processors.
 */
#include <string.h>
#include "perfex.h"

#define V3_MAJOR	3

static enum irixperf_chip chip_of(const char *model, unsigned int major)
{
	if (strncmp(model, "R10", 3) == 0)
		return major < V3_MAJOR ? IRIXPERF_R10000_V2 :
					  IRIXPERF_R10000_V3;
	if (strncmp(model, "R12", 3) == 0 || strncmp(model, "R14", 3) == 0 ||
	    strncmp(model, "R16", 3) == 0)
		return IRIXPERF_R12000;

	return IRIXPERF_CHIP_NONE;
}

/**
 * perfex_mixed_chips() - tell which kinds of processors there are
 * @cpuinfo: /proc/cpuinfo. The library's inventory also has this, but takes time to
 *	measure clock rates
 *
 * Return: the IRIXPERF_* bits of all kinds.
 */
unsigned int perfex_mixed_chips(FILE *cpuinfo)
{
	unsigned int chips = 0, major;
	char line[256], model[16];

	while (fgets(line, sizeof(line), cpuinfo))
		if (sscanf(line, "cpu model : %15s V%u", model, &major) == 2)
			chips |= chip_of(model, major);

	return chips;
}

static unsigned int chips_here(void)
{
	FILE *cpuinfo = fopen("/proc/cpuinfo", "re");
	unsigned int chips = 0;

	if (cpuinfo) {
		chips = perfex_mixed_chips(cpuinfo);
		fclose(cpuinfo);
	}

	return chips;
}

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

int perfex_mixed_check(struct perfex_choice *choice,
		       const struct perfex_options *opt)
{
	if (choice->chip == IRIXPERF_MAPPED)
		return 0;

	return perfex_mixed_apply(choice, opt, chips_here());
}
