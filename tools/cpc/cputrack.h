/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of cputrack share. */
#ifndef CPUTRACK_H
#define CPUTRACK_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>
#include <time.h>
#include "command.h"
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
 * @debug: -D
 */
struct track_options {
	unsigned int nr;
	struct cpc_set set[CPC_SETS];
	double interval;
	unsigned long count;
	pid_t pid;
	const char *output;
	bool execs;
	bool forks;
	bool plain;
	bool verbose;
	bool debug;
};

#define TRACK_NEVER	1e300

/**
 * struct lwp - a thread
 * @tid: its number
 * @process: index of its process
 * @number: 1 for the first thread of its process
 * @nr: which set it counts
 * @set: its open events, NULL if it is not counted
 * @before: the counts at the last sample
 */
struct lwp {
	pid_t tid;
	unsigned int process;
	unsigned int number;
	unsigned int nr;
	struct irixperf_set *set;
	uint64_t before[CPC_PICS];
};

/**
 * struct process - a process, which may have ended
 * @pid: its PID
 * @threads: how many threads it has had
 * @alive: how many it has
 * @started: its first program runs
 * @released: it is not counted any more
 * @total: what its threads have counted, for each set
 */
struct process {
	pid_t pid;
	unsigned int threads;
	unsigned int alive;
	bool started;
	bool released;
	uint64_t total[CPC_SETS][CPC_PICS];
};

/**
 * struct track - state of the command
 * @opt: the command line
 * @out: where the rows go
 * @pics: columns of counters
 * @generation: generation number of system mode when counting started
 * @command: PID of the command, 0 with -p
 * @status: its exit status
 * @command_ended: it has ended
 * @start: when counting started
 * @next: when the next sample is due, in seconds from @start
 * @samples: how many there were
 * @ended: nothing is left to be counted
 * @taken: system mode has taken the counters
 * @shared: some events had no counter for a part of the time
 * @lost: how many threads could not be counted
 * @lost_error: why the first one could not
 * @nr_lwps: number of threads that have not ended
 * @lwp: these threads
 * @nr_processes: number of processes
 * @process: these, of which some may have ended
 */
struct track {
	const struct track_options *opt;
	FILE *out;
	unsigned int pics;
	int generation;
	pid_t command;
	int status;
	bool command_ended;
	struct timespec start;
	double next;
	unsigned long samples;
	bool ended;
	bool taken;
	bool shared;
	unsigned int lost;
	int lost_error;
	unsigned int nr_lwps;
	struct lwp *lwp;
	unsigned int nr_processes;
	struct process *process;
};

double track_now(const struct track *track);

/* lwp.c: lwp_begin() and lwp_attach() return 0 or a negative errno value */
int lwp_begin(struct track *track, pid_t pid);
int lwp_attach(struct track *track, pid_t pid);
void lwp_event(struct track *track, pid_t tid, int status);
void lwp_sample_all(struct track *track);
void lwp_forget(struct track *track);
void lwp_end(struct track *track);
void lwp_free(struct track *track);

#endif
