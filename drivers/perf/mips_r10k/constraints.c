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
 *   R10000      |        0       | 0 | code  | IE | U | S | K | EXL |
 *   R12000 on   |        0       |   code    | IE | U | S | K | EXL |
 *
 * R10000: code is the event number modulo 16; counter 0 counts events 0 to 15,
 * counter 1 events 16 to 31. R12000 and later: code is the event number.
 */
#define FIELD_SHIFT	5
#define CODE_R10000	0xf

static struct r10k_rule r10k_rule_r10000(const struct r10k_event *event)
{
	unsigned int home = event->num >> 4;
	unsigned int other = event->twin >> 4;
	struct r10k_rule rule = {
		.counters = 1U << home | 1U << other,
		.home = home,
	};

	rule.field[home] = (event->num & CODE_R10000) << FIELD_SHIFT;
	if (other != home)
		rule.field[other] = (event->twin & CODE_R10000) << FIELD_SHIFT;
	return rule;
}

/*
 * Either counter of the R12000 counts all events. The home counter is that of
 * the same number on the R10000, because IRIX also used that on the R12000.
 */
static struct r10k_rule r10k_rule_r12000(const struct r10k_event *event)
{
	u16 field = event->num << FIELD_SHIFT;

	return (struct r10k_rule) {
		.counters = 0x3,
		.home = event->num >> 4,
		.field = { field, field },
	};
}

/**
 * r10k_rule() - find out from the event table which counters can count an event
 * @chip: one of the R10K_CHIP_* bits
 * @num: the event's number
 *
 * Return: the rule, or zeros if this chip has no such event.
 */
struct r10k_rule r10k_rule(unsigned int chip, unsigned int num)
{
	const struct r10k_event *event = r10k_event_find(chip, num);

	if (!event)
		return (struct r10k_rule) { };
	if (chip & R10K_CHIP_R10K)
		return r10k_rule_r10000(event);
	return r10k_rule_r12000(event);
}

/**
 * r10k_rule_split() - the rule of an R12000 whose counters are as an R10000's
 * @chip: one of the R10K_CHIP_* bits
 * @num: the event's number
 *
 * The manual that describes the R12000's control registers could not be had. If
 * the event field turns out to have four bits, each counter counts half of the events.
 *
 * Return: the rule, or zeros if this chip has no such event.
 */
struct r10k_rule r10k_rule_split(unsigned int chip, unsigned int num)
{
	const struct r10k_event *event = r10k_event_find(chip, num);

	return event ? r10k_rule_r10000(event) : (struct r10k_rule) { };
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
 * r10k_unplace() - free a counter
 * @placement: the counters in use
 * @counter: the one to free
 */
void r10k_unplace(struct r10k_placement *placement, unsigned int counter)
{
	placement->held[counter] = 0;
}
