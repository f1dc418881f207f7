// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Counts that are no base for other numbers. If an emulator does not model time,
 * cycles and seconds only show how fast it is.
 */
#include <string.h>
#include <irixperf.h>
#include "machine.h"
#include "mapuse.h"

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
