// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The loop that runs while the command runs: it handles signals, the ends of periods
 * and the ends of processes.
 *
 * The command also gets a signal that comes from the terminal, and perfex stays to
 * report. perfex passes a signal that is sent to perfex alone on to all processes
 * that the command has started, so that none is left behind.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "perfex.h"

#define WINDOW		0.1	/* seconds, see bound.c */
#define QUIET		1.0	/* the same, while no events take turns */
#define LOOK		0.05	/* seconds between checks whether processes still run */
#define PATIENCE	3	/* from this signal on, SIGKILL is passed on */
#define LAST_WAIT	2.0	/* seconds until remaining processes are killed */

/**
 * struct watch - state of the loop
 * @result: the result so far
 * @target: what is counted
 * @out: where the lines of -p go, or NULL
 * @report: the form of these lines
 * @start: when counting started
 * @next_line: when the next line of -p is due, in seconds from @start; or NEVER
 * @next_window: when the next window ends, or NEVER
 * @pidfd: the process of --pid, if perfex waits for its end; or -1
 * @signals: number of signals passed on to end the command
 * @ended: counting is over
 * @last: the counts at the last line
 * @spread: how much the rate of each event varies
 */
struct watch {
	struct perfex_result *result;
	const struct perfex_target *target;
	FILE *out;
	const struct perfex_report *report;
	double start;
	double next_line;
	double next_window;
	int pidfd;
	unsigned int signals;
	bool ended;
	struct perfex_sample last;
	struct perfex_spread spread[IRIXPERF_EVENTS];
};

#define NEVER	1e300

static double now(const struct watch *watch)
{
	return tool_clock(CLOCK_MONOTONIC) - watch->start;
}

static bool by_thread(const struct watch *watch)
{
	return watch->target->nr_sets == 0;
}

static double seconds_of(const struct timeval *tv)
{
	return (double)tv->tv_sec + (double)tv->tv_usec * 1e-6;
}

static void command_ended(struct watch *watch, int status,
			  const struct rusage *usage)
{
	watch->result->status = tool_exit_status(status);
	watch->result->user = seconds_of(&usage->ru_utime);
	watch->result->system = seconds_of(&usage->ru_stime);
	watch->ended = true;
}

static void child_news(struct watch *watch, pid_t pid, int status,
		       const struct rusage *usage)
{
	if (by_thread(watch))
		perfex_threads_event(watch->result, watch->target, pid, status);
	if (pid == watch->target->command && !WIFSTOPPED(status))
		command_ended(watch, status, usage);
}

/* Handle what has happened to children; after the command's end the rest is ignored */
static void children(struct watch *watch)
{
	struct rusage usage;
	int status;
	pid_t pid;

	while (!watch->ended &&
	       (pid = wait4(-1, &status, WNOHANG | __WALL, &usage)) > 0)
		child_news(watch, pid, status, &usage);
}

/* As a subreaper perfex becomes the parent of orphans, and so finds them */
static void forward(struct watch *watch, int sig)
{
	watch->signals++;
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	tool_tree_signal(watch->signals < PATIENCE ? sig : SIGKILL, 0);
}

static void told_to_end(struct watch *watch, const siginfo_t *info)
{
	watch->result->interrupted = true;
	if (info->si_code != SI_KERNEL)
		forward(watch, info->si_signo);
	if (!watch->target->command)
		watch->ended = true;
}

/* -s: counting may start and stop any number of times, and the counts add up */
static void switch_counters(struct watch *watch, bool on)
{
	if (!watch->target->opt->by_signal)
		return;
	perfex_target_enable(watch->target, on);
	watch->result->started |= on;
}

static void on_signal(struct watch *watch, int sig, const siginfo_t *info)
{
	switch (sig) {
	case 0:
		break;
	case SIGCHLD:
		children(watch);
		break;
	case SIGUSR1:
	case SIGUSR2:
		switch_counters(watch, sig == SIGUSR1);
		break;
	default:
		told_to_end(watch, info);
	}
}

static bool keep_sample(struct perfex_result *result,
			const struct perfex_sample *sample)
{
	struct perfex_sample *more = tool_one_more(result->sample,
						   result->nr_samples,
						   sizeof(*more));

	if (!more)
		return false;
	result->sample = more;
	more[result->nr_samples++] = *sample;

	return true;
}

/* Print a line of -p. JSON and SVG need all lines at the end */
static void line(struct watch *watch, const struct irixperf_count *count,
		 double time)
{
	const struct perfex_options *opt = watch->target->opt;
	struct perfex_sample sample = { .time = time };

	memcpy(sample.count, count, sizeof(sample.count));
	if (watch->out)
		perfex_series_line(watch->out, watch->report, &watch->last,
				   &sample);
	watch->last = sample;
	if ((opt->json || opt->plot) && !keep_sample(watch->result, &sample))
		watch->result->dropped++;
}

