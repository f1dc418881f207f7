// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The event counter requests of /proc, as r10k_evcntrs(5) describes them on
 * pages 13 and 14. Where the page is silent, the programs that used them decide:
 *
 * - PIOCENEVCTRS on counters already acquired, and PIOCSETEVCTRL, start all
 *   counts from zero. PIOCSETEVCTRL after PIOCRELEVCTRS acquires them again.
 * - Requests other than PIOCENEVCTRS fail with EINVAL before it; after the
 *   release PIOCGETEVCTRL and a second PIOCRELEVCTRS do so too.
 * - A target is all threads that it has, and those that it starts later. Of a
 *   process that is not the caller the kernel counts all children, whoever
 *   waits for them: child.c is for those that have this library.
 * - Kernel mode means system mode for root: see proc_system.c.
 * - The counters are those of the process, whoever has acquired them: others
 *   find what it has acquired itself by own.h, all else by remote.h.
 *
 * proc.h says which file has what.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/procfs.h>
#include <time.h>
#include <unistd.h>
#include "arbiter.h"
#include "info.h"
#include "map.h"
#include "overflow.h"
#include "own.h"
#include "proc.h"
#include "remote.h"
#include "system.h"

/* Moments for which PIOCGETEVCTRS waits for a fork(2) in another thread */
#define PATIENCE	200

/* How often to look who has the counters, if they change hands meanwhile */
#define FINDS		8

static int target_program_system(struct ixp_target *t,
				 const hwperf_profevctrarg_t *arg)
{
	int ret = ixp_proc_system_acquire(t, arg);

	if (ret > 0)
		ixp_proc_commit(t);

	return ret;
}

static int target_program(struct ixp_target *t,
			  const hwperf_profevctrarg_t *arg)
{
	return ixp_system_wanted(arg) ? target_program_system(t, arg) :
	       ixp_proc_count(t, arg, NULL);
}

static int target_acquire(const struct ixp_ident *id, int fd,
			  const hwperf_profevctrarg_t *arg)
{
	struct ixp_target *t;
	int ret;

	ret = ixp_target_new(&t, id, fd);
	if (ret < 0)
		return ret;

	/* Without a holder each has counters of his own */
	if (!t->self && !ixp_kernel.remote &&
	    ixp_view_open(&t->view, fd, t->pid) < 0)
		t->view = NULL;
	ret = target_program(t, arg);
	if (ret < 0)
		ixp_target_free(t);
	else
		ixp_target_add(t);

	return ret;
}

/* If its holder has been killed, nothing has been acquired */
static int remote_run(struct ixp_target *t, unsigned int request, void *arg)
{
	hwperf_prusage_t *usage = arg;
	int ret;

	if (request == PIOCGETPREVCTRS)
		ret = ixp_remote_counts(t->remote, &usage->pu_cpu_mon.cm_cntrs);
	else
		ret = ixp_remote_run(t->remote, request, arg);
	if (ret == -EPIPE)
		ixp_target_drop(t);

	return ret;
}

/* From now on, or until its holder ends, others carry out what is asked of it */
static int target_adopt(struct ixp_target **t, const struct ixp_ident *id,
			int fd, int remote)
{
	int ret = ixp_target_new(t, id, fd);

	if (ret < 0) {
		close(remote);
		return ret;
	}
	(*t)->remote = remote;
	(*t)->self = false;
	ixp_target_add(*t);

	return 0;
}

/*
 * What is counted for another process outlives the caller, but for system mode,
 * which does so anyway.
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

	return ret < 0 ? ret : remote_run(t, PIOCENEVCTRS, arg);
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

	/* It was killed, or another user lets us wait: then one of our own */
	remote = ixp_remote_start(fd, false);
	ret = remote < 0 ? remote : remote_acquire(id, fd, remote, &copy);

	return ret == -EPIPE || ret == -ENOENT ? -EAGAIN : ret;
}

/* Or somebody else has acquired them */
static int proc_find(struct ixp_target **t, const struct ixp_ident *id, int fd)
{
	int remote = ixp_remote_find(fd);

	if (remote == -ENOENT)
		return ixp_proc_view_find(t, id, fd);

	return remote < 0 ? remote : target_adopt(t, id, fd, remote);
}

static int proc_modify(struct ixp_target *t, void *arg)
{
	hwperf_profevctrarg_t *next = ixp_proc_next(t);
	int ret;

	ret = ixp_user_read(next, arg, sizeof(*next));

	return ret < 0 ? ret : target_program(t, next);
}

