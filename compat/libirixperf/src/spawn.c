// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Programs that are started without fork(2), as posix_spawn(3) does it: there is
 * no moment at which the child could open events for itself, and afterwards it
 * is too late, as it runs already.
 *
 * So the kernel has to inherit events, and only in this child. A thread is made
 * for it that has events which wait for execve(2): it calls the C library, and
 * ends. It has never executed a program, so its events have counted nothing but
 * the child and what the child starts; and once it has ended, no other child can
 * inherit from it. What they have counted is added as for forked children.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include "arbiter.h"
#include "internal.h"

/**
 * struct spawn - what the thread is told, and what it answers
 * @start: starts the program
 * @arg: its argument
 * @attr: what to count
 * @events: the events; NULL if they could not be opened
 * @pid: the program
 * @ret: what @start returned
 */
struct spawn {
	int (*start)(pid_t *pid, void *arg);
	void *arg;
	struct irixperf_attr attr;
	struct irixperf_set *events;
	pid_t pid;
	int ret;
};

/*
 * In static programs the C library's own calls come through the door. In the
 * child they come from a process that has our memory and our locks.
 */
static _Thread_local bool inside;

bool ixp_spawn_inside(void)
{
	return inside;
}

static int spawn_start(struct spawn *s)
{
	int ret;

	inside = true;
	ret = s->start(&s->pid, s->arg);
	inside = false;

	return ret;
}

static void *spawn_thread(void *arg)
{
	struct spawn *s = arg;

	if (irixperf_set_open(&s->events, &s->attr) < 0)
		s->events = NULL;
	s->ret = spawn_start(s);

	return NULL;
}

/* Without a thread it is started all the same, and its counts will be missing */
static int spawn_counted(struct spawn *s)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, spawn_thread, s) == 0)
		pthread_join(thread, NULL);
	else
		s->ret = spawn_start(s);

	return s->ret;
}

static int spawn_by(struct ixp_target *self, struct spawn *s)
{
	int ret;

	s->attr.size = sizeof(s->attr);
	s->attr.flags = IRIXPERF_INHERIT | IRIXPERF_ENABLE_ON_EXEC;
	ret = ixp_spec_decode(&s->attr, self->arg);
	if (ret < 0)
		return ret;

	ret = spawn_counted(s);
	if (ret < 0) {
		irixperf_set_close(s->events);
	} else if (!s->events || ixp_child_adopt(s->pid, s->events) < 0) {
		irixperf_set_close(s->events);
		self->generation++;
	}

	return ret;
}

static bool counts_now(const struct ixp_target *self)
{
	return self && self->set && self->epoch == ixp_arbiter_epoch();
}

int irixperf_spawn(pid_t *pid, int (*start)(pid_t *pid, void *arg), void *arg)
{
	struct spawn s = { .start = start, .arg = arg };
	struct ixp_target *self;
	bool counted;
	int ret = 0;

	/* One door behind the other: the program is linked and preloaded */
	if (inside)
		return start(pid, arg);

	ixp_target_lock();
	self = ixp_target_self();
	counted = counts_now(self);
	if (counted)
		ret = spawn_by(self, &s);
	ixp_target_unlock();
	if (!counted)
		ret = spawn_start(&s);
	if (ret == 0 && pid)
		*pid = s.pid;

	return ret;
}
