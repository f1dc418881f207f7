// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What those who ask the holder of a process may have. It acts with the rights of
 * whoever has started it, so it does for others only what they could do themselves,
 * and for those of whom it cannot be known nothing.
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

/* Linux 6.5; the C library's headers may be older */
#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD	77
#endif

/* "status" of a process, whose lines are in the same order on all kernels */
#define STATUS_SIZE	4096

static bool read_status(int folder, char *text, size_t size)
{
	int fd = openat(folder, "status", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, size - 1);

	if (fd >= 0)
		close(fd);
	if (n > 0)
		text[n] = '\0';

	return n > 0;
}

/* What follows the name of a line; no name of a process has line ends in it */
static const char *line_of(const char *status, const char *name)
{
	const char *line = strstr(status, name);

	return line ? line + strlen(name) : NULL;
}

/* All bits if it is not known, as nobody has those */
static uint64_t capabilities(int folder)
{
	char status[STATUS_SIZE];
	const char *line = NULL;

	if (read_status(folder, status, sizeof(status)))
		line = line_of(status, "\nCapEff:");

	return line ? strtoull(line, NULL, 16) : UINT64_MAX;
}

/* This process: what it has does not change while it runs */
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
	/* There are none if the kernel has no user namespaces */
	us.in_namespace = self >= 0 &&
			  fstatat(self, "ns/user", &us.namespace, 0) == 0;
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

/* Has the process in this folder these rights here, and not in a container? */
static bool has_rights(int folder, uint64_t rights)
{
	uint64_t theirs = capabilities(folder);

	return theirs != UINT64_MAX && !(rights & ~theirs) &&
	       in_our_namespace(folder);
}

/*
 * The number of a process that has ended may be another one's. As long as this
 * descriptor says that it has not, the folder is that of whoever has connected.
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
 * Without capabilities all processes of a user are alike. Root has to have those
 * of this process, and the one to look at processes of other users.
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
 * holder_peer() - tell what a peer may ask for
 * @socket: the peer
 * @folder: the process whose counters are held
 * @starter: the peer has started this holder
 *
 * A kernel before Linux 6.5 does not tell which process a peer is: there root's
 * holders serve the root program that has started them, and the owner of the process.
 *
 * Return: all that this process may do, what the owner may, or nothing.
 */
enum holder_peer holder_peer(int socket, int folder, bool starter)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);
	struct stat st;

	if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0)
		return HOLDER_NOBODY;
	/* It is in a PID namespace of which this one knows nothing */
	if (peer.pid == 0)
		return HOLDER_NOBODY;
	if ((peer.uid == geteuid() || peer.uid == 0) &&
	    is_like_us(socket, &peer, starter))
		return HOLDER_LIKE_US;
	if (peer.uid != 0 && fstat(folder, &st) == 0 && st.st_uid == peer.uid)
		return HOLDER_OWNER;

	return HOLDER_NOBODY;
}

/* May the user send signals to the process? The rule is that of kill(2) */
static bool may_signal(uid_t user, int folder)
{
	char status[STATUS_SIZE];
	unsigned int real, effective, saved;
	const char *line = NULL;

	if (read_status(folder, status, sizeof(status)))
		line = line_of(status, "\nUid:");

	return line && sscanf(line, "%u %u %u", &real, &effective, &saved) == 3 &&
	       (real == user || saved == user);
}

/**
 * holder_owner_may() - tell whether the owner of a process may count so
 * @socket: the owner
 * @folder: the process
 * @arg: what is to be counted
 *
 * Return: whether it is user mode, without a signal that he could not send.
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
