// SPDX-License-Identifier: LGPL-2.1-or-later
/* The asking side of remote.h. Callers hold the lock. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/procfs.h>
#include <sys/stat.h>
#include <unistd.h>
#include "remote.h"
#include "system.h"

/**
 * ixp_remote_address() - where the holder of a process is found
 * @address: gets it
 * @pid: the process
 *
 * Return: the length of the address.
 */
socklen_t ixp_remote_address(struct sockaddr_un *address, pid_t pid)
{
	int n;

	memset(address, 0, sizeof(*address));
	address->sun_family = AF_UNIX;
	n = snprintf(address->sun_path + 1, sizeof(address->sun_path) - 1,
		     "irixperf%s/%d", ixp_kernel.root, pid);
	if ((size_t)n > sizeof(address->sun_path) - 2)
		n = sizeof(address->sun_path) - 2;

	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 +
			   (size_t)n);
}

/**
 * ixp_remote_trusts() - tell whether the other end has to do with a process
 * @socket: who
 * @folder: the process
 *
 * Return: whether it is root, the owner of the process, or the caller himself.
 */
bool ixp_remote_trusts(int socket, int folder)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);
	struct stat st;

	if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0)
		return false;
	if (peer.uid == 0 || peer.uid == geteuid())
		return true;

	return fstat(folder, &st) == 0 && st.st_uid == peer.uid;
}

static int remote_connect(pid_t pid, int folder)
{
	struct sockaddr_un address;
	socklen_t len = ixp_remote_address(&address, pid);
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	int ret = 0;

	if (fd < 0)
		return -errno;
	if (connect(fd, (struct sockaddr *)&address, len) < 0)
		ret = -errno;
	else if (!ixp_remote_trusts(fd, folder))
		ret = -ECONNREFUSED;
	if (ret == 0)
		return fd;
	close(fd);

	return ret;
}

/* A holder that has been killed takes the counters with it */
static int remote_call(int socket, const struct ixp_remote_request *request,
		       struct ixp_remote_reply *reply)
{
	struct pollfd wait = { .fd = socket, .events = POLLIN };
	ssize_t n = send(socket, request, sizeof(*request), MSG_NOSIGNAL);

	if (n != (ssize_t)sizeof(*request) ||
	    poll(&wait, 1, IXP_REMOTE_PATIENCE) != 1)
		return -EPIPE;

	n = recv(socket, reply, sizeof(*reply), MSG_DONTWAIT);

	return n == (ssize_t)sizeof(*reply) ? 0 : -EPIPE;
}

static int remote_meet(pid_t pid, int folder)
{
	struct ixp_remote_request ask = { .request = IXP_REMOTE_HELLO };
	struct ixp_remote_reply reply;
	int fd = remote_connect(pid, folder);
	int ret = fd < 0 ? fd : remote_call(fd, &ask, &reply);

	if (ret == 0 && reply.ret == 0)
		return fd;
	if (fd < 0)
		return fd;
	close(fd);

	return ret == 0 && reply.ret == -EPERM ? -EPERM : -EAGAIN;
}

/**
 * ixp_remote_find() - look for the holder of a process
 * @folder: the process
 *
 * Return: a socket, which the caller closes; -ENOENT if there is no holder that
 * can be believed; -EPERM if it refuses, or another negative errno value.
 */
int ixp_remote_find(int folder)
{
	pid_t pid = ixp_kernel.remote ? ixp_ident_pid(folder) : -ENOENT;
	int ret = pid, tries;

	if (pid < 0)
		return pid;
	/* One whose process is gone is about to end */
	for (tries = 0; tries < 100; tries++) {
		ret = remote_meet(pid, folder);
		if (ret != -EAGAIN)
			break;
		usleep(10000);
	}

	switch (ret) {
	case -ECONNREFUSED:
	case -EAGAIN:
	case -EAFNOSUPPORT:
	case -ENOSYS:	/* CONFIG_NET=n */
		return -ENOENT;
	default:
		return ret;
	}
}

/**
 * ixp_remote_start() - find the holder of a process, or start one
 * @folder: the process
 *
 * Return: a socket, which the caller closes; -ENOENT if there is no holder to be
 * had; or another negative errno value.
 */
int ixp_remote_start(int folder)
{
	int fd = ixp_remote_find(folder), ret;
	int32_t pid;

	if (fd != -ENOENT || !ixp_kernel.remote)
		return fd;
	pid = ixp_ident_pid(folder);
	if (pid < 0)
		return pid;
	ret = ixp_holder_start(IXP_HOLDER_PROCESS, &pid, sizeof(pid), folder);

	/* If somebody else was faster, his is as good */
	if (ret < 0 && ret != -EADDRINUSE)
		return ret == -ENOSYS || ret == -EIO ? -ENOENT : ret;

	return ixp_remote_find(folder);
}

static int remote_ask(int socket, unsigned int request, const void *arg,
		      struct ixp_remote_reply *reply)
{
	struct ixp_remote_request ask = { .request = request };
	int ret = 0;

	if (arg)
		ret = ixp_user_read(&ask.arg, arg, sizeof(ask.arg));
	if (ret == 0)
		ret = remote_call(socket, &ask, reply);

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

/* Where Yama lets only ancestors look at a process, it has to allow others to */
static void let_in(int socket)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);

	if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0)
		prctl(PR_SET_PTRACER, (unsigned long)peer.pid, 0UL, 0UL, 0UL);
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
	int fd = ixp_remote_start(folder), ret;

	if (fd < 0)
		return fd;
	let_in(fd);
	ret = remote_ask(fd, IXP_REMOTE_KEEP, NULL, &reply);
	close(fd);

	return ret;
}

/**
 * ixp_remote_holds() - tell whether a holder has been asked to count
 * @socket: to the holder
 *
 * Return: whether somebody has acquired the counters, and not released them.
 */
bool ixp_remote_holds(int socket)
{
	struct ixp_remote_reply reply;

	return remote_ask(socket, IXP_REMOTE_HOLDS, NULL, &reply) >= 0;
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
