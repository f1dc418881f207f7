/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Request numbers of syssgi(2) that the event counters use. The sub-commands
 * of SGI_EVENTCTR are in <sys/hwperfmacros.h>.
 */
#ifndef _SYS_SYSSGI_H
#define _SYS_SYSSGI_H

#include <sys/hwperfmacros.h>

#define SGI_INVENT		5
#define SGI_QUERY_CYCLECNTR	13
#define SGI_SPROFIL		55
#define SGI_RUSAGE		56
#define SGI_CYCLECNTR_SIZE	165
#define SGI_EVENTCTR		174
#define SGI_GETPRUSAGE		175

#endif
