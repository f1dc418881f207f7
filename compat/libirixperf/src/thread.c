// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What one thread does. State R in /proc says only that it could run; but the
 * time of an event of the thread goes on exactly while it is on a CPU.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "internal.h"

/**
 * ixp_thread_state() - the state of a thread, as proc_pid_stat(5) has it
 * @task: the directory /proc/PID/task
 * @tid: the thread
 *
 * Return: the letter, or 0 if the thread is no more or cannot be seen.
 */
char ixp_thread_state(int task, pid_t tid)
{
	char name[32], text[512];
	const char *state;
	ssize_t n;
	int fd;

	snprintf(name, sizeof(name), "%d/stat", tid);
	fd = openat(task, name, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return '\0';
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';

	/* It follows the name, which can have any character */
	state = strrchr(text, ')');

	return state && state[1] == ' ' ? state[2] : '\0';
}

/**
 * ixp_thread_clock_open() - open a clock that goes while a thread is on a CPU
 * @tid: the thread
 *
 * It is an event that counts nothing and needs no counter.
 *
 * Return: a descriptor, which the caller closes, or an error of
 * perf_event_open(2).
 */
int ixp_thread_clock_open(pid_t tid)
{
	struct perf_event_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.size = sizeof(attr);
	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_DUMMY;
	attr.exclude_kernel = 1;
	attr.exclude_hv = 1;
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
			   PERF_FORMAT_TOTAL_TIME_RUNNING;

	return ixp_kernel.perf_open(&attr, tid, -1, -1);
}

/**
 * ixp_thread_clock() - read that clock
 * @fd: the descriptor
 * @ns: gets the nanoseconds that the thread has been on CPUs since it was opened
 *
 * Return: 0, or an error of read(2).
 */
int ixp_thread_clock(int fd, uint64_t *ns)
{
	struct irixperf_count count;
	ssize_t ret = ixp_kernel.perf_read(fd, &count, sizeof(count));

	if (ret <= 0)
		return ret < 0 ? (int)ret : -EIO;
	*ns = count.enabled;

	return 0;
}
