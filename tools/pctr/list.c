// SPDX-License-Identifier: GPL-2.0-or-later
/* pctr -l: the events, and which counters can count them. */
#include "command.h"

/* Which counters can count an event; NULL: none. Only an R10000 has it in one alone */
static const char *counters_of(const struct pctr_cpu *cpu, unsigned int event)
{
	bool first = pctr_function_check(cpu, 0, PCTR_U | event) == 0;
	bool second = pctr_function_check(cpu, 1, PCTR_U | event) == 0;

	if (first && second)
		return "any";

	return first ? "0" : second ? "1" : NULL;
}

static void list_numbers(const struct pctr_cpu *cpu)
{
	unsigned int i;

	printf("event counter name                               what it counts\n");
	for (i = 0; i < IRIXPERF_EVENTS; i++) {
		const struct irixperf_event *event = irixperf_event_get(cpu->chip, i);
		const char *counters = counters_of(cpu, i);

		if (event && counters)
			printf("%02x    %-7s %-34s %s\n", i, counters, event->name,
			       event->desc);
	}
}

int list_events(const struct pctr_cpu *cpu)
{
	if (cpu->raw)
		return list_libpfm4();
	list_numbers(cpu);

	return PCTR_OK;
}
