/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * NetBSD's interface to the performance counters: pmc(9) for modules of the kernel, which
 * use pmc.ko, and pmc_control(2) for programs that are linked with -lpmc. Names are
 * NetBSD's, from its manual pages; the numbers of operations are those of its header.
 */
#ifndef _SYS_PMC_H
#define _SYS_PMC_H

#include <machine/pmc.h>

/**
 * struct pmc_counter_cfg - what a counter counts
 * @event_id: the event
 * @reset_value: events from one overflow to the next, 0 for none; not used in a program
 * @flags: not used
 */
struct pmc_counter_cfg {
	pmc_evid_t event_id;
	pmc_ctr_t reset_value;
	uint32_t flags;
};

/* A flag of pmc_get_counter_value(9): the sums of children that have exited */
#define PMC_VALUE_FLAGS_CHILDREN	0x00000001

#ifdef __KERNEL__

/* perf switches the counters of tasks by itself, and adds those of exiting tasks */
#define pmc_save_context(l)		((void)(l))
#define pmc_restore_context(l)		((void)(l))
#define pmc_accumulate(l_parent, l_exiting)	((void)(l_parent), (void)(l_exiting), 0)

#define PMC_ENABLED(l)			pmc_enabled(l)

#else

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

#endif /* __KERNEL__ */

#endif
