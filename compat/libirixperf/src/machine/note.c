// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Counts that are no base for other numbers. If an emulator does not model time,
 * cycles and seconds only show how fast it is.
 */
#include <irixperf.h>
#include "machine.h"
#include "mapuse.h"
#include "plan.h"

const char *irixperf_event_note(enum irixperf_chip chip, unsigned int num)
{
	const struct ixp_machine *machine;
	char why[IXP_WHY_SIZE];

	if (!irixperf_event_get(chip, num))
		return NULL;
	machine = ixp_machine(why, sizeof(why));
	if (!machine)
		return NULL;
	if (chip == IRIXPERF_MAPPED)
		return ixp_map_software(machine) >> num & 1 ?
		       "software events stand for hardware events" : NULL;

	return machine->unmodelled && ixp_event_is_cycles(chip, num) ?
	       "cycles and seconds are the emulator's" : NULL;
}
