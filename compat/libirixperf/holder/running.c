// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Does a process run, at this moment, on some CPU? State R in /proc says only
 * that it could. But the time of an event of one of its threads goes on exactly
 * while the thread is on a CPU: two looks at it tell. The program's own events
 * tell the same of all whom they count, children included.
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

/* The state follows the name, which can have any character */
static bool state_runnable(const char *stat)
{
	const char *state = strrchr(stat, ')');

	return state && strncmp(state, ") R", 3) == 0;
}

static bool thread_runnable(int dir, const char *tid)
{
	char name[32], text[512];
	ssize_t n;
	int fd;

	snprintf(name, sizeof(name), "%.16s/stat", tid);
	fd = openat(dir, name, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';

	return state_runnable(text);
}

/* Counts nothing and needs no counter */
static int clock_open(pid_t tid)
{
	struct perf_event_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.size = sizeof(attr);
	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_DUMMY;
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
			   PERF_FORMAT_TOTAL_TIME_RUNNING;

	return ixp_kernel.perf_open(&attr, tid, -1, -1);
}

static bool clock_goes(int fd)
{
	struct irixperf_count first, second;

	return ixp_kernel.perf_read(fd, &first, sizeof(first)) > 0 &&
	       ixp_kernel.perf_read(fd, &second, sizeof(second)) > 0 &&
	       first.enabled != second.enabled;
}

/* Where the kernel gives us no event, the state has to do */
static int thread_running(int dir, const char *tid)
{
	int fd, ret;

	if (!thread_runnable(dir, tid))
		return 0;
	fd = clock_open(atoi(tid));
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
			ret = thread_running(dirfd(dir), entry->d_name);

	return ret;
}

/*
 * Nobody takes our CPU from us between two looks, and seems to run therefore.
 * musl has a function that does nothing for this call.
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
