// SPDX-License-Identifier: GPL-2.0-or-later
/* Which counters the probes of a D program have. */
#include <errno.h>
#include <string.h>
#include "cpctrace.h"

/* The number that stands for a probe's event in a claim, which has each number once */
static unsigned int claim_number(enum irixperf_chip chip, unsigned int num,
				 const unsigned char mode[IRIXPERF_EVENTS])
{
	/* An R12000's counters are all alike: any other event takes as much room */
	while (chip == IRIXPERF_R12000 && mode[num])
		num = (num + 1) % IRIXPERF_EVENTS;

	return num;
}

/*
 * Give the probes counters, the first one counter @first if that can count its event.
 * False: they do not fit, even if all counters are free.
 */
static bool choose_counters(struct program *program, unsigned char mode[IRIXPERF_EVENTS],
			    unsigned int first)
{
	bool used[CPC_PICS] = { false };
	const enum irixperf_chip chip = program->limits.chip;
	unsigned int i, at;

	memset(mode, 0, IRIXPERF_EVENTS);
	for (i = 0; i < program->nr_probes; i++) {
		struct probe *probe = &program->probe[i];
		const struct irixperf_event *event = NULL;
		unsigned int pic = 0, num;

		if (probe->kind != PROBE_CPC)
			continue;
		for (at = 0; at < CPC_PICS && !event; at++) {
			pic = (first + at) % CPC_PICS;
			if (!used[pic])
				event = cpc_event_on(chip, probe->event, pic);
		}
		num = event ? claim_number(chip, event->num, mode) : 0;
		if (!event || mode[num])
			return false;
		used[pic] = chip != IRIXPERF_MAPPED;
		mode[num] = probe->mode;
		probe->event = event;
	}

	return true;
}

static void say_no_room(const struct program *program, int err)
{
	if (err != -E2BIG)
		cpc_claim_error("enable the probes", err);
	else if (program->limits.chip == IRIXPERF_MAPPED)
		tool_error("cannot enable the probes: two have the same event");
	else
		tool_error("cannot enable the probes: no counter is left for one of them\n"
			   "cpustat -h lists the events of each counter");
}

/* Try each way to place the probes: others may have left either counter */
int room_claim(struct program *program)
{
	unsigned char mode[IRIXPERF_EVENTS];
	int claim = -E2BIG;
	unsigned int first;

	for (first = 0; first < CPC_PICS; first++) {
		if (!choose_counters(program, mode, first))
			continue;
		claim = irixperf_claim(mode, IRIXPERF_CLAIM_ROOM);
		if (claim != -ENOSPC)
			break;
	}
	if (claim < 0)
		say_no_room(program, claim);

	return claim;
}
