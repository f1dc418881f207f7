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
 * - What a process has acquired for itself is not seen by others; what others
 *   have acquired for it, by all who may: see remote.h.
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
#include "remote.h"
#include "system.h"

/* Moments for which PIOCGETEVCTRS waits for a fork(2) in another thread */
#define PATIENCE	200

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
static void target_commit(const struct ixp_target *t)
{
	hwperf_cntr_t kept;

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

/* System mode has taken the counters: they are not started again by themselves */
static void target_check(struct ixp_target *t)
{
	hwperf_cntr_t counts;

	if (!t->set || t->epoch == ixp_arbiter_epoch())
		return;

	counts = t->last;
	set_switch(t->set, NULL);
	ixp_threads_add(t->set, &counts);
	target_stop(t, &counts);
	t->generation++;
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
		ret = target_replace(t, set, NULL);
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
	ret = ++t->generation;
	/* The holder may have looked for events before there were any */
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
	int ret = ixp_remote_run(t->remote, request, arg);

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

/* Somebody else may have acquired the counters of this process */
static int proc_find_remote(struct ixp_target **t, const struct ixp_ident *id,
			    int fd)
{
	int remote = ixp_remote_find(fd);

	if (remote < 0)
		return remote == -ENOENT ? -EINVAL : remote;

	return target_adopt(t, id, fd, remote);
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

	if (t->remote >= 0)
		return ixp_remote_counts(t->remote, counts);
	ret = target_read(t, counts);

	return ret < 0 ? ret : t->generation;
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
	struct ixp_target *self = ixp_target_self(), *t = self;
	int ret = self ? 0 : self_new(&t);

	if (ret < 0)
		return ret;
	if (self)
		target_check(self);
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

static void self_renew(unsigned int inherit)
{
	struct ixp_target *self;

	ixp_target_lock();
	self = ixp_target_self();
	if (self) {
		target_check(self);
		target_sweep_children(self);
		if (self->set && target_renew(self, inherit) < 0)
			self->generation++;
	}
	ixp_target_unlock();
}

/* Some C libraries' execvp() is many execve(): of these the outer one counts */
static _Thread_local unsigned int exec_depth;

void irixperf_exec_begin(void)
{
	int saved = errno;

	if (ixp_spawn_inside())
		return;
	if (exec_depth++ == 0 && ixp_child_has_parent())
		self_renew(IRIXPERF_INHERIT);
	errno = saved;
}

void irixperf_exec_failed(void)
{
	int saved = errno;

	if (ixp_spawn_inside())
		return;
	if (--exec_depth == 0 && ixp_child_has_parent())
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

static int proc_run_here(struct ixp_target *t, unsigned int request, void *arg)
{
	int ret = -ENOTTY;
	size_t i;

	target_check(t);
	if (t->system && request != PIOCENEVCTRS)
		ret = ixp_proc_system_run(t, request, arg);

	for (i = 0; i < PROC_REQUESTS && ret == -ENOTTY; i++)
		if (proc_table[i].request == request)
			ret = proc_table[i].run(t, arg);

	return ret;
}

static int proc_run(struct ixp_target *t, unsigned int request, void *arg)
{
	if (t->remote >= 0 && request != PIOCGETPREVCTRS)
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
	/* Its holder has been killed: begin anew */
	if (t && ret != -EPIPE)
		return ret;
	if (request == PIOCENEVCTRS)
		return proc_acquire(&id, fd, arg);
	ret = proc_find_remote(&t, &id, fd);

	return ret < 0 ? ret : proc_run(t, request, arg);
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
