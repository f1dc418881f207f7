// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Entry to the library: the lock, the work that each thread does after it has taken
 * the lock and before it releases it, and the handlers of fork(2). A forked child has
 * counters of its own, and no counters of other processes.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <irixperf.h>
#include "enter.h"
#include "arbiter.h"
#include "grace.h"
#include "ident.h"
#include "ixp_child.h"
#include "proc.h"
#include "proc_children.h"
#include "proc_counters.h"
#include "profile.h"
#include "reaped.h"
#include "snapshot.h"
#include "target.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct ixp_held lock_held;

/**
 * ixp_thread_hold() - block signals and cancellation in this thread
 * @held: gets the state that ixp_thread_release() restores
 */
void ixp_thread_hold(struct ixp_held *held)
{
	sigset_t all, mask;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &mask);
	memcpy(held->signals, &mask, sizeof(held->signals));
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &held->cancel);
}

void ixp_thread_release(const struct ixp_held *held)
{
	sigset_t mask;

	sigemptyset(&mask);
	memcpy(&mask, held->signals, sizeof(held->signals));
	pthread_setcancelstate(held->cancel, NULL);
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

/*
 * False in a child that _Fork() or clone(2) has made: such a child has a copy of its
 * parent's state, which it must not use, but no handler has told the library. The
 * kernel clears this page in each child (MADV_WIPEONFORK); the handler of fork(2) then
 * sets it again. NULL if the kernel cannot do so.
 */
static bool *owned;

static void lock_begin(const struct ixp_held *held)
{
	pid_t pid;

	lock_held = *held;
	if (!owned)
		ixp_caller = 0;
	ixp_snapshots_drop();
	while ((pid = ixp_reaped_get()))
		ixp_proc_reaped(pid);
}

/*
 * True while a thread is in fork(2). fork(2) takes the locks of malloc(3) while this
 * thread has ours. So a signal handler that has interrupted malloc(3) must not wait for
 * our lock; while this is true, it can read all counters without the lock.
 */
static atomic_bool forking;

/* Called in every child: forget the parent's readers, handlers and threads */
static void owner_change(void)
{
	if (owned)
		*owned = true;
	ixp_caller = 0;
	atomic_store(&forking, false);
	ixp_read_fork_child();
	ixp_reaped_fork_child();
	ixp_profile_fork_child();
}

/*
 * If this is a child of _Fork(3) or clone(2) (see @owned), forget the parent's state. Close
 * nothing: after clone(2) the child may share its descriptors with the parent.
 */
static void owner_check(void)
{
	if (!owned || *owned)
		return;
	owner_change();
	lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
	ixp_retired_forget();
	ixp_snapshots_forget();
	ixp_target_take_all();
	ixp_child_forget_all();
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
	struct ixp_held held;

	ixp_thread_hold(&held);
	owner_check();
	pthread_mutex_lock(&lock);
	lock_begin(&held);
}

static void lock_give(void)
{
	struct ixp_held held = lock_held;

	/* Update the page before descriptors are closed that it names */
	ixp_proc_show();
	ixp_retired_free();
	pthread_mutex_unlock(&lock);
	ixp_thread_release(&held);
}

static void fork_before(void)
{
	struct ixp_target *t;

	lock_take();
	ixp_proc_tidy();
	ixp_child_fork_prepare();
	for (t = ixp_target_first(); t; t = t->next)
		if (ixp_target_is_here(t))
			ixp_snapshot_publish(t);
	atomic_store(&forking, true);
}

/* If the child has no link, its counts will be missing: then the generation grows */
static void fork_in_parent(void)
{
	struct ixp_target *self = ixp_target_self();

	atomic_store(&forking, false);
	ixp_snapshots_drop();
	if (!ixp_child_fork_parent() && self && self->set)
		ixp_proc_lose(self);
	lock_give();
}

static void fork_in_child(void)
{
	struct ixp_target *t, *next, *self = ixp_target_self();

	owner_change();
	ixp_snapshots_drop();
	ixp_child_fork_child();
	for (t = ixp_target_take_all(); t; t = next) {
		next = t->next;
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

/* A constructor, because the program may fork before it first calls this library */
__attribute__((constructor))
static void fork_prepare(void)
{
	owner_begin();
	pthread_atfork(fork_before, fork_in_parent, fork_in_child);
	atexit(irixperf_children_sync);
}

void ixp_enter(void)
{
	lock_take();
	ixp_profile_drain();
}

void ixp_leave(void)
{
	lock_give();
}

/**
 * ixp_enter_soon() - take the lock if it is free
 * @moment: how long to sleep if it is not free; NULL: not at all
 *
 * Return: true if it was taken.
 */
bool ixp_enter_soon(const struct timespec *moment)
{
	struct ixp_held held;
	bool taken;

	ixp_thread_hold(&held);
	owner_check();
	taken = pthread_mutex_trylock(&lock) == 0;
	if (taken) {
		lock_begin(&held);
		ixp_profile_drain();
	} else {
		if (moment)
			nanosleep(moment, NULL);
		ixp_thread_release(&held);
	}

	return taken;
}

/* True while another thread is in fork(2): it has the lock, so nothing changes */
bool ixp_forking(void)
{
	return atomic_load(&forking);
}

static _Thread_local bool inside;

/**
 * ixp_inside() - tell whether this library has called the C library
 *
 * If so, the door passes calls on unchanged. It needs this in static programs, where
 * the C library's own calls go through the door: in the child of posix_spawn(3) they
 * come from a process that shares this memory and its locks.
 *
 * Return: true between ixp_set_inside(true) and ixp_set_inside(false) of this thread.
 */
bool ixp_inside(void)
{
	return inside;
}

void ixp_set_inside(bool now)
{
	inside = now;
}

/*
 * Note the child, and add its counts if the lock is free. If not, the next thread that
 * takes the lock adds them.
 */
void irixperf_child_reaped(pid_t pid)
{
	if (pid <= 0 || ixp_inside())
		return;
	if (!ixp_reaped_put(pid)) {
		ixp_enter();
		ixp_proc_reaped(pid);
		ixp_leave();
	} else if (ixp_enter_soon(NULL)) {
		ixp_leave();
	}
}

void irixperf_children_sync(void)
{
	struct ixp_target *self;

	if (ixp_inside())
		return;
	ixp_enter();
	self = ixp_target_self();
	if (self)
		ixp_proc_children(self);
	ixp_leave();
}
