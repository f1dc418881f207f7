// SPDX-License-Identifier: GPL-2.0-or-later
/* Files whose names and contents come from programs and users that are not trusted. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "tool.h"

/**
 * tool_create() - create a file in place of any that has this name
 * @path: the name
 * @mode: the permissions; the umask removes some
 *
 * A link is replaced and not followed: somebody who guessed the name may have made it.
 *
 * Return: a descriptor to write to; or -1, and errno says why.
 */
int tool_create(const char *path, mode_t mode)
{
	if (unlink(path) < 0 && errno != ENOENT)
		return -1;

	return open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
}

/**
 * tool_open_regular() - open a file whose name somebody else has chosen
 * @path: the name
 *
 * The type of the file is checked before it is opened: opening some devices has
 * side effects.
 *
 * Return: a stream to read from; or NULL, if it cannot be read or is a pipe, a
 * device or a directory.
 */
FILE *tool_open_regular(const char *path)
{
	int place = open(path, O_PATH | O_CLOEXEC), fd = -1;
	struct stat st;
	char name[32];
	FILE *file;

	if (place < 0)
		return NULL;
	snprintf(name, sizeof(name), "/proc/self/fd/%d", place);
	if (fstat(place, &st) == 0 && S_ISREG(st.st_mode))
		fd = open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	close(place);
	file = fd < 0 ? NULL : fdopen(fd, "r");
	if (!file && fd >= 0)
		close(fd);

	return file;
}

/**
 * tool_lock() - let one process of this user at a time go on
 * @path: the lock's file, which is made if it does not exist
 * @seconds: how long to wait for another process that has the lock
 *
 * A signal that the caller has blocked, and that asks it to end, ends the wait.
 *
 * Return: a descriptor, and closing it releases the lock; -EAGAIN if another process
 * still has it; -EINTR after a signal; -ENOENT if there can be no lock.
 */
int tool_lock(const char *path, unsigned int seconds)
{
	int fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600), ret = 0;
	struct timespec now, end;
	sigset_t pending;

	if (fd < 0)
		return -ENOENT;
	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += seconds;
	while (ret == 0 && flock(fd, LOCK_EX | LOCK_NB) < 0) {
		int err = errno;

		clock_gettime(CLOCK_MONOTONIC, &now);
		sigpending(&pending);
		if (err != EWOULDBLOCK && err != EINTR)
			ret = -ENOENT;
		else if (sigismember(&pending, SIGINT) || sigismember(&pending, SIGTERM) ||
			 sigismember(&pending, SIGHUP) || sigismember(&pending, SIGQUIT))
			ret = -EINTR;
		else if (now.tv_sec > end.tv_sec ||
			 (now.tv_sec == end.tv_sec && now.tv_nsec >= end.tv_nsec))
			ret = -EAGAIN;
		else
			usleep(10000);
	}
	if (ret < 0)
		close(fd);

	return ret < 0 ? ret : fd;
}
