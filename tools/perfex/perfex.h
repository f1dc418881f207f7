/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of perfex share. */
#ifndef PERFEX_H
#define PERFEX_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>
#include <time.h>
#include <irixperf.h>
#include "costs.h"
#include "tool.h"

#define PERFEX_VERSION	"0.1.0"

/**
 * struct perfex_options - the command line, checked for form only
 * @all: -a
 * @exception: -x
 * @kernel: -k
 * @estimate: -y
 * @table: -t
 * @mixed: -T
 * @processes: -mp
 * @threads: -pp
 * @thread: the number of the thread after -pp, or 0
 * @by_signal: -s
 * @periodic: -p or --interval
 * @interval: milliseconds between two lines of -p
 * @json: --json
 * @csv: --csv
 * @list: --list
 * @check: --check
 * @help: --help
 * @version: --version
 * @repeat: argument of --repeat, or 0
 * @pid: argument of --pid, or 0
 * @mhz: argument of --mhz, or 0
 * @ignored: argument of -l, or 0
 * @nr_events: number of -e options
 * @event: arguments of -e
 * @output: argument of -o, or NULL
 * @costs: argument of -c, or NULL
 * @plot: argument of --plot, or NULL
 * @cpu: argument of --cpu, or NULL
 * @command: the command and its arguments, NULL at the end
 */
struct perfex_options {
	bool all;
	bool exception;
	bool kernel;
	bool estimate;
	bool table;
	bool mixed;
	bool processes;
	bool threads;
	unsigned int thread;
	bool by_signal;
	bool periodic;
	unsigned int interval;
	bool json;
	bool csv;
	bool list;
	bool check;
	bool help;
	bool version;
	unsigned int repeat;
	unsigned int pid;
	unsigned int mhz;
	unsigned int ignored;
	unsigned int nr_events;
	const char *event[2];
	const char *output;
	const char *costs;
	const char *plot;
	const char *cpu;
	char **command;
};

/* options.c, help.c: return 0, or an exit status after a message */
int perfex_options_parse(struct perfex_options *opt, char **argv);
void perfex_help(FILE *out);

/**
 * struct perfex_choice - which events to count
 * @chip: the kind of CPU that the event numbers belong to
 * @nr: number of events
 * @event: their numbers, in ascending order
 * @mode: HWPERF_CNTEN_* bits
 * @added: number of the cycles event, if perfex has added it itself; else negative
 * @project: -a: each count is projected from the time for which the event had a
 *	counter
 * @apart: others have a counter, and each event counts by itself
 */
struct perfex_choice {
	enum irixperf_chip chip;
	unsigned int nr;
	unsigned int event[IRIXPERF_EVENTS];
	unsigned int mode;
	int added;
	bool project;
	bool apart;
};

/* Exit status of --check if the events must take turns or conflict */
#define PERFEX_NO_FIT	1

/* choose.c: return 0, or an exit status after a message */
int perfex_choose(struct perfex_choice *choice, enum irixperf_chip chip,
		  const struct perfex_options *opt);
bool perfex_choice_drop_cycles(struct perfex_choice *choice);

/* target.c: the chosen events as a set, which counts one thread */
void perfex_choice_attr(struct irixperf_attr *attr,
			const struct perfex_choice *choice, pid_t pid,
			unsigned int flags);
int perfex_choice_open(struct irixperf_set **set,
		       const struct perfex_choice *choice, pid_t pid,
		       unsigned int flags);
int perfex_fail_to_count(int err, const struct perfex_choice *choice);
int perfex_choice_read(const struct irixperf_set *set,
		       const struct perfex_choice *choice,
		       struct irixperf_count *count);
bool perfex_choice_multiplexed(const struct perfex_choice *choice,
			       const struct irixperf_count *count);

/* mixed.c: -T and machines with several kinds of processors */
int perfex_mixed_apply(struct perfex_choice *choice,
		       const struct perfex_options *opt, unsigned int chips);

/* bound.c */

/**
 * struct perfex_spread - sums that show how much an event's rate varies
 * @n: number of windows
 * @v: sum of the windows' counts, v
 * @r: sum of the times for which the event had a counter in each window, r
 * @vv: sum of v * v
 * @vr: sum of v * r
 * @rr: sum of r * r
 * @most: largest v
 * @last: the reading at the end of the last window
 */
struct perfex_spread {
	unsigned int n;
	double v, r, vv, vr, rr, most;
	struct irixperf_count last;
};

