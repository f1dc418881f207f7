// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Find the process that a descriptor means. The descriptor is that of the directory
 * /proc/<pid>, whose inode number identifies the process. So the library needs no list
 * of descriptors: copies made by dup(2) and fork(2) work, and numbers can be used again
 * after close(2). This runs at each read of the counts, so it parses no text.
 *
 * For the most frequent requests even fstat(2) is too slow; lseek(2) takes a quarter of
 * its time. Programs do not read the directories that they open by IRIX's names, so the
 * file position is free: the library stores the inode number there, as a mark.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <linux/magic.h>
#include "ident.h"
#include "pstat.h"

pid_t ixp_caller;

static bool fd_in_proc(int fd)
{
	struct statfs fs;

	return fd >= 0 && fstatfs(fd, &fs) == 0 &&
	       fs.f_type == PROC_SUPER_MAGIC;
}

/* The directory of a process is empty after its parent has waited for it */
bool ixp_ident_alive(int fd)
{
	return faccessat(fd, "statm", F_OK, 0) == 0;
}

/**
 * ixp_ident_of_fd() - find the process behind a descriptor
 * @id: the process
 * @fd: the descriptor
 *
 * Return: 0; -ESRCH for a directory in /proc that is not that of a process, or whose
 * process is gone; -ENOTTY for any other descriptor.
 */
int ixp_ident_of_fd(struct ixp_ident *id, int fd)
{
	int saved = errno;
	struct stat st;
	int ret = 0;

	if (!fd_in_proc(fd) || fstat(fd, &st) < 0 || !S_ISDIR(st.st_mode))
		ret = -ENOTTY;
	else if (!ixp_ident_alive(fd))
		ret = -ESRCH;
	errno = saved;
	if (ret < 0)
		return ret;

	id->dev = st.st_dev;
	id->ino = st.st_ino;

	return 0;
}

/**
 * ixp_ident_mark() - mark a descriptor with the inode number of its directory
 * @fd: directory of a process, which the program will not read
 *
 * Copies of the descriptor have the mark, too. A descriptor without a mark works, but
 * requests take longer.
 */
void ixp_ident_mark(int fd)
{
	struct stat st;

	if (fstat(fd, &st) == 0)
		lseek(fd, (off_t)st.st_ino, SEEK_SET);
}

/* The mark of a descriptor; if it has none, this is any number */
ino_t ixp_ident_marked(int fd)
{
	return (ino_t)lseek(fd, 0, SEEK_CUR);
}

/* The PID from the directory's path; pid_by_stat() takes ten times as long */
static pid_t pid_by_name(int fd)
{
	char link[32], name[32];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/thread-self/fd/%d", fd);
	n = readlink(link, name, sizeof(name) - 1);
	if (n < 0)
		return -ESRCH;
	name[n] = '\0';
	if (strncmp(name, "/proc/", 6) != 0 ||
	    name[6 + strspn(name + 6, "0123456789")] != '\0')
		return -ESRCH;

	return atoi(name + 6);
}

static pid_t pid_by_stat(int fd)
{
	struct ixp_pstat st;
	int ret = ixp_pstat_read(&st, fd, "stat");

	if (ret < 0)
		return ret == -EMFILE || ret == -ENFILE ? ret : -ESRCH;

	return st.pid;
}

/* The PID of the process of a directory, or -ESRCH */
pid_t ixp_ident_pid(int fd)
{
	pid_t pid = pid_by_name(fd);

	/* pid_by_name() fails if /proc is mounted under another name */
	if (pid <= 0 || !ixp_ident_alive(fd))
		pid = pid_by_stat(fd);

	return pid != 0 ? pid : -ESRCH;
}
