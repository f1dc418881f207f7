// SPDX-License-Identifier: GPL-2.0-or-later
/* Tracing the threads of a command: each new one stops before its first instruction. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include "tool.h"

#ifndef PTRACE_EVENT_STOP
#define PTRACE_EVENT_STOP	128
#endif

/* The process that @tid belongs to; @tid itself if that cannot be read */
pid_t tool_process_of(pid_t tid)
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

/**
 * tool_trace_seize() - trace a thread, and the threads that it will start
 * @tid: the thread
 * @forks: trace its children as well
 *
 * Return: 0 or a negative errno value.
 */
int tool_trace_seize(pid_t tid, bool forks)
{
	long options = PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC |
		       (forks ? PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK : 0);

	return ptrace(PTRACE_SEIZE, tid, NULL, (void *)options) < 0 ? -errno : 0;
}

/* Let a thread go on that has stopped with this status of waitpid(2) */
void tool_trace_go_on(pid_t tid, int status)
{
	int event = status >> 16, sig = WSTOPSIG(status);

	if (event == PTRACE_EVENT_STOP && sig != SIGTRAP)
		ptrace(PTRACE_LISTEN, tid, NULL, NULL);
	else
		ptrace(PTRACE_CONT, tid, NULL,
		       (void *)(long)(event ? 0 : sig));
}

/*
 * Wait until a child stops in its execve(2), or ends. Its signals reach it meanwhile; the
 * status is left for the caller's waitpid(2).
 */
void tool_trace_until_exec(pid_t pid)
{
	siginfo_t info;

	for (;;) {
		info.si_pid = 0;
		if (waitid(P_PID, (id_t)pid, &info, WEXITED | WSTOPPED | WNOWAIT) < 0) {
			if (errno == EINTR)
				continue;
			return;
		}
		if (info.si_code != CLD_TRAPPED ||
		    info.si_status >> 8 == PTRACE_EVENT_EXEC)
			return;
		/* Only the stop is taken, even if the child has ended meanwhile */
		waitid(P_PID, (id_t)pid, &info, WSTOPPED | WNOHANG);
		tool_trace_go_on(pid, info.si_status << 8 | 0x7f);
	}
}

/* The number that the thread had which has stopped in execve(2): now it has @pid */
pid_t tool_trace_former(pid_t pid)
{
	unsigned long former = (unsigned long)pid;

	ptrace(PTRACE_GETEVENTMSG, pid, NULL, &former);

	return (pid_t)former;
}
