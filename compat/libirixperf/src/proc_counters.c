// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The counters of a target: opened, put in the place of those of before, read,
 * stopped, and lost to system mode or to a holder.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include "arbiter.h"
#include "overflow.h"
#include "own.h"
#include "proc.h"

/* A block without events is legal: programs acquire first and choose later */
int ixp_proc_open(struct irixperf_set **set, const struct ixp_target *t,
		  const hwperf_profevctrarg_t *arg, unsigned int inherit,
		  unsigned int *epoch)
{
	struct irixperf_attr attr;
	struct irixperf_cpu cpu;
	int modes, ret;

	*set = NULL;
	attr.size = sizeof(attr);
	attr.flags = IRIXPERF_DISABLED | inherit;
	attr.pid = t->pid;
	modes = ixp_spec_decode(&attr, arg);
	ret = modes < 0 ? modes : ixp_arbiter_user_begin(t->pid, epoch);
	if (ret < 0)
		return ret;
	if (!modes)
		return irixperf_cpu_detect(&cpu);

	return ixp_threads_open(set, &attr, t, arg);
}

/* Who counts nothing is in nobody's way */
void ixp_proc_user_end(const struct ixp_target *t)
{
	if (!t->set)
		ixp_arbiter_user_end(t->pid);
}

/* Of this process' children the library takes care itself: see child.c */
unsigned int ixp_proc_inherit_flag(const struct ixp_target *t)
{
	return t->self ? IRIXPERF_INHERIT_THREAD : IRIXPERF_INHERIT;
}

/*
 * The old events must be off before the new ones are turned on: the kernel
 * looks for free counters when an event is enabled, not when one is closed.
 */
int ixp_proc_switch(const struct irixperf_set *old,
		    const struct irixperf_set *new)
{
	int ret;

	if (old)
		ixp_threads_disable(old);
	ret = new ? ixp_threads_enable(new) : 0;
	if (ret < 0 && old)
		ixp_threads_enable(old);

	return ret;
}

/* What this process' parent will add, beside what the open events have */
void ixp_proc_commit(struct ixp_target *t)
{
	hwperf_cntr_t kept;

	t->shown = false;
	if (!t->self || !ixp_child_has_parent())
		return;
	kept = t->added;
	if (!t->global)
		ixp_counts_add(&kept, &t->last);
	ixp_child_commit(t->offer, &kept);
}

void ixp_proc_last(struct ixp_target *t, const hwperf_cntr_t *counts)
{
	t->last = *counts;
	t->kept = true;
}

void ixp_proc_zero(struct ixp_target *t)
{
	if (!t->kept)
		return;
	memset(&t->last, 0, sizeof(t->last));
	memset(&t->added, 0, sizeof(t->added));
	t->kept = false;
}

/* Put @set in place of the events of before, and count on from @last, or from zero */
int ixp_proc_replace(struct ixp_target *t, struct irixperf_set *set,
		     const hwperf_cntr_t *last)
{
	unsigned int offer = t->self ? ixp_child_offer(set) : 0;
	int ret;

	ixp_arbiter_open(set);
	ret = ixp_proc_switch(t->set, set);
	if (ret < 0)
		return ret;

	ixp_arbiter_close(t->set);
	t->set = set;
	t->offer = offer;
	if (last)
		ixp_proc_last(t, last);
	else
		ixp_proc_zero(t);
	t->global = false;
	ixp_proc_commit(t);

	return 0;
}

void ixp_proc_stop(struct ixp_target *t, const hwperf_cntr_t *counts)
{
	ixp_arbiter_close(t->set);
	t->set = NULL;
	t->offer = 0;
	ixp_proc_last(t, counts);
	t->released = true;
	ixp_proc_user_end(t);
	ixp_proc_commit(t);
}

/* Others have stopped the counters: they are not started again by themselves */
static void target_lose(struct ixp_target *t)
{
	hwperf_cntr_t counts = t->last;

	ixp_proc_switch(t->set, NULL);
	if (t->set)
		ixp_threads_add(t->set, &counts);
	ixp_proc_stop(t, &counts);
}

