/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The commands of sysmp(2) that counter programs use, such as to ask for the
 * number of processors. The values are this library's own.
 */
#ifndef _SYS_SYSMP_H
#define _SYS_SYSMP_H

#include <stddef.h>

#define MP_NPROCS	1	/* processors in the machine */
#define MP_NAPROCS	2	/* processors that are online */
#define MP_PGSIZE	3	/* size of a page in bytes */

#ifdef __cplusplus
extern "C" {
#endif

ptrdiff_t sysmp(int cmd, ...);

/* Number of the processor that the caller runs on */
int get_cpu(void);

/* Programs that preload the library are not linked with it: irixperf-compat(7) */
#ifdef IRIXPERF_PRELOAD
#pragma weak sysmp
#pragma weak get_cpu
#endif

#ifdef __cplusplus
}
#endif

#endif
