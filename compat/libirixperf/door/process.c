// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The door for processes: when a program waits for a child, exits or executes another
 * program, the library adds the counts of its children, or hands over its counters.
 * fork(2) needs no door, because the C library calls the library's fork handlers.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <irixperf.h>
#include "door.h"

void __real__Exit(int status) __attribute__((noreturn));
pid_t __real_wait4(pid_t pid, int *status, int options, struct rusage *usage);
int __real_waitid(idtype_t type, id_t id, siginfo_t *info, int options);
int __real_execve(const char *path, char *const argv[], char *const envp[]);
int __real_execvpe(const char *file, char *const argv[], char *const envp[]);
int __real_fexecve(int fd, char *const argv[], char *const envp[]);
int __real_pclose(FILE *stream);

void __wrap__exit(int status) __attribute__((noreturn));
void __wrap__Exit(int status) __attribute__((noreturn));
pid_t __wrap_vfork(void);
pid_t __wrap___vfork(void);
pid_t __wrap_wait(int *status);
pid_t __wrap_waitpid(pid_t pid, int *status, int options);
pid_t __wrap_wait3(int *status, int options, struct rusage *usage);
pid_t __wrap_wait4(pid_t pid, int *status, int options, struct rusage *usage);
int __wrap_waitid(idtype_t type, id_t id, siginfo_t *info, int options);
int __wrap_execve(const char *path, char *const argv[], char *const envp[]);
int __wrap_execv(const char *path, char *const argv[]);
int __wrap_execvp(const char *file, char *const argv[]);
int __wrap_execvpe(const char *file, char *const argv[], char *const envp[]);
int __wrap_fexecve(int fd, char *const argv[], char *const envp[]);
int __wrap_execl(const char *path, const char *arg, ...);
int __wrap_execlp(const char *file, const char *arg, ...);
int __wrap_execle(const char *path, const char *arg, ...);
int __wrap_system(const char *command);
FILE *__wrap_popen(const char *command, const char *type);
int __wrap_pclose(FILE *stream);

/* Exit and wait */

/*
 * In a static program the C library's own calls come here, too. Its _exit() may call
 * _Exit(), or the reverse: so both functions of the door use only _Exit().
 */
void __wrap__Exit(int status)
{
	irixperf_children_sync();
	REAL(_Exit)(status);
}

void __wrap__exit(int status)
{
	__wrap__Exit(status);
}

/*
 * A child of vfork() shares its parent's memory: the library in the child would change
 * the parent's state. And vfork() runs no handlers, so the parent would not know the
 * child. So the door forks.
 */
pid_t __wrap_vfork(void)
{
	return fork();
}

pid_t __wrap___vfork(void)
{
	return fork();
}

pid_t __wrap_wait4(pid_t pid, int *status, int options, struct rusage *usage)
{
	int how, saved;
	pid_t ret = REAL(wait4)(pid, &how, options, usage);

	if (ret <= 0)
		return ret;
	if (WIFEXITED(how) || WIFSIGNALED(how)) {
		saved = errno;
		irixperf_child_reaped(ret);
		errno = saved;
	}
	if (status)
		*status = how;

	return ret;
}

pid_t __wrap_wait3(int *status, int options, struct rusage *usage)
{
	return __wrap_wait4(-1, status, options, usage);
}

pid_t __wrap_waitpid(pid_t pid, int *status, int options)
{
	return __wrap_wait4(pid, status, options, NULL);
}

pid_t __wrap_wait(int *status)
{
	return __wrap_wait4(-1, status, 0, NULL);
}

static bool exited(const siginfo_t *info)
{
	return info->si_pid && (info->si_code == CLD_EXITED ||
				info->si_code == CLD_KILLED ||
				info->si_code == CLD_DUMPED);
}

int __wrap_waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
	siginfo_t own = { 0 };
	int ret = REAL(waitid)(type, id, info ? info : &own, options);
	int saved = errno;

	if (!info)
		info = &own;
	if (ret == 0 && !(options & WNOWAIT) && exited(info))
		irixperf_child_reaped(info->si_pid);
	errno = saved;

	return ret;
}

/* Execute other programs */

int __wrap_execve(const char *path, char *const argv[], char *const envp[])
{
	irixperf_exec_begin();
	REAL(execve)(path, argv, envp);
	irixperf_exec_failed();

	return -1;
}

int __wrap_execvpe(const char *file, char *const argv[], char *const envp[])
{
	irixperf_exec_begin();
	REAL(execvpe)(file, argv, envp);
	irixperf_exec_failed();

	return -1;
}

int __wrap_fexecve(int fd, char *const argv[], char *const envp[])
{
	irixperf_exec_begin();
	REAL(fexecve)(fd, argv, envp);
	irixperf_exec_failed();

	return -1;
}

int __wrap_execv(const char *path, char *const argv[])
{
	return __wrap_execve(path, argv, environ);
}

int __wrap_execvp(const char *file, char *const argv[])
{
	return __wrap_execvpe(file, argv, environ);
}

typedef int (*exec_fn)(const char *name, char *const argv[],
		       char *const envp[]);

/*
 * Make an array of the arguments. They end with a null pointer, which may be @first;
 * if @has_env, the environment comes after it.
 */
static int exec_list(exec_fn run, const char *name, const char *first,
		     va_list args, bool has_env)
{
	size_t i, n = 0;
	va_list copy;

	va_copy(copy, args);
	if (first)
		for (n = 1; va_arg(copy, char *);)
			n++;
	va_end(copy);
	{
		char *argv[n + 1];

		argv[0] = (char *)first;
		for (i = 1; i <= n; i++)
			argv[i] = va_arg(args, char *);
		return run(name, argv, has_env ? va_arg(args, char **) : environ);
	}
}

