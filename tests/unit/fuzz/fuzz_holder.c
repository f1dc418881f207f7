// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fuzzes what the holder of a process reads from those who ask it: clients come
 * and go, send messages of any size with any request, and are of any kind. The
 * holder runs in this process; the others act when it waits for them, and at the
 * end of the input its process is gone.
 *
 * Beyond crashes, the holder has to keep its promises: an answer is whole, whoever
 * may have nothing gets nothing, and it ends when its process does.
 */
#include <errno.h>
#include <fcntl.h>
#include <irixperf.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/procfs.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <linux/magic.h>
#include "../../../compat/libirixperf/holder/holder.h"
#include "fake.h"
#include "input.h"
#include "remote.h"
#include "start.h"

#define PID		5000001
#define CLIENTS		80	/* more than a holder has at a time */
#define OPS_MAX		48
#define LAST_ROUNDS	200	/* until it ends */

/* The process */

static int folder;

static void statm_path(char *path, size_t size)
{
	snprintf(path, size, "%s/proc/%d/statm", ixp_kernel.root, PID);
}

static void process_begin(void)
{
	char path[PATH_MAX];

	statm_path(path, sizeof(path));
	close(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
}

static void process_end(void)
{
	char path[PATH_MAX];

	statm_path(path, sizeof(path));
	unlink(path);
}

/* Those who ask; the first one has started the holder */

static int client[CLIENTS];
static unsigned int nr_clients;
static enum holder_rights verdict;

static void client_connect(void)
{
	struct sockaddr_un address;
	socklen_t len;
	int place, fd;

	if (nr_clients == CLIENTS)
		return;
	place = ixp_place_open(geteuid(), 0);
	if (place < 0)
		place = ixp_place_open(geteuid(), 1);
	promise(place >= 0, "there is a directory of holders");
	len = ixp_place_address(&address, place, PID);
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (connect(fd, (const struct sockaddr *)&address, len) == 0)
		client[nr_clients++] = fd;
	else
		close(fd);
	close(place);
}

static void client_close(void)
{
	unsigned int at = take();

	if (nr_clients == 0)
		return;
	at %= nr_clients;
	close(client[at]);
	client[at] = client[--nr_clients];
}

static const uint32_t requests[] = {
	IXP_REMOTE_HELLO, IXP_REMOTE_KEEP, IXP_REMOTE_HOLDS, PIOCENEVCTRS,
	PIOCGETEVCTRS, PIOCGETEVCTRL, PIOCSETEVCTRL, PIOCRELEVCTRS,
	PIOCSAVECCNTRS, PIOCGETPREVCTRS, 3, UINT32_MAX,
};

static void take_events(hwperf_profevctrarg_t *arg)
{
	hwperf_ctrl_t *ctrl = arg->hwp_evctrargs.hwp_evctrl;
	unsigned int how = take(), nr = how % 8, at;

	while (nr-- > 0) {
		at = take() % HWPERF_EVENTMAX;
		ctrl[at].hwperf_creg.hwp_mode = take() & 0xf;
		ctrl[at].hwperf_creg.hwp_ev = at % 16;
		if (how & 0x10)
			arg->hwp_ovflw_freq[at] = (int)take() << 8;
		if (how & 0x20)
			ctrl[at].hwperf_spec = (short)(take() << 8 | take());
	}
	if (how & 0x40)
		arg->hwp_ovflw_sig = (int)(int8_t)take();
}

static void client_ask(void)
{
	struct ixp_remote_request ask;
	unsigned int at = take(), what = take();
	size_t size = sizeof(ask);

	if (nr_clients == 0)
		return;
	memset(&ask, 0, sizeof(ask));
	ask.request = requests[what % (sizeof(requests) / sizeof(requests[0]))];
	if (what & 0x80)
		ask.request ^= 1u << take() % 32;
	verdict = (enum holder_rights)(HOLDER_ALL - (what >> 5 & 3) % 3);
	take_events(&ask.arg);
	if (at & 0x80)
		size = (take() << 8 | take()) % sizeof(ask);
	(void)!send(client[at % nr_clients], &ask, size,
		    MSG_DONTWAIT | MSG_NOSIGNAL);
}

/* All that has been answered to what was asked last */
static void answers(void)
{
	struct ixp_remote_reply reply;
	unsigned int i;
	ssize_t n;

	for (i = 0; i < nr_clients; i++) {
		n = recv(client[i], &reply, sizeof(reply),
			 MSG_DONTWAIT | MSG_TRUNC);
		if (n <= 0)
			continue;
		promise(n == (ssize_t)sizeof(reply), "an answer is whole");
		promise(reply.ret > -4096, "an answer is a result");
		promise(verdict != HOLDER_NONE || reply.ret == -EPERM,
			"nobody gets nothing");
	}
}

/* Calls that the linker brings here */

int __real_poll(struct pollfd *fds, nfds_t nr, int ms);
int __wrap_poll(struct pollfd *fds, nfds_t nr, int ms);
int __real_fcntl64(int fd, int what, long arg);
int __wrap_fcntl64(int fd, int what, long arg);
int __real_fstatfs64(int fd, struct statfs *fs);
int __wrap_fstatfs64(int fd, struct statfs *fs);
__typeof__(holder_request) __wrap_holder_request;
__typeof__(holder_answer) __wrap_holder_answer;
__typeof__(holder_let_go) __wrap_holder_let_go;
__typeof__(holder_rights) __wrap_holder_rights;

static bool holds;		/* the holder runs */
static int starter = -1;	/* its end of the socket of the starter */
static unsigned int ops, last_rounds;

int __wrap_poll(struct pollfd *fds, nfds_t nr, int ms)
{
	if (!holds || ms == 0)
		return __real_poll(fds, nr, ms);
	answers();
	if (input_left == 0 || ops++ == OPS_MAX) {
		promise(++last_rounds <= LAST_ROUNDS,
			"a holder ends with its process");
		process_end();
		return __real_poll(fds, nr, 0);
	}
	switch (take() % 8) {
	case 0:
	case 1:
		client_connect();
		break;
	case 2:
		client_close();
		break;
	case 3:
		while (nr_clients < CLIENTS && nr_clients < take())
			client_connect();
		break;
	default:
		client_ask();
	}

	return __real_poll(fds, nr, 0);
}

int __wrap_fcntl64(int fd, int what, long arg)
{
	if (holds && what == F_DUPFD_CLOEXEC && fd == IXP_HOLDER_SUBJECT)
		fd = folder;
	if (holds && what == F_DUPFD_CLOEXEC && fd == IXP_HOLDER_ANSWER)
		fd = starter;

	return __real_fcntl64(fd, what, arg);
}

/* Our directories of processes lie elsewhere */
int __wrap_fstatfs64(int fd, struct statfs *fs)
{
	struct stat st;
	int ret = __real_fstatfs64(fd, fs);

	if (ret == 0 && fstat(fd, &st) == 0 && S_ISDIR(st.st_mode))
		fs->f_type = PROC_SUPER_MAGIC;

	return ret;
}

int __wrap_holder_request(void *request, size_t size)
{
	const struct ixp_remote_begin begin = { .pid = PID };

	promise(size == sizeof(begin), "a holder is told what to do");
	memcpy(request, &begin, size);

	return 0;
}

void __wrap_holder_answer(int32_t value)
{
	promise(value == 0, "a holder begins");
}

void __wrap_holder_let_go(void)
{
}

enum holder_rights __wrap_holder_rights(const struct holder_clients *c, int socket)
{
	(void)c;
	(void)socket;

	return verdict;
}

/* All that the holder leaves to the end of its process */

static void close_new(const bool before[FDS_MAX])
{
	bool after[FDS_MAX];
	int i;

	open_descriptors(after);
	for (i = 0; i < FDS_MAX; i++)
		if (after[i] && !before[i])
			close(i);
}

static void hold(void)
{
	int sock[2];

	socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, sock);
	client[nr_clients++] = sock[0];
	starter = sock[1];
	ops = last_rounds = 0;
	verdict = HOLDER_ALL;
	holds = true;
	promise(holder_process() == 0, "a holder ends well");
	holds = false;
}

