// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Counters over fork(2), wait(2) and exit(2), as r10k_evcntrs(5) has them on
 * pages 9 and 14: a child counts what its parent counts, from zero, and its
 * counts are added to its parent's when the parent waits for it, or has asked
 * for them by PIOCSAVECCNTRS.
 *
 * The kernel could inherit events by itself, but would then add all children
 * up at once, whoever waits for them. So each child has events of its own, and
 * lays open to its parent what only the two of them need to know: a shared
 * page with what it has counted so far, and, through a socket, descriptors of
 * its events. Neither is lost if the child is killed: descriptors stay in the
 * socket until the parent looks, and the last counts with them.
 *
 * A child may have given up its parent's rights since it was forked. So the parent
 * takes nothing but numbers from the page, and messages of nobody but the user that
 * both were then.
 *
 * Programs that were not forked, but spawned, know nothing of this; their events
 * are the parent's from the start: see spawn.c.
 *
 * Callers hold the lock.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "internal.h"

/**
 * struct kept - what a process has counted outside of its open events
 * @serial: the message that had these events; 0 if there are none
 * @counts: the counts at its release, and those of its children
 */
struct kept {
	unsigned int serial;
	hwperf_cntr_t counts;
};

/**
 * struct shared - the page that a process and its parent have in common
 * @pid: the process; 0 until it has begun
 * @lost: it could not tell its parent about its events
 * @turn: which of @kept holds; the other one may be half written
 * @kept: the process writes, its parent reads
 */
struct shared {
	pid_t pid;
	bool lost;
	unsigned int turn;
	struct kept kept[2];
};

/**
 * struct link - between a process and its parent
 * @shared: the page
 * @tell: the child's end of the socket
 * @hear: the parent's end; the child has it, too, to take back what is outdated
 * @uid: the user of both when the child was forked
 */
struct link {
	struct shared *shared;
	int tell;
	int hear;
	uid_t uid;
};

/**
 * struct child - a child that nobody has waited for yet
 * @next: the next one
 * @link: what there is between it and this process
 * @saved: its counts are wanted without a wait
 * @events: of a spawned program; its link is a pidfd in the place of the socket
 * @pid: of a spawned program
 */
struct child {
	struct child *next;
	struct link link;
	bool saved;
	struct irixperf_set *events;
	pid_t pid;
};

/**
 * struct message - with descriptors of the events of one thread
 * @serial: the same for all threads
 * @nr: how many of these messages there are
 * @events: how many events, each with a descriptor
 * @event: their numbers
 * @leader: whether they are the first of their groups
 */
struct message {
	unsigned int serial;
	unsigned int nr;
	unsigned int events;
	unsigned char event[2 * IXP_MAX_PAIRS];
	unsigned char leader[2 * IXP_MAX_PAIRS];
};

/* Who has sent a message, as the kernel says, and its descriptors */
union control {
	struct cmsghdr align;
	char buf[CMSG_SPACE(sizeof(struct ucred)) +
		 CMSG_SPACE(2 * IXP_MAX_PAIRS * sizeof(int))];
};

/* More than a socket has room for: others may still send when a child has ended */
#define MAX_MESSAGES	4096

/*
 * How long children may take to say their numbers, together, in milliseconds: one
 * that has just been forked has to get a CPU first
 */
#define MAX_WAIT	1000

#define NO_LINK	{ .tell = -1, .hear = -1 }

static struct child *children;
static unsigned int nr_children, nr_saved, nr_to_sweep = 16;
static struct link up = NO_LINK;	/* to the parent */
static struct link next = NO_LINK;	/* of the fork that is under way */
static unsigned int last_serial;

static void end_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void link_drop(struct link *link)
{
	end_close(&link->tell);
	end_close(&link->hear);
	if (link->shared)
		munmap(link->shared, sizeof(*link->shared));
	link->shared = NULL;
}

