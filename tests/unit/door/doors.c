// SPDX-License-Identifier: GPL-2.0-only
/*
 * Operations on process files and their descriptors, also with too few of these. They
 * must do the same through each way to the library: see doors.h. Prints TAP.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <pthread.h>
#include "doors.h"

#define THREADS		8

static hwperf_eventctrl_t ctrl;

/* Names of process files */

static void check_name(const char *format, const char *what)
{
	char name[64];
	int fd, generation;

	snprintf(name, sizeof(name), format, getpid());
	fd = open(name, O_RDWR);
	generation = fd < 0 ? -1 : ioctl(fd, PIOCGETEVCTRL, &ctrl);
	check(generation > 0, what, "%s: %s", name, strerror(errno));
	close(fd);
}

static void names(void)
{
	static const char *const all[] = {
		"/proc/%05d", "/proc/%d", "/proc/%020d", "/proc//%05d",
		"//proc/%05d", "///proc///%05d", "/proc/pinfo/%05d",
		"//proc//pinfo//%d",
	};
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		check_name(all[i], all[i]);
}

/* A name that ends in a slash names a directory, and IRIX has files here */
static void other_names(void)
{
	char name[32];
	int fd;

	check(open("/proc/0", O_RDWR) < 0 && errno == ENOENT,
	      "there is no process 0", "%s", strerror(errno));
	snprintf(name, sizeof(name), "/proc/%d/", getpid());
	check(open(name, O_RDWR) < 0 && errno == EISDIR,
	      "a slash at the end means a folder", "%s", strerror(errno));
	fd = open(name, O_RDONLY);
	check(fd >= 0 && ioctl(fd, PIOCGETEVCTRS, &counts) > 0,
	      "and its descriptor is as good", "%s", strerror(errno));
	close(fd);
	snprintf(name, sizeof(name), "/proc/%07d/", getpid());
	check(open(name, O_RDONLY) < 0 && errno == ENOENT,
	      "zeros before it are Linux's affair", "%s", strerror(errno));
}

static void check_at(int dir, const char *name, const char *what)
{
	int fd = openat(dir, name, O_RDWR);

	check(fd >= 0 && ioctl(fd, PIOCGETEVCTRL, &ctrl) > 0, what, "%s: %s",
	      name, strerror(errno));
	close(fd);
}

static void names_from_a_folder(void)
{
	int proc = open("/proc", O_RDONLY), root = open("/", O_RDONLY);
	int here = open(".", O_RDONLY);
	char name[32], path[48];

	snprintf(name, sizeof(name), "%05d", getpid());
	snprintf(path, sizeof(path), "/proc/%s", name);
	check_at(root, path, "openat() with a whole path");
	check_at(proc, name, "openat() from /proc on");
	check(openat(root, name, O_RDWR) < 0 && errno == ENOENT,
	      "openat() from elsewhere", "%s", strerror(errno));
	if (here < 0 || chdir("/proc") < 0)
		die("chdir");
	check_at(AT_FDCWD, name, "a name in the current directory");
	snprintf(path, sizeof(path), "pinfo/%s", name);
	check_at(AT_FDCWD, path, "one in pinfo, which Linux does not have");
	if (fchdir(here) < 0)
		die("fchdir");
	check(open(name, O_RDWR) < 0 && errno == ENOENT,
	      "the same name elsewhere", "%s", strerror(errno));
	close(proc);
	close(root);
	close(here);
}

static void streams(void)
{
	char name[32];
	FILE *f;

	snprintf(name, sizeof(name), "/proc/%05d", getpid());
	f = fopen(name, "r");
	check(f && ioctl(fileno(f), PIOCGETEVCTRL, &ctrl) > 0,
	      "a stream of fopen()", "%s", strerror(errno));
	if (f)
		fclose(f);
	errno = 0;
	check(!fopen("/proc/000000", "r") && errno == ENOENT,
	      "a stream of nothing", "%s", strerror(errno));
}

