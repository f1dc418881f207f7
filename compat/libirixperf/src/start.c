// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Starts irixperf-holder, the process that keeps the counters in system mode.
 * It is to be no child of the program that asks, and to know nothing of it: the
 * process that is started here forks and ends, and the system's own descriptors
 * and LD_ variables are all that it gets.
 *
 * The calls are the kernel's own. fork() and posix_spawn() would run what the
 * program, or this library, wants done for its children; and the end of a child
 * that was made with exit signal 0 is told to nobody.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "internal.h"
#include "system.h"

#ifndef IXP_LIBEXECDIR
#define IXP_LIBEXECDIR	"/usr/libexec/irixperf"
#endif

extern char **environ;

/**
 * struct start - what a new holder is given
 * @path: the program
 * @mode: its argument
 * @env: its environment
 * @request: a pipe with the request
 * @answer: a pipe, or a pair of sockets, for its answer
 * @subject: a locked file, or the folder of a process
 */
struct start {
	const char *path;
	const char *mode;
	char **env;
	int request[2];
	int answer[2];
	int subject;
};

/* Tests, and who has installed it elsewhere, name another one */
static const char *holder_path(void)
{
	const char *path = ixp_kernel.env("IRIXPERF_HOLDER");

	return path && path[0] == '/' ? path : IXP_LIBEXECDIR "/irixperf-holder";
}

/*
 * Nobody's preloaded library is to live as long as system mode. A program that
 * has more rights than its user takes nothing from him, and so its holder: this
 * one would not know any more who its user was.
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

/* The numbers that the holder expects must not be in use on our side */
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

/* In the new process, which has all of the program but its other threads */
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

static int wait_for(long pid)
{
	long ret;

	do {
		ret = syscall(SYS_wait4, pid, NULL, __WALL, NULL);
	} while (ret < 0 && errno == EINTR);

	/* Another thread may have waited for all children there are */
	return ret < 0 && errno != ECHILD ? -errno : 0;
}

/* No handler of the program runs in the new process; the holder lets signals in */
static int run_holder(const struct start *s)
{
	sigset_t all, old;
	long pid;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	pid = syscall(SYS_clone, 0L, 0L, 0L, 0L, 0L);
	err = errno;
	if (pid == 0)
		become_holder(s);
	pthread_sigmask(SIG_SETMASK, &old, NULL);

	return pid < 0 ? -err : wait_for(pid);
}

/* Both ends are ours until it is written: no SIGPIPE */
static int request_write(const struct start *s, const void *request,
			 size_t size)
{
	ssize_t n = write(s->request[1], request, size);

	return n == (ssize_t)size ? 0 : -EIO;
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
 * ixp_holder_start() - let a new holder take counters
 * @mode: of which sort: IXP_HOLDER_SYSTEM or IXP_HOLDER_PROCESS
 * @request: what it is to do
 * @size: bytes of @request; no more than a pipe takes
 * @subject: for the former, file "control", locked; the lock is the holder's as
 *	well until it has answered, whatever becomes of the caller. For the
 *	latter, the folder of the process
 * @socket: gets a socket to the holder, which the caller closes, if that answers
 *	with 0 or more; NULL if it needs none
 *
 * Return: what it answers, which is a negative errno value if it has ended;
 * -ENOSYS if there is no such program, -EIO if it ends without an answer.
 */
int ixp_holder_start(const char *mode, const void *request, size_t size,
		     int subject, int *socket)
{
	struct start s;
	int ret;

	ret = start_open(&s, mode, subject, socket != NULL);
	if (ret < 0)
		return ret;

	ret = request_write(&s, request, size);
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
