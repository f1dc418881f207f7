// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Counting across fork(2), wait(2) and exit(2), as r10k_evcntrs(5) describes it on
 * pages 9 and 14: a child counts the events of its parent, from zero, and its
 * counts are added to its parent's when the parent waits for it, or, after
 * PIOCSAVECCNTRS or irixperf_children_save(), when it has exited.
 *
 * The kernel can inherit events, but would then add the counts of all children at
 * once, even of those for which the parent has not waited. So each child opens events
 * of its own and makes their counts available to its parent: childlink.h.
 *
 * A program that posix_spawn(3) starts does none of this: its parent opens the events
 * for it, and keeps them (spawn.c).
 *
 * Callers hold the lock.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <irixperf.h>
#include "ixp_child.h"
#include "childlink.h"
#include "mem.h"
#include "set.h"
#include "setlist.h"

/**
 * struct child - a child for which this process has not yet waited
 * @next: the next one
 * @link: connects it with this process
 * @saved: its counts are added without a wait: PIOCSAVECCNTRS
 * @events: events of a spawned program; its @link has a pidfd instead of a socket
 * @pid: PID of a spawned program
 */
struct child {
	struct child *next;
	struct ixp_link link;
	bool saved;
	struct irixperf_set *events;
	pid_t pid;
};

/*
 * More messages than a socket has room for. Without this limit, a process at the
 * other end that never stops sending could keep this one busy forever.
 */
#define MAX_MESSAGES	4096

/*
 * How many milliseconds to wait, in all, for children to write their PIDs: a child
 * that has just been forked has to get a CPU first
 */
#define MAX_WAIT	1000

static struct child *children;
static unsigned int nr_children, nr_saved, nr_to_sweep = 16;
static bool save_all;		/* irixperf_children_save(); a forked child saves its own, too */
static struct ixp_link to_parent = IXP_NO_LINK;
static struct ixp_link forked = IXP_NO_LINK;	/* of the fork that is under way */
static unsigned int last_serial;

static bool pid_gone(pid_t pid)
{
	return kill(pid, 0) < 0 && errno == ESRCH;
}

/* The PID of the child; 0 if the child has not yet written it */
static pid_t child_pid_now(const struct child *child)
{
	if (child->events)
		return child->pid;

	return __atomic_load_n(&child->link.shared->pid, __ATOMIC_ACQUIRE);
}

/* Can it be waited for, or has it been? Its link ends with its program, at execve(2) */
static bool pid_ended(pid_t pid)
{
	siginfo_t info = { .si_pid = 0 };

	return syscall(SYS_waitid, P_PID, pid, &info, WEXITED | WNOHANG | WNOWAIT, NULL) < 0 ||
	       info.si_pid;
}

static bool child_ended(const struct child *child)
{
	struct pollfd p = { .fd = child->link.parent_end, .events = POLLIN };
	pid_t pid = child_pid_now(child);

	if (!child->events)
		return ixp_link_ended(&child->link) && (!pid || pid_ended(pid));

	return p.fd < 0 ? pid_gone(child->pid) : poll(&p, 1, 0) == 1;
}

/**
 * ixp_child_offer() - send descriptors of this process' events to the parent
 * @set: the events of all threads; NULL for none
 *
 * The kernel limits the number of descriptors in sockets. If they cannot be sent,
 * the shared page tells the parent that counts are missing.
 *
 * Return: the number of the offer, for ixp_child_commit().
 */
unsigned int ixp_child_offer(const struct irixperf_set *set)
{
	struct ixp_message msg = { .nr = 0 };
	unsigned int i;

	if (!set || !to_parent.shared)
		return 0;
	msg.nr = ixp_setlist_count(set);
	msg.serial = ++last_serial;
	for (; set && !to_parent.shared->lost; set = set->next) {
		msg.events = set->nr;
		for (i = 0; i < set->nr; i++) {
			msg.event[i] = set->event[i];
			msg.leader[i] = set->group[i] != 0;
		}
		to_parent.shared->lost = ixp_link_send(&to_parent, &msg, set) < 0;
	}

	return last_serial;
}

/* True if the parent had this library when it forked this process */
bool ixp_child_has_parent(void)
{
	return to_parent.shared;
}

/* True if there are children whose counts are added when they exit, without a wait */
bool ixp_child_any_saved(void)
{
	return nr_saved > 0;
}

/* The counts that the parent gets from this process will not be complete */
void ixp_child_lose(void)
{
	if (to_parent.shared)
		to_parent.shared->starved = true;
}

