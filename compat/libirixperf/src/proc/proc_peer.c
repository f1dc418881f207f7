// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * /proc requests on counters that another process has acquired for itself. This
 * process reads and releases them directly (own.h); to change them, it starts a
 * holder.
 */
#include <errno.h>
#include <unistd.h>
#include <sys/procfs.h>
#include "proc_peer.h"
#include "arbiter.h"
#include "ident.h"
#include "kernel.h"
#include "peer.h"
#include "proc_held.h"
#include "proc_system.h"
#include "remote.h"

/* Find the counters that a process has acquired for itself */
int ixp_proc_peer_find(struct ixp_target **t, const struct ixp_ident *id,
		       int fd)
{
	struct ixp_target *new;
	int ret = ixp_target_new(&new, id, fd);

	if (ret < 0)
		return ret;
	ret = new->self ? -EPIPE : ixp_peer_open(&new->peer, new->fd, new->pid);
	if (ret == 0)
		ret = ixp_peer_look(new->peer);
	if (ret < 0) {
		ixp_target_free(new);
		return ret == -EPIPE ? -EINVAL : ret;
	}
	ixp_peer_go_on(new->peer);
	new->state = IXP_PEER;
	ixp_target_add(new);
	*t = new;

	return 0;
}

static int peer_read(struct ixp_target *t, hwperf_cntr_t *counts)
{
	return ixp_peer_read(t->peer, counts);
}

static int peer_control(struct ixp_target *t, hwperf_eventctrl_t *ctrl)
{
	struct ixp_peer *peer = t->peer;
	int ret = ixp_peer_look(peer);

	if (ret == 0 && peer->state == IXP_OWN_RELEASED)
		ret = -EINVAL;
	if (ret < 0)
		return ret;
	*ctrl = peer->own.ctrl;

	return ixp_peer_tell(peer);
}

/* Let a holder change the counters; in a holder (no ixp_kernel.remote), take them */
static int peer_modify(struct ixp_target *t, unsigned int request,
		       const hwperf_profevctrarg_t *arg)
{
	int ret;

	/* Before this process acquires counters, it has to look for a holder */
	if (request == PIOCENEVCTRS)
		return -EPIPE;
	ret = ixp_peer_look(t->peer);
	if (ret < 0)
		return ret;
	if (!ixp_kernel.remote)
		return ixp_proc_acquire(t, arg);
	ret = ixp_remote_start(t->fd, true);
	if (ret < 0)
		return ret == -ENOENT ? -ENOSYS : ret;
	t->remote = ret;
	ret = ixp_ops_held.modify(t, request, arg);
	if (ret < 0) {
		/* The process keeps its counters, and this one what it knows of them */
		close(t->remote);
		t->remote = -1;
		return ret;
	}
	ixp_peer_close(t->peer);
	t->peer = NULL;
	t->state = IXP_HELD;

	return ret;
}

static int peer_release(struct ixp_target *t)
{
	return ixp_peer_release(t->peer);
}

const struct ixp_target_ops ixp_ops_peer = {
	.read = peer_read,
	.control = peer_control,
	.modify = peer_modify,
	.release = peer_release,
};
