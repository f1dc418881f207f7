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
 * @thread: its argument, or 0
 * @by_signal: -s
 * @periodic: -p or --interval
 * @interval: milliseconds between two lines of it
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
 * @nr_events: how many -e
 * @event: their arguments
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
 * @chip: whose events they are
 * @nr: how many
 * @event: their numbers, in rising order
 * @mode: HWPERF_CNTEN_* bits
 * @added: the number of cycles, if nobody has asked for them; else negative
 * @project: -a: counts are projected from a share of the time
 */
struct perfex_choice {
	enum irixperf_chip chip;
	unsigned int nr;
	unsigned int event[IRIXPERF_EVENTS];
	unsigned int mode;
	int added;
	bool project;
};

/* The exit status of --check for events that take turns, or cannot */
#define PERFEX_NO_FIT	1

/* choose.c: return 0, or an exit status after a message */
int perfex_choose(struct perfex_choice *choice, enum irixperf_chip chip,
		  const struct perfex_options *opt);
bool perfex_choice_drop_cycles(struct perfex_choice *choice);

/* The set of events that is chosen, for a thread */
void perfex_choice_attr(struct irixperf_attr *attr,
			const struct perfex_choice *choice, pid_t pid,
			unsigned int flags);
int perfex_choice_read(const struct irixperf_set *set,
		       const struct perfex_choice *choice,
		       struct irixperf_count *count);
bool perfex_choice_multiplexed(const struct perfex_choice *choice,
			       const struct irixperf_count *count);

/* mixed.c: -T and machines with several kinds of processors */
unsigned int perfex_mixed_chips(FILE *cpuinfo);
int perfex_mixed_apply(struct perfex_choice *choice,
		       const struct perfex_options *opt, unsigned int chips);
int perfex_mixed_check(struct perfex_choice *choice,
		       const struct perfex_options *opt);

/**
 * struct perfex_command - a child that waits before it becomes the command
 * @pid: its process
 * @gate: what it waits for: a byte to go, the end of the file to give up
 * @news: brings its errno if the command could not be run
 */
struct perfex_command {
	pid_t pid;
	int gate;
	int news;
};

/*
 * command.c: perfex_command_prepare() returns 0 or -errno. Signals are as they
 * were when perfex started, see signals.c.
 */
int perfex_command_prepare(struct perfex_command *cmd, char **argv);
void perfex_command_cancel(struct perfex_command *cmd);
int perfex_command_start(struct perfex_command *cmd, const char *name);

/* signals.c: they come one after another, in the loop of watch.c */
void perfex_signals_block(void);
void perfex_signals_restore(void);
int perfex_signals_wait(siginfo_t *info, double seconds);

/* bound.c */

/**
 * struct perfex_spread - how even an event's rate has been
 * @n: in so many windows
 * @v: the sum of what was counted in each
 * @r: the sum of the times in which it was counted
 * @vv: of squares
 * @vr: of products
 * @rr: of squares
 * @most: the most that was counted in one
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
 * @number: 1 for the first of its process
 * @set: its events, while it is there
 * @gone: it has ended
 * @lost: it could not be counted
 * @count: what they have counted by then
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
 * struct perfex_sample - counts at one time
 * @time: seconds since counting began
 * @count: what has been counted since then
 */
struct perfex_sample {
	double time;
	struct irixperf_count count[IRIXPERF_EVENTS];
};

/**
 * struct perfex_result - what came of one run of the command
 * @pid: its process
 * @status: how it ended, as an exit status
 * @ran: it has been run; if not, that is said already
 * @interrupted: perfex has been told to end
 * @started: with -s: it has been told to count
 * @lost: threads that could not be counted
 * @lost_error: why the first of them could not, a negative errno value
 * @seconds: how long it took
 * @user: seconds in user mode, of the command and all that was waited for
 * @system: seconds in kernel mode
 * @count: what was counted in all
 * @bound: of each event how far projection may be off, in 95 of 100 runs; or
 *	PERFEX_NO_BOUND
 * @nr_threads: how many threads were counted one by one
 * @thread: these threads
 * @nr_samples: how many times were kept, for those reports that need all at once
 * @sample: what had been counted then
 * @dropped: how many could not be kept
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
 * @pid: the process, for which perfex does not wait with --pid; or 0
 * @command: perfex' own child, or 0
 * @start: when it has been let go
 * @set: sets that count it with all descendants; none if threads are counted one
 *	by one
 * @nr_sets: how many
 */
struct perfex_target {
	const struct perfex_choice *choice;
	const struct perfex_options *opt;
	pid_t pid;
	pid_t command;
	struct timespec start;
	struct irixperf_set **set;
	unsigned int nr_sets;
};

/* target.c: return 0, or a negative errno value */
int perfex_target_open(struct perfex_target *target, pid_t pid,
		       unsigned int flags);
int perfex_target_read(const struct perfex_target *target,
		       struct irixperf_count *count);
int perfex_target_enable(const struct perfex_target *target, bool on);
void perfex_target_close(struct perfex_target *target);

/* attach.c: open it for all threads of a process */
int perfex_attach(struct perfex_target *target);

/* threads.c: -mp and -pp, by ptrace(2) */
pid_t perfex_process_of(pid_t tid);
int perfex_threads_seize(struct perfex_result *result,
			 const struct perfex_target *target, pid_t pid);
void perfex_threads_event(struct perfex_result *result,
			  const struct perfex_target *target, pid_t tid,
			  int status);
void perfex_threads_go_on(pid_t tid, int status);
void perfex_threads_end(struct perfex_result *result,
			const struct perfex_choice *choice);
bool perfex_thread_wanted(const struct perfex_result *result,
			  const struct perfex_thread *thread,
			  const struct perfex_options *opt);

/**
 * struct perfex_row - an event of a report
 * @event: its number
 * @counted: it has been
 * @value: how often, projected
 * @count: the reading
 * @bound: how far the projection may be off; PERFEX_NO_BOUND if nobody knows
 * @mean: of --repeat
 * @deviation: its standard deviation; NAN of a single run
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
 * @table: what they cost
 * @runs: how often the command ran
 * @result: what came of it each time
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
int perfex_status(const struct perfex_result *result, unsigned int nr);
unsigned int perfex_failures(const struct perfex_result *result,
			     unsigned int nr);

/**
 * struct perfex_multiplex - what sharing the counters has done
 * @low: the least share of the time that an event had
 * @high: the largest
 * @unknown: nobody knows how far some projection may be off
 * @best: the least relative bound of those that were counted
 * @worst: the largest
 * @best_event: whose it is
 * @worst_event: whose it is
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
void perfex_report_line(FILE *out, const struct irixperf_event *event,
			const char *value);

/* What was counted between two samples; from the start if @from is NULL */
void perfex_sample_between(struct irixperf_count *count,
			   const struct perfex_sample *from,
			   const struct perfex_sample *to, unsigned int nr);

/* series.c: the lines of -p, as they come */
void perfex_series_line(FILE *out, const struct perfex_report *report,
			const struct perfex_sample *from,
			const struct perfex_sample *to);

/*
 * watch.c: wait for the end of what is counted, and read what it was. Lines of -p
 * go to @out, if it is not NULL, in the form that @report has.
 */
int perfex_watch(struct perfex_result *result,
		 const struct perfex_target *target, FILE *out,
		 const struct perfex_report *report);

/* stats.c */

/**
 * struct perfex_stat - a figure made of several counts
 * @label: what it is
 * @value: how much
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

/* json.c, csv.c: a program's reports, in the C locale */
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
