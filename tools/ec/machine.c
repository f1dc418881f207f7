// SPDX-License-Identifier: GPL-2.0-or-later
/* Which CPUs there are, and which events mean the same on all of them. */
#include <sys/invent.h>
#include <sys/sbd.h>
#include "ec.h"

static enum irixperf_chip chip_of(int state)
{
	unsigned int imp = (state & C0_IMPMASK) >> C0_IMPSHIFT;
	unsigned int major = (state & C0_MAJREVMASK) >> C0_MAJREVSHIFT;

	switch (imp) {
	case C0_IMP_R10000:
		return major < 3 ? IRIXPERF_R10000_V2 : IRIXPERF_R10000_V3;
	case C0_IMP_R12000:
	case C0_IMP_R14000:
		return IRIXPERF_R12000;
	default:
		return IRIXPERF_CHIP_NONE;
	}
}

/* A CPU that the inventory does not know is taken for one of the detected type */
static unsigned int chips_of_all(enum irixperf_chip detected)
{
	struct irixperf_inventory *inv;
	const struct inventory_s *entry;
	unsigned int chips = detected;

	if (irixperf_inventory_open(&inv) < 0)
		return chips;
	while ((entry = irixperf_inventory_next(inv)))
		if (entry->inv_class == INV_PROCESSOR &&
		    entry->inv_type == INV_CPUCHIP)
			chips |= chip_of(entry->inv_state);
	irixperf_inventory_close(inv);

	return chips;
}

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
	chips = cpu.chip == IRIXPERF_MAPPED ? cpu.chip : chips_of_all(cpu.chip);
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
