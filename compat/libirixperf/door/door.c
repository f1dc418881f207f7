// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The door: programs linked with the flags of irixperf.pc call these functions
 * where they say open() and ioctl(), by the linker's --wrap. What is not for
 * us goes on to the C library.
 *
 * This file is linked into each program, from an archive of its own: the
 * linker finds wrapped symbols in a shared library only if the library comes
 * after the program's files, and people name it before them. All functions are
 * in one file, so that the one symbol that irixperf.pc asks for brings all.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>
#include <irixperf.h>

/* The C libraries do not agree on the type of ioctl()'s second parameter */
#ifdef __GLIBC__
typedef unsigned long request_t;
#else
typedef int request_t;
#endif

/* Where the C library has no such flag, all offsets have 64 bits */
#ifndef O_LARGEFILE
#define O_LARGEFILE	0
#endif

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags, ...);
int __wrap___open_2(const char *path, int flags);
int __wrap___open64_2(const char *path, int flags);
int __real_ioctl(int fd, request_t request, ...);
int __wrap_ioctl(int fd, request_t request, ...);
void __real__Exit(int status) __attribute__((noreturn));
void __wrap__exit(int status) __attribute__((noreturn));
void __wrap__Exit(int status) __attribute__((noreturn));
pid_t __wrap_vfork(void);
pid_t __wrap_wait(int *status);
pid_t __wrap_waitpid(pid_t pid, int *status, int options);
pid_t __wrap_wait3(int *status, int options, struct rusage *usage);
pid_t __real_wait4(pid_t pid, int *status, int options, struct rusage *usage);
pid_t __wrap_wait4(pid_t pid, int *status, int options, struct rusage *usage);
int __real_waitid(idtype_t type, id_t id, siginfo_t *info, int options);
int __wrap_waitid(idtype_t type, id_t id, siginfo_t *info, int options);

/* The one place where IRIX's convention begins */
static int funnel(int ret)
{
	if (ret >= 0)
		return ret;
	errno = -ret;

	return -1;
}

static int door_open(const char *path, int flags, mode_t mode)
{
	int ret = irixperf_proc_open(path, flags);

	return ret == -ENOTTY ? __real_open(path, flags, mode) : funnel(ret);
}

static mode_t mode_argument(int flags, va_list args)
{
	if ((flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE)
		return va_arg(args, mode_t);

	return 0;
}

int __wrap_open(const char *path, int flags, ...)
{
	mode_t mode;
	va_list args;

	va_start(args, flags);
	mode = mode_argument(flags, args);
	va_end(args);

	return door_open(path, flags, mode);
}

int __wrap_open64(const char *path, int flags, ...)
{
	mode_t mode;
	va_list args;

	va_start(args, flags);
	mode = mode_argument(flags, args);
	va_end(args);

	return door_open(path, flags | O_LARGEFILE, mode);
}

/* What glibc's headers make of open() without a mode under _FORTIFY_SOURCE */
int __wrap___open_2(const char *path, int flags)
{
	return door_open(path, flags, 0);
}

int __wrap___open64_2(const char *path, int flags)
{
	return door_open(path, flags | O_LARGEFILE, 0);
}

int __wrap_ioctl(int fd, request_t request, ...)
{
	va_list args;
	void *arg;
	int ret;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);

	ret = irixperf_proc_ioctl(fd, (unsigned int)request, arg);

	return ret == -ENOTTY ? __real_ioctl(fd, request, arg) : funnel(ret);
}

/* In a static program the C library's own calls come here as well: one _exit() */
void __wrap__Exit(int status)
{
	irixperf_children_sync();
	__real__Exit(status);
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

pid_t __wrap_wait4(pid_t pid, int *status, int options, struct rusage *usage)
{
	int how, saved;
	pid_t ret = __real_wait4(pid, &how, options, usage);

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
	int ret = __real_waitid(type, id, info ? info : &own, options);
	int saved = errno;

	if (!info)
		info = &own;
	if (ret == 0 && !(options & WNOWAIT) && exited(info))
		irixperf_child_reaped(info->si_pid);
	errno = saved;

	return ret;
}
