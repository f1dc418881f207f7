/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copy descriptors of other processes into this one. */
#ifndef IXP_TAKE_H
#define IXP_TAKE_H

#include <stdint.h>
#include <sys/types.h>
#include "arbiter.h"

int ixp_take_page(int process, int folder, pid_t pid, uint64_t until);
int ixp_take_events(int process, int folder, struct ixp_own_event *event,
		    uint32_t nr, uint64_t until);

#endif
