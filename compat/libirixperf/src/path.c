// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * IRIX names a process file "/proc/00123" or "/proc/pinfo/00123"; Linux knows
 * "/proc/123" only. The names are files there and folders here: what says that
 * it means a folder, as "/proc/123/" does, is left to the kernel.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <linux/magic.h>
#include "internal.h"

#define PID_DIGITS	10

/* Number of the folder /proc itself, in all its file systems */
#define PROC_ROOT_INO	1

static const char *skip_slashes(const char *path)
{
	return path + strspn(path, "/");
}

/* What follows the name of a folder; NULL if @path is not in there */
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
 * @path: what the program opens, from the root on
 * @buf: gets the Linux name
 * @size: size of @buf
 *
 * Return: 0, -ENOTTY if @path is no such name, -ENOENT if there cannot be such
 * a process.
 */
int ixp_proc_path(const char *path, char *buf, size_t size)
{
	const char *name;

	if (*path != '/')
		return -ENOTTY;
	name = skip_folder(skip_slashes(path), "proc");

	return name ? number_path(name, buf, size) : -ENOTTY;
}

/* The door stands in for openat(2), too: this is the kernel's own */
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
 * Linux refuses to open folders for writing, and the requests need no more
 * than the name: rights are checked when counting is asked for.
 */
int irixperf_proc_openat(int dir, const char *path, int flags)
{
	char name[sizeof("/proc/") + PID_DIGITS];
	int fd, ret;

	/* A null pointer is the kernel's to refuse */
	if (!path || (flags & O_PATH))
		return -ENOTTY;

	ret = path_from(dir, path, name, sizeof(name));
	if (ret < 0)
		return ret;

	fd = kernel_open(AT_FDCWD, name,
			 O_RDONLY | O_DIRECTORY | (flags & O_CLOEXEC));

	/* Who asks for a folder may want to read it */
	if (fd >= 0 && !(flags & O_DIRECTORY))
		ixp_ident_mark(fd);

	return fd;
}

int irixperf_proc_open(const char *path, int flags)
{
	return irixperf_proc_openat(AT_FDCWD, path, flags);
}
