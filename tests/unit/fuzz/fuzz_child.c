// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fuzzes what a process reads of its children, and a child of its parent: the
 * page that both share, and the messages with descriptors. This process plays
 * all parts. The others act between two calls of the library, and also in the
 * midst of one: while the library waits, and before each message that it takes.
 *
 * Beyond crashes, the library has to keep its promises: it takes so many
 * messages at most and waits for so long, what somebody else has sent is neither
 * read nor closed, and no descriptor is left behind, but for those of one message
 * for each socket that the other side has changed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <irixperf.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/hwperftypes.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include "childlink.h"
#include "fake.h"
#include "input.h"
#include "ixp_child.h"
#include "kernel.h"
#include "plan.h"
#include "set.h"

#define CHILDREN	24
#define OPS_MAX		64
#define SENT_MAX	253	/* SCM_MAX_FD of the kernel */
#define FLOOD		64
#define NOBODY		65534
#define LAST_PID	0x7ffffff0

/*
 * Descriptors of a message of a socket that was changed, which nobody closes: those for
 * which there is room, and room for the sender's credentials
 */
#define ROOM	((CMSG_SPACE(sizeof(struct ucred)) +				\
		  CMSG_SPACE(2 * IXP_MAX_PAIRS * sizeof(int)) - CMSG_LEN(0)) / sizeof(int))

/* Of child.c: messages that are looked at, and milliseconds that are waited */
#define MESSAGES_MAX	4096
#define WAITS_MAX	1000

/* Small numbers, and from time to time any */
static uint32_t take_number(void)
{
	uint32_t number = take();

	if (number < 0xf8)
		return number % 8;
	number = take() << 8;
	number = (number | take()) << 8;

	return (number | take()) << 8 | take();
}

/**
 * struct peer - the other side of a link, and what it has of it
 * @shared: the page
 * @tell: the end that sends
 * @hear: the other one, which both processes have
 */
struct peer {
	struct ixp_shared *shared;
	int tell;
	int hear;
};

static struct peer peers[CHILDREN], made;
static unsigned int nr_peers;
static unsigned int nr_changes;		/* how often a socket was changed */

/* Calls of the C library that the linker brings here */

int __real_socketpair(int domain, int type, int protocol, int sock[2]);
int __wrap_socketpair(int domain, int type, int protocol, int sock[2]);
void *__real_mmap64(void *at, size_t size, int access, int flags, int fd,
		    off_t from);
void *__wrap_mmap64(void *at, size_t size, int access, int flags, int fd,
		    off_t from);
int __real_munmap(void *at, size_t size);
int __wrap_munmap(void *at, size_t size);
int __real_poll(struct pollfd *fds, nfds_t nr, int ms);
int __wrap_poll(struct pollfd *fds, nfds_t nr, int ms);
ssize_t __real_recvmsg(int fd, struct msghdr *hdr, int flags);
ssize_t __wrap_recvmsg(int fd, struct msghdr *hdr, int flags);

static void others_act(void);

static bool inside;	/* the library runs */
static bool stubborn;	/* children never say their number */
static unsigned int waits, received;
static unsigned int to_act;	/* how often others act in the midst of a call */

int __wrap_socketpair(int domain, int type, int protocol, int sock[2])
{
	int ret = __real_socketpair(domain, type, protocol, sock);

	if (ret == 0 && inside) {
		made.tell = dup(sock[0]);
		made.hear = dup(sock[1]);
	}

	return ret;
}

void *__wrap_mmap64(void *at, size_t size, int access, int flags, int fd,
		    off_t from)
{
	void *page = __real_mmap64(at, size, access, flags, fd, from);

	if (inside && page != MAP_FAILED && (flags & MAP_SHARED))
		made.shared = page;

	return page;
}

static void peer_drop(struct peer *peer)
{
	if (peer->tell >= 0) {
		close(peer->tell);
		close(peer->hear);
	}
	*peer = (struct peer){ NULL, -1, -1 };
}

/* The other side has it no longer either: this process plays both */
int __wrap_munmap(void *at, size_t size)
{
	unsigned int i;

	if (made.shared == at)
		made.shared = NULL;
	for (i = 0; i < nr_peers; i++)
		if (peers[i].shared == at)
			peers[i].shared = NULL;

	return __real_munmap(at, size);
}

/* Children that say their number when nothing else happens: to wait takes long */
static void others_begin(void)
{
	unsigned int i;

	for (i = 0; i < nr_peers && !stubborn; i++)
		if (peers[i].shared && peers[i].shared->pid == 0)
			peers[i].shared->pid = LAST_PID;
}

