/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * The part of <sys/pmc.h> that belongs to the machine: types, what kinds of CPUs and
 * counters there are, and the prototypes of what is no macro in pmc(9).
 */
#ifndef _MACHINE_PMC_H
#define _MACHINE_PMC_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdint.h>
#endif

typedef uint32_t pmc_evid_t;	/* R10000: 0 to 31 */
typedef uint64_t pmc_ctr_t;	/* perf extends the registers to 64 bits */

/* Kinds of CPUs: the type of "counter -1" */
#define PMC_CLASS_R10000_V2	1	/* R10000 revision 2.x */
#define PMC_CLASS_R10000	2	/* R10000 revision 3.x */
#define PMC_CLASS_R12000	3	/* R12000, R14000 and R16000 */
#define PMC_CLASS_GENERIC	4	/* any other CPU: perf's events, or an event map's */

/* Kinds of counters */
#define PMC_TYPE_R10000_0	1	/* events 0 to 15 */
#define PMC_TYPE_R10000_1	2	/* events 16 to 31 */
#define PMC_TYPE_R12000		3	/* any event */
#define PMC_TYPE_GENERIC	4	/* any event */

#ifdef __KERNEL__

/* Class GENERIC: an event_id has a type of perf and its configuration */
#define PMC_EVENT_TYPE_SHIFT	24
#define PMC_EVENT_CONFIG	0xffffff
#define PMC_EVENT(type, config)	((pmc_evid_t)(type) << PMC_EVENT_TYPE_SHIFT | (config))

#define lwp task_struct
struct task_struct;
struct pmc_counter_cfg;

int pmc_get_num_counters(void);
int pmc_get_counter_type(int ctr);
int pmc_enable_counter(struct lwp *l, int ctr);
int pmc_disable_counter(struct lwp *l, int ctr);
int pmc_counter_isrunning(struct lwp *l, int ctr);
int pmc_counter_isconfigured(struct lwp *l, int ctr);
int pmc_configure_counter(struct lwp *l, int ctr, struct pmc_counter_cfg *cfg);
int pmc_get_counter_value(struct lwp *l, int ctr, int flags, uint64_t *pval);
int pmc_alloc_kernel_counter(int ctr, struct pmc_counter_cfg *cfg);
int pmc_free_kernel_counter(int ctr);
int pmc_start_profiling(int ctr, struct pmc_counter_cfg *cfg);
int pmc_stop_profiling(int ctr);
int pmc_enabled(struct lwp *l);

#endif

#endif
