// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Find holders, start them and send them requests: see remote.h. Callers have blocked
 * all signals, as threads with the lock do.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/procfs.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>
#include "remote.h"
#include "ident.h"
#include "kernel.h"
#include "start.h"

/* A stranger's holder may be any program, and need not answer */
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

/* @ms: how long to wait if many processes connect at the same time; 0: not at all */
static int connect_at(int place, pid_t pid, int ms)
{
	const struct timeval patience = { ms / 1000, ms % 1000 * 1000 };
	struct sockaddr_un address;
	socklen_t len = ixp_place_address(&address, place, pid);
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC |
			(ms ? 0 : SOCK_NONBLOCK), 0);
	int ret;

	if (fd < 0)
		return -errno;
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	if (connect(fd, (struct sockaddr *)&address, len) == 0)
		return fd;
	ret = -errno;
	close(fd);

	return ret;
}

/*
 * Connect to a holder, and check that it is a process of @user. -ENOENT: there is no
 * holder, or none that can be trusted.
 */
static int remote_connect(uid_t user, pid_t pid)
{
	unsigned int choice;
	struct ucred peer;
	int place, fd, ret = -ENOENT;

	for (choice = 0; choice < IXP_PLACES && ret == -ENOENT; choice++) {
		place = ixp_place_open(user, choice);
		if (place < 0) {
			ret = place;
			continue;
		}
		fd = connect_at(place, pid, 0);
		close(place);
		ret = fd < 0 ? fd : peer_of(fd, &peer);
		if (ret == 0 && peer.uid == user)
			return fd;
		if (fd >= 0)
			close(fd);
		/* 0: not @user's, so it is not trusted */
		if (ret == 0 || ret == -ECONNREFUSED || ret == -EPERM || ret == -EACCES)
			ret = -ENOENT;
	}

	return ret;
}

/* -EPIPE: the holder does not answer; it may have been killed, with its counters */
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

/*
 * Connect to a holder and ask whether it has a living target. -EAGAIN: it has just
 * started, or is about to end.
 */
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
	if (ret == 0 && reply.ret == -ENOTTY)
		return -EPROTO;

	return ret == 0 && reply.ret == -EPERM ? -EPERM : -EAGAIN;
}

/* If the holder's target is gone, wait for the holder to end and look again */
static int remote_meet_soon(uid_t user, pid_t pid)
{
	const uint64_t end = ixp_now_ms() + (stranger(user) ? IXP_REMOTE_STRANGER :
					     IXP_REMOTE_SEARCH);
	int ret;

	while ((ret = remote_meet(user, pid)) == -EAGAIN && ixp_now_ms() < end)
		usleep(10000);

	return ret;
}

/*
 * The users whose holders are trusted for a process: root, the caller, and, if
 * @strangers, the process' owner
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
		    ((ret == -EAGAIN || ret == -EPROTO) && !stranger(user[i])))
			return ret;
	}

	return -ENOENT;
}

/**
 * ixp_remote_find() - look for the holder of a process
 * @folder: the process' directory
 *
 * A stranger's holder that does not answer in time is ignored.
 *
 * Return: a socket, which the caller closes; -ENOENT if there is no holder;
 * -EPERM if it refuses; -EPROTO if it is one of another version of the library;
 * -EAGAIN if it has not answered within a second; or another negative errno value.
 */
int ixp_remote_find(int folder)
{
	return remote_find(folder, true);
}

/**
 * ixp_remote_other() - tell whether another user's holder has a process
 * @folder: the process' directory
 * @pid: its PID
 *
 * A new holder calls this when it listens. If two holders start at the same time,
 * root's stays: the other one finds root's socket, and does not wait for an answer.
 *
 * Return: true if there is one.
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
 * @folder: the process' directory
 * @strangers: accept a holder of the process' owner, too, if that is a stranger
 *
 * Return: a socket, which the caller closes; -ENOENT if no holder can be started;
 * -EAGAIN if, for a second, other processes' holders prevented the start and then could
 * not be found; or another negative errno value.
 */
int ixp_remote_start(int folder, bool strangers)
{
	const uint64_t end = ixp_now_ms() + IXP_REMOTE_SEARCH;
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
		/* If another process was faster, use its holder */
	} while (ret == -EADDRINUSE && ixp_now_ms() < end);
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

