// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Counters that go on when this process becomes another program: before execve(2)
 * here, and in the holder that keeps them from then on.
 */
#include <errno.h>
#include <string.h>
#include "arbiter.h"
#include "own.h"
#include "proc.h"
#include "remote.h"

/*
 * The next program may not have the library. What has been acquired by this one
 * a holder keeps for it; children go on with their parents' events, which those
 * have already.
 */
static void self_renew(unsigned int inherit)
{
	struct ixp_target *self;

	ixp_target_lock();
	self = ixp_proc_self();
	if (self && (self->own || ixp_child_has_parent())) {
		ixp_proc_children(self);
		if (self->set && ixp_proc_renew(self, inherit) < 0)
			self->generation++;
		ixp_own_show(self);
	}
	if (self && self->own && inherit == IRIXPERF_INHERIT)
		ixp_remote_keep(self->fd);
	ixp_target_unlock();
}

/* Some C libraries' execvp() is many execve(): of these the outer one counts */
static _Thread_local unsigned int exec_depth;

void irixperf_exec_begin(void)
{
	int saved = errno;

	if (ixp_spawn_inside())
		return;
	if (exec_depth++ == 0)
		self_renew(IRIXPERF_INHERIT);
	errno = saved;
}

void irixperf_exec_failed(void)
{
	int saved = errno;

	if (ixp_spawn_inside())
		return;
	if (--exec_depth == 0)
		self_renew(IRIXPERF_INHERIT_THREAD);
	errno = saved;
}

/* In a holder: what the process has counted itself goes on here */
static int target_take_over(struct ixp_target *t)
{
	hwperf_profevctrarg_t *next = ixp_proc_next(t);
	struct ixp_view *view = t->view;
	int ret = ixp_arbiter_user_begin(t->pid, &t->epoch);

	if (ret < 0)
		return ret;
	ret = ixp_view_take(view);
	if (ret < 0) {
		ixp_view_give_back(view);
		return ret;
	}
	t->set = view->set;
	t->generation = view->generation;
	t->released = view->own.state == IXP_OWN_RELEASED;
	memset(next, 0, sizeof(*next));
	next->hwp_evctrargs = view->own.ctrl;
	t->arg = next;
	ixp_proc_last(t, &view->own.base);
	view->set = NULL;
	t->view = NULL;
	ixp_view_close(view);
	ixp_arbiter_open(t->set);
	ixp_proc_user_end(t);
	ixp_proc_check(t);

	return 0;
}

static int proc_keep(int fd)
{
	struct ixp_target *t;
	struct ixp_ident id;
	int ret;

	ret = ixp_proc_target(&t, &id, fd);
	if (ret == 0 && !t)
		ret = ixp_proc_view_find(&t, &id, fd);
	if (ret < 0)
		return ret;
	ret = t->view ? target_take_over(t) : -EBUSY;
	if (t->view)
		ixp_target_drop(t);

	return ret;
}

int ixp_proc_keep(int fd)
{
	int ret;

	ixp_target_lock();
	ret = proc_keep(fd);
	ixp_target_unlock();

	return ret;
}
