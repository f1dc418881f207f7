// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The processes whose counters this process has acquired. What a program
 * acquires belongs to it: it ends with the program, and a forked child sees
 * its parent's counters but cannot change them for the parent.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
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

/* Without this a child could inherit a lock that nobody will ever give back */
static void fork_prepare(void)
{
	pthread_atfork(fork_lock, fork_unlock, fork_unlock);
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
		if (t->id.pid == id->pid && t->id.start == id->start)
			return t;

	return NULL;
}

/* Return a new target, or NULL without memory */
struct ixp_target *ixp_target_new(const struct ixp_ident *id)
{
	struct ixp_target *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->id = *id;
	t->next = targets;
	targets = t;

	return t;
}

static bool target_gone(const struct ixp_target *t)
{
	return kill(t->id.pid, 0) < 0 && errno == ESRCH;
}

/* Forget processes that have been waited for: nobody can ask for them again */
void ixp_target_sweep(void)
{
	struct ixp_target **link = &targets;

	while (*link) {
		struct ixp_target *t = *link;

		if (!target_gone(t)) {
			link = &t->next;
			continue;
		}
		*link = t->next;
		irixperf_set_close(t->set);
		free(t);
	}
}
