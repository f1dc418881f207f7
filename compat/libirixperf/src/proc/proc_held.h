/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Requests on counters that a holder has */
#ifndef IXP_PROC_HELD_H
#define IXP_PROC_HELD_H

#include "target.h"

extern const struct ixp_target_ops ixp_ops_held;

#endif