/* Descriptors */

static void access_modes(void)
{
	static const int modes[] = { O_RDONLY, O_WRONLY, O_RDWR };
	char name[32];
	size_t i;

	snprintf(name, sizeof(name), "/proc/%05d", getpid());
	for (i = 0; i < 3; i++) {
		int fd = open(name, modes[i]);
		int generation = ioctl(fd, PIOCSETEVCTRL, &arg);

		check(generation > 0 &&
		      ioctl(fd, PIOCGETEVCTRS, &counts) == generation &&
		      ioctl(own, PIOCGETEVCTRL, &ctrl) == generation,
		      "any access mode will do", "mode %d: %s", modes[i],
		      strerror(errno));
		close(fd);
	}
}

static void check_copy(int copy, const char *what)
{
	int generation = ioctl(own, PIOCGETEVCTRL, &ctrl);

	check(copy >= 0 && ioctl(copy, PIOCGETEVCTRS, &counts) == generation,
	      what, "%s", strerror(errno));
	close(copy);
	check(ioctl(own, PIOCGETEVCTRS, &counts) == generation,
	      "and when it is closed, the other one", "%s", strerror(errno));
}

static void copies(void)
{
	int place = open("/dev/null", O_RDONLY);
	int fd;

	check_copy(dup(own), "a copy of dup()");
	check_copy(dup2(own, place), "a copy of dup2()");
	check_copy(dup3(own, place, O_CLOEXEC), "a copy of dup3()");
	check_copy(fcntl(own, F_DUPFD, 100), "a copy of F_DUPFD");
	check_copy(fcntl(own, F_DUPFD_CLOEXEC, 100), "a copy of F_DUPFD_CLOEXEC");
	fd = open_process(getpid());
	close(fd);
	fd = open("/dev/null", O_RDWR);
	check(ioctl(fd, PIOCGETEVCTRS, &counts) < 0 && errno == ENOTTY,
	      "the number, used again for something else", "%s",
	      strerror(errno));
	close(fd);
}

static void send_fd(int sock, int fd)
{
	union {
		struct cmsghdr align;
		char buf[CMSG_SPACE(sizeof(int))];
	} control = { .buf = { 0 } };
	char byte = 0;
	struct iovec iov = { &byte, 1 };
	struct msghdr msg = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = control.buf, .msg_controllen = sizeof(control),
	};
	struct cmsghdr *cmsg = CMSG_FIRSTHDR(&msg);

	cmsg->cmsg_level = SOL_SOCKET;
	cmsg->cmsg_type = SCM_RIGHTS;
	cmsg->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(cmsg), &fd, sizeof(int));
	if (sendmsg(sock, &msg, 0) != 1)
		die("sendmsg");
}

static int receive_fd(int sock)
{
	char control[CMSG_SPACE(sizeof(int))] __attribute__((aligned(16)));
	char byte;
	struct iovec iov = { &byte, 1 };
	struct msghdr msg = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = control, .msg_controllen = sizeof(control),
	};
	int fd = -1;

	if (recvmsg(sock, &msg, 0) == 1 && CMSG_FIRSTHDR(&msg))
		memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&msg)), sizeof(int));

	return fd;
}

/* A process that reads its parent's counts by a descriptor that it has received */
static int count_parent(int sock, int fd)
{
	unsigned long long before;

	if (acquire(fd) <= 0)
		return 1;
	before = count_of(fd);
	say(sock);
	hear(sock);
	if (count_of(fd) - before < PAGES ||
	    count_of(fd) - before > PAGES + SLACK)
		return 2;

	return ioctl(fd, PIOCRELEVCTRS, NULL) == 0 ? 0 : 3;
}

