// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fuzzes how a holder decides what its peers may do. What the kernel says of the peer,
 * of its process and of the holder is the input's choice: it may be missing, cut off or
 * not understood, and the peer may end at any step, and leave its PID to a process
 * that has all rights.
 *
 * The promises: a peer that is granted all rights of the holder has them, one that is
 * granted those of the owner is the owner, and nobody is refused what he has shown to
 * have.
 */
#include <string.h>
#include "../../../compat/libirixperf/holder/rights.c"
#include "input.h"
#include "kernel.h"

/* Descriptors that nobody but the calls below knows */
enum { SOCKET = 1000, SUBJECT, HOLDER_DIR, PEER_DIR, PIDFD };

#define PID		4711
#define ALL_RIGHTS	((UINT64_C(1) << 41) - 1)

/**
 * struct process - a process, and what of it can be seen
 * @error: of the directory's open(2), or 0
 * @rights: its effective capabilities
 * @bad: what stands in their place, or NULL
 * @groups: how many bytes of the file stand before them
 * @namespace_error: of stat(2), or 0
 * @namespace: the number of its user namespace
 */
struct process {
	int error;
	uint64_t rights;
	const char *bad;
	unsigned int groups;
	int namespace_error;
	ino_t namespace;
};

/* What is true, and errors of those calls that fail */
static struct {
	uid_t uid;
	struct process holder, peer;
	int cred_error;
	struct ucred cred;
	int pidfd_error;
	unsigned int ends;	/* the peer, after so many steps */
	int owner_error;
	uid_t owner;		/* of the subject's directory */
	bool no_ids;
	unsigned int id[3];	/* of the subject */
} world;

/* It has the peer's PID after the peer */
static const struct process impostor = { .rights = ALL_RIGHTS, .namespace = 1 };

static const struct process *seen;	/* in PEER_DIR */
static unsigned int steps, descriptors;

static bool peer_has_ended(void)
{
	return steps++ >= world.ends;
}

static int result(int error)
{
	errno = error;

	return error ? -1 : 0;
}

static int opened(int fd, int error)
{
	if (!error)
		descriptors |= 1u << (fd - SOCKET);

	return error ? result(error) : fd;
}

static const struct process *process_of(int dir)
{
	promise((dir == HOLDER_DIR || dir == PEER_DIR) &&
		descriptors & 1u << (dir - SOCKET), "a directory is open");

	return dir == HOLDER_DIR ? &world.holder : seen;
}

/* Calls that the linker brings here */

__typeof__(getsockopt) __wrap_getsockopt;
__typeof__(openat) __real_openat64, __wrap_openat64;
__typeof__(fstatat) __wrap_fstatat64;
__typeof__(fstat) __real_fstat64, __wrap_fstat64;
int __real_poll(struct pollfd *fds, nfds_t nr, int ms);
int __wrap_poll(struct pollfd *fds, nfds_t nr, int ms);
__typeof__(close) __real_close, __wrap_close;
__typeof__(geteuid) __wrap_geteuid;
__typeof__(ixp_file_read_at) __wrap_ixp_file_read_at;

int __wrap_getsockopt(int fd, int level, int name, void *value, socklen_t *size)
{
	promise(fd == SOCKET && level == SOL_SOCKET, "the peer is asked about");
	if (name == SO_PEERCRED) {
		promise(*size == sizeof(world.cred), "there is room");
		if (!world.cred_error)
			memcpy(value, &world.cred, sizeof(world.cred));
		return result(world.cred_error);
	}
	promise(name == SO_PEERPIDFD && *size == sizeof(int), "there is room");
	if (!world.pidfd_error)
		*(int *)value = opened(PIDFD, 0);

	return result(world.pidfd_error);
}

