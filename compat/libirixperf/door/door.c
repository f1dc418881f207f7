// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The door: if a program calls open() or ioctl(), it gets these functions instead (see
 * door.h). They pass calls that do not concern this library on to the C library.
 *
 * This file is linked into each program, from a static archive. In a shared library,
 * the linker would find wrapped symbols only if the library came after the program's
 * files, but many makefiles name it before them. The linker flags (wrap.mk) ask for one
 * symbol of each of these files, which brings the others of the file, too.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>
#include <irixperf.h>
#include <irixperf-door.h>
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

/* The library returns negative errno values; IRIX programs expect -1 and errno */
static int funnel(int ret)
{
	if (ret >= 0)
		return ret;
	errno = -ret;

	return -1;
}

static int library_open(int dir, const char *path, int flags)
{
	int ret = irixperf_proc_openat(dir, path, flags);

	return ret == -ENOTTY && irixperf_door_open ?
	       irixperf_door_open(path, flags) : ret;
}

static int door_open(int dir, const char *path, int flags, mode_t mode)
{
	int ret = library_open(dir, path, flags);

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

/* With _FORTIFY_SOURCE, glibc's headers turn calls without a mode into these */

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

/* Make a stream. It has nothing to read: programs use its descriptor for requests */
static FILE *door_fopen(int fd, const char *mode)
{
	bool reads = fd >= 0 && (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY;
	FILE *stream = fd < 0 ? NULL : fdopen(fd, reads ? "r" : mode);
	int saved = errno;

	if (fd >= 0 && !stream)
		close(fd);
	errno = fd < 0 ? -fd : saved;

	return stream;
}

static int stream_open(const char *path, const char *mode)
{
	int flags = strchr(mode, '+') ? O_RDWR :
		    *mode == 'r' ? O_RDONLY : O_WRONLY;

	return library_open(AT_FDCWD, path,
			    flags | (strchr(mode, 'e') ? O_CLOEXEC : 0));
}

FILE *__wrap_fopen(const char *path, const char *mode)
{
	int ret = stream_open(path, mode);

	return ret == -ENOTTY ? REAL(fopen)(path, mode) : door_fopen(ret, mode);
}

FILE *__wrap_fopen64(const char *path, const char *mode)
{
	int ret = stream_open(path, mode);

#ifdef __GLIBC__
	return ret == -ENOTTY ? REAL(fopen64)(path, mode) : door_fopen(ret, mode);
#else
	return ret == -ENOTTY ? REAL(fopen)(path, mode) : door_fopen(ret, mode);
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
	if (ret == -ENOTTY && irixperf_door_ioctl)
		ret = irixperf_door_ioctl(fd, (unsigned int)request, arg);

	return ret == -ENOTTY ? REAL(ioctl)(fd, request, arg) : funnel(ret);
}
