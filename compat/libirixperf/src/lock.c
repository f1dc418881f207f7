// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Locks on bytes of files that belong to an open file and not to a process: no
 * other close() of the same file drops them, and they can be handed on. The
 * kernel drops them with the last descriptor.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include "internal.h"
#include "system.h"

static int lock_call(int fd, int command, struct flock *lock)
{
	int ret;

	do {
		ret = fcntl(fd, command, lock);
	} while (ret < 0 && errno == EINTR);

	return ret < 0 ? -errno : 0;
}

static struct flock lock_range(short type, off_t start, off_t len)
{
	struct flock lock;

	memset(&lock, 0, sizeof(lock));
	lock.l_type = type;
	lock.l_whence = SEEK_SET;
	lock.l_start = start;
	lock.l_len = len;

	return lock;
}

/* A @len of 0 reaches to the end of all bytes that a file can ever have */
int ixp_lock_try(int fd, short type, off_t start, off_t len)
{
	struct flock lock = lock_range(type, start, len);

	return lock_call(fd, F_OFD_SETLK, &lock);
}

int ixp_lock_wait(int fd, short type, off_t start, off_t len)
{
	struct flock lock = lock_range(type, start, len);

	return lock_call(fd, F_OFD_SETLKW, &lock);
}

/* Tell whether somebody has a write lock on this byte: 0, 1 or -errno */
int ixp_lock_held(int fd, off_t start)
{
	struct flock lock = lock_range(F_RDLCK, start, 1);
	int ret = lock_call(fd, F_OFD_GETLK, &lock);

	return ret < 0 ? ret : lock.l_type != F_UNLCK;
}
