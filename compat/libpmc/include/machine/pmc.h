/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The part of <sys/pmc.h> that belongs to the machine: types, and what kinds of CPUs and
 * counters there are.
 */
#ifndef _MACHINE_PMC_H
#define _MACHINE_PMC_H

#include <stdint.h>

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

#endif