static void given_descriptors(bool sent)
{
	int sock[2], status = -1;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sock) < 0)
		die("socketpair");
	pid = fork();
	if (pid == 0)
		_exit(count_parent(sock[1],
				   sent ? receive_fd(sock[1]) : own));
	if (sent)
		send_fd(sock[0], own);
	hear(sock[0]);
	touch_new(PAGES);
	say(sock[0]);
	waitpid(pid, &status, 0);
	check(status == 0, sent ? "a descriptor sent through a socket" :
	      "a descriptor that a child has from fork()", "status %x", status);
	close(sock[0]);
	close(sock[1]);
}

/* Too few descriptors */

static pthread_barrier_t gate;

static void *wait_at_gate(void *unused)
{
	pthread_barrier_wait(&gate);
	pthread_barrier_wait(&gate);

	return unused;
}

static unsigned int nr_open_files(void)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned int nr = 0;

	while (readdir(dir))
		nr++;
	closedir(dir);

	return nr;
}

/* Return: how often the request failed, or -1 if a failure has changed anything */
static int try_limits(unsigned long request, unsigned int limit)
{
	unsigned int files = nr_open_files();
	int generation = ioctl(own, PIOCGETEVCTRL, &ctrl);
	int failed = 0, ret, err;

	do {
		set_limit(limit++);
		ret = ioctl(own, request, &arg);
		err = errno;
		set_limit(1024);
		if (ret > 0)
			break;
		failed++;
		if (err != EMFILE || nr_open_files() != files ||
		    ioctl(own, PIOCGETEVCTRL, &ctrl) != generation ||
		    ioctl(own, PIOCGETEVCTRS, &counts) != generation)
			return -1;
	} while (limit < 500);

	return ret > generation ? failed : -1;
}

static void few_descriptors(void)
{
	pthread_t threads[THREADS];
	int failed, i;

	acquire(own);
	failed = try_limits(PIOCSETEVCTRL, 4);
	check(failed > 0, "PIOCSETEVCTRL: EMFILE changes nothing", "%d (%s)",
	      failed, strerror(errno));
	failed = try_limits(PIOCENEVCTRS, 4);
	check(failed > 0, "PIOCENEVCTRS: EMFILE changes nothing", "%d (%s)",
	      failed, strerror(errno));
	pthread_barrier_init(&gate, NULL, THREADS + 1);
	for (i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, wait_at_gate, NULL))
			die("pthread_create");
	pthread_barrier_wait(&gate);
	failed = try_limits(PIOCENEVCTRS, 4);
	check(failed >= 2 * THREADS, "neither does it with threads", "%d (%s)",
	      failed, strerror(errno));
	pthread_barrier_wait(&gate);
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

/* The same for another process, whose counters a holder may have */
static void few_descriptors_other(void)
{
	unsigned int limit = 4;
	int fd, ret, err, there[2];
	char byte;
	pid_t pid;

	ret = pipe(there);
	pid = ret == 0 ? fork() : -1;
	if (pid == 0) {
		if (write(there[1], "", 1) == 1)
			pause();
		_exit(0);
	}
	/* Wait for the child: an earlier request would be its first, generation 1 */
	if (pid < 0 || read(there[0], &byte, 1) != 1)
		check(0, "a child", "%s", strerror(errno));
	close(there[0]);
	close(there[1]);
	fd = open_process(pid);
	do {
		set_limit(limit++);
		ret = acquire(fd);
		err = errno;
		set_limit(1024);
	} while (ret < 0 && err == EMFILE && limit < 500);
	/* Until then it has the counters of its parent, with their generation */
	check(ret > 1 && limit > 5, "PIOCENEVCTRS of another process: the same",
	      "%d (%s) with %u descriptors", ret, strerror(err), limit - 1);
	check(ioctl(fd, PIOCGETEVCTRS, &counts) == ret, "and its counts can be had",
	      "%s", strerror(errno));
	close(fd);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

int main(void)
{
	doors_begin();
	names();
	other_names();
	names_from_a_folder();
	streams();
	access_modes();
	copies();
	given_descriptors(false);
	given_descriptors(true);
	few_descriptors();
	few_descriptors_other();

	return doors_end();
}
