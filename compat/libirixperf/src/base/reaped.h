/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Children that have been waited for, and whose counts have not yet been added */
#ifndef IXP_REAPED_H
#define IXP_REAPED_H

#include <stdbool.h>
#include <sys/types.h>

bool ixp_reaped_put(pid_t pid);
pid_t ixp_reaped_get(void);
bool ixp_reaped_any(void);
void ixp_reaped_fork_child(void);

#endif
