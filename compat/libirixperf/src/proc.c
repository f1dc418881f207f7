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
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/procfs.h>
#include <time.h>
#include <unistd.h>
#include "arbiter.h"
#include "info.h"
#include "map.h"
#include "overflow.h"
#include "own.h"
#include "remote.h"
#include "system.h"

/* Moments for which PIOCGETEVCTRS waits for a fork(2) in another thread */
#define PATIENCE	200

/* How often to look who has the counters, if they change hands meanwhile */
#define FINDS		8

/* A block without events is legal: programs acquire first and choose later */
static int set_open(struct irixperf_set **set, const struct ixp_target *t,
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
static void target_user_end(const struct ixp_target *t)
{
	if (!t->set)
		ixp_arbiter_user_end(t->pid);
}

/* Of this process' children the library takes care itself: see child.c */
static unsigned int inherit_of(const struct ixp_target *t)
{
	return t->self ? IRIXPERF_INHERIT_THREAD : IRIXPERF_INHERIT;
}

/*
 * The old events must be off before the new ones are turned on: the kernel
 * looks for free counters when an event is enabled, not when one is closed.
 */
static int set_switch(const struct irixperf_set *old,
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
static void target_commit(struct ixp_target *t)
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

static void target_last(struct ixp_target *t, const hwperf_cntr_t *counts)
{
	t->last = *counts;
	t->kept = true;
}

static void target_zero(struct ixp_target *t)
{
	if (!t->kept)
		return;
	memset(&t->last, 0, sizeof(t->last));
	memset(&t->added, 0, sizeof(t->added));
	t->kept = false;
}

/* Put @set in place of the events of before, and count on from @last, or from zero */
static int target_replace(struct ixp_target *t, struct irixperf_set *set,
			  const hwperf_cntr_t *last)
{
	unsigned int offer = t->self ? ixp_child_offer(set) : 0;
	int ret;

	ixp_arbiter_open(set);
	ret = set_switch(t->set, set);
	if (ret < 0)
		return ret;

	ixp_arbiter_close(t->set);
	t->set = set;
	t->offer = offer;
	if (last)
		target_last(t, last);
	else
		target_zero(t);
	t->global = false;
	target_commit(t);

	return 0;
}

static void target_stop(struct ixp_target *t, const hwperf_cntr_t *counts)
{
	ixp_arbiter_close(t->set);
	t->set = NULL;
	t->offer = 0;
	target_last(t, counts);
	t->released = true;
	target_user_end(t);
	target_commit(t);
}

/* Others have stopped the counters: they are not started again by themselves */
static void target_lose(struct ixp_target *t)
{
	hwperf_cntr_t counts = t->last;

	set_switch(t->set, NULL);
	if (t->set)
		ixp_threads_add(t->set, &counts);
	target_stop(t, &counts);
}

/* -EPIPE: a holder has the counters now, and this target is to be dropped */
static int target_check(struct ixp_target *t)
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
static void self_drop(struct ixp_target *self)
{
	ixp_own_hide(self->pid);
	ixp_target_drop(self);
}

static struct ixp_target *self_checked(void)
{
	struct ixp_target *self = ixp_target_self();

	if (!self || target_check(self) == 0)
		return self;
	self_drop(self);

	return NULL;
}

/* Whoever does something after this has been written sees it, or is seen by us */
void ixp_proc_show(void)
{
	struct ixp_target *self = ixp_target_self();

	while (self && !self->shown) {
		ixp_own_show(self);
		self = self_checked();
	}
}

static int target_program_system(struct ixp_target *t,
				 const hwperf_profevctrarg_t *arg)
{
	int ret = ixp_proc_system_acquire(t, arg);

	if (ret > 0)
		target_commit(t);

	return ret;
}

/* Where to put what is asked for now; what holds stays as it is */
static hwperf_profevctrarg_t *target_next(struct ixp_target *t)
{
	return &t->args[t->arg == t->args];
}

/* It holds from now on */
static void target_keep(struct ixp_target *t, const hwperf_profevctrarg_t *arg)
{
	hwperf_profevctrarg_t *next = target_next(t);

	if (arg != next)
		*next = *arg;
	t->arg = next;
}

/* In place of what the process has itself, if it has: see own.h */
static int target_supersede(struct ixp_target *t, struct irixperf_set *set)
{
	struct ixp_view *view = t->view;
	int ret;

	if (!view)
		return target_replace(t, set, NULL);

	if (ixp_view_take(view) == 0)
		ixp_threads_disable(view->set);
	ret = target_replace(t, set, NULL);
	if (ret < 0) {
		if (view->own.state == IXP_OWN_COUNTS)
			ixp_threads_enable(view->set);
		ixp_view_give_back(view);
		return ret;
	}
	t->generation = view->generation;
	t->view = NULL;
	ixp_view_close(view);

	return 0;
}

/* In user mode; with overflows for @profile, or for a signal if it is NULL */
static int target_count(struct ixp_target *t, const hwperf_profevctrarg_t *arg,
			struct ixp_profile *profile)
{
	struct ixp_profile *before = t->profile;
	struct irixperf_set *set;
	unsigned int epoch;
	int ret;

	t->profile = profile;
	ret = set_open(&set, t, arg, inherit_of(t), &epoch);
	if (ret == 0)
		ret = target_supersede(t, set);
	if (ret < 0)
		ixp_arbiter_close(set);
	target_user_end(t);
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
		target_check(t);

	return ret;
}

static int target_program(struct ixp_target *t,
			  const hwperf_profevctrarg_t *arg)
{
	return ixp_system_wanted(arg) ? target_program_system(t, arg) :
	       target_count(t, arg, NULL);
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

	return ixp_remote_start(fd);
}

static int proc_acquire(const struct ixp_ident *id, int fd, void *arg)
{
	hwperf_profevctrarg_t copy;
	struct ixp_target *t;
	int remote, ret;

	ret = ixp_user_read(&copy, arg, sizeof(copy));
	if (ret < 0)
		return ret;
	ixp_target_sweep();

	remote = remote_of(fd, &copy);
	if (remote == -ENOENT)
		return target_acquire(id, fd, &copy);
	ret = remote < 0 ? remote : target_adopt(&t, id, fd, remote);

	return ret < 0 ? ret : remote_run(t, PIOCENEVCTRS, &copy);
}

/* The process may have acquired its counters itself */
static int proc_find_view(struct ixp_target **t, const struct ixp_ident *id,
			  int fd)
{
	struct ixp_target *new;
	int ret = ixp_target_new(&new, id, fd);

	if (ret < 0)
		return ret;
	ret = new->self ? -EPIPE : ixp_view_open(&new->view, fd, new->pid);
	if (ret == 0)
		ret = ixp_view_look(new->view);
	if (ret < 0) {
		ixp_target_free(new);
		return ret == -EPIPE ? -EINVAL : ret;
	}
	ixp_target_add(new);
	*t = new;

	return 0;
}

/* Or somebody else has acquired them */
static int proc_find(struct ixp_target **t, const struct ixp_ident *id, int fd)
{
	int remote = ixp_remote_find(fd);

	if (remote == -ENOENT)
		return proc_find_view(t, id, fd);

	return remote < 0 ? remote : target_adopt(t, id, fd, remote);
}

static int proc_modify(struct ixp_target *t, void *arg)
{
	hwperf_profevctrarg_t *next = target_next(t);
	int ret;

	ret = ixp_user_read(next, arg, sizeof(*next));

	return ret < 0 ? ret : target_program(t, next);
}

static int target_read(const struct ixp_target *t, hwperf_cntr_t *counts)
{
	*counts = t->last;
	ixp_counts_add(counts, &t->added);

	return t->set ? ixp_threads_add(t->set, counts) : 0;
}

/* Counts that lack something are not to be trusted: another generation says so */
static void target_add(struct ixp_target *t, const hwperf_cntr_t *sum, bool whole)
{
	ixp_counts_add(&t->added, sum);
	t->kept = true;
	t->generation += !whole;
	target_commit(t);
}

static void target_sweep_children(struct ixp_target *t)
{
	hwperf_cntr_t sum = { { 0 } };
	int ret = t->self ? ixp_child_sweep(&sum) : 0;

	if (ret != 0)
		target_add(t, &sum, ret > 0);
}

static int proc_read(struct ixp_target *t, void *arg)
{
	hwperf_cntr_t counts;
	int ret;

	target_sweep_children(t);
	ret = target_read(t, &counts);
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
	ret = target_read(t, counts);

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
	ret = ixp_remote_start(t->fd);
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

	target_sweep_children(t);

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

	target_sweep_children(t);
	set_switch(t->set, NULL);
	counts = t->last;
	ret = t->set ? ixp_threads_add(t->set, &counts) : 0;
	if (ret < 0) {
		set_switch(NULL, t->set);
		return ret;
	}
	target_stop(t, &counts);

	return 0;
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
	target_zero(t);
	t->global = false;
	t->own = false;
	t->shown = false;
	ret = ixp_target_identify(t);
	if (ret < 0 || !counts)
		return ret;

	ret = set_open(&set, t, t->arg, inherit_of(t), &t->epoch);
	if (ret == 0)
		ret = epoch != ixp_arbiter_parent_epoch() ? -EBUSY :
		      target_replace(t, set, NULL);
	if (ret < 0) {
		ixp_arbiter_close(set);
		t->released = true;
		t->generation++;
	}
	target_user_end(t);

	return 0;
}

static int self_new(struct ixp_target **self)
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

/* A process can be given the counts of children without having counters */
static int self_target(struct ixp_target **self)
{
	int ret;

	*self = ixp_target_self();
	if (*self)
		return 0;
	ret = self_new(self);
	if (ret < 0)
		return ret;

	(*self)->released = true;
	(*self)->generation = 1;
	(*self)->epoch = ixp_arbiter_epoch();
	ixp_target_add(*self);

	return 0;
}

/* Somebody else has acquired the counters of this process, and keeps them */
static bool self_is_held(const struct ixp_target *t)
{
	hwperf_eventctrl_t ctrl;
	int remote = ixp_remote_find(t->fd), ret;

	if (remote < 0)
		return false;
	ret = ixp_remote_run(remote, PIOCGETEVCTRL, &ctrl);
	close(remote);

	return ret >= 0;
}

/* HWPERF_PROFENABLE takes the caller's own counters */
int ixp_proc_profile(const hwperf_profevctrarg_t *arg,
		     struct ixp_profile *profile)
{
	struct ixp_target *self = self_checked(), *t = self;
	int ret = self ? 0 : self_new(&t);

	if (ret < 0)
		return ret;
	ret = !self && self_is_held(t) ? -EBUSY : target_count(t, arg, profile);
	if (self)
		return ret;
	if (ret < 0)
		ixp_target_free(t);
	else
		ixp_target_add(t);

	return ret;
}

/* The child is the process of @fd, or, if that is the caller itself, @arg */
static int proc_save(int fd, void *arg)
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

/* Go on counting the same with other events; what there is stays */
static int target_renew(struct ixp_target *t, unsigned int inherit)
{
	hwperf_cntr_t last = t->last;
	struct irixperf_set *set;
	unsigned int epoch;
	int ret;

	ret = set_open(&set, t, t->arg, inherit, &epoch);
	if (ret == 0)
		ret = set_switch(t->set, NULL);
	if (ret == 0)
		ret = ixp_threads_add(t->set, &last);
	if (ret == 0)
		ret = target_replace(t, set, &last);
	if (ret < 0) {
		ixp_arbiter_close(set);
		set_switch(NULL, t->set);
	}

	return ret;
}

/*
 * The next program may not have the library. What has been acquired by this one
 * a holder keeps for it; children go on with their parents' events, which those
 * have already.
 */
static void self_renew(unsigned int inherit)
{
	struct ixp_target *self;

	ixp_target_lock();
	self = self_checked();
	if (self && (self->own || ixp_child_has_parent())) {
		target_sweep_children(self);
		if (self->set && target_renew(self, inherit) < 0)
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

void irixperf_children_sync(void)
{
	struct ixp_target *self;

	if (ixp_spawn_inside())
		return;
	ixp_target_lock();
	self = ixp_target_self();
	if (self)
		target_sweep_children(self);
	ixp_target_unlock();
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
	if (target_check(t) < 0)
		return true;

	return t->self && t->released && !ixp_arbiter_own(t->pid) &&
	       self_is_held(t);
}

static int proc_run_here(struct ixp_target *t, unsigned int request, void *arg)
{
	int ret = -ENOTTY;
	size_t i;

	if (self_is_taken(t)) {
		self_drop(t);
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
static int proc_target(struct ixp_target **t, struct ixp_ident *id, int fd)
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

/* In a holder: what the process has counted itself goes on here */
static int target_take_over(struct ixp_target *t)
{
	hwperf_profevctrarg_t *next = target_next(t);
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
	target_last(t, &view->own.base);
	view->set = NULL;
	t->view = NULL;
	ixp_view_close(view);
	ixp_arbiter_open(t->set);
	target_user_end(t);
	target_check(t);

	return 0;
}

static int proc_keep(int fd)
{
	struct ixp_target *t;
	struct ixp_ident id;
	int ret;

	ret = proc_target(&t, &id, fd);
	if (ret == 0 && !t)
		ret = proc_find_view(&t, &id, fd);
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

/* Whoever has the counters may lose them to a holder before he is asked */
static int proc_find_run(const struct ixp_ident *id, int fd,
			 unsigned int request, void *arg)
{
	struct ixp_target *t;
	int ret = -EPIPE, i;

	for (i = 0; i < FINDS && ret == -EPIPE; i++) {
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

	ret = proc_target(&t, &id, fd);
	if (ret < 0)
		return ret;
	if (request == PIOCSAVECCNTRS)
		return proc_save(fd, arg);
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
