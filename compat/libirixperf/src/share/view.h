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
 * @holder: PID of the holder
 * @error: why there are no @counts, or 0
 * @ctrl: the events
 * @time: the times of all CPUs together
 * @found: the CPU exists
 * @counts: the counts of that CPU, or of all CPUs
 */
struct ixp_system_view {
	bool alive;
	int session;
	int generation;
	pid_t holder;
	int error;
	hwperf_eventctrl_t ctrl;
	struct ixp_system_time time;
	bool found;
	hwperf_cntr_t counts;
};

#define IXP_ALL_CPUS	(-1)

/* Which state ixp_system_look() reads */
enum ixp_look {
	IXP_LOOK,		/* the one that the holder has written last */
	IXP_LOOK_FRESH,		/* current counts */
};

int ixp_system_on(void);
int ixp_system_look(struct ixp_system_view *view, int cpu, enum ixp_look how);
int ixp_system_look_last(struct ixp_system_view *view, int session);

#endif
