// SPDX-License-Identifier: LGPL-2.1-or-later
/* syssgi(SGI_EVENTCTR, ...): the counters of the whole system. */
#include <errno.h>
#include "info.h"

/* There is no system mode yet: nobody can use its counters */
int ixp_syssgi_eventctr(int cmd, uintptr_t arg1, uintptr_t arg2,
			uintptr_t arg3)
{
	(void)cmd;
	(void)arg1;
	(void)arg2;
	(void)arg3;

	return -ENOTSUP;
}
