// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Children and the counters of this process: a child begins with what its parent
 * counts, and is added to it when that has waited for it (child.c).
 */
#include <errno.h>
#include <stdint.h>
#include <unistd.h>
#include "arbiter.h"
#include "proc.h"

/* Counts that lack something are not to be trusted: another generation says so */
static void target_add(struct ixp_target *t, const hwperf_cntr_t *sum, bool whole)
{
	ixp_counts_add(&t->added, sum);
	t->kept = true;
	t->generation += !whole;
	ixp_proc_commit(t);
}

void ixp_proc_children(struct ixp_target *t)
{
	hwperf_cntr_t sum = { { 0 } };
	int ret = t->self ? ixp_child_sweep(&sum) : 0;

	if (ret != 0)
		target_add(t, &sum, ret > 0);
}

/*
 * In the child of a fork: it counts what its parent counts, from zero. What
 * system mode takes meanwhile it takes from either, so the parent's loss shows
 * only when this process can be seen, too.
 */
int ixp_proc_inherit(struct ixp_target *t)
{
	const unsigned int epoch = t->epoch;
	bool counts = t->set;
	struct irixperf_set *set;
	int ret;

	/* Who has not begun system mode cannot go on with it */
	if (t->system)
		return -ENOENT;

	ixp_arbiter_close(t->set);
	t->set = NULL;
	t->offer = 0;
	ixp_proc_zero(t);
	t->global = false;
	t->own = false;
	t->shown = false;
	ret = ixp_target_identify(t);
	if (ret < 0 || !counts)
		return ret;

	ret = ixp_proc_open(&set, t, t->arg, ixp_proc_inherit_flag(t), &t->epoch);
	if (ret == 0)
		ret = epoch != ixp_arbiter_parent_epoch() ? -EBUSY :
		      ixp_proc_replace(t, set, NULL);
	if (ret < 0) {
		ixp_arbiter_close(set);
		t->released = true;
		t->generation++;
	}
	ixp_proc_user_end(t);

	return 0;
}

/* A process can be given the counts of children without having counters */
static int self_target(struct ixp_target **self)
{
	int ret;

	*self = ixp_target_self();
	if (*self)
		return 0;
	ret = ixp_proc_self_new(self);
	if (ret < 0)
		return ret;

	(*self)->released = true;
	(*self)->generation = 1;
	(*self)->epoch = ixp_arbiter_epoch();
	ixp_target_add(*self);

	return 0;
}

/* The child is the process of @fd, or, if that is the caller itself, @arg */
int ixp_proc_save(int fd, void *arg)
{
	pid_t pid = ixp_ident_pid(fd);
	struct ixp_target *self;
	int ret;

	if (pid < 0)
		return pid;
	if (pid == getpid())
		pid = (pid_t)(intptr_t)arg;
	if (pid <= 0 || !ixp_child_exists(pid))
		return -ESRCH;

	ret = self_target(&self);

	return ret < 0 ? ret : ixp_child_save(pid);
}

static void add_reaped(pid_t pid)
{
	struct ixp_target *self = ixp_target_self();
	hwperf_cntr_t sum = { { 0 } };
	int ret = ixp_child_take(pid, &sum);

	if (self && ret != -ESRCH)
		target_add(self, &sum, ret == 0);
}

void ixp_proc_reaped(void)
{
	pid_t pid;

	while ((pid = ixp_reaped_get()))
		add_reaped(pid);
}

/* Whoever has the lock now, or takes it next, adds what is noted */
void irixperf_child_reaped(pid_t pid)
{
	if (pid <= 0 || ixp_spawn_inside())
		return;
	if (!ixp_reaped_put(pid)) {
		ixp_target_lock();
		add_reaped(pid);
		ixp_target_unlock();
	} else if (ixp_target_lock_soon(NULL)) {
		ixp_target_unlock();
	}
}

void irixperf_children_sync(void)
{
	struct ixp_target *self;

	if (ixp_spawn_inside())
		return;
	ixp_target_lock();
	self = ixp_target_self();
	if (self)
		ixp_proc_children(self);
	ixp_target_unlock();
}
