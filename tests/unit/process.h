/* SPDX-License-Identifier: GPL-2.0-only */
/* A process' file, by whose requests its counters are asked for. */
#ifndef PROCESS_H
#define PROCESS_H

#include <fcntl.h>
#include <stdio.h>
#include <sys/types.h>

static inline int open_process(pid_t pid)
{
	char name[32];

	snprintf(name, sizeof(name), "/proc/%05d", pid);

	return open(name, O_RDWR | O_CLOEXEC);
}

#endif