int __wrap_openat64(int dir, const char *name, int flags, ...)
{
	char path[32];

	if (strcmp(name, "/proc/self") == 0)
		return opened(HOLDER_DIR, world.holder.error);
	snprintf(path, sizeof(path), "/proc/%d", world.cred.pid);
	if (strcmp(name, path))
		return __real_openat64(dir, name, flags);
	seen = peer_has_ended() ? &impostor : &world.peer;

	return opened(PEER_DIR, seen->error);
}

/* No more than there is room for, with a null character */
ssize_t __wrap_ixp_file_read_at(int dir, const char *name, char *buf, size_t size)
{
	const struct process *process;
	char text[8192], rights[32];
	int n;

	promise(strcmp(name, "status") == 0, "rights and IDs are in \"status\"");
	if (dir == SUBJECT) {
		n = snprintf(buf, size, "Name:\tUid: 0\nUid:\t%u\t%u\t%u\t0\n",
			     world.id[0], world.id[1], world.id[2]);
		return world.no_ids ? -ESRCH : n;
	}
	process = process_of(dir);
	if (process == &world.peer && peer_has_ended())
		return -ESRCH;
	snprintf(rights, sizeof(rights), "%016llx\n",
		 (unsigned long long)process->rights);
	n = snprintf(text, sizeof(text), "Groups:\t%0*u\nCapEff:\t%s", process->groups,
		     0, process->bad ? process->bad : rights);
	if ((size_t)n > size - 1)
		n = (int)size - 1;
	memcpy(buf, text, n);
	buf[n] = '\0';

	return n;
}

int __wrap_fstatat64(int dir, const char *name, struct stat *st, int flags)
{
	const struct process *process = process_of(dir);

	promise(strcmp(name, "ns/user") == 0 && flags == 0, "a namespace is looked at");
	if (process == &world.peer && peer_has_ended())
		return result(ESRCH);
	if (process->namespace_error)
		return result(process->namespace_error);
	memset(st, 0, sizeof(*st));
	st->st_ino = process->namespace;

	return 0;
}

int __wrap_fstat64(int fd, struct stat *st)
{
	if (fd != SUBJECT)
		return __real_fstat64(fd, st);
	memset(st, 0, sizeof(*st));
	st->st_uid = world.owner;

	return result(world.owner_error);
}

int __wrap_poll(struct pollfd *fds, nfds_t nr, int ms)
{
	if (fds->fd != PIDFD)
		return __real_poll(fds, nr, ms);
	promise(nr == 1 && ms == 0, "nothing is waited for");

	return peer_has_ended();
}

int __wrap_close(int fd)
{
	unsigned int bit = 1u << (fd - SOCKET);

	if (fd < SOCKET || fd > PIDFD)
		return __real_close(fd);
	promise(descriptors & bit, "a descriptor is closed once");
	descriptors &= ~bit;

	return 0;
}

uid_t __wrap_geteuid(void)
{
	return world.uid;
}

/* The input */

static uid_t take_uid(void)
{
	static const uid_t uid[] = { 0, 1000, 1001, UINT32_MAX };

	return uid[take() % 4];
}

static int take_error(void)
{
	static const int errors[] = { ENOPROTOOPT, ESRCH, ENOENT, EACCES, EMFILE, ENOMEM };
	unsigned int what = take();

	return what < 0xd0 ? 0 : errors[what % 6];
}

static uint64_t take_rights(void)
{
	unsigned int what = take();

	switch (what % 4) {
	case 0:
		return 0;
	case 1:
		return ALL_RIGHTS;
	case 2:
		return UINT64_C(1) << CAP_SYS_PTRACE;
	default:
		return (UINT64_C(1) << take() % 41) | (UINT64_C(1) << take() % 41);
	}
}

static void take_process(struct process *process)
{
	static const char *const bad[] = {
		"", "\n", "none\n", "-2\n", "fffffffffffffffff\n", "1ff ff\n",
	};
	unsigned int what = take();

	process->error = take_error();
	process->rights = take_rights();
	process->bad = what < 0xc0 ? NULL : bad[what % 6];
	process->groups = what & 1 ? 4000 + take() % 128 : 1;
	process->namespace_error = take_error();
	process->namespace = 1 + take() % 2;
}

