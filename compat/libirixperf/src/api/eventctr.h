/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* syssgi(SGI_EVENTCTR, command, ...) */
#ifndef IXP_EVENTCTR_H
#define IXP_EVENTCTR_H

#include <stdint.h>

int ixp_syssgi_eventctr(int cmd, uintptr_t arg1, uintptr_t arg2,
			uintptr_t arg3);

#endif
