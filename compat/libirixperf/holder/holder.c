// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The life of a holder: it leaves the program that started it, takes the
 * counters, tells the program how that went, and serves until it is told to
 * release them. All that it has ends with it, whatever the end.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "holder.h"

/* The program may have left open what it likes; close_range(2) is too new */
static void close_others(void)
{
	DIR *dir = opendir("/proc/self/fd");
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		int fd = atoi(entry->d_name);

		if (fd >= IXP_HOLDER_FDS && fd != dirfd(dir))
			close(fd);
	}
	if (dir)
		closedir(dir);
}

static int request_read(struct ixp_system_request *request)
{
	ssize_t n = read(IXP_HOLDER_REQUEST, request, sizeof(*request));

	return n == (ssize_t)sizeof(*request) ? 0 : -EIO;
}

/*
 * Nobody may read it any more: as with any system call, what was asked for is
 * done even if the caller is killed meanwhile.
 */
static void answer(int32_t value)
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
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* What the program waits for is closed; nobody opens a number below again */
static void let_go(void)
{
	dup2(IXP_HOLDER_STDERR, IXP_HOLDER_REQUEST);
	dup2(IXP_HOLDER_STDERR, IXP_HOLDER_ANSWER);
	close(IXP_HOLDER_LOCK);
}

static int hold(void)
{
	struct ixp_system_request request;
	struct holder h;
	int ret;

	ret = request_read(&request);
	if (ret == 0)
		ret = holder_begin(&h, &request);
	answer(ret);
	if (ret < 0)
		return 1;
	let_go();

	return holder_serve(&h) < 0;
}

/*
 * The program waits for its own child only, which ends here. Without a session
 * of its own the holder would end with the caller's terminal.
 */
int holder_main(void)
{
	pid_t pid;

	close_others();
	umask(022);
	pid = fork();
	if (pid < 0)
		answer(-errno);
	if (pid != 0)
		_exit(pid < 0);

	setsid();
	reset_signals();
	if (chdir("/") < 0) {
		answer(-errno);
		return 1;
	}

	/* Nothing is given back one by one: all goes with the process */
	_exit(hold());
}
