// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Count programs that are started without fork(2), for example by posix_spawn(3). Such
 * a child cannot open events for itself, and runs before its PID is known. So it has
 * to inherit events that this process opens, and no other child may inherit these.
 *
 * The library makes a thread, and opens inherited events on it that start at execve(2).
 * The thread starts the program and ends. The thread itself never calls execve(2), so
 * its events count only the child and the child's own children. Once the thread has
 * ended, no other child can inherit from it. The counts are added as those of forked
 * children.
 */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/types.h>
#include <irixperf.h>
#include "arbiter.h"
#include "enter.h"
#include "ixp_child.h"
#include "proc_children.h"
#include "proc_counters.h"
#include "set.h"
#include "spec.h"
#include "target.h"

/**
 * struct spawn - what the thread gets, and what it returns
 * @start: starts the program
 * @arg: its argument
 * @counted: the thread has to start the program, because this process counts
 * @told: posted when @counted is known
 * @started: posted when the thread has called @start
 * @attr: what to count
 * @events: the events; NULL if they could not be opened
 * @pid: the program
 * @ret: what @start returned
 */
struct spawn {
	int (*start)(pid_t *pid, void *arg);
	void *arg;
	bool counted;
	sem_t told;
	sem_t started;
	struct irixperf_attr attr;
	struct irixperf_set *events;
	pid_t pid;
	int ret;
};

static int spawn_start(struct spawn *s)
{
	int ret;

	ixp_set_inside(true);
	ret = s->start(&s->pid, s->arg);
	ixp_set_inside(false);

	return ret;
}

static void *spawn_thread(void *arg)
{
	struct spawn *s = arg;

	sem_wait(&s->told);
	if (!s->counted)
		return NULL;
	if (irixperf_set_open(&s->events, &s->attr) < 0)
		s->events = NULL;
	s->ret = spawn_start(s);
	sem_post(&s->started);

	return NULL;
}

static int spawn_attr(struct spawn *s, const struct ixp_target *self)
{
	s->attr.size = sizeof(s->attr);
	s->attr.flags = IRIXPERF_INHERIT | IRIXPERF_ENABLE_ON_EXEC;

	return ixp_spec_decode(&s->attr, &self->arg);
}

static bool counts_now(const struct ixp_target *self)
{
	return self && self->set && self->epoch == ixp_arbiter_epoch();
}

/* If there is no thread, start the program anyway; its counts will be missing */
static void spawn_counted(struct spawn *s, struct ixp_target *self, bool thread)
{
	s->ret = spawn_attr(s, self);
	if (s->ret < 0)
		return;
	ixp_proc_tidy();
	s->counted = thread;
	if (thread) {
		sem_post(&s->told);
		sem_wait(&s->started);
	} else {
		s->ret = spawn_start(s);
	}

	if (s->ret < 0) {
		irixperf_set_close(s->events);
	} else if (!s->events || ixp_child_adopt(s->pid, s->events) < 0) {
		irixperf_set_close(s->events);
		ixp_proc_lose(self);
	}
}

/*
 * The thread is made and joined without the lock, because both may call malloc(3). The
 * program is started under the lock: another thread that waits for the program can
 * add its counts only when it is in the list of children.
 */
static void spawn_by_thread(struct spawn *s)
{
	struct ixp_target *self;
	struct ixp_held held;
	pthread_t thread;
	bool made, counted;

	sem_init(&s->told, 0, 0);
	sem_init(&s->started, 0, 0);
	ixp_thread_hold(&held);
	made = pthread_create(&thread, NULL, spawn_thread, s) == 0;
	ixp_enter();
	self = ixp_target_self();
	counted = counts_now(self);
	if (counted)
		spawn_counted(s, self, made);
	ixp_leave();
	if (!s->counted)
		sem_post(&s->told);
	if (made)
		pthread_join(thread, NULL);
	if (!counted)
		s->ret = spawn_start(s);
	ixp_thread_release(&held);
}

int irixperf_spawn(pid_t *pid, int (*start)(pid_t *pid, void *arg), void *arg)
{
	struct spawn s = { .start = start, .arg = arg };
	bool counted;

	/* Calls of a linked program that also preloads the library pass two doors */
	if (ixp_inside())
		return start(pid, arg);

	ixp_enter();
	counted = counts_now(ixp_target_self());
	ixp_leave();
	if (counted)
		spawn_by_thread(&s);
	else
		s.ret = spawn_start(&s);
	if (s.ret == 0 && pid)
		*pid = s.pid;

	return s.ret;
}
