// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The life of a holder: it detaches itself from the program that has started it,
 * takes the counters, and tells the program the result. Then it serves clients until
 * system mode ends, or its target is gone. However the holder ends, the kernel then
 * frees the counters and all else that it has.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include "descriptor.h"
#include "holder.h"
#include "machine.h"
#include "start.h"

/**
 * holder_request() - read the request of the program that has started this holder
 * @request: gets the request
 * @size: its size
 *
 * Return: 0 or -EIO.
 */
int holder_request(void *request, size_t size)
{
	ssize_t n = read(IXP_HOLDER_REQUEST, request, size);

	return n == (ssize_t)size ? 0 : -EIO;
}

/**
 * holder_answer() - tell the program the result
 * @value: 0 or more for success, else a negative errno value
 *
 * The program may be gone: as with any system call, the request is carried out even
 * if the caller is killed meanwhile.
 */
void holder_answer(int32_t value)
{
	ssize_t n = write(IXP_HOLDER_ANSWER, &value, sizeof(value));

	(void)n;
}

/* A program can change signal actions, and start.c has blocked all signals */
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
 * Make all user IDs the effective one: a holder with the real user ID of the user of
 * a set-user-ID program could be stopped or killed by that user.
 */
static int become_caller(void)
{
	const gid_t group = getegid();
	const uid_t user = geteuid();

	if (setresgid(group, group, group) < 0 || setresuid(user, user, user) < 0)
		return -errno;

	return 0;
}

/* Load the event map first: its name may be relative to the current directory */
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
 * The limits of CPU time and memory that a program runs with are not meant for its
 * holder. 32 events on each CPU can need more descriptors than the usual limit; about
 * a million is the highest limit that the kernel allows by default.
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
 * holder_let_go() - close the descriptors on which the program could wait
 *
 * The descriptors of the pipes become copies of /dev/null, so that no other file gets
 * their numbers.
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
	struct holder h = { .over = false };
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

/*
 * Take the counters from user mode for a claim. The program makes the claim when this
 * holder has answered for the first time, and then sends a byte.
 */
static int revoke_users(void)
{
	int ret = holder_users_reach();
	char byte;

	holder_answer(ret);
	if (ret < 0 || read(IXP_HOLDER_ANSWER, &byte, 1) != 1)
		return 1;
	ret = holder_users_revoke();
	holder_answer(ret);

	return ret < 0;
}

static const struct {
	const char *mode;
	int (*hold)(void);
} hold_table[] = {
	{ IXP_HOLDER_SYSTEM, hold_system },
	{ IXP_HOLDER_CLAIM, revoke_users },
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
 * The program waits only for its own child, which ends after the fork. The holder
 * gets a session of its own, or else it would end with the caller's terminal.
 */
int holder_main(int argc, char **argv)
{
	pid_t pid;
	int ret;

	/* A user has started it by hand */
	if (argc != 2) {
		fprintf(stderr, "irixperf-holder: only programs that use libirixperf "
			"start it: see irixperf-holder(8)\n");
		return 2;
	}
	/* The program may have left any descriptors open */
	ixp_descriptors_close(IXP_HOLDER_FDS, INT_MAX);
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

	/* Free nothing: the kernel does so when the process ends */
	_exit(hold(argv[1]));
}
