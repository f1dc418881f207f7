// SPDX-License-Identifier: GPL-2.0-only
/* The counts of the code in rounds.S. */
#include <signal.h>

#include "pmu.h"
#include "rounds.h"
#include "tap.h"

uint64_t rounds_signals;

/* Counts of one event: in a run, in each round, turn and call of the signal handler */
struct rounds_cost {
	unsigned int event;
	unsigned int once;
	unsigned int round;
	unsigned int inner;
	unsigned int signal;
};

static const struct rounds_cost costs[] = {
	{ EV_INSNS,	 1 + 6 + 6 + 2, 1 + 5 + 5 + 2 + 6 + 3, 8, 11 },
	{ EV_INSNS_CTR1, 1 + 6 + 6 + 2, 1 + 5 + 5 + 2 + 6 + 3, 8, 11 },
	{ EV_LOADS,	 0, 1, 1, 1 },
	{ EV_STORES,	 0, 0, 1, 1 },
	{ EV_BRANCHES,	 0, 1, 1, 0 },
};

uint64_t rounds_expect(const struct rounds *r, unsigned int event,
		       uint64_t signals)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(costs); i++)
		if (costs[i].event == event)
			return costs[i].once + r->rounds *
			       (costs[i].round + r->inner * costs[i].inner) +
			       signals * costs[i].signal;
	tap_bail("nobody knows what a round counts of event %u\n", event);
}

/* A signal set as the kernel has it: signal 1 is bit 0 of the first word */
void rounds_allow(struct rounds *r, int signal)
{
	r->signals[(signal - 1) / 64] |= 1ull << ((signal - 1) % 64);
}
