/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of cputrack share. */
#ifndef CPUTRACK_H
#define CPUTRACK_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>
#include "cpc.h"

/**
 * struct track_options - the command line
 * @nr: number of -c
 * @set: their arguments
 * @interval: seconds between samples; 0: none
 * @count: argument of -N, or 0
 * @pid: argument of -p, or 0
 * @output: argument of -o, or NULL
 * @execs: -e
 * @forks: -f
 * @plain: -n
 * @verbose: -v
 */
struct track_options {
	unsigned int nr;
	struct cpc_set set[CPC_SETS];
	double interval;
	unsigned int count;
	unsigned int pid;
	const char *output;
	bool execs;
	bool forks;
	bool plain;
	bool verbose;
};

#define TRACK_NEVER	1e300

/**
 * struct lwp - a thread
 * @tid: its number
 * @process: index of its process
 * @number: 1 for the first thread of its process
 * @nr: which set it counts
 * @attached: it was found in a running process, and has not stopped since
 * @set: its open events, NULL if it is not counted
 * @before: the counts and times at the last sample
 */
struct lwp {
	pid_t tid;
	unsigned int process;
	unsigned int number;
	unsigned int nr;
	bool attached;
	struct irixperf_set *set;
	struct irixperf_count before[CPC_PICS];
};

/**
 * struct process - a process, which may have ended
 * @pid: its PID
 * @threads: how many threads it has had
 * @alive: how many it has
 * @started: its first program runs
 * @released: it is not counted any more
 * @counted: its threads have counted this set
 * @total: what they have counted, or CPC_NONE
 */
struct process {
	pid_t pid;
	unsigned int threads;
	unsigned int alive;
	bool started;
	bool released;
	bool counted[CPC_SETS];
	uint64_t total[CPC_SETS][CPC_PICS];
};

/**
 * struct track - state of the command
 * @opt: the command line
 * @chip: the CPU
 * @out: where the rows go
 * @pics: columns of counters
 * @command: PID of the command, 0 with -p
 * @status: its exit status
 * @command_ended: it has ended
 * @start: when counting started, in seconds of CLOCK_MONOTONIC
 * @next: when the next sample is due
 * @samples: how many there were
 * @ended: nothing is left to be counted
 * @taken: system mode or a claim has taken the counters
 * @shared: some events had no counter for a part of the time
 * @lost: why some threads could not be counted, or 0
 * @nr_lwps: number of threads that have not ended
 * @lwp: these threads
 * @nr_processes: number of processes, those included that have ended
 * @process: these processes
 */
struct track {
	const struct track_options *opt;
	enum irixperf_chip chip;
	FILE *out;
	unsigned int pics;
	pid_t command;
	int status;
	bool command_ended;
	double start;
	double next;
	unsigned int samples;
	bool ended;
	bool taken;
	bool shared;
	int lost;
	unsigned int nr_lwps;
	struct lwp *lwp;
	unsigned int nr_processes;
	struct process *process;
};

double track_now(const struct track *track);

/* Print why set @nr cannot be counted. Return TOOL_FAILED */
int track_fail(const struct track *track, int err, unsigned int nr);

/* lwp.c: lwp_begin() and lwp_attach() return TOOL_OK, or TOOL_FAILED after a message */
int lwp_begin(struct track *track, pid_t pid);
int lwp_attach(struct track *track, pid_t pid);
void lwp_event(struct track *track, pid_t tid, int status);
void lwp_sample_all(struct track *track, bool last);
bool lwp_all_released(const struct track *track);
void lwp_forget(struct track *track);
void lwp_free(struct track *track);

#endif
