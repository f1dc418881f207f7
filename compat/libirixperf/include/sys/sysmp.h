/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * How many processors there are: the commands of sysmp(2) that programs use
 * around the event counters. The values are ours.
 */
#ifndef _SYS_SYSMP_H
#define _SYS_SYSMP_H

#include <stddef.h>

#define MP_NPROCS	1	/* processors in the machine */
#define MP_NAPROCS	2	/* processors that run anybody's programs */
#define MP_PGSIZE	3	/* size of a page in bytes */

#ifdef __cplusplus
extern "C" {
#endif

ptrdiff_t sysmp(int cmd, ...);

/* Number of the processor that the caller runs on */
int get_cpu(void);

/* For a program that gets them by LD_PRELOAD, and links without: irixperf-compat(7) */
#ifdef IRIXPERF_PRELOAD
#pragma weak sysmp
#pragma weak get_cpu
#endif

#ifdef __cplusplus
}
#endif

#endif