static int proc_read(struct ixp_target *t, void *arg)
{
	hwperf_cntr_t counts;
	int ret;

	ixp_proc_children(t);
	ret = ixp_proc_read(t, &counts);
	if (ret == 0)
		ret = ixp_user_write(arg, &counts, sizeof(counts));
	if (ret < 0)
		return ret;
	if (!ixp_child_any_saved())
		ixp_snapshot_publish(t);

	return t->generation;
}

static int target_counts(const struct ixp_target *t, hwperf_cntr_t *counts)
{
	int ret;

	if (t->view)
		return ixp_view_read(t->view, counts);
	ret = ixp_proc_read(t, counts);

	return ret < 0 ? ret : t->generation;
}

/* But other events are a holder's; who is one takes them as PIOCENEVCTRS does */
static int view_modify(struct ixp_target *t, void *arg)
{
	int ret = ixp_view_look(t->view);

	if (ret < 0)
		return ret;
	if (!ixp_kernel.remote)
		return proc_modify(t, arg);
	ret = ixp_remote_start(t->fd, true);
	if (ret < 0)
		return ret == -ENOENT ? -ENOSYS : ret;
	ixp_view_close(t->view);
	t->view = NULL;
	t->remote = ret;

	return ixp_remote_run(t->remote, PIOCSETEVCTRL, arg);
}

/* The counters are those of PIOCGETEVCTRS; all else is in @usage */
static int proc_usage(struct ixp_target *t, void *usage)
{
	hwperf_prusage_t *to = usage;

	ixp_proc_children(t);

	return target_counts(t, &to->pu_cpu_mon.cm_cntrs);
}

static int proc_control(struct ixp_target *t, void *arg)
{
	int ret;

	if (t->released)
		return -EINVAL;

	ret = ixp_user_write(arg, &t->arg->hwp_evctrargs,
			     sizeof(t->arg->hwp_evctrargs));

	return ret < 0 ? ret : t->generation;
}

static int proc_release(struct ixp_target *t, void *arg)
{
	hwperf_cntr_t counts;
	int ret;

	(void)arg;
	if (t->released)
		return -EINVAL;

	ixp_proc_children(t);
	ixp_proc_switch(t->set, NULL);
	counts = t->last;
	ret = t->set ? ixp_threads_add(t->set, &counts) : 0;
	if (ret < 0) {
		ixp_proc_switch(NULL, t->set);
		return ret;
	}
	ixp_proc_stop(t, &counts);

	return 0;
}

/*
 * Somebody else has acquired the counters of this process: more than 0; or has
 * released them since: 0
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
 * The child of a fork can be asked for before it is seen to count. Who has
 * acquired its counters by then keeps them; who comes later sees it.
 */
void ixp_proc_give_way(void)
{
	struct ixp_target *self;

	ixp_proc_show();
	self = ixp_target_self();
	if (self && self->set && self_is_held(self) >= 0)
		ixp_proc_self_drop(self);
}

/* HWPERF_PROFENABLE takes the caller's own counters */
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

/* Requests on a target that has been acquired */
static const struct {
	unsigned int request;
	int (*run)(struct ixp_target *t, void *arg);
} proc_table[] = {
	{ PIOCENEVCTRS, proc_modify },
	{ PIOCGETEVCTRS, proc_read },
	{ PIOCGETPREVCTRS, proc_usage },
	{ PIOCGETEVCTRL, proc_control },
	{ PIOCSETEVCTRL, proc_modify },
	{ PIOCRELEVCTRS, proc_release },
};

#define PROC_REQUESTS	(sizeof(proc_table) / sizeof(proc_table[0]))

/* The child of one that had released them has not shown anything that is taken */
static bool self_is_taken(struct ixp_target *t)
{
	if (ixp_proc_check(t) < 0)
		return true;

	return t->self && t->released && !ixp_arbiter_own(t->pid) &&
	       self_is_held(t) >= 0;
}

static int proc_run_here(struct ixp_target *t, unsigned int request, void *arg)
{
	int ret = -ENOTTY;
	size_t i;

	if (self_is_taken(t)) {
		ixp_proc_self_drop(t);
		return -EPIPE;
	}
	if (t->system && request != PIOCENEVCTRS) {
		ret = ixp_proc_system_run(t, request, arg);
		t->shown = false;
	}

	for (i = 0; i < PROC_REQUESTS && ret == -ENOTTY; i++)
		if (proc_table[i].request == request)
			ret = proc_table[i].run(t, arg);

	return ret;
}

