/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * NetBSD's interface to the performance counters, pmc_control(2), for programs that are
 * linked with -lpmc. Names are NetBSD's, from its manual pages; the numbers of operations
 * are those of its header.
 */
#ifndef _SYS_PMC_H
#define _SYS_PMC_H

#include <stdint.h>
#include <machine/pmc.h>

/**
 * struct pmc_counter_cfg - what a counter counts
 * @event_id: the event
 * @reset_value: events from one overflow to the next; not used in a program
 * @flags: not used
 */
struct pmc_counter_cfg {
	pmc_evid_t event_id;
	pmc_ctr_t reset_value;
	uint32_t flags;
};

/* Operations of pmc_control() */
#define PMC_OP_START			1
#define PMC_OP_STOP			2
#define PMC_OP_CONFIGURE		3
#define PMC_OP_PROFSTART		4
#define PMC_OP_PROFSTOP			5

/* Operations of pmc_get_info() */
#define PMC_INFO_NCOUNTERS		1
#define PMC_INFO_CPUCTR_TYPE		2
#define PMC_INFO_COUNTER_VALUE		3
#define PMC_INFO_ACCUMULATED_COUNTER_VALUE	4

#ifdef __cplusplus
extern "C" {
#endif

int pmc_control(int ctr, int op, void *argp);
int pmc_get_info(int ctr, int op, void *argp);

#ifdef __cplusplus
}
#endif

#endif
