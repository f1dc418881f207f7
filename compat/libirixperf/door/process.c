// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The door for processes: where a program waits, ends or becomes another one,
 * the library looks after the counters of its children. See door.c; children
 * of fork(2) need nothing here, for the C library tells us of them.
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

/* Ends and waits */

/* In a static program the C library's own calls come here as well: one _exit() */
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
 * The child of a vfork() would do with its parent's memory what the child of
 * a fork() does with its own, and its parent would not know that it exists.
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

/* Other programs */

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
 * The arguments end with a null pointer, which may be the first one; after it there
 * may be an environment
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
 * The C library's own start their shell in a way that nobody can see. Neither
 * comes back, so an error of exec is, as there, the shell's own status 127.
 */
static void become_shell(const char *command)
{
	__wrap_execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

/* While the shell runs, keys that end programs are meant for it */
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

/*
 * In the child, with its end of the pipe as stdin or stdout. POSIX wants it to
 * have none of the streams of earlier calls, and it must not have its own.
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
 * Only what all_piped knows of may be open across exec: another thread's shell
 * would keep the pipe open, and two of them could wait for each other's end.
 */
static FILE *piped_start(struct piped *p, const char *command, const char *type,
			 int fds[2])
{
	const char mode[2] = { *type };
	int write = *type == 'w';

	p->stream = fdopen(fds[write], mode);
	pthread_mutex_lock(&piped_lock);
	p->pid = p->stream ? fork() : -1;
	if (p->pid == 0)
		become_piped_shell(p, command, fds[!write], !write);
	if (p->pid > 0) {
		p->next = all_piped;
		all_piped = p;
		if (!type[1])
			fcntl(fds[write], F_SETFD, 0);
	}
	pthread_mutex_unlock(&piped_lock);
	close(fds[!write]);
	if (p->pid > 0)
		return p->stream;
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

	pthread_mutex_lock(&piped_lock);
	while (*where && (*where)->stream != stream)
		where = &(*where)->next;
	p = *where;
	if (p)
		*where = p->next;
	pthread_mutex_unlock(&piped_lock);

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