/* Its counters are those of a process that is gone */
static void end_world(void)
{
	hwperf_cntr_t counts;

	nr_clients = 0;
	process_end();
	promise(irixperf_proc_ioctl(folder, PIOCGETEVCTRS, &counts) == -ESRCH,
		"a process that is gone has no counters");
	promise(fake_nr_open() == 0, "nothing is held for one that is gone");
	fake.nr = 0;
}

/* The first counters leave a page of the library's: not with each input anew */
static void warm_up(void)
{
	hwperf_profevctrarg_t none;

	memset(&none, 0, sizeof(none));
	process_begin();
	promise(irixperf_proc_ioctl(folder, PIOCENEVCTRS, &none) > 0,
		"an R10000 has counters");
	end_world();
}

static void make_world(void)
{
	static bool made;
	char path[PATH_MAX];

	if (made)
		return;
	made = true;
	fake_install(R10000_V34);
	fake_file("/proc/5000001/stat", "5000001 (fuzz) S 1 2 3 0 -1 0 10 0 0 0 "
		  "5 6 7 8 20 0 1 0 1000 4096 7 0\n");
	snprintf(path, sizeof(path), "%s/proc/%d", ixp_kernel.root, PID);
	folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ixp_file_mkdir(IXP_RUN, 0755);
	ixp_file_mkdir("/tmp", 0755);
	warm_up();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	bool before[FDS_MAX];

	make_world();
	open_descriptors(before);
	input = data;
	input_left = size;
	process_begin();
	hold();
	end_world();
	close_new(before);

	return 0;
}
