// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The life of a holder: it leaves the program that started it, takes the
 * counters, tells the program how that went, and serves until it is told to
 * release them, or what it is for is gone. All that it has ends with it, whatever the end.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include "holder.h"
#include "map.h"

/**
 * holder_close_from() - close all descriptors from one on
 * @first: the first
 *
 * close_range(2) is too new.
 */
void holder_close_from(int first)
{
	DIR *dir = opendir("/proc/self/fd");
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		int fd = atoi(entry->d_name);

		if (entry->d_name[0] != '.' && fd >= first && fd != dirfd(dir))
			close(fd);
	}
	if (dir)
		closedir(dir);
}

/**
 * holder_request() - what this holder is to do
 * @request: gets it
 * @size: how much that is
 *
 * Return: 0 or -EIO.
 */
int holder_request(void *request, size_t size)
{
	ssize_t n = read(IXP_HOLDER_REQUEST, request, size);

	return n == (ssize_t)size ? 0 : -EIO;
}

/**
 * holder_answer() - tell the program how it went
 * @value: 0 or more if it went well, else a negative errno value
 *
 * Nobody may read it any more: as with any system call, what was asked for is
 * done even if the caller is killed meanwhile.
 */
void holder_answer(int32_t value)
{
	ssize_t n = write(IXP_HOLDER_ANSWER, &value, sizeof(value));

	(void)n;
}

/* As if nobody had changed anything; the program has blocked all of them */
static void reset_signals(void)
{
	sigset_t none;
	int sig;

	for (sig = 1; sig < _NSIG; sig++)
		signal(sig, SIG_DFL);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/*
 * Root altogether: the user of a set-user-ID program could stop or kill a holder
 * that has his real user ID.
 */
static int become_caller(void)
{
	const gid_t group = getegid();
	const uid_t user = geteuid();

	if (setresgid(group, group, group) < 0 || setresuid(user, user, user) < 0)
		return -errno;

	return 0;
}

/* The event map may have a name in the program's folder */
static int leave_folder(void)
{
	char why[IXP_WHY_SIZE];

	ixp_machine(why, sizeof(why));

	return chdir("/") < 0 ? -errno : 0;
}

static void raise_limit(int which, rlim_t most)
{
	struct rlimit limit = { most, most };

	if (setrlimit(which, &limit) == 0 || getrlimit(which, &limit) < 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(which, &limit);
}

/*
 * The program's limits were for itself: its CPU time and its memory. 32 events
 * on each CPU are soon more descriptors than usual; a million is the most that
 * the kernel allows unless it is told otherwise.
 */
static void raise_limits(void)
{
	raise_limit(RLIMIT_CPU, RLIM_INFINITY);
	raise_limit(RLIMIT_FSIZE, RLIM_INFINITY);
	raise_limit(RLIMIT_DATA, RLIM_INFINITY);
	raise_limit(RLIMIT_AS, RLIM_INFINITY);
	raise_limit(RLIMIT_NOFILE, 1 << 20);
}

/**
 * holder_let_go() - leave nothing that the program could wait for
 *
 * The numbers stay in use, so that nobody opens them again.
 */
void holder_let_go(void)
{
	dup2(IXP_HOLDER_STDERR, IXP_HOLDER_REQUEST);
	dup2(IXP_HOLDER_STDERR, IXP_HOLDER_ANSWER);
	close(IXP_HOLDER_SUBJECT);
}

static int hold_system(void)
{
	struct ixp_system_request request;
	struct holder h;
	int ret;

	ret = holder_request(&request, sizeof(request));
	if (ret == 0)
		ret = holder_begin(&h, &request);
	holder_answer(ret);
	if (ret < 0)
		return 1;
	holder_let_go();

	return holder_serve(&h) < 0;
}

static const struct {
	const char *mode;
	int (*hold)(void);
} hold_table[] = {
	{ IXP_HOLDER_SYSTEM, hold_system },
	{ IXP_HOLDER_PROCESS, holder_process },
};

static int hold(const char *mode)
{
	size_t i;

	for (i = 0; i < sizeof(hold_table) / sizeof(hold_table[0]); i++)
		if (strcmp(hold_table[i].mode, mode) == 0)
			return hold_table[i].hold();

	return 2;
}

/*
 * The program waits for its own child only, which ends here. Without a session
 * of its own the holder would end with the caller's terminal.
 */
int holder_main(int argc, char **argv)
{
	pid_t pid;
	int ret;

	/* Somebody who tries it by hand is told what it is */
	if (argc != 2) {
		fprintf(stderr, "irixperf-holder: programs that use libirixperf "
			"start this one: see irixperf-holder(8)\n");
		return 2;
	}
	/* The program may have left open what it likes */
	holder_close_from(IXP_HOLDER_FDS);
	umask(022);
	pid = fork();
	if (pid < 0)
		holder_answer(-errno);
	if (pid != 0)
		_exit(pid < 0);

	setsid();
	reset_signals();
	raise_limits();
	ret = become_caller();
	if (ret == 0)
		ret = leave_folder();
	if (ret < 0) {
		holder_answer(ret);
		return 1;
	}

	/* Nothing is given back one by one: all goes with the process */
	_exit(hold(argv[1]));
}
