// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Each thread by itself. A new thread stops before its first instruction, as it
 * is traced (ptrace(2)), and gets events of its own, which are read when it has
 * ended: so the counts of threads add up to that of all without any remainder.
 * The kernel's own ways of inheritance lose what a thread did last.
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

#define TRACE_ALL (PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | \
		   PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC)

#ifndef PTRACE_EVENT_STOP
#define PTRACE_EVENT_STOP	128
#endif

static struct perfex_thread *find(struct perfex_result *result, pid_t tid)
{
	unsigned int i;

	for (i = result->nr_threads; i-- > 0;)
		if (result->thread[i].tid == tid && !result->thread[i].gone)
			return &result->thread[i];

	return NULL;
}

/* The process whose thread it is */
pid_t perfex_process_of(pid_t tid)
{
	char path[64], line[128];
	pid_t pid = tid;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", tid);
	file = fopen(path, "re");
	if (!file)
		return tid;
	while (fgets(line, sizeof(line), file) &&
	       sscanf(line, "Tgid: %d", &pid) != 1)
		;
	fclose(file);

	return pid;
}

/* One more than any of this process has: those of its forerunners do not count */
static unsigned int next_number(const struct perfex_result *result, pid_t pid)
{
	unsigned int i, number = 1;

	for (i = 0; i < result->nr_threads; i++)
		if (result->thread[i].pid == pid)
			number++;

	return number;
}

/* Where perfex has no descriptor left, what is known already has to do */
static pid_t process_among(const struct perfex_result *result, pid_t tid)
{
	pid_t pid = perfex_process_of(tid);
	unsigned int i;

	for (i = 0; i < result->nr_threads && pid == tid; i++)
		if (syscall(SYS_tgkill, result->thread[i].pid, tid, 0) == 0)
			pid = result->thread[i].pid;

	return pid;
}

static struct perfex_thread *add(struct perfex_result *result, pid_t tid)
{
	unsigned int nr = result->nr_threads;
	struct perfex_thread *more = result->thread;

	/* Whenever the number is a power of two, it is full */
	if ((nr & (nr - 1)) == 0) {
		more = realloc(more, (nr ? 2 * nr : 1) * sizeof(*more));
		if (!more)
			return NULL;
		result->thread = more;
	}
	memset(&more[nr], 0, sizeof(*more));
	more[nr].tid = tid;
	more[nr].pid = process_among(result, tid);
	more[nr].number = next_number(result, more[nr].pid);
	result->nr_threads++;

	return &more[nr];
}

/* The first error is told */
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
	struct irixperf_attr attr;
	int ret = -ENOMEM;

	if (thread) {
		perfex_choice_attr(&attr, choice, tid, flags);
		ret = irixperf_set_open(&thread->set, &attr);
		if (ret < 0)
			thread->set = NULL;
	}
	if (ret < 0)
		lose(result, thread, ret);

	return ret;
}

/* The command, while it waits at its gate */
int perfex_threads_seize(struct perfex_result *result,
			 const struct perfex_target *target, pid_t pid)
{
	if (ptrace(PTRACE_SEIZE, pid, NULL, (void *)TRACE_ALL) < 0)
		return -errno;

	return add_counted(result, target->choice, pid,
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
 * Another thread than the first has called execve(2): it takes the first one's
 * number, which ends without a word.
 */
static void renamed(struct perfex_result *result,
		    const struct perfex_choice *choice, pid_t pid)
{
	struct perfex_thread *first = find(result, pid), *thread;
	unsigned long former = (unsigned long)pid;

	ptrace(PTRACE_GETEVENTMSG, pid, NULL, &former);
	if ((pid_t)former == pid)
		return;
	thread = find(result, (pid_t)former);
	if (first)
		end(result, first, choice);
	if (thread)
		thread->tid = pid;
}

void perfex_threads_go_on(pid_t tid, int status)
{
	int event = status >> 16, sig = WSTOPSIG(status);

	if (event == PTRACE_EVENT_STOP && sig != SIGTRAP)
		ptrace(PTRACE_LISTEN, tid, NULL, NULL);
	else
		ptrace(PTRACE_CONT, tid, NULL,
		       (void *)(long)(event ? 0 : sig));
}

/* What waitpid(2) says about one of them */
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
	perfex_threads_go_on(tid, status);
}

/* Those of other processes are in the total, but not in the report of -pp */
bool perfex_thread_wanted(const struct perfex_result *result,
			  const struct perfex_thread *thread,
			  const struct perfex_options *opt)
{
	if (opt->processes)
		return true;

	return thread->pid == result->pid &&
	       (!opt->thread || thread->number == opt->thread);
}

/* Read those that are still there, and add up all */
void perfex_threads_end(struct perfex_result *result,
			const struct perfex_choice *choice)
{
	unsigned int i, event;

	for (i = 0; i < result->nr_threads; i++) {
		struct perfex_thread *thread = &result->thread[i];

		if (!thread->gone)
			end(result, thread, choice);
		for (event = 0; event < choice->nr; event++) {
			struct irixperf_count *sum = &result->count[event];
			const struct irixperf_count *part =
				&thread->count[event];

			sum->value += part->value;
			sum->enabled += part->enabled;
			sum->running += part->running;
		}
	}
}
