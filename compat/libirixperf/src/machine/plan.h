/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which events have the counters at the same time; masks have bit n for event n */
#ifndef IXP_PLAN_H
#define IXP_PLAN_H

#include <stdbool.h>
#include <stdint.h>
#include <irixperf.h>
#include <sys/hwperftypes.h>

#define IXP_HALF_EVENTS		HWPERF_CNTEVENTMAX
#define IXP_MAX_PAIRS		IRIXPERF_EVENTS

/**
 * struct ixp_plan - which events have the counters at the same time
 * @nr_pairs: how many pairs take turns
 * @pair: event numbers; -1 if the pair has only one event
 */
struct ixp_plan {
	unsigned int nr_pairs;
	signed char pair[IXP_MAX_PAIRS][2];
};

unsigned int ixp_event_take(uint32_t *events);
void ixp_plan_make(struct ixp_plan *plan, uint32_t events, bool any_counter);
void ixp_plan_mapped(struct ixp_plan *plan, uint32_t events, uint32_t software);

/* Give each event a turn of its own, once */
void ixp_plan_apart(struct ixp_plan *plan);

/* Remove all but the first copy of each of these events */
void ixp_plan_once(struct ixp_plan *plan, uint32_t events);

#endif
