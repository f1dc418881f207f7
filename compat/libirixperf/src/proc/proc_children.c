// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Children and the counters of this process: a child counts the same events as its
 * parent, and its counts are added when the parent has waited for it (child.c).
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#include <sys/hwperftypes.h>
#include <irixperf.h>
#include "proc_children.h"
#include "arbiter.h"
#include "ident.h"
#include "ixp_child.h"
#include "proc_counters.h"
#include "set.h"
#include "setlist.h"
#include "target.h"

/* If not @whole, counts are missing: the generation grows */
static void target_add(struct ixp_target *t, const hwperf_cntr_t *sum, bool whole)
{
	ixp_counts_add(&t->added, sum);
	if (!whole)
		ixp_proc_lose(t);
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
 * Called in a forked child: count the events of the parent, from zero. If system mode
 * has started since the fork, its holder has changed the parent's page, but may not
 * have found this process. So the parent's epoch is checked after this process has
 * made a page of its own.
 */
int ixp_proc_inherit(struct ixp_target *t)
{
	const unsigned int epoch = t->epoch;
	bool counts = t->set;
	struct irixperf_set *set;
	int ret;

	/* System mode belongs to the process that has started it */
	if (t->state == IXP_SYSTEM)
		return -ENOENT;

	ixp_arbiter_close(t->set);
	t->set = NULL;
	t->offer = 0;
	ixp_proc_zero(t);
	t->own = false;
	t->shown = false;
	ret = ixp_target_identify(t);
	if (ret < 0 || !counts)
		return ret;

	ret = ixp_proc_open(&set, t, &t->arg, ixp_proc_inherit_flag(t), &t->epoch);
	if (ret == 0)
		ret = epoch != ixp_arbiter_parent_epoch() ? -EBUSY :
		      ixp_proc_replace(t, set, NULL, false);
	if (ret < 0) {
		ixp_arbiter_close(set);
		t->state = IXP_RELEASED;
		/* If system mode has the counters, the parent knows it itself */
		if (ret == -EBUSY)
			t->generation++;
		else
			ixp_proc_lose(t);
	}
	ixp_proc_user_end(t);

	return 0;
}

/*
 * Before another child is made: a program that makes many, and reads no counts, would
 * have the links of all that have exited
 */
void ixp_proc_tidy(void)
{
	struct ixp_target *self = ixp_target_self();
	hwperf_cntr_t nobodys = { { 0 } };

	if (!ixp_child_crowd())
		return;
	if (self)
		ixp_proc_children(self);
	else
		ixp_child_sweep(&nobodys);
}

/* Find or make the target that is this process: PIOCSAVECCNTRS needs no counters */
int ixp_proc_self_get(struct ixp_target **self)
{
	int ret;

	*self = ixp_target_self();
	if (*self)
		return 0;
	ret = ixp_proc_self_new(self);
	if (ret < 0)
		return ret;

	(*self)->state = IXP_RELEASED;
	(*self)->generation = 1;
	/* Has another process taken the counters? ixp_proc_check() is to see it */
	(*self)->epoch = ixp_arbiter_epoch() & ~IXP_EPOCH_OWN;
	ixp_target_add(*self);

	return 0;
}

/* PIOCSAVECCNTRS: @fd means the child, or the caller; then @arg is the child's PID */
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

	ret = ixp_proc_self_get(&self);

	return ret < 0 ? ret : ixp_child_save(pid);
}

/**
 * ixp_proc_apart() - read this process' counts and its children's
 * @t: this process
 * @own: gets the counts of its threads; after system mode, which has replaced them, 0
 * @children: gets those of children
 *
 * Return: the generation number, or a negative errno value.
 */
int ixp_proc_apart(struct ixp_target *t, hwperf_cntr_t *own, hwperf_cntr_t *children)
{
	int ret;

	ixp_proc_children(t);
	*children = t->added;
	if (t->state == IXP_SYSTEM_RELEASED)
		memset(own, 0, sizeof(*own));
	else
		*own = t->last;
	ret = ixp_proc_add(t, own);

	return ret < 0 ? ret : t->generation;
}

/* Add the counts of a child that has been waited for */
void ixp_proc_reaped(pid_t pid)
{
	struct ixp_target *self = ixp_target_self();
	hwperf_cntr_t sum = { { 0 } };
	int ret = ixp_child_take(pid, &sum);

	if (self && ret != -ESRCH)
		target_add(self, &sum, ret == 0);
}
