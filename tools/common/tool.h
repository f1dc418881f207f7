/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the tools share: exit statuses, messages, guesses at misspelt words. */
#ifndef TOOL_H
#define TOOL_H

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <time.h>
#include <sys/wait.h>
#include <irixperf.h>

/*
 * A tool that runs a command passes on the command's exit status; these are the
 * tool's own, as in env(1).
 */
enum tool_status {
	TOOL_OK = 0,
	TOOL_FAILED = 125,
	TOOL_CANNOT_RUN = 126,
	TOOL_NOT_FOUND = 127,
	TOOL_SIGNAL = 128
};

/* The name that stands before each message */
extern const char *tool_name;

/*
 * Print a message on stderr. Each line starts with the tool's name, which tells it
 * from the output of the command that the tool runs.
 */
__attribute__((format(printf, 1, 2)))
void tool_error(const char *format, ...);

/* Flush stdout. Return TOOL_OK, or TOOL_FAILED after a message */
int tool_flush_stdout(void);

/*
 * How many letters must be changed, added or left out to turn @a into @b, without
 * regard to case. SIZE_MAX if a word is longer than TOOL_WORD_MAX.
 */
#define TOOL_WORD_MAX	63
size_t tool_word_distance(const char *a, const char *b);

/* Is a word at this distance from @a probably the word that the user meant? */
int tool_word_is_near(const char *a, size_t distance);

/* file.c: of names and contents that are not trusted; see there */
int tool_create(const char *path, mode_t mode);
FILE *tool_open_regular(const char *path);
void tool_printable(char *text, char keep);

/*
 * Make room for one more element of @size bytes after @nr others. Return the array,
 * which may have moved; or NULL if there is no memory, and then the old one stays.
 */
static inline void *tool_one_more(void *array, size_t nr, size_t size)
{
	/* The array is full whenever @nr is 0 or a power of two */
	return nr & (nr - 1) ? array : realloc(array, (nr ? 2 * nr : 1) * size);
}

/* Turn what waitpid(2) says of a command that has ended into an exit status */
static inline int tool_exit_status(int status)
{
	return WIFSIGNALED(status) ? TOOL_SIGNAL + WTERMSIG(status) :
				     WEXITSTATUS(status);
}

/* Wait until a child ends. Return its exit status, or TOOL_FAILED */
static inline int tool_wait(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, __WALL) < 0)
		if (errno != EINTR)
			return TOOL_FAILED;

	return tool_exit_status(status);
}

/**
 * struct tool_command - a child that waits before it becomes the command
 * @pid: its PID
 * @gate: socket to the child: a byte lets it run the command, end of file makes it exit
 * @news: pipe from the child: it sends its errno if it cannot run the command
 * @traced: tool_trace_seize() has succeeded with it
 */
struct tool_command {
	pid_t pid;
	int gate;
	int news;
	bool traced;
};

/*
 * command.c: tool_command_prepare() returns 0 or -errno. The child calls @ready, if it
 * is not NULL, before it becomes the command.
 */
int tool_command_prepare(struct tool_command *cmd, char **argv, void (*ready)(void));
void tool_command_cancel(struct tool_command *cmd);
int tool_command_start(struct tool_command *cmd, const char *name);

/* signals.c: the tool takes signals one at a time */
void tool_signals_block(void);
void tool_signals_restore(void);
int tool_signals_wait(siginfo_t *info, double seconds);

/* trace.c: threads that are traced, ptrace(2) */
pid_t tool_process_of(pid_t tid);
int tool_trace_seize(pid_t tid, bool forks);
void tool_trace_go_on(pid_t tid, int status);
void tool_trace_until_exec(pid_t pid);
pid_t tool_trace_former(pid_t pid);

/* limit.c: let this process open as many files as it may */
void tool_raise_limit(void);

/* interval.c: is @text a number from 1 to @max? */
bool tool_number(unsigned int *number, const char *text, unsigned int max);

/* A share of the time in percent: with one decimal, only all of the time is 100.0 */
static inline double tool_percent(double share)
{
	return share > .999 && share < 1 ? 99.9 : 100 * share;
}

/* A share for six decimals: only all of the time is 1.000000 */
static inline double tool_share(double share)
{
	return share > .999999 && share < 1 ? .999999 : share;
}

/* A clock, in seconds */
double tool_clock(clockid_t clock);

/* The seconds that @text gives for an interval; 0 after a message */
double tool_interval(const char *text);

/* When the interval ends that begins at this moment of CLOCK_MONOTONIC */
double tool_next_moment(double moment, double interval);

/*
 * Send a signal to all descendants of this process except @spare. Return true if there
 * was any.
 */
bool tool_tree_signal(int sig, pid_t spare);

/*
 * Has system mode or a claim the counters of all CPUs? If so, user mode gets only those
 * that are left, perhaps none.
 */
int tool_system_is_on(void);

/* Is it a program with a claim? (irixperf_claim()) */
bool tool_counters_claimed(void);

/* Seconds of processor time in which each event gets a turn, if it gets any at all */
#define TOOL_TRIAL	0.1

/*
 * 1 if others leave no counter for @attr, else 0. To find out, this process counts itself
 * for TOOL_TRIAL at most.
 */
int tool_counters_taken(const struct irixperf_attr *attr);

/* Print who has the counters, and what to do. Return TOOL_FAILED */
int tool_taken_error(void);

/*
 * neighbours.c: which programs have events of perf, as a phrase after @before; empty if none
 * is seen. tool_neighbours_explain() says that other users have the counters, and which.
 */
char *tool_neighbours(char *buf, size_t size, const char *before);
char *tool_neighbours_explain(char *buf, size_t size);

/* What an error of system mode means, and what the user can do */
char *tool_system_explain(int err, char *buf, size_t size);

/* The event whose name is nearest to @text, or NULL if none is near */
const struct irixperf_event *tool_event_nearest(enum irixperf_chip chip,
						const char *text);

/* Print that no event has this name, which may have been meant, and what lists them all */
void tool_event_unknown(enum irixperf_chip chip, const char *text, const char *hint);

/* Does @num mean the same on all kinds of CPUs that are in @chips as on @chip? */
bool tool_event_is_same(unsigned int chips, enum irixperf_chip chip,
			unsigned int num);

#endif
