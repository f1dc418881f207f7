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
#include <string.h>
#include <unistd.h>
#include "lock.h"

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

/* Return: 1 if another open file has locked this byte for writing, else 0; or -errno */
int ixp_lock_held(int fd, off_t byte)
{
	struct flock lock = lock_of(F_RDLCK, byte, 1);
	int ret = lock_call(fd, F_OFD_GETLK, &lock);

	return ret < 0 ? ret : lock.l_type != F_UNLCK;
}
