// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lists of events, "15,tlb_misses" or "*". The names are those of the event table, as
 * in sysfs: IRIX's own mnemonics are lost.
 */
#include <stdlib.h>
#include <string.h>
#include "ec.h"

#define NAME_WIDTH	34

/* At the end of a message about an event */
#define EVENTS_HINT	"ecadmin -e '?' lists all events"

static int unknown_event(const struct ec_machine *machine, const char *word)
{
	tool_event_unknown(machine->chip, word, EVENTS_HINT);

	return EC_USAGE;
}

static int unusable_event(const struct ec_machine *machine,
			  const struct irixperf_event *event)
{
	if (machine->mixed)
		tool_error("%u (%s) does not mean the same on all CPUs of this "
			   "machine\n" EVENTS_HINT, event->num, event->name);
	else
		tool_error("event %u (%s) cannot be counted on this machine with "
			   "the event map %s\n"
			   EVENTS_HINT, event->num, event->name,
			   irixperf_map_file());

	return EC_USAGE;
}

static int add_word(uint32_t *events, const struct ec_machine *machine,
		    const char *word)
{
	const struct irixperf_event *event;

	if (strcmp(word, "*") == 0) {
		*events |= machine->usable;
		return EC_OK;
	}
	event = irixperf_event_find(machine->chip, word);
	if (!event)
		return unknown_event(machine, word);
	if (!(machine->usable & EC_BIT(event->num)))
		return unusable_event(machine, event);
	*events |= EC_BIT(event->num);

	return EC_OK;
}

/* @events is changed only if the whole list is good */
int ec_events_parse(uint32_t *events, const struct ec_machine *machine,
		    const char *list)
{
	char *copy = strdup(list), *rest = copy, *word;
	uint32_t found = 0;
	int status = EC_OK;

	if (!copy) {
		tool_error("out of memory");
		return EC_FAILED;
	}
	while (status == EC_OK && (word = strsep(&rest, ",")))
		status = add_word(&found, machine, word);
	if (status == EC_OK)
		*events = found;
	free(copy);

	return status;
}

unsigned int ec_events_count(uint32_t events)
{
	unsigned int nr = 0;

	for (; events; events &= events - 1)
		nr++;

	return nr;
}

void ec_event_print(FILE *out, const struct irixperf_event *event,
		    const char *more)
{
	fprintf(out, "%2u %-*s %s%s\n", event->num, NAME_WIDTH, event->name,
		event->desc, more);
}

void ec_events_print_all(FILE *out, const struct ec_machine *machine)
{
	const char *not_usable = machine->mixed ? " [not on all CPUs]" :
						  " [cannot be counted here]";
	unsigned int i;

	for (i = 0; i < IRIXPERF_EVENTS; i++)
		ec_event_print(out, irixperf_event_get(machine->chip, i),
			       machine->usable & EC_BIT(i) ? "" : not_usable);
}
