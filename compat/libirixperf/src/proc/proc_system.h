/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Start system mode, and requests in it; callers hold the lock */
#ifndef IXP_PROC_SYSTEM_H
#define IXP_PROC_SYSTEM_H

#include <sys/hwperftypes.h>
#include "target.h"

extern const struct ixp_target_ops ixp_ops_system;

int ixp_proc_acquire(struct ixp_target *t, const hwperf_profevctrarg_t *arg);

#endif
