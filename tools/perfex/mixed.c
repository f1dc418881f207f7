// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Machines with processors of several kinds: an event may mean one thing on one
 * and something else on another. As on IRIX, they are refused without -T, and
 * with it only events that mean the same everywhere are counted.
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
 * @cpuinfo: /proc/cpuinfo. The inventory would do, but measures clocks
 *
 * Return: an or of all kinds.
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

static bool same_everywhere(unsigned int chips, enum irixperf_chip chip,
			    unsigned int num)
{
	static const enum irixperf_chip all[] = {
		IRIXPERF_R10000_V2, IRIXPERF_R10000_V3, IRIXPERF_R12000,
	};
	const char *name = irixperf_event_get(chip, num)->name;
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		const struct irixperf_event *event =
			irixperf_event_get(all[i], num);

		if ((chips & all[i]) &&
		    (!event || strcmp(event->name, name) != 0))
			return false;
	}

	return true;
}

/* -a leaves the others out; what was asked for by number is refused */
static int common_events(struct perfex_choice *choice, unsigned int chips)
{
	unsigned int i, nr = 0;

	for (i = 0; i < choice->nr; i++) {
		unsigned int num = choice->event[i];

		if (same_everywhere(chips, choice->chip, num)) {
			choice->event[nr++] = num;
			continue;
		}
		if (choice->project)
			continue;
		tool_error("event %u (%s) is something else on some of this machine's processors",
			   num, irixperf_event_get(choice->chip, num)->name);
		return TOOL_FAILED;
	}
	choice->nr = nr;

	return 0;
}

/* Leave what @chips have in common, or refuse */
int perfex_mixed_apply(struct perfex_choice *choice,
		       const struct perfex_options *opt, unsigned int chips)
{
	if ((chips & (chips - 1)) == 0)
		return 0;
	if (opt->mixed)
		return common_events(choice, chips);
	tool_error("processors of several kinds count different events\n"
		   "-T counts those that they have in common");

	return TOOL_FAILED;
}

int perfex_mixed_check(struct perfex_choice *choice,
		       const struct perfex_options *opt)
{
	if (choice->chip == IRIXPERF_MAPPED)
		return 0;

	return perfex_mixed_apply(choice, opt, chips_here());
}
