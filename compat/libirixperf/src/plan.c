// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Which events go together. perf tries groups in order and stops at the first
 * that does not fit, so single events in the order of their numbers leave
 * counter 1 idle half of the time. Groups of two, one event for each counter,
 * keep both busy and take half as many ticks for a full turn.
 */
#include "overflow.h"

struct half {
	unsigned int nr;
	signed char event[IRIXPERF_EVENTS];
};

static void half_add(struct half *half, unsigned int event)
{
	half->event[half->nr++] = (signed char)event;
}

static void split_by_number(struct half half[2], uint32_t events)
{
	unsigned int i;

	for (i = 0; i < IRIXPERF_EVENTS; i++)
		if (events & (UINT32_C(1) << i))
			half_add(&half[i / IXP_HALF_EVENTS], i);
}

/* Where every event fits either counter, equal halves make the fewest pairs */
static void split_evenly(struct half half[2], uint32_t events)
{
	unsigned int i, nr = 0, done = 0;

	for (i = 0; i < IRIXPERF_EVENTS; i++)
		nr += events >> i & 1;

	for (i = 0; i < IRIXPERF_EVENTS; i++)
		if (events & (UINT32_C(1) << i))
			half_add(&half[done++ >= (nr + 1) / 2], i);
}

/* The shorter half goes round again: its events are opened several times */
static signed char half_pick(const struct half *half, unsigned int turn)
{
	return half->nr ? half->event[turn % half->nr] : -1;
}

/**
 * ixp_plan_make() - pair events so that both counters are always busy
 * @plan: the result
 * @events: the events, bit n for event n
 * @any_counter: each event fits either counter
 */
void ixp_plan_make(struct ixp_plan *plan, uint32_t events, bool any_counter)
{
	struct half half[2] = { { .nr = 0 }, { .nr = 0 } };
	unsigned int i;

	if (any_counter)
		split_evenly(half, events);
	else
		split_by_number(half, events);

	plan->nr_pairs = half[0].nr > half[1].nr ? half[0].nr : half[1].nr;
	for (i = 0; i < plan->nr_pairs; i++) {
		plan->pair[i][0] = half_pick(&half[0], i);
		plan->pair[i][1] = half_pick(&half[1], i);
	}
}

/**
 * ixp_plan_mapped() - pair events on a CPU that is no R10000
 * @plan: the result
 * @events: the events, bit n for event n
 * @software: those that the kernel counts without a counter
 *
 * How many counters there are is not known, so no event is opened twice. Pairs
 * keep two events together when counters are short. Software events need no
 * turn, and in a group with others they would have to wait for one.
 */
void ixp_plan_mapped(struct ixp_plan *plan, uint32_t events, uint32_t software)
{
	struct half half[2] = { { .nr = 0 }, { .nr = 0 } };
	unsigned int i;

	split_evenly(half, events & ~software);
	plan->nr_pairs = half[0].nr;
	for (i = 0; i < half[0].nr; i++) {
		plan->pair[i][0] = half[0].event[i];
		plan->pair[i][1] = i < half[1].nr ? half[1].event[i] : -1;
	}
	for (i = 0; i < IRIXPERF_EVENTS; i++) {
		if (!(events & software & (UINT32_C(1) << i)))
			continue;
		plan->pair[plan->nr_pairs][0] = (signed char)i;
		plan->pair[plan->nr_pairs++][1] = -1;
	}
}

/**
 * ixp_plan_once() - leave out all copies of an event but the first
 * @plan: a plan
 * @events: the events, bit n for event n
 *
 * Each copy would count by itself towards the event's threshold. The place of
 * the others stays free, so that all other events keep their shares of time.
 */
void ixp_plan_once(struct ixp_plan *plan, uint32_t events)
{
	uint32_t seen = 0;
	unsigned int i, half;

	for (i = 0; i < plan->nr_pairs; i++)
		for (half = 0; half < 2; half++) {
			uint32_t bit;

			if (plan->pair[i][half] < 0)
				continue;
			bit = UINT32_C(1) << plan->pair[i][half] & events;
			if (seen & bit)
				plan->pair[i][half] = -1;
			seen |= bit;
		}
}
