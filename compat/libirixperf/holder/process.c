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
#include <sys/stat.h>
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
 * @place: the directory of our socket
 * @address: where that is in it
 * @wait: who can call: those who connect, the end of the process, and clients, of
 *	whom those who have come last come last
 * @nr: how many there are
 * @starter: the client that has started this process, or -1
 * @acquired: there is something to hold
 */
struct keeper {
	int folder;
	int place;
	struct sockaddr_un address;
	struct pollfd wait[FIRST_CLIENT + CLIENTS_MAX];
	nfds_t nr;
	int starter;
	bool acquired;
};

static const char *name_of(const struct keeper *k)
{
	return strrchr(k->address.sun_path, '/') + 1;
}

/* A socket that nobody listens to is left over from a holder that was killed */
static int name_take(const struct keeper *k, int fd, socklen_t len)
{
	const struct sockaddr *address = (const struct sockaddr *)&k->address;
	mode_t mask;
	int try, ret;

	try = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (try < 0)
		return -errno;
	ret = connect(try, address, len) == 0 || errno == EAGAIN ? -EADDRINUSE : 0;
	close(try);
	if (ret < 0)
		return ret;
	unlinkat(k->place, name_of(k), 0);
	/* Whoever gets to the directory may connect, and is judged then */
	mask = umask(0);
	if (bind(fd, address, len) < 0 || listen(fd, CLIENTS_MAX) < 0)
		ret = -errno;
	umask(mask);

	return ret;
}

static int listen_at(struct keeper *k, const struct ixp_remote_begin *begin)
{
	socklen_t len;
	int fd, lock, ret;

	k->place = ixp_place_make();
	if (k->place < 0)
		return k->place;
	lock = openat(k->place, "lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC,
		      0600);
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	ret = lock < 0 || fd < 0 ? -errno : ixp_lock_wait(lock, F_WRLCK, 0, 0);
	if (ret < 0)
		return ret;

	len = ixp_place_address(&k->address, k->place, begin->pid);
	ret = name_take(k, fd, len);
	close(lock);
	if (ret < 0)
		return ret;
	if (!begin->strangers || !ixp_remote_other(k->folder, begin->pid))
		return fd;
	unlinkat(k->place, name_of(k), 0);

	return -EADDRINUSE;
}

static int keeper_begin(struct keeper *k)
{
	struct ixp_remote_begin begin;
	int ret;

	k->folder = fcntl(IXP_HOLDER_SUBJECT, F_DUPFD_CLOEXEC, IXP_HOLDER_FDS);
	k->starter = fcntl(IXP_HOLDER_ANSWER, F_DUPFD_CLOEXEC, IXP_HOLDER_FDS);
	if (k->folder < 0 || k->starter < 0)
		return -errno;
	ret = holder_request(&begin, sizeof(begin));
	if (ret == 0)
		ret = listen_at(k, &begin);
	if (ret < 0)
		return ret;

	k->wait[LISTEN] = (struct pollfd){ .fd = ret, .events = POLLIN };
	/* Where there is none, the process is looked at now and then */
	ret = ixp_descriptor_process(begin.pid);
	k->wait[TARGET] = (struct pollfd){ .fd = ret, .events = POLLIN };
	k->wait[FIRST_CLIENT] = (struct pollfd){ .fd = k->starter, .events = POLLIN };
	k->nr = FIRST_CLIENT + 1;

	return 0;
}

static void client_drop(struct keeper *k, nfds_t at)
{
	if (k->wait[at].fd == k->starter)
		k->starter = -1;
	close(k->wait[at].fd);
	memmove(&k->wait[at], &k->wait[at + 1],
		(--k->nr - at) * sizeof(k->wait[at]));
}

static enum holder_peer client_is(const struct keeper *k, int fd)
{
	return holder_peer(fd, k->folder, fd == k->starter);
}

/* Of those who may do least, the one that has been here for longest */
static nfds_t client_to_go(const struct keeper *k)
{
	enum holder_peer least = HOLDER_LIKE_US, peer;
	nfds_t ret = FIRST_CLIENT, at;

	for (at = FIRST_CLIENT; at < k->nr; at++) {
		peer = client_is(k, k->wait[at].fd);
		if (peer < least) {
			least = peer;
			ret = at;
		}
	}

	return ret;
}

/* Of too many, one has to connect anew */
static void client_add(struct keeper *k)
{
	int fd = accept4(k->wait[LISTEN].fd, NULL, NULL,
			 SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (fd < 0)
		return;
	if (k->nr == FIRST_CLIENT + CLIENTS_MAX)
		client_drop(k, client_to_go(k));
	k->wait[k->nr++] = (struct pollfd){ .fd = fd, .events = POLLIN };
}

static int carry_out(struct keeper *k, struct ixp_remote_request *ask,
		     struct ixp_remote_reply *reply)
{
	void *arg = &ask->arg;

	if (!ixp_ident_alive(k->folder))
		return -ESRCH;
	if (ask->request == IXP_REMOTE_HELLO)
		return getpid();
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

static bool allowed(const struct keeper *k, int fd,
		    const struct ixp_remote_request *ask)
{
	switch (client_is(k, fd)) {
	case HOLDER_LIKE_US:
		return true;
	case HOLDER_OWNER:
		return (ask->request != PIOCENEVCTRS &&
			ask->request != PIOCSETEVCTRL) ||
		       holder_owner_may(fd, k->folder, &ask->arg);
	default:
		return false;
	}
}

/* False if the client is to be dropped */
static bool client_serve(struct keeper *k, int fd)
{
	struct ixp_remote_reply reply = { .ret = -EPERM };
	struct ixp_remote_request ask;
	ssize_t n = recv(fd, &ask, sizeof(ask), MSG_DONTWAIT);

	if (n != (ssize_t)sizeof(ask))
		return n < 0 && errno == EAGAIN;
	if (allowed(k, fd, &ask))
		reply.ret = carry_out(k, &ask, &reply);
	if (reply.ret >= 0)
		k->acquired |= acquires(ask.request);

	return send(fd, &reply, sizeof(reply), MSG_NOSIGNAL | MSG_DONTWAIT) ==
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
	unlinkat(k.place, name_of(&k), 0);

	return 0;
}