#define PERFEX_NO_BOUND	(-1.0)

void perfex_spread_add(struct perfex_spread *spread,
		       const struct irixperf_count *now);
double perfex_spread_bound(const struct perfex_spread *spread,
			   const struct irixperf_count *count);

/**
 * struct perfex_thread - what was counted in one thread
 * @tid: the thread
 * @pid: its process
 * @number: 1 for the first thread of its process
 * @gone: it has ended
 * @lost: it could not be counted
 * @set: its open events; NULL after its end
 * @count: the counts at its end
 */
struct perfex_thread {
	pid_t tid;
	pid_t pid;
	unsigned int number;
	bool gone;
	bool lost;
	struct irixperf_set *set;
	struct irixperf_count count[IRIXPERF_EVENTS];
};

/**
 * struct perfex_sample - the counts at one moment
 * @time: seconds since counting started
 * @count: the counts since then
 */
struct perfex_sample {
	double time;
	struct irixperf_count count[IRIXPERF_EVENTS];
};

/**
 * struct perfex_result - the result of one run of the command
 * @pid: the process that was counted
 * @status: exit status of the command
 * @ran: the command was run; if not, perfex has printed why
 * @interrupted: a signal has told perfex to end
 * @started: with -s: a SIGUSR1 has started the counters
 * @lost: number of threads that could not be counted
 * @lost_error: why the first of them could not, a negative errno value
 * @seconds: elapsed time
 * @user: seconds in user mode, of the command and the descendants it waited for
 * @system: their seconds in kernel mode
 * @count: the total of each event
 * @bound: for each event, by how much the projection may be off, in 95 of 100 runs;
 *	or PERFEX_NO_BOUND
 * @nr_threads: number of threads that were counted one by one
 * @thread: these threads
 * @nr_samples: number of samples kept for the reports that need all lines of -p
 * @sample: these samples
 * @dropped: number of samples for which there was no memory
 */
struct perfex_result {
	pid_t pid;
	int status;
	bool ran;
	bool interrupted;
	bool started;
	unsigned int lost;
	int lost_error;
	double seconds;
	double user;
	double system;
	struct irixperf_count count[IRIXPERF_EVENTS];
	double bound[IRIXPERF_EVENTS];
	unsigned int nr_threads;
	struct perfex_thread *thread;
	unsigned int nr_samples;
	struct perfex_sample *sample;
	unsigned int dropped;
};

void perfex_result_free(struct perfex_result *result);

/**
 * struct perfex_target - what is counted
 * @choice: which events
 * @opt: the command line
 * @pid: the process of --pid, which is not a child of perfex; or 0
 * @command: the command, a child of perfex; or 0
 * @start: when perfex let the command run, in seconds of CLOCK_MONOTONIC
 * @set: sets that count the target with all descendants; none if threads are
 *	counted one by one
 * @nr_sets: number of sets
 */
struct perfex_target {
	const struct perfex_choice *choice;
	const struct perfex_options *opt;
	pid_t pid;
	pid_t command;
	double start;
	struct irixperf_set **set;
	unsigned int nr_sets;
};

/* target.c: return 0, or a negative errno value */
void perfex_count_add(struct irixperf_count *sum,
		      const struct irixperf_count *part);
int perfex_target_open(struct perfex_target *target, pid_t pid,
		       unsigned int flags);
int perfex_target_read(const struct perfex_target *target,
		       struct irixperf_count *count);
int perfex_target_enable(const struct perfex_target *target, bool on);
void perfex_target_close(struct perfex_target *target);

/* attach.c: open the target's sets for all threads of a running process */
int perfex_attach(struct perfex_target *target);

/* threads.c: -mp and -pp, by ptrace(2) */
int perfex_threads_seize(struct perfex_result *result,
			 const struct perfex_target *target, pid_t pid);
void perfex_threads_event(struct perfex_result *result,
			  const struct perfex_target *target, pid_t tid,
			  int status);
void perfex_threads_end(struct perfex_result *result,
			const struct perfex_choice *choice);
bool perfex_thread_wanted(const struct perfex_result *result,
			  const struct perfex_thread *thread,
			  const struct perfex_options *opt);

/**
 * struct perfex_row - an event in a report
 * @event: its number
 * @counted: false if the event never had a counter
 * @value: the count, projected to the whole time
 * @count: the reading that @value comes from
 * @bound: by how much the projection may be off; PERFEX_NO_BOUND if not known
 * @mean: with --repeat: mean of the runs
 * @deviation: with --repeat: standard deviation of the runs; NAN for a single run
 */