static void window(struct watch *watch, const struct irixperf_count *count)
{
	unsigned int i;

	for (i = 0; i < watch->target->choice->nr; i++)
		perfex_spread_add(&watch->spread[i], &count[i]);
}

/* One or two events may have to take turns later, if others want the counters */
static void next_window(struct watch *watch, const struct irixperf_count *count,
			double time)
{
	const struct perfex_choice *choice = watch->target->choice;
	bool quiet = choice->nr <= 2 &&
		     !perfex_choice_multiplexed(choice, count);

	watch->next_window = time + (quiet ? QUIET : WINDOW);
}

static void periods(struct watch *watch)
{
	struct irixperf_count count[IRIXPERF_EVENTS];
	double time = now(watch);

	if (watch->ended ||
	    (time < watch->next_line && time < watch->next_window))
		return;
	if (perfex_target_read(watch->target, count) < 0)
		return;
	if (time >= watch->next_line) {
		line(watch, count, time);
		while (watch->next_line <= time)
			watch->next_line += watch->target->opt->interval * 1e-3;
	}
	if (time >= watch->next_window) {
		window(watch, count);
		next_window(watch, count, time);
	}
}

/* Seconds until something is due; negative if perfex waits for signals only */
static double patience(const struct watch *watch)
{
	double next = watch->next_line < watch->next_window ?
		      watch->next_line : watch->next_window;
	double wait = next - now(watch);

	if (next >= NEVER)
		wait = -1;
	else if (wait < 0)
		wait = 0;
	if (!watch->target->command && (wait < 0 || wait > LOOK))
		wait = LOOK;

	return wait;
}

/* There is no pidfd if the process ended too early, nor on Linux before 5.3 */
static bool process_is_there(const struct watch *watch)
{
	struct pollfd pfd = { .fd = watch->pidfd, .events = POLLIN };

	if (watch->pidfd < 0)
		return kill(watch->target->pid, 0) == 0 || errno != ESRCH;

	return poll(&pfd, 1, 0) <= 0;
}

/* Without a command, counting ends with the process */
static void look_at_process(struct watch *watch)
{
	if (!watch->target->command && !process_is_there(watch))
		watch->ended = true;
}

static void watch_begin(struct watch *watch)
{
	const struct perfex_options *opt = watch->target->opt;

	/* The command may have ended already: count its time from its real start */
	watch->start = watch->target->pid ? tool_clock(CLOCK_MONOTONIC) :
					    watch->target->start;
	watch->next_line = watch->next_window = NEVER;
	if (opt->periodic)
		watch->next_line = opt->interval * 1e-3;
	if (!by_thread(watch))
		watch->next_window = WINDOW;
	watch->pidfd = -1;
	if (!watch->target->command)
		watch->pidfd = (int)syscall(SYS_pidfd_open, watch->target->pid,
					    0);
	if (watch->target->pid && !opt->by_signal)
		perfex_target_enable(watch->target, true);
}

static int watch_end(struct watch *watch)
{
	struct perfex_result *result = watch->result;
	unsigned int i;
	int ret = 0;

	result->seconds = now(watch);
	if (by_thread(watch))
		perfex_threads_end(result, watch->target->choice);
	else
		ret = perfex_target_read(watch->target, result->count);
	if (ret < 0)
		return ret;

	if (watch->target->opt->periodic)
		line(watch, result->count, result->seconds);
	window(watch, result->count);
	for (i = 0; i < watch->target->choice->nr; i++)
		result->bound[i] = perfex_spread_bound(&watch->spread[i],
						       &result->count[i]);

	return 0;
}

/* Wait for the processes that got a signal; kill them after LAST_WAIT */
static void nothing_left(const struct watch *watch)
{
	double end = now(watch) + LAST_WAIT;
	int status = 0;
	siginfo_t info;
	pid_t pid;

	if (!watch->signals)
		return;
	while ((pid = waitpid(-1, &status, WNOHANG | __WALL)) >= 0) {
		if (pid > 0 && WIFSTOPPED(status))
			tool_trace_go_on(pid, status);
		if (pid == 0 && now(watch) > end)
			tool_tree_signal(SIGKILL, 0);
		if (pid == 0)
			tool_signals_wait(&info, LOOK);
	}
}

int perfex_watch(struct perfex_result *result,
		 const struct perfex_target *target, FILE *out,
		 const struct perfex_report *report)
{
	struct watch watch = {
		.result = result, .target = target, .out = out,
		.report = report,
	};
	siginfo_t info = { 0 };
	int ret, sig;

	watch_begin(&watch);
	children(&watch);
	while (!watch.ended) {
		sig = tool_signals_wait(&info, patience(&watch));
		on_signal(&watch, sig, &info);
		look_at_process(&watch);
		periods(&watch);
	}
	ret = watch_end(&watch);
	nothing_left(&watch);
	if (watch.pidfd >= 0)
		close(watch.pidfd);

	return ret;
}
