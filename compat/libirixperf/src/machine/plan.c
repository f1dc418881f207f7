// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Decide which two events have the counters at the same time. perf schedules groups in
 * order and stops at the first that does not fit. If each event were a group, in the
 * order of their numbers, counter 1 would be idle half of the time. Groups of two, one
 * event for each counter, keep both busy, and a full round takes half as many ticks.
 */
#include "plan.h"

/* Events of counter 0 on an R10000 */
#define FIRST_HALF	((UINT32_C(1) << IXP_HALF_EVENTS) - 1)

/**
 * struct half - the events that share a counter
 * @all: bit n for event n
 * @left: those that are not yet paired in this round
 */
struct half {
	uint32_t all;
	uint32_t left;
};

/*
 * A de Bruijn sequence: if it is multiplied by a word in which only bit n is set, the
 * highest five bits of the product differ for each n. MIPS IV has no instruction that
 * finds a set bit, and what compilers generate instead takes sixty instructions.
 */
#define ALL_WORDS	UINT32_C(0x077cb531)

static const unsigned char event_of[IRIXPERF_EVENTS] = {
	0, 1, 28, 2, 29, 14, 24, 3, 30, 22, 20, 15, 25, 17, 4, 8,
	31, 27, 13, 23, 21, 19, 16, 7, 26, 12, 18, 6, 11, 5, 10, 9,
};

/**
 * ixp_event_take() - take the lowest event out of a mask
 * @events: the mask, which is not 0
 *
 * Return: its number.
 */
unsigned int ixp_event_take(uint32_t *events)
{
	uint32_t lowest = *events & -*events;

	*events ^= lowest;

	return event_of[(uint32_t)(lowest * ALL_WORDS) >> 27];
}

/* The lower half of the events: if all fit either counter, equal halves are best */
static uint32_t lower_half(uint32_t events)
{
	unsigned int nr = ((unsigned int)__builtin_popcount(events) + 1) / 2;
	uint32_t upper = events;

	while (nr--)
		ixp_event_take(&upper);

	return events & ~upper;
}

/*
 * Take the next event of a half, and clear it in @unseen. The shorter half starts again
 * when it is empty: so its events are opened several times.
 */
static int half_pick(struct half *half, uint32_t *unseen)
{
	int event;

	if (!half->all)
		return -1;
	if (!half->left)
		half->left = half->all;
	event = (int)ixp_event_take(&half->left);
	*unseen &= ~(UINT32_C(1) << event);

	return event;
}

static void plan_add(struct ixp_plan *plan, int first, int second)
{
	plan->pair[plan->nr_pairs][0] = (signed char)first;
	plan->pair[plan->nr_pairs++][1] = (signed char)second;
}

/**
 * ixp_plan_make() - pair events so that both counters are always busy
 * @plan: the result
 * @events: the events, bit n for event n
 * @any_counter: each event fits either counter
 */
void ixp_plan_make(struct ixp_plan *plan, uint32_t events, bool any_counter)
{
	uint32_t lower = any_counter ? lower_half(events) : events & FIRST_HALF;
	struct half first = { lower, lower };
	struct half second = { events & ~lower, events & ~lower };

	plan->nr_pairs = 0;
	while (events) {
		int event = half_pick(&first, &events);

		plan_add(plan, event, half_pick(&second, &events));
	}
}

/**
 * ixp_plan_mapped() - pair events on a CPU with an event map
 * @plan: the result
 * @events: the events, bit n for event n
 * @software: those that the kernel counts without a counter
 *
 * The number of counters is unknown, so no event is opened twice. The two events of a
 * pair take their turn together. Software events need no counter and no turn, but in a
 * group with other events they would have to wait: so each gets a group of its own.
 */
void ixp_plan_mapped(struct ixp_plan *plan, uint32_t events, uint32_t software)
{
	uint32_t hardware = events & ~software;
	uint32_t first = lower_half(hardware), second = hardware & ~first;

	plan->nr_pairs = 0;
	while (first) {
		int event = (int)ixp_event_take(&first);

		plan_add(plan, event, second ? (int)ixp_event_take(&second) : -1);
	}
	events &= software;
	while (events)
		plan_add(plan, (int)ixp_event_take(&events), -1);
}

/* The events of the two counters alternate, so that both are busy */
void ixp_plan_apart(struct ixp_plan *plan)
{
	const struct ixp_plan pairs = *plan;
	uint32_t seen = 0;
	unsigned int i, half;

	plan->nr_pairs = 0;
	for (i = 0; i < pairs.nr_pairs; i++)
		for (half = 0; half < 2; half++) {
			int event = pairs.pair[i][half];

			if (event < 0 || seen >> event & 1)
				continue;
			seen |= UINT32_C(1) << event;
			plan_add(plan, event, -1);
		}
}

/**
 * ixp_plan_once() - remove all but the first copy of some events
 * @plan: a plan
 * @events: the events, bit n for event n
 *
 * This is for events with a threshold, which each copy would reach separately. The
 * place of a removed copy stays empty, so all other events keep their shares of time.
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
