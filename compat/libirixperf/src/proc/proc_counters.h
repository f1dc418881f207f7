/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The counters of a target that this process itself has; callers hold the lock */
#ifndef IXP_PROC_COUNTERS_H
#define IXP_PROC_COUNTERS_H

#include <stdbool.h>
#include <sys/hwperftypes.h>

struct irixperf_set;
struct ixp_profile;
struct ixp_target;

/* Open events; count them; stop them */
int ixp_proc_open(struct irixperf_set **set, const struct ixp_target *t,
		  const hwperf_profevctrarg_t *arg, unsigned int inherit,
		  unsigned int *epoch);
unsigned int ixp_proc_inherit_flag(const struct ixp_target *t);
int ixp_proc_replace(struct ixp_target *t, struct irixperf_set *set,
		     const hwperf_cntr_t *last, bool acquire);
int ixp_proc_count(struct ixp_target *t, const hwperf_profevctrarg_t *arg,
		   struct ixp_profile *profile);
int ixp_proc_renew(struct ixp_target *t, unsigned int inherit);
int ixp_proc_change(struct ixp_target *t, const hwperf_profevctrarg_t *arg);
int ixp_proc_stop(struct ixp_target *t);
int ixp_proc_add(struct ixp_target *t, hwperf_cntr_t *counts);
void ixp_proc_lose(struct ixp_target *t);
void ixp_proc_user_end(const struct ixp_target *t);

/* The counts that are not in the open events */
void ixp_proc_zero(struct ixp_target *t);
void ixp_proc_commit(struct ixp_target *t);

/* What other processes have done to the counters, and what they see of them */
int ixp_proc_check(struct ixp_target *t);
void ixp_proc_drop(struct ixp_target *t);
void ixp_proc_show(void);

/* The target that is this process */
struct ixp_target *ixp_proc_self(void);
int ixp_proc_self_new(struct ixp_target **self);

#endif