static int link_make(struct link *link)
{
	const int on = 1;
	int sock[2];
	void *page;

	page = mmap(NULL, sizeof(struct shared), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED)
		return -ENOMEM;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sock) < 0) {
		munmap(page, sizeof(struct shared));
		return -ENOMEM;
	}
	*link = (struct link){ page, sock[0], sock[1], getuid() };
	/* The kernel knows this option of all sockets of this kind */
	setsockopt(link->hear, SOL_SOCKET, SO_PASSCRED, &on, sizeof(on));

	return 0;
}

/* As long as the child is there, it holds its end */
static bool link_ended(const struct link *link)
{
	struct pollfd p = { .fd = link->hear };

	return poll(&p, 1, 0) == 1 && (p.revents & POLLHUP);
}

static bool pid_gone(pid_t pid)
{
	return kill(pid, 0) < 0 && errno == ESRCH;
}

static bool child_ended(const struct child *child)
{
	struct pollfd p = { .fd = child->link.hear, .events = POLLIN };

	if (!child->events)
		return link_ended(&child->link);

	return p.fd < 0 ? pid_gone(child->pid) : poll(&p, 1, 0) == 1;
}

static ssize_t link_send(const struct link *link, const struct message *msg,
			 const struct irixperf_set *set)
{
	size_t size = set->nr * sizeof(int);
	union control control = { .buf = { 0 } };
	struct iovec iov = { (void *)msg, sizeof(*msg) };
	struct msghdr hdr = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = control.buf, .msg_controllen = CMSG_SPACE(size),
	};
	struct cmsghdr *cmsg = CMSG_FIRSTHDR(&hdr);

	cmsg->cmsg_level = SOL_SOCKET;
	cmsg->cmsg_type = SCM_RIGHTS;
	cmsg->cmsg_len = CMSG_LEN(size);
	memcpy(CMSG_DATA(cmsg), set->fd, size);

	return sendmsg(link->tell, &hdr, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/*
 * Look at the next message. The control data has room for who sent it, and for no
 * descriptor: there are files whose close(2) does not return.
 *
 * Return: 1; 0 if this process is not to take it; -EAGAIN if there is none
 */
static int link_peek(const struct link *link, unsigned int *serial)
{
	union control control;
	struct iovec iov = { serial, sizeof(*serial) };
	struct msghdr hdr = {
		.msg_iov = &iov, .msg_iovlen = 1, .msg_control = control.buf,
		.msg_controllen = CMSG_SPACE(sizeof(struct ucred)),
	};
	const struct cmsghdr *cmsg;
	struct ucred who;

	if (recvmsg(link->hear, &hdr, MSG_DONTWAIT | MSG_PEEK) <= 0)
		return -EAGAIN;
	cmsg = CMSG_FIRSTHDR(&hdr);
	if (!cmsg || cmsg->cmsg_type != SCM_CREDENTIALS)
		return 0;
	memcpy(&who, CMSG_DATA(cmsg), sizeof(who));

	return who.uid == link->uid;
}

static void set_drop(struct irixperf_set *set)
{
	while (set->nr > 0)
		ixp_kernel.perf_close(set->fd[--set->nr]);
}

/*
 * Take the next message, and its events, which the caller drops.
 *
 * Return: 0; -EIO if it does not have the events that it names; -EPERM if it is
 * not for this process to take; -EAGAIN if there is none
 */
static int link_receive(const struct link *link, struct message *msg,
			struct irixperf_set *set)
{
	union control control;
	struct iovec iov = { msg, sizeof(*msg) };
	struct msghdr hdr = {
		.msg_iov = &iov, .msg_iovlen = 1, .msg_control = control.buf,
	};
	int ours = link_peek(link, &msg->serial);
	unsigned int i, nr = 0;
	struct cmsghdr *cmsg;
	int fd, ret = 0;

	set->nr = 0;
	if (ours > 0)
		hdr.msg_controllen = sizeof(control);
	if (ours < 0 || recvmsg(link->hear, &hdr,
				MSG_DONTWAIT | MSG_CMSG_CLOEXEC) <= 0)
		return -EAGAIN;
	if (!ours)
		return -EPERM;

	for (cmsg = CMSG_FIRSTHDR(&hdr); cmsg; cmsg = CMSG_NXTHDR(&hdr, cmsg))
		if (cmsg->cmsg_type == SCM_RIGHTS)
			break;
	if (cmsg)
		nr = (cmsg->cmsg_len - CMSG_LEN(0)) / sizeof(int);
	for (i = 0; i < nr; i++) {
		memcpy(&fd, CMSG_DATA(cmsg) + i * sizeof(fd), sizeof(fd));
		if (ret == 0)
			ret = ixp_set_take(set, fd, msg->event[i], msg->leader[i]);
		if (ret < 0)
			ixp_kernel.perf_close(fd);
	}

	return ret == 0 && nr == msg->events ? 0 : -EIO;
}

static void offer_send(const struct irixperf_set *set, unsigned int serial)
{
	struct message msg = { .serial = serial };
	unsigned int i;

	msg.nr = ixp_threads_count(set);
	for (; set && !up.shared->lost; set = set->next) {
		msg.events = set->nr;
		for (i = 0; i < set->nr; i++) {
			msg.event[i] = set->event[i];
			msg.leader[i] = set->group[i] != 0;
		}
		up.shared->lost = link_send(&up, &msg, set) < 0;
	}
}

/**
 * ixp_child_offer() - let the parent have descriptors of this process' events
 * @set: the events of all threads; NULL for none
 *
 * The kernel limits the number of descriptors that are under way. If they
 * cannot be sent, the parent is told that counts are missing.
 *
 * Return: the number to commit.
 */
unsigned int ixp_child_offer(const struct irixperf_set *set)
{
	if (!set || !up.shared)
		return 0;
	offer_send(set, ++last_serial);

	return last_serial;
}

/* A parent that had this library when it forked this process */
bool ixp_child_has_parent(void)
{
	return up.shared;
}

/* Children whose counts are wanted as soon as they end */
bool ixp_child_any_saved(void)
{
	return nr_saved > 0;
}

/**
 * ixp_child_commit() - make it known that the counts of this process changed
 * @offer: which events they are to be added to
 * @counts: all that these events do not have
 *
 * One store puts it in force, so that the parent never sees half of it, even
 * if this process is killed meanwhile. Then what is outdated is taken back.
 */
void ixp_child_commit(unsigned int offer, const hwperf_cntr_t *counts)
{
	struct message old = { .serial = 0 };
	struct irixperf_set events;
	unsigned int turn, seen = 0;

	if (!up.shared)
		return;

	turn = !(up.shared->turn & 1);
	up.shared->kept[turn] = (struct kept){ offer, *counts };
	__atomic_store_n(&up.shared->turn, turn, __ATOMIC_RELEASE);

	/* The parent could send without end, too */
	while (seen++ < MAX_MESSAGES && link_peek(&up, &old.serial) >= 0 &&
	       old.serial != offer && link_receive(&up, &old, &events) != -EAGAIN)
		set_drop(&events);
}

/* Add the events that are in force; false if the parent could not have them */
static bool child_add_events(const struct link *link, unsigned int serial,
			     hwperf_cntr_t *sum)
{
	struct message msg = { .serial = 0 };
	unsigned int added = 0, nr = serial != 0, seen;
	struct irixperf_set events;
	int ret;

	for (seen = 0; seen < MAX_MESSAGES; seen++) {
		ret = link_receive(link, &msg, &events);
		if (ret == -EAGAIN)
			break;
		if (ret != -EPERM && msg.serial == serial) {
			nr = msg.nr;
			added += ret == 0 && ixp_set_add(&events, sum) == 0;
		}
		set_drop(&events);
	}

	return added == nr;
}

/* Add the counts of a child that has exited; false if some are missing */
static bool child_add(const struct child *child, hwperf_cntr_t *sum)
{
	const struct shared *shared = child->link.shared;
	struct kept kept;

	if (child->events)
		return ixp_set_add(child->events, sum) == 0;

	kept = shared->kept[__atomic_load_n(&shared->turn, __ATOMIC_ACQUIRE) & 1];
	ixp_counts_add(sum, &kept.counts);

	return child_add_events(&child->link, kept.serial, sum) &&
	       !shared->lost;
}

static void child_forget(struct child **where)
{
	struct child *child = *where;

	*where = child->next;
	nr_children--;
	nr_saved -= child->saved;
	link_drop(&child->link);
	irixperf_set_close(child->events);
	ixp_free(child);
}

/* 0: it has not yet said */
static pid_t child_pid_now(const struct child *child)
{
	if (child->events)
		return child->pid;

	return __atomic_load_n(&child->link.shared->pid, __ATOMIC_ACQUIRE);
}

/* A child that has just been forked says its number as soon as it can */
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
			/* One that has ended may have said it since we looked */
			if (!now && link_ended(&(*where)->link))
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
 * ixp_child_sweep() - add up what has come from children that have exited
 * @sum: gets the counts of those that are wanted without a wait
 *
 * Of a child that nobody has waited for, nothing is known afterwards; it was
 * reaped by the kernel (SIGCHLD is ignored), or will be waited for later.
 *
 * Return: 0 if there are none; 1; -EIO if some counts are missing.
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
 * ixp_child_exists() - tell whether this process has such a child
 * @pid: the child
 *
 * Return: whether it was forked with this library, and not waited for since.
 */
bool ixp_child_exists(pid_t pid)
{
	return child_find(pid);
}

/**
 * ixp_child_save() - want the counts of a child without waiting for it
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

/* New children */

/* Children that are gone and that nobody will wait for: SIGCHLD is ignored */
static void children_forget_gone(void)
{
	struct child **where = &children;

	if (nr_children < nr_to_sweep)
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
	children = child;
	nr_children++;
}

/**
 * ixp_child_adopt() - look after a program that has been spawned
 * @pid: the program
 * @events: its events, which are given away if all goes well
 *
 * A program that has gone already, as nobody need wait for it, has no pidfd.
 *
 * Return: 0 or -ENOMEM.
 */
int ixp_child_adopt(pid_t pid, struct irixperf_set *events)
{
	struct child *child = ixp_alloc(sizeof(*child));

	if (!child)
		return -ENOMEM;

	children_forget_gone();
	child->link = (struct link)NO_LINK;
	child->link.hear = (int)syscall(SYS_pidfd_open, pid, 0);
	child->events = events;
	child->pid = pid;
	child_insert(child);

	return 0;
}

/* Around fork(2) */

void ixp_child_fork_prepare(void)
{
	children_forget_gone();
	if (link_make(&next) < 0)
		next = (struct link)NO_LINK;
}

/* Return: false if the counts of this child, if there is one, will be missing */
bool ixp_child_fork_parent(void)
{
	struct child *child = next.shared ? ixp_alloc(sizeof(*child)) : NULL;

	if (!child) {
		link_drop(&next);
		return false;
	}
	end_close(&next.tell);
	child->link = next;
	child_insert(child);
	next = (struct link)NO_LINK;

	return true;
}

void ixp_child_fork_child(void)
{
	while (children)
		child_forget(&children);
	link_drop(&up);
	up = next;
	next = (struct link)NO_LINK;
	last_serial = 0;
	if (up.shared)
		__atomic_store_n(&up.shared->pid, getpid(), __ATOMIC_RELEASE);
}

/* For a child that has not come by fork(2): it has no part in anything */
void ixp_child_forget_all(void)
{
	children = NULL;
	nr_children = 0;
	nr_saved = 0;
	up = (struct link)NO_LINK;
	next = (struct link)NO_LINK;
}