struct perfex_row {
	unsigned int event;
	bool counted;
	uint64_t value;
	struct irixperf_count count;
	double bound;
	double mean;
	double deviation;
};

/**
 * struct perfex_report - all there is to report
 * @opt: the command line
 * @choice: which events
 * @table: costs of the events
 * @runs: how often the command ran
 * @result: result of each run
 */
struct perfex_report {
	const struct perfex_options *opt;
	const struct perfex_choice *choice;
	const struct cost_table *table;
	unsigned int runs;
	const struct perfex_result *result;
};

/* rows.c */
void perfex_rows(struct perfex_row *row, const struct perfex_choice *choice,
		 const struct irixperf_count *count, const double *bound);
void perfex_rows_of_thread(struct perfex_row *row,
			   const struct perfex_choice *choice,
			   const struct perfex_thread *thread);
void perfex_rows_of_runs(struct perfex_row *row,
			 const struct perfex_report *report);

/* The seconds that the row's events cost; negative if there are none */
double perfex_seconds(const struct cost_table *table,
		      const struct perfex_row *row, enum cost_kind kind);

/* Why something is left out of the report, or NULL */
const char *perfex_note(const struct perfex_report *report);

/* Why events are not counted; empty if all are */
char *perfex_missing(char *buf, size_t size, const struct perfex_report *report,
		     const struct perfex_row *row);

int perfex_status(const struct perfex_result *result, unsigned int nr);
unsigned int perfex_failures(const struct perfex_result *result,
			     unsigned int nr);

/**
 * struct perfex_multiplex - how exact the counts are, if events share the counters
 * @low: the smallest share of the time for which an event had a counter
 * @high: the largest
 * @unknown: there is an event whose bound is not known
 * @best: the smallest relative bound of an event that was counted
 * @worst: the largest
 * @best_event: the event of @best
 * @worst_event: the event of @worst
 */
struct perfex_multiplex {
	double low, high;
	bool unknown;
	double best, worst;
	unsigned int best_event, worst_event;
};

/* False if all events were counted all the time */
bool perfex_multiplexed(struct perfex_multiplex *multiplex,
			const struct perfex_row *row, unsigned int nr);
double perfex_share(const struct irixperf_count *count);
bool perfex_counted(const struct irixperf_count *count);

/* report.c: 0, or an exit status after a message */
int perfex_report(FILE *out, const struct perfex_report *report);

/* Set @count to what was counted between two samples; @from is NULL for the start */
void perfex_sample_between(struct irixperf_count *count,
			   const struct perfex_sample *from,
			   const struct perfex_sample *to, unsigned int nr);

/* series.c: print the lines of one period of -p */
void perfex_series_line(FILE *out, const struct perfex_report *report,
			const struct perfex_sample *from,
			const struct perfex_sample *to);

/*
 * watch.c: wait until the target ends, and read its counts. Print the lines of -p to
 * @out, if it is not NULL, in the form that the options of @report choose.
 */
int perfex_watch(struct perfex_result *result,
		 const struct perfex_target *target, FILE *out,
		 const struct perfex_report *report);

/* stats.c */

/**
 * struct perfex_stat - a statistic made of several counts
 * @label: its name
 * @value: its value
 */
struct perfex_stat {
	const char *label;
	double value;
};

#define PERFEX_MAX_STATS	32

unsigned int perfex_stats(struct perfex_stat *stat,
			  const struct cost_table *table,
			  const struct perfex_row *row, unsigned int nr);
void perfex_stats_print(FILE *out, const struct perfex_stat *stat,
			unsigned int nr);

/* json.c, csv.c: reports for programs, in the C locale */
void perfex_json(FILE *out, const struct perfex_report *report);
void perfex_csv(FILE *out, const struct perfex_report *report);
void perfex_csv_head(FILE *out);
void perfex_csv_interval(FILE *out, const struct perfex_report *report,
			 const struct perfex_sample *from,
			 const struct perfex_sample *to);
void perfex_json_text(FILE *out, const char *text);
void perfex_csv_text(FILE *out, const char *text);

/* plot.c: SVG */
void perfex_plot(FILE *out, const struct perfex_report *report);

/* list.c, check.c: return an exit status */
int perfex_list(const struct perfex_options *opt);
int perfex_check(const struct perfex_choice *choice,
		 const struct perfex_options *opt);

#endif