/* They will be, as they start from zero again */
void ixp_child_complete(void)
{
	if (to_parent.shared)
		to_parent.shared->starved = false;
}

/**
 * ixp_child_commit() - let the parent see the counts of this process
 * @offer: number of the offer with the events that count now
 * @counts: the counts to which the parent adds those of these events
 *
 * A single store makes both valid at once, so what the parent sees is complete, even
 * if this process is killed meanwhile. After that, messages of older offers are
 * removed from the socket.
 */
void ixp_child_commit(unsigned int offer, const hwperf_cntr_t *counts)
{
	struct ixp_message old = { .serial = 0 };
	struct irixperf_set events;
	unsigned int turn, seen = 0;

	if (!to_parent.shared)
		return;

	turn = !(to_parent.shared->turn & 1);
	to_parent.shared->kept[turn] = (struct ixp_kept){ offer, *counts };
	__atomic_store_n(&to_parent.shared->turn, turn, __ATOMIC_RELEASE);

	/* Stop at the limit, as the parent can send messages without end */
	while (seen++ < MAX_MESSAGES && ixp_link_peek(&to_parent, &old.serial) >= 0 &&
	       old.serial != offer && ixp_link_receive(&to_parent, &old, &events) != -EAGAIN)
		ixp_set_empty(&events);
}

/* Add the counts of the events of offer @serial; false if some are missing */
static bool child_add_events(struct ixp_link *link, unsigned int serial,
			     hwperf_cntr_t *sum)
{
	struct ixp_message msg = { .serial = 0 };
	unsigned int added = 0, nr = serial != 0, seen;
	struct irixperf_set events;
	uint64_t starved = 0;
	int ret;

	for (seen = 0; seen < MAX_MESSAGES; seen++) {
		ret = ixp_link_receive(link, &msg, &events);
		if (ret == -EAGAIN)
			break;
		if (ret != -EPERM && msg.serial == serial) {
			nr = msg.nr;
			added += ret == 0 && ixp_set_add(&events, sum, &starved) == 0;
		}
		ixp_set_empty(&events);
	}

	return added == nr && !starved;
}

/* Add the counts of a child that has exited; false if some are missing */
static bool child_add(struct child *child, hwperf_cntr_t *sum)
{
	const struct ixp_shared *shared = child->link.shared;
	struct ixp_kept kept;
	uint64_t starved = 0;

	if (child->events)
		return ixp_set_add(child->events, sum, &starved) == 0 && !starved;

	kept = shared->kept[__atomic_load_n(&shared->turn, __ATOMIC_ACQUIRE) & 1];
	ixp_counts_add(sum, &kept.counts);

	return child_add_events(&child->link, kept.serial, sum) &&
	       !shared->lost && !shared->starved;
}

static void child_forget(struct child **where)
{
	struct child *child = *where;

	*where = child->next;
	nr_children--;
	nr_saved -= child->saved;
	ixp_link_drop(&child->link);
	irixperf_set_close(child->events);
	ixp_free(child);
}

/*
 * A child writes its PID when it first runs, which may be after fork(2) has returned
 * in the parent: so wait for children that have not yet done so.
 */
static struct child **child_find(pid_t pid)
{
	struct child **where;
	unsigned int wait;
	pid_t now;
	bool all;

	for (wait = 0; wait < MAX_WAIT; wait++) {
		all = true;
		for (where = &children; *where; where = &(*where)->next) {
			now = child_pid_now(*where);
			/* The child may have written its PID in between, and ended */
			if (!now && ixp_link_ended(&(*where)->link))
				now = child_pid_now(*where);
			else
				all &= now != 0;
			if (now == pid)
				return where;
		}
		if (all)
			break;
		poll(NULL, 0, 1);
	}

	return NULL;
}

/**
 * ixp_child_sweep() - add the counts of saved children that have exited
 * @sum: what they are added to
 *
 * The children are then forgotten. If this process waits for one of them later, the
 * wait adds nothing; if it ignores SIGCHLD, the kernel has already reaped them.
 *
 * Return: 0 if there are none; 1 if counts were added; -EIO if some are missing.
 */
int ixp_child_sweep(hwperf_cntr_t *sum)
{
	struct child **where = &children;
	int ret = 0;

	while (nr_saved && *where) {
		if (!(*where)->saved || !child_ended(*where)) {
			where = &(*where)->next;
			continue;
		}
		if (!child_add(*where, sum))
			ret = -EIO;
		else if (ret == 0)
			ret = 1;
		child_forget(where);
	}

	return ret;
}

