// SPDX-License-Identifier: LGPL-2.1-or-later
/* The asking side of remote.h. Callers hold the lock. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/procfs.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "remote.h"
#include "system.h"

/* Milliseconds of a clock that is never set */
uint64_t ixp_remote_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);

	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* What answers for somebody else may be anything */
static bool stranger(uid_t user)
{
	return user != 0 && user != geteuid();
}

static int patience_with(uid_t user)
{
	return stranger(user) ? IXP_REMOTE_STRANGER : IXP_REMOTE_PATIENCE;
}

static int peer_of(int socket, struct ucred *peer)
{
	socklen_t size = sizeof(*peer);

	return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, peer, &size) < 0 ?
	       -errno : 0;
}

static int connect_at(int place, uid_t user, pid_t pid)
{
	struct sockaddr_un address;
	socklen_t len = ixp_place_address(&address, place, pid);
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	struct ucred peer;
	int ret;

	if (fd < 0)
		return -errno;
	ret = connect(fd, (struct sockaddr *)&address, len) < 0 ? -errno :
	      peer_of(fd, &peer);
	if (ret == 0 && peer.uid == user)
		return fd;
	close(fd);

	return ret < 0 ? ret : -EPERM;
}

/* -ENOENT: there is none, or what is there cannot be believed */
static int remote_connect(uid_t user, pid_t pid)
{
	unsigned int choice;
	int place, ret = -ENOENT;

	for (choice = 0; choice < IXP_PLACES && ret == -ENOENT; choice++) {
		place = ixp_place_open(user, choice);
		if (place < 0) {
			ret = place;
			continue;
		}
		ret = connect_at(place, user, pid);
		close(place);
		if (ret == -ECONNREFUSED || ret == -EPERM || ret == -EACCES)
			ret = -ENOENT;
	}

	return ret;
}

/* A holder that has been killed takes the counters with it */
static int remote_call(int socket, const struct ixp_remote_request *request,
		       struct ixp_remote_reply *reply, int patience)
{
	struct pollfd wait = { .fd = socket, .events = POLLIN };
	ssize_t n = send(socket, request, sizeof(*request),
			 MSG_NOSIGNAL | MSG_DONTWAIT);

	if (n != (ssize_t)sizeof(*request) || poll(&wait, 1, patience) != 1)
		return -EPIPE;

	n = recv(socket, reply, sizeof(*reply), MSG_DONTWAIT);

	return n == (ssize_t)sizeof(*reply) ? 0 : -EPIPE;
}

/* -EAGAIN: not yet, or not any more */
static int remote_meet(uid_t user, pid_t pid)
{
	struct ixp_remote_request ask = { .request = IXP_REMOTE_HELLO };
	struct ixp_remote_reply reply;
	int fd = remote_connect(user, pid);
	int ret = fd < 0 ? fd : remote_call(fd, &ask, &reply, patience_with(user));

	if (ret == 0 && reply.ret > 0)
		return fd;
	if (fd < 0)
		return fd;
	close(fd);

	return ret == 0 && reply.ret == -EPERM ? -EPERM : -EAGAIN;
}

/* One whose process is gone is about to end */
static int remote_meet_soon(uid_t user, pid_t pid)
{
	const uint64_t end = ixp_remote_now() + IXP_REMOTE_SEARCH;
	int ret;

	while ((ret = remote_meet(user, pid)) == -EAGAIN && ixp_remote_now() < end)
		usleep(10000);

	return ret;
}

/*
 * Whose holders count for a process: root's, the caller's, and its owner's, unless
 * that is a stranger who is not to be asked
 */
static unsigned int users_of(int folder, bool strangers, uid_t user[3])
{
	struct stat st;
	unsigned int nr = 0;

	user[nr++] = 0;
	if (geteuid() != 0)
		user[nr++] = geteuid();
	if (strangers && fstat(folder, &st) == 0 && stranger(st.st_uid))
		user[nr++] = st.st_uid;

	return nr;
}

static int remote_find(int folder, bool strangers)
{
	pid_t pid = ixp_kernel.remote ? ixp_ident_pid(folder) : -ENOENT;
	unsigned int nr, i;
	uid_t user[3];
	int ret = pid;

	if (pid < 0)
		return pid;
	nr = users_of(folder, strangers, user);
	for (i = 0; i < nr; i++) {
		ret = remote_meet_soon(user[i], pid);
		if (ret >= 0 || ret == -EPERM || ret == -EMFILE || ret == -ENFILE ||
		    (ret == -EAGAIN && !stranger(user[i])))
			return ret;
	}

	return -ENOENT;
}

/**
 * ixp_remote_find() - look for the holder of a process
 * @folder: the process
 *
 * A holder of another user that does not answer in time is as none.
 *
 * Return: a socket, which the caller closes; -ENOENT if there is no holder;
 * -EPERM if it refuses; -EAGAIN if it cannot be reached for a second; or another
 * negative errno value.
 */
int ixp_remote_find(int folder)
{
	return remote_find(folder, true);
}

/**
 * ixp_remote_other() - tell whether another user's holder has a process
 * @folder: the process
 * @pid: its number
 *
 * For a holder that has a place itself. Of two that begin at the same time root's
 * is the one that stays: the other one sees it, and does not wait for its answer.
 *
 * Return: whether there is one.
 */
