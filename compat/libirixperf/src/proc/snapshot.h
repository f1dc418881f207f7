/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Read the counts of a target without the lock */
#ifndef IXP_SNAPSHOT_H
#define IXP_SNAPSHOT_H

#include <sys/hwperftypes.h>

struct ixp_target;

void ixp_snapshots_drop(void);
void ixp_snapshots_forget(void);
void ixp_snapshot_publish(const struct ixp_target *t);
int ixp_snapshot_get(int fd, hwperf_cntr_t *to, bool forking);

#endif
