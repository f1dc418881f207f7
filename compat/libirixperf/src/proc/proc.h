/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The interface between the files that carry out /proc requests. proc.c finds the
 * process that has the counters: this process (proc_counters.c), the system-mode
 * holder (proc_system.c), a process holder (proc_held.c), or the target itself
 * (proc_peer.c). proc_children.c adds the counts of children. Callers hold the lock
 * (enter.h).
 */
#ifndef IXP_PROC_H
#define IXP_PROC_H

#include <sys/hwperftypes.h>
#include "target.h"

struct irixperf_set;
struct ixp_profile;

/**
 * struct ixp_target_ops - requests on counters that have been acquired
 * @read: PIOCGETEVCTRS and PIOCGETPREVCTRS: fill in @counts
 * @control: PIOCGETEVCTRL: fill in @ctrl
 * @modify: @request is PIOCENEVCTRS or PIOCSETEVCTRL: count @arg from now on
 * @release: PIOCRELEVCTRS
 *
 * Each returns a generation number, 0 after a release, or a negative errno value;
 * -EPIPE if another process has the counters now.
 */
struct ixp_target_ops {
	int (*read)(struct ixp_target *t, hwperf_cntr_t *counts);
	int (*control)(struct ixp_target *t, hwperf_eventctrl_t *ctrl);
	int (*modify)(struct ixp_target *t, unsigned int request,
		      const hwperf_profevctrarg_t *arg);
	int (*release)(struct ixp_target *t);
};

extern const struct ixp_target_ops ixp_ops_counters, ixp_ops_system, ixp_ops_held,
				   ixp_ops_peer;

/* proc_children.c: in a child, the counters of its parent become its own */
int ixp_proc_inherit(struct ixp_target *target);

/* proc_children.c: add the counts of a child that has been waited for */
void ixp_proc_reaped(pid_t pid);

/* proc_counters.c: write what has changed to the page, for other processes */
void ixp_proc_show(void);

/* proc.c: in a forked child; it drops its counters if a holder has acquired them */
void ixp_proc_give_way(void);

/* proc_exec.c: in a holder, take over what the process has acquired for itself */
int ixp_proc_keep(int fd);

/* proc.c; the target is NULL if this process has not asked for its counters */
int ixp_proc_ioctl(int fd, unsigned int request, void *arg);
int ixp_proc_target(struct ixp_target **t, struct ixp_ident *id, int fd);

/* proc.c: let this process count other events, and keep its counts */
int ixp_proc_go_on(const hwperf_profevctrarg_t *arg);

/* proc.c: HWPERF_PROFENABLE, which owns @profile if it succeeds */
int ixp_proc_profile(const hwperf_profevctrarg_t *arg,
		     struct ixp_profile *profile);

/* proc_counters.c: open a set of events; replace the old set by it */
int ixp_proc_open(struct irixperf_set **set, const struct ixp_target *t,
		  const hwperf_profevctrarg_t *arg, unsigned int inherit,
		  unsigned int *epoch);
unsigned int ixp_proc_inherit_flag(const struct ixp_target *t);
int ixp_proc_replace(struct ixp_target *t, struct irixperf_set *set,
		     const hwperf_cntr_t *last);

/* proc_counters.c: acquire counters, reopen their events, stop them */
int ixp_proc_program(struct ixp_target *t, const hwperf_profevctrarg_t *arg);
int ixp_proc_count(struct ixp_target *t, const hwperf_profevctrarg_t *arg,
		   struct ixp_profile *profile);
int ixp_proc_renew(struct ixp_target *t, unsigned int inherit);
int ixp_proc_change(struct ixp_target *t, const hwperf_profevctrarg_t *arg);
void ixp_proc_user_end(const struct ixp_target *t);

/* proc_counters.c: the counts that are not in the open events */
void ixp_proc_zero(struct ixp_target *t);
void ixp_proc_commit(struct ixp_target *t);

/*
 * proc_counters.c: bring a target up to date with what other processes have done. The
 * result is -EPIPE, or NULL, if a holder has the counters
 */
int ixp_proc_check(struct ixp_target *t);
struct ixp_target *ixp_proc_self(void);
int ixp_proc_self_new(struct ixp_target **self);
void ixp_proc_drop(struct ixp_target *t);

/* proc_children.c */
void ixp_proc_children(struct ixp_target *t);
void ixp_proc_tidy(void);
int ixp_proc_self_get(struct ixp_target **self);
int ixp_proc_save(int fd, void *arg);
int ixp_proc_apart(struct ixp_target *t, hwperf_cntr_t *own, hwperf_cntr_t *children);

/* proc_system.c: start system mode */
int ixp_proc_system_acquire(struct ixp_target *t,
			    const hwperf_profevctrarg_t *arg);

/* proc_peer.c: the counters that another process has acquired for itself */
int ixp_proc_peer_find(struct ixp_target **t, const struct ixp_ident *id,
		       int fd);

#endif