bool ixp_remote_other(int folder, pid_t pid)
{
	unsigned int nr, i;
	uid_t user[3];
	int fd = -1;

	nr = users_of(folder, true, user);
	for (i = 0; i < nr && fd < 0; i++) {
		if (user[i] != geteuid())
			fd = user[i] == 0 ? remote_connect(0, pid) :
					    remote_meet(user[i], pid);
	}
	if (fd >= 0)
		close(fd);

	return fd >= 0;
}

/**
 * ixp_remote_start() - find the holder of a process, or start one
 * @folder: the process
 * @strangers: a holder of the owner, who is another user, will do
 *
 * Return: a socket, which the caller closes; -ENOENT if there is no holder to be
 * had; -EAGAIN if others start holders and end them all the time; or another
 * negative errno value.
 */
int ixp_remote_start(int folder, bool strangers)
{
	const uint64_t end = ixp_remote_now() + IXP_REMOTE_SEARCH;
	struct ixp_remote_begin begin = { .strangers = strangers };
	int socket, ret;

	do {
		socket = remote_find(folder, strangers);
		if (socket != -ENOENT || !ixp_kernel.remote)
			return socket;
		begin.pid = ixp_ident_pid(folder);
		if (begin.pid < 0)
			return begin.pid;
		ret = ixp_holder_start(IXP_HOLDER_PROCESS, &begin, sizeof(begin),
				       folder, &socket);
		/* If somebody else was faster, that holder is as good */
	} while (ret == -EADDRINUSE && ixp_remote_now() < end);
	if (ret >= 0)
		return socket;

	switch (ret) {
	case -EADDRINUSE:
		return -EAGAIN;
	case -EIO:
	case -ENOSYS:		/* it is not installed */
	case -EAFNOSUPPORT:	/* CONFIG_NET=n */
		return -ENOENT;
	default:
		return ret;
	}
}

static int remote_ask(int socket, unsigned int request, const void *arg,
		      struct ixp_remote_reply *reply)
{
	struct ixp_remote_request ask = { .request = request };
	struct ucred peer;
	int ret = 0;

	if (arg)
		ret = ixp_user_read(&ask.arg, arg, sizeof(ask.arg));
	if (ret == 0)
		ret = peer_of(socket, &peer);
	if (ret == 0)
		ret = remote_call(socket, &ask, reply, patience_with(peer.uid));

	return ret < 0 ? ret : reply->ret;
}

/**
 * ixp_remote_counts() - let the holder read the counters
 * @socket: to the holder
 * @counts: where to put them
 *
 * Return: the generation number, -EPIPE if the holder is gone, or its error.
 */
int ixp_remote_counts(int socket, hwperf_cntr_t *counts)
{
	struct ixp_remote_reply reply;
	int ret = remote_ask(socket, PIOCGETEVCTRS, NULL, &reply);

	if (ret >= 0)
		*counts = reply.counts;

	return ret;
}

/**
 * ixp_remote_keep() - let a holder go on with what this process counts itself
 * @folder: this process, which has shown what it has
 *
 * Return: 0, after which the counters are the holder's; -ENOENT if there is none
 * to be had, or another negative errno value.
 */
int ixp_remote_keep(int folder)
{
	struct ixp_remote_reply reply;
	int fd = ixp_remote_start(folder, true), ret;

	if (fd < 0)
		return fd;
	/* Where Yama lets only ancestors look at a process, it has to allow others to */
	ret = remote_ask(fd, IXP_REMOTE_HELLO, NULL, &reply);
	if (ret > 0)
		prctl(PR_SET_PTRACER, (unsigned long)ret, 0UL, 0UL, 0UL);
	ret = remote_ask(fd, IXP_REMOTE_KEEP, NULL, &reply);
	close(fd);

	return ret;
}

/**
 * ixp_remote_holds() - tell whether a holder has been asked to count
 * @socket: to the holder
 *
 * Return: more than 0 if somebody has acquired the counters; 0 if they have been
 * released since; -ENOENT if nobody has, or another negative errno value.
 */
int ixp_remote_holds(int socket)
{
	struct ixp_remote_reply reply;
	int ret = remote_ask(socket, IXP_REMOTE_HOLDS, NULL, &reply);

	return ret == -EINVAL ? 0 : ret;
}

/**
 * ixp_remote_run() - let the holder carry out a request
 * @socket: to the holder
 * @request: the request
 * @arg: its argument, in the caller's memory
 *
 * Return: the request's result; -EPIPE if the holder is gone; -ENOTTY for a
 * request that is not the holder's.
 */
int ixp_remote_run(int socket, unsigned int request, void *arg)
{
	struct ixp_remote_reply reply;
	int ret, copied = 0;

	switch (request) {
	case PIOCENEVCTRS:
	case PIOCSETEVCTRL:
		return arg ? remote_ask(socket, request, arg, &reply) : -EFAULT;
	case PIOCGETEVCTRS:
		ret = remote_ask(socket, request, NULL, &reply);
		if (ret >= 0)
			copied = ixp_user_write(arg, &reply.counts,
					       sizeof(reply.counts));
		break;
	case PIOCGETEVCTRL:
		ret = remote_ask(socket, request, NULL, &reply);
		if (ret >= 0)
			copied = ixp_user_write(arg, &reply.ctrl,
					       sizeof(reply.ctrl));
		break;
	case PIOCRELEVCTRS:
		return remote_ask(socket, request, NULL, &reply);
	default:
		return -ENOTTY;
	}

	return copied < 0 ? copied : ret;
}
