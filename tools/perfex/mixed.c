// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Machines with processors of several kinds: an event may mean one thing on one
 * and something else on another. As on IRIX, they are refused without -T, and
 * with it only events that mean the same everywhere are counted.
 */
#include <invent.h>
#include <string.h>
#include <sys/sbd.h>
#include "perfex.h"

#define V3_MAJOR	3

static enum irixperf_chip chip_of(const inventory_t *entry)
{
	unsigned int imp = (unsigned int)entry->inv_state >> C0_IMPSHIFT & 0xff;
	unsigned int major = ((unsigned int)entry->inv_state & C0_MAJREVMASK) >>
			     C0_MAJREVSHIFT;

	switch (imp) {
	case C0_IMP_R10000:
		return major < V3_MAJOR ? IRIXPERF_R10000_V2 :
					  IRIXPERF_R10000_V3;
	case C0_IMP_R12000:
	case C0_IMP_R14000:
		return IRIXPERF_R12000;
	default:
		return IRIXPERF_CHIP_NONE;
	}
}

/* An or of all kinds */
static unsigned int chips_here(void)
{
	struct irixperf_inventory *inv;
	const inventory_t *entry;
	unsigned int chips = 0;

	if (irixperf_inventory_open(&inv) < 0)
		return 0;
	while ((entry = irixperf_inventory_next(inv)))
		if (entry->inv_type == INV_CPUCHIP)
			chips |= chip_of(entry);
	irixperf_inventory_close(inv);

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

int perfex_mixed_check(struct perfex_choice *choice,
		       const struct perfex_options *opt)
{
	unsigned int chips;

	if (choice->chip == IRIXPERF_MAPPED)
		return 0;
	chips = chips_here();
	if ((chips & (chips - 1)) == 0)
		return 0;
	if (opt->mixed)
		return common_events(choice, chips);
	tool_error("processors of several kinds count different events\n"
		   "-T counts those that they have in common");

	return TOOL_FAILED;
}
