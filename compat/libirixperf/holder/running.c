// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Find out whether a process is on a CPU now: if so, the CPU clock of one of its
 * threads changes between two reads. In the same way, a program's event changes if any
 * of the processes that it counts is on a CPU, including children.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "holder.h"
#include "kernel.h"
#include "thread.h"

static bool clock_goes(int fd)
{
	uint64_t first, second;

	return ixp_thread_clock(fd, &first) == 0 &&
	       ixp_thread_clock(fd, &second) == 0 && first != second;
}

/* If the kernel allows no event as a clock, treat each thread in state R as running */
static int thread_running(int task, pid_t tid)
{
	int fd, ret;

	if (ixp_thread_state(task, tid) != 'R')
		return 0;
	fd = ixp_thread_clock_open(tid);
	if (fd < 0)
		return fd != -ESRCH;

	ret = clock_goes(fd);
	ixp_kernel.perf_close(fd);

	return ret;
}

static int threads_running(DIR *dir)
{
	struct dirent *entry;
	int ret = 0;

	while (ret == 0 && (entry = readdir(dir)))
		if (atoi(entry->d_name) > 0)
			ret = thread_running(dirfd(dir), atoi(entry->d_name));

	return ret;
}

/*
 * With real-time priority, no other process gets this CPU between the two reads, which
 * would make it seem to run. Made as a system call, because musl's
 * sched_setscheduler() only fails.
 */
static void set_scheduler(int policy, int priority)
{
	struct sched_param param = { .sched_priority = priority };

	syscall(SYS_sched_setscheduler, 0, policy, &param);
}

/**
 * holder_process_running() - tell whether a process is on a CPU now
 * @pid: the process
 *
 * Return: 0 or 1.
 */
int holder_process_running(pid_t pid)
{
	char path[32];
	DIR *dir;
	int ret;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	if (!dir)
		return 0;

	set_scheduler(SCHED_FIFO, 1);
	ret = threads_running(dir);
	set_scheduler(SCHED_OTHER, 0);
	closedir(dir);

	return ret;
}

/**
 * holder_event_running() - tell whether an event counts now
 * @fd: an event of a program
 *
 * Return: 0 or 1.
 */
int holder_event_running(int fd)
{
	uint64_t first[256], second[256];
	ssize_t n, m;

	set_scheduler(SCHED_FIFO, 1);
	n = read(fd, first, sizeof(first));
	m = read(fd, second, sizeof(second));
	set_scheduler(SCHED_OTHER, 0);

	return n > 0 && (m != n || memcmp(first, second, (size_t)n) != 0);
}
