// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The event counter requests of /proc, as r10k_evcntrs(5) describes them on
 * pages 13 and 14. What the manual leaves open follows from the programs that
 * used the requests:
 *
 * - PIOCENEVCTRS on counters already acquired, and PIOCSETEVCTRL, start all
 *   counts from zero. PIOCSETEVCTRL after PIOCRELEVCTRS acquires them again.
 * - Before PIOCENEVCTRS all other requests fail with EINVAL; after the release
 *   PIOCGETEVCTRL and a second PIOCRELEVCTRS do so, too.
 * - Counting a target includes all its threads, also those that it starts later.
 *   If the target is not the caller, the kernel adds the counts of all its children,
 *   even of those for which it does not wait; child.c is for a caller's own children.
 * - If root asks for kernel mode, the request starts system mode: see
 *   proc_system.c.
 * - A process has one set of counters, whichever process has acquired them. Other
 *   processes find those that it has acquired for itself as own.h says, and all
 *   others as remote.h says.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/procfs.h>
#include <unistd.h>
#include <irixperf.h>
#include "proc.h"
#include "arbiter.h"
#include "ident.h"
#include "kernel.h"
#include "peer.h"
#include "proc_children.h"
#include "proc_counters.h"
#include "proc_held.h"
#include "proc_peer.h"
#include "proc_system.h"
#include "proc_user.h"
#include "remote.h"
#include "system.h"
#include "target.h"
#include "user.h"

/* How often to look again for the process that has the counters */
#define FINDS		8

/*
 * More than 0 if another process has acquired the counters of this one; 0 if it
 * has released them since; or a negative errno value
 */
static int self_is_held(const struct ixp_target *t)
{
	int remote = ixp_remote_find(t->fd), ret = remote;

	if (remote >= 0) {
		ret = ixp_remote_holds(remote);
		close(remote);
	}

	return ret;
}

/*
 * Has a holder taken the counters? ixp_proc_check() finds this in the page. But a
 * process whose parent had released its counters before the fork has no page yet.
 */
static bool self_is_taken(struct ixp_target *t)
{
	if (ixp_proc_check(t) < 0)
		return true;

	return t->self && ixp_target_released(t) && !ixp_arbiter_own(t->pid) &&
	       self_is_held(t) >= 0;
}

/*
 * Carry out a request on counters that have been acquired. -EPIPE: another process
 * has them now, or their holder has been killed; @t has been freed.
 */
static int target_run(struct ixp_target *t, unsigned int request, void *arg)
{
	static const struct ixp_target_ops *const ops_of[] = {
		[IXP_COUNTS] = &ixp_ops_user,
		[IXP_RELEASED] = &ixp_ops_user,
		[IXP_SYSTEM] = &ixp_ops_system,
		[IXP_SYSTEM_RELEASED] = &ixp_ops_user,
		[IXP_HELD] = &ixp_ops_held,
		[IXP_PEER] = &ixp_ops_peer,
	};
	const struct ixp_target_ops *ops;
	hwperf_prusage_t *usage = arg;
	hwperf_profevctrarg_t events;
	hwperf_eventctrl_t ctrl;
	hwperf_cntr_t counts;
	int ret = 0, copied = 0;

	if (request == PIOCENEVCTRS || request == PIOCSETEVCTRL)
		ret = ixp_user_read(&events, arg, sizeof(events));
	if (ret < 0)
		return ret;
	if (t->state != IXP_HELD && t->state != IXP_PEER && self_is_taken(t)) {
		ixp_proc_drop(t);
		return -EPIPE;
	}

	ops = ops_of[t->state];
	switch (request) {
	case PIOCENEVCTRS:
	case PIOCSETEVCTRL:
		ret = ops->modify(t, request, &events);
		break;
	case PIOCGETEVCTRS:
		ret = ops->read(t, &counts);
		if (ret >= 0)
			copied = ixp_user_write(arg, &counts, sizeof(counts));
		break;
	case PIOCGETPREVCTRS:
		ret = ops->read(t, &usage->pu_cpu_mon.cm_cntrs);
		break;
	case PIOCGETEVCTRL:
		ret = ops->control(t, &ctrl);
		if (ret >= 0)
			copied = ixp_user_write(arg, &ctrl, sizeof(ctrl));
		break;
	case PIOCRELEVCTRS:
		ret = ops->release(t);
		break;
	default:
		return -ENOTTY;
	}
	if (ret == -EPIPE)
		ixp_proc_drop(t);

	return copied < 0 ? copied : ret;
}

static int target_acquire(const struct ixp_ident *id, int fd,
			  const hwperf_profevctrarg_t *arg)
{
	struct ixp_target *t;
	int ret;

	ret = ixp_target_new(&t, id, fd);
	if (ret < 0)
		return ret;

	/* Without holders each caller counts the target by itself */
	if (!t->self && !ixp_kernel.remote &&
	    ixp_peer_open(&t->peer, t->fd, t->pid) < 0)
		t->peer = NULL;
	ret = ixp_proc_acquire(t, arg);
	if (ret < 0)
		ixp_target_free(t);
	else
		ixp_target_add(t);

	return ret;
}

/* Make a target whose requests the holder at the socket @remote carries out */
static int target_adopt(struct ixp_target **t, const struct ixp_ident *id,
			int fd, int remote)
{
	int ret = ixp_target_new(t, id, fd);

	if (ret < 0) {
		close(remote);
		return ret;
	}
	(*t)->remote = remote;
	(*t)->state = IXP_HELD;
	ixp_target_add(*t);

	return 0;
}

/*
 * Find the process holder of a target, or start one: counters that this process
 * acquires for another one have to outlive this process. System mode needs none.
 */
