// SPDX-License-Identifier: GPL-2.0-or-later
/* pctr -l: the events, and which counters can count them. */
#include "command.h"

/* Which counters can count an event: "0", "1" or "any"; NULL: none */
static const char *counters_of(const struct pctr_cpu *cpu, unsigned int event)
{
	static const char *const one[PCTR_NUM] = { "0", "1", "2", "3" };
	const char *found = NULL;
	unsigned int ctr, nr = 0;

	for (ctr = 0; ctr < cpu->counters; ctr++) {
		if (pctr_function_check(cpu, ctr, PCTR_U | event) < 0)
			continue;
		found = one[ctr];
		nr++;
	}

	return nr > 1 ? "any" : found;
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