/**
 * ixp_child_take() - take the counts of a child that has been waited for
 * @pid: the child
 * @sum: what they are added to
 *
 * Return: 0; -ESRCH if there is no such child; -EIO if some are missing.
 */
int ixp_child_take(pid_t pid, hwperf_cntr_t *sum)
{
	struct child **where = child_find(pid);
	bool good;

	if (!where)
		return -ESRCH;

	good = child_add(*where, sum);
	child_forget(where);

	return good ? 0 : -EIO;
}

/**
 * ixp_child_exists() - tell whether this process has a child
 * @pid: the child
 *
 * Return: true if this process has made the child with this library, and has not yet
 * waited for it.
 */
bool ixp_child_exists(pid_t pid)
{
	return child_find(pid);
}

/**
 * ixp_child_save() - add the counts of a child when it exits, without a wait
 * @pid: the child
 *
 * Return: 0, or -ESRCH if there is no such child.
 */
int ixp_child_save(pid_t pid)
{
	struct child **where = child_find(pid);

	if (!where)
		return -ESRCH;
	nr_saved += !(*where)->saved;
	(*where)->saved = true;

	return 0;
}

/* From now on, the counts of all children are added when they exit */
void ixp_child_save_all(void)
{
	struct child *child;

	save_all = true;
	for (child = children; child; child = child->next)
		child->saved = true;
	nr_saved = nr_children;
}

/* True if there are so many children that it is time to look which have ended */
bool ixp_child_crowd(void)
{
	return nr_children >= nr_to_sweep;
}

/* New children */

/* Forget children that the kernel has reaped because the program ignores SIGCHLD */
static void children_forget_gone(void)
{
	struct child **where = &children;

	if (!ixp_child_crowd())
		return;
	while (*where) {
		pid_t pid = child_pid_now(*where);

		if (child_ended(*where) && !(*where)->saved &&
		    (pid == 0 || pid_gone(pid)))
			child_forget(where);
		else
			where = &(*where)->next;
	}
	nr_to_sweep = 2 * nr_children + 16;
}

static void child_insert(struct child *child)
{
	child->next = children;
	child->saved = save_all;
	children = child;
	nr_children++;
	nr_saved += save_all;
}

/**
 * ixp_child_adopt() - treat a spawned program as a child
 * @pid: the program
 * @events: its events; on success the child owns them
 *
 * If the kernel has already reaped the program, there is no pidfd: then its PID alone
 * shows that it has ended.
 *
 * Return: 0 or -ENOMEM.
 */
int ixp_child_adopt(pid_t pid, struct irixperf_set *events)
{
	struct child *child = ixp_alloc(sizeof(*child));

	if (!child)
		return -ENOMEM;

	children_forget_gone();
	child->link = (struct ixp_link)IXP_NO_LINK;
	child->link.parent_end = (int)syscall(SYS_pidfd_open, pid, 0);
	child->events = events;
	child->pid = pid;
	child_insert(child);

	return 0;
}

/* Around fork(2) */

/*
 * A process that counts nothing makes the link as well: its first request may be
 * PIOCSAVECCNTRS, for a child that has acquired its own counters.
 */
void ixp_child_fork_prepare(void)
{
	children_forget_gone();
	if (ixp_link_make(&forked) < 0)
		forked = (struct ixp_link)IXP_NO_LINK;
}

/* Return: false if the counts of the new child will be missing */
bool ixp_child_fork_parent(void)
{
	struct child *child = forked.shared ? ixp_alloc(sizeof(*child)) : NULL;

	if (!child) {
		ixp_link_drop(&forked);
		return false;
	}
	close(forked.child_end);
	forked.child_end = -1;
	child->link = forked;
	child_insert(child);
	forked = (struct ixp_link)IXP_NO_LINK;

	return true;
}

void ixp_child_fork_child(void)
{
	while (children)
		child_forget(&children);
	ixp_link_drop(&to_parent);
	to_parent = forked;
	forked = (struct ixp_link)IXP_NO_LINK;
	last_serial = 0;
	if (to_parent.shared)
		__atomic_store_n(&to_parent.shared->pid, getpid(), __ATOMIC_RELEASE);
}

/*
 * Runs in a child that _Fork() or clone(2) has made: its copy of this state belongs
 * to the parent. Nothing is closed, as the child may share the parent's descriptors.
 */
void ixp_child_forget_all(void)
{
	children = NULL;
	nr_children = 0;
	nr_saved = 0;
	to_parent = (struct ixp_link)IXP_NO_LINK;
	forked = (struct ixp_link)IXP_NO_LINK;
}
