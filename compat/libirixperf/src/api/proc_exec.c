// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Counters that survive execve(2): what this process does before it, and how a holder
 * takes over the counters.
 */
#include <errno.h>
#include <sys/hwperftypes.h>
#include <irixperf.h>
#include "proc_exec.h"
#include "arbiter.h"
#include "enter.h"
#include "ident.h"
#include "ixp_child.h"
#include "own.h"
#include "peer.h"
#include "proc.h"
#include "proc_children.h"
#include "proc_counters.h"
#include "proc_peer.h"
#include "remote.h"
#include "target.h"

/*
 * Called before execve(2) with IRIXPERF_INHERIT, and after it has failed with
 * IRIXPERF_INHERIT_THREAD. The next program may not have this library, so the kernel
 * has to count its children. If this process has acquired the counters itself, a
 * holder takes them over. If it has inherited them, its parent already has descriptors
 * of the events.
 */
static void self_renew(unsigned int inherit)
{
	struct ixp_target *self;

	ixp_enter();
	self = ixp_proc_self();
	if (self && (self->own || ixp_child_has_parent())) {
		ixp_proc_children(self);
		if (self->set && ixp_proc_renew(self, inherit) < 0)
			ixp_proc_lose(self);
		ixp_own_show(self);
	}
	if (self && self->own && inherit == IRIXPERF_INHERIT)
		ixp_remote_keep(self->fd);
	ixp_leave();
}

/*
 * How many exec functions this thread is in. In some C libraries execvp() calls
 * execve() several times: only the outermost function acts.
 */
static _Thread_local unsigned int exec_depth;

void irixperf_exec_begin(void)
{
	int saved = errno;

	if (ixp_inside())
		return;
	if (exec_depth++ == 0)
		self_renew(IRIXPERF_INHERIT);
	errno = saved;
}

void irixperf_exec_failed(void)
{
	int saved = errno;

	if (ixp_inside())
		return;
	if (--exec_depth == 0)
		self_renew(IRIXPERF_INHERIT_THREAD);
	errno = saved;
}

/* In a holder: take over the counters that the process has acquired for itself */
static int target_take_over(struct ixp_target *t)
{
	struct ixp_peer *peer = t->peer;
	int ret = ixp_arbiter_user_begin(t->pid, &t->epoch);

	if (ret < 0)
		return ret;
	ret = ixp_peer_take(peer);
	if (ret < 0) {
		ixp_peer_give_back(peer);
		return ret;
	}
	t->set = peer->set;
	t->generation = ixp_peer_number(peer);
	t->starved = peer->measured == peer->own.list ? peer->starved : 0;
	t->state = peer->own.state == IXP_OWN_RELEASED ? IXP_RELEASED : IXP_COUNTS;
	t->arg.hwp_evctrargs = peer->own.ctrl;
	t->last = peer->own.base;
	peer->set = NULL;
	t->peer = NULL;
	ixp_peer_close(peer);
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
		ret = ixp_proc_peer_find(&t, &id, fd);
	if (ret < 0)
		return ret;
	if (t->state != IXP_PEER)
		return -EBUSY;
	ret = target_take_over(t);
	if (ret < 0)
		ixp_target_drop(t);

	return ret;
}

/* In a holder: take over what the process has acquired for itself */
int ixp_proc_keep(int fd)
{
	int ret;

	ixp_enter();
	ret = proc_keep(fd);
	ixp_leave();

	return ret;
}
