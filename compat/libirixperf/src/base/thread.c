// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The state of a thread, and its CPU time. State R in /proc includes threads that wait
 * for a CPU. But the time of an event on a thread grows only while the thread is on a
 * CPU.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <linux/perf_event.h>
#include <irixperf.h>
#include "thread.h"
#include "kernel.h"
#include "pstat.h"

/**
 * ixp_thread_state() - tell the state of a thread, as in proc_pid_stat(5)
 * @task: the directory /proc/PID/task
 * @tid: the thread
 *
 * Return: the letter, or 0 if the thread is gone or cannot be seen.
 */
char ixp_thread_state(int task, pid_t tid)
{
	struct ixp_pstat st;
	char name[32];

	snprintf(name, sizeof(name), "%d/stat", tid);

	return ixp_pstat_read(&st, task, name) == 0 ? st.state : '\0';
}

/**
 * ixp_thread_clock_open() - open a clock that runs while a thread is on a CPU
 * @tid: the thread
 *
 * The clock is an event that counts nothing and needs no counter.
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
 * ixp_thread_clock() - read the clock of a thread
 * @fd: descriptor of the clock
 * @ns: gets the nanoseconds that the thread was on a CPU since the clock was opened
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
