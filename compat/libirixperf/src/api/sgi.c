// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * syssgi(2): requests on event counters go to eventctr.c; this file answers those
 * on the cycle counter.
 */
#include <errno.h>
#include <stdint.h>
#include <sys/syssgi.h>
#include <irixperf.h>
#include "eventctr.h"

/* Bits of CLOCK_SGI_CYCLE, which replaces the cycle counter on Linux */
#define CYCLE_BITS	64

long irixperf_syssgi(int request, uintptr_t arg1, uintptr_t arg2,
		     uintptr_t arg3, uintptr_t arg4)
{
	switch (request) {
	case SGI_EVENTCTR:
		return ixp_syssgi_eventctr((int)arg1, arg2, arg3, arg4);
	case SGI_CYCLECNTR_SIZE:
		return CYCLE_BITS;
	case SGI_QUERY_CYCLECNTR:
		/* It is for mmap(2) of the counter; Linux has none to map */
		return -ENODEV;
	default:
		return -EINVAL;
	}
}
