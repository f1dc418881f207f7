/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the parts of the /proc requests share: proc.c has the requests,
 * proc_counters.c what they do with the counters of a target, proc_children.c
 * adds those of children, proc_exec.c lets them go on in the next program,
 * proc_view.c and proc_system.c have what is not in this process' hands. Callers
 * hold the lock of target.c.
 */
#ifndef IXP_PROC_H
#define IXP_PROC_H

#include "internal.h"

struct ixp_profile;

/* proc.c: the process behind a descriptor; NULL if nobody has acquired its counters */
int ixp_proc_target(struct ixp_target **t, struct ixp_ident *id, int fd);

/* proc_counters.c: a set of events, and how it takes the place of another one */
int ixp_proc_open(struct irixperf_set **set, const struct ixp_target *t,
		  const hwperf_profevctrarg_t *arg, unsigned int inherit,
		  unsigned int *epoch);
unsigned int ixp_proc_inherit_flag(const struct ixp_target *t);
int ixp_proc_switch(const struct irixperf_set *old,
		    const struct irixperf_set *new);
int ixp_proc_replace(struct ixp_target *t, struct irixperf_set *set,
		     const hwperf_cntr_t *last);

/* proc_counters.c: acquire them, read them and end them */
int ixp_proc_count(struct ixp_target *t, const hwperf_profevctrarg_t *arg,
		   struct ixp_profile *profile);
int ixp_proc_read(const struct ixp_target *t, hwperf_cntr_t *counts);
int ixp_proc_renew(struct ixp_target *t, unsigned int inherit);
void ixp_proc_stop(struct ixp_target *t, const hwperf_cntr_t *counts);
void ixp_proc_user_end(const struct ixp_target *t);

/* proc_counters.c: what is counted beside the open events, and who is told of it */
void ixp_proc_last(struct ixp_target *t, const hwperf_cntr_t *counts);
void ixp_proc_zero(struct ixp_target *t);
void ixp_proc_commit(struct ixp_target *t);

/*
 * proc_counters.c: what others have done meanwhile. -EPIPE, and NULL: a holder has
 * the counters
 */
int ixp_proc_check(struct ixp_target *t);
struct ixp_target *ixp_proc_self(void);
int ixp_proc_self_new(struct ixp_target **self);
void ixp_proc_self_drop(struct ixp_target *self);

/* Where to put what is asked for now; what holds stays as it is */
static inline hwperf_profevctrarg_t *ixp_proc_next(struct ixp_target *t)
{
	return &t->args[t->arg == t->args];
}

/* proc_children.c */
void ixp_proc_children(struct ixp_target *t);
int ixp_proc_save(int fd, void *arg);

/* proc_system.c: requests that begin or concern system mode */
int ixp_proc_system_acquire(struct ixp_target *t,
			    const hwperf_profevctrarg_t *arg);
int ixp_proc_system_run(struct ixp_target *t, unsigned int request, void *arg);

/* proc_view.c: the same on what another process has acquired itself */
int ixp_proc_view_find(struct ixp_target **t, const struct ixp_ident *id,
		       int fd);
int ixp_proc_view_supersede(struct ixp_target *t, struct irixperf_set *set);
int ixp_proc_view_run(struct ixp_target *t, unsigned int request, void *arg);

#endif
