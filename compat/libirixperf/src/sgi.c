// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * syssgi(2): who answers which request. The event counters have a file of their
 * own; what is answered here is whether there is a cycle counter to map.
 */
#include <errno.h>
#include <sys/syssgi.h>
#include "info.h"

/* Bits of CLOCK_SGI_CYCLE, which is what a program can read of it on Linux */
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
		/* No address that a program could map, so no machine has one */
		return -ENODEV;
	default:
		return -EINVAL;
	}
}
