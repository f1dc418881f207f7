/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Requests on counters that this process has in user mode, or had */
#ifndef IXP_PROC_USER_H
#define IXP_PROC_USER_H

#include "target.h"

extern const struct ixp_target_ops ixp_ops_user;

#endif
