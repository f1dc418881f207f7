// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Start irixperf-holder, the process that holds counters for others. The holder must
 * be independent of the program that starts it: this file gives it none of the
 * program's LD_ variables, and irixperf-holder itself closes the program's
 * descriptors, forks once more and lets its first process end.
 *
 * The program must not notice the new child. So clone(2) and execve(2) are called
 * directly: fork() runs handlers of the program and of this library, and the door
 * treats a program that posix_spawn() starts as a child that counts. The child's exit
 * signal is 0: the program's wait(2) does not find it, and no SIGCHLD is sent.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "start.h"
#include "kernel.h"
#include "mem.h"

#ifndef IXP_LIBEXECDIR
#define IXP_LIBEXECDIR	"/usr/libexec/irixperf"
#endif

extern char **environ;

/**
 * struct start - what a new holder gets
 * @path: the program
 * @mode: its argument
 * @env: its environment
 * @request: a pipe with the request
 * @answer: a pipe, or a pair of sockets, for its answer
 * @subject: a locked file, or the directory of a process
 */
struct start {
	const char *path;
	const char *mode;
	char **env;
	int request[2];
	int answer[2];
	int subject;
};

/* IRIXPERF_HOLDER names another file: for tests, and if it is installed elsewhere */
static const char *holder_path(void)
{
	const char *path = ixp_kernel.env("IRIXPERF_HOLDER");

	return path && path[0] == '/' ? path : IXP_LIBEXECDIR "/irixperf-holder";
}

/*
 * Without LD_ variables, the holder does not load libraries that its starter preloads.
 * In a set-user-ID program, ixp_kernel.env() finds none of the variables that its user
 * has set. The holder of such a program must not find them either, but is not
 * set-user-ID itself: so they are left out here.
 */
static bool env_wanted(const char *variable)
{
	size_t len = strcspn(variable, "=");
	char name[64];

	if (strncmp(variable, "LD_", 3) == 0 || len >= sizeof(name))
		return false;
	memcpy(name, variable, len);
	name[len] = '\0';

	return ixp_kernel.env(name);
}

static char **holder_environment(void)
{
	size_t nr = 0, kept = 0, i;
	char **copy;

	while (environ && environ[nr])
		nr++;
	copy = ixp_alloc((nr + 1) * sizeof(*copy));
	for (i = 0; copy && i < nr; i++)
		if (env_wanted(environ[i]))
			copy[kept++] = environ[i];

	return copy;
}

static void close_one(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Number the descriptors above those that the holder expects: see become_holder() */
static int copy_above(int fd)
{
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, IXP_HOLDER_FDS);

	return copy < 0 ? -errno : copy;
}

static int pair_above(int fds[2], bool sockets)
{
	int low[2];
	int i;

	if ((sockets ? socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, low) :
	     pipe2(low, O_CLOEXEC)) < 0)
		return -errno;
	for (i = 0; i < 2; i++) {
		fds[i] = copy_above(low[i]);
		close(low[i]);
	}

	return fds[0] < 0 ? fds[0] : fds[1] < 0 ? fds[1] : 0;
}

static void start_close(struct start *s)
{
	ixp_free(s->env);
	close_one(&s->subject);
	close_one(&s->request[0]);
	close_one(&s->request[1]);
	close_one(&s->answer[0]);
	close_one(&s->answer[1]);
}

static int start_open(struct start *s, const char *mode, int subject, bool sockets)
{
	int ret;

	*s = (struct start){
		.path = holder_path(), .mode = mode,
		.env = holder_environment(),
		.request = { -1, -1 }, .answer = { -1, -1 }, .subject = -1,
	};
	ret = s->env ? pair_above(s->request, false) : -ENOMEM;
	if (ret == 0)
		ret = pair_above(s->answer, sockets);
	if (ret == 0)
		s->subject = copy_above(subject);
	if (ret == 0 && s->subject < 0)
		ret = s->subject;
	if (ret < 0)
		start_close(s);

	return ret;
}

/* Runs in the new process, which is a copy of the program with this thread only */
static void become_holder(const struct start *s)
{
	char *const argv[] = { (char *)s->path, (char *)s->mode, NULL };
	int32_t answer = -ENOSYS;
	ssize_t n;

	if (dup2(s->request[0], IXP_HOLDER_REQUEST) >= 0 &&
	    dup2(s->answer[1], IXP_HOLDER_ANSWER) >= 0 &&
	    dup2(s->subject, IXP_HOLDER_SUBJECT) >= 0) {
		close(IXP_HOLDER_STDERR);
		openat(AT_FDCWD, "/dev/null", O_RDWR);
		syscall(SYS_execve, s->path, argv, s->env);
	}
	n = write(s->answer[1], &answer, sizeof(answer));
	(void)n;
	syscall(SYS_exit_group, 1);
}

/*
 * All signals are blocked, because no handler of the program may run in the new
 * process. The holder unblocks them.
 */
static int run_holder(const struct start *s)
{
	sigset_t all, old;
	long pid, ret;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	pid = syscall(SYS_clone, 0L, 0L, 0L, 0L, 0L);
	ret = -errno;
	if (pid == 0)
		become_holder(s);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (pid < 0)
		return (int)ret;

	do {
		ret = syscall(SYS_wait4, pid, NULL, __WALL, NULL);
	} while (ret < 0 && errno == EINTR);

	/* ECHILD: another thread has waited for all children, with __WALL as here */
	return ret < 0 && errno != ECHILD ? -errno : 0;
}

static int answer_read(struct start *s)
{
	int32_t answer;
	ssize_t n;

	close_one(&s->answer[1]);
	do {
		n = read(s->answer[0], &answer, sizeof(answer));
	} while (n < 0 && errno == EINTR);

	return n == sizeof(answer) ? answer : -EIO;
}

/**
 * ixp_holder_start() - start a holder
 * @mode: IXP_HOLDER_SYSTEM, IXP_HOLDER_CLAIM or IXP_HOLDER_PROCESS
 * @request: the request to the holder
 * @size: the number of bytes in @request; no more than fit into a pipe
 * @subject: a descriptor: for IXP_HOLDER_PROCESS, of the target's directory; for the
 *	others, of the locked file "control" (the holder keeps the lock until it has
 *	answered, even if the caller ends)
 * @socket: where to store a socket to the holder, if the holder answers with 0 or
 *	more; the caller has to close it. NULL if the caller needs no socket
 *
 * Return: the holder's answer; if this is a negative errno value, the holder has
 * ended. -ENOSYS if irixperf-holder cannot be run, -EIO if it ends without an answer.
 */
int ixp_holder_start(const char *mode, const void *request, size_t size,
		     int subject, int *socket)
{
	struct start s;
	int ret;

	ret = start_open(&s, mode, subject, socket != NULL);
	if (ret < 0)
		return ret;

	/* This process has both ends of the pipe open, so it gets no SIGPIPE */
	if (write(s.request[1], request, size) != (ssize_t)size)
		ret = -EIO;
	if (ret == 0)
		ret = run_holder(&s);
	if (ret == 0)
		ret = answer_read(&s);
	if (ret >= 0 && socket) {
		*socket = s.answer[0];
		s.answer[0] = -1;
	}
	start_close(&s);

	return ret;
}