/* What has been taken by a holder meanwhile is looked for there */
static int proc_run_view(struct ixp_target *t, unsigned int request, void *arg)
{
	int ret = -EPIPE;

	if (request == PIOCGETPREVCTRS)
		ret = proc_usage(t, arg);
	else if (request == PIOCSETEVCTRL)
		ret = view_modify(t, arg);
	else if (request != PIOCENEVCTRS)
		ret = ixp_proc_view_run(t, request, arg);
	if (ret == -EPIPE)
		ixp_target_drop(t);

	return ret;
}

static int proc_run(struct ixp_target *t, unsigned int request, void *arg)
{
	if (t->view)
		return proc_run_view(t, request, arg);
	if (t->remote >= 0)
		return remote_run(t, request, arg);

	return proc_run_here(t, request, arg);
}

/* The process behind a descriptor; NULL if nobody has acquired its counters */
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

/* Whoever has the counters may lose them to a holder before he is asked */
static int proc_find_run(const struct ixp_ident *id, int fd,
			 unsigned int request, void *arg)
{
	const uint64_t end = ixp_remote_now() + IXP_REMOTE_SEARCH;
	struct ixp_target *t;
	int ret = -EPIPE, i;

	for (i = 0; i < FINDS && ret == -EPIPE && ixp_remote_now() < end; i++) {
		ret = proc_find(&t, id, fd);
		if (ret == 0)
			ret = proc_run(t, request, arg);
	}

	return ret == -EPIPE ? -EAGAIN : ret;
}

/* Callers hold the lock */
static int proc_ioctl(int fd, unsigned int request, void *arg)
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
		ret = proc_run(t, request, arg);
	/* Its holder has been killed, or a holder has it now: begin anew */
	if (t && ret != -EPIPE)
		return ret;
	if (request == PIOCENEVCTRS)
		return proc_acquire(&id, fd, arg);

	return proc_find_run(&id, fd, request, arg);
}

static int locked_ioctl(int fd, unsigned int request, void *arg)
{
	int ret;

	ixp_target_lock();
	ret = proc_ioctl(fd, request, arg);
	ixp_target_unlock();

	return ret;
}

/*
 * Without the lock, or with it, whichever is to be had. When another thread is
 * in fork(2) for so long, it is waiting for us, and the counts of children that
 * are about to be added have to wait for it.
 */
static int counts_ioctl(int fd, void *arg)
{
	static const struct timespec moment = { .tv_nsec = 50000 };
	unsigned int tries = 0;
	int ret;

	do {
		if (!ixp_reaped_any() ||
		    (++tries > PATIENCE && ixp_target_forking())) {
			ret = ixp_snapshot_get(fd, arg);
			if (ret != -EAGAIN)
				return ret;
		}
	} while (!ixp_target_lock_soon(&moment));

	ret = proc_ioctl(fd, PIOCGETEVCTRS, arg);
	ixp_target_unlock();

	return ret;
}

/* What the process has used is read from files, and not under the lock */
static int usage_ioctl(int fd, void *arg)
{
	hwperf_prusage_t usage;
	struct ixp_ident id;
	int generation, ret;

	ret = ixp_ident_of_fd(&id, fd);
	if (ret == 0)
		ret = ixp_usage_of(fd, &usage);
	/* The long way says what is the matter, or that nothing is acquired */
	generation = locked_ioctl(fd, PIOCGETPREVCTRS, &usage);
	if (generation < 0)
		return generation;
	if (ret == 0)
		ret = ixp_user_write(arg, &usage, sizeof(usage));

	return ret < 0 ? ret : generation;
}

int irixperf_proc_ioctl(int fd, unsigned int request, void *arg)
{
	char why[IXP_WHY_SIZE];

	if (request < PIOCENEVCTRS || request > PIOCSAVECCNTRS)
		return ixp_info_ioctl(fd, request, arg);
	if (request == PIOCGETEVCTRS)
		return counts_ioctl(fd, arg);
	if (request == PIOCGETPREVCTRS)
		return usage_ioctl(fd, arg);
	/* Maps, and libpfm4, are looked for before the lock is taken */
	if (request == PIOCENEVCTRS || request == PIOCSETEVCTRL)
		ixp_machine(why, sizeof(why));

	return locked_ioctl(fd, request, arg);
}
