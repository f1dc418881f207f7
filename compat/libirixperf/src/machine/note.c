// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Counts that are no base for other numbers. The emulator tells by a word on the
 * kernel's command line whether it models how long instructions take: neither the CPU
 * nor the driver looks different without a model of time.
 */
#define _GNU_SOURCE
#include <string.h>
#include <irixperf.h>
#include "kernel.h"
#include "map.h"

#define WORD		"r10kperf.cycles="
#define UNMODELLED	"unmodelled"

/* As for the kernel's own parameters, the last of several words applies */
bool ixp_cycles_unmodelled(void)
{
	char text[4096], *rest = text, *word;	/* as long as the line can be on MIPS */
	bool unmodelled = false;

	if (ixp_file_read("/proc/cmdline", text, sizeof(text)) <= 0)
		return false;
	while ((word = strsep(&rest, "\n ")))
		if (strncmp(word, WORD, strlen(WORD)) == 0)
			unmodelled = strcmp(word + strlen(WORD), UNMODELLED) == 0;

	return unmodelled;
}

const char *irixperf_time_note(void)
{
	char why[IXP_WHY_SIZE];
	const struct ixp_machine *machine = ixp_machine(why, sizeof(why));

	return machine && machine->unmodelled ?
	       "cycles and seconds are the emulator's, not a CPU's: no times or rates" :
	       NULL;
}

const char *irixperf_event_note(enum irixperf_chip chip, unsigned int num)
{
	const struct irixperf_event *event = irixperf_event_get(chip, num);
	const struct ixp_machine *machine;
	char why[IXP_WHY_SIZE];

	if (!event)
		return NULL;
	/* Both counters of an R10000 count cycles: two events with one label */
	if (chip != IRIXPERF_MAPPED)
		return strcmp(event->label, "Cycles") == 0 ?
		       irixperf_time_note() : NULL;
	machine = ixp_machine(why, sizeof(why));

	return machine && ixp_map_software(machine) >> num & 1 ?
	       "software events stand in for the CPU's: no times or rates" : NULL;
}
