/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The common part of doors.c and doors_children.c. test_doors.sh compiles these programs
 * in three ways: linked with the library, for preloading, and with DOORS_API. With
 * DOORS_API they call the library by its own names: functions of this file replace the C
 * library's, and do what the door does in the other ways. Counts are page faults, by a
 * map of software events. Nothing is a fake.
 */
#ifndef DOORS_H
#define DOORS_H

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/procfs.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include "../../library/check.h"

#ifdef DOORS_API
#include <irixperf.h>

static inline long api_result(long ret)
{
	if (ret >= 0)
		return ret;
	errno = (int)-ret;

	return -1;
}

static inline int api_openat(int dir, const char *path, int flags)
{
	int ret = irixperf_proc_openat(dir, path, flags);

	return ret == -ENOTTY ? openat(dir, path, flags, 0600) :
				(int)api_result(ret);
}

static inline int api_ioctl(int fd, unsigned int request, void *arg)
{
	return (int)api_result(irixperf_proc_ioctl(fd, request, arg));
}

static inline FILE *api_fopen(const char *path, const char *mode)
{
	int fd = (int)api_result(irixperf_proc_open(path, 0));

	return fd < 0 ? NULL : fdopen(fd, mode);
}

static inline pid_t api_waitpid(pid_t pid, int *status, int options)
{
	int how;
	pid_t ret = waitpid(pid, &how, options);

	if (ret > 0 && (WIFEXITED(how) || WIFSIGNALED(how)))
		irixperf_child_reaped(ret);
	if (status)
		*status = how;

	return ret;
}

struct api_spawn {
	const char *path;
	const posix_spawn_file_actions_t *actions;
	char *const *argv;
	char *const *envp;
};

static inline int api_start(pid_t *pid, void *arg)
{
	const struct api_spawn *s = arg;
	posix_spawnattr_t attr;
	sigset_t none;

	sigemptyset(&none);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK);

	return -posix_spawn(pid, s->path, s->actions, &attr, s->argv, s->envp);
}

static inline int api_posix_spawn(pid_t *pid, const char *path,
				  const posix_spawn_file_actions_t *actions,
				  const posix_spawnattr_t *attr,
				  char *const argv[], char *const envp[])
{
	struct api_spawn s = { path, actions, argv, envp };

	(void)attr;

	return -irixperf_spawn(pid, api_start, &s);
}

static inline int api_execve(const char *path, char *const argv[],
			     char *const envp[])
{
	irixperf_exec_begin();
	execve(path, argv, envp);
	irixperf_exec_failed();

	return -1;
}

#define open(path, flags)	api_openat(AT_FDCWD, path, flags)
#define openat			api_openat
#define fopen			api_fopen
#define ioctl(fd, request, arg)	api_ioctl(fd, request, (void *)(arg))
#define waitpid			api_waitpid
#define posix_spawn		api_posix_spawn
#define posix_spawnp		api_posix_spawn
#define execve			api_execve

#endif

#define FAULTS		15	/* page-faults */
#define OTHER_FAULTS	17
#define PAGES		1000
#define SLACK		60	/* faults of the code around, by chance */

static hwperf_profevctrarg_t arg;
static hwperf_cntr_t counts;
static size_t page_size;
static int own;

static inline void die(const char *what)
{
	printf("Bail out! %s: %s\n", what, strerror(errno));
	exit(1);
}

static inline void *new_pages(unsigned int nr)
{
	void *pages = mmap(NULL, nr * page_size, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED)
		die("mmap");
	madvise(pages, nr * page_size, MADV_NOHUGEPAGE);

	return pages;
}

/* Cause exactly so many faults */
static inline void touch(void *pages, unsigned int nr)
{
	unsigned int i;

	madvise(pages, nr * page_size, MADV_DONTNEED);
	for (i = 0; i < nr; i++)
		((volatile char *)pages)[i * page_size] = 1;
}

static inline void touch_new(unsigned int nr)
{
	void *pages = new_pages(nr);

	touch(pages, nr);
	munmap(pages, nr * page_size);
}

static inline void check_about(unsigned long long got, unsigned long long expected,
			const char *what)
{
	check(got >= expected && got <= expected + SLACK, what,
	      "expected: %llu to %llu, got: %llu", expected, expected + SLACK,
	      got);
}

static inline void want(unsigned int event)
{
	struct hwperf_ctrlreg *reg =
		&arg.hwp_evctrargs.hwp_evctrl[event].hwperf_creg;

	reg->hwp_ie = 1;
	reg->hwp_mode = HWPERF_CNTEN_U;
}

static inline int open_process(pid_t pid)
{
	char name[32];

	snprintf(name, sizeof(name), "/proc/%05d", pid);

	return open(name, O_RDWR);
}

static inline int acquire(int fd)
{
	return ioctl(fd, PIOCENEVCTRS, &arg);
}

static inline unsigned long long count_of(int fd)
{
	if (ioctl(fd, PIOCGETEVCTRS, &counts) < 0)
		die("PIOCGETEVCTRS");

	return counts.hwp_evctr[FAULTS];
}

static inline void say(int sock)
{
	if (write(sock, "", 1) != 1)
		die("write");
}

static inline void hear(int sock)
{
	char byte;

	if (read(sock, &byte, 1) != 1)
		die("read");
}

static inline void set_limit(unsigned int nr)
{
	struct rlimit limit;

	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = nr;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/* Common start of all programs: open the process' own file, acquire its counters */
static inline void doors_begin(void)
{
	page_size = (size_t)sysconf(_SC_PAGESIZE);
	setvbuf(stdout, NULL, _IOLBF, 0);
	want(FAULTS);
	want(OTHER_FAULTS);
	own = open_process(getpid());
	if (own >= 0 && acquire(own) > 0)
		return;
	printf("1..0 # SKIP acquiring the counters: %s\n", strerror(errno));
	exit(0);
}

static inline int doors_end(void)
{
	printf("1..%d\n", nr);

	return nr_failed > 0;
}

#endif