/* -EPIPE: a holder has the counters now, and this target is to be dropped */
int ixp_proc_check(struct ixp_target *t)
{
	const unsigned int epoch = ixp_arbiter_epoch();
	const unsigned int other = t->epoch ^ epoch;
	const bool own = t->self && (other & IXP_EPOCH_OWN);

	if (!other)
		return 0;
	if (own && (epoch & IXP_EPOCH_WHAT) == IXP_EPOCH_TAKEN)
		return -EPIPE;
	t->epoch = epoch;
	t->shown = false;
	if (t->set && (other & ~IXP_EPOCH_OWN)) {
		target_lose(t);
		t->generation++;
	}
	if (own && !t->released && !t->system)
		target_lose(t);

	return 0;
}

/* The process' own counters are a holder's */
void ixp_proc_self_drop(struct ixp_target *self)
{
	ixp_own_hide(self->pid);
	ixp_target_drop(self);
}

struct ixp_target *ixp_proc_self(void)
{
	struct ixp_target *self = ixp_target_self();

	if (!self || ixp_proc_check(self) == 0)
		return self;
	ixp_proc_self_drop(self);

	return NULL;
}

/* Whoever does something after this has been written sees it, or is seen by us */
void ixp_proc_show(void)
{
	struct ixp_target *self = ixp_target_self();

	while (self && !self->shown) {
		ixp_own_show(self);
		self = ixp_proc_self();
	}
}

/* It holds from now on */
static void target_keep(struct ixp_target *t, const hwperf_profevctrarg_t *arg)
{
	hwperf_profevctrarg_t *next = ixp_proc_next(t);

	if (arg != next)
		*next = *arg;
	t->arg = next;
}

/* In user mode; with overflows for @profile, or for a signal if it is NULL */
int ixp_proc_count(struct ixp_target *t, const hwperf_profevctrarg_t *arg,
		   struct ixp_profile *profile)
{
	struct ixp_profile *before = t->profile;
	struct irixperf_set *set;
	unsigned int epoch;
	int ret;

	t->profile = profile;
	ret = ixp_proc_open(&set, t, arg, ixp_proc_inherit_flag(t), &epoch);
	if (ret == 0)
		ret = ixp_proc_view_supersede(t, set);
	if (ret < 0)
		ixp_arbiter_close(set);
	ixp_proc_user_end(t);
	if (ret < 0) {
		t->profile = before;
		return ret;
	}
	ixp_profile_free(before);
	target_keep(t, arg);
	t->epoch = epoch;
	t->system = 0;
	t->released = false;
	t->own = t->self;
	ret = ++t->generation;
	/* The holder may have looked for events before there were any */
	if (!t->self)
		ixp_proc_check(t);

	return ret;
}

int ixp_proc_read(const struct ixp_target *t, hwperf_cntr_t *counts)
{
	*counts = t->last;
	ixp_counts_add(counts, &t->added);

	return t->set ? ixp_threads_add(t->set, counts) : 0;
}

int ixp_proc_self_new(struct ixp_target **self)
{
	struct ixp_ident id;
	int fd, ret;

	fd = openat(AT_FDCWD, "/proc/self", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ret = ixp_ident_of_fd(&id, fd);
	if (ret == 0)
		ret = ixp_target_new(self, &id, fd);
	close(fd);

	return ret;
}

/* Go on counting the same with other events; what there is stays */
int ixp_proc_renew(struct ixp_target *t, unsigned int inherit)
{
	hwperf_cntr_t last = t->last;
	struct irixperf_set *set;
	unsigned int epoch;
	int ret;

	ret = ixp_proc_open(&set, t, t->arg, inherit, &epoch);
	if (ret == 0)
		ret = ixp_proc_switch(t->set, NULL);
	if (ret == 0)
		ret = ixp_threads_add(t->set, &last);
	if (ret == 0)
		ret = ixp_proc_replace(t, set, &last);
	if (ret < 0) {
		ixp_arbiter_close(set);
		ixp_proc_switch(NULL, t->set);
	}

	return ret;
}
