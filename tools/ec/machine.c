// SPDX-License-Identifier: GPL-2.0-or-later
/* Which CPUs there are, and which events mean the same on all of them. */
#include "ec.h"

/* Without counters, the events of the command line are checked as an R10000's */
void ec_machine_look(struct ec_machine *machine)
{
	struct irixperf_cpu cpu;
	unsigned int chips, i;

	*machine = (struct ec_machine){ .chip = IRIXPERF_R10000_V3 };
	machine->error = irixperf_cpu_detect(&cpu);
	if (machine->error < 0) {
		machine->usable = UINT32_MAX;
		return;
	}

	machine->chip = cpu.chip;
	chips = irixperf_cpu_types();
	machine->mixed = chips & (chips - 1);
	for (i = 0; i < IRIXPERF_EVENTS; i++)
		if (irixperf_event_counterpart(cpu.chip, i) &&
		    tool_event_is_same(chips, cpu.chip, i))
			machine->usable |= EC_BIT(i);
}

/* If this machine cannot count at all, say why */
int ec_machine_check(const struct ec_machine *machine)
{
	char text[4096];

	if (machine->error == 0)
		return EC_OK;
	tool_error("%s", irixperf_set_explain(machine->error, NULL, text,
					      sizeof(text)));

	return EC_FAILED;
}
