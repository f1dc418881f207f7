/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Add the counts of children; callers hold the lock */
#ifndef IXP_PROC_CHILDREN_H
#define IXP_PROC_CHILDREN_H

#include <sys/types.h>
#include <sys/hwperftypes.h>

struct ixp_target;

void ixp_proc_children(struct ixp_target *t);
int ixp_proc_inherit(struct ixp_target *t);
int ixp_proc_save(int fd, void *arg);
int ixp_proc_apart(struct ixp_target *t, hwperf_cntr_t *own, hwperf_cntr_t *children);
void ixp_proc_tidy(void);
int ixp_proc_self_get(struct ixp_target **self);
void ixp_proc_reaped(pid_t pid);

#endif
