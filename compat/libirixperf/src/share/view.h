/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Read the state of system mode, which every user may do. */
#ifndef IXP_VIEW_H
#define IXP_VIEW_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/hwperftypes.h>
#include "sysfile.h"

/**
 * struct ixp_system_view - one look at system mode
 * @alive: it is on
 * @session: generation number with which it started
 * @generation: generation number
 * @losses: how often others have had the counters since then
 * @holder: PID of the holder
 * @error: why there are no @counts, or 0
 * @ctrl: the events
 * @coded: which events stand for a code, bit n for event n; @ctrl is without them
 * @label: the labels of the events
 * @found: the CPU exists
 * @counts: the counts of that CPU, or of all CPUs
 * @time: the times, likewise
 */
struct ixp_system_view {
	bool alive;
	int session;
	int generation;
	int losses;
	pid_t holder;
	int error;
	hwperf_eventctrl_t ctrl;
	uint32_t coded;
	uint32_t label[IRIXPERF_LABELS];
	bool found;
	hwperf_cntr_t counts;
	struct ixp_system_time time;
};

#define IXP_ALL_CPUS	(-1)

/* Which state ixp_system_look() reads */
enum ixp_look {
	IXP_LOOK,		/* the one that the holder has written last */
	IXP_LOOK_FRESH,		/* current counts */
};

/*
 * Clear the counts of codes, for IRIX's requests: they cannot tell what an event stands
 * for, so its number would be a wrong name.
 */
static inline void ixp_view_numbers(struct ixp_system_view *view)
{
	unsigned int i;

	for (i = 0; i < IRIXPERF_CODES; i++)
		if (view->coded >> i & 1)
			view->counts.hwp_evctr[i] = 0;
}

/* The generation number of IRIX's requests, which tells of losses, too */
static inline int ixp_view_generation(const struct ixp_system_view *view)
{
	return view->generation + view->losses;
}

int ixp_system_alive(void);
int ixp_claim_alive(unsigned int number);
int ixp_claims_alive(void);
int ixp_system_on(void);
int ixp_system_look(struct ixp_system_view *view, int cpu, enum ixp_look how);
int ixp_system_look_last(struct ixp_system_view *view, int session, int generation);

#endif
