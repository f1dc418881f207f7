/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which event can run on which of the two counters, and beside which other.
 *
 * Works on plain integers: the same placement runs when an event is scheduled
 * and, on a scratch copy, when a group is checked.
 */
#ifndef _MIPS_R10K_CONSTRAINTS_H
#define _MIPS_R10K_CONSTRAINTS_H

#include <linux/types.h>

#include "events.h"

#define R10K_COUNTERS	2

/**
 * struct r10k_rule - where one event can run
 * @counters: bit i is set if counter i can count it; 0 if there is no such event
 * @home: the counter to prefer
 * @field: the event field of each counter's control register, in place
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
int r10k_place(struct r10k_placement *placement, const struct r10k_rule *rule);
void r10k_unplace(struct r10k_placement *placement, unsigned int counter);

#endif /* _MIPS_R10K_CONSTRAINTS_H */
