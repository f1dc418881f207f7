/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The event counter requests of /proc. proc.c finds the process that has the counters:
 * this process (proc_user.c), the system-mode holder (proc_system.c), a process holder
 * (proc_held.c), or the target itself (proc_peer.c). Callers hold the lock (enter.h).
 */
#ifndef IXP_PROC_H
#define IXP_PROC_H

#include <sys/hwperftypes.h>

struct ixp_ident;
struct ixp_profile;
struct ixp_target;

int ixp_proc_ioctl(int fd, unsigned int request, void *arg);
int ixp_proc_target(struct ixp_target **t, struct ixp_ident *id, int fd);
int ixp_proc_go_on(const hwperf_profevctrarg_t *arg);
int ixp_proc_profile(const hwperf_profevctrarg_t *arg,
		     struct ixp_profile *profile);
void ixp_proc_give_way(void);

#endif
