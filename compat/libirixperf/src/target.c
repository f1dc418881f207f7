// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The processes whose counters this process has acquired. What a program
 * acquires belongs to it: it ends with the program, and its forked children
 * know nothing of it. They could do harm otherwise, because the events behind
 * inherited descriptors are still the parent's.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
#include "internal.h"

static struct ixp_target *targets;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t fork_once = PTHREAD_ONCE_INIT;

static void fork_lock(void)
{
	pthread_mutex_lock(&lock);
}

static void fork_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

static void fork_child(void)
{
	while (targets) {
		struct ixp_target *t = targets;

		targets = t->next;
		ixp_target_free(t);
	}
	fork_unlock();
}

/* Without this a child could inherit a lock that nobody will ever give back */
static void fork_prepare(void)
{
	pthread_atfork(fork_lock, fork_unlock, fork_child);
}

void ixp_target_lock(void)
{
	pthread_once(&fork_once, fork_prepare);
	pthread_mutex_lock(&lock);
}

void ixp_target_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

struct ixp_target *ixp_target_find(const struct ixp_ident *id)
{
	struct ixp_target *t;

	for (t = targets; t; t = t->next)
		if (t->id.ino == id->ino && t->id.dev == id->dev)
			return t;

	return NULL;
}

/* Make a target of the process behind @fd; nobody finds it yet */
int ixp_target_new(struct ixp_target **target, const struct ixp_ident *id,
		   int fd)
{
	struct ixp_target *t = calloc(1, sizeof(*t));
	int ret;

	if (!t)
		return -ENOMEM;

	t->id = *id;
	t->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	t->pid = t->fd < 0 ? -errno : ixp_ident_pid(t->fd);
	if (t->pid < 0) {
		ret = t->pid;
		ixp_target_free(t);
		return ret;
	}
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
	irixperf_set_close(target->set);
	if (target->fd >= 0)
		close(target->fd);
	free(target);
}

/* Forget processes that have been waited for: nobody can ask for them again */
void ixp_target_sweep(void)
{
	struct ixp_target **link = &targets;

	while (*link) {
		struct ixp_target *t = *link;

		if (ixp_ident_alive(t->fd)) {
			link = &t->next;
			continue;
		}
		*link = t->next;
		ixp_target_free(t);
	}
}
