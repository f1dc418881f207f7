// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What the clients of a holder may ask for. The holder has the rights of the process
 * that has started it. For another client it does only what the client could do
 * without the holder, and nothing if it cannot find out the client's rights.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <linux/capability.h>
#include "holder.h"
#include "spec.h"
#include "status.h"

/* Linux 6.5; the C library's headers may be older */
#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD	77
#endif

#define CAP_DIGITS	16

/*
 * The effective capabilities; UINT64_MAX, which no process has, if they are unknown.
 * They follow the list of groups, which can be so long that their line does not fit
 * into @text: then they are unknown, too.
 */
static uint64_t capabilities(int folder)
{
	char text[IXP_STATUS_SIZE];
	const char *line = ixp_status_line(folder, "CapEff", text);

	return line && strspn(line, "0123456789abcdef") == CAP_DIGITS ?
	       strtoull(line, NULL, 16) : UINT64_MAX;
}

/* The capabilities and user namespace of this process, which do not change */
static struct {
	bool known;
	uint64_t rights;
	bool in_namespace;
	struct stat namespace;
} us;

static void us_begin(void)
{
	int self;

	if (us.known)
		return;
	us.known = true;
	self = openat(AT_FDCWD, "/proc/self", O_PATH | O_DIRECTORY | O_CLOEXEC);
	us.rights = self < 0 ? UINT64_MAX : capabilities(self);
	/* ENOENT: there are no user namespaces; after other errors no client matches */
	us.in_namespace = self < 0 ||
			  fstatat(self, "ns/user", &us.namespace, 0) == 0 ||
			  errno != ENOENT;
	if (self >= 0)
		close(self);
}

static bool in_our_namespace(int folder)
{
	struct stat namespace;

	return !us.in_namespace ||
	       (fstatat(folder, "ns/user", &namespace, 0) == 0 &&
		namespace.st_dev == us.namespace.st_dev &&
		namespace.st_ino == us.namespace.st_ino);
}

/* Does the process have these capabilities, in the user namespace of this one? */
static bool has_rights(int folder, uint64_t rights)
{
	uint64_t theirs = capabilities(folder);

	return theirs != UINT64_MAX && !(rights & ~theirs) &&
	       in_our_namespace(folder);
}

/*
 * Does the client have these capabilities? When a client ends, another process can get
 * its PID. So its pidfd is checked last: if the client has not ended, /proc/PID was its
 * directory.
 */
static bool proves_rights(int process, pid_t pid, uint64_t rights)
{
	struct pollfd ended = { .fd = process, .events = POLLIN };
	char path[32];
	int folder;
	bool ret;

	snprintf(path, sizeof(path), "/proc/%d", pid);
	folder = openat(AT_FDCWD, path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (folder < 0)
		return false;
	ret = has_rights(folder, rights) && poll(&ended, 1, 0) == 0;
	close(folder);

	return ret;
}

/*
 * Does the client have all rights of this process? It needs all capabilities that this
 * process has, and if its user is another one, root, CAP_SYS_PTRACE as well.
 */
static bool is_like_us(int socket, const struct ucred *peer, bool starter)
{
	socklen_t size = sizeof(int);
	int process = -1;
	uint64_t rights;
	bool ret;

	us_begin();
	rights = us.rights;
	if (peer->uid != geteuid())
		rights |= UINT64_C(1) << CAP_SYS_PTRACE;
	if (rights == 0)
		return true;
	if (getsockopt(socket, SOL_SOCKET, SO_PEERPIDFD, &process, &size) < 0)
		return starter && errno == ENOPROTOOPT;
	ret = proves_rights(process, peer->pid, rights);
	close(process);

	return ret;
}

/**
 * holder_rights() - tell what a client may ask for
 * @c: the clients of this holder
 * @socket: the client
 *
 * Before Linux 6.5, a holder cannot get a pidfd of its client. There root's process
 * holders serve only the program that has started them and the target's owner; the
 * system-mode holder serves every process of root.
 *
 * Return: see enum holder_rights.
 */
enum holder_rights holder_rights(const struct holder_clients *c, int socket)
{
	const bool starter = socket == c->starter || c->folder < 0;
	struct ucred peer;
	socklen_t size = sizeof(peer);
	struct stat st;

	if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0)
		return HOLDER_NONE;
	/* The client is in a PID namespace that this process cannot see */
	if (peer.pid == 0)
		return HOLDER_NONE;
	if ((peer.uid == geteuid() || peer.uid == 0) &&
	    is_like_us(socket, &peer, starter))
		return HOLDER_ALL;
	if (peer.uid != 0 && fstat(c->folder, &st) == 0 && st.st_uid == peer.uid)
		return HOLDER_OWNERS;

	return HOLDER_NONE;
}

/* May the user send signals to the process? The rule is that of kill(2) */
static bool may_signal(uid_t user, int folder)
{
	unsigned int id[3];

	return ixp_status_ids(folder, "Uid", id) == 0 &&
	       (id[0] == user || id[2] == user);
}

/**
 * holder_owner_may() - tell whether the owner of a target may count these events
 * @socket: the owner's connection
 * @folder: the target's directory
 * @arg: the events
 *
 * Return: true if all count in user mode only, and the owner may send the overflow
 * signal, if there is one.
 */
bool holder_owner_may(int socket, int folder, const hwperf_profevctrarg_t *arg)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);

	if (ixp_spec_bits(arg) &
	    (HWPERF_CNTEN_K | HWPERF_CNTEN_S | HWPERF_CNTEN_E))
		return false;

	return arg->hwp_ovflw_sig == 0 ||
	       (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
		may_signal(peer.uid, folder));
}
