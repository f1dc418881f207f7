// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Copy descriptors of other processes, and list and close descriptors. The library
 * copies a descriptor and does not open its file anew, which could give it rights that
 * the process does not have. Linux 5.6 and later copy descriptors for callers that may
 * trace the process. If a copy is not the file that the library expects, close(2) of it
 * may never return: see scout.h.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "descriptor.h"

/*
 * Linux 5.9; the C library's headers may be older. MIPS adds a base to this number:
 * there the call fails, and ixp_descriptors_close() does without it.
 */
#ifndef SYS_close_range
#define SYS_close_range	436
#endif

/* A pidfd of the process, or -errno */
int ixp_descriptor_process(pid_t pid)
{
	long fd = syscall(SYS_pidfd_open, pid, 0);

	return fd < 0 ? -errno : (int)fd;
}

/* A copy of a descriptor of the process, or -errno */
int ixp_descriptor_take(int process, int number)
{
	long fd = syscall(SYS_pidfd_getfd, process, number, 0);

	return fd < 0 ? -errno : (int)fd;
}

/* True if the descriptor is an event: the kernel gives no other file this name */
bool ixp_descriptor_is_event(int fd)
{
	static const char event[] = "anon_inode:[perf_event]";
	char path[32], text[64];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/thread-self/fd/%d", fd);
	n = readlink(path, text, sizeof(text));

	return n == sizeof(event) - 1 && memcmp(text, event, (size_t)n) == 0;
}

static bool link_is(int dir, const char *number, const char *target)
{
	char text[256];
	ssize_t n = readlinkat(dir, number, text, sizeof(text));

	return n == (ssize_t)strlen(target) && memcmp(text, target, (size_t)n) == 0;
}

/**
 * ixp_descriptor_each() - go through the descriptors of a process
 * @folder: the directory /proc/PID
 * @target: visit only descriptors whose link in /proc has this text; NULL for all
 * @found: called with the number of each; a value other than 0 ends the search
 * @data: for @found
 *
 * It allocates no memory, as opendir(3) would.
 *
 * Return: what @found returned last, 0 if there is none, or a negative errno value.
 */
int ixp_descriptor_each(int folder, const char *target,
			int (*found)(int number, void *data), void *data)
{
	int dir = openat(folder, "fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	char buf[2048] __attribute__((aligned(8)));
	const struct dirent *entry;
	ssize_t n, at;
	int ret = 0;

	if (dir < 0)
		return -errno;
	do {
		n = syscall(SYS_getdents64, dir, buf, sizeof(buf));
		for (at = 0; at < n && ret == 0; at += entry->d_reclen) {
			entry = (const void *)(buf + at);
			if (entry->d_name[0] == '.')
				continue;
			if (target ? link_is(dir, entry->d_name, target) :
				     atoi(entry->d_name) != dir)
				ret = found(atoi(entry->d_name), data);
		}
	} while (n > 0 && ret == 0);
	close(dir);

	return ret;
}

static int close_one(int number, void *data)
{
	const int *range = data;

	if (number >= range[0] && number <= range[1])
		close(number);

	return 0;
}

/**
 * ixp_descriptors_close() - close descriptors of this process
 * @first: the first descriptor
 * @last: the last one; INT_MAX for all
 */
void ixp_descriptors_close(int first, int last)
{
	int range[2] = { first, last };
	int self;

	if (first > last || syscall(SYS_close_range, first, last, 0) == 0)
		return;
	self = openat(AT_FDCWD, "/proc/self", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (self < 0)
		return;
	ixp_descriptor_each(self, NULL, close_one, range);
	/* If @self is in the range, it is closed already */
	if (self < first || self > last)
		close(self);
}
