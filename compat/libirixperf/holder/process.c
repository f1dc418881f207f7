// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The counters of one process, for all who ask: src/remote.h. The requests are
 * those of the library itself, for which this process is just another caller;
 * that there is only one of it makes the state the process' own.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/procfs.h>
#include <unistd.h>
#include "holder.h"
#include "remote.h"

#define CLIENTS_MAX	64

/* Milliseconds until the first has to ask, and between looks at a zombie */
#define IDLE	2000
#define LOOK	20

enum { LISTEN, TARGET, FIRST_CLIENT };

/**
 * struct keeper - the state of this process
 * @folder: the process that is counted
 * @wait: who can call: those who connect, the end of the process, and clients
 * @nr: how many there are
 * @acquired: there is something to hold
 */
struct keeper {
	int folder;
	struct pollfd wait[FIRST_CLIENT + CLIENTS_MAX];
	nfds_t nr;
	bool acquired;
};

static int listen_at(pid_t pid)
{
	struct sockaddr_un address;
	socklen_t len = ixp_remote_address(&address, pid);
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK,
			0);

	if (fd < 0)
		return -errno;
	if (bind(fd, (struct sockaddr *)&address, len) < 0 ||
	    listen(fd, CLIENTS_MAX) < 0)
		return -errno;

	return fd;
}

static int keeper_begin(struct keeper *k)
{
	int32_t pid;
	int ret;

	k->folder = fcntl(IXP_HOLDER_SUBJECT, F_DUPFD_CLOEXEC, IXP_HOLDER_FDS);
	if (k->folder < 0)
		return -errno;
	ret = holder_request(&pid, sizeof(pid));
	if (ret == 0)
		ret = listen_at(pid);
	if (ret < 0)
		return ret;

	k->wait[LISTEN] = (struct pollfd){ .fd = ret, .events = POLLIN };
	/* Where there is none, the process is looked at now and then */
	ret = ixp_descriptor_process(pid);
	k->wait[TARGET] = (struct pollfd){ .fd = ret, .events = POLLIN };
	k->nr = FIRST_CLIENT;

	return 0;
}

static void client_add(struct keeper *k)
{
	int fd = accept4(k->wait[LISTEN].fd, NULL, NULL,
			 SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (fd < 0)
		return;
	if (k->nr == FIRST_CLIENT + CLIENTS_MAX) {
		close(fd);
		return;
	}
	k->wait[k->nr++] = (struct pollfd){ .fd = fd, .events = POLLIN };
}

static void client_drop(struct keeper *k, nfds_t at)
{
	close(k->wait[at].fd);
	k->wait[at] = k->wait[--k->nr];
}

static int carry_out(struct keeper *k, struct ixp_remote_request *ask,
		     struct ixp_remote_reply *reply)
{
	void *arg = &ask->arg;

	if (!ixp_ident_alive(k->folder))
		return -ESRCH;
	if (ask->request == IXP_REMOTE_HELLO)
		return 0;
	if (ask->request == IXP_REMOTE_KEEP)
		return ixp_proc_keep(k->folder);
	if (ask->request == IXP_REMOTE_HOLDS) {
		if (!k->acquired)
			return -ENOENT;
		ask->request = PIOCGETEVCTRL;
	}
	if (ask->request == PIOCGETEVCTRS)
		arg = &reply->counts;
	if (ask->request == PIOCGETEVCTRL)
		arg = &reply->ctrl;

	return irixperf_proc_ioctl(k->folder, ask->request, arg);
}

/* After that there is something to hold until the process is gone */
static bool acquires(unsigned int request)
{
	return request == PIOCENEVCTRS || request == PIOCSETEVCTRL ||
	       request == IXP_REMOTE_KEEP;
}

/* False if the client is to be dropped */
static bool client_serve(struct keeper *k, int fd)
{
	struct ixp_remote_reply reply = { .ret = -EPERM };
	struct ixp_remote_request ask;
	ssize_t n = recv(fd, &ask, sizeof(ask), 0);

	if (n != (ssize_t)sizeof(ask))
		return n < 0 && errno == EAGAIN;
	if (ixp_remote_trusts(fd, k->folder))
		reply.ret = carry_out(k, &ask, &reply);
	if (reply.ret >= 0)
		k->acquired |= acquires(ask.request);

	return send(fd, &reply, sizeof(reply), MSG_NOSIGNAL) ==
	       (ssize_t)sizeof(reply);
}

static void clients_serve(struct keeper *k)
{
	nfds_t at = k->nr;

	while (at-- > FIRST_CLIENT)
		if (k->wait[at].revents && !client_serve(k, k->wait[at].fd))
			client_drop(k, at);
	if (k->wait[LISTEN].revents)
		client_add(k);
}

static int patience(const struct keeper *k)
{
	if (k->wait[TARGET].revents || k->wait[TARGET].fd < 0)
		return LOOK;

	return k->acquired || k->nr > FIRST_CLIENT ? -1 : IDLE;
}

/* A zombie's counts can be read until somebody has waited for it */
static bool wanted(const struct keeper *k, int calls)
{
	if (calls == 0 && !k->acquired && k->nr == FIRST_CLIENT)
		return false;

	return ixp_ident_alive(k->folder);
}

static void keeper_serve(struct keeper *k)
{
	int calls, ms;

	do {
		ms = patience(k);
		/* Its end has been told */
		if (k->wait[TARGET].revents)
			k->wait[TARGET].fd = -1;
		calls = poll(k->wait, k->nr, ms);
		if (calls < 0 && errno != EINTR)
			return;
		if (calls > 0)
			clients_serve(k);
	} while (wanted(k, calls));
}

/**
 * holder_process() - hold the counters of one process until it is gone
 *
 * Return: an exit status.
 */
int holder_process(void)
{
	struct keeper k;
	int ret;

	memset(&k, 0, sizeof(k));
	ixp_kernel.remote = false;
	ret = keeper_begin(&k);
	holder_answer(ret);
	if (ret < 0)
		return 1;
	holder_let_go();
	keeper_serve(&k);

	return 0;
}
