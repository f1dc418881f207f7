// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The processes whose counters this process has acquired, or has asked for. Of
 * its forked children each has its own counters, and none of other processes'.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include "arbiter.h"
#include "overflow.h"
#include "own.h"

static struct ixp_target *targets;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/**
 * struct held - what a thread may not have while it holds the lock
 * @signals: handlers read counters and wait for children, and would wait for
 *	the very thread that they have interrupted
 * @cancel: all others would wait for a thread that was cancelled
 */
struct held {
	unsigned char signals[IXP_MASK];
	int cancel;
};

static struct held lock_held;

static void thread_hold(struct held *held)
{
	sigset_t all, mask;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &mask);
	memcpy(held->signals, &mask, sizeof(held->signals));
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &held->cancel);
}

static void thread_release(const struct held *held)
{
	sigset_t mask;

	sigemptyset(&mask);
	memcpy(&mask, held->signals, sizeof(held->signals));
	pthread_setcancelstate(held->cancel, NULL);
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

/*
 * Children that are made behind the C library's back, by _Fork() or clone(2),
 * have all of this as well, and none of it is theirs. The kernel empties this
 * page for them.
 */
static bool *owned;

pid_t ixp_caller;

static void lock_begin(const struct held *held)
{
	lock_held = *held;
	if (!owned)
		ixp_caller = 0;
	ixp_snapshots_drop();
	ixp_proc_reaped();
}

/* Nothing is closed, as they may have these descriptors in common with others */
static void owner_check(void)
{
	if (!owned || *owned)
		return;
	*owned = true;
	ixp_caller = 0;
	lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
	targets = NULL;
	ixp_child_forget_all();
	ixp_profile_fork_child();
	ixp_arbiter_forget();
}

static void owner_begin(void)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	void *page = mmap(NULL, size, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED)
		return;
	if (madvise(page, size, MADV_WIPEONFORK) < 0) {
		munmap(page, size);
		return;
	}
	owned = page;
	*owned = true;
}

static void lock_take(void)
{
	struct held held;

	thread_hold(&held);
	owner_check();
	pthread_mutex_lock(&lock);
	lock_begin(&held);
}

static void lock_give(void)
{
	struct held held = lock_held;

	/* What is closed now has been shown to be closed */
	ixp_proc_show();
	ixp_retired_free();
	pthread_mutex_unlock(&lock);
	thread_release(&held);
}

/*
 * fork(2) waits for the locks of malloc(3) with ours held. So handlers which
 * have interrupted malloc(3) must not wait for ours: meanwhile all counters
 * can be read without it.
 */
static atomic_bool forking;

static void fork_before(void)
{
	struct ixp_target *t;

	lock_take();
	ixp_child_fork_prepare();
	for (t = targets; t; t = t->next)
		if (!t->system && t->remote < 0 && !t->view)
			ixp_snapshot_publish(t);
	atomic_store(&forking, true);
}

static void fork_done(void)
{
	atomic_store(&forking, false);
	ixp_snapshots_drop();
}

/* Counts that cannot be complete any more are known by their generation */
static void fork_in_parent(void)
{
	struct ixp_target *self = ixp_target_self();

	fork_done();
	if (!ixp_child_fork_parent() && self && self->set) {
		self->generation++;
		self->shown = false;
	}
	lock_give();
}

static void fork_in_child(void)
{
	struct ixp_target *t, *self = ixp_target_self();

	if (owned)
		*owned = true;
	ixp_caller = 0;
	ixp_read_fork_child();
	ixp_reaped_fork_child();
	fork_done();
	ixp_child_fork_child();
	ixp_profile_fork_child();
	while ((t = targets)) {
		targets = t->next;
		if (t != self)
			ixp_target_free(t);
	}
	if (self && ixp_proc_inherit(self) == 0)
		ixp_target_add(self);
	else if (self)
		ixp_target_free(self);
	ixp_arbiter_forget();
	ixp_proc_give_way();
	lock_give();
}

