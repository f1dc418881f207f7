// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Locks on bytes of files. They belong to the open file description, not to the
 * process: close(2) of another descriptor for the same file does not drop them, and a
 * process that gets a copy of the descriptor has them, too. The kernel drops them when
 * the last copy is closed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "lock.h"
#include "kernel.h"

static int lock_call(int fd, int command, struct flock *lock)
{
	int ret;

	do {
		ret = fcntl(fd, command, lock);
	} while (ret < 0 && errno == EINTR);

	return ret < 0 ? -errno : 0;
}

static struct flock lock_of(short type, off_t start, off_t len)
{
	struct flock lock;

	memset(&lock, 0, sizeof(lock));
	lock.l_type = type;
	lock.l_whence = SEEK_SET;
	lock.l_start = start;
	lock.l_len = len;

	return lock;
}

/* Wait for all other locks on a file, then lock all of it. Return: 0 or -errno */
int ixp_lock_wait(int fd)
{
	struct flock lock = lock_of(F_WRLCK, 0, 0);

	return lock_call(fd, F_OFD_SETLKW, &lock);
}

/* Lock a byte, which may be behind the end of the file. Return: 0 or -errno */
int ixp_lock_try(int fd, off_t byte)
{
	struct flock lock = lock_of(F_WRLCK, byte, 1);

	return lock_call(fd, F_OFD_SETLK, &lock);
}

/*
 * Drop all locks and close the file: with close(2) alone, a child that another thread
 * has just forked would keep them.
 */
void ixp_lock_close(int fd)
{
	struct flock lock = lock_of(F_UNLCK, 0, 0);

	lock_call(fd, F_OFD_SETLK, &lock);
	close(fd);
}

/* Return: 1 if another open file has locked this byte for writing, else 0; or -errno */
int ixp_lock_held(int fd, off_t byte)
{
	struct flock lock = lock_of(F_RDLCK, byte, 1);
	int ret = lock_call(fd, F_OFD_GETLK, &lock);

	return ret < 0 ? ret : lock.l_type != F_UNLCK;
}

/**
 * ixp_lock_file() - make a file with a locked byte
 * @path: its name until ixp_lock_publish(); a file of that name is replaced
 * @byte: the byte
 *
 * Only the caller's user can open the file before it is published, so no other user can
 * have a lock on it that prevents this one.
 *
 * Return: the file, or a negative errno value.
 */
int ixp_lock_file(const char *path, off_t byte)
{
	char full[PATH_MAX];
	int fd, ret = ixp_file_path(full, sizeof(full), path);

	if (ret == 0 && unlink(full) < 0 && errno != ENOENT)
		ret = -errno;
	if (ret < 0)
		return ret;
	fd = ixp_file_open(path, O_RDWR | O_CREAT | O_EXCL);
	if (fd < 0)
		return fd;
	ret = ixp_lock_try(fd, byte);
	if (ret == 0)
		return fd;
	close(fd);

	return ret;
}

/* Give the file its final name and let everybody read it. Return: 0 or -errno */
int ixp_lock_publish(int fd, const char *from, const char *to)
{
	char old[PATH_MAX], new[PATH_MAX];
	int ret = ixp_file_path(old, sizeof(old), from);

	if (ret == 0)
		ret = ixp_file_path(new, sizeof(new), to);
	if (ret == 0 && (fchmod(fd, 0644) < 0 || rename(old, new) < 0))
		ret = -errno;

	return ret;
}