static void take_world(void)
{
	world.uid = take_uid();
	take_process(&world.holder);
	take_process(&world.peer);
	world.cred_error = take_error();
	world.cred.pid = take() < 0xe0 ? PID : 0;
	world.cred.uid = take_uid();
	world.pidfd_error = take_error();
	world.ends = take() % 16;
	world.owner_error = take_error();
	world.owner = take_uid();
	world.no_ids = take() >= 0xe0;
	world.id[0] = take_uid();
	world.id[1] = take_uid();
	world.id[2] = take_uid();
}

/* What is true */

static bool is_known(void)
{
	return !world.cred_error && world.cred.pid;
}

static bool has_what_it_takes(bool starter)
{
	const struct process *holder = &world.holder, *peer = &world.peer;
	bool other = world.cred.uid != world.uid;

	if (!is_known() || (other && world.cred.uid != 0))
		return false;
	if (!holder->error && !holder->bad && !holder->rights && !other)
		return true;
	if (world.pidfd_error)
		return starter && world.pidfd_error == ENOPROTOOPT;

	return !holder->error && !holder->bad && !(holder->rights & ~peer->rights) &&
	       (!other || peer->rights & UINT64_C(1) << CAP_SYS_PTRACE) &&
	       (holder->namespace_error == ENOENT || (!holder->namespace_error &&
		!peer->namespace_error && holder->namespace == peer->namespace));
}

/* Nothing failed, nothing was cut off, and the peer has not ended */
static bool is_clear(void)
{
	return !world.holder.error && world.holder.groups == 1 && !world.peer.error &&
	       !world.peer.bad && world.peer.groups == 1 && world.ends >= 8;
}

static bool is_owner(void)
{
	return is_known() && world.cred.uid != 0 && !world.owner_error &&
	       world.owner == world.cred.uid;
}

static void check_peer(void)
{
	bool starter = take() & 1;
	const struct holder_clients clients = {
		.folder = SUBJECT, .starter = starter ? SOCKET : -1,
	};
	enum holder_rights peer = holder_rights(&clients, SOCKET);

	promise(peer != HOLDER_ALL || has_what_it_takes(starter),
		"who has fewer rights than the holder has not all of its rights");
	promise(peer == HOLDER_ALL || !is_clear() || !has_what_it_takes(starter),
		"who has all rights of the holder is not refused");
	promise(peer != HOLDER_OWNERS || is_owner(), "the owner is the owner");
	promise(peer != HOLDER_NONE || !is_owner(), "the owner is not refused");
}

static void check_owner_may(void)
{
	hwperf_profevctrarg_t arg;
	bool user_mode = true, may_signal;
	unsigned int nr, at;

	memset(&arg, 0, sizeof(arg));
	for (nr = take() % 4; nr > 0; nr--) {
		at = take() % HWPERF_EVENTMAX;
		arg.hwp_evctrargs.hwp_evctrl[at].hwperf_creg.hwp_mode = take() & 0xf;
	}
	for (at = 0; at < HWPERF_EVENTMAX; at++)
		user_mode &= !(arg.hwp_evctrargs.hwp_evctrl[at].hwperf_creg.hwp_mode &
			       ~HWPERF_CNTEN_U);
	arg.hwp_ovflw_sig = (int)(int8_t)take();
	may_signal = !world.cred_error && !world.no_ids &&
		     (world.cred.uid == world.id[0] || world.cred.uid == world.id[2]);

	promise(holder_owner_may(SOCKET, SUBJECT, &arg) ==
		(user_mode && (!arg.hwp_ovflw_sig || may_signal)),
		"the owner counts in user mode, and sends signals to his processes");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	input = data;
	input_left = size;
	take_world();
	memset(&us, 0, sizeof(us));
	steps = 0;
	check_peer();
	check_owner_may();
	promise(descriptors == 0, "no descriptor is left behind");

	return 0;
}
