// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The door: programs linked with the flags of irixperf.pc call these functions
 * where they say open() and ioctl(), by the linker's --wrap. What is not for
 * us goes on to the C library.
 *
 * This file is linked into each program, from an archive of its own: the
 * linker finds wrapped symbols in a shared library only if the library comes
 * after the program's files, and people name it before them. Of each file the
 * flags ask for one symbol, which brings the others.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/types.h>
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
