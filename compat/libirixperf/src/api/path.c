// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * IRIX names a process file "/proc/00123" or "/proc/pinfo/00123"; Linux knows only
 * "/proc/123". These are files on IRIX and directories on Linux. A path that can only
 * be a directory, such as "/proc/123/", is not translated.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <linux/magic.h>
#include <irixperf.h>
#include "path.h"
#include "ident.h"

#define PID_DIGITS	10

/* Inode number of the directory /proc in every mount of it */
#define PROC_ROOT_INO	1

static const char *skip_slashes(const char *path)
{
	return path + strspn(path, "/");
}

/* The part of @path after the directory @name; NULL if @path is not in @name */
static const char *skip_folder(const char *path, const char *name)
{
	size_t len = strlen(name);

	if (strncmp(path, name, len) != 0 || path[len] != '/')
		return NULL;

	return skip_slashes(path + len);
}

static int number_path(const char *path, char *buf, size_t size)
{
	const char *pinfo = skip_folder(path, "pinfo");
	const char *digits = pinfo ? pinfo : path;

	if (!*digits || digits[strspn(digits, "0123456789")])
		return -ENOTTY;

	digits += strspn(digits, "0");
	if (!*digits || strlen(digits) > PID_DIGITS)
		return -ENOENT;

	snprintf(buf, size, "/proc/%s", digits);

	return 0;
}

/**
 * ixp_proc_path() - recognise the name of a process file
 * @path: the path that the program opens; a relative one is never recognised
 * @buf: gets the Linux name
 * @size: size of @buf
 *
 * Return: 0; -ENOTTY if @path is not such a name; -ENOENT if it is one that no
 * process can have.
 */
int ixp_proc_path(const char *path, char *buf, size_t size)
{
	const char *name;

	if (*path != '/')
		return -ENOTTY;
	name = skip_folder(skip_slashes(path), "proc");

	return name ? number_path(name, buf, size) : -ENOTTY;
}

/* Makes the system call itself, because the door replaces the C library's openat() */
static int kernel_open(int dir, const char *path, int flags)
{
	long fd = syscall(SYS_openat, dir, path, flags);

	return fd < 0 ? -errno : (int)fd;
}

static bool proc_itself(int dir)
{
	int saved = errno;
	struct statfs fs;
	struct stat st;
	bool ret;

	if (dir == AT_FDCWD)
		ret = statfs(".", &fs) == 0 && stat(".", &st) == 0;
	else
		ret = fstatfs(dir, &fs) == 0 && fstat(dir, &st) == 0;
	errno = saved;

	return ret && fs.f_type == PROC_SUPER_MAGIC && st.st_ino == PROC_ROOT_INO;
}

static int path_from(int dir, const char *path, char *buf, size_t size)
{
	int ret;

	if (*path == '/')
		return ixp_proc_path(path, buf, size);

	ret = number_path(path, buf, size);

	return ret == -ENOTTY || proc_itself(dir) ? ret : -ENOTTY;
}

/*
 * The access mode is ignored: Linux does not open directories for writing, and the
 * requests check the caller's rights themselves.
 */
int irixperf_proc_openat(int dir, const char *path, int flags)
{
	char name[sizeof("/proc/") + PID_DIGITS];
	int fd, ret;

	/* The caller passes the call on, and the kernel then refuses a null pointer */
	if (!path || (flags & O_PATH))
		return -ENOTTY;

	ret = path_from(dir, path, name, sizeof(name));
	if (ret < 0)
		return ret;

	fd = kernel_open(AT_FDCWD, name,
			 O_RDONLY | O_DIRECTORY | (flags & O_CLOEXEC));

	/* No mark, which moves the position, if the program may read the directory */
	if (fd >= 0 && !(flags & O_DIRECTORY))
		ixp_ident_mark(fd);

	return fd;
}

int irixperf_proc_open(const char *path, int flags)
{
	return irixperf_proc_openat(AT_FDCWD, path, flags);
}
