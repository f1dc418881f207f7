/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which counters can count an event, and which events can be counted together.
 *
 * The functions use plain integers, so that the same placement can run when an
 * event is scheduled and, on a scratch copy, when a group is checked.
 */
#ifndef _MIPS_R10K_CONSTRAINTS_H
#define _MIPS_R10K_CONSTRAINTS_H

#include <linux/types.h>

#include "events.h"

#define R10K_COUNTERS	2

/**
 * struct r10k_rule - the counters that can count one event
 * @counters: bit i is set if counter i can count it; 0 if there is no such event
 * @home: the preferred counter
 * @field: for each counter, the event field at its place in the control register
 */
struct r10k_rule {
	u8 counters;
	u8 home;
	u16 field[R10K_COUNTERS];
};

/**
 * struct r10k_placement - the counters in use
 * @held: for each counter, the rule's @counters of the event that holds it;
 *        0 where the counter is free
 */
struct r10k_placement {
	u8 held[R10K_COUNTERS];
};

struct r10k_rule r10k_rule(unsigned int chip, unsigned int num);
struct r10k_rule r10k_rule_split(unsigned int chip, unsigned int num);
int r10k_place(struct r10k_placement *placement, const struct r10k_rule *rule);
void r10k_unplace(struct r10k_placement *placement, unsigned int counter);

#endif /* _MIPS_R10K_CONSTRAINTS_H */