/**
 * ixp_remote_ask() - let the holder carry out a request
 * @socket: to the holder
 * @request: the request
 * @arg: the events, for PIOCENEVCTRS and PIOCSETEVCTRL; NULL for others
 * @reply: gets what the holder answers
 *
 * Return: the request's result; -EPIPE if the holder is gone.
 */
int ixp_remote_ask(int socket, unsigned int request,
		   const hwperf_profevctrarg_t *arg, struct ixp_remote_reply *reply)
{
	struct ixp_remote_request ask = { .request = request };
	struct ucred peer;
	int ret = peer_of(socket, &peer);

	if (arg)
		ask.arg = *arg;
	if (ret == 0)
		ret = remote_call(socket, &ask, reply, patience_with(peer.uid));

	return ret < 0 ? ret : reply->ret;
}

/**
 * ixp_remote_keep() - hand this process' own counters over to a holder
 * @folder: this process' directory; this process' page must be up to date
 *
 * Return: 0, after which the holder has the counters; -ENOENT if no holder can be
 * started; or another negative errno value.
 */
int ixp_remote_keep(int folder)
{
	struct ixp_remote_reply reply;
	int fd = ixp_remote_start(folder, true), ret;

	if (fd < 0)
		return fd;
	/* Yama may allow only ancestors to trace a process: allow the holder, too */
	ret = ixp_remote_ask(fd, IXP_REMOTE_HELLO, NULL, &reply);
	if (ret > 0)
		prctl(PR_SET_PTRACER, (unsigned long)ret, 0UL, 0UL, 0UL);
	ret = ixp_remote_ask(fd, IXP_REMOTE_KEEP, NULL, &reply);
	close(fd);

	return ret;
}

/**
 * ixp_remote_holds() - tell whether a holder has acquired the counters
 * @socket: to the holder
 *
 * Return: more than 0 if it has acquired them; 0 if they have been released since;
 * -ENOENT if it never had them; or another negative errno value.
 */
int ixp_remote_holds(int socket)
{
	struct ixp_remote_reply reply;
	int ret = ixp_remote_ask(socket, IXP_REMOTE_HOLDS, NULL, &reply);

	return ret == -EINVAL ? 0 : ret;
}

/* Only root can listen in this directory, so the holder's user is not checked */
static int system_connect(void)
{
	int place = ixp_place_system(), ret = place;

	if (place >= 0) {
		ret = connect_at(place, 0, IXP_REMOTE_SEARCH);
		close(place);
	}

	return ret == -ECONNREFUSED ? -ENOENT : ret;
}

/**
 * ixp_remote_system() - let the holder of system mode carry out a request
 * @request: PIOCGETEVCTRS, PIOCSETEVCTRL or PIOCRELEVCTRS; see sysfile.h
 * @session: which system mode is meant; 0 for the current one
 * @arg: the events, for PIOCSETEVCTRL; else NULL
 * @words: their labels, their codes and the generation number that is meant, or NULL
 *
 * If a holder has too many clients, it drops some. Then PIOCGETEVCTRS is sent again,
 * but not the other requests, because the holder may have carried them out.
 *
 * Return: the request's result; -ENOENT if there is no holder; -EAGAIN if it has not
 * answered; or another negative errno value.
 */
int ixp_remote_system(unsigned int request, int session,
		      const hwperf_profevctrarg_t *arg,
		      const struct ixp_system_words *words)
{
	const uint64_t end = ixp_now_ms() + IXP_REMOTE_SEARCH;
	struct ixp_remote_request ask = { .request = request, .session = session };
	struct ixp_remote_reply reply;
	int fd, ret;

	if (arg)
		ask.arg = *arg;
	if (words)
		ask.words = *words;
	do {
		fd = system_connect();
		if (fd < 0)
			return fd;
		ret = remote_call(fd, &ask, &reply, IXP_REMOTE_PATIENCE);
		close(fd);
		if (ret == 0)
			return reply.ret;
	} while (request == PIOCGETEVCTRS && ixp_now_ms() < end);

	fd = system_connect();
	if (fd < 0)
		return fd;
	close(fd);

	return -EAGAIN;
}
