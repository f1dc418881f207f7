// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counting each thread by itself. perfex traces the command (ptrace(2)), so that a
 * new thread stops before its first instruction; perfex then opens events for it, and
 * reads them after it has ended. So the counts of the threads add up exactly to the
 * total. With inherited events, the last counts of a thread would be lost.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "perfex.h"

static struct perfex_thread *find(struct perfex_result *result, pid_t tid)
{
	unsigned int i;

	for (i = result->nr_threads; i-- > 0;)
		if (result->thread[i].tid == tid && !result->thread[i].gone)
			return &result->thread[i];

	return NULL;
}

/* The number of a new thread: threads are numbered from 1 in each process */
static unsigned int next_number(const struct perfex_result *result, pid_t pid)
{
	unsigned int i, number = 1;

	for (i = 0; i < result->nr_threads; i++)
		if (result->thread[i].pid == pid)
			number++;

	return number;
}

/*
 * The process that @tid belongs to. If no descriptor is free for /proc, ask the kernel
 * about each known process: tgkill(2) with signal 0 fails if @tid is not in it.
 */
static pid_t process_among(const struct perfex_result *result, pid_t tid)
{
	pid_t pid = tool_process_of(tid);
	unsigned int i;

	for (i = 0; i < result->nr_threads && pid == tid; i++)
		if (syscall(SYS_tgkill, result->thread[i].pid, tid, 0) == 0)
			pid = result->thread[i].pid;

	return pid;
}

static struct perfex_thread *add(struct perfex_result *result, pid_t tid)
{
	unsigned int nr = result->nr_threads;
	struct perfex_thread *more = tool_one_more(result->thread, nr,
						   sizeof(*more));

	if (!more)
		return NULL;
	result->thread = more;
	memset(&more[nr], 0, sizeof(*more));
	more[nr].tid = tid;
	more[nr].pid = process_among(result, tid);
	more[nr].number = next_number(result, more[nr].pid);
	result->nr_threads++;

	return &more[nr];
}

/* Only the first error is reported */
static void lose(struct perfex_result *result, struct perfex_thread *thread,
		 int err)
{
	if (thread)
		thread->lost = true;
	if (!result->lost++)
		result->lost_error = err;
}

static int add_counted(struct perfex_result *result,
		       const struct perfex_choice *choice, pid_t tid,
		       unsigned int flags)
{
	struct perfex_thread *thread = add(result, tid);
	int ret = -ENOMEM;

	if (thread)
		ret = perfex_choice_open(&thread->set, choice, tid, flags);
	if (ret < 0)
		lose(result, thread, ret);

	return ret;
}

/* Called after the fork, while the child still waits to execute the command */
int perfex_threads_seize(struct perfex_result *result,
			 const struct perfex_target *target, pid_t pid)
{
	int ret = tool_trace_seize(pid, true);

	return ret < 0 ? ret : add_counted(result, target->choice, pid,
					   IRIXPERF_ENABLE_ON_EXEC);
}

static void end(struct perfex_result *result, struct perfex_thread *thread,
		const struct perfex_choice *choice)
{
	int ret = 0;

	if (thread->set)
		ret = perfex_choice_read(thread->set, choice, thread->count);
	if (ret < 0) {
		memset(thread->count, 0, sizeof(thread->count));
		lose(result, thread, ret);
	}
	irixperf_set_close(thread->set);
	thread->set = NULL;
	thread->gone = true;
}

/*
 * A thread that is not the first has called execve(2): it takes the TID of the first
 * thread, whose end waitpid(2) does not report.
 */
static void renamed(struct perfex_result *result,
		    const struct perfex_choice *choice, pid_t pid)
{
	struct perfex_thread *first = find(result, pid), *thread;
	pid_t former = tool_trace_former(pid);

	if (former == pid)
		return;
	thread = find(result, former);
	if (first)
		end(result, first, choice);
	if (thread)
		thread->tid = pid;
}

/* Handle a status that waitpid(2) returned for a thread */
void perfex_threads_event(struct perfex_result *result,
			  const struct perfex_target *target, pid_t tid,
			  int status)
{
	struct perfex_thread *thread = find(result, tid);

	if (!WIFSTOPPED(status)) {
		if (thread)
			end(result, thread, target->choice);
		return;
	}
	if (!thread)
		add_counted(result, target->choice, tid, 0);
	if (status >> 16 == PTRACE_EVENT_EXEC)
		renamed(result, target->choice, tid);
	tool_trace_go_on(tid, status);
}

/* -pp reports only threads of one process; the total includes the others */
bool perfex_thread_wanted(const struct perfex_result *result,
			  const struct perfex_thread *thread,
			  const struct perfex_options *opt)
{
	if (opt->processes)
		return true;

	return thread->pid == result->pid &&
	       (!opt->thread || thread->number == opt->thread);
}

/* Read the threads that have not ended, and add up all threads */
void perfex_threads_end(struct perfex_result *result,
			const struct perfex_choice *choice)
{
	unsigned int i, event;

	for (i = 0; i < result->nr_threads; i++) {
		struct perfex_thread *thread = &result->thread[i];

		if (!thread->gone)
			end(result, thread, choice);
		for (event = 0; event < choice->nr; event++)
			perfex_count_add(&result->count[event],
					 &thread->count[event]);
	}
}
