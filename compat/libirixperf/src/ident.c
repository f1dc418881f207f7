// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * From a descriptor to its process. The descriptor is the folder /proc/<pid>,
 * and its file "stat" says all: so copies made by dup(2) and fork(2), and
 * numbers used again after close(2), need no bookkeeping.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <linux/magic.h>
#include "internal.h"

#define FIELD_AFTER_NAME	3
#define FIELD_STARTTIME		22

/* "123 (any) name) S 1 ...": the name may hold anything, digits do not follow it */
int ixp_ident_parse(struct ixp_ident *id, const char *stat)
{
	const char *p = strrchr(stat, ')');
	int field;

	if (!p || sscanf(stat, "%d (", &id->pid) != 1 || id->pid <= 0)
		return -ENOTTY;

	for (field = FIELD_AFTER_NAME; field <= FIELD_STARTTIME && p; field++)
		p = strchr(p + 1, ' ');
	if (!p)
		return -ENOTTY;

	id->start = strtoull(p, NULL, 10);

	return 0;
}

static bool fd_in_proc(int fd)
{
	struct statfs fs;

	return fd >= 0 && fstatfs(fd, &fs) == 0 &&
	       fs.f_type == PROC_SUPER_MAGIC;
}

static int fd_read_stat(int fd, char *buf, size_t size)
{
	int stat = openat(fd, "stat", O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (stat < 0)
		return errno == ENOENT || errno == ESRCH ? -ESRCH : -ENOTTY;

	n = read(stat, buf, size - 1);
	close(stat);
	buf[n < 0 ? 0 : n] = '\0';

	return n > 0 ? 0 : -ESRCH;
}

/**
 * ixp_ident_of_fd() - find the process behind a descriptor
 * @id: the process
 * @fd: the descriptor
 *
 * Return: 0, -ESRCH if the process is gone, -ENOTTY if there never was one.
 */
int ixp_ident_of_fd(struct ixp_ident *id, int fd)
{
	char stat[1024];
	int saved = errno;
	int ret = -ENOTTY;

	if (fd_in_proc(fd))
		ret = fd_read_stat(fd, stat, sizeof(stat));
	if (ret == 0)
		ret = ixp_ident_parse(id, stat);
	errno = saved;

	return ret;
}
