/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The part of syssgi(2) that counter programs use. A request that has a name
 * here but is not implemented fails with EINVAL: see irixperf-syssgi(3). The
 * sub-commands of SGI_EVENTCTR are in <sys/hwperfmacros.h>.
 */
#ifndef _SYS_SYSSGI_H
#define _SYS_SYSSGI_H

#include <stddef.h>
#include <sys/hwperfmacros.h>

#define SGI_INVENT		5
#define SGI_QUERY_CYCLECNTR	13
#define SGI_SPROFIL		55
#define SGI_RUSAGE		56
#define SGI_CYCLECNTR_SIZE	165
#define SGI_EVENTCTR		174
#define SGI_GETPRUSAGE		175

#ifdef __cplusplus
extern "C" {
#endif

ptrdiff_t syssgi(int request, ...);

/* Programs that preload the library are not linked with it: irixperf-compat(7) */
#ifdef IRIXPERF_PRELOAD
#pragma weak syssgi
#endif

#ifdef __cplusplus
}
#endif

#endif
