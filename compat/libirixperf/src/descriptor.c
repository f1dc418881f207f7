// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Descriptors of other processes. They are taken over as they are, and never
 * opened anew, which could be given rights that their owner lacks. The kernel
 * has this from 5.6 on, for who may trace the process.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "internal.h"

/* A descriptor that stands for the process, or -errno */
int ixp_descriptor_process(pid_t pid)
{
	long fd = syscall(SYS_pidfd_open, pid, 0);

	return fd < 0 ? -errno : (int)fd;
}

/* What the process has open under this number, or -errno */
int ixp_descriptor_take(int process, int number)
{
	long fd = syscall(SYS_pidfd_getfd, process, number, 0);

	return fd < 0 ? -errno : (int)fd;
}

/* By the name that the kernel gives it, which no file can have */
bool ixp_descriptor_is_event(int fd)
{
	static const char event[] = "anon_inode:[perf_event]";
	char path[32], text[64];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	n = readlink(path, text, sizeof(text));

	return n == sizeof(event) - 1 && memcmp(text, event, (size_t)n) == 0;
}
