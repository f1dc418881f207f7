// SPDX-License-Identifier: GPL-2.0-only
/*
 * Placement of events on the two counters of the R10000 family.
 */
#include <linux/errno.h>

#include "constraints.h"

/*
 * The event field of a control register:
 *
 *                31              10 9       5   4    3   2   1    0
 *   SPLIT4       |        0       | 0 | code  | IE | U | S | K | EXL |
 *   others       |        0       |   code    | IE | U | S | K | EXL |
 *
 * The code is the event number, of which SPLIT4 has the lower four bits.
 */
#define FIELD_SHIFT	5
#define CODE_SPLIT4	0xf

static u16 r10k_field(unsigned int num, enum r10k_layout layout)
{
	if (layout == R10K_SPLIT4)
		num &= CODE_SPLIT4;
	return num << FIELD_SHIFT;
}

/**
 * r10k_rule() - find out from the event table which counters can count an event
 * @chip: one of the R10K_CHIP_* bits
 * @num: the event's number
 * @layout: R10K_SPLIT4 for an R10000
 *
 * The home counter of an event is the same in each layout: that of its number on the
 * R10000, which IRIX also used on the R12000.
 *
 * Return: the rule, or zeros if this chip has no such event.
 */
struct r10k_rule r10k_rule(unsigned int chip, unsigned int num, enum r10k_layout layout)
{
	const struct r10k_event *event = r10k_event_find(chip, num);
	struct r10k_rule rule = { };
	unsigned int other, twin;

	if (!event)
		return rule;

	rule.home = num >> 4;
	twin = layout == R10K_FULL ? num : event->twin;
	other = layout == R10K_FULL ? !rule.home : twin >> 4;
	rule.counters = 1U << rule.home | 1U << other;
	rule.field[other] = r10k_field(twin, layout);
	rule.field[rule.home] = r10k_field(num, layout);
	return rule;
}

/**
 * r10k_place() - find a counter for one more event
 * @placement: the counters in use; changed only on success
 * @rule: the new event's rule
 *
 * If the only free counter cannot count the new event, but both counters can
 * count the event that is placed already, that one is placed on the free counter.
 * The returned counter is then still in use: the caller has to move its event.
 *
 * Return: the counter, or -EAGAIN if there is no room.
 */
int r10k_place(struct r10k_placement *placement, const struct r10k_rule *rule)
{
	unsigned int home = rule->home;
	unsigned int other = !home;
	u8 *held = placement->held;

	if (!held[home]) {
		held[home] = rule->counters;
		return home;
	}
	if (held[other])
		return -EAGAIN;

	if (rule->counters & 1U << other) {
		held[other] = rule->counters;
		return other;
	}
	if (!(held[home] & 1U << other))
		return -EAGAIN;

	held[other] = held[home];
	held[home] = rule->counters;
	return home;
}

/**
 * r10k_unplace() - free a counter, unless it is broken
 * @placement: the counters in use
 * @counter: the one to free
 */
void r10k_unplace(struct r10k_placement *placement, unsigned int counter)
{
	if (placement->held[counter] != R10K_BROKEN)
		placement->held[counter] = 0;
}

/**
 * r10k_break() - let no event have a counter from now on
 * @placement: the counters in use
 * @counter: the one that does not work
 */
void r10k_break(struct r10k_placement *placement, unsigned int counter)
{
	placement->held[counter] = R10K_BROKEN;
}