/* From the start, for children that are forked before anything else is asked */
__attribute__((constructor))
static void fork_prepare(void)
{
	owner_begin();
	pthread_atfork(fork_before, fork_in_parent, fork_in_child);
	atexit(irixperf_children_sync);
}

void ixp_target_lock(void)
{
	lock_take();
	ixp_profile_drain();
}

void ixp_target_unlock(void)
{
	lock_give();
}

/**
 * ixp_target_lock_soon() - take the lock if that takes no time
 * @moment: how long to wait before giving up, so that one can try again
 *
 * Return: whether it was taken.
 */
bool ixp_target_lock_soon(const struct timespec *moment)
{
	struct held held;
	bool taken;

	thread_hold(&held);
	owner_check();
	taken = pthread_mutex_trylock(&lock) == 0;
	if (taken) {
		lock_begin(&held);
		ixp_profile_drain();
	} else {
		if (moment)
			nanosleep(moment, NULL);
		thread_release(&held);
	}

	return taken;
}

/* Nobody changes anything for the time being */
bool ixp_target_forking(void)
{
	return atomic_load(&forking);
}

struct ixp_target *ixp_target_self(void)
{
	struct ixp_target *t;

	for (t = targets; t; t = t->next)
		if (t->self)
			return t;

	return NULL;
}

struct ixp_target *ixp_target_find(const struct ixp_ident *id)
{
	struct ixp_target *t;

	for (t = targets; t; t = t->next)
		if (t->id.ino == id->ino && t->id.dev == id->dev)
			return t;

	return NULL;
}

/* The same of a descriptor that bears its mark; NULL if it has to be looked at */
struct ixp_target *ixp_target_find_marked(int fd)
{
	ino_t mark = ixp_ident_marked(fd);
	struct ixp_target *t;

	for (t = targets; t; t = t->next)
		if (t->id.ino == mark)
			break;

	return t && (t->self || ixp_ident_alive(fd)) ? t : NULL;
}

/* In the child of a fork, make the target of its parent its own */
int ixp_target_identify(struct ixp_target *target)
{
	int fd = openat(AT_FDCWD, "/proc/self", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	close(target->fd);
	target->fd = fd;
	target->pid = getpid();

	return ixp_ident_of_fd(&target->id, fd);
}

/* Make a target of the process behind @fd; nobody finds it yet */
int ixp_target_new(struct ixp_target **target, const struct ixp_ident *id,
		   int fd)
{
	struct ixp_target *t = ixp_alloc(sizeof(*t));
	int ret;

	if (!t)
		return -ENOMEM;

	t->id = *id;
	t->arg = t->args;
	t->remote = -1;
	t->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	t->pid = t->fd < 0 ? -errno : ixp_ident_pid(t->fd);
	if (t->pid < 0) {
		ret = t->pid;
		ixp_target_free(t);
		return ret;
	}
	t->self = t->pid == getpid();
	*target = t;

	return 0;
}

/* From now on it is found */
void ixp_target_add(struct ixp_target *target)
{
	target->next = targets;
	targets = target;
}

void ixp_target_free(struct ixp_target *target)
{
	ixp_arbiter_close(target->set);
	ixp_profile_free(target->profile);
	ixp_arbiter_user_end(target->pid);
	if (target->remote >= 0)
		close(target->remote);
	ixp_view_close(target->view);
	if (target->fd >= 0)
		close(target->fd);
	ixp_free(target);
}

/* It is found no more, and gone */
void ixp_target_drop(struct ixp_target *target)
{
	struct ixp_target **link = &targets;

	while (*link != target)
		link = &(*link)->next;
	*link = target->next;
	ixp_target_free(target);
}

/* Forget processes that have been waited for: nobody can ask for them again */
void ixp_target_sweep(void)
{
	struct ixp_target **link = &targets;

	while (*link) {
		struct ixp_target *t = *link;

		if (t->self || ixp_ident_alive(t->fd)) {
			link = &t->next;
			continue;
		}
		*link = t->next;
		ixp_target_free(t);
	}
}
