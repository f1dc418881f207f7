// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The holder of one target's counters: src/share/remote.h. It carries out requests by
 * calls of the library, like any other program. A target has only one such holder, so
 * all clients see the same state.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/procfs.h>
#include <unistd.h>
#include <irixperf.h>
#include "descriptor.h"
#include "holder.h"
#include "ident.h"
#include "kernel.h"
#include "lock.h"
#include "proc_exec.h"
#include "remote.h"
#include "start.h"

/* Milliseconds to wait for the first request, and between checks of an ended target */
#define IDLE	2000
#define LOOK	20

/**
 * struct keeper - the state of this process
 * @clients: the clients
 * @folder: the target's directory
 * @acquired: a client has acquired the counters
 */
struct keeper {
	struct holder_clients clients;
	int folder;
	bool acquired;
};

static int listen_at(struct keeper *k, const struct ixp_remote_begin *begin,
		     int starter)
{
	int place = ixp_place_make(), lock, ret;

	if (place < 0)
		return place;
	lock = openat(place, "lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	ret = lock < 0 ? -errno : ixp_lock_wait(lock);
	if (ret < 0)
		return ret;

	ret = holder_clients_listen(&k->clients, place, begin->pid, k->folder, starter);
	close(lock);
	if (ret < 0 || !begin->strangers || !ixp_remote_other(k->folder, begin->pid))
		return ret;
	holder_clients_leave(&k->clients);

	return -EADDRINUSE;
}

static int keeper_begin(struct keeper *k)
{
	struct ixp_remote_begin begin;
	int starter, ret;

	k->folder = fcntl(IXP_HOLDER_SUBJECT, F_DUPFD_CLOEXEC, IXP_HOLDER_FDS);
	starter = fcntl(IXP_HOLDER_ANSWER, F_DUPFD_CLOEXEC, IXP_HOLDER_FDS);
	if (k->folder < 0 || starter < 0)
		return -errno;
	ret = holder_request(&begin, sizeof(begin));
	if (ret == 0)
		ret = listen_at(k, &begin, starter);
	if (ret < 0)
		return ret;

	/* On kernels without pidfds, keeper_serve() checks the target now and then */
	k->clients.wait[HOLDER_TARGET] = (struct pollfd){
		.fd = ixp_descriptor_process(begin.pid), .events = POLLIN,
	};

	return 0;
}

/* Carry out a request; refuse those whose results do not fit into a reply */
static int carry_out(struct keeper *k, struct ixp_remote_request *ask,
		     struct ixp_remote_reply *reply)
{
	void *arg = NULL;

	if (!ixp_ident_alive(k->folder))
		return -ESRCH;

	switch (ask->request) {
	case IXP_REMOTE_HELLO:
		return getpid();
	case IXP_REMOTE_KEEP:
		return ixp_proc_keep(k->folder);
	case IXP_REMOTE_HOLDS:
		if (!k->acquired)
			return -ENOENT;
		ask->request = PIOCGETEVCTRL;
		arg = &reply->ctrl;
		break;
	case PIOCGETEVCTRL:
		arg = &reply->ctrl;
		break;
	case PIOCGETEVCTRS:
		arg = &reply->counts;
		break;
	case PIOCENEVCTRS:
	case PIOCSETEVCTRL:
		arg = &ask->arg;
		break;
	case PIOCRELEVCTRS:
		break;
	default:
		return -ENOTTY;
	}

	return irixperf_proc_ioctl(k->folder, ask->request, arg);
}

/* True if the holder has to stay until the target is gone after this request */
static bool acquires(unsigned int request)
{
	return request == PIOCENEVCTRS || request == PIOCSETEVCTRL ||
	       request == IXP_REMOTE_KEEP;
}

static bool allowed(const struct keeper *k, int fd,
		    const struct ixp_remote_request *ask)
{
	switch (holder_rights(&k->clients, fd)) {
	case HOLDER_ALL:
		return true;
	case HOLDER_OWNERS:
		return (ask->request != PIOCENEVCTRS &&
			ask->request != PIOCSETEVCTRL) ||
		       holder_owner_may(fd, k->folder, &ask->arg);
	default:
		return false;
	}
}

static void serve(struct holder_clients *clients, int fd,
		  struct ixp_remote_request *ask, struct ixp_remote_reply *reply)
{
	struct keeper *k = (void *)clients;

	if (allowed(k, fd, ask))
		reply->ret = carry_out(k, ask, reply);
	if (reply->ret >= 0)
		k->acquired |= acquires(ask->request);
}

static int patience(const struct keeper *k)
{
	const struct pollfd *target = &k->clients.wait[HOLDER_TARGET];

	if (target->revents || target->fd < 0)
		return LOOK;

	return k->acquired || k->clients.nr > HOLDER_CLIENT ? -1 : IDLE;
}

/*
 * Is this holder still needed? Not without requests and clients; otherwise as long as
 * the target exists, also as a zombie: its counts can still be read.
 */
static bool wanted(const struct keeper *k, int calls)
{
	if (calls == 0 && !k->acquired && k->clients.nr == HOLDER_CLIENT)
		return false;

	return ixp_ident_alive(k->folder);
}

static void keeper_serve(struct keeper *k)
{
	struct pollfd *target = &k->clients.wait[HOLDER_TARGET];
	int calls, ms;

	do {
		ms = patience(k);
		/* The pidfd has reported the target's end: do not wait for it again */
		if (target->revents)
			target->fd = -1;
		calls = holder_clients_serve(&k->clients, ms);
	} while (calls >= 0 && wanted(k, calls));
}

/**
 * holder_process() - hold the counters of one target until it is gone
 *
 * Return: an exit status.
 */
int holder_process(void)
{
	struct keeper k;
	int ret;

	memset(&k, 0, sizeof(k));
	k.clients.serve = serve;
	ixp_kernel.remote = false;
	ret = keeper_begin(&k);
	holder_answer(ret);
	if (ret < 0)
		return 1;
	holder_let_go();
	keeper_serve(&k);
	holder_clients_leave(&k.clients);

	return 0;
}
