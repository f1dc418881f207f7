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
 * enum r10k_layout - the events of each counter, and their codes
 * @R10K_FULL: either counter has all events, by codes of five bits: R12000 and later,
 *             as r10k_evcntrs(5) describes them
 * @R10K_SPLIT5: counter 0 has events 0 to 15, counter 1 has 16 to 31: assumed, because
 *               IRIX used no others there on the R12000
 * @R10K_SPLIT4: the same by codes of four bits: R10000
 */
enum r10k_layout {
	R10K_FULL,
	R10K_SPLIT5,
	R10K_SPLIT4,
};

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
 *        0 where the counter is free, R10K_BROKEN if no event may have it
 */
struct r10k_placement {
	u8 held[R10K_COUNTERS];
};

#define R10K_BROKEN	0x80

struct r10k_rule r10k_rule(unsigned int chip, unsigned int num, enum r10k_layout layout);
int r10k_place(struct r10k_placement *placement, const struct r10k_rule *rule);
void r10k_unplace(struct r10k_placement *placement, unsigned int counter);
void r10k_break(struct r10k_placement *placement, unsigned int counter);

#endif /* _MIPS_R10K_CONSTRAINTS_H */
