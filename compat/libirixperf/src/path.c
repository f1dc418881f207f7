// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * IRIX names a process file "/proc/00123" or "/proc/pinfo/00123"; Linux knows
 * "/proc/123" only.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include "internal.h"

#define PID_DIGITS	10

static const char *skip_prefix(const char *path)
{
	if (strncmp(path, "/proc/", 6) != 0)
		return NULL;
	path += 6;

	return strncmp(path, "pinfo/", 6) == 0 ? path + 6 : path;
}

/**
 * ixp_proc_path() - recognise the name of a process file
 * @path: what the program opens
 * @buf: gets the Linux name
 * @size: size of @buf
 *
 * Return: 0, -ENOTTY if @path is no such name, -ENOENT if there cannot be such
 * a process.
 */
int ixp_proc_path(const char *path, char *buf, size_t size)
{
	const char *digits = skip_prefix(path);

	if (!digits || !*digits || digits[strspn(digits, "0123456789")])
		return -ENOTTY;

	digits += strspn(digits, "0");
	if (!*digits || strlen(digits) > PID_DIGITS)
		return -ENOENT;

	snprintf(buf, size, "/proc/%s", digits);

	return 0;
}

/*
 * Linux refuses to open folders for writing, and the requests need no more
 * than the name: rights are checked when counting is asked for.
 */
int irixperf_proc_open(const char *path, int flags)
{
	char name[sizeof("/proc/") + PID_DIGITS];
	int fd, ret;

	/* A null pointer is the kernel's to refuse */
	if (!path || (flags & O_PATH))
		return -ENOTTY;

	ret = ixp_proc_path(path, name, sizeof(name));
	if (ret < 0)
		return ret;

	fd = openat(AT_FDCWD, name,
		    O_RDONLY | O_DIRECTORY | (flags & O_CLOEXEC));
	if (fd < 0)
		return -errno;

	/* Who asks for a folder may want to read it */
	if (!(flags & O_DIRECTORY))
		ixp_ident_mark(fd);

	return fd;
}
