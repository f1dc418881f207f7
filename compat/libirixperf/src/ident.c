// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * From a descriptor to its process. The descriptor is the folder /proc/<pid>,
 * which says all: so copies made by dup(2) and fork(2), and numbers used again
 * after close(2), need no bookkeeping. As this stands between a program and its
 * counts, it takes the same few instructions each time and reads no text.
 *
 * For those who ask most often even that is too much. Nobody reads the folders
 * that IRIX's names were opened for, so that their position is free: it says
 * which folder it is, and lseek(2) takes a quarter of what fstat(2) takes.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <linux/magic.h>
#include "internal.h"

static bool fd_in_proc(int fd)
{
	struct statfs fs;

	return fd >= 0 && fstatfs(fd, &fs) == 0 &&
	       fs.f_type == PROC_SUPER_MAGIC;
}

/* The folder of a process is empty once somebody has waited for it */
bool ixp_ident_alive(int fd)
{
	return faccessat(fd, "statm", F_OK, 0) == 0;
}

/**
 * ixp_ident_of_fd() - find the process behind a descriptor
 * @id: the process
 * @fd: the descriptor
 *
 * Return: 0; -ESRCH for a folder of /proc that is no process, or no more;
 * -ENOTTY for anything else.
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
 * ixp_ident_mark() - note in a descriptor which folder it is
 * @fd: folder of a process that nobody will read
 *
 * Copies of the descriptor have the mark, too. Without it all takes longer.
 */
void ixp_ident_mark(int fd)
{
	struct stat st;

	if (fstat(fd, &st) == 0)
		lseek(fd, (off_t)st.st_ino, SEEK_SET);
}

/* The mark of a descriptor, which is the number of a folder if it has one */
ino_t ixp_ident_marked(int fd)
{
	return (ino_t)lseek(fd, 0, SEEK_CUR);
}

/* The kernel takes ten times as long to fill "stat" as to name a folder */
static pid_t pid_by_name(int fd)
{
	char link[32], name[32];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
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
	int stat = openat(fd, "stat", O_RDONLY | O_CLOEXEC);
	char text[16];
	ssize_t n;

	if (stat < 0)
		return errno == EMFILE || errno == ENFILE ? -errno : -ESRCH;

	/* It begins with the number */
	n = read(stat, text, sizeof(text) - 1);
	close(stat);
	if (n <= 0)
		return -ESRCH;
	text[n] = '\0';

	return atoi(text);
}

/* The number of the process whose folder this is, or -ESRCH */
pid_t ixp_ident_pid(int fd)
{
	pid_t pid = pid_by_name(fd);

	/* There may be another name for /proc */
	if (pid <= 0 || !ixp_ident_alive(fd))
		pid = pid_by_stat(fd);

	return pid != 0 ? pid : -ESRCH;
}
