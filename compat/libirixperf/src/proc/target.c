// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The processes whose counters this process has acquired, or has asked for.
 * Callers hold the lock (enter.h).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#include <irixperf.h>
#include "target.h"
#include "arbiter.h"
#include "buckets.h"
#include "ident.h"
#include "mem.h"
#include "peer.h"

static struct ixp_target *targets;

struct ixp_target *ixp_target_first(void)
{
	return targets;
}

/* Remove all targets from the list, and return them as a list of their own */
struct ixp_target *ixp_target_take_all(void)
{
	struct ixp_target *all = targets;

	targets = NULL;

	return all;
}

/* The target that is this process; NULL if there is none, or if a holder has it */
struct ixp_target *ixp_target_self(void)
{
	struct ixp_target *t;

	for (t = targets; t; t = t->next)
		if (t->self && t->state != IXP_HELD)
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

/* Find a target by the mark of its descriptor; NULL: ixp_target_find() may find it */
struct ixp_target *ixp_target_find_marked(int fd)
{
	ino_t mark = ixp_ident_marked(fd);
	struct ixp_target *t;

	for (t = targets; t; t = t->next)
		if (t->id.ino == mark)
			break;

	return t && (t->self || ixp_ident_alive(fd)) ? t : NULL;
}

/* Called in a forked child: let the parent's own target mean the child */
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

/* Make a target for the process of @fd; ixp_target_add() puts it into the list */
int ixp_target_new(struct ixp_target **target, const struct ixp_ident *id,
		   int fd)
{
	struct ixp_target *t = ixp_alloc(sizeof(*t));
	int ret;

	if (!t)
		return -ENOMEM;

	t->id = *id;
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
	ixp_peer_close(target->peer);
	if (target->fd >= 0)
		close(target->fd);
	ixp_free(target);
}

/* Remove a target from the list, and free it */
void ixp_target_drop(struct ixp_target *target)
{
	struct ixp_target **link = &targets;

	while (*link != target)
		link = &(*link)->next;
	*link = target->next;
	ixp_target_free(target);
}

/* Free the targets of processes that are gone: no descriptor means them any more */
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