/* Nothing is waited for that takes time */
int __wrap_poll(struct pollfd *fds, nfds_t nr, int ms)
{
	if (fds)
		return __real_poll(fds, nr, ms);
	promise(ms == 1 && ++waits <= WAITS_MAX, "a second is waited at most");
	if (to_act == 0)
		others_begin();
	others_act();

	return 0;
}

ssize_t __wrap_recvmsg(int fd, struct msghdr *hdr, int flags)
{
	promise(flags & MSG_DONTWAIT, "no message is waited for");
	promise(++received <= 2 * MESSAGES_MAX + 2, "messages have an end");
	others_act();

	return __real_recvmsg(fd, hdr, flags);
}

/* Files that are sent as events; the last one is somebody else's */

#define FILES		6

static int file[FILES];
static struct stat not_ours;

/* What read(2) of an event gives, and of files that are none */
static void make_files(void)
{
	static const uint64_t good[] = { 1, 1000, 1000, 5 };
	static const uint64_t pair[] = { 2, 1000, 10, 5, 6 };
	static const uint64_t bad[] = { UINT64_MAX, 1, UINT64_MAX, UINT64_MAX, 0 };
	static const struct {
		const void *bytes;
		size_t size;
	} what[FILES] = {
		{ good, sizeof(good) }, { pair, sizeof(pair) },
		{ bad, sizeof(bad) }, { good, 12 }, { NULL, 0 },
		{ good, sizeof(good) },
	};
	unsigned int i;

	for (i = 0; i < FILES; i++) {
		file[i] = memfd_create("file", MFD_CLOEXEC);
		promise(file[i] >= 0 &&
			pwrite(file[i], what[i].bytes, what[i].size, 0) ==
			(ssize_t)what[i].size, "the test has its files");
	}
	fstat(file[FILES - 1], &not_ours);
}

static void check_ours(int fd)
{
	struct stat st;

	promise(fstat(fd, &st) == 0, "a descriptor is open");
	promise(st.st_ino != not_ours.st_ino || st.st_dev != not_ours.st_dev,
		"nothing of another user is taken");
}

static ssize_t file_read(int fd, void *buf, size_t size)
{
	ssize_t n;

	check_ours(fd);
	n = pread(fd, buf, size, 0);

	return n < 0 ? -errno : n;
}

static void file_close(int fd)
{
	check_ours(fd);
	promise(close(fd) == 0, "a descriptor is closed once");
}

/* What others do */

static struct peer *take_peer(void)
{
	return nr_peers ? &peers[take() % nr_peers] : NULL;
}

static void write_page(struct peer *peer)
{
	struct ixp_shared *shared = peer->shared;
	unsigned int what = take() % 6;
	uint32_t number = take_number();

	if (!shared)
		return;
	switch (what) {
	case 0:
		shared->pid = (int32_t)number;
		break;
	case 1:
		shared->turn = number;
		break;
	case 2:
		shared->kept[take() & 1].serial = number;
		break;
	case 3:
		/* A bool has no other values, but the page does not know that */
		*(volatile unsigned char *)&shared->lost = number & 1;
		break;
	case 4:
		shared->kept[take() & 1].counts.hwp_evctr[number %
			HWPERF_EVENTMAX] = take_number();
		break;
	default:
		memset(shared->kept, (int)number, sizeof(shared->kept));
	}
}

union control {
	struct cmsghdr align;
	char buf[CMSG_SPACE(sizeof(struct ucred)) +
		 CMSG_SPACE(SENT_MAX * sizeof(int))];
};

static void add_cmsg(struct msghdr *hdr, int type, const void *data, size_t size)
{
	char *end = (char *)hdr->msg_control + hdr->msg_controllen;
	struct cmsghdr *cmsg = (struct cmsghdr *)(void *)end;

	cmsg->cmsg_level = SOL_SOCKET;
	cmsg->cmsg_type = type;
	cmsg->cmsg_len = CMSG_LEN(size);
	memcpy(CMSG_DATA(cmsg), data, size);
	hdr->msg_controllen += CMSG_SPACE(size);
}