static int remote_of(int fd, const hwperf_profevctrarg_t *arg)
{
	pid_t pid = ixp_ident_pid(fd);

	if (pid < 0)
		return pid;
	if (pid == getpid() || ixp_system_wanted(arg))
		return ixp_remote_find(fd);

	return ixp_remote_start(fd, true);
}

static int remote_acquire(const struct ixp_ident *id, int fd, int remote,
			  hwperf_profevctrarg_t *arg)
{
	struct ixp_target *t;
	int ret = target_adopt(&t, id, fd, remote);

	return ret < 0 ? ret : target_run(t, PIOCENEVCTRS, arg);
}

static int proc_acquire(const struct ixp_ident *id, int fd, void *arg)
{
	hwperf_profevctrarg_t copy;
	int remote, ret;

	ret = ixp_user_read(&copy, arg, sizeof(copy));
	if (ret < 0)
		return ret;
	ixp_target_sweep();

	remote = remote_of(fd, &copy);
	if (remote == -ENOENT)
		return target_acquire(id, fd, &copy);
	ret = remote < 0 ? remote : remote_acquire(id, fd, remote, &copy);
	if (ret != -EPIPE)
		return ret;

	/* The holder was killed, or a stranger's does not answer: start our own */
	remote = ixp_remote_start(fd, false);
	ret = remote < 0 ? remote : remote_acquire(id, fd, remote, &copy);

	return ret == -EPIPE || ret == -ENOENT ? -EAGAIN : ret;
}

/* Make a target for a process whose counters a holder has, or the process itself */
static int proc_find(struct ixp_target **t, const struct ixp_ident *id, int fd)
{
	int remote = ixp_remote_find(fd);

	if (remote == -ENOENT)
		return ixp_proc_peer_find(t, id, fd);

	return remote < 0 ? remote : target_adopt(t, id, fd, remote);
}

/*
 * Called in a forked child. A holder may have acquired its counters before the child
 * has written its own to its page: then the holder's stay, and the child drops its own.
 * The child writes the page first and then looks for a holder, so that neither misses
 * the other.
 */
void ixp_proc_give_way(void)
{
	struct ixp_target *self;

	ixp_proc_show();
	self = ixp_target_self();
	if (self && self->set && self_is_held(self) >= 0)
		ixp_proc_drop(self);
}

/* As PIOCENEVCTRS of this process, in user mode, but its counts stay */
int ixp_proc_go_on(const hwperf_profevctrarg_t *arg)
{
	struct ixp_target *self;
	int ret = ixp_proc_self_get(&self);

	if (ret < 0)
		return ret;
	if (self->state == IXP_SYSTEM)
		return -EBUSY;
	if (ixp_proc_check(self) < 0 || (!self->set && self_is_held(self) > 0)) {
		ixp_proc_drop(self);
		return -EBUSY;
	}

	return ixp_proc_change(self, arg);
}

/*
 * HWPERF_PROFENABLE uses the counters of the calling process; owns @profile if it
 * succeeds
 */
int ixp_proc_profile(const hwperf_profevctrarg_t *arg,
		     struct ixp_profile *profile)
{
	struct ixp_target *self = ixp_proc_self(), *t = self;
	int ret = self ? 0 : ixp_proc_self_new(&t);

	if (ret < 0)
		return ret;
	ret = !self && self_is_held(t) > 0 ? -EBUSY : ixp_proc_count(t, arg, profile);
	if (self)
		return ret;
	if (ret < 0)
		ixp_target_free(t);
	else
		ixp_target_add(t);

	return ret;
}

/* The target of a descriptor; NULL if this process has not asked for its counters */
int ixp_proc_target(struct ixp_target **t, struct ixp_ident *id, int fd)
{
	int ret;

	*t = ixp_target_find_marked(fd);
	if (*t) {
		*id = (*t)->id;
		return 0;
	}

	ret = ixp_ident_of_fd(id, fd);
	if (ret == -ESRCH)
		ixp_target_sweep();
	if (ret < 0)
		return ret;
	*t = ixp_target_find(id);

	return 0;
}

/* Repeat the search if the counters go to a holder before the request reaches them */
static int proc_find_run(const struct ixp_ident *id, int fd,
			 unsigned int request, void *arg)
{
	const uint64_t end = ixp_now_ms() + IXP_REMOTE_SEARCH;
	struct ixp_target *t;
	int ret, finds = 0;

	do {
		ret = proc_find(&t, id, fd);
		if (ret == 0)
			ret = target_run(t, request, arg);
	} while (ret == -EPIPE && ++finds < FINDS && ixp_now_ms() < end);

	return ret == -EPIPE ? -EAGAIN : ret;
}

/**
 * ixp_proc_ioctl() - carry out a request of the event counters
 * @fd: the directory of the process
 * @request: the request
 * @arg: its argument, in the caller's memory; for PIOCGETPREVCTRS a
 *	hwperf_prusage_t in our memory, of which only the counts are filled in
 *
 * Callers hold the lock.
 *
 * Return: what irixperf_proc_ioctl() returns.
 */
int ixp_proc_ioctl(int fd, unsigned int request, void *arg)
{
	struct ixp_target *t;
	struct ixp_ident id;
	int ret;

	ret = ixp_proc_target(&t, &id, fd);
	if (ret < 0)
		return ret;
	if (request == PIOCSAVECCNTRS)
		return ixp_proc_save(fd, arg);
	if (t)
		ret = target_run(t, request, arg);
	/* The holder has been killed, or a new one has the counters: look again */
	if (t && ret != -EPIPE)
		return ret;
	if (request == PIOCENEVCTRS)
		return proc_acquire(&id, fd, arg);

	return proc_find_run(&id, fd, request, arg);
}
