/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What tools share that run a command and follow its threads. */
#ifndef COMMAND_H
#define COMMAND_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/* signals.c: the tool's loop takes signals one at a time */
void tool_signals_block(void);
void tool_signals_restore(void);
int tool_signals_wait(siginfo_t *info, double seconds);

/* trace.c: threads that are traced, ptrace(2) */
pid_t tool_process_of(pid_t tid);
int tool_trace_seize(pid_t tid, bool forks);
void tool_trace_go_on(pid_t tid, int status);
pid_t tool_trace_former(pid_t pid);

#endif
