// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The door: where a program says open() and ioctl(), it calls these functions.
 * door.h tells how. What is not for us goes on to the C library.
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
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>
#include <irixperf.h>
#include "door.h"

int __real_openat(int dir, const char *path, int flags, ...);
int __real_ioctl(int fd, request_t request, ...);
FILE *__real_fopen(const char *path, const char *mode);
FILE *__real_fopen64(const char *path, const char *mode);

int __wrap_open(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags, ...);
int __wrap___open_2(const char *path, int flags);
int __wrap___open64_2(const char *path, int flags);
int __wrap_openat(int dir, const char *path, int flags, ...);
int __wrap_openat64(int dir, const char *path, int flags, ...);
int __wrap___openat_2(int dir, const char *path, int flags);
int __wrap___openat64_2(int dir, const char *path, int flags);
FILE *__wrap_fopen(const char *path, const char *mode);
FILE *__wrap_fopen64(const char *path, const char *mode);
int __wrap_ioctl(int fd, request_t request, ...);

/* The one place where IRIX's convention begins */
static int funnel(int ret)
{
	if (ret >= 0)
		return ret;
	errno = -ret;

	return -1;
}

static int door_open(int dir, const char *path, int flags, mode_t mode)
{
	int ret = irixperf_proc_openat(dir, path, flags);

	return ret == -ENOTTY ? REAL(openat)(dir, path, flags, mode) :
				funnel(ret);
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

	return door_open(AT_FDCWD, path, flags, mode);
}

int __wrap_open64(const char *path, int flags, ...)
{
	mode_t mode;
	va_list args;

	va_start(args, flags);
	mode = mode_argument(flags, args);
	va_end(args);

	return door_open(AT_FDCWD, path, flags | O_LARGEFILE, mode);
}

int __wrap_openat(int dir, const char *path, int flags, ...)
{
	mode_t mode;
	va_list args;

	va_start(args, flags);
	mode = mode_argument(flags, args);
	va_end(args);

	return door_open(dir, path, flags, mode);
}

int __wrap_openat64(int dir, const char *path, int flags, ...)
{
	mode_t mode;
	va_list args;

	va_start(args, flags);
	mode = mode_argument(flags, args);
	va_end(args);

	return door_open(dir, path, flags | O_LARGEFILE, mode);
}

/* What glibc's headers make of calls without a mode under _FORTIFY_SOURCE */

int __wrap___open_2(const char *path, int flags)
{
	return door_open(AT_FDCWD, path, flags, 0);
}

int __wrap___open64_2(const char *path, int flags)
{
	return door_open(AT_FDCWD, path, flags | O_LARGEFILE, 0);
}

int __wrap___openat_2(int dir, const char *path, int flags)
{
	return door_open(dir, path, flags, 0);
}

int __wrap___openat64_2(int dir, const char *path, int flags)
{
	return door_open(dir, path, flags | O_LARGEFILE, 0);
}

/* A stream is good for the requests only: there is nothing to read from it */
static FILE *door_fopen(int fd)
{
	FILE *stream = fd < 0 ? NULL : fdopen(fd, "r");
	int saved = errno;

	if (fd >= 0 && !stream)
		close(fd);
	errno = fd < 0 ? -fd : saved;

	return stream;
}

static int stream_open(const char *path, const char *mode)
{
	return irixperf_proc_open(path, strchr(mode, 'e') ? O_CLOEXEC : 0);
}

FILE *__wrap_fopen(const char *path, const char *mode)
{
	int ret = stream_open(path, mode);

	return ret == -ENOTTY ? REAL(fopen)(path, mode) : door_fopen(ret);
}

FILE *__wrap_fopen64(const char *path, const char *mode)
{
	int ret = stream_open(path, mode);

#ifdef __GLIBC__
	return ret == -ENOTTY ? REAL(fopen64)(path, mode) : door_fopen(ret);
#else
	return ret == -ENOTTY ? REAL(fopen)(path, mode) : door_fopen(ret);
#endif
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

	return ret == -ENOTTY ? REAL(ioctl)(fd, request, arg) : funnel(ret);
}