/* Whoever is root can send as anybody */
static bool send_as(const struct peer *peer, const struct ixp_message *msg,
		    size_t size, unsigned int nr_fds, bool as_nobody)
{
	const struct ucred who = { getpid(), NOBODY, NOBODY };
	union control control = { .buf = { 0 } };
	struct iovec iov = { (void *)msg, size };
	struct msghdr hdr = {
		.msg_iov = &iov, .msg_iovlen = 1, .msg_control = control.buf,
	};
	unsigned int which = take(), i;
	int fd[SENT_MAX];

	for (i = 0; i < nr_fds; i++)
		fd[i] = file[as_nobody ? FILES - 1 : which % (FILES - 1)];
	if (as_nobody)
		add_cmsg(&hdr, SCM_CREDENTIALS, &who, sizeof(who));
	if (nr_fds > 0)
		add_cmsg(&hdr, SCM_RIGHTS, fd, nr_fds * sizeof(int));

	return sendmsg(peer->tell, &hdr, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0;
}

static unsigned int take_nr_fds(const struct ixp_message *msg)
{
	unsigned int how = take();

	return how < 0x80 ? msg->events % (SENT_MAX + 1) :
			    2 * how % (SENT_MAX + 1);
}

static void send_message(const struct peer *peer)
{
	struct ixp_message msg = { .serial = take_number(), .nr = take_number() };
	unsigned int how = take(), events = how % 8, i, nr_fds;
	size_t size = sizeof(msg);

	msg.events = how & 0x40 ? take_number() : events;
	for (i = 0; i < events; i++) {
		msg.event[i] = (unsigned char)take();
		msg.leader[i] = (unsigned char)take();
	}
	if (how & 0x20)
		size = take() % (sizeof(msg) + 8);
	if (size > sizeof(msg))
		size = sizeof(msg);
	if (peer->tell < 0)
		return;
	nr_fds = take_nr_fds(&msg);
	i = how & 0x10 ? FLOOD : 1;
	while (i-- > 0)
		if (!send_as(peer, &msg, size, nr_fds,
			     (how & 0x08) && geteuid() == 0))
			return;
}

/* The child has its parent's end, too, and takes back what is outdated */
static void take_message(const struct peer *peer)
{
	char byte;

	if (peer->hear < 0)
		return;
	nr_changes++;
	(void)!recv(peer->hear, &byte, 1, MSG_DONTWAIT);
}

static void change_socket(const struct peer *peer)
{
	unsigned int what = take();
	int value = (int)take_number();

	if (peer->hear < 0)
		return;
	nr_changes++;
	switch (what % 4) {
	case 0:
		setsockopt(peer->hear, SOL_SOCKET, SO_PASSCRED, &value,
			   sizeof(value));
		break;
	case 1:
		setsockopt(peer->hear, SOL_SOCKET, SO_PEEK_OFF, &value,
			   sizeof(value));
		break;
	case 2:
		shutdown(peer->hear, value % 3);
		break;
	default:
		shutdown(peer->tell, value % 3);
	}
}

static void other_acts(void)
{
	struct peer *peer = take_peer();
	unsigned int what = take();

	if (!peer)
		return;
	switch (what % 8) {
	case 0:
	case 1:
		write_page(peer);
		break;
	case 2:
	case 3:
	case 4:
		send_message(peer);
		break;
	case 5:
		take_message(peer);
		break;
	case 6:
		change_socket(peer);
		break;
	default:
		/* It ends, and is not closed again by end_world() */
		if (peer->tell >= 0) {
			close(peer->tell);
			close(peer->hear);
			peer->tell = peer->hear = -1;
		}
	}
}

static void others_act(void)
{
	if (to_act == 0 || !inside)
		return;
	to_act--;
	inside = false;
	other_acts();
	inside = true;
}

/* What this process does */

static void library_begin(void)
{
	waits = received = 0;
	made = (struct peer){ NULL, -1, -1 };
	inside = true;
}

static void library_end(void)
{
	inside = false;
}

static void have_child(void)
{
	if (nr_peers == CHILDREN)
		return;
	library_begin();
	ixp_child_fork_prepare();
	promise(ixp_child_fork_parent(), "there is a child");
	library_end();
	peers[nr_peers++] = made;
	made.shared = NULL;
}

static void forget_peers(void)
{
	while (nr_peers > 0)
		peer_drop(&peers[--nr_peers]);
}

/* All that this process had is its parent's */
static void become_child(void)
{
	library_begin();
	ixp_child_fork_prepare();
	ixp_child_fork_child();
	library_end();
	forget_peers();
	peers[nr_peers++] = made;
	made.shared = NULL;
	promise(ixp_child_has_parent(), "it has a parent");
}

static unsigned int offer_file(unsigned int nr)
{
	struct irixperf_set set;
	unsigned int i;

	memset(&set, 0, sizeof(set));
	set.nr = nr;
	for (i = 0; i < nr; i++) {
		set.fd[i] = file[0];
		set.group[i] = 1;
	}

	return ixp_child_offer(&set);
}

static void count_as_child(void)
{
	hwperf_cntr_t counts = { .hwp_evctr = { 1 } };
	unsigned int offer;

	if (!ixp_child_has_parent())
		return;
	library_begin();
	offer = offer_file(1 + take() % (2 * IXP_MAX_PAIRS));
	ixp_child_commit(offer, &counts);
	library_end();
}

static void ask_for_children(unsigned int what)
{
	pid_t pid = (pid_t)take_number();
	hwperf_cntr_t sum = { .hwp_evctr = { 0 } };
	bool exists;
	int ret = 0;

	library_begin();
	switch (what) {
	case 0:
		ret = ixp_child_sweep(&sum);
		promise(ret == 0 || ret == 1 || ret == -EIO, "a sweep's result");
		break;
	case 1:
		ret = ixp_child_save(pid);
		promise(ret == 0 || ret == -ESRCH, "a save's result");
		promise(ret < 0 || ixp_child_any_saved(), "it is saved");
		break;
	case 2:
		exists = ixp_child_exists(pid);
		promise(!exists || nr_peers > 0, "a child that exists");
		break;
	default:
		ret = ixp_child_take(pid, &sum);
		promise(ret == 0 || ret == -ESRCH || ret == -EIO,
			"a child's result");
	}
	library_end();
}

static void operation(void)
{
	unsigned int what = take();

	to_act = what >> 4;
	if (to_act == 0xf)
		to_act = take();
	switch (what % 16) {
	case 0:
	case 1:
		have_child();
		break;
	case 2:
		become_child();
		break;
	case 3:
		count_as_child();
		break;
	case 4:
	case 5:
	case 6:
	case 7:
	case 8:
	case 9:
		ask_for_children(what % 4);
		break;
	default:
		other_acts();
	}
}

static void check_descriptors(const bool before[FDS_MAX])
{
	unsigned int i, nr = 0;
	bool after[FDS_MAX];

	open_descriptors(after);
	for (i = 0; i < FDS_MAX; i++) {
		promise(after[i] || !before[i], "its own stay open");
		if (after[i] && !before[i]) {
			nr++;
			close((int)i);
		}
	}
	promise(nr <= nr_changes * ROOM, "no descriptor is left behind");
}

/* As in a child of a fork whose link could not be made: all is forgotten */
static void end_world(void)
{
	library_begin();
	ixp_child_fork_child();
	library_end();
	forget_peers();
}

/* The page and the messages are as this test thinks they are */
static void first_message(void)
{
	hwperf_cntr_t counts = { .hwp_evctr = { 7 } };
	struct ixp_message msg;
	char more[8];
	struct iovec iov[] = { { &msg, sizeof(msg) }, { more, sizeof(more) } };
	struct msghdr hdr = { .msg_iov = iov, .msg_iovlen = 2 };
	const struct ixp_shared *shared;

	become_child();
	shared = peers[0].shared;
	ixp_child_commit(offer_file(3), &counts);
	promise(shared->pid == getpid() && shared->turn == 1 &&
		shared->kept[1].serial == 1 &&
		shared->kept[1].counts.hwp_evctr[0] == 7, "this is the page");
	promise(__real_recvmsg(peers[0].hear, &hdr, MSG_DONTWAIT) ==
		(ssize_t)sizeof(msg), "a message has this size");
	promise(msg.serial == 1 && msg.nr == 1 && msg.events == 3 &&
		msg.leader[2] == 1 && msg.leader[3] == 0, "this is a message");
	end_world();
}

static void make_world(void)
{
	static bool begun;

	if (begun)
		return;
	begun = true;
	fake_install_other();
	ixp_kernel.perf_read = file_read;
	ixp_kernel.perf_close = file_close;
	make_files();
	first_message();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	bool before[FDS_MAX];
	unsigned int i;

	make_world();
	open_descriptors(before);
	nr_changes = 0;
	input = data;
	input_left = size;
	stubborn = size > 0 && data[size - 1] == 0xff;
	for (i = 0; i < OPS_MAX && input_left > 0; i++)
		operation();
	to_act = 0;
	end_world();
	check_descriptors(before);

	return 0;
}