int __wrap_execl(const char *path, const char *arg, ...)
{
	va_list args;

	va_start(args, arg);
	exec_list(__wrap_execve, path, arg, args, false);
	va_end(args);

	return -1;
}

int __wrap_execlp(const char *file, const char *arg, ...)
{
	va_list args;

	va_start(args, arg);
	exec_list(__wrap_execvpe, file, arg, args, false);
	va_end(args);

	return -1;
}

int __wrap_execle(const char *path, const char *arg, ...)
{
	va_list args;

	va_start(args, arg);
	exec_list(__wrap_execve, path, arg, args, true);
	va_end(args);

	return -1;
}

/*
 * The C library's system() and popen() start the shell by calls that the door does not
 * see, so the door has its own versions. As with the C library's, the status is 127 if
 * the shell cannot be executed.
 */
static void become_shell(const char *command)
{
	__wrap_execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

/* While the shell runs, only the shell reacts to SIGINT and SIGQUIT of the terminal */
struct quiet {
	struct sigaction interrupt, quit;
	sigset_t mask;
};

static void quiet_begin(struct quiet *before)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	sigset_t child;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigaction(SIGINT, &ignore, &before->interrupt);
	sigaction(SIGQUIT, &ignore, &before->quit);
	sigprocmask(SIG_BLOCK, &child, &before->mask);
}

static void quiet_end(const struct quiet *before)
{
	sigaction(SIGINT, &before->interrupt, NULL);
	sigaction(SIGQUIT, &before->quit, NULL);
	sigprocmask(SIG_SETMASK, &before->mask, NULL);
}

static int wait_for(pid_t pid)
{
	int status;
	pid_t ret;

	do {
		ret = __wrap_wait4(pid, &status, 0, NULL);
	} while (ret < 0 && errno == EINTR);

	return ret < 0 ? -1 : status;
}

int __wrap_system(const char *command)
{
	struct quiet before;
	int status = -1;
	pid_t pid;

	if (!command)
		return 1;

	quiet_begin(&before);
	pid = fork();
	if (pid == 0) {
		quiet_end(&before);
		become_shell(command);
	}
	if (pid > 0)
		status = wait_for(pid);
	quiet_end(&before);

	return status;
}

/* A stream of popen() and its process */
struct piped {
	struct piped *next;
	FILE *stream;
	pid_t pid;
};

static struct piped *all_piped;
static pthread_mutex_t piped_lock = PTHREAD_MUTEX_INITIALIZER;

static void piped_hold(void)
{
	pthread_mutex_lock(&piped_lock);
}

static void piped_let_go(void)
{
	pthread_mutex_unlock(&piped_lock);
}

/*
 * fork(2) copies only the thread that calls it. If another one had the lock, the child
 * would find it taken forever, and the list half changed: so fork(2) takes the lock.
 */
__attribute__((constructor))
static void piped_prepare(void)
{
	pthread_atfork(piped_hold, piped_let_go, piped_let_go);
}

/*
 * Runs in the child: make its end of the pipe its stdin or stdout. POSIX requires that
 * it closes the streams of earlier calls. It must not keep the parent's end, either.
 */
static void become_piped_shell(const struct piped *own, const char *command,
			       int end, int to)
{
	struct piped *p;

	for (p = all_piped; p; p = p->next)
		close(fileno(p->stream));
	close(fileno(own->stream));
	if (end == to)
		fcntl(end, F_SETFD, 0);
	else
		dup2(end, to);
	become_shell(command);
}

/*
 * The stream is close-on-exec until it is in all_piped. Otherwise the shell of another
 * thread, which closes only the streams in that list, would keep the pipe open, and
 * two shells could wait for each other.
 */
static FILE *piped_start(struct piped *p, const char *command, const char *type,
			 int fds[2])
{
	const char mode[2] = { *type };
	int write = *type == 'w';

	p->stream = fdopen(fds[write], mode);
	p->pid = p->stream ? fork() : -1;
	if (p->pid == 0)
		become_piped_shell(p, command, fds[!write], !write);
	close(fds[!write]);
	if (p->pid > 0) {
		piped_hold();
		p->next = all_piped;
		all_piped = p;
		if (!type[1])
			fcntl(fds[write], F_SETFD, 0);
		piped_let_go();
		return p->stream;
	}
	if (p->stream)
		fclose(p->stream);
	else
		close(fds[write]);
	free(p);

	return NULL;
}

FILE *__wrap_popen(const char *command, const char *type)
{
	struct piped *p;
	int fds[2];

	if ((*type != 'r' && *type != 'w') ||
	    (type[1] && (type[1] != 'e' || type[2]))) {
		errno = EINVAL;
		return NULL;
	}
	p = malloc(sizeof(*p));
	if (!p || pipe2(fds, O_CLOEXEC) < 0) {
		free(p);
		return NULL;
	}

	return piped_start(p, command, type, fds);
}

static struct piped *piped_take(FILE *stream)
{
	struct piped **where = &all_piped, *p;

	piped_hold();
	while (*where && (*where)->stream != stream)
		where = &(*where)->next;
	p = *where;
	if (p)
		*where = p->next;
	piped_let_go();

	return p;
}

int __wrap_pclose(FILE *stream)
{
	struct piped *p = piped_take(stream);
	pid_t pid;

	if (!p)
		return REAL(pclose)(stream);

	pid = p->pid;
	free(p);
	fclose(stream);

	return wait_for(pid);
}
